// Unsigned loop variables and signed bounds: C compares a negative bound as a large number, and converts
// the first value to the variable's type.
//: clause 6.6.2 p2
#include "../../check.h"
#include <stdlib.h>

#define N 12

shared unsigned count[THREADS];
shared unsigned element[N * THREADS];

static unsigned sum_of_counts(void) {
    upc_barrier;
    unsigned sum = 0;
    for (int t = 0; t < THREADS; t++)
        sum += count[t];
    upc_barrier;
    count[MYTHREAD] = 0;
    upc_barrier;
    return sum;
}

int main(int argc, char **argv) {
    int below = -argc;              /* -1 */
    short narrow = (short)(-argc);
    signed char tiny = (signed char)(-argc);
    unsigned first = 0;

    upc_forall (unsigned k = 4294967290u; k < below; k++; k) {
        count[MYTHREAD]++;
        CHECK(k >= 4294967290u && k % THREADS == MYTHREAD);
    }
    CHECK_EQ(sum_of_counts(), 5);

    upc_forall (unsigned k = below - 5; k < narrow; k++; k)
        count[MYTHREAD]++;
    CHECK_EQ(sum_of_counts(), 5);

    unsigned k;
    upc_forall (k = -4; k < tiny; k++; k)
        count[MYTHREAD]++;
    CHECK_EQ(k, 4294967295u);
    CHECK_EQ(sum_of_counts(), 3);

    upc_forall (unsigned char c = (unsigned)argc + 256; c < 4; c++; c)
        count[MYTHREAD]++;
    CHECK_EQ(sum_of_counts(), 3);

    upc_forall (int i = 2.75 * argc; i < 5; i++; i)
        count[MYTHREAD]++;
    CHECK_EQ(sum_of_counts(), 3);

    /* The same with own elements; the bound of a 64-bit variable keeps its sign. */
    upc_forall (unsigned i = first; i < N * THREADS; i++; &element[i])
        element[i] = i;
    upc_forall (long i = 0; i < below; i++; &element[i])
        element[i] = 99;
    upc_barrier;
    for (unsigned i = 0; i < N * THREADS; i++)
        CHECK_EQ(element[i], i);
    upc_barrier;

    /* More iterations than elements: the program ends itself when it sees that. */
    for (unsigned i = MYTHREAD; i < below; i += THREADS) {
        if (i >= N * THREADS)
            exit(0);
        element[i] = 0;
    }
    return 1;
}
