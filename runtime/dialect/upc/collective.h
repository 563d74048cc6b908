/* Common parts of upc_all_* calls, for collective.c, collective_reduce.c and collective_sort.c. */
#ifndef MER_DIALECT_UPC_COLLECTIVE_H
#define MER_DIALECT_UPC_COLLECTIVE_H

#include "coll/check.h"
#include "coll/coll.h"

#include <upc/upc_collective.h>

static inline enum mer_coll_sync mer_upc_in(upc_flag_t flags) {
    return flags & UPC_IN_NOSYNC ? MER_SYNC_NO : flags & UPC_IN_MYSYNC ? MER_SYNC_MY : MER_SYNC_ALL;
}
static inline enum mer_coll_sync mer_upc_out(upc_flag_t flags) {
    return flags & UPC_OUT_NOSYNC ? MER_SYNC_NO : flags & UPC_OUT_MYSYNC ? MER_SYNC_MY : MER_SYNC_ALL;
}

/* Refuse unknown flags, and two flags of one side. */
void mer_upc_check_flags(const char *call, const char *where, upc_flag_t flags);

/* The functions of <upc_collective.h>, as C sees them. */
void upc_all_broadcast(mer_pptr dst, mer_pptr src, size_t nbytes, upc_flag_t flags);
void upc_all_scatter(mer_pptr dst, mer_pptr src, size_t nbytes, upc_flag_t flags);
void upc_all_gather(mer_pptr dst, mer_pptr src, size_t nbytes, upc_flag_t flags);
void upc_all_gather_all(mer_pptr dst, mer_pptr src, size_t nbytes, upc_flag_t flags);
void upc_all_exchange(mer_pptr dst, mer_pptr src, size_t nbytes, upc_flag_t flags);
void upc_all_permute(mer_pptr dst, mer_pptr src, mer_ptr perm, size_t nbytes, upc_flag_t flags);
void upc_all_sort(mer_pptr A, size_t elem_size, size_t nelems, size_t blk_size,
                  int (*func)(mer_pptr, mer_pptr), upc_flag_t flags);

/* X(T, its type) for each element type */
#define MER_UPC_ELEMENTS(X)                                                                                  \
    X(C, signed char)                                                                                        \
    X(UC, unsigned char)                                                                                     \
    X(S, short)                                                                                              \
    X(US, unsigned short)                                                                                    \
    X(I, int) X(UI, unsigned) X(L, long) X(UL, unsigned long) X(F, float) X(D, double) X(LD, long double)

#define MER_UPC_DECLARE(T, TYPE)                                                                             \
    void upc_all_reduce##T(mer_pptr dst, mer_pptr src, upc_op_t op, size_t nelems, size_t blk_size,          \
                           TYPE (*func)(TYPE, TYPE), upc_flag_t flags);                                      \
    void upc_all_prefix_reduce##T(mer_pptr dst, mer_pptr src, upc_op_t op, size_t nelems, size_t blk_size,   \
                                  TYPE (*func)(TYPE, TYPE), upc_flag_t flags);
MER_UPC_ELEMENTS(MER_UPC_DECLARE)
#undef MER_UPC_DECLARE

#endif
