/* A pragma before a loop stays before it. */
#include <split-c/split-c.h>
#include <split-c/control.h>

static int a[64 * PROCS]::, sum;

int splitc_main(int argc, char **argv) {
    int i;
#pragma GCC ivdep
    for (i = MYPROC; i < 64 * PROCS; i += PROCS)
        a[i] = i;
    barrier();
#pragma GCC unroll 4
    for (i = 0; i < 64; i++)
        sum += a[i];
#pragma GCC ivdep
    for (i = 0; i < 64; i++)
        a[i] :- i;
    all_store_sync();
    return sum != 63 * 32;
}
