/* The accesses of a program with -fsanitize=pgas, as its own code and the library calls that it makes do
 * them. */
#ifndef MER_SANITIZE_ACCESS_H
#define MER_SANITIZE_ACCESS_H

#include "sanitize/site.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Observes an access to n bytes at an address of this process: relaxed, or strict if the program's code says
 * so. */
void mer_sanitize_access(uint64_t at, size_t n, bool write, struct mer_caller caller);

/* Accesses are not observed until the end of the pause. */
void mer_sanitize_pause(bool begins);

static inline void mer_sanitize_read(const void *at, size_t n, struct mer_caller caller) {
    mer_sanitize_access((uint64_t)(uintptr_t)at, n, false, caller);
}
static inline void mer_sanitize_write(const void *at, size_t n, struct mer_caller caller) {
    mer_sanitize_access((uint64_t)(uintptr_t)at, n, true, caller);
}

#endif
