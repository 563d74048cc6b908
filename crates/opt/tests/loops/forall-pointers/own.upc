/* Shared-out loops by a pointer: each thread has its own elements, in order, and the pointer its values. */
#include <stdio.h>
#include <upc_relaxed.h>
#define N 61

typedef struct {
    int number;
    double weight;
    unsigned marks : 3, rest : 5;
    struct {
        int row[2], *nowhere;
    } in;
} item;

shared int a[N * THREADS];
shared [4] long blocks[N * THREADS];
shared [3] item items[N * THREADS];
shared [4] char letters[N * THREADS];
shared int visited[N * THREADS];
strict shared int counted[N * THREADS];

static long by(shared [4] long *first, long n) {
    long sum = 0;
    upc_forall (shared [4] long *p = first; p < first + n; ++p; p) //> forall-pointers: own elements by p
        sum += *p;
    return sum;
}

int main(void) {
    shared int *p;
    shared [4] long *b, *last = blocks + (N * THREADS - 1);
    long mine = 0;
    upc_forall (p = a; p < a + N * THREADS; p++; p) //> forall-pointers: own elements by p
        *p = (int)(p - a) * 3 + MYTHREAD;
    upc_barrier;
    /* From an element other than the first to one other than the last; the pointer is used after the loop. */
    upc_forall (p = &a[5]; p != &a[N * THREADS - 7]; p += 1; &*p) { //> forall-pointers: own elements by p
        if (*p % 2)
            continue;
        *p += 100;
        visited[p - a] += 1 + (int)upc_threadof(p);
    }
    mine += p - a;
    upc_barrier;
    upc_forall (b = &blocks[6]; b <= last - 1; b++; &b[0]) //> forall-pointers: own elements by b
        b[0] = b - blocks + (long)upc_phaseof(b);
    mine += b - blocks;
    upc_barrier;
    mine += by(blocks, N * THREADS);
    for (int from = 0; from < 9; from++)
        mine = mine * 7 % 1000003 + by(&blocks[from], N - from);
    upc_forall (shared [3] item *at = items; at < items + N * THREADS; at++; at) { //> forall-pointers: own
        at->number = (int)(at - items);
        at->weight = at->number / 2.0;
        (*at).number += upc_threadof(at) == MYTHREAD;
        at->marks = at->number % 8;
        at->rest += at->marks + 1;
        at->in.row[at->number & 1] = at->rest;
        shared [] int *other = &at->number;
        *other += at->in.row[1];
        at->in.nowhere = 0;
    }
    upc_forall (shared [4] char *c = letters; c < letters + N * THREADS; c++; c) //> forall-pointers: own
        *c = (char)('a' + (c - letters) % 26);
    upc_forall (strict shared int *s = counted; s < counted + N * THREADS; s++; s) //> forall-pointers: own
        *s = 1 + (int)(s - counted);
    /* No elements. */
    upc_forall (p = &a[9]; p < &a[4]; p++; p) //> forall-pointers: own elements by p
        *p = -1;
    mine += p - a;
    upc_barrier;
    long all = mine, sum = 0;
    for (int i = 0; i < N * THREADS; i++) {
        sum = (7 * sum + a[i] + blocks[i] + items[i].number + (long)(2 * items[i].weight)) % 1000003;
        sum += items[i].marks + 3 * items[i].rest + items[i].in.row[0] + (items[i].in.nowhere == 0);
        sum = (5 * sum + letters[i] + visited[i] + counted[i]) % 1000003;
    }
    printf("%d: %ld %ld\n", MYTHREAD, all, sum);
    upc_barrier;
    return 0;
}
