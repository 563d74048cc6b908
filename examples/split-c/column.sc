/* column: Leighton's column sort.
 *
 * The keys are a matrix with one column for each processor. Eight steps: the columns are sorted four times,
 * and in between the matrix is transposed (taken up by columns, put down by rows), transposed back, and
 * shifted by half a column, so that keys that are still out of order lie in one column. This is correct if
 * m, the keys of a column, is at least 2 (PROCS - 1)^2 and a multiple of PROCS; few keys on many processors
 * are therefore filled up, so that any number of processors is possible.
 *
 * The permutations are loops of `:-'; all_store_sync ends each.
 *
 *     column [keys [seed [bits]]] */
#include "sort.h"

static const char sort_name[] = "column";

static long block_length(long n) {
    long least = 2L * (PROCS - 1) * (PROCS - 1), m = share(n, PROCS);
    return share(m > least ? m : least, 2 * PROCS) * 2 * PROCS; /* even, for the halves */
}

/* Key i of column j is number j * m + i by columns: it goes to column i % PROCS. */
static void transpose(const unsigned *own, long m, unsigned to[PROCS]::[m]) {
    long i, first = MYPROC * (m / PROCS);
    for (i = 0; i < m; i++)
        to[i % PROCS][first + i / PROCS] :- own[i];
    all_store_sync();
}

/* Transposes back: key i of column j is number i * PROCS + j by rows. */
static void transpose_back(const unsigned *own, long m, unsigned to[PROCS]::[m]) {
    long i;
    for (i = 0; i < m; i++) {
        long at = i * PROCS + MYPROC;
        to[at / m][at % m] :- own[i];
    }
    all_store_sync();
}

/* Shifts by half a column, sorts, and shifts back: the lower half of each column and the upper half of the
 * previous one are merged. Both are sorted already. shifted: memory for the arriving halves. */
static void merge_halves(unsigned *own, long m, unsigned *spare, unsigned keys[PROCS]::[m],
                         unsigned shifted[PROCS]::[m]) {
    long half = m / 2, i, j, k;
    if (MYPROC + 1 < PROCS)
        bulk_store(shifted[MYPROC + 1], own + half, half * sizeof *own);
    all_store_sync();
    if (MYPROC > 0) {
        const unsigned *before = tolocal(shifted[MYPROC]);
        for (i = j = k = 0; k < m; k++)
            spare[k] = j == half || (i < half && before[i] <= own[j]) ? before[i++] : own[j++];
        bulk_store(&keys[MYPROC - 1][half], spare, half * sizeof *spare);
        memcpy(own, spare + half, half * sizeof *own);
    }
    all_store_sync();
}

static void sort_blocks(long m, unsigned keys[PROCS]::[m]) {
    unsigned other[PROCS]::[m];
    unsigned *own = tolocal(keys[MYPROC]), *own_other = tolocal(other[MYPROC]), *spare = own_keys(m);
    sort_own(own, spare, m);
    transpose(own, m, other);
    sort_own(own_other, spare, m);
    transpose_back(own_other, m, keys);
    sort_own(own, spare, m);
    merge_halves(own, m, spare, keys, other);
    free(spare);
}
