/* Everything addressable: the parts of start-up, for programs that hold a Split-C or AC unit. */
#ifndef MER_START_EVERYTHING_H
#define MER_START_EVERYTHING_H

#include "host/job.h"

#include <stdbool.h>
#include <stdint.h>

/* Set where the program has such a unit (everything.c is then linked); the others look at its address. */
extern const char mer_everything __attribute__((weak));
static inline bool mer_everything_linked(void) { return &mer_everything != 0; }

/* A static of this process can be seen at two addresses: its native one, and in the own view.  Where parts of
 * one object may overlap, both sides have to be named in the same way: gives the second for the first, and p
 * itself for everything else. */
static inline void *mer_everything_seen(const void *p) {
    extern char begin[] __asm__("__data_start") __attribute__((weak));
    extern char end[] __asm__("_end") __attribute__((weak));
    uint64_t a = (uint64_t)(uintptr_t)p, first = (uint64_t)(uintptr_t)begin;
    bool is_static = mer_everything_linked() && a - first < (uint64_t)(uintptr_t)end - first;
    return is_static ? mer_view(mer_job.mythread, a) : (void *)(uintptr_t)a;
}

/* Start-up, once the heap is there and the number of cores is known: active messages, and how far loads and
 * stores reach.  The arguments are the program's. */
void mer_everything_start(int argc, char **argv, char **envp);

/* Is `a` in the guard below that stack?  For the message about a full stack. */
bool mer_everything_guard(uint64_t a);

#endif
