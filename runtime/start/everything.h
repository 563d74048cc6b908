/* Everything addressable: the parts of start-up, for programs that hold a Split-C or AC unit. */
#ifndef MER_START_EVERYTHING_H
#define MER_START_EVERYTHING_H

#include <stdbool.h>
#include <stdint.h>

/* Defined if the program has such a unit (everything.c is then linked).  The other files of start-up look at
 * its address, the rest of the runtime at mer_here.everything. */
extern const char mer_everything __attribute__((weak));
static inline bool mer_everything_linked(void) { return &mer_everything != 0; }

/* The program's word for the number of threads, and the option that fixes it, for messages. */
static inline const char *mer_threads_word(void) { return mer_everything_linked() ? "PROCS" : "THREADS"; }
static inline const char *mer_fixed_option(void) {
    return mer_everything_linked() ? "-fprocs-" : "-fupc-threads-";
}

/* Start-up, once the heap is there and the number of cores is known: active messages, and which
 * memory is local.  The arguments are the program's. */
void mer_everything_start(int argc, char **argv, char **envp);

/* Is `a` in the guard below that stack?  For the message about a full stack. */
bool mer_everything_guard(uint64_t a);

#endif
