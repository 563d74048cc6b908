/* Short loops over elements in random places, in numbers that four does not divide: each iteration sees the
 * effects of those before it. */
#include <stdio.h>
#include <upc_relaxed.h>
#define N 203
shared long table[N * THREADS], result[N * THREADS], place[N * THREADS], next[N * THREADS];
shared [7] short shorts[N * THREADS];
struct item { char tag; double value; };
shared struct item items[N * THREADS];

/* A place among a thread's own elements: many times the same, so that updates meet. */
static long own(long i) { return i * i % 13 * THREADS + i % THREADS; }

static void init(void) {
    upc_forall (long i = 0; i < N * THREADS; i++; i) {
        place[i] = own(i);
        next[i] = (i + 5 * THREADS) % (N * THREADS);
        table[i] = i * 7 % 101;
        result[i] = 0;
        items[i].value = 0;
    }
    upc_forall (long i = 0; i < N * THREADS; i++; &shorts[i])
        shorts[i] = i % 50;
    upc_barrier;
}

static void short_ones(long n) {
    upc_forall (long i = 0; i < n; i++; i) //> unroll: on one host
        result[i] = table[place[i]] + i;
    upc_forall (long i = 0; i < n; i++; i) { //> unroll: on one host
        result[place[i]] += table[i];
    }
    upc_forall (long i = 1; i < n; i++; i) //> unroll: on one host
        result[place[i]] = result[place[i]] * 3 % 1009 + i;
    upc_forall (long i = 0; i < n; i++; i) //> unroll: on one host
        items[place[i]].value += table[next[i]] * 0.5;
    upc_forall (long i = 0; i < n; i++; i) //> unroll: on one host
        table[i] = shorts[place[i]];
    upc_barrier;
}

/* A read of an earlier iteration's write determines the address of the next read. */
static void chase(long n) {
    upc_forall (long i = 0; i < n; i++; i) //> unroll: on one host
        place[next[i]] = place[place[i]];
    upc_barrier;
}

static long sum(long x) { return x % 7; }

/* Bodies that are longer, in order, or call functions. */
static long others(long n) {
    long s = 0;
    upc_forall (long i = 0; i < n; i++; i)
        result[i] = table[i] + 1;
    upc_forall (long i = 0; i < n; i++; i) {
        s += table[place[i]];
        result[i] = s;
    }
    upc_forall (long i = 0; i < n; i++; i)
        result[i] += sum(table[place[i]]);
    upc_forall (long i = 0; i < n; i++; i)
        if (i % 3)
            result[i] += table[place[i]];
    upc_barrier;
    return s;
}

static void print(const char *what) {
    for (int i = 0; i < N * THREADS; i++)
        if (MYTHREAD == 0)
            printf("%s %d: %ld %ld %ld %d %.1f\n", what, i, table[i], result[i], place[i], shorts[i],
                   items[i].value);
    upc_barrier;
}

int main(void) {
    for (int left = 0; left < 4; left++) {
        init();
        short_ones((N - left) * THREADS - left % 2);
        print("short");
        init();
        chase(N * THREADS - left);
        print("chase");
    }
    init();
    long s = others(N * THREADS);
    printf("thread %d: %ld\n", MYTHREAD, s);
    upc_barrier;
    print("others");
    return 0;
}
