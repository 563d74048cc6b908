// Not more than one block size, directly or through typedefs.
//: clause 6.5 p3
//: clause 6.5.2 p6
//: mode static
#include <upc.h>
typedef shared[2] int two;
typedef shared int one;
typedef shared[] int none;
shared[3] shared[4] int a[12];       //~ ERROR U0604
shared[3] two b[12];                 //~ ERROR U0604
shared[] two c[12];                  //~ ERROR U0604
shared[5] none *d;                   //~ ERROR U0604
int *shared[3] shared[4] e;          //~ ERROR U0604
shared[2] two same[4];
shared one same_too[4];
