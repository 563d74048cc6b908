//: cc gcc
/* The address of a nested function (GNU C) is the address of code on the stack. */
#include <split-c/split-c.h>
#include <stdlib.h>
#include "../check.h"

static int apply(int (*f)(int), int x) { return f(x); }

int splitc_main(void)
{
    int by = MYPROC + 10, calls = 0, values[5] = {3, 1, 4, 1, 5};
    int add(int x) { calls++; return x + by; }
    int falling(const void *a, const void *b) { calls++; return *(const int *)b - *(const int *)a; }

    CHECK(apply(add, 5) == MYPROC + 15);
    by = 1;
    CHECK(apply(add, 5) == 6);
    CHECK(calls == 2);
    qsort(values, 5, sizeof values[0], falling);
    CHECK(values[0] == 5 && values[1] == 4 && values[2] == 3 && values[4] == 1);
    CHECK(calls > 2);
    barrier();
    return 0;
}
