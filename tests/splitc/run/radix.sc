//: clause array 6
//: clause store 3
/* Radix sort: the permutation by :-, histograms in spread blocks, blocks as parameters with `::'. */
#include <split-c/split-c.h>
#include <split-c/control.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "split-c.h"
#define RADIX 16
#define NKEYS 500
static unsigned lrand_state;
static unsigned rnd() { return lrand_state = lrand_state * 1103515245 + 12345; }
int hist[PROCS]::[RADIX];
unsigned keys[PROCS]::[NKEYS], out[PROCS]::[NKEYS];
int cmp(a, b) unsigned *a, *b; { return *a < *b ? -1 : *a > *b; }

void pass(int shift, unsigned src[PROCS]::[NKEYS], unsigned dst[PROCS]::[NKEYS])
{
    unsigned *l = tolocal(src[MYPROC]);
    int *h = (int *)hist[MYPROC];
    int start[RADIX], i, p, d;
    memset(h, 0, RADIX * sizeof(int));
    for (i = 0; i < NKEYS; i++) h[(l[i] >> shift) % RADIX]++;
    barrier();
    { int pos = 0;
      int cnt[RADIX];
      for (d = 0; d < RADIX; d++) start[d] = 0;
      for (d = 0; d < RADIX; d++)
        for (p = 0; p < PROCS; p++) {
          if (p == MYPROC) start[d] = pos;
          pos += hist[p][d];
        }
    }
    for (i = 0; i < NKEYS; i++) {
      int at = start[(l[i] >> shift) % RADIX]++;
      dst[at / NKEYS][at % NKEYS] :- l[i];
    }
    all_store_sync();
}

splitc_main(int argc, char **argv)
{
    int i, s, bad = 0; unsigned *l; unsigned long sum = 0, sum2 = 0;
    unsigned (*spread a)[NKEYS] = keys, (*spread b)[NKEYS] = out, (*spread t)[NKEYS];
    lrand_state = 17 * MYPROC + 1;
    l = tolocal(keys[MYPROC]);
    for (i = 0; i < NKEYS; i++) sum += l[i] = rnd() & 0xffff;
    barrier();
    for (s = 0; s < 16; s += 4) { pass(s, a, b); t = a; a = b; b = t; }
    l = tolocal(a[MYPROC]);
    for (i = 1; i < NKEYS; i++) bad |= l[i-1] > l[i];
    if (MYPROC < PROCS - 1) bad |= l[NKEYS-1] > a[MYPROC+1][0];
    for (i = 0; i < NKEYS; i++) sum2 += l[i];
    sum = all_reduce_to_all_ladd((long)sum); sum2 = all_reduce_to_all_ladd((long)sum2);
    if (all_reduce_to_all_or(bad) || sum != sum2) { printf("%d: not sorted\n", MYPROC); exit(1); }
    qsort(l, NKEYS, sizeof(unsigned), cmp);
    on_one { printf("good\n"); fflush(stdout); }
    return 0;
}
