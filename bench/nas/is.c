/* NAS IS, the counterpart of examples/nas/is.upc: ranks of keys by buckets, of which each thread or process
 * counts its share.
 *
 * With MPI, as in UPC: one MPI_Allgather of the counts, one MPI_Alltoallv of the keys. With OpenMP a thread
 * writes each of its keys to its place in an array that all threads share. */
#include "../c/parallel.h"
#include "../../examples/nas/is.h"

/* Parts of the work: a process with MPI, a thread with OpenMP.  Part p counts the buckets from begin[p] up
 * to, and without, begin[p + 1]; the least key in them has rank first[p]. */
static int parts;
static int (*counts)[BUCKETS]; /* of each part's keys */
static int *begin;
static long *first;

static int *keys, *received, *ranks; /* of this process */
static int tested[TESTS];            /* the keys whose ranks are published, which never change */
#ifdef WITH_MPI
static int *sorted, *lengths[2], *places[2]; /* keys by bucket; their lengths and places, sent and received */
#endif

static long part_first(int part) { return part * n / parts; }

/* The beginnings of part p's keys among the process's, in `keys' and in `received'. */
static long keys_at(int part) { return part_first(part) - first_of(rank, n); }
static long received_at(int part) { return first[part] - first[rank * parts / processes]; }

static void count_buckets(int part, const int *key, long many) {
    memset(counts[part], 0, sizeof counts[part]);
    for (long i = 0; i < many; i++)
        counts[part][key[i] >> shift]++;
}

/* Divides the buckets so that all parts count about as many keys. */
static void share_out(void) {
    long below = 0;
    int p = 0;
    for (int b = 0; b < BUCKETS; b++) {
        for (; p < parts && below >= part_first(p); p++) {
            begin[p] = b;
            first[p] = below;
        }
        for (int s = 0; s < parts; s++)
            below += counts[s][b];
    }
    for (; p <= parts; p++) {
        begin[p] = BUCKETS;
        first[p] = below;
    }
}

/* Copies each key to its bucket's place, and advances that place. */
static void scatter(const int *key, long many, int *to, long *place) {
    for (long i = 0; i < many; i++)
        to[place[key[i] >> shift]++] = key[i];
}

/* Sends the keys of a part to the parts that count them, and receives those that it counts. */
static void exchange(int part, const int *key, long many) {
    long place[BUCKETS], at = 0;
#ifdef WITH_MPI
    for (int b = 0; b < BUCKETS; at += counts[part][b++])
        place[b] = at;
    scatter(key, many, sorted, place);
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, counts, BUCKETS, MPI_INT, MPI_COMM_WORLD);
    share_out();
    for (int p = 0; p < parts; p++) {
        lengths[0][p] = lengths[1][p] = 0;
        for (int b = begin[p]; b < begin[p + 1]; b++)
            lengths[0][p] += counts[part][b];
        for (int b = begin[part]; b < begin[part + 1]; b++)
            lengths[1][p] += counts[p][b];
        for (int i = 0; i < 2; i++)
            places[i][p] = p ? places[i][p - 1] + lengths[i][p - 1] : 0;
    }
    MPI_Alltoallv(sorted, lengths[0], places[0], MPI_INT, received, lengths[1], places[1], MPI_INT,
                  MPI_COMM_WORLD);
#else
#pragma omp barrier
#pragma omp single
    share_out();
    for (int b = 0; b < BUCKETS; b++)
        for (int s = 0; s < parts; s++) {
            if (s == part)
                place[b] = at;
            at += counts[s][b];
        }
    scatter(key, many, received, place);
#pragma omp barrier
#endif
}

/* Computes the ranks of the values that a part counts. */
static void count_values(int part) {
    const int *key = received + received_at(part);
    int *low = ranks + ((long)begin[part] << shift), *high = ranks + ((long)begin[part + 1] << shift);
    memset(low, 0, (size_t)(high - low) * sizeof *low);
    for (long i = 0; i < first[part + 1] - first[part]; i++)
        ranks[key[i]]++;
    long below = first[part];
    for (int *value = low; value < high; value++) {
        int equal = *value;
        *value = (int)below;
        below += equal;
    }
}

