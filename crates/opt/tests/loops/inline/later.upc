/* Functions that are defined after their callers, of types that the callers cannot name yet. */
#include <stdio.h>
#include <upc_relaxed.h>
#define N 50
shared int table[N * THREADS];
struct own;
extern struct own *own;
static int by_typedef(int i);
static int by_tag(int i);
static int by_member(int i);
static int by_nothing(int i);

static long all(int n) {
    long sum = 0;
    for (int i = 0; i < n; i++)
        sum = sum * 3 % 1000003 + by_typedef(i) + by_tag(i) + by_member(i) + by_nothing(i);
    return sum;
}

typedef int later;
struct pair {
    int first, second;
};
struct own {
    int value;
};
struct own one = {3}, *own = &one;
static int by_typedef(int i) {
    later found = table[i];
    return found * 2;
}
static int by_tag(int i) {
    struct pair found = {table[i], i};
    return found.first - found.second;
}
static int by_member(int i) { return table[i] + own->value; }
static int by_nothing(int i) { return table[i] % 7; }

int main(void) {
    for (int i = MYTHREAD; i < N * THREADS; i += THREADS)
        table[i] = i * 5;
    upc_barrier;
    if (MYTHREAD == 0)
        printf("%ld\n", all(N * THREADS));
    return 0;
}
