// Processors that wait in different calls.
// finds: 10: threads that reach `barrier` meet others in `all_store_sync`
#include <split-c/split-c.h>

int counts[PROCS]::;

int splitc_main(void) {
    counts[(MYPROC + 1) % PROCS] :- MYPROC;
    if (MYPROC == 0)
        barrier();
    else
        all_store_sync();
    return counts[MYPROC] == PROCS;
}
