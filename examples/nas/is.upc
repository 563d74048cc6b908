/* is: ranks of integer keys (NAS IS).
 *
 * Ten times, the rank of each of 2^n keys is computed, the number of smaller keys. Two keys change each time.
 * The keys are not moved; copies go to the threads that count their values.
 *
 * Communication, each time: one upc_all_gather_all of the number of keys of each thread in each of 1,024
 * buckets. From it all threads compute alike which buckets a thread counts, and the place in its memory for
 * the keys of each sender. So every thread writes all its keys for another by one split-phase transfer, and
 * one barrier ends the exchange. A receiver counts its keys as private memory. */
#include "nas.h"
#include "is.h"

/* The addresses of all threads' shares of the keys, and of the keys whose values they count. */
typedef shared[] int *keys_t;
static keys_t *keys, *received;

static shared[BUCKETS] int in_bucket[BUCKETS * THREADS]; /* the keys of each thread in each bucket */
static shared int *gathered;                             /* from element MYTHREAD on: all of in_bucket */

/* Values that all threads compute alike in each round: thread t counts buckets begin[t] ... begin[t + 1]
 * - 1, in which the least key has rank first[t]. */
static int *begin;
static long *first;

static int *sorted; /* this thread's keys, bucket by bucket */
static int *ranks;  /* of the values this thread counts, from the lowest on */

/* ---- the keys ------------------------------------------------------------------------------------------ */

/* Allocates memory for `mine' keys of this thread. Returns the addresses of all threads' memory. Each has
 * its own copy of them: each read of another host's memory would cost a round trip. */
static keys_t *allocate_parts(long mine) {
    static shared keys_t directory[THREADS];
    keys_t *parts = need(malloc(THREADS * sizeof *parts));
    directory[MYTHREAD] = (keys_t)need_shared((mine + 1) * sizeof(int));
    upc_barrier;
    for (int t = 0; t < THREADS; t++)
        parts[t] = directory[t];
    upc_barrier;
    return parts;
}

static void make_keys(void) {
    long mine = share_of(MYTHREAD, n);
    keys = allocate_parts(mine);
    received = allocate_parts(n); /* memory is committed only when it is used */
    gathered = (shared int *)upc_all_alloc(THREADS, THREADS * BUCKETS * sizeof(int));
    begin = need(calloc(THREADS + 1, sizeof *begin));
    first = need(calloc(THREADS + 1, sizeof *first));
    sorted = need(malloc((mine + 1) * sizeof(int)));
    ranks = need(malloc((sizeof *ranks) << class->log_values));

    draw_keys((int *)keys[MYTHREAD], first_of(MYTHREAD, n), mine);
}

/* Key i, on any thread. */
static shared[] int *key_at(long i) {
    int owner = owner_of(i, n);
    return &keys[owner][i - first_of(owner, n)];
}

/* ---- a round ------------------------------------------------------------------------------------------- */

/* Sorts this thread's keys by buckets, and tells all threads how many are in each. */
static void sort_by_bucket(void) {
    const int *key = (int *)keys[MYTHREAD];
    int *count = (int *)&in_bucket[MYTHREAD * BUCKETS], place[BUCKETS];
    long mine = share_of(MYTHREAD, n);
    memset(count, 0, BUCKETS * sizeof *count);
    for (long i = 0; i < mine; i++)
        count[key[i] >> shift]++;
    for (int b = 0, at = 0; b < BUCKETS; at += count[b++])
        place[b] = at;
    for (long i = 0; i < mine; i++)
        sorted[place[key[i] >> shift]++] = key[i];
    upc_all_gather_all(gathered, in_bucket, BUCKETS * sizeof(int), UPC_IN_MYSYNC | UPC_OUT_MYSYNC);
}

/* Shares the buckets out so that all threads count about as many keys. */
static void share_out(const int (*count)[BUCKETS]) {
    long rank = 0;
    int t = 0;
    for (int b = 0; b < BUCKETS; b++) {
        for (; t < THREADS && rank >= first_of(t, n); t++) {
            begin[t] = b;
            first[t] = rank;
        }
        for (int s = 0; s < THREADS; s++)
            rank += count[s][b];
    }
    for (; t <= THREADS; t++) {
        begin[t] = BUCKETS;
        first[t] = rank;
    }
}

