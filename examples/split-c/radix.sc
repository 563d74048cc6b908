/* radix: radix sort in parallel, least digit first.
 *
 * For each digit: every processor counts its keys by digit; a scan over the counts, digit by digit and within
 * a digit processor by processor, tells each processor where its keys of each digit go; and every key is sent
 * there by a store, one `:-' a key. The receiver does nothing and does not know who sends; all_store_sync
 * waits until all keys have come.
 *
 * The counts are scanned by transposing them: each processor scans a run of digits, for all processors, and
 * all_scan_ladd adds the counts of the processors before.
 *
 *     radix [keys [seed [bits]]] */
#include "sort.h"

static const char sort_name[] = "radix";

static long block_length(long n) { return share(n, PROCS); }

/* From counts[d], this processor's keys of digit d: place[d], the place of the first among all keys. table
 * has the counts by digit and processor, `run' digits to a block; result the places by processor. */
static void scan_counts(const long *counts, long *place, int run, long table[PROCS]::[run][PROCS],
                        long result[PROCS]::[RADIX]) {
    int d, p;
    long sum = 0;
    for (d = 0; d < RADIX; d++)
        table[d / run][d % run][MYPROC] :- counts[d];
    all_store_sync();

    long(*mine)[PROCS] = tolocal(table[MYPROC]);
    int first = MYPROC * run, digits = RADIX - first < run ? RADIX - first : run;
    for (d = 0; d < digits; d++)
        for (p = 0; p < PROCS; p++)
            sum += mine[d][p];
    sum = all_scan_ladd(sum) - sum;
    for (d = 0; d < digits; d++)
        for (p = 0; p < PROCS; p++) {
            result[p][first + d] :- sum;
            sum += mine[d][p];
        }
    all_store_sync();
    memcpy(place, tolocal(result[MYPROC]), RADIX * sizeof *place);
}

static void sort_blocks(long m, unsigned keys[PROCS]::[m]) {
    int run = share(RADIX, PROCS), shift;
    unsigned other[PROCS]::[m];
    long table[PROCS]::[run][PROCS], result[PROCS]::[RADIX];
    unsigned(*spread from)[m] = keys, (*spread to)[m] = other, (*spread swap)[m];
    for (shift = 0; shift < KEY_BITS; shift += RADIX_BITS) {
        const unsigned *own = tolocal(from[MYPROC]);
        long counts[RADIX] = {0}, place[RADIX], i;
        for (i = 0; i < m; i++)
            counts[digit(own[i], shift)]++;
        scan_counts(counts, place, run, table, result);
        for (i = 0; i < m; i++) {
            long at = place[digit(own[i], shift)]++;
            to[at / m][at % m] :- own[i];
        }
        all_store_sync();
        swap = from, from = to, to = swap;
    }
}
