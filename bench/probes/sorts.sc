/* Four parallel sorts of 31-bit keys in Split-C, by phases: bitonic, column, radix and sample sort, after the
 * study that von Eicken's thesis reports (figure 6-9, table 6-2).
 *
 * Every processor has a block of m keys; after the sort, the blocks in the order of the processors are
 * sorted. All keys for other processors are stored: single keys by `:-', whole runs by bulk_store. The time
 * is that of processor 0, a key of one processor. `local' points are the steps that need no other processor,
 * run by processor 0 alone: predictions follow from them and from the costs of stores
 * (crates/bench/src/fit/sorts.rs). Before any measurement, each sort is checked with keys of each
 * distribution.
 */
#include "../measure.h"

typedef unsigned key;

#define MOST_KEYS (64L << 10) /* of a processor */
#define CHECKED (1L << 10)    /* with which each sort is checked; the fewest of any sort */
#define DIGIT_BITS 16         /* of radix sort, which takes two passes */
#define DIGITS (1 << DIGIT_BITS)
#define SHORT_BITS 8 /* of the serial sort within a processor, which takes four */
#define SHORT_DIGITS (1 << SHORT_BITS)
#define SAMPLES 64 /* that each processor takes */

static key first_keys[MOST_KEYS], keys[MOST_KEYS], other[MOST_KEYS], spare[MOST_KEYS];
static int counts[DIGITS], places[DIGITS];
static int *table, *dealt;    /* [PROCS][run] of a run of digits: counts, and places, of all processors */
static key *spread received;  /* PROCS * MOST_KEYS on each processor */
static key *sample, *several; /* PROCS * SAMPLES on processor 0; PROCS * MOST_KEYS of this processor */
static key *splitters;        /* PROCS - 1: the last key of each processor */
static long *coming, *before; /* the numbers of keys from each processor, and their beginnings */
static long many_sorted;      /* keys of this processor before they are dealt out */

static key *global on(int p, key *mine) { return (key * global) toglobal(p, mine); }

/* ---- keys ---------------------------------------------------------------------------------------------- */

static unsigned long scrambled(unsigned long x) {
    x = (x + 1) * 0x9e3779b97f4a7c15UL;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9UL;
    x = (x ^ x >> 27) * 0x94d049bb133111ebUL;
    return (x ^ x >> 31) >> 33;
}

static key uniform_key(long i) { return (key)scrambled((unsigned long)i); }
static key normal_key(long i) {
    unsigned long sum = 0;
    for (int k = 0; k < 4; k++)
        sum += scrambled((unsigned long)(4 * i + k));
    return (key)(sum / 4);
}
/* Sets few of the bits: many keys are equal. */
static key sparse_key(long i) {
    unsigned long all = ~0UL;
    for (int k = 0; k < 4; k++)
        all &= scrambled((unsigned long)(4 * i + k));
    return (key)all;
}
static key ascending_key(long i) { return (key)i; }
static key equal_key(long i) { return (key)(i * 0 + 12345); }

static const struct distribution {
    const char *name;
    key (*at)(long i);
} distributions[] = {{"uniform", uniform_key},
                     {"sparse", sparse_key},
                     {"normal", normal_key},
                     {"ascending", ascending_key},
                     {"equal", equal_key}};

/* ---- steps of one processor ---------------------------------------------------------------------------- */

static int short_digit(key k, int shift) { return k >> shift & (SHORT_DIGITS - 1); }

static void short_pass(const key *from, key *to, long m, int shift) {
    long place[SHORT_DIGITS] = {0}, sum = 0;
    for (long i = 0; i < m; i++)
        place[short_digit(from[i], shift)]++;
    for (int d = 0; d < SHORT_DIGITS; d++) {
        long here = place[d];
        place[d] = sum;
        sum += here;
    }
    for (long i = 0; i < m; i++)
        to[place[short_digit(from[i], shift)]++] = from[i];
}

static void sort_own(key *own, key *scratch, long m) {
    for (int shift = 0; shift < 4 * SHORT_BITS; shift += 2 * SHORT_BITS) {
        short_pass(own, scratch, m, shift);
        short_pass(scratch, own, m, shift + SHORT_BITS);
    }
}

static void count_digits(const key *from, long m, int shift) {
    memset(counts, 0, sizeof counts);
    for (long i = 0; i < m; i++)
        counts[from[i] >> shift & (DIGITS - 1)]++;
}

