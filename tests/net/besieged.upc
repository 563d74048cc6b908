/* A job that computes while others attack it: memory and messages go around among its threads until the
 * file named by its argument exists, and for some more rounds. Each thread checks all of them. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <upc.h>

#define N (1 << 18) /* words of each thread, which go by the conduit's get and put, if it has them */
#define ROUNDS 100000
#define MORE 40 /* rounds in which forged packets would be the next */

shared [N] long kept[N * THREADS], moved[N * THREADS];
shared int goes_on;
long buffer[N];

static long word(int thread, int round, long i) { return thread * 1000003L + round * 7919L + i; }

static void check(const long *words, int thread, int round, const char *what) {
    for (long i = 0; i < N; i++)
        if (words[i] != word(thread, round, i)) {
            fprintf(stderr, "thread %d: %s: word %ld is %ld\n", MYTHREAD, what, i, words[i]);
            exit(1);
        }
}

int main(int argc, char **argv) {
    int next = (MYTHREAD + 1) % THREADS, before = (MYTHREAD + THREADS - 1) % THREADS;
    int round = 0, last = ROUNDS;
    long *own_kept = (long *)&kept[N * MYTHREAD], *own_moved = (long *)&moved[N * MYTHREAD];
    if (argc != 2)
        return 2;
    for (long i = 0; i < N; i++)
        own_kept[i] = word(MYTHREAD, 0, i);
    do {
        round++;
        for (long i = 0; i < N; i++)
            buffer[i] = word(MYTHREAD, round, i);
        upc_memput(&moved[N * next], buffer, sizeof buffer);
        for (long i = 0; i < 100; i++)
            moved[N * next + i] = word(MYTHREAD, round, i);
        upc_barrier;
        check(own_moved, before, round, "written by the thread before");
        upc_memget(buffer, &kept[N * next], sizeof buffer);
        check(buffer, next, 0, "read from the next thread");
        if (MYTHREAD == 0) {
            if (last == ROUNDS && access(argv[1], F_OK) == 0)
                last = round + MORE;
            goes_on = round < last;
        }
        if (MYTHREAD == 0 && round == 1) {
            printf("ready\n");
            fflush(stdout);
        }
        upc_barrier;
        usleep(1000);
    } while (goes_on);
    check(own_kept, MYTHREAD, 0, "this thread's own");
    if (MYTHREAD == 0)
        printf("right\n");
    return 0;
}
