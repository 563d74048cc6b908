/* Start-up is a constructor; nobody calls it.  Who needs the runtime but may not refer to mer_abi_1 refers to
 * this symbol, so that the linker takes start-up out of the library. */
#ifndef MER_CORE_START_H
#define MER_CORE_START_H

extern const char mer_start_linked;

#endif
