// A size that differs between threads: the message has the call, the argument, both values and both lines.
//: clause 7.4 p3
//: threads 2 4 8
//: env MERIDIAN_CHECK=1
//: expect-err upc_all_broadcast: the threads' arguments differ: nbytes is 8 on thread 0
//: expect-err nbytes.upc:15)
//: expect-err but 16 on thread
//: expect-err nbytes.upc:17)
#include <upc.h>
#include <upc_collective.h>
shared[16] char dst[16 * THREADS], src[16 * THREADS];
int main(void) {
    upc_all_broadcast(dst, src, 4, 0);
    if (MYTHREAD == 0)
        upc_all_broadcast(dst, src, 8, 0);
    else
        upc_all_broadcast(dst, src, 16, 0);
    return 0;
}
