// Reductions by hand over a forall; the result does not depend on the number of threads.
//: clause 6.6.2 p6
#include "../../check.h"

#define N 1000
shared long partial[THREADS];
shared[16] int v[N * THREADS];

int main(void) {
    int i;
    upc_forall(i = 0; i < N; i++; &v[i]) v[i] = i * 7 % 13;
    upc_barrier;
    upc_forall(i = 0; i < N; i++; i) partial[MYTHREAD] += v[i];
    upc_barrier;
    long total = 0, wanted = 0;
    for (i = 0; i < THREADS; i++)
        total += partial[i];
    for (i = 0; i < N; i++)
        wanted += i * 7 % 13;
    CHECK_EQ(total, wanted);
    return 0;
}
