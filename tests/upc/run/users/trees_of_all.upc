// Distributed lists and a search tree in upc_alloc memory: nodes of all threads are linked with
// pointers of indefinite block size, walked from everywhere, unlinked, and freed by threads that did
// not allocate them.
//: clause 7.2.2.4 p2
#include "../../check.h"

typedef struct node node;
typedef shared [] node *node_ptr;
struct node {
    long key;
    int from;
    node_ptr left, right;
    node_ptr shared_next[2];
};

shared [1] node_ptr heads[THREADS];
shared node_ptr root;
shared long visits[THREADS];

static node_ptr new_node(long key) {
    node_ptr n = upc_alloc(sizeof(node));
    n->key = key;
    n->from = MYTHREAD;
    n->left = n->right = NULL;
    n->shared_next[0] = n->shared_next[1] = NULL;
    return n;
}

static void insert(node_ptr shared *at, node_ptr n) {
    if (*at == NULL) {
        *at = n;
        return;
    }
    node_ptr p = *at;
    for (;;) {
        if (n->key < p->key) {
            if (p->left == NULL) {
                p->left = n;
                return;
            }
            p = p->left;
        } else {
            if (!p->right) {
                p->right = n;
                return;
            }
            p = p->right;
        }
    }
}

static long in_order(node_ptr p, long *last) {
    if (p == NULL)
        return 0;
    long n = in_order(p->left, last);
    CHECK(*last <= p->key);
    *last = p->key;
    CHECK_EQ(upc_threadof(p), p->from);
    return n + 1 + in_order((*p).right, last);
}

static int release(node_ptr p, int only) {
    if (!p)
        return 0;
    int n = release(p->left, only) + release(p->right, only);
    if (only < 0 || p->from == only) {
        upc_free(p);
        n++;
    }
    return n;
}

#define EACH 12
int main(void) {
    upc_lock_t *lock = upc_all_lock_alloc();
    for (int i = 0; i < EACH; i++) {
        node_ptr n = new_node((MYTHREAD * 37 + i * 101) % 211);
        upc_lock(lock);
        insert(&root, n);
        upc_unlock(lock);
        /* And a stack of its own, which its right neighbour takes apart. */
        n->shared_next[i % 2] = heads[MYTHREAD];
        n->shared_next[1 - i % 2] = n;
        heads[MYTHREAD] = n;
    }
    upc_barrier;
    long last = -1;
    CHECK_EQ(in_order(root, &last), EACH * THREADS);
    int theirs = (MYTHREAD + 1) % THREADS, length = 0;
    long sum = 0;
    for (node_ptr n = heads[theirs]; n != NULL; length++) {
        sum += n->key;
        CHECK_EQ(n->from, theirs);
        n = n->shared_next[0] == n ? n->shared_next[1] : n->shared_next[0];
    }
    CHECK_EQ(length, EACH);
    long wanted = 0;
    for (int i = 0; i < EACH; i++)
        wanted += (theirs * 37 + i * 101) % 211;
    CHECK_EQ(sum, wanted);
    visits[MYTHREAD] = sum;
    upc_barrier;
    if (MYTHREAD == THREADS - 1)
        CHECK_EQ(release(root, -1), EACH * THREADS);
    upc_barrier;
    /* Freed memory is available again. */
    for (int i = 0; i < 4 * EACH; i++)
        upc_free(new_node(i));
    upc_all_lock_free(lock);
    return 0;
}
