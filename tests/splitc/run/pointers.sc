//: clause program 1
//: clause program 2
//: clause space 2
//: clause space 3
//: clause space 4
//: clause arithmetic 1
//: clause arithmetic 2
//: clause arithmetic 3
//: clause arithmetic 4
//: clause arithmetic 5
//: args first second
// Global and spread pointers against a model: steps both ways, differences, order, casts, null.
#include <split-c/split-c.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../check.h"

typedef struct { int a; double b[2]; } item;
static item items[64];
static int *global nulls[8];

// floor(n / PROCS)
static long turns(long n) { return n >= 0 ? n / PROCS : -((-n + PROCS - 1) / PROCS); }

static void spread_steps(void) {
    for (int proc = 0; proc < PROCS; proc++) {
        item *spread p = (item *spread)toglobal(proc, &items[32]);
        for (long n = -20; n <= 20; n++) {
            item *spread q = p + n;
            long row = turns(proc + n);
            CHECK(toproc(q) == proc + n - row * PROCS);
            CHECK((item *)tolocal(q) == &items[32 + row]);
            CHECK(q - p == n && p - q == -n && q - n == p);
            CHECK((q < p) == (n < 0) && (q >= p) == (n >= 0) && (q == p) == (n == 0));
            item *spread step = p;
            for (long i = 0; i < n; i++)
                step++;
            for (long i = 0; i > n; i--)
                --step;
            CHECK(step == q);
            item *spread by = p;
            by += n;
            CHECK(by == q);
            by -= n;
            CHECK(by == p && &p[n] == q);
        }
    }
}

static void global_steps(void) {
    for (int proc = 0; proc < PROCS; proc++) {
        item *global p = toglobal(proc, &items[32]);
        for (long n = -20; n <= 20; n++) {
            item *global q = p + n;
            CHECK(toproc(q) == proc && (item *)tolocal(q) == &items[32 + n]);
            CHECK(q - p == n && (q < p) == (n < 0) && (q > p) == (n > 0));
            char *global c = (char *global)p + n;
            CHECK(c - (char *global)p == n && toproc(c) == proc);
        }
    }
}

static void blocks(void) {
    static int buffer[64][3];
    int (*spread p)[3] = (int (*spread)[3])toglobal(1 % PROCS, &buffer[32]);
    for (long n = -9; n <= 9; n++) {
        int (*spread q)[3] = p + n;
        long row = turns(1 % PROCS + n);
        CHECK((int *)tolocal(q) == buffer[32 + row] && q - p == n);
        CHECK(toproc(*q) == toproc(q) && toproc(&(*q)[2]) == toproc(q));
    }
}

static void casts(void) {
    int x = 4;
    int *global g = (int *global)&x;
    int *spread s = (int *spread)g;
    CHECK(toproc(g) == MYPROC && (int *)g == &x && (int *)s == &x && toproc(s) == MYPROC);
    CHECK((int *global)s == g);
    void *global v = g;
    CHECK((int *global)v == g);
    nulls[MYPROC % 8] = (int *global)(int *)0;
    barrier();
    int *global *global from = toglobal((MYPROC + 1) % PROCS, &nulls[(MYPROC + 1) % PROCS % 8]);
    CHECK(!*from && *from == 0 && *from == (int *global)0 && (int *)*from == 0);
    barrier();
}

int splitc_main(int argc, char **argv) {
    CHECK(argc == 3 && !strcmp(argv[1], "first") && !strcmp(argv[2], "second"));
    CHECK(MYPROC >= 0 && MYPROC < PROCS && all_reduce_to_all_add(1 << MYPROC) == (1 << PROCS) - 1);
    spread_steps();
    global_steps();
    blocks();
    casts();
    return 0;
}
