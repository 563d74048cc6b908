// Operations that differ between threads are named.
//: clause 7.4 p3
//: threads 2 4 8
//: env MERIDIAN_CHECK=1
//: expect-err upc_all_reduceI: the threads' arguments differ: op is UPC_MIN on thread 0
//: expect-err but UPC_MAX on thread
//: expect-err op.upc:12)
#include <upc.h>
#include <upc_collective.h>
shared int result, terms[THREADS];
int main(void) {
    upc_all_reduceI(&result, terms, MYTHREAD ? UPC_MAX : UPC_MIN, THREADS, 1, NULL, 0);
    return 0;
}
