/* Histograms in three styles: a fetch-and-add on every key, a private one that is stored to the owners of
 * the buckets, and atomic functions; in the style of an old program. */
#include <split-c/split-c.h>
#include <split-c/atomic.h>
#include <stdio.h>
#include <stdlib.h>
#include "../../check.h"
#define BUCKETS 37
#define KEYS 120

int hist[BUCKETS]::;
int parts[BUCKETS]::[16];
int calls[PROCS]::;

static unsigned key(i, p) int i, p;
{
    unsigned x = (unsigned)(p * KEYS + i) * 2654435761u;
    return (x >> 11) % BUCKETS;
}

static void bump(slot, by) int *slot; int by;
{
    *slot += by;
    calls[MYPROC]++;
}

splitc_main()
{
    int i, p, b, wanted[BUCKETS], mine[BUCKETS];
    for (b = 0; b < BUCKETS; b++)
        wanted[b] = mine[b] = 0;
    for (p = 0; p < PROCS; p++)
        for (i = 0; i < KEYS; i++)
            wanted[key(i, p)]++;

    for (i = 0; i < KEYS; i++)
        fetch_and_add(&hist[key(i, MYPROC)], 1);
    barrier();
    for (b = 0; b < BUCKETS; b++)
        CHECK(hist[b] == wanted[b]);
    barrier();

    for_my_1d(b, BUCKETS)
        hist[b] = 0;
    barrier();
    for (i = 0; i < KEYS; i++)
        mine[key(i, MYPROC)]++;
    for (b = 0; b < BUCKETS; b++)
        parts[b][MYPROC % 16] :- mine[b];
    all_store_sync();
    if (PROCS <= 16)
        for_my_1d(b, BUCKETS) {
            int sum = 0;
            for (p = 0; p < PROCS; p++)
                sum += parts[b][p];
            CHECK(sum == wanted[b]);
        }
    barrier();

    for (i = 0; i < KEYS; i++)
        atomic(bump, &hist[key(i, MYPROC)], 1);
    barrier();
    for (b = 0; b < BUCKETS; b++)
        CHECK(hist[b] == wanted[b]);
    CHECK(all_reduce_to_all_add(calls[MYPROC]) == KEYS * PROCS);
    return 0;
}
