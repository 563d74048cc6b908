// Pointers to pointers, every mixture of shared and private, to three levels.
//: clause 6.5.1.1 p5
//: clause 6.5.1 p2
#include "../../check.h"

shared int values[4 * THREADS];
shared int *private_to_shared;             /* private pointer to shared */
shared int *shared shared_to_shared;       /* shared pointer to shared, on thread 0 */
shared int *shared table[THREADS];         /* one a thread */
int *shared private_addresses[THREADS];    /* shared pointers to private */
shared int *shared *shared chain[THREADS]; /* shared pointer to shared pointer to shared */
shared[2] int blocks[4 * THREADS];
shared[2] int *shared[3] tables[3 * THREADS];

int main(void) {
    int own = 40 + MYTHREAD;
    private_to_shared = &values[MYTHREAD];
    *private_to_shared = MYTHREAD;
    table[MYTHREAD] = private_to_shared;
    private_addresses[MYTHREAD] = &own;
    if (MYTHREAD == 0)
        shared_to_shared = &values[THREADS - 1];
    upc_barrier;
    chain[MYTHREAD] = &table[(MYTHREAD + 1) % THREADS];
    CHECK_EQ(*shared_to_shared, THREADS - 1);
    CHECK_EQ(*private_addresses[MYTHREAD], 40 + MYTHREAD);
    upc_barrier;
    CHECK_EQ(**chain[MYTHREAD], (MYTHREAD + 1) % THREADS);
    upc_barrier;
    shared int **local_double = &private_to_shared;
    **local_double = 7 + MYTHREAD;
    CHECK_EQ(values[MYTHREAD], 7 + MYTHREAD);
    *local_double += THREADS;
    CHECK(private_to_shared == &values[MYTHREAD + THREADS]);
    shared int *shared *p = &table[0];
    for (int t = 0; t < THREADS; t++, p++) {
        CHECK_EQ(upc_threadof(p), t);
        CHECK_EQ(upc_threadof(*p), t);
        CHECK(*p == &values[t]);
    }
    upc_barrier;
    for (int i = MYTHREAD * 3; i < MYTHREAD * 3 + 3; i++)
        tables[i] = &blocks[i];
    upc_barrier;
    for (int i = 0; i < 3 * THREADS; i++) {
        CHECK(tables[i] == &blocks[i]);
        CHECK_EQ(upc_phaseof(tables[i]), i % 2);
        CHECK_EQ(upc_threadof(&tables[i]), i / 3);
    }
    shared int *shared *shared *three = &chain[MYTHREAD];
    ***three = 99;
    upc_barrier;
    CHECK_EQ(values[MYTHREAD], 99);
    return 0;
}
