//: clause space 2
//: clause arithmetic 1
//: clause arithmetic 2
//: clause counter 1
//: clause counter 2
//: clause counter 3
/* The names of the figures from the library; figure 6-2. */
#include <split-c/split-c.h>
#include <split-c/gptr.h>
#include <stdlib.h>
#include "../check.h"
int cell[3], inbox[PROCS]::;
StCtr stores;

splitc_main()
{
    int i, next = (MYPROC + 1) % PROCS, before = (MYPROC + PROCS - 1) % PROCS, got[2];
    Ctr ctr = 0;
    gptr there = toGlobal(next, &cell[0]);
    int *global g = toGlobal(PROCS - 1, cell);
    int *spread s = (int *spread)toGlobal(PROCS - 1, cell);
    CHECK(toProc(there) == next && toLocal(there) == (void *)cell && toGlobal(PROCS - 1, 0) == 0);
    CHECK(toProc(g + 1) == PROCS - 1 && toLocal(g + 1) == (void *)&cell[1]);
    CHECK(toProc(s + 1) == 0 && toLocal(s + 1) == (void *)&cell[1]);
    CHECK(PROCS == 1 || toProc(s - 1) == PROCS - 2 && toLocal(s - 1) == (void *)&cell[0]);
    cell[0] = 100 + MYPROC;
    barrier();
    getCtr(there, &got[0], &ctr);
    getCtr(toGlobal(before, cell), &got[1], &ctr);
    syncCtr(&ctr);
    CHECK(got[0] == 100 + next && got[1] == 100 + before);
    putCtr(toGlobal(next, &cell[2]), MYPROC, &ctr);
    syncCtr(&ctr);
    barrier();
    CHECK(cell[2] == before);
    storeCtr(toGlobal(next, &cell[1]), 7 * MYPROC, &stores);
    store_syncCtr(&stores, sizeof(int));
    CHECK(cell[1] == 7 * before);
    barrier();
    for (i = 0; i < PROCS; i++)
        storeCtr(&inbox[i], 9 * i, &stores);
    all_store_syncCtr(&stores);
    CHECK(inbox[MYPROC] == 9 * MYPROC);
    barrier();
    return 0;
}
