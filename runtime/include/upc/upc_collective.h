/* <upc_collective.h>: UPC's collective copies and computations (UPC 1.3, 7.4).  The names of operations are
 * plain C: the runtime includes them too. */
#ifndef MERIDIAN_UPC_COLLECTIVE_H
#define MERIDIAN_UPC_COLLECTIVE_H

#include "upc_types.h"

/* 7.4.3 The operation is a user's function, which need not commute with UPC_NONCOMM_FUNC. */
#define UPC_FUNC (1UL << 9)
#define UPC_NONCOMM_FUNC (1UL << 10)

#ifdef __UPC__
#include <stddef.h>

/* 7.4.2 Relocalisation.  Blocks have nbytes bytes; an operand distributed over the threads begins on thread
 * 0. */
void upc_all_broadcast(shared void *restrict dst, shared const void *restrict src, size_t nbytes,
                       upc_flag_t flags);
void upc_all_scatter(shared void *restrict dst, shared const void *restrict src, size_t nbytes,
                     upc_flag_t flags);
void upc_all_gather(shared void *restrict dst, shared const void *restrict src, size_t nbytes,
                    upc_flag_t flags);
void upc_all_gather_all(shared void *restrict dst, shared const void *restrict src, size_t nbytes,
                        upc_flag_t flags);
void upc_all_exchange(shared void *restrict dst, shared const void *restrict src, size_t nbytes,
                      upc_flag_t flags);
void upc_all_permute(shared void *restrict dst, shared const void *restrict src,
                     shared const int *restrict perm, size_t nbytes, upc_flag_t flags);

/* 7.4.3 Computation: over nelems elements of an array of block size blk_size (0: indefinite). */
#define MER_UPC_REDUCTIONS(T, TYPE)                                                                          \
    void upc_all_reduce##T(shared void *restrict dst, shared const void *restrict src, upc_op_t op,          \
                           size_t nelems, size_t blk_size, TYPE (*func)(TYPE, TYPE), upc_flag_t flags);      \
    void upc_all_prefix_reduce##T(shared void *restrict dst, shared const void *restrict src, upc_op_t op,   \
                                  size_t nelems, size_t blk_size, TYPE (*func)(TYPE, TYPE),                  \
                                  upc_flag_t flags);
MER_UPC_REDUCTIONS(C, signed char)
MER_UPC_REDUCTIONS(UC, unsigned char)
MER_UPC_REDUCTIONS(S, signed short)
MER_UPC_REDUCTIONS(US, unsigned short)
MER_UPC_REDUCTIONS(I, signed int)
MER_UPC_REDUCTIONS(UI, unsigned int)
MER_UPC_REDUCTIONS(L, signed long)
MER_UPC_REDUCTIONS(UL, unsigned long)
MER_UPC_REDUCTIONS(F, float)
MER_UPC_REDUCTIONS(D, double)
MER_UPC_REDUCTIONS(LD, long double)
#undef MER_UPC_REDUCTIONS

/* Sorts the nelems elements of elem_size bytes of an array of block size blk_size.  The first specification
 * of these functions has it, but not UPC 1.3.  No macro below wraps it, since programs define functions of
 * this name. */
void upc_all_sort(shared void *A, size_t elem_size, size_t nelems, size_t blk_size,
                  int (*func)(shared void *, shared void *), upc_flag_t flags);

/* A call by name records its file and line for the messages of MERIDIAN_CHECK=1.  The addresses of the
 * functions may be taken (C 7.1.4). */
extern const char *mer_coll_where;
#define MER_WHERE_TEXT_(line) #line
#define MER_WHERE_TEXT(line) MER_WHERE_TEXT_(line)
#define MER_COLL(function, ...)                                                                              \
    ((void)(mer_coll_where = __FILE__ ":" MER_WHERE_TEXT(__LINE__)), (function)(__VA_ARGS__))
#define upc_all_broadcast(...) MER_COLL(upc_all_broadcast, __VA_ARGS__)
#define upc_all_scatter(...) MER_COLL(upc_all_scatter, __VA_ARGS__)
#define upc_all_gather(...) MER_COLL(upc_all_gather, __VA_ARGS__)
#define upc_all_gather_all(...) MER_COLL(upc_all_gather_all, __VA_ARGS__)
#define upc_all_exchange(...) MER_COLL(upc_all_exchange, __VA_ARGS__)
#define upc_all_permute(...) MER_COLL(upc_all_permute, __VA_ARGS__)
#define upc_all_reduceC(...) MER_COLL(upc_all_reduceC, __VA_ARGS__)
#define upc_all_reduceUC(...) MER_COLL(upc_all_reduceUC, __VA_ARGS__)
#define upc_all_reduceS(...) MER_COLL(upc_all_reduceS, __VA_ARGS__)
#define upc_all_reduceUS(...) MER_COLL(upc_all_reduceUS, __VA_ARGS__)
#define upc_all_reduceI(...) MER_COLL(upc_all_reduceI, __VA_ARGS__)
#define upc_all_reduceUI(...) MER_COLL(upc_all_reduceUI, __VA_ARGS__)
#define upc_all_reduceL(...) MER_COLL(upc_all_reduceL, __VA_ARGS__)
#define upc_all_reduceUL(...) MER_COLL(upc_all_reduceUL, __VA_ARGS__)
#define upc_all_reduceF(...) MER_COLL(upc_all_reduceF, __VA_ARGS__)
#define upc_all_reduceD(...) MER_COLL(upc_all_reduceD, __VA_ARGS__)
#define upc_all_reduceLD(...) MER_COLL(upc_all_reduceLD, __VA_ARGS__)
#define upc_all_prefix_reduceC(...) MER_COLL(upc_all_prefix_reduceC, __VA_ARGS__)
#define upc_all_prefix_reduceUC(...) MER_COLL(upc_all_prefix_reduceUC, __VA_ARGS__)
#define upc_all_prefix_reduceS(...) MER_COLL(upc_all_prefix_reduceS, __VA_ARGS__)
#define upc_all_prefix_reduceUS(...) MER_COLL(upc_all_prefix_reduceUS, __VA_ARGS__)
#define upc_all_prefix_reduceI(...) MER_COLL(upc_all_prefix_reduceI, __VA_ARGS__)
#define upc_all_prefix_reduceUI(...) MER_COLL(upc_all_prefix_reduceUI, __VA_ARGS__)
#define upc_all_prefix_reduceL(...) MER_COLL(upc_all_prefix_reduceL, __VA_ARGS__)
#define upc_all_prefix_reduceUL(...) MER_COLL(upc_all_prefix_reduceUL, __VA_ARGS__)
#define upc_all_prefix_reduceF(...) MER_COLL(upc_all_prefix_reduceF, __VA_ARGS__)
#define upc_all_prefix_reduceD(...) MER_COLL(upc_all_prefix_reduceD, __VA_ARGS__)
#define upc_all_prefix_reduceLD(...) MER_COLL(upc_all_prefix_reduceLD, __VA_ARGS__)
#endif
#endif
