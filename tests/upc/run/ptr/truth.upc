// Pointers-to-shared as truth values everywhere in C's syntax.
#include <stdbool.h>
#include "../../check.h"

shared int x;
shared[5] int b[5 * THREADS];
shared struct node {
    shared struct node *next;
} n1, n2;

static bool is(shared int *p) { return p; }
static _Bool isnt(shared[5] int *p) { return !p; }
static int take(bool b) { return b; }

int main(void) {
    shared int *p = &x, *null = NULL;
    shared[5] int *w = &b[2], *wnull = 0;
    shared void *v = w, *vnull = NULL;
    CHECK(is(p) && !is(null) && !isnt(w) && isnt(wnull));
    CHECK(take(p != NULL) == 1 && take(!w) == 0 && take((bool)v) == 1 && take((bool)vnull) == 0);
    bool flags[] = {p, null, w, wnull, v, vnull};
    for (int i = 0; i < 6; i++)
        CHECK_EQ(flags[i], i % 2 == 0);
    flags[0] = wnull;
    CHECK(!flags[0]);
    CHECK_EQ(!!p + !!w + !!v, 3);
    CHECK_EQ((p ? 1 : 2) + (wnull ? 10 : 20) + (v && w && !vnull ? 100 : 200), 121);
    if (MYTHREAD == 0) {
        n1.next = &n2;
        n2.next = NULL;
    }
    upc_barrier;
    int count = 0;
    shared struct node *n = &n1;
    while ((n = n->next))
        count++;
    for (n = &n1; n; n = n->next)
        count++;
    CHECK_EQ(count, 3);
    if (!(p = null))
        count = 0;
    CHECK_EQ(count, 0);
    CHECK((null || wnull || vnull) == 0);
    CHECK((p == 0) == 1 && (w != 0) == 1);
    return 0;
}
