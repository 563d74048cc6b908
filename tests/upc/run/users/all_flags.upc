// Every collective that moves data with all nine pairs of synchronisation flags, each compared with a loop of
// assignments.
//: clause 7.3.3 p4
#include "../../check.h"
#include <upc_collective.h>

#define B 5
shared[B] int a[B * THREADS];
shared[B] int b[B * THREADS];
shared[] int one[B * 64];
shared[B * 64] int wide[THREADS][B * 64], wide2[THREADS][B * 64];
shared int perm[THREADS];
shared[B] long sums[B * THREADS];
shared[B] long values[B * THREADS];
shared long total;

static const upc_flag_t in[] = {UPC_IN_ALLSYNC, UPC_IN_MYSYNC, UPC_IN_NOSYNC};
static const upc_flag_t out[] = {UPC_OUT_ALLSYNC, UPC_OUT_MYSYNC, UPC_OUT_NOSYNC};

/* Barriers supply the synchronisation that IN_MYSYNC and OUT_MYSYNC leave out. */
static void settle(void) { upc_barrier; }

static void fill(int salt) {
    settle();
    for (int k = 0; k < B; k++) {
        a[MYTHREAD * B + k] = salt + MYTHREAD * 100 + k;
        b[MYTHREAD * B + k] = -1;
        values[MYTHREAD * B + k] = salt % 10 + MYTHREAD + k;
        if (MYTHREAD == 0)
            one[k] = salt - k;
    }
    for (int k = 0; k < B * THREADS; k++) {
        wide[MYTHREAD][k] = salt + MYTHREAD * 1000 + k;
        wide2[MYTHREAD][k] = -1;
    }
    perm[MYTHREAD] = (MYTHREAD + salt) % THREADS;
    settle();
}

static void all(int salt, upc_flag_t flags) {
    fill(salt);
    upc_all_broadcast(b, one, B * sizeof(int), flags);
    settle();
    for (int k = 0; k < B * THREADS; k++)
        CHECK_EQ(b[k], salt - k % B);
    fill(salt);
    upc_all_scatter(b, wide[THREADS - 1], B * sizeof(int), flags);
    settle();
    for (int k = 0; k < B * THREADS; k++)
        CHECK_EQ(b[k], salt + (THREADS - 1) * 1000 + k);
    fill(salt);
    upc_all_gather(&wide2[THREADS / 2], a, B * sizeof(int), flags);
    settle();
    for (int k = 0; k < B * THREADS; k++)
        CHECK_EQ(wide2[THREADS / 2][k], salt + k / B * 100 + k % B);
    fill(salt);
    upc_all_gather_all(wide2, a, B * sizeof(int), flags);
    settle();
    for (int t = 0; t < THREADS; t++)
        for (int k = 0; k < B * THREADS; k++)
            CHECK_EQ(wide2[t][k], salt + k / B * 100 + k % B);
    fill(salt);
    upc_all_exchange(wide2, wide, B * sizeof(int), flags);
    settle();
    for (int t = 0; t < THREADS; t++)
        for (int k = 0; k < B * THREADS; k++)
            CHECK_EQ(wide2[t][k], salt + k / B * 1000 + t * B + k % B);
    fill(salt);
    upc_all_permute(b, a, perm, B * sizeof(int), flags);
    settle();
    for (int t = 0; t < THREADS; t++)
        for (int k = 0; k < B; k++)
            CHECK_EQ(b[(t + salt) % THREADS * B + k], salt + t * 100 + k);
    fill(salt);
    upc_all_reduceL(&total, values, UPC_ADD, B * THREADS, B, NULL, flags);
    upc_all_prefix_reduceL(sums, values, UPC_MAX, B * THREADS, B, NULL, flags);
    settle();
    long sum = 0, most = 0;
    for (int k = 0; k < B * THREADS; k++) {
        long value = salt % 10 + k / B + k % B;
        sum += value;
        most = value > most ? value : most;
        CHECK_EQ(sums[k], most);
    }
    CHECK_EQ(total, sum);
    settle();
}

int main(void) {
    int salt = 10;
    for (int i = 0; i < 3; i++)
        for (int o = 0; o < 3; o++)
            all(salt += 7, in[i] | out[o]);
    all(5, 0);
    return 0;
}
