// Objects in which their owner and others count at the same time: other UPC threads, and POSIX threads of
// the owner. No increment is lost.
//: clause 7.6.4.3 p10
//: layout 1 1
//: layout 1 1 1
//: layout 2 1
#define _GNU_SOURCE
#include <dirent.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <upc_atomic.h>
#include "../../check.h"

#define OWN 1000000
#define FENCES 2000
#define BURST 1000

shared long count[THREADS], both[THREADS], finished[THREADS];
upc_atomicdomain_t *domain;

// Binds the POSIX thread of this number to one of two processors: on one processor two threads take turns,
// and hardly ever meet in the middle of an operation. If there is only one processor, or the system refuses,
// the threads are not bound.
void tie(pid_t thread, int which) {
    cpu_set_t all, one;
    memset(&all, 0xff, sizeof all);
    sched_setaffinity(thread, sizeof all, &all);
    if (sched_getaffinity(thread, sizeof all, &all) != 0 || CPU_COUNT(&all) < 2)
        return;
    int cpu = -1;
    for (int left = which; left >= 0; left--)
        for (cpu++; !CPU_ISSET(cpu, &all);)
            cpu++;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    sched_setaffinity(thread, sizeof one, &one);
}

// Binds the UPC thread to one processor, and the runtime's threads to the other.
void tie_all(void) {
    DIR *threads = opendir("/proc/self/task");
    if (!threads)
        return;
    for (struct dirent *entry; (entry = readdir(threads));) {
        pid_t thread = (pid_t)atoi(entry->d_name);
        if (thread > 0)
            tie(thread, thread == getpid() ? MYTHREAD % 2 : !(MYTHREAD % 2));
    }
    closedir(threads);
}

// The owner computes, and takes no messages, until its neighbour has counted in the same object.
void by_neighbours(void) {
    long own = 0, one = 1, old;
    if (MYTHREAD % 2 == 0 && MYTHREAD + 1 < THREADS)
        for (volatile long *done = (long *)&finished[MYTHREAD]; !*done;)
            for (int k = 0; k < 1000; k++, own++)
                upc_atomic_relaxed(domain, NULL, UPC_INC, &count[MYTHREAD], NULL, NULL);
    if (MYTHREAD % 2) {
        for (int i = 0; i < FENCES; i++) {
            for (int k = 0; k < BURST; k++)
                upc_atomic_relaxed(domain, NULL, UPC_INC, &count[MYTHREAD - 1], NULL, NULL);
            upc_atomic_relaxed(domain, NULL, UPC_ADD, &count[MYTHREAD - 1], &one, NULL);
            upc_atomic_relaxed(domain, &old, UPC_ADD, &count[MYTHREAD - 1], &one, NULL);
            CHECK(old >= (i + 1L) * BURST + 2 * i);
            upc_fence;
        }
        finished[MYTHREAD - 1] = 1;
        upc_fence;
    }
    upc_barrier;
    long others = MYTHREAD % 2 == 0 && MYTHREAD + 1 < THREADS ? FENCES * (BURST + 2) : 0;
    CHECK(count[MYTHREAD] == own + others);
}

// The progress of a POSIX thread that the program has made.
int others_done;

// A POSIX thread, too, knows MYTHREAD.
void *counts(void *kind) {
    long one = 1, old;
    tie(0, !(MYTHREAD % 2));
    for (int i = 0; i < OWN; i++)
        if (kind)
            upc_atomic_relaxed(domain, &old, UPC_ADD, &both[MYTHREAD], &one, NULL);
        else
            upc_atomic_relaxed(domain, NULL, UPC_INC, &both[MYTHREAD], NULL, NULL);
    __atomic_store_n(&others_done, 1, __ATOMIC_RELEASE);
    return NULL;
}

// The UPC thread counts as long as the other one does, so that they meet even on a busy machine.
void by_posix_threads(long kind) {
    pthread_t other;
    long own = 0;
    both[MYTHREAD] = others_done = 0;
    CHECK(pthread_create(&other, NULL, counts, (void *)kind) == 0);
    while (!__atomic_load_n(&others_done, __ATOMIC_ACQUIRE))
        for (int k = 0; k < 1000; k++, own++)
            upc_atomic_relaxed(domain, NULL, UPC_INC, &both[MYTHREAD], NULL, NULL);
    CHECK(pthread_join(other, NULL) == 0);
    CHECK(both[MYTHREAD] == own + OWN);
}

int main(void) {
    tie_all();
    domain = upc_all_atomicdomain_alloc(UPC_LONG, UPC_INC | UPC_ADD, 0);
    by_neighbours();
    by_posix_threads(MYTHREAD % 2); // the first of them is another one on each host
    by_posix_threads(!(MYTHREAD % 2));
    upc_barrier;
    upc_all_atomicdomain_free(domain);
    return 0;
}
