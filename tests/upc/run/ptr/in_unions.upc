// Pointers-to-shared in unions in shared memory, beside members of other types.
#include <upc.h>
#include <stdio.h>
typedef union { shared int *p; shared [3] int *pp; double d; float f[2]; char c[16]; unsigned short h[8]; } u_t;
struct s { int tag; u_t u; };
shared struct s g[THREADS]; shared int a[10*THREADS]; shared [3] int b[9*THREADS];
int main(void) {
  shared struct s *q = &g[(MYTHREAD + 1) % THREADS];
  q->u.d = 3.5; q->u.p = &a[4]; double keep = q->u.d; q->u.p++; 
  double again = q->u.d; shared int *r = q->u.p; r += 1; q->u.p = r;
  int ok = keep != 3.5 && again != 3.5 && q->u.p == &a[6];
  q->u.h[0] = 0; q->u.pp = &b[5]; unsigned short h = q->u.h[0]; q->u.pp += 2; shared [3] int *pp = q->u.pp;
  ok = ok && pp == &b[7] && upc_phaseof(pp) == 1 && h == ((unsigned short *)&(shared [3] int *){&b[5]})[0];
  if (!ok) { printf("%d: %d\n", MYTHREAD, ok); upc_global_exit(1); }
  return 0;
}
