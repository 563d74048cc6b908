/* Loops that count their signalling stores for themselves. */
#include <split-c/split-c.h>
#include <stdio.h>
#define N 200
int keys[N]::[8];
long wide[N]::;
volatile int go = 1;

static void touch(int i) { go = go | (i & 0); }

int splitc_main(int argc, char **argv) {
    int i, p;
    long s = 0;
    barrier();
    for (i = MYPROC; i < N; i += PROCS) //> store-counting: stores of 4 bytes
        keys[(i + 1) % N][i % 8] :- i;
    all_store_sync();
    for (p = 0; p < 8; p++) //> store-counting: stores of 4 bytes
        for (i = MYPROC; i < N; i += PROCS)
            keys[i][p] :- i + p;
    all_store_sync();
    for (i = MYPROC; i < N; i += PROCS) { //> not store-counting: the loop's stores have different sizes
        keys[i][0] :- i;
        wide[i] :- 3 * i;
    }
    all_store_sync();
    /* A loop that may wait for an action of the receiver. */
    for (i = MYPROC; i < N; i += PROCS) { //> not store-counting: a statement in the
        keys[i][1] :- 2 * i;
        while (!go)
            ;
    }
    all_store_sync();
    for (i = MYPROC; i < N; i += PROCS) { //> not store-counting: the loop may wait
        keys[i][2] :- 5 * i;
        touch(i);
    }
    all_store_sync();
    for (i = 0; i < N; i++)
        for (p = 0; p < 8; p++)
            s = (3 * s + keys[i][p] + wide[i]) % 1000003;
    printf("%ld\n", s);
    barrier();
    return 0;
}
