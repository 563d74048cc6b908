/* Atomics on objects of any thread, functions that run atomically on an object's owner, and queues. */
#ifndef MER_RMA_ATOMIC_H
#define MER_RMA_ATOMIC_H

#include <meridian/abi/abi.h>
#include <stdbool.h>

void mer_atomic_handlers(void);

enum mer_remote_op { MER_REMOTE_ADD, MER_REMOTE_SWAP, MER_REMOTE_CAS, MER_REMOTE_OR };

/* Set the object of `size' bytes, 4 or 8, at bits to (old op value), for CAS only if old == compare.  Returns
 * old, sign-extended.  Atomic with respect to all other operations on objects of that owner. */
mer_i64 mer_remote_atomic(enum mer_remote_op op, int size, mer_u64 bits, mer_i64 value, mer_i64 compare);

/* Returns true if this POSIX thread runs a function for mer_remote_call.  Then it may handle no messages. */
bool mer_remote_call_runs(void);

/* Run function(local address of bits, words...) on the owner of bits, atomically as above, and return its
 * result.  nwords <= MER_REMOTE_WORDS.  If bit i of reals is set, word i holds the bits of a double or, in
 * its low half, of a float, and the function's parameter has that type; bit MER_REMOTE_WORDS says the same of
 * the result.  Integer and real parameters are in separate registers, each kind in its order, so a call with
 * all integers and then all reals serves any mixture. */
#define MER_REMOTE_WORDS 5
typedef mer_u64 mer_remote_function(void *, mer_u64, mer_u64, mer_u64, mer_u64, mer_u64, double, double,
                                    double, double, double);
mer_u64 mer_remote_call(mer_remote_function *function, mer_u64 bits, const mer_u64 *words, int nwords,
                        unsigned reals);

/* A queue in the memory of one thread.  mer_remote_enqueue appends one item, and returns false if the queue
 * is full; mer_remote_dequeue removes the first one, and returns false if there is none.  Both are atomic.
 * The queue says how many bytes an item has. */
struct mer_queue {
    mer_u64 items; /* bits of the buffer for items */
    mer_u64 first, count, capacity, size;
};
bool mer_remote_enqueue(mer_u64 queue, const void *item);
bool mer_remote_dequeue(mer_u64 queue, void *item);

#endif
