//: clause space 2
// `tolocal' of an element in the place of a pointer to it, as in old programs.
#include <split-c/split-c.h>
int *kept;
int splitc_main(void) {
    int *spread blocks = all_spread_malloc(PROCS, 40);
    kept = tolocal(blocks[MYPROC]); //~ WARNING S0705: is an integer
    kept = tolocal(blocks + MYPROC);
    return tolocal(1L << 40) == 0; //~ WARNING S0705: is an integer
}
