// Elements larger than a page, block sizes larger than arrays, block sizes of 2^30 and the maximum.
//: clause 6.3.3 p1
#include <upc.h>
#include <stdio.h>

struct big { char pad[5000]; int v; };
shared struct big bigs[3*THREADS];
shared [1000000] int few[10*THREADS];
shared [2] struct big bb[4*THREADS];
shared [1 << 30] char giant[THREADS];
shared [UPC_MAX_BLOCK_SIZE] char mx[THREADS];
shared long long ll[THREADS][3][2];
int main(void) {
  for (int i = MYTHREAD; i < 3*THREADS; i += THREADS) bigs[i].v = i;
  upc_barrier;
  for (int i = 0; i < 3*THREADS; i++) if (bigs[i].v != i || upc_threadof(&bigs[i]) != i % THREADS) return 1;
  for (int i = 0; i < 10*THREADS; i++) if (upc_threadof(&few[i]) != 0 || upc_phaseof(&few[i]) != i) return 2;
  for (int i = 0; i < 4*THREADS; i++) if (upc_threadof(&bb[i]) != i/2%THREADS) return 3;
  struct big loc; upc_memget(&loc, &bigs[1], sizeof loc); if (loc.v != 1) return 4;
  loc = bigs[2]; if (loc.v != 2) return 5;
  bb[2*MYTHREAD + 1] = loc; if (bb[2*MYTHREAD+1].v != 2) return 6;
  giant[0] = mx[0] = 3; ll[MYTHREAD][2][1] = 5; if (ll[MYTHREAD][2][1] != 5) return 7;
  shared [2] struct big *p = bb; p += 3; if (p - bb != 3 || upc_phaseof(p) != 1) return 8;
  return 0;
}
