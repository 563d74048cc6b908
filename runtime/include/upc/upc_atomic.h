/* <upc_atomic.h>: atomic operations on shared objects (UPC 1.3, 7.6).  This is UPC source.
 *
 * An atomic domain names a type and the operations that will be used together on objects of that type; only
 * operations of one domain are atomic towards each other.
 *
 *   types                                              operations
 *   UPC_INT UPC_UINT UPC_LONG UPC_ULONG
 *   UPC_INT32 UPC_UINT32 UPC_INT64 UPC_UINT64          all
 *   UPC_FLOAT UPC_DOUBLE                               all except UPC_AND UPC_OR UPC_XOR
 *   UPC_PTS (objects of type shared void *)            UPC_GET UPC_SET UPC_CSWAP
 */
#ifndef MERIDIAN_UPC_ATOMIC_H
#define MERIDIAN_UPC_ATOMIC_H

#ifndef __UPC__
#error "<upc_atomic.h> is for UPC programs: compile them with `meridian cc' (as .upc files, or with -x upc)"
#endif

#include <upc_types.h>

/* 7.6.2 Operations besides those of <upc_types.h> */
#define UPC_GET (1UL << 16)
#define UPC_SET (1UL << 17)
#define UPC_CSWAP (1UL << 18)
#define UPC_SUB (1UL << 19)
#define UPC_INC (1UL << 20)
#define UPC_DEC (1UL << 21)

/* 7.6.3 Types */
typedef shared struct upc_atomicdomain_struct upc_atomicdomain_t;
typedef int upc_atomichint_t;
#define UPC_ATOMIC_HINT_DEFAULT 0
#define UPC_ATOMIC_HINT_LATENCY 1
#define UPC_ATOMIC_HINT_THROUGHPUT 2

/* 7.6.4 Functions.  A type or operation that the table above, or the domain, does not have ends the job with
 * a message. */

/* Collective, with the same arguments on all threads.  Returns null if there is no memory.  Hints are
 * ignored: on one host the same instruction has the least latency and the highest throughput. */
upc_atomicdomain_t *upc_all_atomicdomain_alloc(upc_type_t type, upc_op_t ops, upc_atomichint_t hints);
void upc_all_atomicdomain_free(upc_atomicdomain_t *ptr); /* collective; ignores null */

/* *target = *target op *operand1; UPC_CSWAP: if (*target == *operand1) *target = *operand2.  The old value of
 * *target is stored in *fetch_ptr, unless fetch_ptr is null (UPC_GET needs it).  Operands that op does not
 * use are null. */
void upc_atomic_strict(upc_atomicdomain_t *domain, void *__restrict fetch_ptr, upc_op_t op,
                       shared void *__restrict target, const void *__restrict operand1,
                       const void *__restrict operand2);
void upc_atomic_relaxed(upc_atomicdomain_t *domain, void *__restrict fetch_ptr, upc_op_t op,
                        shared void *__restrict target, const void *__restrict operand1,
                        const void *__restrict operand2);

/* Calls go to these functions, which are compiled in line if op is a constant. */
void mer_atomic_strict(upc_atomicdomain_t *domain, void *fetch_ptr, upc_op_t op, shared void *target,
                       const void *operand1, const void *operand2);
void mer_atomic_relaxed(upc_atomicdomain_t *domain, void *fetch_ptr, upc_op_t op, shared void *target,
                        const void *operand1, const void *operand2);
#define upc_atomic_strict(...) mer_atomic_strict(__VA_ARGS__)
#define upc_atomic_relaxed(...) mer_atomic_relaxed(__VA_ARGS__)

/* Returns non-zero if ops on a `type' at addr are single instructions of the processor. */
int upc_atomic_isfast(upc_type_t type, upc_op_t ops, shared void *addr);

#endif
