// A shared object may be accessed by its effective type through either kind of pointer.
//: clause 6.5.1.1 p15
#include "../../check.h"

shared[10] int A[10 * THREADS];

int main(void) {
    if (MYTHREAD == 0) {
        A[0] = 12;
        CHECK_EQ(*(int *)&(A[0]), 12);
        CHECK_EQ(*(shared[] int *)&(A[0]), 12);
        *(int *)&A[1] = 13;
        CHECK_EQ(A[1], 13);
        *(shared[] unsigned *)&A[1] = 14u;
        CHECK_EQ(A[1], 14);
    }
    shared[] unsigned char *bytes = (shared[] unsigned char *)&A[10 * MYTHREAD];
    A[10 * MYTHREAD] = 0x01020304;
    int sum = 0;
    for (int i = 0; i < 4; i++)
        sum += bytes[i];
    CHECK_EQ(sum, 10);
    return 0;
}
