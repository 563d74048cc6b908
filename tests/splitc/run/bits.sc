//: clause array 9
//: clause access 5
/* Bit-fields through global and spread pointers: read, written, updated, and by := and :-. */
#include <split-c/split-c.h>
#include <stdio.h>
#include <stdlib.h>
#include "../check.h"
struct bits { unsigned a : 3, b : 5; int c : 7; long d; } bb;
struct bits sb[PROCS]::;
struct nest { struct bits in[2]; int x; } nn;
struct nest ns[2*PROCS]::[3];
int init[PROCS]::;
splitc_main()
{
    struct bits *global g = toglobal((MYPROC + 1) % PROCS, &bb);
    struct bits *spread s = sb;
    struct nest *global ng = toglobal((MYPROC+1)%PROCS, &nn);
    int v;
    bb.a = 0; bb.b = 0; bb.c = 0;
    barrier();
    g->a = 5; g->b = 17; g->c = -3; g->d = 1L << 40;
    barrier();
    CHECK(bb.a == 5 && bb.b == 17 && bb.c == -3 && bb.d == 1L<<40);
    barrier();
    g->a++; g->b += 2; g->c--; --g->c;
    CHECK(g->a++ == 6); CHECK(++g->a == 0);
    barrier();
    CHECK(bb.a == 0 && bb.b == 19 && bb.c == -5);
    barrier();
    v := g->b; sync(); CHECK(v == 19);
    g->b := 3; g->c := v; sync(); barrier(); CHECK(bb.b == 3 && bb.c == 19);
    barrier();
    g->a :- 2; all_store_sync(); CHECK(bb.a == 2);
    barrier();
    bb.b := g->a; sync(); CHECK(bb.b == 2);
    s[MYPROC].a = 4; s[MYPROC].c = MYPROC; barrier();
    CHECK(s[(MYPROC+1)%PROCS].c == (MYPROC+1)%PROCS);
    barrier();
    ng->in[1].b = 9; ng->in[1].c := 4; sync(); barrier();
    CHECK(nn.in[1].b == 9 && nn.in[1].c == 4);
    ns[MYPROC][2].in[1].a = 3; barrier();
    CHECK(ns[(MYPROC+1)%PROCS][2].in[1].a == 3);
    (*g).a ^= 1;
    (*(g+0)).d |= 1;
    barrier();
    if (!MYPROC) printf("good\n");
}
