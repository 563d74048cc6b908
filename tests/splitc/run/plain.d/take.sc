/* Takes pointers from plain C, keeps them in memory that all can read, and follows another processor's. */
#include "plain.h"

int *global heaps[PROCS]::, *global stacks[PROCS]::;

void give(void *global heap, void *global stack) {
    heaps[MYPROC] = (int *global)heap;
    stacks[MYPROC] = (int *global)stack;
}

int heap_of(int proc) {
    CHECK(*stacks[proc] == 3 * proc);
    return *heaps[proc];
}
