#include <upc.h>
#include "parts.h"

static shared int private_to_file[THREADS];
shared int elsewhere[2 * THREADS];
shared[3] double blocked[3 * THREADS];
strict shared int other;

void set_other(int v) {
    private_to_file[MYTHREAD] = 77;
    if (MYTHREAD == THREADS - 1)
        other = v + MYTHREAD;
}
int get_other(void) { return other; }
long sum_elsewhere(void) {
    long sum = 0;
    for (int t = 0; t < THREADS; t++)
        sum += elsewhere[t];
    return sum;
}
shared int *other_address(int i) { return &elsewhere[i]; }
double blocked_at(int i) { return blocked[i]; }
int other_inline(int i) { return inline_twice(&elsewhere[i]); }
