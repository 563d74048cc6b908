// Eratosthenes over a block-cyclic array: every thread strikes multiples anywhere.
#include "../../check.h"

#define LIMIT 5000
#define BLOCK 64
shared[BLOCK] unsigned char composite[(LIMIT / BLOCK + 1) * BLOCK * THREADS];
shared int found[THREADS];

int main(void) {
    upc_forall(int p = 2; p * p <= LIMIT; p++; p) for (int m = p * p; m <= LIMIT; m += p) composite[m] = 1;
    upc_barrier;
    upc_forall(int n = 2; n <= LIMIT; n++; &composite[n]) found[MYTHREAD] += !composite[n];
    upc_barrier;
    int total = 0;
    for (int t = 0; t < THREADS; t++)
        total += found[t];
    CHECK_EQ(total, 669);
    return 0;
}
