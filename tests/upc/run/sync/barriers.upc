// Nobody passes a barrier before all have come, over many rounds; writes before it are seen after it.
//: clause 6.6.1 p1
//: clause 6.6.1 p4
//: clause 6.6.1 p6
//: clause 6.6.1 p8
#include "../../check.h"

shared int round_of[THREADS];
shared[] int data[64];

int main(void) {
    for (int r = 1; r <= 200; r++) {
        round_of[MYTHREAD] = r;
        if (MYTHREAD == r % THREADS)
            data[r % 64] = r;
        upc_barrier;
        for (int t = 0; t < THREADS; t++)
            CHECK_EQ(round_of[t], r);
        CHECK_EQ(data[r % 64], r);
        upc_barrier r;
    }
    return 0;
}
