//: clause array 7
/* Initialised automatic spread objects: each element has the value that its owner computes. */
#include <split-c/split-c.h>
#include <split-c/control.h>
#include <stdio.h>
#include <stdlib.h>

#include "../check.h"

struct pair {
    int left;
    int *global right;
};
int target = 3;

void once(int n) {
    int a[PROCS]:: = {1, MYPROC, 3, MYPROC};
    int b[2 * n]::[3] = {{1, 2}, [2] = {7, 8, 9}};
    struct pair p[4]:: = {{5, (int *global)&target}, {.right = 0, .left = 6}};
    char text[]:: = "spread";
    int i;
    for (i = 0; i < PROCS; i++)
        CHECK(a[i] == (i == 0 ? 1 : i == 1 ? 1 : i == 2 ? 3 : i == 3 ? 3 : 0));
    CHECK(b[0][0] == 1 && b[0][2] == 0 && b[1][1] == 0 && b[2][2] == 9);
    CHECK(p[0].left == 5 && toproc(p[0].right) == 0 && *p[0].right == 3 && p[1].left == 6 && !p[1].right);
    CHECK(sizeof text == 7 && text[5] == 'd' && text[6] == 0);
    barrier();
    a[(MYPROC + 1) % PROCS] = -1;
    barrier();
}

splitc_main() {
    int round;
    for (round = 2; round < 5; round++)
        once(round);
    on_one printf("good\n");
}
