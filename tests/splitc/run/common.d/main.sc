/* Definitions without initialisers in a header that every file includes are one object each, spread arrays
 * too. */
//: clause program 6
//: clause array 4
#include "common.h"
#include "../../check.h"
int other();
splitc_main()
{
    int i;
    n = 3 + MYPROC;
    times[2] = 0.5;
    cells[MYPROC].value = n;
    cells[MYPROC].owner = MYPROC;
    for (i = 0; i < 4; i++)
        table[MYPROC][i] = 10 * MYPROC + i;
    for_my_1d(i, PROCS * PROCS)
        square[i] = i;
    ends = (int *spread)square;
    first = &cells[0].value;
    barrier();
    CHECK(other() == 3 + MYPROC);
    barrier();
    CHECK(cells[MYPROC].value == -1 && n == 100 + MYPROC);
    on_one { CHECK(times[2] == 0.5); }
    return 0;
}
