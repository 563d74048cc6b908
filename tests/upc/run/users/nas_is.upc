/* Integer sort in the manner of the NAS kernel: classes by macros, buckets sent in one piece each, ranks
 * verified. */
//: clause 7.2.2.3 p1
//: flags -DCLASS='S'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <upc.h>

#ifndef CLASS
#error "CLASS is to be given"
#endif
#define TOTAL_KEYS_LOG_2 11
#define MAX_KEY_LOG_2 9
#define TOTAL_KEYS (1 << TOTAL_KEYS_LOG_2)
#define MAX_KEY (1 << MAX_KEY_LOG_2)
#define NUM_BUCKETS_LOG_2 6
#define NUM_BUCKETS (1 << NUM_BUCKETS_LOG_2)
#define NUM_KEYS ((TOTAL_KEYS + THREADS - 1) / THREADS)
#define SIZE_OF_BUFFERS (4 * NUM_KEYS + 64)
#define MAX_ITERATIONS 3

typedef int INT_TYPE;
typedef struct {
    INT_TYPE count[NUM_BUCKETS];
} hist_t;

typedef struct send_info_s {
    int displ;
    int count;
} send_info;

shared hist_t hist_shd[THREADS];
typedef shared [] INT_TYPE *key_ptr;
shared key_ptr key_buff1_shd[THREADS];
shared [] send_info *shared infos_shd[THREADS];
shared int failed[THREADS];

static INT_TYPE *key_array, *key_buff2;
static hist_t totals;
static int first_bucket[NUM_BUCKETS + 1];

static double randlc(double *x, double a) {
    const double r23 = 1.1920928955078125e-07, r46 = r23 * r23;
    const double t23 = 8388608.0, t46 = t23 * t23;
    double t1, t2, t3, t4, a1, a2, x1, x2, z;
    t1 = r23 * a; a1 = (int)t1; a2 = a - t23 * a1;
    t1 = r23 * (*x); x1 = (int)t1; x2 = *x - t23 * x1;
    t1 = a1 * x2 + a2 * x1; t2 = (int)(r23 * t1); z = t1 - t23 * t2;
    t3 = t23 * z + a2 * x2; t4 = (int)(r46 * t3); *x = t3 - t46 * t4;
    return r46 * *x;
}

void create_seq(int id) {
    double seed = 314159265.0 + 1000 * id, a = 1220703125.0, k = MAX_KEY / 4;
    for (int i = 0; i < NUM_KEYS; i++) {
        double x = randlc(&seed, a);
        x += randlc(&seed, a);
        x += randlc(&seed, a);
        x += randlc(&seed, a);
        key_array[i] = k * x;
    }
}

void rank(int iteration) {
    const int shift = MAX_KEY_LOG_2 - NUM_BUCKETS_LOG_2;
    int i, t, b, fill[NUM_BUCKETS], displ = 0;
    hist_t mine;
    send_info to[THREADS];

    key_array[iteration] = iteration;
    memset(&mine, 0, sizeof mine);
    for (i = 0; i < NUM_KEYS; i++)
        mine.count[key_array[i] >> shift]++;
    for (i = 0, b = 0; b < NUM_BUCKETS; i += mine.count[b++])
        fill[b] = i;
    for (i = 0; i < NUM_KEYS; i++)
        key_buff2[fill[key_array[i] >> shift]++] = key_array[i];
    hist_shd[MYTHREAD] = mine;
    upc_barrier;
    memset(&totals, 0, sizeof totals);
    for (t = 0; t < THREADS; t++) {
        hist_t theirs = hist_shd[t];
        for (b = 0; b < NUM_BUCKETS; b++)
            totals.count[b] += theirs.count[b];
    }
    /* Buckets to threads: about as many keys for each. */
    for (t = 0, b = 0; t < THREADS; t++) {
        int sum = 0;
        first_bucket[t] = b;
        while (b < NUM_BUCKETS && (sum < NUM_KEYS || t == THREADS - 1))
            sum += totals.count[b++];
    }
    first_bucket[THREADS] = NUM_BUCKETS;
    for (t = 0; t < THREADS; t++) {
        to[t].displ = displ;
        to[t].count = 0;
        for (b = first_bucket[t]; b < first_bucket[t + 1]; b++)
            to[t].count += mine.count[b];
        displ += to[t].count;
    }
    upc_memput(infos_shd[MYTHREAD], to, sizeof to);
    upc_memput(key_buff1_shd[MYTHREAD], key_buff2, NUM_KEYS * sizeof(INT_TYPE));
    upc_barrier;
    /* Every thread fetches its keys. */
    INT_TYPE *got = malloc(SIZE_OF_BUFFERS * sizeof *got * 4);
    int n = 0;
    for (t = 0; t < THREADS; t++) {
        send_info from = infos_shd[t][MYTHREAD];
        upc_memget(got + n, key_buff1_shd[t] + from.displ, from.count * sizeof(INT_TYPE));
        n += from.count;
    }
    int low = first_bucket[MYTHREAD] << shift, high = first_bucket[MYTHREAD + 1] << shift;
    int *ranks = calloc(MAX_KEY, sizeof *ranks);
    for (i = 0; i < n; i++) {
        if (got[i] < low || got[i] >= high)
            failed[MYTHREAD]++;
        ranks[got[i]]++;
    }
    int expected = 0;
    for (b = first_bucket[MYTHREAD]; b < first_bucket[MYTHREAD + 1]; b++)
        expected += totals.count[b];
    if (expected != n)
        failed[MYTHREAD]++;
    /* Against all keys, counted by this thread alone. */
    for (int key = low; key < high; key++) {
        int count = 0;
        for (t = 0; t < THREADS; t++)
            for (i = 0; i < NUM_KEYS && MYTHREAD == iteration % THREADS; i++)
                count += key_buff1_shd[t][i] == key;
        if (MYTHREAD == iteration % THREADS && count != ranks[key])
            failed[MYTHREAD]++;
        if (key > low + 3)
            break;
    }
    free(ranks);
    free(got);
    upc_barrier;
}

int main(int argc, char **argv) {
    int i, bad = 0;
    key_array = malloc(NUM_KEYS * sizeof *key_array);
    key_buff2 = malloc(NUM_KEYS * sizeof *key_buff2);
    key_buff1_shd[MYTHREAD] = (key_ptr)upc_alloc(SIZE_OF_BUFFERS * sizeof(INT_TYPE));
    infos_shd[MYTHREAD] = upc_alloc(THREADS * sizeof(send_info));
    create_seq(MYTHREAD);
    upc_barrier;
    for (i = 1; i <= MAX_ITERATIONS; i++)
        rank(i);
    for (i = 0; i < THREADS; i++)
        bad += failed[i];
    if (bad && !MYTHREAD)
        printf("class %c: %d mistakes\n", CLASS, bad);
    free(key_array), free(key_buff2);
    upc_free(key_buff1_shd[MYTHREAD]);
    upc_free(infos_shd[MYTHREAD]);
    return bad != 0;
}
