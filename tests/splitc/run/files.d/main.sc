/* Spread arrays that several files share, among them one whose size depends on PROCS twice; beside them C
 * and UPC. */
#include "grid.h"
#include <stdio.h>
#include <stdlib.h>
double grid[PROCS]::[N];
static int mine = 3;
splitc_main() { int i; for (i = 0; i < N; i++) grid[MYPROC][i] = i; barrier(); 
  if (total(grid) != PROCS * N * (N-1) / 2) exit(1); if (c_side(toglobal((MYPROC+1)%PROCS, &mine)) != 3) exit(2); if (upc_side() != 2 * PROCS) exit(3);
  table[MYPROC][1] = 5; barrier(); if (table[0][1] != 5) exit(4); barrier(); on_one printf("good\n"); }
