/* A program's own enqueue, exchange and fetch_and_add beside the library's; old-style redeclarations; gets
 * into register variables and into targets of pointers to pointers. */
#include <split-c/split-c.h>
#include <split-c/control.h>
#include <stdio.h>
#include <stdlib.h>
#include "../check.h"
extern double get_seconds();
void barrier();
int all_reduce_to_all_add();
typedef struct task { int n; struct task *next; } task;
typedef struct { task *head, *tail; int lock; } queue;
static queue ready;
int exchange = 4;
static int fetch_and_add(int *p, int by) { int old = *p; *p += by; return old; }
void enqueue(queue *q, task *t);
task *dequeue(q) queue *q; { task *t = q->head; if (t) q->head = t->next; return t; }
void enqueue(q, t) queue *q; task *t; { t->next = q->head; q->head = t; }
double vals[PROCS]::;
f(p, n) register int *global p; register n; { register s = 0; register int v; register int *global q = p; for (; n--; q++) { v := *q; sync(); s += v; } return s; }
int *global *spread tab;
int *global null(int c) { return c ? NULL : 0; }
splitc_main()
{
  task t[3]; int i, x = 1, a[4]; register double d; register struct { int k; } st; int *global rp; int *global *global gp;
  for (i = 0; i < 3; i++) { t[i].n = i; enqueue(&ready, &t[i]); }
  CHECK(dequeue(&ready)->n == 2); CHECK(fetch_and_add(&x, 3) == 1 && x == 4 && exchange == 4);
  for (i = 0; i < 4; i++) a[i] = i * i;
  CHECK(f((int *global)a, 4) == 14);
  vals[MYPROC] = MYPROC + 0.5; barrier();
  d := vals[(MYPROC + 1) % PROCS]; sync(); CHECK(d == (MYPROC + 1) % PROCS + 0.5);
  rp = toglobal(MYPROC, &a[1]); gp = (int *global *global)&rp; 
  { int *global r2; r2 := *gp; sync(); CHECK(*r2 == 1); x := *rp++; sync(); CHECK(x == 1 && *rp == 4); *rp++ := x + 1; sync(); CHECK(a[2] == 2 && *rp == 9); *--rp :- 7; all_store_sync(); CHECK(a[2] == 7); a[x++] := *rp; sync(); CHECK(a[1] == 7 && x == 2); }
  CHECK(!null(x) && null(0) == (int *)0); rp = (int *)NULL; CHECK(!rp); rp = x++ ? 0 : NULL; CHECK(!rp && x == 3);
  CHECK(all_reduce_to_all_add(1) == PROCS && get_seconds() > 0);
  { int *p; double *local; local := *toglobal(MYPROC, &local); sync(); p = a; CHECK(p == a); }
  on_one puts("good");
}
