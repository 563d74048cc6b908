/* Members of unions by global and spread pointers: a read by one member sees a write by another, although
 * the C compiler may assume that different types differ. */
#include <split-c/split-c.h>
#include <stdio.h>
#include <stdlib.h>

union word {
    int whole;
    float real;
    struct {
        short low, high;
    } half;
};
union word words[PROCS]::;

static void is(long found, long wanted, int line) {
    if (found != wanted) {
        printf("line %d: %ld, not %ld\n", line, found, wanted);
        exit(1);
    }
}

static void one(union word *global p) {
    p->whole = 0x00020001;
    p->half.high++;
    p->whole -= 1;
    is(p->whole, 0x00030000, __LINE__);
    p->half.low = 7;
    is(p->whole, 0x00030007, __LINE__);
    p->real = 1;
    is(p->whole, 0x3f800000, __LINE__);
    p->half.high := 0x4000;
    sync();
    is(p->real == 2, 1, __LINE__);
}

splitc_main() {
    union word own = {0};
    one(toglobal(MYPROC, &own));
    barrier();
    one(toglobal((MYPROC + 1) % PROCS, &own));
    barrier();
    words[MYPROC].whole = 5;
    words[MYPROC].half.low++;
    is(words[MYPROC].whole, 6, __LINE__);
    one((union word *global)&words[MYPROC]);
    barrier();
}
