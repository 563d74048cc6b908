// More initialisers than a spread array has elements with any number of processors. If PROCS is a factor,
// start-up finds the excess; the length of an automatic one depends on the number of processors.
//: clause array 8
//: mode dynamic
#include <split-c/split-c.h>

int cyclic[PROCS]:: = {1, 2, 3};
int blocks[3]::[2] = {{1, 2, 3}, {4, 5}};      //~ WARNING C0214: leave it out

int splitc_main(void) {
    int mine[PROCS]:: = {MYPROC, MYPROC, MYPROC};
    return mine[MYPROC] < 0;
}
