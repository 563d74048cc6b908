// Block sizes are integer constants, not negative, not over the maximum, and not larger than the maximum
// through [*].
//: clause 6.3.3 p1
//: clause 6.5.1.1 p3
//: clause 6.5.1.1 p11
#include <upc.h>
int n = 3;
shared[-1] int *a;                        //~ ERROR U0605
shared[UPC_MAX_BLOCK_SIZE + 1] char *b;   //~ ERROR U0605
shared[UPC_MAX_BLOCK_SIZE] char *fine;
shared[n] int *c;                         //~ ERROR U0605
shared[2.5] int *d;                       //~ ERROR U0605
shared[sizeof(int)] int *fine_too;
shared["x"] int *e;                       //~ ERROR U0605
