// Relaxed atomics without a result, of every type and operation, between plain writes and reads of the same
// words: a thread finds its own operations in their order. No other thread uses its words, which lie on all
// threads; one word of each thread is updated by all, and the updates add up.
//: threads 2 3 4
#include <upc_relaxed.h>
#include <upc_atomic.h>
#include "../../check.h"
#include "../model/delay.h"

#define STEPS 500
#define WORDS 4 /* of each thread on each */
#define MOST 4  /* threads */

#define SUMS (UPC_GET | UPC_SET | UPC_CSWAP | UPC_MIN | UPC_MAX | UPC_MULT | LINEAR)
#define LINEAR (UPC_ADD | UPC_SUB | UPC_INC | UPC_DEC)
#define BITS (UPC_AND | UPC_OR | UPC_XOR)

static unsigned state;
static unsigned drawn(unsigned n) {
    state = state * 1103515245 + 12345;
    return (state >> 16) % n;
}

#define T int
#define NAME(x) int_##x
#define KIND UPC_INT
#include "atomic_order.h"
#define T unsigned
#define NAME(x) uint_##x
#define KIND UPC_UINT
#include "atomic_order.h"
#define T long
#define NAME(x) long_##x
#define KIND UPC_LONG
#include "atomic_order.h"
#define T unsigned long
#define NAME(x) ulong_##x
#define KIND UPC_ULONG
#include "atomic_order.h"
#define FLOATING
#define T float
#define NAME(x) float_##x
#define KIND UPC_FLOAT
#include "atomic_order.h"
#define T double
#define NAME(x) double_##x
#define KIND UPC_DOUBLE
#include "atomic_order.h"

int main(void) {
    state = MYTHREAD + 11;
    int_run();
    uint_run();
    long_run();
    ulong_run();
    float_run();
    double_run();
    return 0;
}
