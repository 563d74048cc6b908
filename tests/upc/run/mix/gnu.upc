// GNU C and C11 around shared objects: attributes, typeof, _Generic, VLAs of pointers, asm, labels.
#include <upc.h>
#include <stdio.h>
#include <string.h>
#include <setjmp.h>

shared int a[THREADS] __attribute__((aligned(64)));
extern __typeof__(a) a;
shared [3] int b[3*THREADS];
typedef __typeof__(b[0]) elem_t;
elem_t *ep = &b[1];
__typeof__(&b[0]) ep2 = b;
__typeof__(&b[0]) ep3 = b, *shared ep4;
shared int * restrict rp;
static void fn(shared int * __restrict x, shared const int *const __restrict y) { *x = *y; }
#define ATTR __attribute__((unused))
shared int ATTR c[THREADS];
ATTR static shared int d;
int (*shared fptr)(int);
_Static_assert(sizeof(shared int) == 4, "");
union U { shared int *s; void *v; double d; };
struct B { unsigned a:3; signed b:5; shared int *p; } __attribute__((packed));
shared struct B sb[THREADS];
static int sw(shared int *p) { switch (*p) { case 0 ... 5: return 1; default: return 2; } }
int main(void) {
  __typeof__(*ep) *e3 = ep + 1;
  __auto_type e4 = ep + 2;
  if (upc_phaseof(e4) != 0 && upc_phaseof(e3) != 2) return 1;
  if (MYTHREAD == 0) { ep4 = &ep3; if (upc_phaseof(++*ep4) != 1 || ep3 != ep2 + 1) return 16; }
  a[MYTHREAD] = 3; c[MYTHREAD] = 0; fn(&c[MYTHREAD], &a[MYTHREAD]);
  if (c[MYTHREAD] != 3 || sw(&c[MYTHREAD]) != 1) return 2;
  sb[MYTHREAD].a = 5; sb[MYTHREAD].b = -3; sb[MYTHREAD].p = &a[MYTHREAD];
  if (*sb[MYTHREAD].p + sb[MYTHREAD].b != 0) return 3;
  union U u = { .s = &a[0] }; if (u.s != a) return 4;
  int vla[THREADS + 1]; vla[MYTHREAD] = a[MYTHREAD]; 
  int n = 3; shared int *pv[n]; pv[2] = &a[MYTHREAD]; if (*pv[2] != 3) return 5;
  jmp_buf j; if (!setjmp(j)) { longjmp(j, 1); }
  const char *s = __func__; (void)s;
  if (__builtin_choose_expr(1, a[MYTHREAD], 3) != 3) return 6;
  if (_Generic(a[0], int: 1, default: 0) != 1) return 7;
  if (_Generic(&a[0], shared int *: 1, default: 0) != 1) return 8;
  if (_Generic(&b[0], shared int *: 1, shared [3] int *: 2, default: 0) != 2) return 9;
  size_t off = __builtin_offsetof(struct B, p); (void)off;
  long sum = 0; for (int i = 0; i < THREADS; i++) { upc_barrier; sum += a[i]; } 
  upc_barrier;
  if (sum != 3 * THREADS) return 10;
  asm volatile("" : : "r"(a[MYTHREAD]) : "memory");
  int out; asm("mov %1, %0" : "=r"(out) : "r"(c[MYTHREAD])); if (out != 3) return 11;
  void *vp = (void *)&a[MYTHREAD]; if (*(int *)vp != 3) return 12;
  memset((void *)&a[MYTHREAD], 0, sizeof a[0]); if (a[MYTHREAD]) return 13;
  (&a[MYTHREAD])[0] = 5; if (*&*&a[MYTHREAD] != 5) return 14;
  { __label__ L; shared int *p = a; L: if (p - a < 2) { p++; goto L; } if (p != a + 2) return 15; }
  return a[MYTHREAD] - 5;
}
