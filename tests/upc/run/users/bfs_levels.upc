// Breadth-first search, level by level, on a random graph in compressed rows that its owners allocate; every
// thread compares the levels with a serial search.
//: clause 7.2.3.1 p1
#include "../../check.h"
#include <string.h>

typedef struct {
    long first, count;            /* vertices of this owner */
    shared[] long *offset;        /* count + 1 */
    shared[] int *target;
} part_t;

enum { PER_THREAD = 60, DEGREE = 4, UNSEEN = -1 };

shared part_t parts[THREADS];
shared[PER_THREAD] int level[PER_THREAD * THREADS];
shared int changed[THREADS];

static unsigned hash(unsigned v) {
    v ^= v >> 16, v *= 0x7feb352du, v ^= v >> 15, v *= 0x846ca68bu;
    return v ^ v >> 16;
}

static int neighbour(int v, int k, int n) { return k == 0 ? (v % 7 ? v - 1 : v) : hash(v * DEGREE + k) % n; }
static int degree(int v) { return 1 + hash(v) % DEGREE; }

static void build(void) {
    part_t mine;
    mine.first = (long)MYTHREAD * PER_THREAD;
    mine.count = PER_THREAD;
    mine.offset = (shared[] long *)upc_alloc((mine.count + 1) * sizeof(long));
    long edges = 0;
    for (long v = 0; v < mine.count; v++) {
        mine.offset[v] = edges;
        edges += degree(mine.first + v);
    }
    mine.offset[mine.count] = edges;
    mine.target = (shared[] int *)upc_alloc(edges * sizeof(int));
    long *offset = (long *)mine.offset;
    int *target = (int *)mine.target;
    for (long v = 0; v < mine.count; v++)
        for (long e = offset[v]; e < offset[v + 1]; e++)
            target[e] = neighbour(mine.first + v, e - offset[v], PER_THREAD * THREADS);
    parts[MYTHREAD] = mine;
}

static int search(int root) {
    upc_forall (int v = 0; v < PER_THREAD * THREADS; v++; &level[v])
        level[v] = v == root ? 0 : UNSEEN;
    upc_barrier;
    for (int depth = 0;; depth++) {
        int found = 0;
        part_t here = parts[MYTHREAD];
        for (int v = 0; v < here.count; v++) {
            if (level[here.first + v] != depth)
                continue;
            for (long e = here.offset[v]; e < here.offset[v + 1]; e++) {
                int to = here.target[e];
                if (level[to] == UNSEEN) {
                    level[to] = depth + 1; /* a race in which all write the same */
                    found++;
                }
            }
        }
        changed[MYTHREAD] = found;
        upc_barrier;
        long all = 0;
        for (int t = 0; t < THREADS; t++)
            all += changed[t];
        upc_barrier;
        if (!all)
            return depth;
    }
}

static void check(int root) {
    int n = PER_THREAD * THREADS, head = 0, tail = 0;
    int *queue = malloc(n * sizeof *queue), *want = malloc(n * sizeof *want);
    for (int v = 0; v < n; v++)
        want[v] = UNSEEN;
    want[root] = 0;
    queue[tail++] = root;
    while (head < tail) {
        int v = queue[head++];
        for (int k = 0; k < degree(v); k++) {
            int to = neighbour(v, k, n);
            if (want[to] == UNSEEN)
                want[to] = want[v] + 1, queue[tail++] = to;
        }
    }
    for (int v = 0; v < n; v++)
        CHECK_EQ(level[v], want[v]);
    free(queue);
    free(want);
}

int main(void) {
    build();
    upc_barrier;
    for (int k = 0; k < 3; k++) {
        int root = hash(k + 100) % (PER_THREAD * THREADS);
        search(root);
        check(root);
        upc_barrier;
    }
    upc_free(parts[MYTHREAD].offset);
    upc_free(parts[MYTHREAD].target);
    return 0;
}
