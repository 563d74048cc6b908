// A processor reads its neighbour's element at once. Repaired.
#include <split-c/split-c.h>
#include <stdio.h>

int heights[PROCS]::;

int splitc_main(void) {
    heights[MYPROC] = MYPROC;
    barrier();
    printf("%d\n", heights[(MYPROC + 1) % PROCS]);
    return 0;
}
