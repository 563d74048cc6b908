/* The inside of <upc_atomic.h> (UPC 7.6): a domain in memory, and the table by which an operation finds the
 * code for its type. */
#ifndef MER_DIALECT_UPC_ATOMIC_H
#define MER_DIALECT_UPC_ATOMIC_H

#include <meridian/abi/abi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <upc/upc_types.h>

#include "base/mutex.h"

/* Operations are numbered in <meridian/abi/atomic.h>. */

#define MER_OPS_ACCESS (MER_ATOMIC_GET | MER_ATOMIC_SET | MER_ATOMIC_CSWAP)
#define MER_OPS_BITWISE (UPC_AND | UPC_OR | UPC_XOR)
#define MER_OPS_NUMERIC                                                                                      \
    (UPC_ADD | MER_ATOMIC_SUB | UPC_MULT | MER_ATOMIC_INC | MER_ATOMIC_DEC | UPC_MAX | UPC_MIN)

/* Kinds of objects: types that are represented and compared alike. */
enum mer_atomic_kind {
    MER_I32 = MER_ATOMIC_32,
    MER_U32,
    MER_I64 = MER_ATOMIC_64,
    MER_U64,
    MER_F32,
    MER_F64,
    MER_PTS,
    MER_ATOMIC_KINDS
};

#define MER_ATOMIC_STRIPES 64

/* A domain, in shared memory; constant once it is made, except the mutexes.  Only domains of UPC_PTS have
 * these: they guard pointers that the processor cannot update in one piece (atomic_pts.c). */
struct mer_atomic_domain {
    _Alignas(64) struct mer_atomic_head head;
    uint8_t wide;       /* UPC_PTS: the processor has 16-byte compare-and-swap, and ... */
    uint8_t wide_moves; /* ... its 16-byte loads and stores are atomic */
    int32_t type;       /* upc_type_t */
    uint64_t alive;
    struct {
        _Alignas(64) struct mer_mutex mutex;
    } stripe[];
};

/* An operation on one kind of object.  `fetch' is null if the old value is not wanted. */
typedef void mer_atomic_code(struct mer_atomic_domain *domain, void *fetch, void *target, const void *a,
                             const void *b);

/* The code by kind and number of the operation's bit; null if the kind has no such operation. */
extern mer_atomic_code *const mer_atomic_table[MER_ATOMIC_KINDS][MER_ATOMIC_OPS];

/* ---- atomic_bias.c: who may change objects without a locked instruction -------------------------------- */

/* Sets up the bias, if messages go between hosts, before a domain is used.  Called by the UPC thread;
 * idempotent. */
void mer_atomic_bias_start(void);
/* In a handler that changes objects, first: may it do so without locked instructions? */
bool mer_atomic_bias_for_handler(void);
/* Called before an operation on an own object by a locked instruction, which any POSIX thread may do: ends
 * the bias if the caller is not its owner. */
void mer_atomic_bias_elsewhere(void);

mer_atomic_code mer_atomic_pts_get, mer_atomic_pts_set, mer_atomic_pts_cswap;

/* Fills in wide and wide_moves, as the processor has these instructions. */
void mer_atomic_pts_probe(struct mer_atomic_domain *domain);

/* A fatal message: a pointer that the operation needs is null.  `what` is "operand1" or such. */
_Noreturn void mer_atomic_missing(const char *what, const char *op);

/* The library's functions as the C compiler sees them. */
mer_ptr upc_all_atomicdomain_alloc(upc_type_t type, upc_op_t ops, int hints);
void upc_all_atomicdomain_free(mer_ptr ptr);
void upc_atomic_strict(mer_ptr domain, void *restrict fetch_ptr, upc_op_t op, mer_pptr target,
                       const void *restrict operand1, const void *restrict operand2);
void upc_atomic_relaxed(mer_ptr domain, void *restrict fetch_ptr, upc_op_t op, mer_pptr target,
                        const void *restrict operand1, const void *restrict operand2);
int upc_atomic_isfast(upc_type_t type, upc_op_t ops, mer_pptr addr);

#endif
