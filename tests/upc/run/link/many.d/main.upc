// A header-only library of static inline UPC functions used from several files that share one array.
#include "../../../check.h"
#include "queue.h"
int producer(void), consumer(void);
shared[CAPACITY] int queue_items[CAPACITY * THREADS];
shared int queue_head[THREADS], queue_tail[THREADS];
int main(void) {
    producer();
    upc_barrier;
    CHECK_EQ(consumer(), 10);
    CHECK(queue_empty((MYTHREAD + 1) % THREADS));
    return 0;
}
