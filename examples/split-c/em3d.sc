/* em3d: the propagation of electromagnetic waves, on a graph of electric and magnetic values.
 *
 * Each E node depends on some H nodes and each H node on some E nodes, by edges with weights; a step makes
 * new E values from the H values, then new H values from the E values. Most edges lead to nodes nearby, some
 * anywhere. The nodes lie in blocks, each processor's in its own memory. There are four versions, which
 * differ in how a value reaches the edges that need it:
 *
 *   read    every edge reads through a global pointer
 *
 *   get     each processor has a ghost, a copy, of each remote node that it needs; before a half step it
 *           gets them all with `:=', waits once, and then the edges follow local pointers
 *
 *   store   the owners know the ghosts, and push the values into them with `:-', without requests
 *
 *   bulk    the ghosts of one owner's nodes lie in a row: the owner gathers the values and moves them with
 *           one bulk_store a processor
 *
 * All versions add in the same order, so they and a serial run give the same bits.
 *
 *     em3d [nodes [degree [remote [steps [seed]]]]]      remote: per cent of edges that lead anywhere */
#include "arguments.h"
#include <limits.h>
#include <string.h>

#define NEAR 8 /* the length of a near edge, at most */

/* The command line's parameters. */
static struct {
    long n; /* E nodes, and H nodes */
    long degree, remote, steps, seed;
    long block; /* nodes a processor; the last ones may have fewer */
} wanted;

/* One processor's ghosts of another's nodes. */
struct ghosts {
    long count;
    long *global node;    /* the numbers of the nodes */
    double *global value; /* the copies */
};

/* The E or the H nodes of this processor, and the edges from which they get their values. */
struct half {
    long n;              /* own nodes */
    double *value;       /* the values of own nodes */
    long *source;        /* [n * degree] the node at an edge's other end, by number */
    double *weight;      /* likewise */
    double *global *far; /* likewise: its value, on any processor */
    double **near;       /* likewise: its value if it is here, else its ghost's */
    long ghost_count;
    long *ghost_node;       /* numbers, in order, therefore by owner */
    double *global *origin; /* the addresses of the originals */
    double *ghost;          /* the copies */
    struct ghosts *served;  /* [PROCS] the others' ghosts of nodes that this half's edges come from */
    double *gathered;       /* memory for the values of one processor's ghosts */
};

/* ---- the graph -------------------------------------------------------------------------------------- */

/* The source and the weight of edge d of node i, in half 0 (E) or 1 (H). */
static long edge_source(int half, long i, long d) {
    unsigned long r = scramble(wanted.seed, (half * wanted.n + i) * wanted.degree + d);
    if ((long)(r % 100) < wanted.remote)
        return (long)((r >> 8) % (unsigned long)wanted.n);
    return (i + wanted.n * NEAR + (long)((r >> 8) % (2 * NEAR + 1)) - NEAR) % wanted.n;
}

static double edge_weight(int half, long i, long d) {
    unsigned long r = scramble(wanted.seed + 1, (half * wanted.n + i) * wanted.degree + d);
    return (double)(r >> 40) / (double)(1 << 24) / (double)wanted.degree;
}

static double first_value(int half, long i) {
    return (double)(scramble(wanted.seed + 2, half * wanted.n + i) % 1000) / 8;
}

static void *allocate(long n, size_t each) {
    void *p = calloc(n ? n : 1, each);
    if (!p) {
        fprintf(stderr, "em3d: no memory for %ld objects of %zu bytes\n", n, each);
        exit(1);
    }
    return p;
}

static int compare_numbers(const void *a, const void *b) {
    long x = *(const long *)a, y = *(const long *)b;
    return (x > y) - (x < y);
}

static int owner(long node) { return (int)(node / wanted.block); }

/* Lists the remote nodes from which edges of h come, each once. */
static void list_ghosts(struct half *h) {
    long edges = h->n * wanted.degree, k, kept = 0;
    h->ghost_node = allocate(edges, sizeof(long));
    for (k = 0; k < edges; k++)
        if (owner(h->source[k]) != MYPROC)
            h->ghost_node[h->ghost_count++] = h->source[k];
    qsort(h->ghost_node, h->ghost_count, sizeof(long), compare_numbers);
    for (k = 0; k < h->ghost_count; k++)
        if (k == 0 || h->ghost_node[k] != h->ghost_node[k - 1])
            h->ghost_node[kept++] = h->ghost_node[k];
    h->ghost_count = kept;
}