/* Writes to every thread the keys that it counts, after those of the threads before this one. All have
 * finished with the keys of the previous round: none leaves the gathering before all have entered it. */
static void exchange(const int (*count)[BUCKETS]) {
    for (int step = 1; step <= THREADS; step++) {
        int t = (MYTHREAD + step) % THREADS; /* not all to thread 0 first */
        long from = 0, to = 0, length = 0;
        for (int b = 0; b < begin[t]; b++)
            from += count[MYTHREAD][b];
        for (int b = begin[t]; b < begin[t + 1]; b++) {
            length += count[MYTHREAD][b];
            for (int s = 0; s < MYTHREAD; s++)
                to += count[s][b];
        }
        upc_memput_nbi(received[t] + to, sorted + from, length * sizeof(int));
    }
    upc_synci();
    upc_barrier;
}

/* The ranks of the values that this thread counts. */
static void count_values(void) {
    const int *key = (int *)received[MYTHREAD];
    int lowest = begin[MYTHREAD] << shift;
    long values = (long)(begin[MYTHREAD + 1] - begin[MYTHREAD]) << shift;
    memset(ranks, 0, values * sizeof *ranks);
    for (long i = 0; i < first[MYTHREAD + 1] - first[MYTHREAD]; i++)
        ranks[key[i] - lowest]++;
    long rank = first[MYTHREAD];
    for (long v = 0; v < values; v++) {
        int equal = ranks[v];
        ranks[v] = (int)rank;
        rank += equal;
    }
}

/* Returns the number of this thread's wrong published ranks. The keys read here never change. */
static int test(int round) {
    int wrong = 0;
    for (int k = 0; k < TESTS; k++) {
        int value = *key_at(class->tested[k]), bucket = value >> shift;
        if (bucket < begin[MYTHREAD] || bucket >= begin[MYTHREAD + 1])
            continue;
        long rank = ranks[value - (begin[MYTHREAD] << shift)];
        long right = right_rank(k, round);
        if (rank != right)
            printf("round %d: key %ld has rank %ld, must be %ld\n", round, class->tested[k], rank, right);
        wrong += rank != right;
    }
    return wrong;
}

static int rank_all(int round) {
    long changed[] = {round, round + ROUNDS};
    int value[] = {round, (1 << class->log_values) - round};
    for (int i = 0; i < 2; i++)
        if (owner_of(changed[i], n) == MYTHREAD)
            *key_at(changed[i]) = value[i];
    sort_by_bucket();
    const int(*count)[BUCKETS] = (const int(*)[BUCKETS])(int *)&gathered[MYTHREAD];
    share_out(count);
    exchange(count);
    count_values();
    return test(round);
}

/* ---- the whole ----------------------------------------------------------------------------------------- */

/* Puts the received keys at their ranks. Returns how many are then out of order, or missing. */
static int wrong_order(void) {
    const int *key = (int *)received[MYTHREAD];
    long mine = first[MYTHREAD + 1] - first[MYTHREAD], wrong = 0;
    int *ordered = need(malloc((mine + 1) * sizeof *ordered));
    memset(ordered, -1, (mine + 1) * sizeof *ordered);
    for (long i = 0; i < mine; i++)
        ordered[ranks[key[i] - (begin[MYTHREAD] << shift)]++ - first[MYTHREAD]] = key[i];
    for (long i = 0; i < mine; i++)
        wrong += ordered[i] < (i ? ordered[i - 1] : begin[MYTHREAD] << shift);
    free(ordered);
    return (int)wrong;
}

int main(int argc, char **argv) {
    int chosen = read_class(argc, argv);
    class = &classes[chosen];
    n = 1L << class->log_keys;
    shift = class->log_values - 10;
    make_keys();
    rank_all(1); /* not timed: memory is committed when it is first used */
    upc_barrier;
    double start = seconds();
    int wrong = 0;
    for (int round = 1; round <= ROUNDS; round++)
        wrong += rank_all(round);
    upc_barrier;
    double took = seconds() - start;
    wrong += wrong_order();
    bool good = all_sum(wrong) == 0 && first[THREADS] == n;
    if (MYTHREAD == 0)
        printf("%ld keys below %d, ranked %d times\n", n, 1 << class->log_values, ROUNDS);
    return verdict("is", chosen, good, took, (double)ROUNDS * n);
}
