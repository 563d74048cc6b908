//: clause 6.6.2 p10
//: threads 1 2 3
/* A function with a upc_forall that is called inside another one: there the loop runs all iterations, in a
 * separate version, which takes the function's variables and returns them. */
#include "../../check.h"

#define N 12

enum colour { RED, GREEN, BLUE };
struct pair {
    int first, second;
};

shared int a[N * THREADS];
shared [3] double b[N * THREADS];
static int calls;

static int called(int i) {
    calls++;
    return i;
}

/* Values, pointers, numbers without a value yet; the loop's variable is used after the loop. */
static int sum(int n, const int *weights, struct pair *pair, shared int *from) {
    int i, total = 0, last;
    unsigned char small = 250;
    enum colour colour = RED;
    double mean = 0.5;
    shared int *at = from;
    int *const only = &pair->second;
    upc_forall (i = 0; i < n; i++; &a[i]) {
        last = a[i] * weights[i % 3];
        total += last;
        small++;
        mean += called(i);
        colour = i % 2 ? BLUE : GREEN;
        pair->first += *at;
        *only = i;
        if (i % 3 == 2)
            continue;
        at = from + i;
    }
    CHECK_EQ(i, n);
    CHECK_EQ(small, (unsigned char)(250 + n));
    CHECK_EQ(colour, n % 2 ? GREEN : BLUE);
    CHECK_EQ(mean, 0.5 + n * (n - 1) / 2);
    CHECK_EQ(pair->second, n - 1);
    CHECK_EQ(upc_threadof(at), (n - 2) % THREADS);
    return total;
}

/* Arrays and addresses of the function, its name, a static and a type of its own, and no variable at all. */
static int others(int n) {
    static int times;
    int counts[3] = {0}, seen = 0, *there = &seen;
    upc_forall (int i = 0; i < n; i++; &b[i]) {
        counts[i % 3]++;
        times++;
        *there += __func__[0] == 'o';
        b[i] += i;
    }
    typedef struct {
        int value;
    } own;
    own mine = {0}, *to = &mine;
    upc_forall (int i = 0; i < n; i++; &b[i])
        to->value += b[i] >= i;
    CHECK_EQ(mine.value, n);
    CHECK_EQ(seen, n);
    CHECK_EQ(times, n);
    return counts[0] + counts[1] + counts[2];
}

static void none(void) {
    upc_forall (int i = 0; i < N * THREADS; i++; &a[i])
        a[i] = i + 1;
}

int main(void) {
    int n = N * THREADS, weights[3] = {1, 2, 3}, expected = 0;
    upc_forall (int t = 0; t < THREADS; t++; t)
        if (t == 0)
            none();
    upc_barrier;
    upc_forall (int t = 0; t < THREADS; t++; t) {
        if (t != THREADS - 1)
            continue;
        struct pair pair = {0, 0};
        for (int i = 0; i < n; i++)
            expected += (i + 1) * weights[i % 3];
        CHECK_EQ(sum(n, weights, &pair, a), expected);
        CHECK_EQ(calls, n);
        CHECK_EQ(others(n), n);
    }
    upc_barrier;
    return 0;
}