/* Makes half number `which' of this processor; own: its nodes' values; from: the values of the other half. */
static void make_half(struct half *h, int which, double *own, long block, double from[PROCS]::[block]) {
    long first = MYPROC * block, left = wanted.n - first, edges, k;
    h->n = left < 0 ? 0 : left < block ? left : block;
    h->value = own;
    edges = h->n * wanted.degree;
    h->source = allocate(edges, sizeof(long));
    h->weight = allocate(edges, sizeof(double));
    h->far = allocate(edges, sizeof(double *global));
    h->near = allocate(edges, sizeof(double *));
    for (k = 0; k < edges; k++) {
        h->source[k] = edge_source(which, first + k / wanted.degree, k % wanted.degree);
        h->weight[k] = edge_weight(which, first + k / wanted.degree, k % wanted.degree);
        h->far[k] = &from[owner(h->source[k])][h->source[k] % block];
    }
    list_ghosts(h);
    h->ghost = allocate(h->ghost_count, sizeof(double));
    h->origin = allocate(h->ghost_count, sizeof(double *global));
    for (k = 0; k < h->ghost_count; k++)
        h->origin[k] = &from[owner(h->ghost_node[k])][h->ghost_node[k] % block];
    for (k = 0; k < edges; k++) {
        long *found = bsearch(&h->source[k], h->ghost_node, h->ghost_count, sizeof(long), compare_numbers);
        h->near[k] = found ? h->ghost + (found - h->ghost_node) : (double *)h->far[k];
    }
}

/* Tells each owner of this processor's ghosts of its nodes, and learns the same from the others;
 * collective. */
static void introduce(struct half *h) {
    struct ghosts table[PROCS]::[PROCS];
    long k = 0, most = 0;
    int p;
    for (p = 0; p < PROCS; p++) {
        struct ghosts mine = {0, (long *global)(h->ghost_node + k), (double *global)(h->ghost + k)};
        while (k < h->ghost_count && owner(h->ghost_node[k]) == p)
            k++, mine.count++;
        table[p][MYPROC] :- mine;
    }
    all_store_sync();
    h->served = allocate(PROCS, sizeof *h->served);
    memcpy(h->served, tolocal(table[MYPROC]), PROCS * sizeof *h->served);
    for (p = 0; p < PROCS; p++) {
        struct ghosts *s = &h->served[p];
        long *copy = allocate(s->count, sizeof(long));
        bulk_read(copy, s->node, s->count * sizeof(long));
        s->node = (long *global)copy;
        most = s->count > most ? s->count : most;
    }
    h->gathered = allocate(most, sizeof(double));
    barrier();
}

/* ---- the four versions: new values of h, from those of the other half ------------------------------- */

static void by_read(struct half *h, const struct half *other) {
    long i, d, k = 0;
    (void)other;
    for (i = 0; i < h->n; i++)
        for (d = 0; d < wanted.degree; d++, k++)
            h->value[i] -= h->weight[k] * *h->far[k];
    barrier();
}

/* Adds up once all needed values are here: local pointers only. */
static void add_up(struct half *h) {
    long i, d, k = 0;
    for (i = 0; i < h->n; i++)
        for (d = 0; d < wanted.degree; d++, k++)
            h->value[i] -= h->weight[k] * *h->near[k];
}

static void by_get(struct half *h, const struct half *other) {
    long k;
    (void)other;
    for (k = 0; k < h->ghost_count; k++)
        h->ghost[k] := *h->origin[k];
    sync();
    add_up(h);
    barrier();
}

/* all_store_sync also separates the half steps: nobody can push the next values before all have added up. */
static void by_store(struct half *h, const struct half *other) {
    int p;
    long k;
    for (p = 0; p < PROCS; p++) {
        const long *node = tolocal(h->served[p].node);
        double *global to = h->served[p].value;
        for (k = 0; k < h->served[p].count; k++)
            to[k] :- other->value[node[k] % wanted.block];
    }
    all_store_sync();
    add_up(h);
}

static void by_bulk(struct half *h, const struct half *other) {
    int p;
    long k;
    for (p = 0; p < PROCS; p++) {
        const long *node = tolocal(h->served[p].node);
        for (k = 0; k < h->served[p].count; k++)
            h->gathered[k] = other->value[node[k] % wanted.block];
        bulk_store(h->served[p].value, h->gathered, h->served[p].count * sizeof(double));
    }
    all_store_sync();
    add_up(h);
}

