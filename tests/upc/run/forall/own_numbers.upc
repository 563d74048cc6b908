//: clause 6.5.2.1 p7
/* Loops over a thread's own numbers, in steps of THREADS, which `opt/src/owned/strided.rs` runs by
 * local pointers. */
#include <stdio.h>
#include <upc.h>
#include "../../check.h"

shared int a[100 * THREADS];
shared double d[7 * THREADS][3];
shared[3] int r[5 * THREADS][3];

int main(void) {
    int i, own = 0;
    for (i = MYTHREAD; i < 100 * THREADS; i += THREADS) {
        if (i % 5 == 0)
            continue;
        a[i] = i;
        own++;
    }
    CHECK(i == 100 * THREADS + MYTHREAD);
    for (int k = MYTHREAD; k < 5 * THREADS; k = k + THREADS)
        for (int j = 0; j < 3; j++)
            r[k][j] = k * j + a[k];
    for (i = MYTHREAD; i < 7 * THREADS; i += THREADS) {
        d[i][1] = i;
        if (i > 3 * THREADS)
            break;
    }
    upc_barrier;
    CHECK(own > 0);
    for (i = 0; i < 100 * THREADS; i++)
        CHECK(a[i] == (i % 5 ? i : 0));
    for (i = 0; i < 5 * THREADS; i++)
        for (int j = 0; j < 3; j++)
            CHECK(r[i][j] == i * j + a[i]);
    for (i = 0; i < 3 * THREADS; i++)
        CHECK(d[i][1] == i);
    for (i = 5 * THREADS; i < 7 * THREADS; i++)
        CHECK(d[i][1] == 0);
    return 0;
}
