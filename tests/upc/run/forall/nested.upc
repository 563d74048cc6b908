// Nested upc_forall: the outermost with an affinity controls; the others run all iterations on its thread.
//: clause 6.6.2 p10
//: clause 6.6.2 p14
#include "../../check.h"

#define N 9
shared int a[N * THREADS], b[N * THREADS];
shared int pairs[N * THREADS][N];
static int outer, middle, inner;

int main(void) {
    int i, j, k;
    upc_forall(i = 0; i < N; i++; continue) {
        outer++;
        upc_forall(j = 0; j < N; j++; &a[j]) {
            CHECK_EQ(upc_threadof(&a[j]), MYTHREAD);
            middle++;
            upc_forall(k = 0; k < N; k++; &b[k]) inner++;
        }
    }
    int mine = N / THREADS + (N % THREADS > MYTHREAD);
    CHECK_EQ(outer, N);
    CHECK_EQ(middle, N * mine);
    CHECK_EQ(inner, N * N * mine);
    upc_forall(i = 0; i < N * THREADS; i++; i) upc_forall(j = 0; j < N; j++; j + 1) pairs[i][j]++;
    upc_barrier;
    for (i = 0; i < N * THREADS; i++)
        for (j = 0; j < N; j++)
            CHECK_EQ(pairs[i][j], 1);
    /* after a nest, affinities count again */
    int runs = 0;
    upc_forall(i = 0; i < 4 * THREADS; i++; i) runs++;
    CHECK_EQ(runs, 4);
    /* a plain loop around a upc_forall is no nest */
    runs = 0;
    for (i = 0; i < 3; i++)
        upc_forall(j = 0; j < THREADS; j++; j) runs++;
    CHECK_EQ(runs, 3);
    return 0;
}
