// Processors that wait in different calls. Repaired.
#include <split-c/split-c.h>

int counts[PROCS]::;

int splitc_main(void) {
    counts[(MYPROC + 1) % PROCS] :- MYPROC;
    all_store_sync();
    return counts[MYPROC] == PROCS;
}
