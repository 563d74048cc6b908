//: clause array 8
//: mode dynamic
//: threads 3 4 8
/* Initialisers that go beyond one processor's elements. */
#include <split-c/split-c.h>

#include "../check.h"

int table[PROCS]::[2] = {{1, 2}, {3, 4}, {5}};
int line[2 * PROCS]:: = {3, 4, [4] = 5, 6};

splitc_main() {
    for (int i = 0; i < PROCS; i++) {
        CHECK(table[i][0] == (i < 3 ? 2 * i + 1 : 0));
        CHECK(table[i][1] == (i < 2 ? 2 * i + 2 : 0));
    }
    for (int i = 0; i < 2 * PROCS; i++)
        CHECK(line[i] == (i < 2 ? i + 3 : i == 4 || i == 5 ? i + 1 : 0));
    return 0;
}
