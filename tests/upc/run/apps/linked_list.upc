// A list through all threads' memory: each inserts under a lock, keeping order; then each walks it, and one
// takes it apart.
#include "../../check.h"

typedef shared struct node {
    int key, from;
    shared struct node *next;
} node_t;
shared struct node *shared head;

static void insert(upc_lock_t *lock, int key) {
    shared struct node *node = (shared struct node *)upc_alloc(sizeof(struct node));
    node->key = key;
    node->from = MYTHREAD;
    upc_lock(lock);
    if (head == NULL || head->key >= key) {
        node->next = head;
        head = node;
    } else {
        shared struct node *at = head;
        while (at->next && at->next->key < key)
            at = at->next;
        node->next = at->next;
        at->next = node;
    }
    upc_unlock(lock);
}

int main(void) {
    upc_lock_t *lock = upc_all_lock_alloc();
    for (int i = 0; i < 40; i++)
        insert(lock, (i * 37 + MYTHREAD * 11) % 101);
    upc_barrier;
    int count = 0, last = -1, mine = 0;
    for (node_t *n = head; n; n = n->next) {
        CHECK(n->key >= last);
        CHECK_EQ(upc_threadof(n), n->from);
        last = n->key;
        mine += n->from == MYTHREAD;
        count++;
    }
    CHECK_EQ(count, 40 * THREADS);
    CHECK_EQ(mine, 40);
    upc_barrier;
    if (MYTHREAD == THREADS - 1)
        while (head) {
            node_t *n = head;
            head = n->next;
            upc_free(n);
        }
    upc_barrier;
    CHECK(head == NULL);
    return 0;
}
