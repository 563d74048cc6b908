//: clause store 1
//: clause store 2
/* Signalling stores in loops of every form, to receivers that wait for their bytes and then find them: no
 * count comes before its bytes, none is lost, and none waits for anything but its loop's end.
 */
#include <split-c/split-c.h>
#include <split-c/control.h>
#include <stdio.h>
#include <stdlib.h>

#include "../check.h"

#define N 700 /* more than a field of a loop's own count holds */
#define ROUNDS 30

static int box[PROCS]::[N];
static long words[PROCS]::[64];
static char letters[PROCS]::[64];
static int keys[N * PROCS]::;

static void clear(void) {
    barrier();
    int *mine = tolocal(box[MYPROC]);
    for (int i = 0; i < N; i++)
        mine[i] = -1;
    reset_store_sync();
    barrier();
}

/* All stores to one neighbour, which checks at once. */
static void ring(int round) {
    int next = (MYPROC + 1) % PROCS, last = (MYPROC + PROCS - 1) % PROCS, *mine = tolocal(box[MYPROC]);
    int *global to = box[next];
    for (int i = 0; i < N; i++)
        to[i] :- i + MYPROC + round;
    store_sync(N * sizeof(int));
    for (int i = 0; i < N; i++)
        CHECK(mine[i] == i + last + round);
}

/* A loop that is left in the middle. */
static int until(int *global to, int stop, int value) {
    for (int i = 0; i < N; i++) {
        to[i] :- value;
        if (i + 1 == stop)
            return i;
    }
    return N;
}

/* Bytes to everybody in turn, scattered, and from inner loops. */
static void scatter(int round) {
    int i, *mine = tolocal(box[MYPROC]);
    for (i = 0; i < N * PROCS; i++) {
        int at = (int)((i * 11L + round) % (N * PROCS));
        if (at / PROCS % PROCS == MYPROC)
            keys[at] :- at + round;
    }
    int expected = 0;
    for_my_1d(i, N *PROCS) expected++;
    store_sync(expected * sizeof(int));
    for_my_1d(i, N *PROCS) CHECK(keys[i] == i + round);
    barrier();
    for (int p = 0; p < PROCS; p++)
        for (int k = MYPROC; k < N; k += PROCS)
            box[p][k] :- p + k;
    store_sync(N * sizeof(int));
    for (int k = 0; k < N; k++)
        CHECK(mine[k] == MYPROC + k);
}

/* One store in each iteration of a loop that waits for the receiver's reaction. */
static void conversation(int round) {
    int other = MYPROC ^ 1;
    if (other >= PROCS)
        return;
    long *mine = tolocal(words[MYPROC]);
    for (int i = 0; i < 20; i++) {
        words[other][i] :- round + i;
        store_sync(sizeof(long));
        CHECK(mine[i] == round + i);
    }
    int left = 20;
    while (left--)
        letters[other][left] :- (char)left;
    store_sync(20);
    for (int i = 0; i < 20; i++)
        CHECK(letters[MYPROC][i] == i);
}

int splitc_main(int argc, char **argv) {
    for (int round = 0; round < ROUNDS; round++) {
        clear();
        ring(round);
        clear();
        scatter(round);
        clear();
        conversation(round);
        clear();
        int next = (MYPROC + 1) % PROCS;
        CHECK(until(box[next], 3 + round, round) == 2 + round);
        store_sync((3 + round) * sizeof(int));
        CHECK(box[MYPROC][2 + round] == round && box[MYPROC][3 + round] == -1);
    }
    all_store_sync();
    return 0;
}
