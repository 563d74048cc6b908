// Flags that differ between threads are named as they are written.
//: clause 7.4 p3
//: threads 2 4
//: env MERIDIAN_CHECK=1
//: expect-err upc_all_exchange: the threads' arguments differ: flags is UPC_IN_NOSYNC | UPC_OUT_MYSYNC on thread 0
//: expect-err but UPC_IN_ALLSYNC | UPC_OUT_MYSYNC on thread
#include <upc.h>
#include <upc_collective.h>
shared[16] char dst[16 * THREADS], src[16 * THREADS];
int main(void) {
    upc_all_exchange(dst, src, 1, (MYTHREAD ? UPC_IN_ALLSYNC : UPC_IN_NOSYNC) | UPC_OUT_MYSYNC);
    return 0;
}
