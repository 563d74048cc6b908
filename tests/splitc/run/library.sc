//: clause program 4
//: clause bulk 1
//: clause bulk 2
//: clause bulk 3
//: clause store 3
//: clause store 4
//: clause counter 1
//: clause counter 2
//: clause library 1
//: clause library 2
//: clause library 3
//: clause library 4
//: clause library 5
//: clause library 6
//: clause library 7
//: clause library 8
//: clause library 9
//: clause library 10
/* Every function of the library in the language's own types. */
#include <split-c/split-c.h>
#include <split-c/control.h>
#include <split-c/atomic.h>
#include <split-c/counter.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define CK(c) do { if (!(c)) { printf("%d: line %d: %s\n", MYPROC, __LINE__, #c); exit(1);} } while(0)
int shared_counter; long lc; int lock; int cas;
char buf[100], buf2[100];
int got[8];
Ctr ctr; StCtr st;
splitc_queue q; double qbuf[16];
int bump(p, by, g) int *p; int by; int *global g; { *p += by; return *p; }
long where(int *p, char *global s) { return (long)p; }
double vals[PROCS]::;
typedef struct { double m; int at; } best;
void maxloc(void *into, const void *v) { best *a = into; const best *b = v; if (b->m > a->m) *a = *b; }
splitc_main()
{
  int i, j, me = MYPROC, next = (MYPROC + 1) % PROCS, prev = (MYPROC + PROCS - 1) % PROCS;
  char *global nb = toglobal(next, buf);
  int *global c0 = toglobal(0, &shared_counter);
  best b; double x, y; float f; long l; unsigned u;
  void *global vg; void *spread vs; char *spread cs;
  double t0 = get_seconds();
  CK(PROCSLOG == -1 ? PROCS & PROCS - 1 : 1 << PROCSLOG == PROCS);
  memset(buf, 'a' + me, 100);
  barrier();
  bulk_read(buf2, nb, 100); CK(buf2[99] == 'a' + next);
  barrier();
  bulk_write(nb + 10, "wxyz", 4); barrier(); CK(!strncmp(buf + 10, "wxyz", 4));
  bulk_get(buf2 + 3, nb + 11, 3); sync(); CK(!strncmp(buf2 + 3, "xyz", 3)); CK(is_sync());
  barrier();
  bulk_put(nb + 1, "12345", 5); sync(); barrier(); CK(!strncmp(buf + 1, "12345", 5));
  barrier();
  bulk_store(nb + 50, "ABCDEFG", 7); store_sync(7); CK(!strncmp(buf + 50, "ABCDEFG", 7));
  all_store_sync();
  *(int *global)(nb + 60) :- 1234; *(short *global)(nb + 64) :- 77; store_sync(6); CK(*(int *)(buf + 60) == 1234 && *(short *)(buf+64) == 77);
  barrier();
  *(int *global)(nb + 60) :- 1; all_store_sync(); reset_store_sync();
  get_ctr(got, toglobal(next, got), sizeof got, &ctr); while (!is_sync_ctr(&ctr)) ; sync_ctr(&ctr);
  put_ctr(nb, "zz", 2, &ctr); sync_ctr(&ctr); barrier(); CK(buf[0] == 'z' && buf[1] == 'z');
  store_ctr(nb + 20, "qrs", 3, &st); store_sync_ctr(&st, 3); CK(buf[22] == 's'); all_store_sync_ctr(&st); reset_store_ctr(&st);
  barrier();
  CK(all_reduce_to_all_add(1) == PROCS && all_reduce_to_all_max(me) == PROCS - 1 && all_reduce_to_all_min(me + 3) == 3);
  CK(all_reduce_to_all_mult(2) == 1 << PROCS && all_reduce_to_all_or(1 << me) == (1 << PROCS) - 1 && all_reduce_to_all_and(7) == 7);
  CK(all_reduce_to_all_xor(1) == (PROCS & 1));
  CK(all_scan_add(1) == me + 1 && all_scan_max(me) == me && all_scan_dadd(0.5) == 0.5 * (me + 1) && all_scan_lmult(2L) == 2L << me);
  CK(all_reduce_to_all_dadd(0.25) == 0.25 * PROCS && all_reduce_to_all_dmax((double)me) == PROCS - 1 && all_reduce_to_all_fmin((float)me) == 0);
  CK(all_reduce_to_all_umax(me + 1u) == PROCS && all_reduce_to_all_ladd(1L << 40) == (long)PROCS << 40 && all_reduce_to_all_uand(~0u) == ~0u && all_reduce_to_all_lxor(0L) == 0);
  i = all_reduce_to_one_add(me); if (!me) CK(i == PROCS * (PROCS - 1) / 2);
  x = all_reduce_to_one_dmult(2.0); on_one CK(x == 1 << PROCS);
  CK(all_bcast(me + 5) == 5 && all_bcast_i(me + 6) == 6 && all_bcast_d(me + 0.5) == 0.5 && all_bcast_l(me + 1L) == 1 && all_bcast_u(me+2) == 2 && all_bcast_f(me + 1.f) == 1);
  strcpy(buf, me == PROCS - 1 ? "last" : "none"); all_bcast_bulk(buf, 5, PROCS - 1); CK(!strcmp(buf, "last"));
  b.m = (me * 7) % 5; b.at = me; all_reduce_to_all_func(&b, sizeof b, maxloc); CK(b.m >= 0 && b.at < PROCS);
  b.m = me; b.at = me; all_scan_func(&b, sizeof b, maxloc); CK(b.at == me);
  all_reduce_to_one_func(&b, sizeof b, maxloc);
  barrier();
  fetch_and_add(c0, 2); barrier(); CK(*c0 == 2 * PROCS);
  barrier();
  fetch_and_add_l(toglobal(0, &lc), 1L << 33); barrier(); if (!me) CK(lc == (long)PROCS << 33);
  while (test_and_set(toglobal(0, &lock))) ;
  (*c0)++; { int *global lk = toglobal(0, &lock); exchange(lk, 0); }
  barrier(); CK(*c0 == 3 * PROCS);
  do i = cas, i = *(int *global)toglobal(0, &cas); while (cmp_and_swap(toglobal(0, &cas), i, i + 1) != i);
  barrier(); CK(*toglobal(0, &cas) == PROCS);
  exchange_l(toglobal(me, &lc), 5L); CK(lc == 5);
  barrier();
  atomic(bump, c0, 10, toglobal(me, &i)); barrier(); CK(*c0 == 13 * PROCS);
  CK((int *)atomic_l(where, toglobal(next, &cas), "x") == &cas);
  queue_init(&q, qbuf, 16, sizeof(double)); barrier();
  x = me + 0.5; CK(enqueue(toglobal(next, &q), &x)); barrier(); CK(dequeue(&q, &y) && y == prev + 0.5 && !dequeue(&q, &y));
  barrier();
  vs = all_spread_malloc(3 * PROCS, 10); cs = (char *spread)vs; CK(toproc(vs) == 0 && vs && ((long)tolocal(vs) & 63) == 0); all_spread_free(vs);
  vg = spread_malloc(4, 4); CK(toproc((char *global)vg) == 0); spread_free((void *spread)vg);
  for_my_1d(i, PROCS) vals[i] = i;
  for_my_1D(i, PROCS) vals[i] *= 2;
  barrier();
  x = 0; for (i = 0; i < PROCS; i++) x += vals[i]; CK(x == PROCS * (PROCS - 1));
  on_proc(PROCS - 1) { CK(get_seconds() >= t0); }
  on_one printf("good\n"); 
}
