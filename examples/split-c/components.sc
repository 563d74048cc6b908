/* components: the connected components of a mesh with missing edges.
 *
 * The nodes are the points of rows x columns. The edges lead to the right and downwards, and each exists
 * with the given probability. A processor has a block of whole rows. First it finds the components of its
 * rows by itself (union and find, local pointers only). The remaining edges, between the last row of one
 * processor and the first of the next, join components in rounds:
 *
 *   find    each processor follows its edges' ends to the roots of their trees, by reads; if both ends
 *           have the same root, the edge is finished
 *
 *   hook    else it hooks the larger root onto the smaller, with a put.  Several may hook the same root: one
 *           of them wins, the others' edges are still there in the next round.  Roots only ever point to
 *           smaller nodes, so there are no cycles
 *
 * Barriers separate these steps, so that no tree changes while a processor finds, and only roots change. In
 * the end the label of every node is the smallest node of its component.
 *
 *     components [rows [columns [per cent [seed]]]] */
#include "arguments.h"
#include <limits.h>
#include <string.h>

static long rows, columns, percent, seed;
static long block; /* nodes a processor: whole rows */

static int edge_right(long node) {
    return node % columns + 1 < columns && (long)(scramble(seed, 2 * node) % 100) < percent;
}

static int edge_down(long node) {
    return node / columns + 1 < rows && (long)(scramble(seed, 2 * node + 1) % 100) < percent;
}

/* ---- within a processor, and serially --------------------------------------------------------------- */

/* Returns the root of a tree of labels; label[i] is the label of node first + i. Halves the path. */
static long find_own(long *label, long first, long node) {
    while (label[node - first] != node) {
        long up = label[node - first];
        label[node - first] = label[up - first];
        node = up;
    }
    return node;
}

static void join_own(long *label, long first, long a, long b) {
    a = find_own(label, first, a), b = find_own(label, first, b);
    if (a < b)
        label[b - first] = a;
    else
        label[a - first] = b;
}

/* Labels the n nodes from first on by the components that their edges among themselves make. */
static void label_own(long *label, long first, long n) {
    long node;
    for (node = first; node < first + n; node++)
        label[node - first] = node;
    for (node = first; node < first + n; node++) {
        if (edge_right(node))
            join_own(label, first, node, node + 1);
        if (edge_down(node) && node + columns < first + n)
            join_own(label, first, node, node + columns);
    }
    for (node = first; node < first + n; node++)
        label[node - first] = find_own(label, first, node);
}

/* ---- between processors ----------------------------------------------------------------------------- */

struct edge {
    long a, b;
};

static long find_root(long node, long label[PROCS]::[block]) {
    long up;
    while ((up = label[node / block][node % block]) != node)
        node = up;
    return node;
}

/* The edges from this processor's last row to the next processor's first. */
static long list_edges(struct edge *edges, long first, long n) {
    long node, count = 0;
    for (node = n < columns ? first + n : first + n - columns; node < first + n; node++)
        if (edge_down(node))
            edges[count].a = node, edges[count++].b = node + columns;
    return count;
}

/* Joins components along the edges, until none are left on any processor. Returns the number of rounds. */
static int join_all(struct edge *edges, long count, long label[PROCS]::[block]) {
    int round;
    for (round = 0; all_reduce_to_all_or(count > 0); round++) {
        long k, left = 0;
        for (k = 0; k < count; k++) {
            struct edge e = {find_root(edges[k].a, label), find_root(edges[k].b, label)};
            if (e.a != e.b)
                edges[left++] = e;
        }
        count = left;
        barrier();
        for (k = 0; k < count; k++) {
            long low = edges[k].a < edges[k].b ? edges[k].a : edges[k].b,
                 high = edges[k].a + edges[k].b - low;
            label[high / block][high % block] := low;
        }
        sync();
        barrier();
    }
    return round;
}

/* ---- the program ------------------------------------------------------------------------------------ */

/* Returns the number of own nodes with wrong labels, against a serial run; counts components. */
static long count_wrong(const long *own, long first, long n, long *components) {
    long *right = malloc(rows * columns * sizeof *right), node, wrong = 0;
    if (!right) {
        fprintf(stderr, "components: no memory for %ld labels\n", rows * columns);
        exit(1);
    }
    label_own(right, 0, rows * columns);
    for (node = *components = 0; node < rows * columns; node++)
        *components += right[node] == node;
    for (node = first; node < first + n; node++)
        wrong += own[node - first] != right[node];
    free(right);
    return all_reduce_to_all_ladd(wrong);
}

int splitc_main(int argc, char **argv) {
    struct argument list[] = {{"rows", 100, 1, 100000},
                              {"columns", 60, 1, 100000},
                              {"percent", 50, 0, 100},
                              {"seed", 1, 0, LONG_MAX}};
    read_arguments(argc, argv, list, 4);
    rows = list[0].value, columns = list[1].value, percent = list[2].value, seed = list[3].value;
    block = (rows + PROCS - 1) / PROCS * columns;
    long label[PROCS]::[block];
    long *own = tolocal(label[MYPROC]), first = MYPROC * block, n = rows * columns - first, node, components;
    n = n < 0 ? 0 : n < block ? n : block;
    struct edge *edges = malloc(columns * sizeof *edges);
    if (!edges)
        exit(1);
    barrier();
    double took = get_seconds();
    label_own(own, first, n);
    int rounds = join_all(edges, list_edges(edges, first, n), label);
    for (node = first; node < first + n; node++) {
        long up = own[node - first];
        if (up < first || own[up - first] != up)
            own[node - first] = find_root(up, label);
    }
    barrier();
    took = get_seconds() - took;
    long wrong = count_wrong(own, first, n, &components);
    on_one {
        printf("components of a mesh of %ld x %ld with %ld %% of its edges, seed %ld: ", rows, columns,
               percent, seed);
        if (wrong)
            printf("%ld labels are wrong\n", wrong);
        else
            printf("%ld, ok\n", components);
        printf("time %.6f s on %d processors, %d rounds\n", took, PROCS, rounds);
    }
    free(edges);
    exit(wrong != 0);
}
