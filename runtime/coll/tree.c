/* Collectives over active messages: the reference beside those that use the barrier and shared memory.
 *
 * The threads form a binomial tree with root 0: the children of thread r are r + 1, r + 2, r + 4, ..., r +
 * 2^j for all 2^j below the lowest bit that is set in r (for r = 0, for all), and child r + 2^j is the root
 * of the threads r + 2^j ... r + 2^(j+1) - 1.  So a parent that combines its children's values in the order
 * of j combines consecutive threads in order, and operations need not commute.
 *
 * Every thread takes part in the collectives in the same order, so the number of the collective and the
 * sender identify a value.  A thread that only sends does not wait for those that receive; a value that is
 * not needed yet is kept in a list.  To bound the list, every MOST_EARLY-th step begins with all threads
 * waiting for each other, up and down the tree: the list holds at most MOST_EARLY values of each neighbour in
 * it.
 */
#include "coll/tree.h"

#include "am/am.h"
#include "am/handlers.h"
#include "host/job.h"
#include "base/fatal.h"

#include <stdlib.h>
#include <string.h>

#define ME mer_job.mythread
#define THREADS mer_job.threads
#define MOST_EARLY 32

struct arrival {
    struct arrival *next;
    mer_u64 step;
    int source;
    size_t length;
    _Alignas(16) unsigned char value[];
};

static struct {
    struct arrival *arrivals; /* values that have come early */
    mer_u64 steps;            /* begun so far */
} tree;

static void *allocate(size_t n) {
    void *p = malloc(n);
    if (!p)
        mer_fatal("no memory for a collective's values");
    return p;
}

/* words: step */
static void on_tree(struct mer_am_message *m) {
    struct arrival *a = allocate(sizeof *a + m->length), **end = &tree.arrivals;
    *a = (struct arrival){.step = m->args[0], .source = m->source, .length = m->length};
    memcpy(a->value, m->payload, m->length);
    while (*end)
        end = &(*end)->next;
    *end = a;
}

void mer_tree_handlers(void) { mer_am_set_handler(MER_AM_TREE, on_tree, 0); }

static void give(int to, const void *value, size_t n) {
    mer_am_request_medium(to, MER_AM_TREE, value, n, &tree.steps, 1);
}

static struct arrival **find(int source) {
    struct arrival **at = &tree.arrivals;
    while (*at && ((*at)->step != tree.steps || (*at)->source != source))
        at = &(*at)->next;
    return at;
}

/* Wait for the value of n bytes that `source` sends in this step, and remove it from the list. */
static void take(int source, void *value, size_t n) {
    MER_AM_WAIT_UNTIL(*find(source));
    struct arrival **at = find(source), *a = *at;
    if (a->length != n)
        mer_fatal("threads %d and %d pass values of different sizes to a collective call: %zu and %zu bytes",
                  ME, source, n, a->length);
    memcpy(value, a->value, n);
    *at = a->next;
    free(a);
}

/* Returns the width of the subtree of `rank`, a power of 2: its threads are rank ... rank + width - 1, as far
 * as there are. */
static int width_of(int rank) {
    int width = 1;
    while (width < THREADS && !(rank & width))
        width *= 2;
    return width;
}

static int parent_of(int rank) { return rank & (rank - 1); }

static void up(void *value, size_t n, mer_combine *combine, const void *context) {
    _Alignas(16) unsigned char theirs[MER_TREE_MOST];
    for (int j = 1; j < width_of(ME) && ME + j < THREADS; j *= 2) {
        take(ME + j, theirs, n);
        combine(value, theirs, context);
    }
    if (ME)
        give(parent_of(ME), value, n);
}

static void down(void *value, size_t n, int rank, int root) {
    if (rank)
        take((parent_of(rank) + root) % THREADS, value, n);
    for (int j = width_of(rank) / 2; j > 0; j /= 2)
        if (rank + j < THREADS)
            give((rank + j + root) % THREADS, value, n);
}

/* Begin the next step. */
static void begin(void) {
    unsigned char none = 0;
    if (++tree.steps % MOST_EARLY)
        return;
    for (int j = 1; j < width_of(ME) && ME + j < THREADS; j *= 2)
        take(ME + j, &none, 1);
    if (ME)
        give(parent_of(ME), &none, 1);
    down(&none, 1, ME, 0);
    tree.steps++;
}

void mer_tree_reduce(void *value, size_t n, mer_combine *combine, const void *context, bool all) {
    _Alignas(16) unsigned char sum[MER_TREE_MOST];
    begin();
    memcpy(sum, value, n);
    up(sum, n, combine, context);
    if (all)
        down(sum, n, ME, 0);
    if (all || ME == 0)
        memcpy(value, sum, n);
}

/* Values go up as in a reduction, but each thread keeps the combined value to the left of each child in its
 * subtree.  Then the combined value to the left of the subtree comes down, and goes on to each child,
 * combined with the kept one. */
void mer_tree_scan(void *value, size_t n, mer_combine *combine, const void *context) {
    enum { MOST_CHILDREN = 14 }; /* 8192 threads */
    begin();
    unsigned char *left = allocate(MOST_CHILDREN * n + n), *own = left + MOST_CHILDREN * n;
    _Alignas(16) unsigned char theirs[MER_TREE_MOST], sum[MER_TREE_MOST];
    memcpy(sum, value, n);
    int children = 0;
    for (int j = 1; j < width_of(ME) && ME + j < THREADS; j *= 2) {
        memcpy(left + n * (size_t)children++, sum, n);
        take(ME + j, theirs, n);
        combine(sum, theirs, context);
    }
    if (ME) {
        give(parent_of(ME), sum, n);
        take(parent_of(ME), theirs, n);
        memcpy(own, theirs, n);
        combine(theirs, value, context);
        memcpy(value, theirs, n);
    }
    for (int i = 0; i < children; i++) {
        if (ME) {
            memcpy(theirs, own, n);
            combine(theirs, left + n * (size_t)i, context);
        } else {
            memcpy(theirs, left + n * (size_t)i, n);
        }
        give(ME + (1 << i), theirs, n);
    }
    free(left);
}

void mer_tree_broadcast(void *value, size_t n, int root) {
    int rank = (ME - root + THREADS) % THREADS;
    for (size_t done = 0, part; done < n; done += part) {
        begin();
        part = n - done < MER_TREE_MOST ? n - done : MER_TREE_MOST;
        down((char *)value + done, part, rank, root);
    }
}
