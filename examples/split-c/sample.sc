/* sample: sample sort.
 *
 * Every processor sends a sample of its keys to processor 0, which sorts the sample and picks the keys that
 * divide it into PROCS equal pieces, the splitters. Each key belongs to the processor between whose
 * splitters it lies: a processor groups its keys by owner, tells the owners how many will come, and stores
 * each group with one bulk_store. Then each processor sorts its received keys. Their number depends on the
 * keys (all of them, if all are equal), so the memory for them is allocated when the counts are known, and
 * its address is sent as a global pointer.
 *
 * The last step distributes the sorted keys to blocks of one length, as in the other sorts.
 *
 *     sample [keys [seed [bits]]] */
#include "sort.h"

#define SAMPLES 64 /* for each processor */

static const char sort_name[] = "sample";

static long block_length(long n) { return share(n, PROCS); }

/* splitters[p], for p < PROCS - 1: the last key that is processor p's. */
static void choose_splitters(const unsigned *own, long m, unsigned *splitters) {
    unsigned sample[1]::[PROCS * SAMPLES], chosen[PROCS]::[PROCS];
    int i, p;
    for (i = 0; i < SAMPLES; i++)
        sample[0][MYPROC * SAMPLES + i] :- own[i * m / SAMPLES];
    all_store_sync();
    on_one {
        unsigned *all = tolocal(sample[0]), *spare = own_keys(PROCS * SAMPLES);
        sort_own(all, spare, PROCS * SAMPLES);
        for (p = 0; p < PROCS - 1; p++)
            for (i = 0; i < PROCS; i++)
                chosen[i][p] :- all[(p + 1) * SAMPLES - 1];
        free(spare);
    }
    all_store_sync();
    memcpy(splitters, tolocal(chosen[MYPROC]), (PROCS - 1) * sizeof *splitters);
}

/* Returns the owner of a key: the first processor whose splitter is not below it. */
static int owner_of(unsigned key, const unsigned *splitters) {
    int low = 0, high = PROCS - 1;
    while (low < high) {
        int middle = (low + high) / 2;
        if (key <= splitters[middle])
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Groups the m keys by owner into `grouped'; counts[p]: the number of keys of processor p. */
static void group(const unsigned *own, long m, const unsigned *splitters, unsigned *grouped, long *counts) {
    long place[PROCS], i, before = 0;
    int p;
    memset(counts, 0, PROCS * sizeof *counts);
    for (i = 0; i < m; i++)
        counts[owner_of(own[i], splitters)]++;
    for (p = 0; p < PROCS; p++)
        place[p] = before, before += counts[p];
    for (i = 0; i < m; i++)
        grouped[place[owner_of(own[i], splitters)]++] = own[i];
}

/* Sends each group to its owner. Returns the keys that have come to this processor, *count of them. */
static unsigned *exchange_groups(const unsigned *grouped, const long *counts, long *count) {
    long coming[PROCS]::[PROCS], before = 0;
    unsigned *global destination[PROCS]::[PROCS];
    int p;
    for (p = 0; p < PROCS; p++)
        coming[p][MYPROC] :- counts[p];
    all_store_sync();

    const long *from = tolocal(coming[MYPROC]);
    for (*count = p = 0; p < PROCS; p++)
        *count += from[p];
    unsigned *received = own_keys(*count);
    for (p = 0; p < PROCS; p++) {
        destination[p][MYPROC] :- (unsigned *global)(received + before);
        before += from[p];
    }
    all_store_sync();

    unsigned *global *to = tolocal(destination[MYPROC]);
    for (p = 0; p < PROCS; p++) {
        bulk_store(to[p], grouped, counts[p] * sizeof *grouped);
        grouped += counts[p];
    }
    all_store_sync();
    return received;
}

/* Stores this processor's `count' keys to blocks of m, after those of the processors before. */
static void deal_out(const unsigned *own, long count, long m, unsigned keys[PROCS]::[m]) {
    long at = all_scan_ladd(count) - count;
    while (count > 0) {
        long n = m - at % m < count ? m - at % m : count;
        bulk_store(&keys[at / m][at % m], own, n * sizeof *own);
        own += n, at += n, count -= n;
    }
    all_store_sync();
}

static void sort_blocks(long m, unsigned keys[PROCS]::[m]) {
    unsigned *own = tolocal(keys[MYPROC]), *grouped = own_keys(m), *received, *spare;
    unsigned splitters[PROCS];
    long counts[PROCS], count;
    choose_splitters(own, m, splitters);
    group(own, m, splitters, grouped, counts);
    received = exchange_groups(grouped, counts, &count);
    spare = own_keys(count);
    sort_own(received, spare, count);
    deal_out(received, count, m, keys);
    free(grouped);
    free(received);
    free(spare);
}
