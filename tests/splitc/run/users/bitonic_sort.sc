/* Bitonic sort of blocks: partners exchange whole blocks by bulk_get and keep the lower or the upper half. On
 * numbers of processors that are no power of two, odd-even transposition with the same exchange. */
#include <split-c/split-c.h>
#include <split-c/control.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../../check.h"
#define B 30
double block[PROCS]::[B];
typedef double chunk[B];
static int order(a, b) double *a, *b; { return *a < *b ? -1 : *a > *b ? 1 : 0; }

/* Keeps the lower (or the upper) half of mine and the partner's. */
void keep(partner, lower) int partner, lower;
{
    chunk theirs, result;
    double *mine = (double *)block[MYPROC];
    int i, j, k;
    bulk_get(theirs, block[partner], sizeof(chunk));
    sync();
    barrier();
    if (lower)
        for (i = j = k = 0; k < B; k++)
            result[k] = mine[i] <= theirs[j] ? mine[i++] : theirs[j++];
    else
        for (i = j = B - 1, k = B - 1; k >= 0; k--)
            result[k] = mine[i] > theirs[j] ? mine[i--] : theirs[j--];
    memcpy(mine, result, sizeof result);
    barrier();
}
void pass() { barrier(); barrier(); }

void bitonic()
{
    int k, j;
    for (k = 2; k <= PROCS; k *= 2)
        for (j = k / 2; j > 0; j /= 2)
            keep(MYPROC ^ j, ((MYPROC & j) == 0) == ((MYPROC & k) == 0));
}

void odd_even()
{
    int step;
    for (step = 0; step < PROCS + 1; step++) {
        int partner = (MYPROC + step) % 2 == 0 ? MYPROC + 1 : MYPROC - 1;
        if (partner >= 0 && partner < PROCS)
            keep(partner, MYPROC < partner);
        else
            pass();
    }
}

splitc_main(int argc, char **argv)
{
    double *mine = tolocal(block[MYPROC]), sum = 0, again = 0, last;
    int i;
    for (i = 0; i < B; i++)
        sum += mine[i] = ((i * 611 + MYPROC * 37) % 499) * 0.25;
    qsort(mine, B, sizeof(double), order);
    barrier();
    if (PROCSLOG >= 0) bitonic(); else odd_even();
    for (i = 0; i < B; i++) {
        again += mine[i];
        CHECK(!i || mine[i - 1] <= mine[i]);
    }
    last = mine[B - 1];
    CHECK(all_reduce_to_all_dmax(last) == block[PROCS - 1][B - 1]);
    if (MYPROC) CHECK(block[MYPROC - 1][B - 1] <= mine[0]);
    CHECK(all_reduce_to_all_dadd(sum) == all_reduce_to_all_dadd(again));
    return 0;
}
