//: clause access 1
//: clause access 2
/* Writes are complete in order, by any name of the object: a processor that sees the second, to another owner
 * or by an atomic, finds the first. */
#include <split-c/am.h>
#include <split-c/split-c.h>
#include <stdio.h>
#include "../../check.h"
#define ROUNDS 20
typedef struct pair { long a[3]; } pair;
long number[PROCS]::, turn[PROCS]::;
pair wide[PROCS]::;
struct { int part : 9; long whole; } mixed[PROCS]::;
int last;
/* The write of round k to processor d. */
void write(int way, int d, long k)
{
  pair p = {{k, k, k}};
  switch (way) {
  case 0: number[d] = k; break;
  case 1: number[d] := k; sync(); break;
  case 2: wide[d] = p; break;
  case 3: wide[d] := p; sync(); break;
  case 4: mixed[d].part = k % 100; break;
  case 5: mixed[d].whole := k; sync(); break;
  case 6: number[d] += k - number[d]; break;
  case 7: *&number[d] = k; break;
  }
}
long written(int way, int d)
{
  switch (way) {
  case 2: case 3: return wide[d].a[2];
  case 4: return mixed[d].part;
  case 5: return mixed[d].whole;
  default: return number[d];
  }
}
void await(long k)
{
  volatile long *mine = (volatile long *)tolocal(&turn[MYPROC]);
  while (*mine < k) AM_poll();
}
splitc_main()
{
  int way, d, f; long k, n = 0;
  for (way = 0; way < 8; way++)
    for (d = 1; d < PROCS; d++)
      for (f = 1; f < PROCS; f++) {
        if (d == f) continue;
        barrier();
        for (k = 1; k <= ROUNDS; k++) {
          if (MYPROC == 0) { write(way, d, n + k); turn[f] = n + k; await(n + k); }
          if (MYPROC == f) { await(n + k); CHECK(written(way, d) == (way == 4 ? (n + k) % 100 : n + k)); turn[0] = n + k; }
        }
        barrier();
        n += ROUNDS;
      }
  barrier();
  on_one puts("good");
  return 0;
}
