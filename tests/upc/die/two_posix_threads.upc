// POSIX threads of one thread that read memory of other hosts at the same time.
//: threads 2 4
//: env MERIDIAN_REMOTE=1
//: expect-err two POSIX threads (perhaps of OpenMP) access memory of other hosts at the same time
#include <pthread.h>
#include <upc_relaxed.h>
shared int a[64 * THREADS];
static void *sum(void *result) {
    int s = 0;
    for (int k = 0; k < 1000; k++)
        for (int i = (MYTHREAD + 1) % THREADS; i < 64 * THREADS; i += THREADS) {
            s += a[i];
            upc_fence;
        }
    *(int *)result = s;
    return result;
}
int main(void) {
    pthread_t thread[3];
    int result[4];
    for (int i = 0; i < 3; i++)
        pthread_create(&thread[i], NULL, sum, &result[i]);
    sum(&result[3]);
    for (int i = 0; i < 3; i++)
        pthread_join(thread[i], NULL);
    upc_barrier;
    return 0;
}
