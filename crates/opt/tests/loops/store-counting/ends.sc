/* Loops with signalling stores that end by themselves, and loops that may wait meanwhile for an action of a
   receiver. */
#include <split-c/split-c.h>
#include <stdio.h>
#include <stdlib.h>
#define N 120
typedef struct { int n, m; } pair;
int keys[N]::[8];
double wide[N]::;
pair both[N]::;
int bound = N, step = 1;
volatile int go = N;

static void nothing(void) { step = 1; }

static int leave(int row) {
    int i;
    for (i = MYPROC; i < N; i += PROCS) { //> store-counting: stores of 4 bytes
        keys[i][row] :- i + 1;
        if (i > N - 5)
            return i > 0;
    }
    return 1;
}

int splitc_main(int argc, char **argv) {
    int i, j, n, taken = 1, *p = &taken;
    long s = 0;
    barrier();
    for (i = MYPROC; i < N; i += PROCS) //> store-counting: stores of 8 bytes
        wide[i] :- i / 2.0;
    all_store_sync();
    for (i = MYPROC; i < N; i += PROCS) //> store-counting: stores of 4 bytes
        both[i].n :- i, both[i].m :- 2 * i;
    all_store_sync();
    n = MYPROC == 0 ? N : 0;
    while (n--) //> store-counting: stores of 4 bytes
        keys[n][0] :- n;
    all_store_sync();
    n = MYPROC == 0 ? N : 0;
    for (i = 0; i < n; i++) { //> store-counting: stores of 4 bytes
        switch (i % 4) {
        case 0:
            keys[i][1] :- i;
            break;
        case 1:
            for (j = 1; j < 3; j++) {
                if (j == 3)
                    continue;
                keys[i][j] :- i + j;
            }
            break;
        default:
            if (i & 1)
                keys[i][3] :- abs(3 - i);
            else
                ;
        }
    }
    all_store_sync();
    s += leave(4);
    all_store_sync();
    for (i = MYPROC; i < bound; i += PROCS) //> store-counting: stores of 4 bytes
        keys[i][5] :- 7 * i;
    all_store_sync();
    /* The number of rounds is not known at entry. */
    for (i = MYPROC; i < go; i += PROCS) //> not store-counting: the loop may wait
        keys[i][6] :- i;
    all_store_sync();
    for (i = MYPROC; i < *p * N; i += PROCS) //> not store-counting: the loop may wait
        keys[i][7] :- i;
    all_store_sync();
    for (i = MYPROC; i < N; i += taken * PROCS) //> not store-counting: the loop may wait
        keys[i][0] :- i + 8;
    all_store_sync();
    for (i = MYPROC; i < N; i += PROCS) { //> not store-counting: the loop may wait
        keys[i][1] :- i + 9;
        i += 0;
    }
    all_store_sync();
    for (i = MYPROC; i < N; i += PROCS * step) { //> not store-counting: the loop may wait
        keys[i][2] :- i + 10;
        nothing();
    }
    all_store_sync();
    i = MYPROC;
    for (;;) { //> not store-counting: the loop may wait
        if (i >= N)
            break;
        keys[i][3] :- i + 11;
        i += PROCS;
    }
    all_store_sync();
    i = MYPROC;
    while (i < N) { //> store-counting: stores of 4 bytes
        keys[i][4] :- i + 12;
        i += PROCS;
    }
    all_store_sync();
    /* A loop that does not end by itself, inside one that does. */
    for (i = MYPROC; i < N; i += PROCS) { //> not store-counting: a statement in the
        j = 0;
        do {
            keys[i][5] :- i + 13;
        } while (++j < 2);
    }
    all_store_sync();
    for (i = MYPROC; i < N; i += PROCS) { //> not store-counting: a statement in the
        for (j = 0; j < go % 3 + 1; j++) //> not store-counting: the loop may wait
            keys[i][6] :- i + 14;
    }
    all_store_sync();
    for (i = MYPROC; i < N; i += PROCS) { //> not store-counting: the loop is long, or cannot be duplicated
        static int calls;
        keys[i][7] :- i + (calls++ & 0);
    }
    all_store_sync();
    for (i = 0; i < N; i++) {
        for (j = 0; j < 8; j++)
            s = (3 * s + keys[i][j]) % 1000003;
        s += (long)wide[i] + both[i].n + both[i].m;
    }
    printf("%ld %d\n", s, *p);
    barrier();
    return 0;
}
