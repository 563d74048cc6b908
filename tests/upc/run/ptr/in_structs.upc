// Pointers-to-shared as members of structures and unions, private and shared, in arrays, nested, copied.
//: clause 6.5.1.1 p5
//: clause 6.5.1.1 p19
#include "../../check.h"

shared[4] double data[8 * THREADS];
struct node {
    int key;
    shared struct node *next;
    shared[4] double *payload;
};
struct holder {
    struct node inner;
    shared void *any[3];
    union {
        shared int *i;
        shared char *c;
    } either;
};
shared struct node nodes[4 * THREADS];
shared struct holder holders[THREADS];
struct holder own, copy;

int main(void) {
    for (int i = MYTHREAD; i < 4 * THREADS; i += THREADS) {
        nodes[i].key = i;
        nodes[i].next = i + 1 < 4 * THREADS ? &nodes[i + 1] : NULL;
        nodes[i].payload = &data[i];
    }
    upc_barrier;
    int count = 0;
    for (shared struct node *n = nodes; n; n = n->next, count++) {
        CHECK_EQ(n->key, count);
        CHECK(n->payload == &data[count]);
        CHECK_EQ(upc_phaseof(n->payload), count % 4);
    }
    CHECK_EQ(count, 4 * THREADS);
    own.inner = nodes[0];
    own.any[0] = &data[5];
    own.any[2] = &nodes[1].key;
    own.either.c = NULL;
    copy = own;
    CHECK(copy.inner.next == nodes[0].next && copy.any[0] == &data[5]);
    CHECK_EQ(upc_phaseof(copy.any[0]), 1);
    CHECK_EQ(*(shared int *)copy.any[2], 1);
    CHECK(copy.either.i == NULL);
    holders[MYTHREAD] = copy;
    upc_barrier;
    shared struct holder *h = &holders[(MYTHREAD + 1) % THREADS];
    CHECK_EQ(h->inner.next->key, 1);
    CHECK_EQ(*(shared[] int *)h->any[2], 1);
    h->any[1] = h;
    upc_barrier;
    CHECK(holders[MYTHREAD].any[1] == &holders[MYTHREAD]);
    return 0;
}
