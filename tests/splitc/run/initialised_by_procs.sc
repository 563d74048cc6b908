//: clause array 8
/* Spread arrays whose length is a multiple of PROCS, with initialisers. */
#include <split-c/split-c.h>

#include "../check.h"

int table[PROCS]::[2] = {{1, 2}};
int line[2 * PROCS]:: = {3, 4, [1] = 5};
static double none[PROCS]:: = {0};

splitc_main() {
    CHECK(table[0][0] == 1);
    CHECK(table[0][1] == 2);
    CHECK(line[0] == 3);
    CHECK(line[1] == 5);
    CHECK(none[PROCS - 1] == 0);
    for (int i = 1; i < PROCS; i++) CHECK(table[i][1] == 0);
    return 0;
}
