/* Exchanges between own elements and others, under conditions on both. */
#include <stdio.h>
#include <upc_relaxed.h>
#define N 64
shared int a[N * THREADS];
shared [8] double b[N * THREADS];
shared int c[N * THREADS], to[(N + 1) * THREADS];

static void sort_cyclic(void) {
    for (int k = 2; k <= N; k *= 2)
        for (int j = k / 2; j > 0; j /= 2) {
            upc_forall (int i = 0; i < N * THREADS; i++; &a[i]) { //> prefetch: stages
                int l = i ^ j;
                if (l > i && l < N * THREADS) {
                    if (((i & k) == 0 && a[i] > a[l]) || ((i & k) != 0 && a[i] < a[l])) {
                        int t = a[i];
                        a[i] = a[l];
                        a[l] = t;
                    }
                }
            }
            upc_barrier;
        }
}

static void sort_blocked(void) {
    for (int k = 2; k <= N; k *= 2)
        for (int j = k / 2; j > 0; j /= 2) {
            upc_forall (int i = 0; i < N * THREADS; i++; &b[i]) { //> prefetch: stages
                int l = i ^ j;
                if (l > i && ((i & k) ? b[l] > b[i] : b[i] > b[l])) {
                    double t = b[i];
                    b[i] = b[l];
                    b[l] = t;
                }
            }
            upc_barrier;
        }
}

/* An iteration changes the conditions and addresses of the thread's next iteration. */
static long carried(void) {
    long s = 0;
    upc_barrier;
    for (int turn = 0; turn < 4; turn++) {
        upc_forall (int i = 0; i < N * THREADS; i++; &to[i]) { //> prefetch: stages
            if ((to[i] % 3 == 1 && c[to[i] % (N * THREADS)] > 9) || c[(to[i] + i) % (N * THREADS)] % 5 < 3)
                to[i + THREADS] = to[i + THREADS] + c[i * 5 % (N * THREADS)] % 7;
            s = s * 3 + to[i];
        }
        upc_barrier;
    }
    return s;
}

int main(void) {
    upc_forall (int i = 0; i < N * THREADS; i++; &a[i]) {
        a[i] = i * 7919 % 1001;
        c[i] = i * 31 % 47;
        to[i] = i * 13 % 29;
    }
    to[N * THREADS + MYTHREAD] = 0;
    upc_forall (int i = 0; i < N * THREADS; i++; &b[i])
        b[i] = i * 7919 % 503;
    upc_barrier;
    sort_cyclic();
    sort_blocked();
    long s = carried(), h = 0;
    upc_barrier;
    for (int i = 0; i < N * THREADS; i++) //> prefetch: cached [a b to]
        h = (h * 31 + a[i] + 3 * (long)b[i] + 5 * to[i]) % 1000003;
    printf("%d: %ld %ld\n", MYTHREAD, s, h);
    return 0;
}
