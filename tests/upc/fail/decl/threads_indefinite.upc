// No THREADS in an array of indefinite block size, in the dynamic environment.
//: clause 6.5.2.1 p3
//: mode dynamic
#include <upc.h>
shared[] int a[THREADS];          //~ ERROR U0609
shared[0] int b[4][2 * THREADS];  //~ ERROR U0609
shared[] int fine[12];
shared[] int (*p)[THREADS];       //~ ERROR U0609
