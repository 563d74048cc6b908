#ifndef QUEUE_H
#define QUEUE_H
#include <upc.h>
#define CAPACITY 16
extern shared[CAPACITY] int queue_items[CAPACITY * THREADS];
extern shared int queue_head[THREADS], queue_tail[THREADS];
static inline int queue_empty(int t) { return queue_head[t] == queue_tail[t]; }
static inline void queue_push(int t, int v) { queue_items[CAPACITY * t + queue_tail[t]++ % CAPACITY] = v; }
static inline int queue_pop(int t) { return queue_items[CAPACITY * t + queue_head[t]++ % CAPACITY]; }
#endif
