// Loops over unions that write by one member and read by another, in each form that the optimiser rewrites:
// own elements, strides, steps of a pointer, and private pointers beside shared ones.
//: clause 6.6.2 p7
#include "../../check.h"

#define N 64
union word {
    int whole;
    float real;
    struct {
        short low, high;
    } half;
    struct {
        unsigned first : 8, rest : 24;
    } bits;
};
struct record {
    int key;
    union word word;
    double copy;
};
shared union word words[N * THREADS];
shared [4] struct record records[N * THREADS];

static void own(void) {
    upc_forall (int i = 0; i < N * THREADS; i++; &words[i]) {
        words[i].whole = 0x10002;
        words[i].half.high++;
        words[i].whole += 1;
        words[i].half.low += 5;
    }
    upc_forall (int i = 0; i < N * THREADS; i++; &records[i]) {
        records[i].word.whole = i;
        records[i].word.half.high += 3;
        records[i].key = records[i].word.whole;
        records[i].word.bits.rest++;
        records[i].copy = records[i].word.whole;
    }
    upc_barrier;
    for (int i = 0; i < N * THREADS; i++) {
        CHECK_EQ(words[i].whole, 0x20008);
        CHECK_EQ(records[i].key, i + 0x30000);
        CHECK(records[i].copy == i + 0x30100);
    }
    upc_barrier;
}

static void strided(void) {
    for (int i = MYTHREAD; i < N * THREADS; i += THREADS) {
        words[i].real = 1;
        words[i].half.high |= 1;
        CHECK_EQ(words[i].whole, 0x3f810000);
        words[i].whole = 0x40000000;
        CHECK(words[i].real == 2);
    }
}

static void stepped(void) {
    shared [] union word *all = upc_alloc(N * sizeof *all), *at = all;
    for (int i = 0; i < N; i++, at++) {
        at->whole = i;
        at->half.high = 1;
        CHECK_EQ(at->whole, i + 0x10000);
    }
    int sum = 0;
    for (int i = 0; i < N; i++) {
        all[i].half.low = 1;
        sum += all[i].whole;
        all[i].bits.first = 2;
        sum += all[i].half.low;
    }
    CHECK_EQ(sum, N * (0x10001 + 2));
    union word *local = (union word *)all;
    for (int i = 0; i < N; i++) {
        local[i].whole = 7;
        all[i].half.high = 1;
        CHECK_EQ(local[i].whole, 0x10007);
    }
    upc_free(all);
}

int main(void) {
    own();
    strided();
    stepped();
    return 0;
}
