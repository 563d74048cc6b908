/* Split-C in odd but legal places: macros with statement expressions, packed structs, variable arguments,
 * setjmp, pointers to pointers of every kind. */
#include <split-c/split-c.h>
#include <split-c/control.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdarg.h>
#include <setjmp.h>
#include "../check.h"
#define READ(p) ({ __typeof__(*(p)) _v; _v := *(p); sync(); _v; })
#define FOREACH(i, n) for_my_1d(i, n)
#ifndef GLOBAL
#define GLOBAL global
#endif
typedef int *GLOBAL gint; typedef gint *GLOBAL ggint; typedef int *spread sint;
enum { A_N = 3 * sizeof(int *global) };
struct pair { gint g; sint s; char c; } __attribute__((packed));
static struct pair tabl[3] = { { 0, 0, 'a' }, { .c = 'b' } };
int big[PROCS]::[1000][10];
char *names[] = { "a", "b", 0 };
int vsum(int n, ...) { va_list ap; int s = 0; va_start(ap, n); while (n--) s += *va_arg(ap, gint); va_end(ap); return s; }
static gint gsel(int c, gint a, gint b) { return c ? a : b; }
struct pair mk(gint g) { struct pair p; p.g = g; p.s = (sint)g; p.c = 'z'; return p; }
gint (*pick(int n))(int, gint, gint) { return n ? gsel : 0; }
long long llsum; unsigned short us; 
jmp_buf env;
void jumper(gint g) { if (*g > 2) longjmp(env, *g); }
double (*spread field)[10][10];
typedef struct list { struct list *global next, *prev; int data[4]; struct { double x, y; } p; } list, *global glist, *spread slist;
slist nodes;
int gcount(glist l) { int n; for (n = 0; l; l = l->next) n++; return n; }
void lists(int n) {
  int i; slist s; glist g;
  nodes = all_spread_malloc(n, sizeof(list));
  for_my_1d(i, n) { list *l = (list *)(nodes + i); l->next = i + 1 < n ? (glist)(nodes + i + 1) : 0; l->prev = l; l->data[i % 4] = i; l->p.y = i / 2.0; }
  barrier();
  CHECK(gcount((glist)nodes) == n);
  for (s = nodes, i = 0; s < nodes + n; s++, i++) { CHECK(s->data[i % 4] == i && s->p.y == i / 2.0); CHECK((glist)s->next == (i + 1 < n ? (glist)(s + 1) : 0)); }
  CHECK(nodes->next->next->data[2] == 2 && (*nodes->next).data[1] == 1 && nodes[1].next->prev != 0);
  g = nodes[0].next; on_one { g->p.x := 2.5; g->data[0] := 9; sync(); } barrier(); CHECK(nodes[1].p.x == 2.5 && nodes[1].data[0] == 9);
  { struct { double x, y; } q; double *global px = &nodes[1].p.x; CHECK(*px == 2.5 && px[1] == 0.5); bulk_read(&q, &nodes[1].p, sizeof q); CHECK(q.y == 0.5); }
  { list l; l := nodes[2]; sync(); CHECK(l.data[2] == 2); l = nodes[3]; CHECK(l.p.y == 1.5); { list m = *(nodes + 1); CHECK(m.data[0] == 9); } }
  barrier(); all_spread_free(nodes);
}
splitc_main(argc, argv) int argc; char **argv;
{
  int i, j, x = 5, y = 6; gint g = (gint)&x, h = (gint)&y; ggint gg = (ggint)&g; sint s; struct pair p;
  CHECK(READ(g) == 5 && READ(*gg) == 5 && READ(toglobal(MYPROC, &y)) == 6);
  CHECK(vsum(3, g, h, *gg) == 16 && gsel(0, g, h) == h && *pick(1)(1, g, h) == 5 && !pick(0));
  p = mk(h); CHECK(*p.g == 6 && p.s == (sint)h && p.c == 'z' && sizeof p == 17); tabl[2] = p; CHECK(*tabl[2].g == 6 && tabl[1].c == 'b' && !tabl[0].g);
  *p.g = 7; ++*p.g; CHECK(y == 8); tabl[2].g = g; (*tabl[2].g)--; CHECK(x == 4); x = 5;
  for (i = 0; i < 1000; i++) for (j = 0; j < 10; j++) big[MYPROC][i][j] = i * j;
  barrier();
  { int (*global b)[10] = big[(MYPROC + 1) % PROCS]; long s = 0; for (i = 0; i < 1000; i++) s += b[i][9]; CHECK(s == 9L * 499500); int *global row = b[3]; CHECK(row[2] == 6 && *(row + 4) == 12 && &row[5] - row == 5 && &b[4] - b == 4); }
  field = all_spread_malloc(PROCS, sizeof(double[10][10])); field[MYPROC][2][3] = 1; barrier(); CHECK(field[(MYPROC+1)%PROCS][2][3] == 1 && (*(field + 1 % PROCS))[2][3] == 1);
  lists(3 * PROCS + 5);
  if ((i = setjmp(env)) == 0) jumper(g); CHECK(i == 5);
  us = 65535; { unsigned short *global u = toglobal(MYPROC, &us); CHECK((*u)++ == 65535 && *u == 0 && --*u == 65535 && (*u >>= 4) == 4095); }
  { signed char c = -1; signed char *global gc = (signed char *global)&c; CHECK(*gc == -1 && *gc >> 1 == -1 && (unsigned char)*gc == 255); }
  { long double ld = 1.5L; long double *global gl = (long double *global)&ld; *gl *= 2; CHECK(ld == 3.0L); _Complex double z = 1; _Complex double *global gz = (_Complex double *global)&z; *gz += 2; CHECK(z == 3); }
  { int *global a = g; switch (*a) { case 5: a = 0; case 6: break; } CHECK(a == 0); while ((a = a ? a + 1 : NULL)) ; do ; while (a); if (!a) ; else CHECK(0); CHECK(!a || *a); CHECK((a ? *a : 3) == 3 && (a != 0 && *a) == 0); }
  { gint arr[2][2] = { { g, h }, { h } }; gint *lp = arr[0], *global glp; CHECK(**lp == 5 && *lp[1] == 8 && *arr[1][0] == 8 && arr[1][1] == NULL); glp = (gint *global)arr[0]; CHECK(**glp == 5 && *glp[1] == 8); glp++; CHECK(*glp == h); *glp = g; CHECK(arr[0][1] == g); **glp = 11; CHECK(x == 11); (*glp)++; CHECK(arr[0][1] == g + 1); *glp += -1; CHECK(arr[0][1] == g && *glp - g == 0); }
  { extern int later; int *global lg = toglobal(MYPROC, &later); CHECK(*lg == 77); static int st = 5; static int *global sg; sg = (int *global)&st; *sg += 1; CHECK(st == 6); }
  { unsigned long u = (unsigned long)g; gint r = (gint)(void *)&x; CHECK(r == g && (void *global)r == (void *global)g && (char *global)g + 4 == (char *global)(g + 1)); CHECK(u != 0); }
  CHECK(sizeof(struct { gint a; char b; }) == 16 && A_N == 24 && __alignof__(gint) == 8 && _Alignof(int *spread) == 8);
  on_one puts("good");
}
int later = 77;
