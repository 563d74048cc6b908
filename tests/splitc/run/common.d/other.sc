#include "common.h"
#include "../../check.h"
other()
{
    int next = (MYPROC + 1) % PROCS, was = n;
    CHECK(times[2] == 0.5 && n == 3 + MYPROC && *first == 3);
    CHECK(cells[next].value == 3 + next && cells[next].owner == next);
    CHECK(table[next][3] == 10 * next + 3);
    CHECK(square[PROCS * PROCS - 1] == PROCS * PROCS - 1 && ends[PROCS - 1] == PROCS - 1);
    n = 100 + MYPROC;
    barrier();
    cells[next].value = -1;
    return was;
}
