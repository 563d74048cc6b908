// POSIX threads of one thread that change memory of other hosts at once: no change is lost silently.
//: threads 2
//: env MERIDIAN_REMOTE=1
//: expect-err two POSIX threads (perhaps of OpenMP) access memory of other hosts at the same time
#include <pthread.h>
#include <upc_relaxed.h>
#define N 4096
shared long a[N * THREADS];
shared long b[N * THREADS];
static int order[N];
struct part { int first, end; };
static void *fill(void *argument) {
    const struct part *p = argument;
    int right = (MYTHREAD + 1) % THREADS;
    for (int round = 0; round < 20; round++)
        for (int k = p->first; k < p->end; k++)
            a[(long)order[k] * THREADS + right] += k;
    return 0;
}
int main(void) {
    struct part parts[3] = {{0, N / 3}, {N / 3, N / 2}, {N / 2, N}};
    pthread_t thread[3];
    for (int k = 0; k < N; k++)
        order[k] = (int)((k * 2654435761UL) % N);
    upc_barrier;
    for (int i = 0; i < 3; i++)
        pthread_create(&thread[i], 0, fill, &parts[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(thread[i], 0);
    upc_barrier;
    for (int k = 0; k < N; k++) {
        if (a[(long)order[k] * THREADS + MYTHREAD] != 20L * k)
            return 5;
    }
    return 0;
}
