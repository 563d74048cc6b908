/* Delays of a few to a few hundred steps, different on each thread and each round, that no compiler can
 * remove; sometimes the processor is given up, so that other interleavings occur. */
#ifndef DELAY_H
#define DELAY_H
#include <sched.h>
static volatile unsigned delay_sink;
static void delay(unsigned round) {
    unsigned state = (round + 1) * 2654435761u ^ (MYTHREAD + 1) * 40503u;
    for (unsigned i = state >> 25; i > 0; i--)
        delay_sink += i;
    if ((state >> 8) % 97 == 0)
        sched_yield();
}
#endif
