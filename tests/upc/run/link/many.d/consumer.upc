#include "queue.h"
int consumer(void) {
    int sum = 0, t = (MYTHREAD + 1) % THREADS;
    while (!queue_empty(t))
        sum += queue_pop(t);
    return sum;
}
