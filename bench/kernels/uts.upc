/* uts in UPC, by work stealing: each thread has its own stack, and moves the lower half of it to an offer in
 * its shared memory whenever that offer is empty. A thread without work takes the offer of another, by one
 * transfer under that thread's lock, while the owner computes on.
 *
 * The owner writes to its offer while the number of nodes in it is 0; the thread that holds the lock takes
 * all of them and sets the number to 0. The search has ended when all threads are idle: a thread counts
 * itself as idle before it looks for work, and as busy before it takes some. */
#include "../../examples/nas/nas.h"
#include "uts.h"

#include <sched.h>
#include <upc_atomic.h>

typedef shared[] struct node *offer_t;
static shared struct {
    offer_t nodes;
    upc_lock_t *lock;
} directory[THREADS];
static strict shared long offered[THREADS]; /* nodes in the offer of each thread */
static shared long idle;

static offer_t *offers; /* each thread's own copy of the directory */
static upc_lock_t **locks;
static upc_atomicdomain_t *domain;

static struct stack stack;
static struct node *own_offer;
static const volatile long *own_offered; /* read after each node, without order */

static void prepare(void) {
    offers = need(malloc(THREADS * sizeof *offers));
    locks = need(malloc(THREADS * sizeof *locks));
    directory[MYTHREAD].nodes = (offer_t)need_shared(MOST_SHARED * sizeof(struct node));
    directory[MYTHREAD].lock = upc_global_lock_alloc();
    domain = upc_all_atomicdomain_alloc(UPC_LONG, UPC_ADD | UPC_GET, 0);
    upc_barrier;
    for (int t = 0; t < THREADS; t++) {
        offers[t] = directory[t].nodes;
        locks[t] = directory[t].lock;
    }
    own_offer = (struct node *)offers[MYTHREAD];
    own_offered = (const volatile long *)&offered[MYTHREAD];
}

/* Offers nodes. The strict accesses order this: the thread that took the previous offer has read it, and the
 * number becomes visible after the nodes. */
static void offer(void) {
    if (offered[MYTHREAD] == 0)
        offered[MYTHREAD] = take_lower(&stack, own_offer);
}

/* Takes the offer of thread t, which may be this one. Returns false if it is empty. */
static bool take(int t) {
    upc_lock(locks[t]);
    long n = offered[t];
    if (n > 0) {
        upc_memget(reserve(&stack, n), offers[t], n * sizeof(struct node));
        stack.top += n;
        offered[t] = 0;
    }
    upc_unlock(locks[t]);
    return n > 0;
}

static void count_idle(long n) { upc_atomic_strict(domain, NULL, UPC_ADD, &idle, &n, NULL); }

static bool all_idle(void) {
    long n;
    upc_atomic_strict(domain, &n, UPC_GET, &idle, NULL, NULL);
    return n == THREADS;
}

/* Looks for work until this thread has some. Returns false if all threads look. */
static bool get_work(void) {
    if (offered[MYTHREAD] > 0 && take(MYTHREAD))
        return true;
    count_idle(1);
    for (long look = 1; !all_idle(); look++) {
        int t = (MYTHREAD + 1 + (int)(look % THREADS)) % THREADS;
        if (t != MYTHREAD && offered[t] > 0) {
            count_idle(-1);
            if (take(t))
                return true;
            count_idle(1);
        }
        if (look % 16 == 0)
            sched_yield(); /* others may need this core */
    }
    return false;
}

static void search(struct tally *t) {
    do
        while (stack.top > 0) {
            expand(&stack, t);
            if (*own_offered == 0 && can_share(&stack))
                offer();
        }
    while (get_work());
}

int main(int argc, char **argv) {
    int class = read_class(argc, argv);
    struct tally t = {0}, right = {0};
    prepare();
    begin_search(class, MYTHREAD == 0, &stack);
    upc_barrier;
    double begin = seconds();
    search(&t);
    upc_barrier;
    double took = seconds() - begin, nodes;
    if (MYTHREAD == 0)
        right = search_alone(class);
    bool good = verify(&t, &right, &nodes);
    return verdict("uts", class, good, took, nodes);
}
