/* Functions that compiled code calls in place of inline code: without optimisation, the small functions of
 * abi.h and those that locate the objects of accesses; in loops that prefetch, the remote reads (prefetch.h).
 *
 * This file is compiled without lines, so that a debugger's `step' passes over these calls.  Accesses that
 * may fault are left to the caller, whose line is then reported.  Remote accesses are left to the functions
 * of remote.c by a tail call, or within a record of the call, so that the caller's line is recorded
 * (base/record.h). */
#pragma GCC diagnostic ignored "-Wmissing-prototypes" /* the header has the definitions */
#define MER_SMALL_HERE
#include <meridian/abi/abi.h>

#include "am/am.h"
#include "am/handlers.h"
#include "am/state.h"
#include "base/record.h"

int(mer_remote)(mer_u64 bits) { return mer_remote(bits); }

void *mer_read(mer_u64 bits, void *copy, mer_size n) {
    return mer_remote(bits) ? mer_remote_get(copy, bits, n) : mer_at(bits);
}

/* The caller stores the value in the returned object.  For a remote object that is the caller's own `value',
 * so the caller needs no test. */
void *mer_write(mer_u64 bits, void *value, mer_size n) {
    if (!mer_remote(bits))
        return mer_at(bits);
    mer_record_begin();
    mer_remote_put(bits, value, n);
    mer_record_end(MER_RECORD_INNER, 0, 0);
    return value;
}

void *mer_read_elem_c(mer_u64 a, mer_i64 n, mer_u64 size, void *copy, mer_size bytes) {
    return mer_read(mer_elem_c(a, n, size).bits, copy, bytes);
}

void *mer_read_elem_b(mer_u64 a, mer_i64 n, mer_u64 size, mer_u64 block, void *copy, mer_size bytes) {
    return mer_read(mer_elem_b(a, n, size, block).bits, copy, bytes);
}

mer_ptr mer_seldom_elem_c(mer_u64 a, mer_i64 n, mer_u64 size) { return mer_elem_c(a, n, size); }

mer_pptr mer_seldom_elem_b(mer_u64 a, mer_i64 n, mer_u64 size, mer_u64 block) {
    return mer_elem_b(a, n, size, block);
}

/* ---- numbers in loops that run seldom ------------------------------------------------------------------ */

double mer_seldom_get_double(mer_u64 bits) {
    double copy;
    return *(const double *)mer_read(bits, &copy, sizeof copy);
}

float mer_seldom_get_float(mer_u64 bits) {
    float copy;
    return *(const float *)mer_read(bits, &copy, sizeof copy);
}

mer_u64 mer_seldom_get_word(mer_u64 bits, mer_size n) {
    mer_u64 copy;
    const void *at = mer_read(bits, &copy, n);
    switch (n) {
    case 1:
        return *(const volatile uint8_t *)at;
    case 2:
        return *(const volatile uint16_t *)at;
    case 4:
        return *(const volatile uint32_t *)at;
    default:
        return *(const volatile uint64_t *)at;
    }
}

void mer_seldom_put_double(mer_u64 bits, double value) {
    *(double *)mer_write(bits, &value, sizeof value) = value;
}

void mer_seldom_put_float(mer_u64 bits, float value) {
    *(float *)mer_write(bits, &value, sizeof value) = value;
}

void mer_seldom_put_word(mer_u64 bits, mer_u64 value, mer_size n) {
    mer_u64 copy = value;
    void *at = mer_write(bits, &copy, n);
    switch (n) {
    case 1:
        *(volatile uint8_t *)at = (uint8_t)value;
        break;
    case 2:
        *(volatile uint16_t *)at = (uint16_t)value;
        break;
    case 4:
        *(volatile uint32_t *)at = (uint32_t)value;
        break;
    default:
        *(volatile uint64_t *)at = value;
    }
}

/* ---- loops that prefetch ------------------------------------------------------------------------------- */

/* All but the first few calls find an open row of pairs (rma/get_put.c: mer_rma_get_remote). */
void mer_prefetch_start(void *to, mer_u64 bits, mer_size n, int *waiting) {
    if (bits && n <= sizeof(mer_u64) &&
        mer_am_pair_quick((int)mer_threadof(bits), MER_AM_GETS, mer_am_tagged((mer_u64)(uintptr_t)to, n),
                          mer_am_tagged(bits & MER_ADDR_MASK, n), waiting)) {
        ++*waiting; /* no answer comes within the call */
        return;
    }
    mer_record_begin();
    mer_remote_get_start(to, bits, n, waiting);
    mer_record_end(MER_RECORD_INNER, 0, 0);
}

void *mer_prefetched(mer_u64 bits, void *copy, mer_size n, int *met) {
    if (!met)
        return copy;
    *met = 1;
    return mer_remote_get(copy, bits, n);
}
