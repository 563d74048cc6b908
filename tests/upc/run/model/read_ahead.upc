// Loops that read other threads' memory, in all the forms that may be prefetched over a network, and in those
// that may not: in the compiled code each iteration reads the same values as in the loop as written.
//: threads 1 2 3 4
//: layout 2 1
//: flags -Wvla -Werror
#include <upc_relaxed.h>
#include <string.h>
#include "../../check.h"

#define N 700 /* more than one part, and no multiple of one */

struct pair {
    int first;
    double second;
    unsigned field : 5;
};

shared int cyclic[N * THREADS];
shared[3] short blocked[N * THREADS * 3];
shared struct pair pairs[N * THREADS];
shared[] long *shared rows[THREADS];
shared int one;
shared[7] int *shared pointers[N * THREADS];
shared[7] int targets[N * THREADS * 7];
strict shared int flag[THREADS];
shared int written[N * THREADS];
shared[3] int blocks[N * THREADS * 3];

static int places[N], copy[N], chain[N + 1];
static double sums[N];
static int calls;

static int value(long i) { return (int)(i * 7919 % 10007); }

static void fill(void) {
    rows[MYTHREAD] = (shared[] long *)upc_alloc(N * sizeof(long));
    for (int i = 0; i < N; i++) {
        long mine = (long)i * THREADS + MYTHREAD;
        cyclic[mine] = value(mine);
        pairs[mine].first = value(mine + 1);
        pairs[mine].second = value(mine + 2);
        pairs[mine].field = mine % 32;
        pointers[mine] = &targets[mine % N * 5];
        rows[MYTHREAD][i] = value(i + MYTHREAD);
        places[i] = (i * 37 + MYTHREAD) % (N * THREADS);
    }
    upc_forall(long i = 0; i < N * THREADS * 3; i++; &blocked[i]) blocked[i] = value(i) % 1000;
    upc_forall(long i = 0; i < N * THREADS * 7; i++; &targets[i]) targets[i] = value(i + 3);
    if (MYTHREAD == 0)
        one = 3;
    upc_barrier;
}

static void forms(void) {
    long sum = 0, right = 0;
    for (int i = 0; i < N; i++)
        sum += cyclic[places[i]] * one;
    for (int i = 0; i < N; i++)
        right += value(places[i]) * 3;
    CHECK(sum == right);

    sum = right = 0;
    for (long i = N * THREADS - 1; i >= 0; i -= 3)
        sum ^= blocked[i] + 2 * cyclic[i];
    for (long i = N * THREADS - 1; i >= 0; i -= 3)
        right ^= value(i) % 1000 + 2 * value(i);
    CHECK(sum == right);

    double total = 0, both = 0;
    unsigned i;
    for (i = 1; i != N; ++i) {
        if (i % 3 == 0)
            continue;
        total += pairs[i].second - pairs[i].first + pairs[i].field;
    }
    CHECK(i == N);
    for (i = 1; i < N; i++)
        both += i % 3 ? value(i + 2) - value(i + 1) + (int)(i % 32) : 0;
    CHECK(total == both);

    for (int t = 0; t < THREADS; t++) {
        for (int j = 0; j < N; j++)
            copy[j] = rows[t][j];
        for (int j = 0; j < N; j++)
            CHECK(copy[j] == value(j + t));
    }

    sum = right = 0;
    for (int k = 0; k + 1 < N; k++) {
        long x = cyclic[k + 1], y = *pointers[k];
        if (x > y)
            sum += x - y;
        for (int l = 0; l < 2; l++)
            sum += blocked[k + l];
    }
    for (long k = 0; k + 1 < N; k++) {
        long x = value(k + 1), y = value(k % N * 5 + 3);
        right += (x > y ? x - y : 0) + value(k) % 1000 + value(k + 1) % 1000;
    }
    CHECK(sum == right);

    sum = right = 0;
    shared int *end = &cyclic[N];
    for (shared int *p = cyclic; p != end; p++)
        sum += *p;
    for (int k = 0; k < N; k++)
        right += value(k);
    CHECK(sum == right);
}

/* Loops over the own part of an array that read others'. */
static void shared_out(void) {
    long sum = 0, right = 0;
    int i;
    upc_forall(i = 3; i < N; i++; i) sum += cyclic[places[i]] + blocked[N - i];
    CHECK(i == N);
    for (i = 3; i < N; i++)
        right += i % THREADS == MYTHREAD ? value(places[i]) + value(N - i) % 1000 : 0;
    CHECK(sum == right);

    upc_forall(long k = 1; k < N * THREADS * 3 - 1; k++; &blocks[k]) {
        if (k % 5 == 0)
            continue;
        blocks[k] = blocked[k - 1] + blocked[k] - blocked[k + 1] + cyclic[k / 3] % 7;
    }
    upc_forall(long k = 1; k < N * THREADS * 3 - 1; k++; &blocks[k]) CHECK(
        blocks[k] ==
        (k % 5 ? value(k - 1) % 1000 + value(k) % 1000 - value(k + 1) % 1000 + value(k / 3) % 7 : 0));
    upc_forall(long k = 0; k < N * THREADS; k++; &written[k]) written[k] = cyclic[N * THREADS - 1 - k] * one;
    upc_forall(long k = 0; k < N * THREADS; k++; &written[k])
        CHECK(written[k] == value(N * THREADS - 1 - k) * 3);
    upc_barrier;
}

