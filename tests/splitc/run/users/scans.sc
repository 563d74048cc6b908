/* All reductions and scans, of all types, against loops; broadcasts; functions of the program; and a
 * radix pass that uses them. */
#include <split-c/split-c.h>
#include <stdio.h>
#include <stdlib.h>
#include "../../check.h"
#define EACH 16
unsigned keys[EACH * PROCS]::, sorted[EACH * PROCS]::;

static int value(int p) { return (p * 7 + 3) % 11 - 4; }
static int pick(int a, int b) { return a * a >= b * b ? a : b; }

splitc_main() {
    int p, i, bit, sum = 0, product = 1, most = -100, least = 100, ors = 0, upto = 0;
    double dsum = 0;
    for (p = 0; p < PROCS; p++) {
        int v = value(p);
        sum += v; product *= v ? v : 1; ors |= v;
        most = v > most ? v : most; least = v < least ? v : least;
        dsum += v / 4.0;
        if (p <= MYPROC) upto += v;
    }
    i = value(MYPROC);
    CHECK(all_reduce_to_all_add(i) == sum);
    CHECK(all_reduce_to_all_mult(i ? i : 1) == product);
    CHECK(all_reduce_to_all_max(i) == most);
    CHECK(all_reduce_to_all_lmin((long)i) == least);
    CHECK(all_reduce_to_all_or(i) == ors);
    CHECK(all_reduce_to_all_dadd(i / 4.0) == dsum);
    CHECK(all_scan_add(i) == upto);
    CHECK(all_scan_fadd((float)i) == (float)upto);
    CHECK(all_scan_uadd((unsigned)MYPROC) == (unsigned)MYPROC * (MYPROC + 1) / 2);
    CHECK(all_bcast_i(MYPROC == 0 ? 77 : 0) == 77);
    p = all_reduce_to_one_add(i);
    if (MYPROC == 0) CHECK(p == sum);

    for_my_1d(i, EACH * PROCS)
        keys[i] = (unsigned)i * 40503u % 1021;
    barrier();
    for (bit = 0; bit < 10; bit++) {
        /* The order is by blocks: processor by processor, its own elements in turn. */
        int zeros = 0, ones = 0, z, o, all_zeros;
        unsigned own[EACH];
        for (i = 0; i < EACH; i++) {
            own[i] = keys[i * PROCS + MYPROC];
            if (own[i] >> bit & 1) ones++; else zeros++;
        }
        z = all_scan_add(zeros) - zeros;
        all_zeros = all_reduce_to_all_add(zeros);
        o = all_scan_add(ones) - ones + all_zeros;
        barrier();
        for (i = 0; i < EACH; i++) {
            int to = own[i] >> bit & 1 ? o++ : z++;
            sorted[to % EACH * PROCS + to / EACH] :- own[i];
        }
        all_store_sync();
        for (i = 0; i < EACH; i++)
            keys[i * PROCS + MYPROC] = sorted[i * PROCS + MYPROC];
        barrier();
    }
    for (i = 1; i < EACH * PROCS; i++)
        CHECK(keys[(i - 1) % EACH * PROCS + (i - 1) / EACH] <= keys[i % EACH * PROCS + i / EACH]);
    return 0;
}
