#include <upc.h>
shared int two[THREADS];
int upc_side(void) { int s = 0, i; two[MYTHREAD] = 2; upc_barrier; for (i = 0; i < THREADS; i++) s += two[i]; upc_barrier; return s; }