static const struct {
    const char *name;
    void (*advance)(struct half *h, const struct half *other);
} versions[] = {{"read", by_read}, {"get", by_get}, {"store", by_store}, {"bulk", by_bulk}};

/* Returns the seconds that a version takes for all steps, from the first values on; collective. */
static double run_version(int version, struct half *e, struct half *h) {
    long i, step;
    for (i = 0; i < e->n; i++) {
        e->value[i] = first_value(0, MYPROC * wanted.block + i);
        h->value[i] = first_value(1, MYPROC * wanted.block + i);
    }
    barrier();
    double begin = get_seconds();
    for (step = 0; step < wanted.steps; step++) {
        versions[version].advance(e, h);
        versions[version].advance(h, e);
    }
    barrier();
    return get_seconds() - begin;
}

/* ---- the check -------------------------------------------------------------------------------------- */

static void advance_serially(int which, double *value, const double *other) {
    long i, d;
    for (i = 0; i < wanted.n; i++)
        for (d = 0; d < wanted.degree; d++)
            value[i] -= edge_weight(which, i, d) * other[edge_source(which, i, d)];
}

/* Computes the values after all steps, by a serial run. */
static void run_serially(double *e, double *h) {
    long i, step;
    for (i = 0; i < wanted.n; i++)
        e[i] = first_value(0, i), h[i] = first_value(1, i);
    for (step = 0; step < wanted.steps; step++) {
        advance_serially(0, e, h);
        advance_serially(1, h, e);
    }
}

/* Returns the number of this processor's values that differ from the serial run's. */
static long count_wrong(const struct half *half, const double *right) {
    long i, wrong = 0;
    for (i = 0; i < half->n; i++)
        wrong += memcmp(&half->value[i], &right[MYPROC * wanted.block + i], sizeof(double)) != 0;
    return wrong;
}

int splitc_main(int argc, char **argv) {
    struct argument list[] = {{"nodes", 1200, 1, 1L << 28},
                              {"degree", 6, 0, 1000},
                              {"remote", 20, 0, 100},
                              {"steps", 5, 0, 1000000},
                              {"seed", 1, 0, LONG_MAX}};
    read_arguments(argc, argv, list, 5);
    wanted.n = list[0].value, wanted.degree = list[1].value, wanted.remote = list[2].value;
    wanted.steps = list[3].value, wanted.seed = list[4].value;
    wanted.block = (wanted.n + PROCS - 1) / PROCS;

    double e_values[PROCS]::[wanted.block], h_values[PROCS]::[wanted.block];
    struct half e = {0}, h = {0};
    make_half(&e, 0, tolocal(e_values[MYPROC]), wanted.block, h_values);
    make_half(&h, 1, tolocal(h_values[MYPROC]), wanted.block, e_values);
    introduce(&e);
    introduce(&h);
    double *right_e = allocate(wanted.n, sizeof(double)), *right_h = allocate(wanted.n, sizeof(double));
    run_serially(right_e, right_h);
    long ghosts = all_reduce_to_all_ladd(e.ghost_count + h.ghost_count), all_wrong = 0;
    double took[4];
    int v;
    for (v = 0; v < 4; v++) {
        took[v] = run_version(v, &e, &h);
        long wrong = all_reduce_to_all_ladd(count_wrong(&e, right_e) + count_wrong(&h, right_h));
        on_one if (wrong)
            printf("em3d by %s: %ld of %ld values are wrong\n", versions[v].name, wrong, 2 * wanted.n);
        all_wrong += wrong;
    }
    on_one if (!all_wrong) {
        double edges = 2.0 * wanted.n * wanted.degree * wanted.steps;
        printf("em3d of 2 x %ld nodes of degree %ld, seed %ld: four versions agree, ok\n", wanted.n,
               wanted.degree, wanted.seed);
        printf("time");
        for (v = 0; v < 4; v++)
            printf(" %s %.1f", versions[v].name, edges > 0 ? took[v] / edges * 1e9 : 0.0);
        printf(" ns an edge on %d processors with %ld ghosts\n", PROCS, ghosts);
    }
    exit(all_wrong != 0);
}
