// Lists by upc_alloc: each thread builds one, they are joined into one list over all threads, which is
// walked, reversed in place, sorted by merging, and freed by the last thread.
//: clause 7.2.3.4 p1
#include "../../check.h"

typedef struct node node;
typedef shared node *link;
struct node {
    int key;
    link next;
    int owner;
};
enum { EACH = 20 };
link shared first[THREADS];
link shared last[THREADS];
link shared head;

static link make(int key, link next) {
    link n = upc_alloc(sizeof *n);
    n->key = key;
    n->next = next;
    n->owner = MYTHREAD;
    return n;
}

static link reverse(link l) {
    link done = 0;
    while (l) {
        link next = l->next;
        l->next = done, done = l, l = next;
    }
    return done;
}

static link merge(link a, link b) {
    if (!a || !b)
        return a ? a : b;
    link whole = a->key <= b->key ? a : b, at = whole;
    if (whole == a)
        a = a->next;
    else
        b = b->next;
    while (a && b) {
        if (a->key <= b->key)
            at->next = a, a = a->next;
        else
            at->next = b, b = b->next;
        at = at->next;
    }
    at->next = a ? a : b;
    return whole;
}

static link sort(link l) {
    if (!l || !l->next)
        return l;
    link slow = l, fast = l->next;
    while (fast && fast->next)
        slow = slow->next, fast = fast->next->next;
    link second = slow->next;
    slow->next = NULL;
    return merge(sort(l), sort(second));
}

int main(void) {
    link mine = NULL, tail = NULL;
    for (int k = 0; k < EACH; k++) {
        mine = make((k * 7 + MYTHREAD * 3) % 50, mine);
        if (!tail)
            tail = mine;
    }
    first[MYTHREAD] = mine;
    last[MYTHREAD] = tail;
    upc_barrier;
    if (MYTHREAD > 0)
        last[MYTHREAD - 1]->next = mine;
    else
        head = mine;
    upc_barrier;
    int n = 0, sum = 0;
    for (link l = head; l; l = l->next, n++) {
        CHECK_EQ(upc_threadof(l), l->owner);
        sum += l->key;
    }
    CHECK_EQ(n, EACH * THREADS);
    upc_barrier;
    if (MYTHREAD == THREADS / 2)
        head = reverse(head);
    upc_barrier;
    CHECK_EQ(head->owner, THREADS - 1);
    upc_barrier;
    if (MYTHREAD == 0)
        head = sort(head);
    upc_barrier;
    int again = 0, before = -1;
    n = 0;
    for (link l = head; l != NULL; l = (*l).next) {
        CHECK(l->key >= before);
        before = l->key;
        again += l->key;
        n++;
    }
    CHECK(again == sum && n == EACH * THREADS);
    upc_barrier;
    if (MYTHREAD == THREADS - 1)
        while (head) {
            link l = head;
            head = l->next;
            upc_free(l);
        }
    return 0;
}
