/* Constant spread arrays of blocks beside others, static and not. */
//: clause array 9
#include <split-c/split-c.h>
#include "../check.h"
static const int zeros[7]::[3], *global other;
int some[7]::[3];
const struct { int a, b[2]; } cells[PROCS]::[2];
splitc_main()
{
    int next = (MYPROC + 1) % PROCS;
    some[MYPROC % 7][1] = 4;
    CHECK(zeros[6][2] == 0 && cells[next][1].b[1] == 0);
    other = &zeros[3][0];
    barrier();
    CHECK(*other == 0 && some[0][1] == 4);
    barrier();
    return 0;
}
