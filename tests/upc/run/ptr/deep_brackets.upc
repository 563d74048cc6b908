// Deep nesting of shared accesses, which the C of a shared access makes deeper: by default clang
// refuses more than 256 nested brackets.
//: clause 6.5.1.1 p6
#include "../../check.h"

#define TEN(x) p[p[p[p[p[p[p[p[p[p[x]]]]]]]]]]
#define COMMAS y, y, y, y, y, y, y, y, y, y
#define MORE COMMAS, COMMAS, COMMAS, COMMAS, COMMAS, COMMAS

shared[] int next[10];
shared int y;

int main(void) {
    shared[] int *p = next;
    if (MYTHREAD == 0)
        for (int i = 0; i < 10; i++)
            next[i] = (i + 3) % 10;
    upc_barrier;
    CHECK_EQ(TEN(TEN(TEN(TEN(TEN(TEN(4)))))), (4 + 3 * 60) % 10);
    CHECK_EQ((MORE, MORE, MORE, MORE, MORE, MORE, MORE, y), 0);
    return 0;
}