/* Merges the m lowest, or the m highest, keys of two sorted blocks. */
static void merge(const key *a, const key *b, key *kept, long m, int lowest) {
    long i, j, k;
    if (lowest)
        for (i = j = k = 0; k < m; k++)
            kept[k] = a[i] <= b[j] ? a[i++] : b[j++];
    else
        for (i = j = m - 1, k = m; k-- > 0;)
            kept[k] = a[i] > b[j] ? a[i--] : b[j--];
}

static int owner_of(key k) {
    int low = 0, high = PROCS - 1;
    while (low < high) {
        int middle = (low + high) / 2;
        if (k <= splitters[middle])
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Groups m keys by owner, and sets ends[p] to the end of the group of processor p. */
static void group(const key *own, key *grouped, long m, long *ends) {
    long sum = 0;
    memset(ends, 0, (size_t)PROCS * sizeof *ends);
    for (long i = 0; i < m; i++)
        ends[owner_of(own[i])]++;
    for (int p = 0; p < PROCS; p++) {
        long here = ends[p];
        ends[p] = sum;
        sum += here;
    }
    for (long i = 0; i < m; i++)
        grouped[ends[owner_of(own[i])]++] = own[i];
}

/* ---- bitonic sort: places are blocks, comparing is merging; PROCS is a power of two -------------------- */

enum { BITONIC_SORT, BITONIC_EXCHANGE, BITONIC_MERGE };
static const char *const bitonic_phases[] = {"sort", "exchange", "merge", NULL};

static void bitonic(long m) {
    sort_own(keys, spare, m);
    probe_phase(BITONIC_SORT);
    for (int size = 2; size <= PROCS; size *= 2)
        for (int distance = size / 2; distance > 0; distance /= 2) {
            int partner = MYPROC ^ distance, upwards = (MYPROC & size) == 0;
            bulk_store(on(partner, other), keys, (size_t)m * sizeof(key));
            all_store_sync();
            probe_phase(BITONIC_EXCHANGE);
            merge(keys, other, spare, m, (MYPROC < partner) == upwards);
            memcpy(keys, spare, (size_t)m * sizeof(key));
            probe_phase(BITONIC_MERGE);
            barrier(); /* `other' is read */
            probe_phase(BITONIC_EXCHANGE);
        }
}

/* ---- column sort (Leighton): a column a processor; m >= 2 (PROCS - 1)^2, and 2 PROCS divides m --------- */

enum { COLUMN_SORT, COLUMN_TRANSPOSE, COLUMN_MERGE };
static const char *const column_phases[] = {"sort", "transpose", "merge", NULL};

static void column(long m) {
    long rows = m / PROCS, half = m / 2;
    sort_own(keys, spare, m);
    probe_phase(COLUMN_SORT);
    for (int p = 0; p < PROCS; p++) { /* taken up by columns, put down by rows */
        key *global to = on(p, other + MYPROC * rows);
        for (long i = 0; i < rows; i++)
            to[i] :- keys[i * PROCS + p];
    }
    all_store_sync();
    probe_phase(COLUMN_TRANSPOSE);
    sort_own(other, spare, m);
    probe_phase(COLUMN_SORT);
    for (int p = 0; p < PROCS; p++) { /* back: row p * rows + i of column MYPROC */
        key *global to = on(p, keys);
        for (long i = 0; i < rows; i++)
            to[i * PROCS + MYPROC] :- other[p * rows + i];
    }
    all_store_sync();
    probe_phase(COLUMN_TRANSPOSE);
    sort_own(keys, spare, m);
    probe_phase(COLUMN_SORT);
    /* Shifted by half a column, sorted and shifted back: two halves, both sorted, are merged. */
    if (MYPROC + 1 < PROCS)
        bulk_store(on(MYPROC + 1, other), keys + half, (size_t)half * sizeof(key));
    all_store_sync();
    if (MYPROC > 0) {
        for (long i = 0, j = 0, k = 0; k < m; k++)
            spare[k] = j == half || (i < half && other[i] <= keys[j]) ? other[i++] : keys[j++];
        bulk_store(on(MYPROC - 1, keys + half), spare, (size_t)half * sizeof(key));
        memcpy(keys, spare + half, (size_t)half * sizeof(key));
    }
    all_store_sync();
    probe_phase(COLUMN_MERGE);
}

/* ---- radix sort: two passes of 16 bits ----------------------------------------------------------------- */

enum { RADIX_HISTOGRAM, RADIX_SCAN, RADIX_PERMUTE };
static const char *const radix_phases[] = {"histogram", "scan", "permute", NULL};

static long digits_run(void) { return (DIGITS + PROCS - 1) / PROCS; }
static long digits_of(int p) {
    long first = p * digits_run(), run = DIGITS - first;
    return run < 0 ? 0 : run < digits_run() ? run : digits_run();
}

/* Computes from the counts of all processors the places of this processor's keys of each digit among all
 * keys. Each processor does this for a run of digits, for all processors. */
static void scan_digits(void) {
    long run = digits_run(), own = digits_of(MYPROC), sum = 0;
    for (int p = 0; p < PROCS; p++)
        bulk_store((void *global)toglobal(p, table + MYPROC * run), counts + p * run,
                   (size_t)digits_of(p) * sizeof *counts);
    all_store_sync();
    for (int p = 0; p < PROCS; p++)
        for (long d = 0; d < own; d++)
            sum += table[p * run + d];
    sum = all_scan_ladd(sum) - sum;
    for (long d = 0; d < own; d++)
        for (int p = 0; p < PROCS; p++) {
            dealt[p * run + d] = (int)sum;
            sum += table[p * run + d];
        }
    for (int p = 0; p < PROCS; p++)
        bulk_store((void *global)toglobal(p, places + MYPROC * run), dealt + p * run,
                   (size_t)own * sizeof *dealt);
    all_store_sync();
}

/* m is a power of two. */
static void radix(long m) {
    int log_m = __builtin_ctzl((unsigned long)m);
    key *from = keys, *to = other;
    for (int shift = 0; shift < 2 * DIGIT_BITS; shift += DIGIT_BITS) {
        count_digits(from, m, shift);
        probe_phase(RADIX_HISTOGRAM);
        scan_digits();
        probe_phase(RADIX_SCAN);
        for (long i = 0; i < m; i++) {
            long at = places[from[i] >> shift & (DIGITS - 1)]++;
            *on((int)(at >> log_m), to + (at & (m - 1))) :- from[i];
        }
        all_store_sync();
        probe_phase(RADIX_PERMUTE);
        key *swap = from;
        from = to;
        to = swap;
    }
}

/* ---- sample sort --------------------------------------------------------------------------------------- */

enum { SAMPLE_SPLITTERS, SAMPLE_GROUP, SAMPLE_EXCHANGE, SAMPLE_SORT, SAMPLE_DEAL };
static const char *const sample_phases[] = {"splitters", "group", "exchange", "sort", "deal out", NULL};

static void choose_splitters(long m) {
    key *global to = on(0, sample + MYPROC * SAMPLES);
    for (int i = 0; i < SAMPLES; i++)
        to[i] :- keys[i * m / SAMPLES];
    all_store_sync();
    if (MYPROC == 0) {
        sort_own(sample, several, (long)PROCS * SAMPLES);
        for (int p = 0; p < PROCS; p++)
            for (int s = 0; s < PROCS - 1; s++)
                *on(p, splitters + s) :- sample[(s + 1) * SAMPLES - 1];
    }
    all_store_sync();
}

/* Sends the groups to their owners, after the numbers of keys. */
static void exchange_groups(const key *grouped, const long *ends) {
    for (int p = 0; p < PROCS; p++)
        *(long *global)toglobal(p, coming + MYPROC) :- ends[p] - (p ? ends[p - 1] : 0);
    all_store_sync();
    many_sorted = 0;
    for (int p = 0; p < PROCS; p++) {
        *(long *global)toglobal(p, before + MYPROC) :- many_sorted;
        many_sorted += coming[p];
    }
    all_store_sync();
    for (int p = 0; p < PROCS; p++) {
        long begin = p ? ends[p - 1] : 0;
        key *global to = (key *global)(received + p) + before[p];
        if (ends[p] > begin)
            bulk_store(to, grouped + begin, (size_t)(ends[p] - begin) * sizeof(key));
    }
    all_store_sync();
}

/* Stores the sorted keys to blocks of m, after those of the processors before. */
static void deal_out(const key *sorted, long m) {
    long left = many_sorted, at = all_scan_ladd(left) - left;
    while (left > 0) {
        long run = m - at % m < left ? m - at % m : left;
        bulk_store(on((int)(at / m), keys + at % m), sorted, (size_t)run * sizeof(key));
        sorted += run, at += run, left -= run;
    }
    all_store_sync();
}

static void sample_sort(long m) {
    static long ends[1024];
    key *own = (key *)tolocal(received + MYPROC);
    choose_splitters(m);
    probe_phase(SAMPLE_SPLITTERS);
    group(keys, spare, m, ends);
    probe_phase(SAMPLE_GROUP);
    exchange_groups(spare, ends);
    probe_phase(SAMPLE_EXCHANGE);
    sort_own(own, several, many_sorted);
    probe_phase(SAMPLE_SORT);
    deal_out(own, m);
    probe_phase(SAMPLE_DEAL);
}

/* ---- points -------------------------------------------------------------------------------------------- */

static int power_of_two(long n) { return (n & (n - 1)) == 0; }

static const struct sort {
    const char *name;
    void (*run)(long m);
    const char *const *phases;
} sorts[] = {{"bitonic", bitonic, bitonic_phases},
             {"column", column, column_phases},
             {"radix", radix, radix_phases},
             {"sample", sample_sort, sample_phases}};

/* Steps of one processor, under the names that the prediction uses. */
static void local_sort(long m) { sort_own(keys, spare, m); }
static void local_histogram(long m) { count_digits(keys, m, 0); }
static void local_merge(long m) {
    merge(keys, other, spare, m, 1);
    memcpy(keys, spare, (size_t)m * sizeof(key));
}
static void local_group(long m) {
    static long ends[1024];
    group(keys, spare, m, ends);
}
static void local_permute(long m) {
    for (long i = 0; i < m; i++)
        other[places[keys[i] & (DIGITS - 1)]++] = keys[i];
}
static void local_transpose(long m) {
    long rows = m / PROCS;
    for (int p = 0; p < PROCS; p++)
        for (long i = 0; i < rows; i++)
            other[p * rows + i] = keys[i * PROCS + p];
}
/* Scans as many digits as a processor does, for as many processors as there are; m does not matter. */
static void local_scan(long m) {
    long run = digits_run(), sum = 0;
    for (int p = 0; p < PROCS; p++)
        for (long d = 0; d < run; d++)
            sum += table[p * run + d];
    for (long d = 0; d < run; d++)
        for (int p = 0; p < PROCS; p++) {
            dealt[p * run + d] = (int)sum;
            sum += table[p * run + d];
        }
    (void)m;
}
/* Does processor 0's part of choosing splitters. */
static void local_splitters(long m) {
    for (long i = 0; i < (long)PROCS * SAMPLES; i++)
        sample[i] = keys[i % m];
    sort_own(sample, several, (long)PROCS * SAMPLES);
}
static const struct sort steps[] = {
    {"local sort", local_sort, NULL},           {"local histogram", local_histogram, NULL},
    {"local merge", local_merge, NULL},         {"local group", local_group, NULL},
    {"local permute", local_permute, NULL},     {"local scan", local_scan, NULL},
    {"local transpose", local_transpose, NULL}, {"local splitters", local_splitters, NULL},
};

/* The sort, or step, and the keys of each point. */
static struct {
    const struct sort *sort;
    const struct distribution *distribution;
} choices[MOST_POINTS];

static void make_keys(const struct distribution *distribution, long m) {
    for (long i = 0; i < m; i++)
        first_keys[i] = distribution->at(MYPROC * m + i);
}

/* Prepares the input of the steps: sorted blocks to be merged, the places of digits, splitters. */
static void prepare_step(long m) {
    long sum = 0;
    memcpy(keys, first_keys, (size_t)m * sizeof(key));
    count_digits(keys, m, 0);
    for (long d = 0; d < DIGITS; d++) {
        places[d] = (int)sum;
        sum += counts[d];
    }
    if (choices[probe_now - probe_points].sort->run != local_merge)
        return;
    sort_own(keys, spare, m);
    for (long i = 0; i < m; i++)
        other[i] = choices[probe_now - probe_points].distribution->at(m + i);
    sort_own(other, spare, m);
}

static void prepare(void) {
    long m = probe_now->at[0];
    make_keys(choices[probe_now - probe_points].distribution, m);
    /* Splitters that divide the keys evenly, as those of the sort do, so that the owner of a key cannot be
     * predicted. */
    memcpy(keys, first_keys, (size_t)m * sizeof(key));
    sort_own(keys, spare, m);
    for (int p = 0; p < PROCS - 1; p++)
        splitters[p] = keys[(p + 1) * m / PROCS - 1];
    barrier();
}

static double time_sort(long turns) {
    const struct sort *sort = choices[probe_now - probe_points].sort;
    long m = probe_now->at[0];
    double took = 0;
    while (turns--) {
        memcpy(keys, first_keys, (size_t)m * sizeof(key));
        barrier();
        probe_begin();
        double start = probe_phase_began;
        sort->run(m);
        took += measure_clock() - start;
        barrier();
    }
    return took;
}

static double time_step(long turns) {
    const struct sort *step = choices[probe_now - probe_points].sort;
    long m = probe_now->at[0];
    double took = 0;
    while (PROBE_WORKS && turns--) {
        prepare_step(m);
        double start = measure_clock();
        step->run(m);
        took += measure_clock() - start;
        MEASURE_FORGET();
    }
    return took;
}

/* Checks that the blocks are in order, and have the original keys: by sums over all processors. */
static void check(const struct sort *sort, const struct distribution *distribution, long m) {
    long had = 0, have = 0, wrong = 0;
    make_keys(distribution, m);
    memcpy(keys, first_keys, (size_t)m * sizeof(key));
    barrier();
    sort->run(m);
    barrier();
    for (long i = 0; i < m; i++) {
        had += (long)scrambled(first_keys[i]);
        have += (long)scrambled(keys[i]);
        key last = i > 0 ? keys[i - 1] : MYPROC > 0 ? *on(MYPROC - 1, keys + m - 1) : 0;
        wrong += keys[i] < last;
    }
    had = all_reduce_to_all_ladd(had);
    have = all_reduce_to_all_ladd(have);
    if (all_reduce_to_all_ladd(wrong) == 0 && had == have)
        return;
    fprintf(stderr, "%s sort does not sort %ld %s keys a processor\n", sort->name, m, distribution->name);
    abort();
}

static void add(const struct sort *sort, const struct distribution *distribution, long m, int is_step) {
    static char names[MOST_POINTS][32];
    snprintf(names[probe_many], sizeof names[0], "%s, %s", sort->name, distribution->name);
    choices[probe_many].sort = sort;
    choices[probe_many].distribution = distribution;
    probe_add((struct point){.part = "sorts", .series = names[probe_many], .axis = {"keys"}, .at = {m},
                             .timed = is_step ? time_step : time_sort, .phases = sort->phases,
                             .prepare = prepare, .operations = (double)m});
}

static void add_sorts(void) {
    unsigned kinds = probe_quick ? 2 : sizeof distributions / sizeof *distributions;
    long least = probe_quick ? 4L << 10 : 1L << 10, most = probe_quick ? 16L << 10 : MOST_KEYS;
    for (unsigned s = 0; s < sizeof sorts / sizeof *sorts; s++) {
        /* Networks of blocks and columns need their numbers. */
        if ((sorts[s].run == bitonic || sorts[s].run == column) && !power_of_two(PROCS))
            continue;
        if (sorts[s].run == column && CHECKED < 2 * (PROCS - 1) * (PROCS - 1))
            continue;
        for (unsigned d = 0; d < sizeof distributions / sizeof *distributions; d++)
            check(&sorts[s], &distributions[d], CHECKED);
        for (unsigned d = 0; d < kinds; d++)
            for (long m = least; m <= most; m <<= 2)
                add(&sorts[s], &distributions[d], m, 0);
    }
    if (probe_messages)
        return;
    for (unsigned s = 0; s < sizeof steps / sizeof *steps; s++)
        for (unsigned d = 0; d < kinds; d++)
            for (long m = least; m <= most; m <<= 2)
                add(&steps[s], &distributions[d], m, 1);
}

/* ---- exchanges, which are measured with the sorts that they predict ------------------------------------ */

#include "split-c.inc"

#include "exchange.inc"

static const struct part parts[] = {{"sorts", add_sorts}, {"exchange", add_exchange}};

/* Returns n bytes at the same place of every processor. */
static void *everywhere(size_t n) {
    char *spread blocks = (char *spread)all_spread_malloc((size_t)PROCS, n);
    return tolocal(blocks + MYPROC);
}

int splitc_main(int argc, char **argv) {
    if (PROCS > 1024) {
        fprintf(stderr, "%s: at most 1024 processors\n", argv[0]);
        return 2;
    }
    size_t each = (size_t)PROCS;
    received = (key *spread)all_spread_malloc(each, each * MOST_KEYS * sizeof(key));
    several = malloc(each * MOST_KEYS * sizeof(key));
    sample = everywhere(each * SAMPLES * sizeof(key));
    splitters = everywhere(each * sizeof(key));
    coming = everywhere(each * sizeof(long));
    before = everywhere(each * sizeof(long));
    table = everywhere(each * (size_t)digits_run() * sizeof *table);
    dealt = everywhere(each * (size_t)digits_run() * sizeof *dealt);
    barrier();
    return PROBE_MAIN(argc, argv, parts);
}
