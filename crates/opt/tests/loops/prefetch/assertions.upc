/* Assertions in loops, as in <assert.h> for gcc: they end the job, or do nothing but test. */
#include <stdio.h>
#include <upc_relaxed.h>
#define N 60
shared int index[N * THREADS], table[N * THREADS], copy[N * THREADS];
shared [4] int blocks[4 * N * THREADS];
extern void __assert_fail(const char *, const char *, unsigned, const char *) __attribute__((noreturn));

static long gather(int n) {
    long sum = 0;
    for (int i = 0; i < n; i++) { //> prefetch: [table], held [index]
        int v = index[i];
        ((void)sizeof((v >= 0) ? 1 : 0), __extension__({ if (v >= 0) ; else __assert_fail("v >= 0", "a", 1, "f"); }));
        sum = sum * 3 % 1000003 + table[v];
    }
    for (int i = 0; i < n; i++) { //> prefetch: stages [index], [index], [table]
        __extension__({ if (table[index[i]] < 5000) ; else __assert_fail("table", "a", 2, "f"); });
        for (int k = 0; k < index[i] % 4; k++) //> prefetch: [table], held [index]
            sum = sum * 3 % 1000003 + table[index[(i + k) % N]];
    }
    return sum;
}

/* Other forms of such an expression are not analysed. */
static long others(int n) {
    long sum = 0;
    for (int i = 0; i < n; i++) {
        sum += ({ int v = index[i]; v * 3; });
        ({ if (sum >= 0) ; else sum = 0; });
    }
    return sum;
}

int main(void) {
    int i;
    upc_forall (i = 0; i < N * THREADS; i++; i) {
        __extension__({ if (i >= 0) ; else __assert_fail("i >= 0", "a", 3, "main"); });
        index[i] = i * 7 % (N * THREADS);
        table[i] = i * 5;
    }
    upc_forall (i = 0; i < 4 * N * THREADS; i++; &blocks[i]) {
        __extension__({ if (blocks[i] == 0) ; else __assert_fail("blocks", "a", 4, "main"); });
        blocks[i] = i;
    }
    upc_barrier;
    for (i = MYTHREAD; i < N * THREADS; i += THREADS) { //> prefetch: [table], held [index]
        __extension__({ if (table[index[i]] >= 0) ; else __assert_fail("table", "a", 5, "main"); });
        copy[i] = table[index[i]];
    }
    upc_barrier;
    if (MYTHREAD == 0) {
        long sum = gather(N * THREADS) + others(N);
        for (i = 0; i < N * THREADS; i++) //> prefetch: cached [copy blocks]
            sum = sum * 7 % 1000003 + copy[i] + blocks[i];
        printf("%ld\n", sum);
    }
    return 0;
}
