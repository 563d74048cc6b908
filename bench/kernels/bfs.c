/* The counterpart of bfs.upc: with MPI one MPI_Alltoallv of the found vertices a level; with OpenMP all
 * parents lie in memory that the threads share, and a vertex is claimed by an atomic exchange. */
#include "../c/parallel.h"
#include "bfs.h"

#ifdef WITH_MPI
struct found {
    int vertex, parent;
};
static struct found *sending, *received;
static int *lengths, *places, *their_lengths, *their_places; /* in ints */
static bool *seen;

static int owner_of(long v) { return (int)(((v + 1) * processes - 1) / n); }

static void look_around(long length, long *found) {
    for (long i = 0; i < length; i++) {
        int v = frontier[i];
        for (long k = graph.start[v - first_mine]; k < graph.start[v - first_mine + 1]; k++) {
            int u = graph.target[k];
            if (seen[u])
                continue;
            seen[u] = true;
            int t = owner_of(u);
            if (t == rank)
                reach(u, v, found);
            else {
                sending[(places[t] + lengths[t]) / 2] = (struct found){u, v};
                lengths[t] += 2;
            }
        }
    }
}

static void exchange(long *found) {
    MPI_Alltoall(lengths, 1, MPI_INT, their_lengths, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Alltoallv(sending, lengths, places, MPI_INT, received, their_lengths, their_places, MPI_INT,
                  MPI_COMM_WORLD);
    for (int t = 0; t < processes; t++) {
        for (long i = 0; i < their_lengths[t] / 2; i++) {
            struct found theirs = received[their_places[t] / 2 + i];
            reach(theirs.vertex, theirs.parent, found);
        }
        lengths[t] = 0;
    }
}

/* Does one level. Returns the length of the next frontier. */
static long advance(long length) {
    long found = 0;
    look_around(length, &found);
    exchange(&found);
    return found;
}

static void allocate(void) {
    sending = need(malloc((n + 1) * sizeof *sending));
    received = need(malloc((many + 1) * processes * sizeof *received));
    seen = need(malloc(n));
    int **all[] = {&lengths, &places, &their_lengths, &their_places};
    for (int i = 0; i < 4; i++)
        *all[i] = need(calloc(processes, sizeof **all[i]));
    for (int t = 0; t < processes; t++) {
        places[t] = (int)(2 * first_of(t, n));
        their_places[t] = (int)(2 * t * many);
    }
}

static void clear(long root) {
    memset(seen, 0, n);
    seen[root] |= owner_of(root) == rank;
}
#else
static void clear(long root) { (void)root; }
static void allocate(void) {}

/* Appends the vertices that a thread has found to the next frontier, many at a time. */
static void empty(int *found, int *length, long *all) {
    long at;
#pragma omp atomic capture
    {
        at = *all;
        *all += *length;
    }
    memcpy(next + at, found, *length * sizeof *found);
    *length = 0;
}

static long advance(long length) {
    long all = 0;
#pragma omp parallel
    {
        int found[1024], here = 0;
#pragma omp for schedule(dynamic, 64)
        for (long i = 0; i < length; i++) {
            int v = frontier[i];
            for (long k = graph.start[v]; k < graph.start[v + 1]; k++) {
                int u = graph.target[k], none = -1;
                if (__atomic_load_n(&parent[u], __ATOMIC_RELAXED) >= 0 ||
                    !__atomic_compare_exchange_n(&parent[u], &none, v, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
                    continue;
                found[here++] = u;
                if (here == 1024)
                    empty(found, &here, &all);
            }
        }
        empty(found, &here, &all);
    }
    return all;
}
#endif

static void search(long root) {
    long length = 0, i = root - first_mine;
    memset(parent, -1, many * sizeof *parent);
    clear(root);
    if (i >= 0 && i < many) {
        parent[i] = (int)root;
        next[length++] = (int)root;
    }
    do {
        int *old = frontier;
        frontier = next;
        next = old;
        length = advance(length);
    } while (all_sum(length) > 0);
}

/* Gathers all parents on each process. */
static void gather(int *all) {
#ifdef WITH_MPI
    int *own = need(malloc(processes * sizeof *own)), *at = need(malloc(processes * sizeof *at));
    for (int t = 0; t < processes; t++) {
        own[t] = (int)share_of(t, n);
        at[t] = (int)first_of(t, n);
    }
    MPI_Allgatherv(parent, (int)many, MPI_INT, all, own, at, MPI_INT, MPI_COMM_WORLD);
    free(own);
    free(at);
#else
    memcpy(all, parent, n * sizeof *all);
#endif
}

int main(int argc, char **argv) {
    scale = scales[parallel_begin(argc, argv, "SWA")];
    n = 1L << scale;
    many = share_of(rank, n);
    first_mine = first_of(rank, n);
    make_graph();
    allocate();
    parent = need(malloc((many + 1) * sizeof *parent));
    frontier = need(malloc((many + 1) * sizeof *frontier));
    next = need(malloc((many + 1) * sizeof *next));
    int *parents = need(malloc(n * sizeof *parents)), *level = need(malloc(n * sizeof *level));
    double took = 0;
    long wrong = 0, edges = 0;
    for (int i = 0; i < ROOTS; i++) {
        long root = find_root(i);
        all_wait();
        double begin = seconds();
        search(root);
        took += seconds() - begin;
        gather(parents);
        find_levels(parents, root, level);
        wrong += count_wrong(parents, level, root, &edges);
    }
    bool good = agrees("the number of wrong vertices", all_sum(wrong), 0, 0);
    return verdict("bfs", good, took, all_sum(edges) / 2);
}
