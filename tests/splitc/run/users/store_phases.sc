/* A transposition and a scan in phases of stores: all_store_sync between phases, and data-driven with
 * store_sync(n) if the amount is known; counters for groups of transfers. */
#include <split-c/split-c.h>
#include <split-c/control.h>
#include <split-c/counter.h>
#include <stdio.h>
#include <stdlib.h>
#include "../../check.h"
#define W 6
int in[PROCS]::[W * PROCS], out[PROCS]::[W * PROCS];
long up[PROCS]::[32], down[PROCS]::;

splitc_main(int argc, char *argv[])
{
    int i, p, phase;
    int *mine = (int *)in[MYPROC], *result = (int *)out[MYPROC];
    for (phase = 0; phase < 4; phase++) {
        for (i = 0; i < W * PROCS; i++)
            mine[i] = phase * 1000 + MYPROC * 100 + i;
        barrier();
        if (phase % 2 == 0) {
            for (p = 0; p < PROCS; p++)
                for (i = 0; i < W; i++)
                    out[p][MYPROC * W + i] :- mine[p * W + i];
            if (phase == 0)
                all_store_sync();
            else
                store_sync(W * PROCS * sizeof(int));
        } else {
            for (p = 0; p < PROCS; p++)
                bulk_store(&out[(MYPROC + p) % PROCS][MYPROC * W], &mine[(MYPROC + p) % PROCS * W],
                           W * sizeof(int));
            store_sync(W * PROCS * sizeof(int));
        }
        for (p = 0; p < PROCS; p++)
            for (i = 0; i < W; i++)
                CHECK(result[p * W + i] == phase * 1000 + p * 100 + MYPROC * W + i);
        barrier();
    }
    all_store_sync();

    /* An inclusive scan by doubling; each phase's store is waited for by its receiver alone. */
    {
        long value = MYPROC + 1, *slots = (long *)up[MYPROC];
        int distance, k = 0;
        for (distance = 1; distance < PROCS; distance *= 2, k++) {
            if (MYPROC + distance < PROCS)
                up[MYPROC + distance][k] :- value;
            if (MYPROC >= distance) {
                store_sync(sizeof(long));
                value += slots[k];
            }
            barrier();
        }
        CHECK(value == (long)(MYPROC + 1) * (MYPROC + 2) / 2);
        CHECK(all_scan_ladd(MYPROC + 1) == value);
        down[(MYPROC + 1) % PROCS] := value;
        sync();
        barrier();
        p = (MYPROC + PROCS - 1) % PROCS;
        CHECK(down[MYPROC] == (long)(p + 1) * (p + 2) / 2);
    }
    return 0;
}
