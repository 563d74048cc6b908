// The barrier at the end matches none of the program's: a thread that returns while others are at a barrier
// is reported, and nobody hangs.
//: clause 6.6.1 p9
//: threads 3
//: expect-err barrier
#include <upc.h>
int main(void) {
    if (MYTHREAD == 1)
        return 0;
    upc_barrier 1;
    return 0;
}
