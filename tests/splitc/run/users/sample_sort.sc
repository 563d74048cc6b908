/* Sample sort: splitters are chosen from samples by processor 0 and broadcast, keys are stored at their
 * processors with fetch_and_add for their places. */
#include <split-c/split-c.h>
#include <stdio.h>
#include <stdlib.h>
#include "../../check.h"
#define KEYS 80
#define SAMPLE 6
#define SPACE (KEYS * PROCS)

unsigned keys[PROCS]::[KEYS];
unsigned samples[PROCS]::[SAMPLE];
unsigned splitter[64];
int arrived;
unsigned *spread received;
unsigned seed;

static unsigned next_random() { return (seed = seed * 69069 + 1) >> 9; }

static int compare(a, b) const void *a, *b;
{
    unsigned x = *(unsigned *)a, y = *(unsigned *)b;
    return x < y ? -1 : x > y;
}

void choose()
{
    int i;
    unsigned *mine = (unsigned *)keys[MYPROC];
    for (i = 0; i < SAMPLE; i++)
        samples[MYPROC][i] = mine[next_random() % KEYS];
    barrier();
    on_one {
        unsigned *all = malloc(SAMPLE * PROCS * sizeof(unsigned));
        for (i = 0; i < PROCS; i++)
            bulk_get(all + i * SAMPLE, samples[i], SAMPLE * sizeof(unsigned));
        sync();
        qsort(all, SAMPLE * PROCS, sizeof(unsigned), compare);
        for (i = 1; i < PROCS; i++)
            splitter[i] = all[i * SAMPLE];
        free(all);
    }
    all_bcast_bulk(splitter, sizeof splitter, 0);
}

int owner(key) unsigned key;
{
    int p = 0;
    while (p + 1 < PROCS && key >= splitter[p + 1])
        p++;
    return p;
}

splitc_main()
{
    int i, n, sum = 0, sorted = 0;
    unsigned (*spread blocks)[SPACE] = all_spread_malloc(PROCS, SPACE * sizeof(unsigned));
    unsigned *mine = tolocal(blocks[MYPROC]);
    seed = 7 * MYPROC + 3;
    for (i = 0; i < KEYS; i++)
        sum += keys[MYPROC][i] = next_random() % 10000;
    barrier();
    choose();
    for (i = 0; i < KEYS; i++) {
        unsigned key = keys[MYPROC][i];
        int p = owner(key);
        int at = fetch_and_add((int *global)toglobal(p, &arrived), 1);
        blocks[p][at] :- key;
    }
    all_store_sync();
    n = arrived;
    qsort(mine, n, sizeof(unsigned), compare);
    for (i = 0; i < n; i++) {
        sorted += mine[i];
        CHECK(owner(mine[i]) == MYPROC);
        CHECK(i == 0 || mine[i - 1] <= mine[i]);
    }
    CHECK(all_reduce_to_all_add(n) == KEYS * PROCS);
    CHECK(all_reduce_to_all_add(sum) == all_reduce_to_all_add(sorted));
    barrier();
    all_spread_free(blocks);
    return 0;
}
