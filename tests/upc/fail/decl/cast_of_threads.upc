// In the dynamic environment a dimension may be THREADS alone, or times a constant; a cast is neither.
//: clause 6.5.2.1 p2
//: mode dynamic
#include <upc.h>
shared int one[(int)THREADS];       //~ ERROR U0609
shared int two[2 * (int)THREADS];   //~ ERROR U0609
shared int three[(int)(THREADS * 2)]; //~ ERROR U0609
int f(shared int *p) {
    return upc_blocksizeof(shared void); //~ ERROR C0208
}
