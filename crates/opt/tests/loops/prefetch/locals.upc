/* Addresses made of variables that each iteration sets: declared in it, or before the loop. */
#include <stdio.h>
#include <upc_relaxed.h>
#define N 1200
typedef struct { long v; int next; } node;
shared int table[N * THREADS], index[N * THREADS], target[N * THREADS];
shared [8] node nodes[N * THREADS];
shared long keys[N * THREADS];
typedef shared [] long *row;
shared row rows[THREADS];
int picks[N + 8];
long wanted[N + 8];
static long sum;

static void note(long x) { sum = sum * 31 + x; }

/* Lookups in a hash table; the hash has a different type. */
static long find(const long *all, int n) {
    long found = 0;
    for (int i = 0; i < n; i++) { //> prefetch: [keys]
        unsigned long h = (unsigned long)all[i] * 2654435761ul % (N * THREADS);
        if (keys[h] == all[i])
            found += i;
    }
    for (int i = 0; i < n; i++) { //> prefetch: [keys keys keys]
        unsigned char low = all[i] * 7;
        short twice = low + low, more = twice - 3 * i % 5;
        found += keys[low] + keys[twice] - keys[more > 0 ? more : 0];
    }
    return found;
}

/* Variables of the function, which keep the last iteration's value. */
static long old_style(const int *all, int n) {
    int i, v, w;
    long s = 0;
    for (i = 0; i < n; i++) { //> prefetch: [table target]
        v = all[i];
        s += table[v];
        w = v * 2 % N;
        s = s * 3 + target[w];
    }
    return s + v + w;
}

/* Variables set by reads of shared memory, which are held. */
static long edges(shared int *from, shared int *at, int n) {
    long s = 0;
    for (int i = 0; i < n; i++) { //> prefetch: [from from], held [at]
        int v = at[i], to = v % N;
        s += from[v] - from[to];
    }
    for (int i = 0; i < n; i++) { //> prefetch: [p p], held [at]
        shared [8] node *p = &nodes[at[i] % N];
        s += p->v * 3 + p->next;
    }
    for (int i = 0; i < n; i++) { //> prefetch: [target], held [at from]
        int v = at[i], to = from[v];
        s += target[to];
    }
    return s;
}

/* Pointers from a directory. */
static long through(int n) {
    long s = 0;
    for (int i = 0; i < n; i++) { //> prefetch: [r], held [rows]
        shared [] long *r = rows[i % THREADS];
        s += r[i / THREADS];
    }
    return s;
}

/* The loop may write the objects that it reads, or the operands of their addresses. */
static void visit(shared int *to, int *all, int n, int mark) {
    for (int i = 0; i < n; i++) { //> prefetch: [to], up to written objects
        int v = all[i];
        if (to[v] != mark)
            to[v] = mark + i % 2;
    }
    for (int i = 0; i + 3 < n; i++) { //> prefetch: [to], up to written objects
        int v = all[i];
        all[i + 2] = to[v] % N;
    }
}

/* The loop sometimes writes its reads' objects: upwards, downwards, anywhere, by more than one write. */
static void meet(shared int *to, const int *all, int n, int few) {
    for (int i = 0; i < n; i++) { //> prefetch: stages [to], with notes of written objects
        int v = all[i] % few;
        if (to[v] < n)
            to[v] = to[v] * 3 + i;
    }
    for (int i = 0; i < n; i++) { //> prefetch: [to], up to written objects
        int v = all[i] % few, low = few - 1 - i % few;
        to[low] = to[v] % 1000 + i;
    }
    for (int i = 0; i < n; i++) { //> prefetch: [to to], up to written objects
        int v = all[i], w = all[n - 1 - i];
        to[v] = to[w] % 1000 + to[(v + w) % n] % 7;
        to[i] = v;
    }
    for (int i = 0; i < n; i++) { //> prefetch: [to], up to written objects
        int v = all[i] % few, w = i;
        for (int k = 0; k < 3; k++)
            w = w * 5 % n;
        to[v] = to[(v + i) % n] + w;
    }
    for (int i = 0; i < n; i++) { //> prefetch: stages [to to], up to some written objects, with notes of the others
        int v = all[i];
        for (int k = 0; k < 3; k++) //> not prefetch: each iteration reads the same object
            to[k] = to[v] + i % 7;
        to[v] = i + to[few];
    }
}

/* Addresses not known in advance: after an early end of an iteration, two values, the last iteration's. */
static long others(int *all, int n) {
    int v = 0, last = 1, *where = &v;
    long s = 0;
    for (int i = 0; i < n; i++) { //> not prefetch: the address of an
        s += table[last];
        last = all[i];
    }
    for (int i = 0; i < n; i++) { //> not prefetch: the address of an
        last = all[i];
        if (i % 3)
            last = 7;
        s += table[last];
    }
    for (int i = 0; i < n; i++) { //> not prefetch: the address of an
        if (i % 2)
            last = all[i];
        s += table[last];
    }
    for (int i = 0; i < n; i++) { //> not prefetch: the address of an
        v = all[i];
        *where = 5;
        s += table[v];
    }
    for (int i = 0; i < n; i++) { //> not prefetch: the address of an
        last = last * 5 % N;
        s += table[last];
    }
    for (int i = 0; i < n; i++) { //> prefetch: stages [table]
        if (all[i] % 3 == 0)
            continue;
        int w = all[i];
        s += table[w];
    }
    for (int i = 0; i < n; i++) { //> prefetch: stages [table], with notes of written objects
        int w = all[i];
        if (table[w] > 3)
            table[all[w]] = 3;
    }
    for (int i = 0; i < n; i++) { //> not prefetch: the address of an
        int w = (last = all[i]);
        s += table[last] + w;
    }
    return s;
}

static void fill(void) {
    upc_barrier;
    for (int i = MYTHREAD; i < N * THREADS; i += THREADS) {
        table[i] = 3 * i % N;
        index[i] = i * 13 % N;
        target[i] = i % 7;
        keys[i] = i % 5 ? i : 0;
    }
    upc_forall (int i = 0; i < N * THREADS; i++; &nodes[i]) {
        nodes[i].v = i * 5 % 77;
        nodes[i].next = i % 11;
    }
    for (int i = 0; i < N + 8; i++) {
        picks[i] = i * 17 % N;
        wanted[i] = i * 29 % N;
    }
    upc_barrier;
}

int main(void) {
    fill();
    rows[MYTHREAD] = upc_alloc(N * sizeof(long));
    for (int i = 0; i < N; i++)
        rows[MYTHREAD][i] = i * (MYTHREAD + 3) % 101;
    upc_barrier;
    if (MYTHREAD == THREADS - 1) {
        note(find(wanted, N));
        note(old_style(picks, N));
        note(edges(table, index, N));
        note(through(N));
        visit(target, picks, N, 3);
        note(old_style(picks, N));
        visit(index, (int *)&index[MYTHREAD], N / 2, 9);
        note(edges(table, index, N));
        note(others(picks, N));
        for (int few = 1; few <= N; few = 7 * few + 1)
            meet(target, picks, N, few);
        for (int i = 0; i < N * THREADS; i++)
            note(table[i] + 3 * index[i] + 5 * target[i]);
    }
    printf("%ld\n", sum);
    upc_barrier;
    return 0;
}
