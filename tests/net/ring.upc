// A job in which every thread reads from, writes to and waits for threads of other hosts; then, by its
// argument, one thread ends it: exit N, kill N (a signal), global N; or all print their pids and stay: wait
// 0, or stay and talk to each other: talk 0.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <upc.h>

shared int given[THREADS], taken[THREADS];

int main(int argc, char **argv) {
    int next = (MYTHREAD + 1) % THREADS, before = (MYTHREAD + THREADS - 1) % THREADS;
    given[MYTHREAD] = 100 + MYTHREAD;
    upc_barrier;
    taken[next] = given[next] + MYTHREAD;
    upc_barrier;
    if (taken[MYTHREAD] != 100 + MYTHREAD + before)
        printf("thread %d: %d\n", MYTHREAD, taken[MYTHREAD]);
    if (MYTHREAD == 0)
        printf("%d threads\n", THREADS);
    if (argc == 3 && (strcmp(argv[1], "wait") == 0 || strcmp(argv[1], "talk") == 0)) {
        printf("pid %d\n", (int)getpid());
        fflush(stdout);
        for (int i = 0;; i++) {
            if (argv[1][0] == 'w')
                pause();
            taken[next] = given[(MYTHREAD + i) % THREADS];
            if (i % 100 == 0)
                upc_barrier;
        }
    }
    if (argc == 3 && MYTHREAD == THREADS - 1) {
        int n = atoi(argv[2]);
        if (strcmp(argv[1], "exit") == 0)
            exit(n);
        if (strcmp(argv[1], "kill") == 0)
            kill(getpid(), n);
        if (strcmp(argv[1], "global") == 0)
            upc_global_exit(n);
    }
    upc_barrier;
    return 0;
}
