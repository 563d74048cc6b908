/* The cost of a step through shared memory: pointer walks, indexing, lists, strict accesses. */
#include "../measure.h"

#include "../c/plain.h"

#define N 4096 /* ints a thread: 16 KB, so that the first-level cache holds them */
#define BLOCK 16
#define NODES 1024 /* 16 KB too */

static shared int cyclic[N * THREADS];
static shared [BLOCK] int blocked[N * THREADS];
static strict shared int flags[THREADS];
static int plain[2 * N], order[N], everywhere[N];

struct node {
    int value;
    shared struct node *next;
};
struct flat {
    int value;
    shared [] struct flat *next;
};
static shared struct node nodes[NODES * THREADS];
static shared struct flat flats[NODES * THREADS];
static struct plain_node plains[NODES], *plain_head;
static shared struct node *head;
static shared [] struct flat *flat_head;

#define SUM(name, declare, body)                                                                             \
    KERNEL(name, N, int sum = 0; declare; for (long i = 0; i < N; i++) { body; } measure_sink = sum)

SUM(cyclic_own, shared int *p = &cyclic[MYTHREAD], sum += *p; p += THREADS)
SUM(cyclic_step, shared int *p = cyclic, sum += *p++)
SUM(blocked_step, shared [BLOCK] int *p = blocked, sum += *p++)
SUM(indefinite_step, shared [] int *p = (shared [] int *)&cyclic[MYTHREAD], sum += *p++)
SUM(cyclic_index, , sum += cyclic[i])
SUM(blocked_index, , sum += blocked[i])
SUM(cyclic_random, , sum += cyclic[everywhere[i]])
SUM(blocked_random, , sum += blocked[everywhere[i]])
SUM(cyclic_pointer_index, shared int *p = cyclic, sum += p[everywhere[i]])
SUM(blocked_pointer_index, shared [BLOCK] int *p = blocked, sum += p[everywhere[i]])
SUM(indefinite_index, shared [] int *p = (shared [] int *)&cyclic[MYTHREAD], sum += p[order[i]])
SUM(cyclic_write, shared int *p = &cyclic[MYTHREAD], *p = (int)i; p += THREADS)
SUM(strict_read, , sum += flags[MYTHREAD])
SUM(strict_write, , flags[MYTHREAD] = (int)i)

#define LIST(name, type, head)                                                                               \
    KERNEL(name, NODES, int sum = 0; for (type p = head; p != NULL; p = p->next) sum += p->value;            \
           measure_sink = sum)

LIST(cyclic_list, shared struct node *, head)
LIST(indefinite_list, shared [] struct flat *, flat_head)

KERNEL(plain_walk, N, measure_sink = plain_sum(plain, N))
KERNEL(plain_random, N, measure_sink = plain_gather(plain, everywhere, N))
KERNEL(plain_chase, NODES, measure_sink = plain_list(plain_head))

/* The lists are in this thread's part, in an order that no prefetcher predicts. */
int main(int argc, char **argv) {
    for (int i = 0; i < N; i++) {
        order[i] = i * 1237 % N;
        everywhere[i] = i * 2741 % (2 * N); /* within the part of two threads */
        cyclic[i * THREADS + MYTHREAD] = i;
        blocked[i * THREADS + MYTHREAD] = i;
    }
    for (int i = 0; i < NODES; i++) {
        int at = i * 1237 % NODES;
        plains[at] = (struct plain_node){i, plain_head};
        plain_head = &plains[at];
        shared struct node *node = &nodes[at * THREADS + MYTHREAD];
        node->value = i;
        node->next = head;
        head = node;
        shared [] struct flat *flat = (shared [] struct flat *)&flats[at * THREADS + MYTHREAD];
        flat->value = i;
        flat->next = flat_head;
        flat_head = flat;
    }
    upc_barrier;
    return MEASURE_MAIN(argc, argv);
}
