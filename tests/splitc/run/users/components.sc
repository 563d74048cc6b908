/* Connected components of a random graph by hooking and pointer jumping on global pointers, against a serial
 * union-find. */
#include <split-c/split-c.h>
#include <split-c/control.h>
#include <split-c/atomic.h>
#include <stdio.h>
#include <stdlib.h>
#include "../../check.h"
#define NODES (12 * PROCS)
#define EDGES (9 * PROCS)
struct vertex { int label, number; struct vertex *global parent; };
struct vertex graph[12 * PROCS]::;
int root_of[64 * 12];

static unsigned mix(unsigned x) { x *= 2654435761u; return x ^ x >> 13; }
static int end_a(int e) { return mix(2 * e + 1) % NODES; }
static int end_b(int e) { return mix(3 * e + 7) % NODES; }

static int find(int v) { while (root_of[v] != v) v = root_of[v] = root_of[root_of[v]]; return v; }

splitc_main()
{
    int i, e, changed, rounds = 0, components = 0, roots = 0;
    for_my_1d(i, NODES) {
        graph[i].number = graph[i].label = i;
        graph[i].parent = (struct vertex *global)&graph[i];
    }
    barrier();
    do {
        changed = 0;
        /* Labels go down along edges: the smaller one wins. A later round repairs lost races. */
        for_my_1d(e, EDGES) {
            struct vertex *global a = (struct vertex *global)&graph[end_a(e)];
            struct vertex *global b = (struct vertex *global)&graph[end_b(e)];
            int la = a->label, lb = b->label;
            if (la < lb) { b->label = la; b->parent = a; changed = 1; }
            else if (lb < la) { a->label = lb; a->parent = b; changed = 1; }
        }
        barrier();
        /* Jumping. */
        for_my_1d(i, NODES) {
            struct vertex *global v = (struct vertex *global)&graph[i];
            int l = graph[v->label].label;
            if (l < v->label) { v->label = l; changed = 1; }
        }
        barrier();
        CHECK(++rounds < 1000);
    } while (all_reduce_to_all_or(changed));
    for (i = 0; i < NODES; i++) root_of[i] = i;
    for (e = 0; e < EDGES; e++) {
        int a = find(end_a(e)), b = find(end_b(e));
        if (a < b) root_of[b] = a; else root_of[a] = b;
    }
    for (i = 0; i < NODES; i++) {
        CHECK(graph[i].label == find(i) && graph[i].number == i);
        components += find(i) == i;
        CHECK(graph[i].parent->label == graph[i].label);
    }
    for_my_1d(i, NODES) roots += graph[i].label == i;
    CHECK(all_reduce_to_all_add(roots) == components);
    return 0;
}
