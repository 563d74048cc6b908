/* Forms of declarations and accesses in programs of 1993: blocks by typedef, extern arrays without a
 * length, structs with spread pointers, strings, walks of every kind of pointer. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <split-c/split-c.h>
#include <split-c/control.h>
#include "../check.h"
#define B 3
#define MIN(a,b) ((a) < (b) ? (a) : (b))
typedef double Block[B][B];
typedef double *spread Vector, Row[B];
typedef struct { Vector v[3]; int n; Block *spread blk; } System;
Block *spread A;
Block A2[2*PROCS]::;
Row R[5]::;
extern int ext[]::[4];
extern double *spread V;
double *spread V;
struct cell { int id; char name[12]; struct cell *global link; } cells[PROCS]::[10], *global cur;
System sys;
char text[PROCS]::[16];
long cube[2][3][4]::[2][2];
volatile int flag;
static int hits;
double *spread make(n) int n; { double *spread p = all_spread_malloc(n, sizeof(double)); return p ? p : NULL; }
int *global none() { return NULL; }
int len(s) char *global s; { int n = 0; while (*s++) n++; return n; }
void copy(char *global d, const char *global s) { while ((*d++ = *s++)) ; }
int *global find(int *spread v, int n, int x) { int i; for (i = 0; i < n; i++) if (v[i] == x) return (int *global)&v[i]; return NULL; }
double norm(X, n, m) int n, m; double X[n]::[m]; { double s = 0; int i, j; for (i = 0; i < n; i++) for (j = 0; j < m; j++) s += X[i][j] * X[i][j]; return s; }
void relay(int n, int m, double X[n]::[m], double *out) { *out = norm(X, n, m); }
int sum1(int n, int *spread p, int X[n]::) { int s = 0; while (n--) s += *p++ + X[n]; return s; }
static struct cell *global walk(struct cell *global c, int n) { return n ? walk(c->link, n - 1) : c; }
splitc_main(int argc, char **argv)
{
  int i, j, k, n = 7; double d; int *global g = NULL; char *global s; Block *lb; int count = 0;
  int next = (MYPROC + 1) % PROCS;
  Vector x = make(n), y;
  CHECK(none() == NULL && NULL == none() && !none() && g == NULL); g = none() ? none() : NULL; CHECK(!g);
  A = all_spread_malloc(2*PROCS, sizeof(Block)); 
  for_my_1d(i, 2*PROCS) { lb = (Block *)(A + i); for (j = 0; j < B; j++) for (k = 0; k < B; k++) { (*lb)[j][k] = i; A2[i][j][k] = 2 * i; } }
  for_my_1d(i, 5) for (j = 0; j < B; j++) R[i][j] = i + j;
  barrier();
  for (i = 0; i < 2*PROCS; i++) { CHECK(A[i][1][2] == i && A2[i][2][1] == 2*i && (*(A + i))[0][0] == i && toproc(&A2[i]) == i % PROCS && toproc(A2[i][1]) == i % PROCS); }
  CHECK(sizeof(*A) == 72 && sizeof(A2) == 144*PROCS && sizeof(A2[0]) == 72 && sizeof A2[0][0] == 24 && sizeof(Vector) == 8 && sizeof(int *global) == 8);
  { double (*l)[B] = (double (*)[B])tolocal(A2[MYPROC]); CHECK(l[2][2] == 2*MYPROC); }
  { Block b; bulk_get(b, &A[next], sizeof(Block)); sync(); CHECK(b[1][1] == next); bulk_get(b, A2[next], sizeof b); sync(); CHECK(b[2][0] == 2*next); b[0][0] = -1; bulk_write(A2 + next, b, sizeof b); barrier(); CHECK(A2[MYPROC][0][0] == -1); }
  barrier();
  for (i = 0; i < 5; i++) CHECK(R[i][2] == i + 2);
  sys.v[1] = x; sys.blk = A; sys.n = n;
  for_my_1d(i, sys.n) sys.v[1][i] = i;
  barrier();
  d = 0; for (y = x; y < x + n; y++) d += *y; CHECK(d == 21); CHECK(y - x == n && y[-1] == 6 && *(y - n) == 0 && sys.blk[1 % PROCS][0][1] == 1 % PROCS);
  y = x + 3; y -= 2; CHECK(*y == 1); CHECK(*++y == 2 && *y-- == 2 && *y == 1);
  for (j = 0; j < 10; j++) { cells[MYPROC][j].id = MYPROC * 10 + j; cells[MYPROC][j].link = j < 9 ? &cells[MYPROC][j+1] : &cells[next][0]; sprintf((char *)tolocal(cells[MYPROC][j].name), "c%d", j); }
  barrier();
  cur = &cells[0][0]; CHECK(walk(cur, 15)->id == (PROCS > 1 ? 15 : 5)); CHECK(len(cells[next][4].name) == 2 && cells[next][4].name[1] == '4'); CHECK(walk(cells[MYPROC], 3)->name[1] == '3');
  (cur + 2)->id += 0; CHECK((*(cur + 2)).id == 2 && cur[2].id == 2 && (&cur[3])->id == 3);
  strcpy(tolocal(text[MYPROC]), "proc0"); text[MYPROC][4] += MYPROC; barrier();
  s = text[next]; CHECK(len(s) == 5 && s[4] == '0' + next); s += 4; CHECK(*s == '0' + next); 
  barrier(); copy(text[next], (char *global)"a literal"); barrier(); CHECK(!strcmp((char *)text[MYPROC], "a literal")); CHECK(len((char *global)argv[0]) == strlen(argv[0]));
  for_my_2d(i, j, 2, 12) { cube[i][j / 4][j % 4][1][0] = i * 12 + j; }
  barrier();
  for (i = 0; i < 24; i++) CHECK(cube[i/12][i/4%3][i%4][1][0] == i && toproc(cube[i/12][i/4%3][i%4]) == i % PROCS);
  { long (*spread c1)[2][2] = cube[1][2]; CHECK(c1[3][1][0] == 23 && *c1[3][1] == 23 && **(*(c1+3)+1) == 23); long *global c2 = cube[0][1][1][1]; CHECK(*c2 == 5); }
  { double X[n]::[4]; for_my_1d(i, n) for (j = 0; j < 4; j++) X[i][j] = 1; barrier(); relay(n, 4, X, &d); CHECK(d == 4 * n); CHECK(norm(X + 0, n, 4) == 28); barrier(); }
  { int v[n]::, w[PROCS]::; for_my_1d(i, n) v[i] = i * i; w[MYPROC] = 1; barrier(); CHECK(sum1(n, v, v) == 2 * 91); CHECK(find(v, n, 16) == (int *global)&v[4] && !find(v, n, 17)); CHECK(sum1(PROCS, w, w) == 2 * PROCS); 
    { int *spread p = &v[2]; CHECK(p - v == 2 && p[1] == 9 && v + 2 == p && &v[0] == v && *v == 0 && !(v == NULL)); } barrier(); }
  on_one count = 1; else count = 2; CHECK(count == (MYPROC ? 2 : 1));
  on_proc(PROCS - 1) flag = 0; 
  { volatile int *global f = (volatile int *global)toglobal(0, &flag); if (MYPROC == PROCS - 1) *f = 1; while (*f == 0) ; }
  ext[MYPROC][3] = 4; barrier(); CHECK(ext[next][3] == 4);
  for (i = 0, j = 10; i < j; i++, j--) if (i == 3) break; else continue; CHECK(i == 3);
  { const double *global cd = (const double *global)toglobal(MYPROC, &d); d = 2.5; CHECK(*cd == 2.5 && cd[0] * 2 == 5 && -*cd == -2.5 && (int)*cd == 2 && MIN(*cd, 3) == 2.5); }
  { int *global a[3]; int *global *pa = a; a[1] = toglobal(0, &hits); pa++; fetch_and_add(*pa, 1); fetch_and_add(a[1], 1); barrier(); if (!MYPROC) CHECK(hits == 2 * PROCS); }
  { long bits = (long)toglobal(PROCS - 1, &hits); CHECK(bits >> 48 == PROCS - 1); }
  barrier(); all_spread_free(A); all_spread_free(x);
  on_one printf("good\n");
  return 0;
}
int ext[PROCS]::[4];
