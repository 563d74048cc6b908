// Locks that another function unlocks, that a loop is left with, or that are taken in order have no message.
//: clause 7.2.4.8 p2
#include <stdio.h>
#include <upc.h>
struct node {
    upc_lock_t *lock;
    shared struct node *next;
};
upc_lock_t *lock, *first, *second, *queue, *locks[16], *current;
upc_lock_t *shared rows[THREADS];
shared int count;

static int take(void) {
    upc_lock(lock);
    if (count == 0) {
        upc_unlock(lock);
        return 0;
    }
    return 1;
}
static int take_if(int full) {
    upc_lock(queue);
    if (full)
        return 1;
    upc_unlock(queue);
    return 0;
}
static int take_some(void) {
    for (;;) {
        upc_lock(queue);
        if (count > 0)
            break;
        upc_unlock(queue);
    }
    return 1;
}
static void give(void) { upc_unlock(queue); }
static void go_on(void) {
    upc_lock(second);
    upc_unlock(first);
}
static void transfer(int from, int to) {
    upc_lock_t *a = locks[from], *b = locks[to];
    if (from < to) {
        upc_lock(a);
        upc_lock(b);
    } else {
        upc_lock(b);
        upc_lock(a);
    }
    count++;
    upc_unlock(a);
    upc_unlock(b);
}
static void along(shared struct node *p) {
    upc_lock(p->lock);
    while (p->next) {
        shared struct node *q = p->next;
        upc_lock(q->lock);
        upc_unlock(p->lock);
        p = q;
    }
    upc_unlock(p->lock);
}
static void next(void) { current = locks[3]; }
static int out(int k) {
    int r = 0;
    upc_lock(lock);
    if (k < 0) {
        r = -1;
        goto out;
    }
    count += k;
out:
    upc_unlock(lock);
    return r;
}
static int search(int k) {
    int found = -1;
    upc_lock(lock);
    for (int i = 0; i < 10 && found < 0; i++) {
        if (i == k) {
            found = i;
            break;
        }
    }
    switch (found) {
    case 0: upc_unlock(lock); return 1;
    case 1: break;
    default: upc_unlock(lock); return 2;
    }
    upc_unlock(lock);
    return 0;
}
static int loops(void) {
    int i;
    for (i = 0; i < 10; i++) {
        upc_lock(lock);
        if (count == i) {
            upc_unlock(lock);
            continue;
        }
        upc_unlock(lock);
    }
    for (i = 0;; i++) {
        upc_lock(lock);
        if (count == i)
            break;
        upc_unlock(lock);
    }
    upc_unlock(lock);
    return i;
}
static void if_asked(int asked) {
    if (asked)
        upc_lock(lock);
    count++;
    if (asked)
        upc_unlock(lock);
    upc_lock(lock);
    if (asked) {
        count++;
        upc_unlock(lock);
    }
    if (!asked)
        upc_unlock(lock);
    if (upc_lock_attempt(lock))
        upc_unlock(lock);
}
int main(void) {
    lock = upc_all_lock_alloc();
    first = upc_all_lock_alloc();
    second = upc_all_lock_alloc();
    queue = upc_all_lock_alloc();
    for (int i = 0; i < 16; i++)
        locks[i] = upc_all_lock_alloc();
    rows[MYTHREAD] = upc_global_lock_alloc();
    upc_barrier;
    if (take())
        upc_unlock(lock);
    if (take_if(3) || take_some())
        give();
    upc_lock(first);
    go_on();
    upc_unlock(second);
    transfer(1, 2);
    current = locks[1];
    upc_lock(current);
    upc_lock_t *before = current;
    next();
    upc_lock(current);
    upc_unlock(current);
    upc_unlock(before);
    for (int i = 0; i < 16; i++)
        upc_lock(locks[i]);
    for (int i = 0; i < 16; i++)
        upc_unlock(locks[i]);
    if (MYTHREAD == 0) {
        upc_lock(lock);
        upc_barrier;
        upc_unlock(lock);
    } else
        upc_barrier;
    upc_lock(rows[MYTHREAD]);
    upc_lock(rows[(MYTHREAD + 1) % THREADS]);
    upc_unlock(rows[MYTHREAD]);
    upc_unlock(rows[(MYTHREAD + 1) % THREADS]);
    if (MYTHREAD == 0) {
        upc_lock(first);
        upc_lock(second);
        upc_unlock(second);
        upc_unlock(first);
        upc_lock(second);
        upc_lock(first);
        upc_unlock(first);
        upc_unlock(second);
    }
    if_asked(MYTHREAD);
    upc_barrier;
    if (MYTHREAD)
        return search(2) + out(3) + loops();
    upc_lock(lock);
    printf("%d\n", count);
    if (count < 0)
        along(NULL);
    return 0;
}
