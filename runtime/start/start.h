/* Start-up is a constructor; nobody calls it.  host/job.c refers to this symbol, so that the linker takes
 * start-up out of the library for every program that has to do with a job. */
#ifndef MER_START_START_H
#define MER_START_START_H

extern const char mer_start_linked;

#endif
