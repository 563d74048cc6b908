/* With MERIDIAN_CHECK=1: are the arguments of a collective call that the standard calls single-valued the
 * same on all threads? */
#ifndef MER_DIALECT_UPC_SINGLE_H
#define MER_DIALECT_UPC_SINGLE_H

#include <stdint.h>

/* A fatal message that names the call and two threads if `arguments`, a digest of them, is not the same on
 * all threads.  Collective: a barrier, but only if checking was asked for.  name lives as long as the
 * program. */
void mer_check_single_valued(const char *name, uint64_t arguments);

/* Returns a number that differs, most likely, if the arguments differ; nest for more than two. */
static inline uint64_t mer_digest(uint64_t a, uint64_t b) {
    return a * 0x9e3779b97f4a7c15ULL ^ (b + 0x517cc1b727220a95ULL);
}

#endif
