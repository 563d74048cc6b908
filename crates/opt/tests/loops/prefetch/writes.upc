/* A loop that writes shared memory may write the objects that it reads, unless both are named arrays: the
 * loop tests this as it runs. */
#include <stdio.h>
#include <upc_relaxed.h>
#define N 600
shared int a[N * THREADS], b[N * THREADS];
shared [] int *shared dir[THREADS];

int main(void) {
    long s = 0;
    upc_forall (int i = 0; i < N * THREADS; i++; &a[i]) {
        a[i] = i % 5;
        b[i] = i % 7;
    }
    upc_barrier;
    dir[MYTHREAD] = (shared [] int *)upc_alloc(N * sizeof(int));
    for (int i = 0; i < N; i++) //> prefetch: cached [a]
        dir[MYTHREAD][i] = a[i] + MYTHREAD;
    upc_barrier;
    if (MYTHREAD == THREADS - 1) {
        for (int i = 1; i < N; i++) //> prefetch: cached [a]
            a[i] += a[i - 1];
        for (int i = 0; i < N; i++) //> prefetch: cached [a]
            b[i] = a[i] + 1;
        shared int *p = &b[1];
        for (int i = 1; i < N; i++) //> prefetch: cached [b]
            p[i] = b[i] + 1;
    }
    upc_barrier;
    for (int t = 0; t < THREADS; t++)
        for (int i = 0; i < N; i++) //> prefetch: cached [dir], once
            s = s * 3 + dir[t][i];
    for (int i = 0; i < N; i++) //> prefetch: cached [a b]
        s = s * 3 + a[i] + b[i];
    printf("%ld\n", s);
    upc_barrier;
    return 0;
}
