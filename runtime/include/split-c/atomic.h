/* Split-C: atomics on objects of any processor.
 *
 * All of them on objects of one owner exclude each other, functions that atomic() runs there included.  They
 * do not exclude plain accesses.
 */
#ifndef SPLIT_C_ATOMIC_H
#define SPLIT_C_ATOMIC_H

#include <split-c/split-c.h>

#ifdef __cplusplus
extern "C" {
#endif

/* On an int, or with _l on a long; give what the object held before.  test_and_set sets 1; cmp_and_swap sets
 * `value' if the object holds `old'. */
int fetch_and_add(MER_GLOBAL_VOID object, int value) MER_SPLITC(fetch_and_add);
long fetch_and_add_l(MER_GLOBAL_VOID object, long value) MER_SPLITC(fetch_and_add_l);
int exchange(MER_GLOBAL_VOID object, int value) MER_SPLITC(exchange);
long exchange_l(MER_GLOBAL_VOID object, long value) MER_SPLITC(exchange_l);
int test_and_set(MER_GLOBAL_VOID object) MER_SPLITC(test_and_set);
int cmp_and_swap(MER_GLOBAL_VOID object, int old, int value) MER_SPLITC(cmp_and_swap);
long cmp_and_swap_l(MER_GLOBAL_VOID object, long old, long value) MER_SPLITC(cmp_and_swap_l);

/* atomic(function, object, args...) runs function(the object's local address, args...) on the object's owner
 * and gives its result; up to five arguments: integers, pointers (global ones too), floats and doubles,
 * converted as in a call of the function.  (In plain C they are not converted, and none may be floating.)
 * The function runs when the owner next waits or polls; it may not wait, and may not use atomics.  The result
 * is an int, or a float or a double if the function gives one; a structure it may not give.  atomic_l: for a
 * function that gives a long or a pointer. */
typedef void splitc_function(void);
#define atomic(function, ...)                                                                                \
    mer_splitc_atomic_int((splitc_function *)(function), MER_SPLITC_MORE_(__VA_ARGS__, 5, 4, 3, 2, 1, 0, 0), \
                          __VA_ARGS__)
#define atomic_l(function, ...)                                                                              \
    mer_splitc_atomic((splitc_function *)(function), MER_SPLITC_MORE_(__VA_ARGS__, 5, 4, 3, 2, 1, 0, 0),     \
                      __VA_ARGS__)
#define MER_SPLITC_MORE_(a, b, c, d, e, f, n, ...) (n)
/* Every argument is a word; bit 8 + i of nargs: word i holds the bits of a floating-point number, as the two
 * functions below make it; bit 13: so is the result, which only the two last ones give. */
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

/* A queue of items of one size in the memory of its owner: queue_init(q, items, capacity, nbytes), where
 * `items' has capacity * nbytes bytes.  Any processor appends, the owner takes from it; 0: it was full, or
 * empty.  An item has at most 4160 bytes. */
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
