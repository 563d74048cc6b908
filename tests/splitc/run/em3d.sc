/* Electromagnetic waves on a bipartite graph: each new value is a weighted sum over neighbours anywhere, once by
 * reads, once by gets into local copies, and once by stores into the consumers' memory; all give the same. */
#include <split-c/split-c.h>
#include <split-c/control.h>
#include <stdio.h>
#include <stdlib.h>

#define DEGREE 5

struct node {
    double value, next;
    double weight[DEGREE], copy[DEGREE];
    struct node *spread from[DEGREE];
    double *global to[64];
    int consumers;
};

static int neighbour(int i, int d, int n) { return (int)((i * 7919L + d * 104729L + 13) % n); }

static void compute_read(struct node *mine) {
    int d;
    for (d = 0; d < DEGREE; d++)
        mine->next += mine->weight[d] * mine->from[d]->value;
}

static void compute_get(struct node *mine) {
    int d;
    for (d = 0; d < DEGREE; d++)
        mine->copy[d] := mine->from[d]->value;
    sync();
    for (d = 0; d < DEGREE; d++)
        mine->next += mine->weight[d] * mine->copy[d];
}

static void compute_stored(struct node *mine) {
    int d;
    for (d = 0; d < DEGREE; d++)
        mine->next += mine->weight[d] * mine->copy[d];
}

double run(struct node *spread graph, int n, int version) {
    int i, d, step;
    for_my_1d(i, n) {
        struct node *p = (struct node *)(graph + i);
        p->value = i % 10;
    }
    barrier();
    for (step = 0; step < 4; step++) {
        if (version == 2) {
            for_my_1d(i, n) {
                struct node *p = tolocal(&graph[i]);
                for (d = 0; d < p->consumers; d++)
                    *p->to[d] :- p->value;
            }
            all_store_sync();
        }
        for_my_1d(i, n) {
            struct node *p = tolocal(&graph[i]);
            p->next = 0;
            (version == 0 ? compute_read : version == 1 ? compute_get : compute_stored)(p);
        }
        barrier();
        for_my_1d(i, n) graph[i].value = graph[i].next;
        barrier();
    }
    double sum = 0;
    for (i = 0; i < n; i++)
        sum += graph[i].value * (i + 1);
    barrier();
    return sum;
}

int splitc_main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 60, i, d;
    struct node *spread graph = all_spread_malloc(n, sizeof(struct node));
    for_my_1d(i, n) graph[i].consumers = 0;
    barrier();
    for_my_1d(i, n) for (d = 0; d < DEGREE; d++) {
        graph[i].weight[d] = 0.25 * (d + 1);
        graph[i].from[d] = graph + neighbour(i, d, n);
    }
    barrier();
    on_one {
        for (i = 0; i < n; i++)
            for (d = 0; d < DEGREE; d++) {
                struct node *spread source = graph[i].from[d];
                int place = source->consumers++;
                if (place >= 64)
                    return 2;
                source->to[place] = &graph[i].copy[d];
            }
    }
    barrier();
    double a = run(graph, n, 0), b = run(graph, n, 1), c = run(graph, n, 2);
    if (a != b || a != c || a == 0) {
        printf("%d: %g by reads, %g by gets, %g by stores\n", MYPROC, a, b, c);
        return 1;
    }
    all_spread_free(graph);
    return 0;
}
