/* uts: an unbalanced tree search. The tree is made while it is searched, and no node tells the size of its
 * subtree: the root has many children, any other node has 8 with a probability of nearly 1/8, else none. Most
 * of the root's subtrees have a few nodes, and some have a large share of all. Serial C for the versions in
 * UPC, OpenMP and MPI.
 *
 * A node is a random number, from which its children's follow, each by so many steps that a node takes about
 * as long as one block of a cryptographic hash. The results are compared with those of a serial search. */
#ifndef KERNELS_UTS_H
#define KERNELS_UTS_H

#include "../../examples/nas/random.h"

#define CHILDREN 8
#define STEPS 40 /* from a node's number to a child's */
#define SEED 0x9e3779b97f4a7c15UL

static const struct {
    long roots;    /* children of the root */
    double chance; /* of a node to have children */
} classes[] = {{400, 0.12493}, {10000, 0.1249}, {40000, 0.12499}};
static double chance;

struct node {
    uint64_t number;
    long depth;
};
typedef struct node item;

#define LEAST_SHARED 16
#include "stack.h"

/* The results of a search. The sums do not depend on the order in which nodes are found, and are below
 * 2^53. */
struct tally {
    long nodes, leaves, depths, digest;
};

static uint64_t child_number(uint64_t x, long child) {
    x += (uint64_t)(child + 1) * SEED;
    for (int i = 0; i < STEPS; i++) {
        x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9UL;
        x = (x ^ x >> 27) * 0x94d049bb133111ebUL;
        x ^= x >> 31;
    }
    return x;
}

static void push_children(struct stack *s, struct node parent, long children) {
    struct node *to = reserve(s, children);
    for (long i = 0; i < children; i++)
        to[i] = (struct node){child_number(parent.number, i), parent.depth + 1};
    s->top += children;
}

/* Takes the last node off the stack, counts it, and pushes its children. */
static inline void expand(struct stack *s, struct tally *t) {
    struct node n = s->items[--s->top];
    bool leaf = (double)(n.number >> 11) * 0x1p-53 >= chance;
    t->nodes++;
    t->leaves += leaf;
    t->depths += n.depth;
    t->digest += n.number >> 40;
    if (!leaf)
        push_children(s, n, CHILDREN);
}

static void add(struct tally *all, const struct tally *t) {
    all->nodes += t->nodes;
    all->leaves += t->leaves;
    all->depths += t->depths;
    all->digest += t->digest;
}

/* Called on all threads; the one with the root has its children on the stack. The root is not counted. */
static void begin_search(int class, bool has_root, struct stack *s) {
    chance = classes[class].chance;
    if (has_root)
        push_children(s, (struct node){SEED, 0}, classes[class].roots);
}

static struct tally search_alone(int class) {
    struct stack s = {0};
    struct tally t = {0};
    begin_search(class, true, &s);
    while (s.top > 0)
        expand(&s, &t);
    free(s.items);
    return t;
}

/* Whether all threads together have found the correct counts; `right' is zero on all threads except one. Sets
 * *nodes to the number of nodes. */
static bool verify(const struct tally *found, const struct tally *right, double *nodes) {
    *nodes = all_sum((double)found->nodes);
    bool good = agrees("the number of nodes", *nodes, all_sum((double)right->nodes), 0);
    good &= agrees("the number of leaves", all_sum((double)found->leaves), all_sum((double)right->leaves), 0);
    good &= agrees("the sum of depths", all_sum((double)found->depths), all_sum((double)right->depths), 0);
    good &= agrees("the digest", all_sum((double)found->digest), all_sum((double)right->digest), 0);
    return good;
}

#endif
