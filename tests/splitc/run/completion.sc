//: clause access 3
//: clause access 4
//: clause access 8
//: clause access 9
//: clause store 1
//: clause store 2
//: clause store 3
//: clause store 4
// The promises of sync, is_sync, store_sync and their kin: thousands of gets and puts at once, stores counted
// in bytes for any sender, counts that are used up, cleared, and end with all_store_sync.
#include <split-c/split-c.h>
#include <split-c/control.h>
#include <stdio.h>
#include <stdlib.h>
#include "../check.h"
#define N 3000

int source[N]::, sink[N]::;
static int got[N];
static struct { char c[3]; short s; long l[8]; } slots[8];
static char from_each[8][64];

static void many(void) {
    int i;
    for_my_1d(i, N) source[i] = i * 7;
    barrier();
    CHECK(is_sync());
    for (i = 0; i < N; i++)
        got[i] := source[i];
    for (i = MYPROC; i < N; i += PROCS)
        sink[(i + 1) % N] := i;
    while (!is_sync())
        ;
    sync();
    for (i = 0; i < N; i++)
        CHECK(got[i] == i * 7);
    barrier();
    for_my_1d(i, N) CHECK(sink[i] == (i + N - 1) % N);
    barrier();
}

// Bytes of different sizes, from all senders to all receivers; the receiver waits for parts of the sum.
static void counted(int round) {
    for (int p = 0; p < PROCS; p++) {
        int to = (MYPROC + p) % PROCS;
        char *global c = toglobal(to, from_each[MYPROC % 8]);
        for (int i = 0; i < 5; i++)
            c[i] :- (char)(round + i);
        *(short *global)(c + 6) :- (short)(round * 3);
        *(long *global)(c + 8) :- 1000L * MYPROC + round;
        char words[16] = {(char)round};
        bulk_store(c + 16, words, sizeof words);
    }
    store_sync(1);
    store_sync((size_t)PROCS * 31 - 1);
    for (int p = 0; p < PROCS && p < 8; p++) {
        const char *c = from_each[p];
        CHECK(c[0] == (char)round && c[4] == (char)(round + 4) && *(short *)(c + 6) == round * 3);
        CHECK(*(long *)(c + 8) == 1000L * p + round && c[16] == (char)round);
    }
    barrier();
}

static void cleared(void) {
    int right = (MYPROC + 1) % PROCS;
    slots[1].l[0] = 0;
    barrier();
    *(long *global)toglobal(right, &slots[0].l[1]) :- 5L;
    store_sync(sizeof(long));
    barrier();
    *(long *global)toglobal(right, &slots[0].l[2]) :- 6L;
    store_sync(sizeof(long) - 1);
    reset_store_sync(); // the last byte is forgotten
    barrier();
    *(long *global)toglobal(right, &slots[1].l[0]) :- 7L;
    store_sync(sizeof(long));
    CHECK(slots[1].l[0] == 7 && slots[0].l[1] == 5 && slots[0].l[2] == 6);
    barrier();
    *(long *global)toglobal(right, &slots[1].l[1]) :- 8L;
    all_store_sync();
    CHECK(slots[1].l[1] == 8);
    all_store_sync();
    *(char *global)toglobal(right, &slots[2].c[1]) :- 'x';
    store_sync(1); // counts begin anew
    CHECK(slots[2].c[1] == 'x');
    all_store_sync();
}

int splitc_main(void) {
    many();
    for (int round = 0; round < 20; round++)
        counted(round);
    cleared();
    return 0;
}
