/* The loops of reductions, by type and operation: two loops each, over memory that is contiguous and in this
 * process's address space. */
#ifndef MER_COLL_KERNEL_H
#define MER_COLL_KERNEL_H

#include "coll/coll.h"

enum mer_op {
    MER_OP_ADD,
    MER_OP_MULT,
    MER_OP_AND,
    MER_OP_OR,
    MER_OP_XOR,
    MER_OP_LOGAND,
    MER_OP_LOGOR,
    MER_OP_MIN,
    MER_OP_MAX,
    MER_OP_FUNC, /* the user's, commutative or not */
    MER_OP_COUNT
};

/* *acc = *acc op from[0] op ... op from[n - 1].  Elements may have any alignment; acc is aligned. */
typedef void mer_fold(void *acc, const void *from, size_t n, mer_function *func);
/* As mer_fold; to[i] gets the value of *acc after element i.  to may be from. */
typedef void mer_scan(void *acc, void *to, const void *from, size_t n, mer_function *func);

/* An element type: the largest has 16 bytes. */
struct mer_kernel {
    size_t size;
    const char *type;             /* as C spells it */
    mer_fold *fold[MER_OP_COUNT]; /* null: the operation has no meaning for the type */
    mer_scan *scan[MER_OP_COUNT];
};

struct mer_element {
    _Alignas(16) unsigned char bytes[16];
};

extern const struct mer_kernel mer_kernel_C, mer_kernel_UC, mer_kernel_S, mer_kernel_US, mer_kernel_I,
    mer_kernel_UI, mer_kernel_L, mer_kernel_UL, mer_kernel_F, mer_kernel_D, mer_kernel_LD;

#endif
