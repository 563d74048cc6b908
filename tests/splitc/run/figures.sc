//: clause space 2
//: clause counter 3
//: clause counter 4
//: clause library 13
/* Figures 6-6, 6-7 and 6-8 of the paper as printed, in the place of the library's functions. Added are parts
 * that the pages leave out: declarations, and `reduce'. Four slips of the pages are corrected: a declaration
 * of `g' (6-6), `&val' and a counter that begins as 0 (`read' in 6-7), and the `&' and the order of the
 * arguments of `stores' (6-8). `read' is static, since the C library has another one. */
#include <split-c/split-c.h>
#include <split-c/am.h>
#include <stdlib.h>
#include "../check.h"
#define reduce all_reduce_to_all_add

/* ---- figure 6-6 ---- */
typedef struct {
    int   proc;
    void *addr;
} gptr;

inline gptr toGlobal(int proc, void *addr)
{
    gptr g;
    g.proc = addr == 0 ? 0 : proc;
    g.addr = addr;
    return g;
}

inline int toProc(gptr g)
{
    return g.proc;
}
inline void *toLocal(gptr g)
{
    return g.addr;
}

/* ---- figure 6-7 ---- */
typedef int Ctr;
void getCtr_h(int p, int *l, Ctr *c, int *a);
void getCtr_rh(int *l, Ctr *ctr, int v);
static int read(gptr g);

void syncCtr(Ctr *ctr)
{ while(*ctr) ; }

void getCtr
     (gptr g, int *l, Ctr *ctr)
{
    (*ctr)++;
    AM(g.proc, getCtr_h,
       MYPROC, l, ctr, g.addr);
}

void getCtr_h
     (int p, int *l, Ctr *c,
      int *a)
{
    AM_reply(p, getCtr_rh,
             l, c, *a);
}

void getCtr_rh
     (int *l, Ctr *ctr, int v)
{
    *l = v;
    (*ctr)--;
}

int numSplit=0;
void sync(void)
{ syncCtr(&numSplit); }

void get(gptr g, int *l)
{
    getCtr(g, l, &numSplit);
}

int read(gptr g)
{
    Ctr ctr = 0;
    int val;
    getCtr(g, &val, &ctr);
    syncCtr(&ctr);
    return val;
}

/* ---- figure 6-8 ---- */
typedef struct {
    int send, recv;
} StCtr;
void store_h(int *a, int val, StCtr *c);

void store_syncCtr
     (StCtr *ctr, int num)
{
    while(ctr->recv < num) ;
    ctr->recv -= num;
    ctr->send -= num;
}

void all_store_syncCtr
     (StCtr *ctr)
{
    int d, all_d;
    barrier();
    d = 0;
    do {
        d += ctr->send-ctr->recv;
        ctr->recv = ctr->send = 0;
        all_d = reduce(d);
    } while(all_d != 0);
}

void storeCtr
     (gptr g, int val,
      StCtr *ctr)
{
    AM(g.proc, store_h,
       g.addr, val, ctr);
    ctr->send += sizeof(int);
}

void store_h
     (int *a, int val, StCtr *c)
{
    *a = val;
    c->recv += sizeof(int);
}

StCtr stores = {0,0};
void store(gptr g, int val)
{
    storeCtr(g, val, &stores);
}
void store_sync(int num)
{
    store_syncCtr(&stores, num);
}
void all_store_sync(void)
{
    all_store_syncCtr(&stores);
}

/* ---- a program that uses them ---- */
#define N 500
int cell, inbox, table[N];

splitc_main()
{
    int i, next = (MYPROC + 1) % PROCS, before = (MYPROC + PROCS - 1) % PROCS, got[2] = {0, 0};
    gptr there = toGlobal(next, &cell), nowhere = toGlobal(PROCS - 1, 0);
    CHECK(toProc(there) == next && toLocal(there) == (void *)&cell && nowhere.proc == 0);
    cell = 100 + MYPROC;
    barrier();
    CHECK(read(there) == 100 + next);
    get(there, &got[0]);
    get(toGlobal(before, &cell), &got[1]);
    sync();
    CHECK(got[0] == 100 + next && got[1] == 100 + before && numSplit == 0);
    store(toGlobal(next, &inbox), 7 * MYPROC);
    store_sync(sizeof(int));
    CHECK(inbox == 7 * before);
    all_store_sync();
    for (i = 0; i < N; i++)
        store(toGlobal((MYPROC + i) % PROCS, &table[i]), i * PROCS + MYPROC);
    all_store_sync();
    for (i = 0; i < N; i++)
        CHECK(table[i] == i * PROCS + (MYPROC + PROCS - i % PROCS) % PROCS);
    barrier();
    return 0;
}
