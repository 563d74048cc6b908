// Calls of upc_atomic_relaxed in every form that an optimiser may replace by an expression of values, and in
// forms that it may not: old values in parts of objects, operands that change, addresses that are used again.
//: clause 7.6.4.3 p6
#include <stdint.h>
#include <string.h>
#include <upc_atomic.h>
#include "../../check.h"

#define N 40
shared int64_t longs[N * THREADS];
shared uint32_t words[N * THREADS];
shared double reals[N * THREADS];
shared [] float *floats;
shared int order[N * THREADS];
upc_atomicdomain_t *of_longs, *of_words, *of_reals, *of_floats;
static const int64_t one = 1;
int64_t outside;

// The next element of this thread's part, by number.
static int64_t own(int i) { return (int64_t)i * THREADS + MYTHREAD; }

static int64_t take(shared int64_t *from, int64_t by) {
    int64_t before;
    upc_atomic_relaxed(of_longs, &before, UPC_ADD, from, &by, NULL);
    return before;
}

static void count(shared int64_t *at) { upc_atomic_relaxed(of_longs, NULL, UPC_INC, at, NULL, NULL); }

static int64_t forms(void) {
    int64_t sum = 0, old = 5, by = 2, list[3] = {1, 2, 3};
    struct pair {
        int64_t first, second;
    } pair = {7, 8};
    int64_t *kept = &by;
    for (int i = 0; i < N; i++) {
        shared int64_t *p = &longs[own(i)];
        // The result of one operation is the next one's operand.
        upc_atomic_relaxed(of_longs, &list[0], UPC_ADD, p, &old, NULL);
        sum = sum * 3 + list[0];
        upc_atomic_relaxed(of_longs, &(old), UPC_GET, (p), (void *)0, 0);
        sum = sum * 3 + old;
        // Parts of objects, objects outside the function, and one behind a pointer.
        upc_atomic_relaxed(of_longs, &list[i % 3], UPC_XOR, p, &list[(i + 1) % 3], NULL);
        upc_atomic_relaxed(of_longs, &pair.first, UPC_INC, p + 0, NULL, NULL);
        upc_atomic_relaxed(of_longs, &outside, UPC_DEC, &longs[own(i)], NULL, NULL);
        upc_atomic_relaxed(of_longs, kept, UPC_OR, p, &pair.first, NULL);
        sum = sum * 3 + list[i % 3] + pair.first + outside + by;
        // An operand that the statement before has set by a pointer.
        *kept = i;
        upc_atomic_relaxed(of_longs, (void *)&old, UPC_SET, &*p, (const void *)&by, NULL);
        sum = sum * 3 + old;
        upc_atomic_relaxed(of_longs, &old, UPC_CSWAP, p, &by, &one);
        sum = sum * 3 + old;
        sum = sum * 3 + take(p, 3) + take(&longs[own((i + 1) % N)], i);
        count(p);
        // A branch, a loop, a comma, and an unused value.
        if (i % 2)
            upc_atomic_relaxed(of_longs, &old, UPC_MULT, p, &one, NULL);
        else
            upc_atomic_relaxed(of_longs, &old, UPC_MAX, p, &by, NULL);
        for (int k = 0; k < 3; k++)
            upc_atomic_relaxed(of_longs, &list[k], UPC_ADD, p, &list[(k + 1) % 3], NULL);
        (void)upc_threadof(p), upc_atomic_relaxed(of_longs, &old, UPC_SUB, p, &list[0], NULL);
        sum = (sum * 3 + old + list[1]) % 1000000007;
    }
    return sum;
}

static int64_t types(void) {
    int64_t sum = 0;
    uint32_t a, b = 4000000000u;
    double x, y = 0.25;
    float f, g = 1.5f;
    for (int i = 0; i < N; i++) {
        upc_atomic_relaxed(of_words, &a, UPC_ADD, &words[own(i)], &b, NULL);
        upc_atomic_relaxed(of_words, &b, UPC_SUB, &words[own(i)], &a, NULL);
        upc_atomic_relaxed(of_reals, &x, UPC_ADD, &reals[own(i)], &y, NULL);
        double z = x + 1;
        upc_atomic_relaxed(of_reals, &y, UPC_CSWAP, &reals[own(i)], &x, &z);
        if (MYTHREAD == 0) {
            upc_atomic_relaxed(of_floats, &f, UPC_MULT, floats + i, &g, NULL);
            upc_atomic_relaxed(of_floats, &g, UPC_MIN, &floats[i % 3], &f, NULL);
            sum += (int64_t)(8 * f) + (int64_t)(8 * g);
        }
        sum = (sum * 3 + a + b + (int64_t)(16 * x) + (int64_t)(16 * y)) % 1000000007;
    }
    return sum;
}

// Each thread accesses the next thread's elements: they are remote between hosts.
static int64_t remote(void) {
    int64_t sum = 0, next = (MYTHREAD + 1) % THREADS;
    for (int i = 0; i < N; i++) {
        int64_t at = (int64_t)order[i * THREADS + next] * THREADS + next, by = i % 5, old;
        upc_atomic_relaxed(of_longs, &old, UPC_ADD, &longs[at], &by, NULL);
        if (old % 2) {
            int64_t none = old + by, more = none * 3;
            upc_atomic_relaxed(of_longs, &old, UPC_CSWAP, &longs[at], &none, &more);
            sum += old;
        }
        sum = (sum * 3 + old) % 1000000007;
    }
    return sum;
}

int main(void) {
    of_longs = upc_all_atomicdomain_alloc(UPC_INT64,
                                          UPC_ADD | UPC_SUB | UPC_GET | UPC_SET | UPC_XOR | UPC_OR | UPC_INC |
                                              UPC_DEC | UPC_CSWAP | UPC_MULT | UPC_MAX,
                                          0);
    of_words = upc_all_atomicdomain_alloc(UPC_UINT32, UPC_ADD | UPC_SUB, 0);
    of_reals = upc_all_atomicdomain_alloc(UPC_DOUBLE, UPC_ADD | UPC_CSWAP, 0);
    of_floats = upc_all_atomicdomain_alloc(UPC_FLOAT, UPC_MULT | UPC_MIN, 0);
    if (MYTHREAD == 0) {
        floats = (shared [] float *)upc_alloc(N * sizeof(float));
        for (int i = 0; i < N; i++)
            floats[i] = 1 + i % 4;
    }
    for (int i = 0; i < N; i++) {
        longs[own(i)] = i;
        words[own(i)] = 3 * i;
        reals[own(i)] = i;
        order[own(i)] = i * 7 % N;
    }
    upc_barrier;
    // All threads compute the same: their parts are alike.
    static shared int64_t results[4][THREADS];
    results[0][MYTHREAD] = forms();
    results[1][MYTHREAD] = outside;
    int64_t all = types();
    results[2][MYTHREAD] = MYTHREAD ? all : results[2][MYTHREAD];
    upc_barrier;
    results[3][MYTHREAD] = remote();
    upc_barrier;
    for (int t = 1; t < THREADS; t++) {
        CHECK(results[0][t] == results[0][0]);
        CHECK(results[1][t] == results[1][0]);
        CHECK(results[2][t] == results[2][1]);
        CHECK(results[3][t] == results[3][0]);
    }
    CHECK_EQ(results[0][0], 72355351);
    CHECK_EQ(results[3][0], 293321616);
    upc_barrier;
    if (MYTHREAD == 0)
        upc_free(floats);
    return 0;
}
