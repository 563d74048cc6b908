//: clause program 6
//: clause space 8
/* Split-C in the style of old programs: implicit int, old-style parameters, nested qualifiers, commas. */
#include <split-c/split-c.h>
#include <split-c/control.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
typedef struct graph_node { double value; int edge_count; double *coeffs; double *(*global values); struct graph_node *next; } graph_node;
typedef int row_t[10];
int *spread gp;
static char name[20];
int flags[PROCS]::;
typedef struct { int n; row_t *spread rows; } holder;
holder h;
void *global vg;
int counts[PROCS]::[16];
double (*spread tiles)[4][4];
int f(int *global g) { return *g; }
void swap(int *global a, int *global b) { int t = *a; *a = *b; *b = t; }
int *global either(c, p, q, d) int *global p, *global q; double d; { return c ? p : q; }
splitc_main(argc, argv) int argc; char **argv; {
  int i, j;
  if (either(0, (int *global)&i, NULL, 1.0) || either(1, 0, (int *global)&i, 2.0)) exit(6);
  if (either(1, (int *global)&i, 0, 1.0) != (int *global)&i) exit(7);
  graph_node *global gn;
  int *spread *out;
  int *global *spread q;
  row_t *spread r = all_spread_malloc(4, sizeof(row_t));
  h.rows = r;
  h.rows[0][3] = 5;
  (*r)[1] = 2;
  gn = (graph_node *global)malloc(sizeof(graph_node));
  gn->value = 3; gn->edge_count++; gn->coeffs = 0;
  gn->value += 2.5;
  q = all_spread_malloc(PROCS, sizeof(int *global));
  q[MYPROC] = &counts[MYPROC][3];
  *q[MYPROC] = 9;
  vg = q[MYPROC];
  if (f((int *global)vg) != 9) exit(3);
  swap(&counts[MYPROC][3], &counts[MYPROC][4]);
  flags[(MYPROC+1)%PROCS] :- 1;
  all_store_sync();
  gp = flags + MYPROC;
  *gp++ += 2;
  i = *gp ? 1 : -1;
  i = MYPROC == 0 ? flags[0]:-1;
  tiles = all_spread_malloc(8, sizeof(double[4][4]));
  tiles[MYPROC][1][2] = 4.0;
  { double (*t)[4] = (double (*)[4])tiles[MYPROC]; if (t[1][2] != 4.0) exit(4); }
  for (i = 0, j = 0; i < 3; i++, j++) counts[MYPROC][i]--;
  for (i = MYPROC; i < 8; i += PROCS) tiles[i][0][0] = i;
  i := counts[MYPROC][0], j := counts[MYPROC][1];
  sync();
  if (i != -1) exit(5);
  out = &h.rows == 0 ? 0 : malloc(8);
  if (toproc(gp) < 0) return 1;
  memcpy(tolocal(counts[MYPROC]), name, 20);
  barrier();
  return 0;
}
