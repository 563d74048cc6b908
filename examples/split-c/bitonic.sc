/* bitonic: bitonic sort, with whole blocks in place of keys.
 *
 * A sorting network compares places two by two and puts the smaller key into one of them. Here a place is a
 * processor's sorted block, and a comparison is a merge: of two processors one keeps the lower half of both
 * blocks, the other the upper. In each stage every processor stores its block to its partner's memory;
 * all_store_sync ends the stage.
 *
 * Batcher's network wants a power of two of places.  This one takes any number: the first half is sorted
 * downwards, the second upwards, and a merge of n begins with comparisons at the distance of the largest
 * power of two below n.
 *
 *     bitonic [keys [seed [bits]]] */
#include "sort.h"

static const char sort_name[] = "bitonic";

static long block_length(long n) { return share(n, PROCS); }

/* ---- the network ------------------------------------------------------------------------------------ */

/* The part of this processor in a stage. */
struct step {
    int partner; /* -1: nothing */
    int keeps_low;
};

/* The number of stages of a merge and of a sort of n places. */
static int merge_stages(int n) {
    int stages = 0;
    while ((1 << stages) < n)
        stages++;
    return stages;
}

static int sort_stages(int n) { return n <= 1 ? 0 : sort_stages(n - n / 2) + merge_stages(n); }

/* Returns this processor's part in a stage of the merge of n places from low on, upwards or downwards. */
static struct step merge_step(int low, int n, int upwards, int stage) {
    struct step none = {-1, 0};
    while (n > 1) {
        int distance = 1 << (merge_stages(n) - 1), place = MYPROC - low;
        if (stage-- == 0) {
            struct step s = {MYPROC + distance, upwards};
            if (place < n - distance)
                return s;
            s.partner = MYPROC - distance, s.keeps_low = !upwards;
            return place >= distance ? s : none;
        }
        if (place < distance)
            n = distance;
        else
            low += distance, n -= distance;
    }
    return none;
}

/* Returns the part in the sort of n places. Both halves are sorted at a time; a shorter one waits. */
static struct step sort_step(int low, int n, int upwards, int stage) {
    struct step none = {-1, 0};
    int half = n / 2, before;
    if (n <= 1)
        return none;
    before = sort_stages(n - half);
    if (stage >= before)
        return merge_step(low, n, upwards, stage - before);
    if (MYPROC < low + half)
        return sort_step(low, half, !upwards, stage);
    return sort_step(low + half, n - half, upwards, stage);
}

/* ---- the blocks ------------------------------------------------------------------------------------- */

/* Keeps the m lowest, or the m highest, keys of two sorted blocks. */
static void keep(const unsigned *a, const unsigned *b, unsigned *kept, long m, int lowest) {
    long i, j, k;
    if (lowest)
        for (i = j = k = 0; k < m; k++)
            kept[k] = a[i] <= b[j] ? a[i++] : b[j++];
    else
        for (i = j = m - 1, k = m; k-- > 0;)
            kept[k] = a[i] > b[j] ? a[i--] : b[j--];
}

/* A partner that is a stage ahead stores into the other buffer of the two; it cannot be two ahead. */
static void sort_blocks(long m, unsigned keys[PROCS]::[m]) {
    unsigned in[2][PROCS]::[m];
    unsigned *block = tolocal(keys[MYPROC]), *spare = own_keys(m), *memory = spare, *swap;
    int stages = sort_stages(PROCS), stage;
    sort_own(block, spare, m);
    for (stage = 0; stage < stages; stage++) {
        struct step s = sort_step(0, PROCS, 1, stage);
        if (s.partner >= 0)
            bulk_store(in[stage % 2][s.partner], block, m * sizeof *block);
        all_store_sync();
        if (s.partner >= 0) {
            keep(block, tolocal(in[stage % 2][MYPROC]), spare, m, s.keeps_low);
            swap = block, block = spare, spare = swap;
        }
    }
    if (block == memory)
        memcpy(tolocal(keys[MYPROC]), block, m * sizeof *block);
    free(memory);
}
