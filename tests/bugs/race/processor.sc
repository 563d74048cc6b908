// A processor reads its neighbour's element at once.
// finds: 10: `heights` is read, but other threads may not have written it yet
#include <split-c/split-c.h>
#include <stdio.h>

int heights[PROCS]::;

int splitc_main(void) {
    heights[MYPROC] = MYPROC;
    printf("%d\n", heights[(MYPROC + 1) % PROCS]);
    return 0;
}
