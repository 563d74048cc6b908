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
#include "../check.h"
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
  CHECK(PROCSLOG == -1 ? PROCS & PROCS - 1 : 1 << PROCSLOG == PROCS);
  memset(buf, 'a' + me, 100);
  barrier();
  bulk_read(buf2, nb, 100); CHECK(buf2[99] == 'a' + next);
  barrier();
  bulk_write(nb + 10, "wxyz", 4); barrier(); CHECK(!strncmp(buf + 10, "wxyz", 4));
  bulk_get(buf2 + 3, nb + 11, 3); sync(); CHECK(!strncmp(buf2 + 3, "xyz", 3)); CHECK(is_sync());
  barrier();
  bulk_put(nb + 1, "12345", 5); sync(); barrier(); CHECK(!strncmp(buf + 1, "12345", 5));
  barrier();
  bulk_store(nb + 50, "ABCDEFG", 7); store_sync(7); CHECK(!strncmp(buf + 50, "ABCDEFG", 7));
  all_store_sync();
  *(int *global)(nb + 60) :- 1234; *(short *global)(nb + 64) :- 77; store_sync(6); CHECK(*(int *)(buf + 60) == 1234 && *(short *)(buf+64) == 77);
  barrier();
  *(int *global)(nb + 60) :- 1; all_store_sync(); reset_store_sync();
  get_ctr(got, toglobal(next, got), sizeof got, &ctr); while (!is_sync_ctr(&ctr)) ; sync_ctr(&ctr);
  put_ctr(nb, "zz", 2, &ctr); sync_ctr(&ctr); barrier(); CHECK(buf[0] == 'z' && buf[1] == 'z');
  store_ctr(nb + 20, "qrs", 3, &st); store_sync_ctr(&st, 3); CHECK(buf[22] == 's'); all_store_sync_ctr(&st); reset_store_ctr(&st);
  barrier();
  CHECK(all_reduce_to_all_add(1) == PROCS && all_reduce_to_all_max(me) == PROCS - 1 && all_reduce_to_all_min(me + 3) == 3);
  CHECK(all_reduce_to_all_mult(2) == 1 << PROCS && all_reduce_to_all_or(1 << me) == (1 << PROCS) - 1 && all_reduce_to_all_and(7) == 7);
  CHECK(all_reduce_to_all_xor(1) == (PROCS & 1));
  CHECK(all_scan_add(1) == me + 1 && all_scan_max(me) == me && all_scan_dadd(0.5) == 0.5 * (me + 1) && all_scan_lmult(2L) == 2L << me);
  CHECK(all_reduce_to_all_dadd(0.25) == 0.25 * PROCS && all_reduce_to_all_dmax((double)me) == PROCS - 1 && all_reduce_to_all_fmin((float)me) == 0);
  CHECK(all_reduce_to_all_umax(me + 1u) == PROCS && all_reduce_to_all_ladd(1L << 40) == (long)PROCS << 40 && all_reduce_to_all_uand(~0u) == ~0u && all_reduce_to_all_lxor(0L) == 0);
  i = all_reduce_to_one_add(me); if (!me) CHECK(i == PROCS * (PROCS - 1) / 2);
  x = all_reduce_to_one_dmult(2.0); on_one CHECK(x == 1 << PROCS);
  CHECK(all_bcast(me + 5) == 5 && all_bcast_i(me + 6) == 6 && all_bcast_d(me + 0.5) == 0.5 && all_bcast_l(me + 1L) == 1 && all_bcast_u(me+2) == 2 && all_bcast_f(me + 1.f) == 1);
  strcpy(buf, me == PROCS - 1 ? "last" : "none"); all_bcast_bulk(buf, 5, PROCS - 1); CHECK(!strcmp(buf, "last"));
  b.m = (me * 7) % 5; b.at = me; all_reduce_to_all_func(&b, sizeof b, maxloc); CHECK(b.m >= 0 && b.at < PROCS);
  b.m = me; b.at = me; all_scan_func(&b, sizeof b, maxloc); CHECK(b.at == me);
  all_reduce_to_one_func(&b, sizeof b, maxloc);
  barrier();
  fetch_and_add(c0, 2); barrier(); CHECK(*c0 == 2 * PROCS);
  barrier();
  fetch_and_add_l(toglobal(0, &lc), 1L << 33); barrier(); if (!me) CHECK(lc == (long)PROCS << 33);
  while (test_and_set(toglobal(0, &lock))) ;
  (*c0)++; { int *global lk = toglobal(0, &lock); exchange(lk, 0); }
  barrier(); CHECK(*c0 == 3 * PROCS);
  do i = cas, i = *(int *global)toglobal(0, &cas); while (cmp_and_swap(toglobal(0, &cas), i, i + 1) != i);
  barrier(); CHECK(*toglobal(0, &cas) == PROCS);
  exchange_l(toglobal(me, &lc), 5L); CHECK(lc == 5);
  barrier();
  atomic(bump, c0, 10, toglobal(me, &i)); barrier(); CHECK(*c0 == 13 * PROCS);
  CHECK((int *)atomic_l(where, toglobal(next, &cas), "x") == &cas);
  queue_init(&q, qbuf, 16, sizeof(double)); barrier();
  x = me + 0.5; CHECK(enqueue(toglobal(next, &q), &x)); barrier(); CHECK(dequeue(&q, &y) && y == prev + 0.5 && !dequeue(&q, &y));
  barrier();
  vs = all_spread_malloc(3 * PROCS, 10); cs = (char *spread)vs; CHECK(toproc(vs) == 0 && vs && ((long)tolocal(vs) & 63) == 0); all_spread_free(vs);
  vg = spread_malloc(4, 4); CHECK(toproc((char *global)vg) == 0); spread_free((void *spread)vg);
  for_my_1d(i, PROCS) vals[i] = i;
  for_my_1D(i, PROCS) vals[i] *= 2;
  barrier();
  x = 0; for (i = 0; i < PROCS; i++) x += vals[i]; CHECK(x == PROCS * (PROCS - 1));
  on_proc(PROCS - 1) { CHECK(get_seconds() >= t0); }
  on_one printf("good\n"); 
}
