//: clause library 14
/* all_gather and all_concat: values[p] is processor p's values[0], on processor 0 and on all. */
#include <split-c/split-c.h>
#include <stdio.h>
#include <stdlib.h>
#include "../check.h"

/* The others' arrays have one element, and another one that must not be touched. */
void to_one(int turn) {
    int *ints = calloc(MYPROC ? 2 : PROCS + 1, sizeof(int)), p;
    double *doubles = calloc(MYPROC ? 2 : PROCS + 1, sizeof(double));
    ints[0] = 3 * MYPROC - turn;
    doubles[0] = MYPROC / 4.0 + turn;
    ints[MYPROC ? 1 : PROCS] = doubles[MYPROC ? 1 : PROCS] = -77;
    all_gather(ints);
    all_gather_d(doubles);
    if (MYPROC) {
        CHECK(ints[0] == 3 * MYPROC - turn && ints[1] == -77);
        CHECK(doubles[0] == MYPROC / 4.0 + turn && doubles[1] == -77);
    } else {
        for (p = 0; p < PROCS; p++)
            CHECK(ints[p] == 3 * p - turn && doubles[p] == p / 4.0 + turn);
        CHECK(ints[PROCS] == -77 && doubles[PROCS] == -77);
    }
    free(ints);
    free(doubles);
}

void to_all(int turn) {
    int ints[PROCS + 1], p;
    double doubles[PROCS + 1];
    ints[PROCS] = doubles[PROCS] = -78;
    ints[0] = turn - 5 * MYPROC;
    doubles[0] = turn * (MYPROC + 0.5);
    all_concat(ints);
    all_concat_d(doubles);
    for (p = 0; p < PROCS; p++)
        CHECK(ints[p] == turn - 5 * p && doubles[p] == turn * (p + 0.5));
    CHECK(ints[PROCS] == -78 && doubles[PROCS] == -78);
}

int splitc_main(void) {
    int turn;
    for (turn = 0; turn < 4; turn++) {
        to_one(turn);
        to_all(turn);
    }
    return 0;
}
