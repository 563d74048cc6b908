// A destination that differs between threads.
//: clause 7.4 p3
//: threads 2 4 8
//: env MERIDIAN_CHECK=1
//: expect-err upc_all_gather_all: the threads' arguments differ: dst is (thread 0, address 0x
//: expect-err pointer.upc:11)
#include <upc.h>
#include <upc_collective.h>
shared[16] char dst[16 * THREADS], src[16 * THREADS];
int main(void) {
    upc_all_gather_all(dst + MYTHREAD, src, 1, UPC_IN_MYSYNC | UPC_OUT_NOSYNC);
    return 0;
}
