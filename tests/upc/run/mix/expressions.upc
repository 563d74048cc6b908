// Pointers-to-shared in every kind of expression, table, function pointer and initialiser.
#include <upc.h>
#include <stdio.h>

shared [2] int (*pa)[2];
shared [2] int rows[THREADS][2];
shared int *tab[2][3];
shared int **pp = &tab[0][0];
shared int x[4*THREADS];
static shared int *const cp = x;
static int count;
static shared int *nx(void) { count++; return x; }
typedef shared int *(*getter)(void);
getter gs[] = { nx, nx };
struct W { getter g; shared int *(*h)(int, shared int *); } w;
static shared int *sel(int i, shared int *p) { return p + i; }
static inline int inl(shared const int *p) { return *p; }
extern inline __attribute__((gnu_inline)) int ginl(shared int *p) { return *p; }
static int rec(shared int *p, int n) { return n == 0 ? 0 : *p + rec(p + 1, n - 1); }
int main(void) {
  for (int i = MYTHREAD; i < 4*THREADS; i += THREADS) x[i] = i;
  upc_barrier;
  pa = rows; pa[MYTHREAD][1] = 5; (*(pa + MYTHREAD))[0] = 6;
  if (rows[MYTHREAD][1] != 5 || rows[MYTHREAD][0] != 6) return 1;
  tab[1][2] = &x[3]; tab[0][1] = tab[1][2] - 1; pp++;
  if (**pp != 2 || *tab[1][2] != 3 || pp[0][1] != 3) return 2;
  if (*gs[1]() != 0 || count != 1) return 3;
  w.g = nx; w.h = sel;
  if (w.h(3, w.g())[0] != 3 || *w.h(2, x) != 2) return 4;
  if (inl(x + 1) != 1 || rec(x, 4) != 6) return 5;
  int i = 0; i[x + 2]; 
  if ((0, x)[1] != 1) return 6;
  if (*(shared int *)(shared void *)(shared [] char *)&x[MYTHREAD] != MYTHREAD) return 7;
  shared [] char *bytes = (shared [] char *)&x[MYTHREAD]; if (bytes[0] != MYTHREAD || bytes[1]) return 8;
  if ((x + 3) - (x + 1) != 2 || &x[3] - &x[1] != 2 || !(&x[3] > &x[1])) return 9;
  shared int *p = x; p += 1; p = p + 1; p -= 1; p++; ++p; p--; if (p != &x[2]) return 10;
  int sum = 0; for (p = x; p < &x[4]; sum += *p++); if (sum != 6) return 11;
  sum = 0; p = x; while (p - x < 4) sum += *p, p++; if (sum != 6) return 12;
  p = &x[3]; sum = 0; do sum += *p; while (p-- != x); if (sum != 6) return 13;
  p = (shared int *)0; if (p) return 14;
  const char *str = p ? "y" : "n"; if (*str != 'n') return 15;
  p = MYTHREAD >= 0 ? x : NULL; p = MYTHREAD >= 0 ? x : (void*)0; p = MYTHREAD < 0 ? 0 : x; if (p != x) return 16;
  shared void *v = MYTHREAD < 0 ? (shared void *)0 : x; if (v != x) return 17;
  if ((count ? &x[1] : &x[2])[0] != 1) return 18;
  int arr[4] = {x[0], x[1], x[2]}; if (arr[2] != 2) return 19;
  struct { int a; shared int *p; int b[2]; } loc = { x[1], &x[2], { x[3] } }; if (loc.a + *loc.p + loc.b[0] != 6) return 20;
  loc = (__typeof__(loc)){ .p = x, .b = { [1] = x[2] } }; if (loc.b[1] != 2 || loc.p != x) return 21;
  switch (x[1]) { case 1: { int q = x[2]; if (q != 2) return 22; break; } default: return 23; }
  for (int k = x[0]; k < x[3]; k += x[1]) sum += x[k]; if (sum != 9) return 24;
  if (sizeof x[0] != 4 || sizeof(x[0] + 1L) != 8 || sizeof *p != 4 || sizeof p != sizeof cp) return 25;
  upc_barrier;
  x[MYTHREAD] = x[MYTHREAD] = 4; x[MYTHREAD] += x[MYTHREAD] *= 2; 
  return 0;
}
