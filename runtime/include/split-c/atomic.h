/* Split-C: atomics on objects of any processor.
 *
 * Atomics on objects of one owner exclude each other, including the functions that atomic() runs there.  They
 * do not exclude plain accesses.
 */
#ifndef SPLIT_C_ATOMIC_H
#define SPLIT_C_ATOMIC_H

#include <split-c/split-c.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Act on an int, or with _l on a long, and return its old value.  test_and_set sets 1; cmp_and_swap sets
 * `value' if the object holds `old'. */
int fetch_and_add(MER_GLOBAL_VOID object, int value) MER_SPLITC(fetch_and_add);
long fetch_and_add_l(MER_GLOBAL_VOID object, long value) MER_SPLITC(fetch_and_add_l);
int exchange(MER_GLOBAL_VOID object, int value) MER_SPLITC(exchange);
long exchange_l(MER_GLOBAL_VOID object, long value) MER_SPLITC(exchange_l);
int test_and_set(MER_GLOBAL_VOID object) MER_SPLITC(test_and_set);
int cmp_and_swap(MER_GLOBAL_VOID object, int old, int value) MER_SPLITC(cmp_and_swap);
long cmp_and_swap_l(MER_GLOBAL_VOID object, long old, long value) MER_SPLITC(cmp_and_swap_l);

/* atomic(function, object, args...) runs function(the object's local address, args...) on the object's owner
 * and returns its result.  There are up to five arguments: integers, pointers (global ones too), floats and
 * doubles, converted as in a call of the function.  (In plain C they are not converted, and none may be
 * floating.)  The function runs when the owner next waits or polls; it may not wait, may not use atomics, and
 * may not return a structure.  The result is an int, or a float or a double if the function returns one.
 * atomic_l is for a function that returns a long or a pointer. */
typedef void splitc_function(void);
#define atomic(function, ...)                                                                                \
    mer_splitc_atomic_int((splitc_function *)(function), MER_SPLITC_MORE_(__VA_ARGS__, 5, 4, 3, 2, 1, 0, 0), \
                          __VA_ARGS__)
#define atomic_l(function, ...)                                                                              \
    mer_splitc_atomic((splitc_function *)(function), MER_SPLITC_MORE_(__VA_ARGS__, 5, 4, 3, 2, 1, 0, 0),     \
                      __VA_ARGS__)
#define MER_SPLITC_MORE_(a, b, c, d, e, f, n, ...) (n)
/* Every argument is a word.  Bit 8 + i of nargs is set if word i holds the bits of a floating-point number,
 * as mer_double_word and mer_float_word make it; bit 13 is set if the result is one, which only
 * mer_splitc_atomic_float and _double return. */
long mer_splitc_atomic(splitc_function *function, int nargs, MER_GLOBAL_VOID object, ...);
int mer_splitc_atomic_int(splitc_function *function, int nargs, MER_GLOBAL_VOID object, ...);
float mer_splitc_atomic_float(splitc_function *function, int nargs, MER_GLOBAL_VOID object, ...);
double mer_splitc_atomic_double(splitc_function *function, int nargs, MER_GLOBAL_VOID object, ...);
static __inline__ __UINT64_TYPE__ mer_double_word(double value) {
    __UINT64_TYPE__ word;
    __builtin_memcpy(&word, &value, sizeof value);
    return word;
}
static __inline__ __UINT64_TYPE__ mer_float_word(float value) {
    __UINT64_TYPE__ word = 0;
    __builtin_memcpy(&word, &value, sizeof value);
    return word;
}

/* A queue of items of one size in the memory of its owner: queue_init(q, items, capacity, nbytes), with
 * capacity * nbytes bytes at `items'.  Any processor may enqueue, only the owner may dequeue.  enqueue
 * returns 0 if the queue is full, dequeue if it is empty.  An item has at most 4160 bytes. */
typedef struct splitc_queue {
    __UINT64_TYPE__ private_[5];
} splitc_queue;
void queue_init(splitc_queue *queue, void *items, size_t capacity, size_t nbytes) MER_SPLITC(queue_init);
int enqueue(MER_GLOBAL_VOID queue, const void *item) MER_SPLITC(enqueue);
int dequeue(splitc_queue *queue, void *item) MER_SPLITC(dequeue);

#ifdef __cplusplus
}
#endif

#endif
