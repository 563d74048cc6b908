// A loop over own elements in a function that a upc_forall calls goes through all elements, of cyclic and
// of blocked arrays, with `continue', updates and reads of neighbours.
//: clause 6.6.2 p10
#include "../../check.h"

#define N 40

static shared int cyclic[N * THREADS];
static shared [4] double blocked[N * THREADS];
static shared int numbered[N * THREADS];

static void inner(int by) {
    upc_forall (int i = 0; i < N * THREADS; i++; &cyclic[i]) {
        cyclic[i] += by;
        if (i % 5 == 0)
            continue;
        blocked[i] += i;
    }
    upc_forall (int i = 1; i < N * THREADS - 1; i++; i)
        numbered[i] = cyclic[i - 1] + 10 * cyclic[i + 1];
}

int main(void) {
    upc_forall (int t = 0; t < THREADS; t++; t)
        if (t == THREADS - 1)
            inner(3);
    upc_barrier;
    upc_forall (int i = 0; i < N * THREADS; i++; &cyclic[i])
        CHECK_EQ(cyclic[i], 3);
    upc_forall (int i = 0; i < N * THREADS; i++; &blocked[i])
        CHECK_EQ(blocked[i], i % 5 ? i : 0);
    upc_forall (int i = 0; i < N * THREADS; i++; i)
        CHECK_EQ(numbered[i], i == 0 || i == N * THREADS - 1 ? 0 : 33);
    return 0;
}
