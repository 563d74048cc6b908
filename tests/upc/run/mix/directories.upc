// Structures of doubles in three dimensions, directories of allocated rows, block gets.
#include <upc_relaxed.h>
#include <stdio.h>
#define N 4
typedef struct { double r, i; } dcomplex;
shared dcomplex u0[N][N][THREADS];
shared [N] dcomplex *su;
typedef shared [] dcomplex *dcp;
shared dcp dirs[THREADS];
struct d_cell_s { dcomplex cell[8]; };
typedef struct d_cell_s d_cell_t;
shared d_cell_t cells[THREADS];
static int chk(shared void *v, size_t n) { return upc_threadof(v) + n; }
int main(int argc, char **argv)
{
  dcomplex *loc; int i;
  dirs[MYTHREAD] = (dcp)upc_alloc(sizeof(dcomplex)*10);
  loc = (dcomplex *)dirs[MYTHREAD];
  loc[3].r = 4; dirs[MYTHREAD][3].i = loc[3].r + 1;
  cells[MYTHREAD].cell[2] = loc[3];
  cells[MYTHREAD].cell[3].r = cells[MYTHREAD].cell[2].i;
  u0[1][2][MYTHREAD] = cells[MYTHREAD].cell[3];
  upc_barrier;
  for (i = 0; i < THREADS; i++) { if (u0[1][2][i].r != 5) return 1; if (chk(&u0[1][2][i], 0) != i) return 2; 
    dcp d = dirs[i]; if (d[3].r != 4 || (d+3)->i != 5) return 3; 
    upc_memget(loc, &cells[i].cell[2], sizeof(dcomplex)); if (loc[0].i != 5) return 4; }
  upc_barrier;
  upc_lock_t *lk = upc_all_lock_alloc();
  upc_lock(lk); upc_unlock(lk);
  return 0;
}
