/* Gathers through pointers: a write may change a later read's object, or the operands of its address. */
#include <stdio.h>
#include <upc_relaxed.h>
#define N 1500
shared int table[N * THREADS], index[N * THREADS], target[N * THREADS];
shared [4] int blocks[N * THREADS];
int own[N + 8], picks[N + 8];

static void gather(shared int *to, shared int *from, shared int *at, int n) {
    for (int i = 0; i < n; i++) //> prefetch: [from], held [at], up to written objects
        to[i] = from[at[i]];
}

static void gather_private(int *to, shared int *from, int *at, int n) {
    for (int i = 0; i < n; i++) //> prefetch: [from], up to written objects
        to[i] = from[at[i]];
}

static shared int hidden[N * THREADS];
static int places[N];

/* Arrays that no other file can name, and an automatic one. */
static long gather_static(void) {
    int near[N];
    long s = 0;
    for (int i = 0; i < N; i++) {
        near[i] = (5 * i + MYTHREAD) % N;
        places[i] = (11 * i) % N;
    }
    for (int i = 0; i < N; i++) //> prefetch: [hidden hidden]
        s += hidden[places[i]] ^ hidden[near[i]];
    return s;
}

static void permute(shared int *to, shared int *from, int *at, int n) {
    for (int i = 0; i < n; i++) //> prefetch: cached [from]
        to[at[i]] = from[i];
}

static void scatter(shared int *to, shared int *from, shared int *at, int n) {
    for (int i = 0; i < n; i++) //> prefetch: [from], held [at at], up to written objects
        to[at[i]] = from[at[i + 1]];
}

static void gather_own(shared int *to, shared int *from, shared int *at, int n) {
    upc_forall (int i = 0; i < n; i++; &to[i]) //> prefetch: [from], held [at], up to written objects
        to[i] = from[at[i]];
}

/* An iteration reads the element that it has just written. */
static void after(shared int *to, shared int *from, int n) {
    for (int i = 0; i < n; i++) { //> prefetch: cached [from]
        to[i] = i;
        to[i + 1] += from[i];
    }
}

static void in_turn(shared [4] int *to, int by, int n) {
    for (int i = by; i < n; i++) //> prefetch: [to], up to written objects
        to[i] = to[i - by] + 1;
}

/* Writes that are not done in each iteration, and that cannot be foreseen. */
static int some(shared int *to, shared int *from, int *at, int n) {
    int last = 0;
    for (int i = 0; i < n; i++) { //> prefetch: [from], up to written objects
        int x = from[at[i]];
        if (x & 1)
            to[i] = x / 2;
    }
    for (int i = 0; i < n; i++) { //> prefetch: cached [from]
        int x = from[i];
        if (x & 1)
            to[last++] = x;
    }
    for (int i = 0; i < n; i++) { //> prefetch: cached [from]
        int x = from[i];
        if (x & 1)
            to[at[x]] = x;
    }
    return last;
}

/* More than two reads in a row. */
static long chase(shared int *from, int n) {
    long sum = 0;
    for (int i = 0; i < n; i++) //> prefetch: [from], held [from]
        sum = sum * 3 + from[from[i]];
    for (int i = 0; i < n; i++) //> prefetch: [from], held [from from]
        sum = sum * 3 + from[from[from[i]]];
    for (int i = 0; i < n; i++) //> prefetch: stages [from], [from]
        sum = sum * 3 + from[from[i] > 5 ? from[i] : 0];
    return sum;
}

static void fill(void) {
    upc_barrier;
    for (int i = MYTHREAD; i < N * THREADS; i += THREADS) {
        table[i] = 3 * i % N;
        index[i] = i * 13 % N;
        target[i] = i % 7;
        blocks[i] = i;
    }
    for (int i = 0; i < N + 8; i++) {
        own[i] = i * 11 % N;
        picks[i] = i * 17 % N;
    }
    upc_barrier;
}

static long sum;

static void add(void) {
    upc_barrier;
    for (int i = 0; i < N * THREADS; i++) //> prefetch: cached [table index target blocks]
        sum = sum * 3 + table[i] + 5 * index[i] + 7 * target[i] + 11 * blocks[i];
    for (int i = 0; i < N; i++)
        sum = sum * 3 + own[i] + picks[i];
    upc_barrier;
}

int main(void) {
    int last = MYTHREAD == THREADS - 1, n = N - 8;
    fill();
    gather_own(target, table, index, n);
    add();
    gather_own(index, table, index, n);
    add();
    fill();
    if (last) {
        gather(target, table, index, n);
        gather_private(own, table, picks, n);
        permute(target, index, picks, n);
        scatter(target, table, index, n);
    }
    add();
    /* Every array is another one, shifted by some iterations. */
    fill();
    if (last) {
        gather(index + 1, table, index, n);
        gather(table + 3, table, index, n);
        gather(index, index, index, n);
        gather_private(picks + 1, table, picks, n);
        gather_private(own, index, own, n);
        gather_private((int *)&table[MYTHREAD], table, (int *)&table[MYTHREAD] + 1, n / THREADS);
    }
    add();
    fill();
    if (last) {
        permute(table, table, picks, n);
        permute(index + 2, index, own, n);
        scatter(index, table, index, n);
        scatter(table, table, index, n);
        after(table, index, n);
        after(table, table, n);
        after(table, table + 1, n);
        after(table + 1, table, n);
    }
    add();
    fill();
    if (last) {
        for (int by = 1; by < 400; by = 3 * by + 1)
            in_turn(blocks, by, n);
        sum += some(target, table, picks, n);
        sum += some(table, table, picks, n);
    }
    add();
    for (int i = MYTHREAD; i < N * THREADS; i += THREADS)
        hidden[i] = 3 * i;
    upc_barrier;
    if (last)
        sum += gather_static();
    sum += chase(table, n);
    printf("%ld\n", sum);
    upc_barrier;
    return 0;
}
