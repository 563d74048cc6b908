/* Start-up is a constructor; nobody calls it.  Programs are linked with -u mer_start_linked, so that the
 * linker takes start-up out of the library. */
#ifndef MER_START_START_H
#define MER_START_START_H

extern const char mer_start_linked;

#endif