/* Returns the number of the published ranks of a part that are wrong. */
static int test(int part, int round) {
    int wrong = 0;
    for (int k = 0; k < TESTS; k++) {
        int bucket = tested[k] >> shift;
        if (bucket >= begin[part] && bucket < begin[part + 1])
            wrong += ranks[tested[k]] != right_rank(k, round);
    }
    return wrong;
}

/* Does a round of one part. Returns the number of published ranks that are wrong. */
static int rank_part(int part, int round) {
    int *key = keys + keys_at(part);
    long many = part_first(part + 1) - part_first(part);
    long changed[] = {round, round + ROUNDS};
    int value[] = {round, (1 << class->log_values) - round};
    for (int i = 0; i < 2; i++)
        if (changed[i] >= part_first(part) && changed[i] < part_first(part + 1))
            key[changed[i] - part_first(part)] = value[i];
    count_buckets(part, key, many);
    exchange(part, key, many);
    count_values(part);
    return test(part, round);
}

static int rank_all(int round) {
    int wrong = 0;
#ifdef WITH_MPI
    wrong = rank_part(rank, round);
#else
#pragma omp parallel num_threads(parts) reduction(+ : wrong)
    {
        int part = 0;
#ifdef _OPENMP
        part = omp_get_thread_num();
#endif
        wrong += rank_part(part, round);
    }
#endif
    return wrong;
}

/* Puts the received keys at their ranks. Returns the number of keys that are then out of order, or
 * missing. */
static int wrong_order(int part) {
    const int *key = received + received_at(part);
    long many = first[part + 1] - first[part];
    int *ordered = need(malloc((many + 1) * sizeof *ordered)), wrong = 0;
    memset(ordered, -1, (many + 1) * sizeof *ordered);
    for (long i = 0; i < many; i++)
        ordered[ranks[key[i]]++ - first[part]] = key[i];
    for (long i = 0; i < many; i++)
        wrong += ordered[i] < (i ? ordered[i - 1] : begin[part] << shift);
    free(ordered);
    return wrong;
}

static void allocate(void) {
    long mine = share_of(rank, n);
    parts = processes * threads_of_process();
    counts = need(calloc(parts, sizeof *counts));
    begin = need(calloc(parts + 1, sizeof *begin));
    first = need(calloc(parts + 1, sizeof *first));
    keys = need(malloc((mine + 1) * sizeof *keys));
    received = need(malloc(n * sizeof *received));
    ranks = need(malloc((sizeof *ranks) << class->log_values));
    draw_keys(keys, first_of(rank, n), mine);
    for (int k = 0; k < TESTS; k++) {
        long at = class->tested[k] - first_of(rank, n);
        tested[k] = (int)all_sum(at >= 0 && at < mine ? keys[at] : 0);
    }
#ifdef WITH_MPI
    sorted = need(malloc((mine + 1) * sizeof *sorted));
    for (int i = 0; i < 2; i++) {
        lengths[i] = need(malloc(parts * sizeof(int)));
        places[i] = need(malloc(parts * sizeof(int)));
    }
#endif
}

int main(int argc, char **argv) {
    class = &classes[parallel_begin(argc, argv, "SWA")];
    n = 1L << class->log_keys;
    shift = class->log_values - 10;
    allocate();
    rank_all(1); /* not timed: memory is allocated at its first use */
    all_wait();
    double start = seconds();
    int wrong = 0;
    for (int round = 1; round <= ROUNDS; round++)
        wrong += rank_all(round);
    all_wait();
    double took = seconds() - start;
    for (int part = rank * parts / processes; part < (rank + 1) * parts / processes; part++)
        wrong += wrong_order(part);
    bool good = all_sum(wrong) == 0 && first[parts] == n;
    return verdict("is", good, took, (double)ROUNDS * n);
}
