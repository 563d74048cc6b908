/* bfs in UPC: a thread writes to each other thread, in each level, the vertices of that thread which it has
 * found, each vertex once, by one transfer, and then their number. There are one barrier and one sum over all
 * threads a level. */
#include "../../examples/nas/nas.h"
#include "bfs.h"

struct found {
    int vertex, parent;
};
typedef shared[] struct found *buffer_t;
typedef shared[] long *counts_t;
static shared struct {
    buffer_t received; /* a buffer for all of the thread's vertices from each sender */
    counts_t counts;   /* their numbers, by sender */
} directory[THREADS];
static buffer_t *received;
static counts_t *counts;
static shared[] int *shared parts[THREADS];

static struct found **sending;
static long *lengths;
static bool *seen; /* by vertex: this thread has sent it */

static void allocate(void) {
    received = need(malloc(THREADS * sizeof *received));
    counts = need(malloc(THREADS * sizeof *counts));
    directory[MYTHREAD].received = (buffer_t)need_shared((many + 1) * THREADS * sizeof(struct found));
    directory[MYTHREAD].counts = (counts_t)need_shared(THREADS * sizeof(long));
    parts[MYTHREAD] = (shared[] int *)need_shared((many + 1) * sizeof(int));
    sending = need(malloc(THREADS * sizeof *sending));
    lengths = need(calloc(THREADS, sizeof *lengths));
    for (int t = 0; t < THREADS; t++)
        sending[t] = need(malloc((share_of(t, n) + 1) * sizeof **sending));
    frontier = need(malloc((many + 1) * sizeof *frontier));
    next = need(malloc((many + 1) * sizeof *next));
    seen = need(malloc(n));
    parent = (int *)parts[MYTHREAD];
    upc_barrier;
    for (int t = 0; t < THREADS; t++) {
        received[t] = directory[t].received;
        counts[t] = directory[t].counts;
    }
}

static void look_around(long length, long *found) {
    for (long i = 0; i < length; i++) {
        int v = frontier[i];
        for (long k = graph.start[v - first_mine]; k < graph.start[v - first_mine + 1]; k++) {
            int u = graph.target[k];
            if (seen[u])
                continue;
            seen[u] = true;
            int t = owner_of(u, n);
            if (t == MYTHREAD)
                reach(u, v, found);
            else
                sending[t][lengths[t]++] = (struct found){u, v};
        }
    }
}

/* Sends to the other threads, and receives from them. No thread writes here again before the sum that ends
 * the level. */
static void exchange(long *found) {
    for (int step = 1; step < THREADS; step++) {
        int t = (MYTHREAD + step) % THREADS;
        upc_memput_nbi(received[t] + MYTHREAD * share_of(t, n), sending[t], lengths[t] * sizeof **sending);
        upc_memput_nbi(counts[t] + MYTHREAD, &lengths[t], sizeof *lengths);
    }
    upc_synci();
    upc_barrier;
    const long *count = (const long *)counts[MYTHREAD];
    for (int t = 0; t < THREADS; t++) {
        const struct found *theirs = (const struct found *)received[MYTHREAD] + t * many;
        for (long i = 0; t != MYTHREAD && i < count[t]; i++)
            reach(theirs[i].vertex, theirs[i].parent, found);
        lengths[t] = 0;
    }
}

static void search(long root) {
    long length = 0;
    memset(parent, -1, many * sizeof *parent);
    memset(seen, 0, n);
    if (owner_of(root, n) == MYTHREAD) {
        reach((int)root, (int)root, &length);
        seen[root] = true;
    }
    do {
        int *old = frontier;
        long found = 0;
        frontier = next;
        next = old;
        look_around(length, &found);
        exchange(&found);
        length = found;
    } while (all_sum(length) > 0);
}

/* Returns the number of wrong vertices of this thread. */
static long test(long root, int *parents, int *level, long *edges) {
    upc_barrier;
    for (int t = 0; t < THREADS; t++)
        upc_memget(parents + first_of(t, n), parts[t], share_of(t, n) * sizeof(int));
    upc_barrier;
    find_levels(parents, root, level);
    return count_wrong(parents, level, root, edges);
}

int main(int argc, char **argv) {
    int class = read_class(argc, argv);
    scale = scales[class];
    n = 1L << scale;
    many = share_of(MYTHREAD, n);
    first_mine = first_of(MYTHREAD, n);
    make_graph();
    allocate();
    int *parents = need(malloc(n * sizeof *parents)), *level = need(malloc(n * sizeof *level));
    double took = 0;
    long wrong = 0, edges = 0;
    for (int i = 0; i < ROOTS; i++) {
        long root = find_root(i);
        upc_barrier;
        double begin = seconds();
        search(root);
        took += seconds() - begin;
        wrong += test(root, parents, level, &edges);
    }
    bool good = agrees("the number of wrong vertices", all_sum(wrong), 0, 0);
    return verdict("bfs", class, good, took, all_sum(edges) / 2);
}
