// Pointers-to-shared of other types and block sizes are converted as by a cast, with a warning.
//: clause 6.4.3 p1
#include <upc.h>
shared int *cyclic;
shared[4] int *four;
shared double *number;
shared int **a;
shared[] int **b;
int f(void) {
    cyclic = four;   //~ WARNING U0618
    number = cyclic; //~ WARNING U0618
    four = (shared[4] int *)cyclic;
    if (a == b) //~ WARNING U0627
        return 1;
    return a == 0;
}
