/* EM3D: a bipartite graph of E and H nodes, five versions of the inner step, as in the paper: plain reads,
 * ghost nodes read in, gets, stores, and bulk stores; all against the plain computation. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <split-c/split-c.h>
#include <split-c/control.h>
#include "../../check.h"

#define NODES 20
#define DEGREE 4
#define STEPS 3

typedef struct node {
    double value;
    int edge_count;
    double coeffs[DEGREE];
    double *global values[DEGREE];
    int from[DEGREE];                 /* the other side's node, by number */
} graph_node;

graph_node E[PROCS]::[NODES], H[PROCS]::[NODES];
double ghosts[PROCS]::[NODES * DEGREE];
double whole[64 * NODES];
static double *e_plain, *h_plain;

int other(p, i, k, salt) int p, i, k, salt;
{
    return ((p * NODES + i) * 7 + k * 13 + salt) % (NODES * PROCS);
}

void make_graph(graph_node *mine, graph_node (*spread theirs)[NODES], int salt)
{
    int i, k;
    for (i = 0; i < NODES; i++) {
        graph_node *n = &mine[i];
        n->value = MYPROC + i * 0.5 + salt;
        n->edge_count = DEGREE;
        for (k = 0; k < DEGREE; k++) {
            int at = other(MYPROC, i, k, salt);
            n->coeffs[k] = 0.125 * (k + 1);
            n->from[k] = at;
            n->values[k] = &(*(theirs + at / NODES))[at % NODES].value;
        }
    }
}

void step_read(graph_node *mine)
{
    int i, k;
    graph_node *n;
    for (n = mine; n < mine + NODES; n++)
        for (k = 0; k < n->edge_count; k++)
            n->value = n->value - *n->values[k] * n->coeffs[k];
}

void step_get(graph_node *mine)
{
    int i, k;
    double got[NODES][DEGREE];
    for (i = 0; i < NODES; i++)
        for (k = 0; k < DEGREE; k++)
            got[i][k] := *mine[i].values[k];
    sync();
    for (i = 0; i < NODES; i++)
        for (k = 0; k < DEGREE; k++)
            mine[i].value = mine[i].value - got[i][k] * mine[i].coeffs[k];
}

/* Owners push their values to the processors that need them: every processor knows the whole graph here. */
void step_store(graph_node *mine, graph_node *sources, int salt)
{
    int i, k, p;
    double *local = tolocal(ghosts[MYPROC]);
    for (p = 0; p < PROCS; p++)
        for (i = 0; i < NODES; i++)
            for (k = 0; k < DEGREE; k++) {
                int at = other(p, i, k, salt);
                if (at / NODES == MYPROC)
                    ghosts[p][i * DEGREE + k] :- sources[at % NODES].value;
            }
    all_store_sync();
    for (i = 0; i < NODES; i++)
        for (k = 0; k < DEGREE; k++)
            mine[i].value = mine[i].value - local[i * DEGREE + k] * mine[i].coeffs[k];
}

void step_bulk(graph_node *mine, graph_node *sources)
{
    int i, k, p;
    double values[NODES];
    for (i = 0; i < NODES; i++)
        values[i] = sources[i].value;
    for (p = 0; p < PROCS; p++)
        bulk_store(toglobal(p, &whole[MYPROC * NODES]), values, sizeof values);
    store_sync(PROCS * sizeof values);
    barrier();
    for (i = 0; i < NODES; i++)
        for (k = 0; k < DEGREE; k++)
            mine[i].value = mine[i].value - whole[mine[i].from[k]] * mine[i].coeffs[k];
}

void plain(double *a, double *b, int salt)
{
    int p, i, k;
    for (p = 0; p < PROCS; p++)
        for (i = 0; i < NODES; i++)
            for (k = 0; k < DEGREE; k++)
                a[p * NODES + i] = a[p * NODES + i] - b[other(p, i, k, salt)] * (0.125 * (k + 1));
}

splitc_main(int argc, char **argv)
{
    int version, s, i, p;
    graph_node *e = tolocal(E[MYPROC]), *h = tolocal(H[MYPROC]);
    e_plain = malloc(NODES * PROCS * sizeof(double));
    h_plain = malloc(NODES * PROCS * sizeof(double));
    for (version = 0; version < 4; version++) {
        make_graph(e, H, 3);
        make_graph(h, E, 5);
        for (p = 0; p < PROCS; p++)
            for (i = 0; i < NODES; i++) {
                e_plain[p * NODES + i] = p + i * 0.5 + 3;
                h_plain[p * NODES + i] = p + i * 0.5 + 5;
            }
        barrier();
        for (s = 0; s < STEPS; s++) {
            switch (version) {
            case 0: step_read(e); barrier(); step_read(h); break;
            case 1: step_get(e); barrier(); step_get(h); break;
            case 2: step_store(e, h, 3); barrier(); step_store(h, e, 5); break;
            case 3: step_bulk(e, h); barrier(); step_bulk(h, e); break;
            }
            barrier();
            plain(e_plain, h_plain, 3);
            plain(h_plain, e_plain, 5);
        }
        for (i = 0; i < NODES; i++) {
            CHECK(e[i].value == e_plain[MYPROC * NODES + i]);
            CHECK(h[i].value == h_plain[MYPROC * NODES + i]);
            CHECK(E[(MYPROC + 1) % PROCS][i].value == e_plain[(MYPROC + 1) % PROCS * NODES + i]);
        }
        barrier();
    }
    on_one printf("good\n");
    return 0;
}
