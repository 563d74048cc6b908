// Global pointers in unions that are accessed through global pointers.
#include <split-c/split-c.h>
typedef union { int *global p; double d; } u_t;
static u_t v[2]; static int a[10];
int splitc_main(void) {
  u_t *global q = toglobal((MYPROC + 1) % PROCS, v);
  q->d = 3.5; q->p = toglobal(0, a); double keep = q->d; q->p++; int *global r = q->p; r += 1; q->p = r;
  return !(keep != 3.5 && q->p == toglobal(0, a + 2));
}
