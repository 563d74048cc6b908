/* Random places, some of them on other hosts: each type, and similar loops whose places are in order. */
#include <stdio.h>
#include <upc_relaxed.h>
#define N 300
struct item { char tag; float value; long count[3]; };
shared long table[N * THREADS], other[N * THREADS];
shared int ints[N * THREADS];
shared [7] short shorts[N * THREADS];
shared unsigned char bytes[N * THREADS];
shared [3] double doubles[N * THREADS];
shared float floats[N * THREADS];
shared [5] struct item items[N * THREADS];
shared [4] long rows[N * THREADS][4];
shared volatile int seen[N * THREADS];
strict shared int ordered[N * THREADS];
shared int from[N * THREADS], place[N * THREADS];
static int fill[N * 8];

/* A permutation of the elements. */
static int mixed(int i) {
    int n = N * THREADS;
    return (int)((i * 1213L + 17) % n);
}

static void init(void) {
    upc_forall (int i = 0; i < N * THREADS; i++; &from[i]) {
        from[i] = i * 7 % 101;
        place[i] = mixed(i);
        table[i] = other[i] = i;
        items[i].value = 0;
        items[i].count[1] = 0;
        seen[i] = ordered[i] = bytes[i] = 0;
    }
    upc_barrier;
}

/* Every thread writes to different places, on any host. */
static void writes(void) {
    upc_forall (int i = 0; i < N * THREADS; i++; i) //> scatter: objects in no order: 5
        table[place[i]] = from[i], ints[place[i]] = i, bytes[place[i]] = i + from[i],
        floats[place[i]] = i * 0.5, doubles[place[i]] = i * 0.25;
    upc_forall (int i = 0; i < N * THREADS; i++; i) { //> scatter: objects in no order: 3
        int p = place[i], row = p % 4;
        shorts[p] = i;
        items[p].value = i;
        rows[p][row] = i - p;
    }
    upc_barrier;
}

/* The value of an assignment is used, and written elements are read again. */
static long again(void) {
    long s = 0;
    upc_forall (int i = 0; i < N * THREADS; i++; i) { //> scatter: objects in no order: 2
        int p = place[i];
        s += (table[p] = i);
        s += table[p] * 3;
        other[p] = s % 1000;
        s += other[place[i]];
    }
    upc_barrier;
    return s;
}

static void updates(void) {
    upc_forall (int i = 0; i < N * THREADS; i++; i) { //> scatter: objects in no order: 5
        int p = place[i];
        table[p] += from[i];
        ints[p] ^= i;
        bytes[p]++;
        doubles[p] -= 0.5;
        items[p].count[p % 3] += 2;
    }
    upc_barrier;
    for (int i = 0; i < 3 * N; i++) //> scatter: objects in no order: 1
        table[place[i % N * THREADS + MYTHREAD]] += i;
    upc_barrier;
}

static void in_order(void) {
    upc_forall (int i = 0; i < N * THREADS - 1; i++; i)
        other[i + 1] = from[i];
    upc_barrier;
    upc_forall (int i = 0; i < N * THREADS; i++; i) {
        seen[place[i]] = i;
        ordered[place[i]] = i;
    }
    upc_barrier;
}

static long read_back(void) {
    long s = 0;
    for (int i = 0; i < N * THREADS; i++)
        s += table[place[i]] * i + other[mixed(i)] + fill[i % N];
    return s;
}

static double sum(void) {
    double s = 0;
    for (int i = 0; i < N * THREADS; i++) {
        s += table[i] * 3.0 + other[i] + ints[i] + shorts[i] * 5 + bytes[i] + doubles[i] + floats[i];
        s += items[i].value + items[i].count[0] + items[i].count[1] * 2 + rows[i][i % 4] + seen[i];
        s -= ordered[i];
    }
    return s;
}

int main(void) {
    init();
    writes();
    double first = sum();
    upc_barrier;
    long second = again();
    updates();
    double third = sum();
    upc_barrier;
    in_order();
    printf("%d: %g %ld %g %ld %g\n", MYTHREAD, first, second, third, read_back(), sum());
    return 0;
}
