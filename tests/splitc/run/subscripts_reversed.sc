/* `i[a]` is `a[i]`: of global pointers and spread arrays, read, written, changed and moved in split phase. */
#include <split-c/split-c.h>
#include <stdio.h>
#include <stdlib.h>

int table[2 * PROCS]::[3];
int own[4];

static void is(long found, long wanted, int line) {
    if (found != wanted) {
        printf("line %d: %ld, not %ld\n", line, found, wanted);
        exit(1);
    }
}

splitc_main() {
    int *global g = toglobal(PROCS - 1, own);
    int value, other;
    if (MYPROC == 0) {
        2[g] = 5;
        2[g] += 3;
        ++2[g];
        is(2[g], 9, __LINE__);
        is(*(g + 2), 9, __LINE__);
        3[g] := 11;
        sync();
        value := 3[g];
        sync();
        is(value, 11, __LINE__);
        1[1[table]] = 7;
        1[1[table]] *= 2;
        is(table[1][1], 14, __LINE__);
        2[table[1]] := 15;
        sync();
        other := 2[1[table]];
        sync();
        is(other, 15, __LINE__);
    }
    barrier();
    return 0;
}
