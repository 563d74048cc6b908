/* Column sort after Leighton: eight steps on a matrix with a column on each processor, permutations by
 * puts. */
#include <split-c/split-c.h>
#include <split-c/control.h>
#include <stdlib.h>
#include <stdio.h>
#include "../../check.h"
/* rows >= 2 (PROCS - 1)^2 and divisible by PROCS */
#define MAXROWS 200
int col[PROCS + 1]::[MAXROWS], tmp[PROCS + 1]::[MAXROWS];
static int rows;

static int up(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static void sort_column() { qsort((int *)col[MYPROC], rows, sizeof(int), up); barrier(); }

/* Element k of the whole, column by column, goes to element to(k). */
static void permute(int (*to)(int))
{
    int i;
    for (i = 0; i < rows; i++) {
        int at = to(MYPROC * rows + i);
        tmp[at / rows][at % rows] := ((int *)col[MYPROC])[i];
    }
    sync();
    barrier();
    for (i = 0; i < rows; i++)
        ((int *)col[MYPROC])[i] = ((int *)tmp[MYPROC])[i];
    barrier();
}
static int transpose(int k) { return k % PROCS * rows + k / PROCS; }
static int untranspose(int k) { return k % rows * PROCS + k / rows; }

splitc_main(int argc, char **argv)
{
    int i, *mine, sum = 0, again = 0;
    rows = 2 * (PROCS - 1) * (PROCS - 1);
    rows = (rows / PROCS + 2) * PROCS;
    if (rows % 2) rows += PROCS;
    CHECK(rows <= MAXROWS);
    mine = tolocal(col[MYPROC]);
    for (i = 0; i < rows; i++)
        sum += mine[i] = (i * 7919 + MYPROC * 104729) % 1009;
    barrier();
    sort_column();
    permute(transpose);
    sort_column();
    permute(untranspose);
    sort_column();
    /* Shift by half a column: the lower half goes to the next one, merged there. */
    {
        int half = rows / 2, *merged = malloc(rows * sizeof(int)), n = 0;
        int right = MYPROC + 1;
        if (right < PROCS)
            bulk_put((int *global)&tmp[right][0], mine + (rows - half), half * sizeof(int));
        sync();
        barrier();
        if (MYPROC > 0) {
            int *from_left = (int *)tmp[MYPROC];
            for (i = 0; i < half; i++) merged[n++] = from_left[i];
            for (i = 0; i < rows - half; i++) merged[n++] = mine[i];
            qsort(merged, n, sizeof(int), up);
            for (i = 0; i < rows - half; i++) mine[i] = merged[half + i];
            bulk_write((int *global)&col[MYPROC - 1][rows - half], merged, half * sizeof(int));
        }
        barrier();
        free(merged);
    }
    sort_column();
    for (i = 0; i < rows; i++) {
        again += mine[i];
        CHECK(i == 0 || mine[i - 1] <= mine[i]);
    }
    if (MYPROC + 1 < PROCS)
        CHECK(mine[rows - 1] <= col[MYPROC + 1][0]);
    CHECK(all_reduce_to_all_add(sum) == all_reduce_to_all_add(again));
    return 0;
}
