/* bfs: breadth-first searches of a Kronecker graph, as in Graph500. Serial C for the versions in UPC, OpenMP
 * and MPI.
 *
 * The graph has 2^scale vertices and 16 edges for each, drawn from the initiator 0.57, 0.19, 0.19, 0.05; the
 * vertices' numbers are scrambled. It is undirected, and multiple edges stay. A search gives each vertex a
 * parent. The result is correct if three conditions hold: the parents make a tree of edges of the graph,
 * rooted at the root; the levels of neighbours differ by one at most; all neighbours of the tree's vertices
 * are in the tree. */
#ifndef KERNELS_BFS_H
#define KERNELS_BFS_H

#include "../../examples/nas/random.h"

#define SEED 271828183UL
#define EDGES 16 /* for each vertex */
#define ROOTS 8  /* searches */

static const int scales[] = {14, 17, 20};
static int scale;
static long n;                /* vertices */
static long many, first_mine; /* this thread's vertices */

static int *parent, *frontier, *next; /* of this thread's vertices; levels of a search */

/* The neighbours of this thread's vertex i are target[k] for start[i] <= k < start[i + 1]. */
static struct {
    long *start;
    int *target;
} graph;

/* Returns a unique number that replaces vertex v's: both steps are invertible. */
static int scrambled(long v) {
    v = (v * 0x9e3779b1L + 12345) & (n - 1);
    return (int)(v ^ (v >> (scale / 2)));
}

static void draw_edge(uint64_t *random, int ends[2]) {
    long from = 0, to = 0;
    for (int bit = 0; bit < scale; bit++) {
        double x = next_random(random);
        from = 2 * from + (x >= 0.76);
        to = 2 * to + ((x >= 0.57 && x < 0.76) || x >= 0.95);
    }
    ends[0] = scrambled(from);
    ends[1] = scrambled(to);
}

/* Makes the edges of this thread's vertices. All edges are drawn twice, first to count and then to store
 * them. */
static void make_graph(void) {
    graph.start = need(calloc(many + 2, sizeof *graph.start));
    long *place = graph.start + 1; /* in the end the place of a vertex is the start of the next */
    for (int keep = 0; keep < 2; keep++) {
        uint64_t random = SEED;
        for (long e = 0; e < n * EDGES; e++) {
            int ends[2];
            draw_edge(&random, ends);
            for (int i = 0; i < 2; i++) {
                long v = ends[i] - first_mine;
                if (v < 0 || v >= many)
                    continue;
                if (keep)
                    graph.target[place[v]++] = ends[1 - i];
                else
                    graph.start[v + 2]++;
            }
        }
        if (!keep) {
            for (long v = 1; v <= many; v++)
                graph.start[v + 1] += graph.start[v];
            graph.target = need(malloc((graph.start[many + 1] + 1) * sizeof *graph.target));
        }
    }
}

/* Returns a vertex to be tried as the root of a search, which must not be isolated. */
static long root_candidate(int search, long attempt) {
    return (search * 7919L + attempt * 104729L + 1) & (n - 1);
}

/* Returns the root of a search; called by all threads. */
static long find_root(int search) {
    for (long attempt = 0;; attempt++) {
        long v = root_candidate(search, attempt), i = v - first_mine;
        bool mine = i >= 0 && i < many;
        if (all_sum(mine ? graph.start[i + 1] - graph.start[i] : 0) > 0)
            return v;
    }
}

/* Takes a vertex of this thread into the next frontier if it has no parent. */
static inline void reach(int vertex, int from, long *length) {
    if (parent[vertex - first_mine] < 0) {
        parent[vertex - first_mine] = from;
        next[(*length)++] = vertex;
    }
}

/* Finds the level of each vertex in the tree of these parents: -1 if it is not in the tree, -2 if there is no
 * tree. */
static void find_levels(const int *parent, long root, int *level) {
    memset(level, -1, n * sizeof *level);
    level[root] = parent[root] == root ? 0 : -2;
    for (long v = 0; v < n; v++) {
        long length = 0, top = v;
        while (level[top] == -1 && parent[top] >= 0 && length <= n) {
            top = parent[top];
            length++;
        }
        if (parent[v] < 0 || length == 0)
            continue;
        int depth = length > n || level[top] < 0 ? -2 : level[top] + (int)length;
        for (long u = v; length-- > 0; u = parent[u])
            level[u] = depth < 0 ? -2 : depth--;
    }
}

/* Returns the number of this thread's vertices that are wrong. Adds the edges of those in the tree to
 * *edges. */
static long count_wrong(const int *parent, const int *level, long root, long *edges) {
    long wrong = 0;
    for (long i = 0; i < many; i++) {
        long v = first_mine + i;
        bool found = v == root, good = level[v] >= -1;
        for (long k = graph.start[i]; k < graph.start[i + 1] && good; k++) {
            int u = graph.target[k];
            good = (level[u] < 0) == (level[v] < 0) && abs(level[u] - level[v]) <= 1;
            found |= u == parent[v] && level[u] == level[v] - 1;
        }
        wrong += !good || (level[v] >= 0 && !found);
        if (level[v] >= 0)
            *edges += graph.start[i + 1] - graph.start[i];
    }
    return wrong;
}

#endif
