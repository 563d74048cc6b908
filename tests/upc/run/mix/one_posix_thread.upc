// A POSIX thread, for which the thread itself waits, writes, updates and reads memory of other hosts.
//: threads 2 3
//: env MERIDIAN_REMOTE=1
#include "check.h"
#include <pthread.h>
#include <upc_relaxed.h>
#define N 500
shared long a[N * THREADS], b[N * THREADS], sum[THREADS];
static int order[N];
static void *work(void *unused) {
    int right = (MYTHREAD + 1) % THREADS;
    long read = 0;
    for (int k = 0; k < N; k++) {
        a[(long)order[k] * THREADS + right] += k;
        b[(long)order[k] * THREADS + right] = 2 * k;
    }
    for (int k = 0; k < N; k++)
        read += b[(long)order[k] * THREADS + right];
    upc_memput(&sum[right], &read, sizeof read);
    upc_fence;
    return unused;
}
int main(void) {
    pthread_t thread;
    for (int k = 0; k < N; k++)
        order[k] = (k * 271 + 5) % N;
    upc_barrier;
    for (int round = 0; round < 3; round++) {
        CHECK(pthread_create(&thread, 0, work, 0) == 0);
        CHECK(pthread_join(thread, 0) == 0);
        work(0);
    }
    upc_barrier;
    for (int k = 0; k < N; k++) {
        CHECK_EQ(a[(long)order[k] * THREADS + MYTHREAD], 6 * k);
        CHECK_EQ(b[(long)order[k] * THREADS + MYTHREAD], 2 * k);
    }
    CHECK_EQ(sum[MYTHREAD], (long)N * (N - 1));
    return 0;
}
