/* Linked structures over all processors by global pointers: a ring of lists, list ranking by pointer
 * jumping, a binary tree whose children lie on other processors, in malloc's memory, statics and
 * stacks. */
#include <split-c/split-c.h>
#include <stdio.h>
#include <stdlib.h>
#include "../../check.h"
#define N 10

typedef struct node node;
struct node {
    node *global next;
    int rank, value;
    node *global kids[2];
};
node nodes[N * PROCS]::;
node *global heads[PROCS]::;
static node mine;

static node *global place(int i) { return (node *global)&nodes[i]; }

static node *global grow(int depth) {
    node *global n;
    if (depth == 0)
        return 0;
    n = toglobal(MYPROC, malloc(sizeof(node)));
    n->value = depth;
    n->kids[0] = grow(depth - 1);
    n->kids[1] = grow(depth - 1);
    return n;
}

static int total(node *global n) {
    return n ? n->value + total(n->kids[0]) + total((*n).kids[1]) : 0;
}

splitc_main() {
    int i, round, all = N * PROCS;
    node on_stack;
    /* The list visits nodes in steps of a number that is coprime to the number of nodes. */
    int step = 1;
    for (i = 7; ; i++) {
        int a = i, b = all, t;
        while (b) { t = a % b; a = b; b = t; }
        if (a == 1) { step = i; break; }
    }
    for_my_1d(i, all) {
        int position;
        nodes[i].value = i;
        for (position = 0; position * (long)step % all != i; position++)
            ;
        nodes[i].next = position == all - 1 ? 0 : place((int)((position + 1L) * step % all));
        nodes[i].rank = position == all - 1 ? 0 : 1;
    }
    barrier();
    for (round = 1; round < all; round *= 2) {
        node *global next[N];
        int rank[N], k = 0;
        for_my_1d(i, all) {
            node *global n = nodes[i].next;
            next[k] = n ? n->next : 0;
            rank[k] = nodes[i].rank + (n ? n->rank : 0);
            k++;
        }
        barrier();
        k = 0;
        for_my_1d(i, all) {
            nodes[i].next = next[k];
            nodes[i].rank = rank[k++];
        }
        barrier();
    }
    for (i = 0; i < all; i++)
        CHECK(nodes[(int)(i * (long)step % all)].rank == all - 1 - i);
    heads[MYPROC] = grow(4);
    barrier();
    for (i = 0; i < PROCS; i++)
        CHECK(total(heads[i]) == 4 + 2 * 3 + 4 * 2 + 8 * 1);
    barrier();
    /* The right neighbour's static and stack. */
    mine.value = MYPROC * 3;
    on_stack.value = MYPROC * 5;
    heads[MYPROC] = (node *global)&on_stack;
    barrier();
    i = (MYPROC + 1) % PROCS;
    CHECK(toglobal(i, &mine)->value == i * 3);
    CHECK(heads[i]->value == i * 5);
    heads[i]->rank = MYPROC;
    barrier();
    CHECK(on_stack.rank == (MYPROC + PROCS - 1) % PROCS);
    return 0;
}
