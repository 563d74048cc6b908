// Strict flags, characters in blocks, structures with pointers, pointers to matrices, odd upc_foralls.
#include <upc.h>
#include <stdlib.h>
#include <assert.h>
shared strict int flag; shared [4] char buf[4*THREADS];
shared int *shared sp; shared int data[10*THREADS];
int *shared priv[THREADS];
struct S { int a; char b[10]; shared [] int *p; };
shared struct S ss[THREADS]; shared [2] struct S s2[2*THREADS];
extern shared [4] char buf[4*THREADS];
shared int matrix[THREADS][10][2];
shared int (*mp)[10][2];
int main() {
  assert(sizeof(shared int *) >= 8);
  assert(upc_blocksizeof(buf) == 4 && upc_localsizeof(matrix) == 80);
  mp = matrix; 
  matrix[MYTHREAD][3][1] = 7; 
  ss[MYTHREAD].b[3] = 'x'; s2[2*MYTHREAD+1].b[4] = ss[MYTHREAD].b[3];
  ss[MYTHREAD].p = upc_alloc(40); ss[MYTHREAD].p[2] = 5; *(ss[MYTHREAD].p + 3) = 6;
  upc_barrier;
  assert(s2[2*((MYTHREAD+1)%THREADS)+1].b[4] == 'x');
  assert(ss[(MYTHREAD+1)%THREADS].p[2] == 5);
  assert(mp[0][3][1] == matrix[0][3][1]);
  { shared [] int *q = ss[(MYTHREAD+1)%THREADS].p; assert(q[3] == 6); (*q)++; }
  shared struct S *sq = &ss[0]; sq++; 
  assert((sq - 1)->b[3] == 'x');
  assert(upc_threadof(&ss[MYTHREAD].b[2]) == MYTHREAD);
  assert(upc_addrfield(&ss[MYTHREAD].b[2]) - upc_addrfield(&ss[MYTHREAD]) == 6);
  int k = 0; shared char *cp; 
  upc_forall (cp = (shared char *)buf; k < 3; k++, cp++; cp) ;
  upc_forall (;k<10;;) k++;
  return 0;
}
