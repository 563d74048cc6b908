// Older spellings: shared twice, initialisers with THREADS, matrices of rows, static arrays in blocks.
//: flags -w
#include <upc.h>
#include <stdio.h>
shared upc_lock_t *l2; shared int init[THREADS] = {1}; shared [2] int init2[2*THREADS] = {1, 2};
extern shared [] int ext[]; shared [] int ext[5];
extern shared int *shared sp; shared int *shared sp;
shared [5*2] struct { short a; } arr5[10*THREADS];
#define S shared
S S int twice_shared;
typedef shared int sint; shared sint again; sint *ps; shared sint *ps2;
static shared [10] char lines[THREADS][10];
shared int (*fn(void))[3] { static shared int q[3*THREADS]; return (shared int (*)[3])q; }
struct foo; void takes(shared [] struct foo *p);
struct foo { int a; shared [] struct foo *next; };
void takes(shared [] struct foo *p) { p->a++; if (p->next) takes(p->next); }
int main(int argc, char *argv[]) {
  if (init[0] != 1 || init2[1] != 2) return 1;
  again = twice_shared; ps = &again; ps2 = ps;
  lines[MYTHREAD][3] = 'x'; if (upc_threadof(&lines[MYTHREAD][9]) != MYTHREAD) return 2;
  (*fn())[MYTHREAD % 3] = 1;
  shared [] struct foo *f = upc_alloc(2 * sizeof(struct foo)); f[0].a = f[1].a = 0; f[0].next = f + 1; f[1].next = NULL; takes(f); 
  if (f[0].a + f[1].a != 2) return 3;
  if (1) { static shared [10] int x[10*THREADS]; x[10*MYTHREAD] = 3; if (x[10*MYTHREAD] != 3) return 4; }
  switch (MYTHREAD) { case 0: upc_notify; break; default: upc_notify; } upc_wait;
  int i; upc_forall(i = 0; i < 10; i++; i) { switch (i) { case 3: continue; default: break; } }
  upc_barrier; { int t = 0; for (i = 0; i < THREADS; i++) t += (int)upc_threadof(&init[i]); if (t != THREADS*(THREADS-1)/2) return 5; }
  if (sizeof(lines) != 10*THREADS || sizeof(lines[0]) != 10 || sizeof lines / sizeof lines[0] != THREADS) return 6;
  char *names[THREADS]; names[MYTHREAD] = argv[0];
  shared void *vs[2] = { &again, NULL }; if (vs[0] != &again || vs[1]) return 7;
  long v = (long)(upc_addrfield(&lines[MYTHREAD][4]) - upc_addrfield(&lines[MYTHREAD][0])); if (v != 4) return 8;
  upc_global_exit(0);
}
