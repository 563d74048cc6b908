// Rows by pointer, structures by value from shared memory, macros around subscripts.
//: flags -w
#include <upc.h>
#include <stdio.h>
#define MYROW(i) ((i) / (N / THREADS))
#define IDX(a, i, j) ((a) + (i) * N + (j))
#define N (4 * THREADS)
typedef shared [] int *sp;
shared sp rows[4*THREADS];
static shared [] int *get(int i) { return rows[i]; }
struct pt { int x, y; };
shared struct pt pts[THREADS];
shared [2] struct pt ptsb[2*THREADS];
static struct pt add(struct pt a, struct pt b) { return (struct pt){ a.x + b.x, a.y + b.y }; }
static shared struct pt *find(int i) { return &pts[i]; }
static int sum(const int *a, int n) { int s = 0; while (n--) s += *a++; return s; }
int main(void) {
  for (int i = MYTHREAD * 4; i < MYTHREAD * 4 + 4; i++) { rows[i] = upc_alloc(N * sizeof(int)); for (int j = 0; j < N; j++) rows[i][j] = i * j; }
  pts[MYTHREAD] = (struct pt){ MYTHREAD, 2 };
  upc_barrier;
  for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) if (get(i)[j] != i * j || *IDX(get(i), 0, j) != i * j) return 1;
  struct pt t = add(pts[0], pts[THREADS - 1]); if (t.x != THREADS - 1 || t.y != 4) return 2;
  if (find(MYTHREAD)->x != MYTHREAD || (*find(MYTHREAD)).y != 2) return 3;
  if (add(*find(0), ptsb[1]).y != 2) return 4;
  upc_barrier;
  find(MYTHREAD)->y += 5; find(MYTHREAD)->y++; if (pts[MYTHREAD].y != 8) return 5;
  ptsb[2 * MYTHREAD] = *find(MYTHREAD); ptsb[2 * MYTHREAD + 1] = add(ptsb[2 * MYTHREAD], pts[MYTHREAD]);
  if (ptsb[2 * MYTHREAD + 1].x != 2 * MYTHREAD) return 6;
  int local[4]; upc_memget(local, get(MYTHREAD * 4), sizeof local); if (sum(local, 4) != MYTHREAD * 4 * 6) return 7;
  if (sum((int *)get(MYTHREAD * 4 + 1), N) != (MYTHREAD * 4 + 1) * N * (N - 1) / 2) return 8;
  shared struct pt *p = &pts[0]; int n = 0; while (p < &pts[THREADS]) n += (p++)->x; if (n != THREADS * (THREADS - 1) / 2) return 9;
  shared [2] struct pt *q = ptsb; n = 0; for (int i = 0; i < 2 * THREADS; i++) n += upc_threadof(q++); if (n != THREADS * (THREADS - 1)) return 10;
  struct pt arr[2] = { pts[MYTHREAD], *find(0) }; if (arr[0].x != MYTHREAD) return 11;
  struct { struct pt in; sp r; } mix = { pts[MYTHREAD], rows[0] }; if (mix.in.x != MYTHREAD || mix.r[3] != 0) return 12;
  const struct pt *cp = (const struct pt *)&pts[MYTHREAD]; if (cp->x != MYTHREAD) return 13;
  int *px = (int *)&pts[MYTHREAD].y; *px = 77; if (pts[MYTHREAD].y != 77) return 14;
  if ((pts[MYTHREAD].x, pts[MYTHREAD].y) != 77) return 15;
  if ((MYTHREAD >= 0 ? pts[MYTHREAD] : arr[1]).y != 77) return 16;
  t = pts[MYTHREAD] = arr[0]; if (t.y != arr[0].y) return 17;
  upc_barrier; { shared int *shared *pp; static shared int *shared tab[THREADS]; static shared int v; tab[MYTHREAD] = &v; pp = &tab[MYTHREAD]; **pp = 3; if (v != 3) return 18; }
  for (int i = 0; i < 4; i++) upc_free(rows[MYTHREAD * 4 + i]);
  return 0;
}