/* A loop's assignment may determine the address of its next read. */
static void moving_addresses(void) {
    chain[0] = 0;
    for (int i = 0; i < N; i++)
        chain[i + 1] = cyclic[chain[i]] % N;
    for (int i = 0; i < N; i++)
        CHECK(chain[i + 1] == value(chain[i]) % N);

    int at[2] = {1, 2}, *way = at;
    for (int i = 0; i < N; i++)
        way[i % 2] = cyclic[at[0]] % N;
    int model[2] = {1, 2};
    for (int i = 0; i < N; i++)
        model[i % 2] = value(model[0]) % N;
    CHECK(at[0] == model[0] && at[1] == model[1]);

    int last = 0;
    for (int i = 0; i < N; i++)
        last = cyclic[last % N] + i; /* the address waits for the value */
    int right = 0;
    for (int i = 0; i < N; i++)
        right = value(right % N) + i;
    CHECK(last == right);

    struct {
        int here;
    } place = {0}, next;
    for (int i = 0; i < N; i++) {
        next.here = cyclic[(place.here + i) % N] % N;
        place = next;
    }
    int here = 0;
    for (int i = 0; i < N; i++)
        here = value((here + i) % N) % N;
    CHECK(place.here == here);

    for (int i = 0; i < N; i++)
        sums[i] = cyclic[places[i]]; /* of another type than the places */
    for (int i = 0; i < N; i++)
        CHECK(sums[i] == value(places[i]));
    for (int i = 0; i < N; i++)
        places[i] = cyclic[places[i]] % N;
    for (int i = 0; i < N; i++)
        CHECK(places[i] == value((i * 37 + MYTHREAD) % (N * THREADS)) % N);
}

static int count(void) { return ++calls; }

/* A loop reads its own writes, and no address is followed that it would not follow. */
static void effects(void) {
    int next = (MYTHREAD + 1) % THREADS;
    written[next] = 1;
    for (int i = 0; i + 1 < N; i++)
        written[(i + 1) * THREADS + next] = written[i * THREADS + next] + 1;
    for (int i = 0; i < N; i++)
        CHECK(written[i * THREADS + next] == i + 1);

    upc_barrier;
    for (int i = 0; i < N; i++)
        written[i * THREADS + next] = cyclic[places[i]] + blocked[i];
    for (int i = 0; i < N; i++)
        CHECK(written[i * THREADS + next] == value(places[i]) + value(i) % 1000);
    shared int *same = &written[next];
    for (int i = 0; i + 1 < N; i++)
        written[(i + 1) * THREADS + next] = same[i * THREADS] + 1;
    for (int i = 0; i < N; i++)
        CHECK(same[i * THREADS] == value(places[0]) + value(0) % 1000 + i);

    upc_barrier;
    int *own = (int *)&written[MYTHREAD], model = own[0] = 0;
    for (int i = 0; i < N; i++)
        own[0] = cyclic[i] % 9 + written[MYTHREAD];
    for (int i = 0; i < N; i++)
        model += value(i) % 9;
    CHECK(own[0] == model);

    shared[] long *nowhere = NULL;
    long sum = 0;
    for (int i = 0; i < N; i++)
        sum += nowhere ? nowhere[i] : i < 0 && nowhere[i];
    for (int i = 0; i < N; i++)
        if (nowhere)
            sum += nowhere[i];
    for (int i = 0; i < N; i++) {
        if (!nowhere)
            continue;
        sum += nowhere[i];
    }
    for (int i = 0; i < 0; i++)
        sum += nowhere[i];
    CHECK(sum == 0);

    for (int i = 0; i < N; i++)
        sum += cyclic[count() % N];
    CHECK(calls == N);
    for (int i = 0; i < THREADS; i++)
        flag[(MYTHREAD + i) % THREADS] += cyclic[i] >= 0;
}

int main(void) {
    fill();
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < N; i++)
            places[i] = (i * 37 + MYTHREAD) % (N * THREADS);
        calls = 0;
        forms();
        shared_out();
        moving_addresses();
        upc_barrier;
        effects();
        upc_barrier;
    }
    return 0;
}
