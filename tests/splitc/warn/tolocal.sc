//: clause space 2
// `tolocal' of an element where a pointer to it is meant, as old programs have it.
#include <split-c/split-c.h>
int *kept;
int splitc_main(void) {
    int *spread blocks = all_spread_malloc(PROCS, 40);
    kept = tolocal(blocks[MYPROC]); //~ WARNING S0705: is an integer
    kept = tolocal(blocks + MYPROC);
    return tolocal(1L << 40) == 0; //~ WARNING S0705: is an integer
}
