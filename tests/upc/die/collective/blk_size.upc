// Block sizes that differ between threads.
//: clause 7.4 p3
//: threads 2 4 8
//: env MERIDIAN_CHECK=1
//: expect-err upc_all_prefix_reduceD: the threads' arguments differ: blk_size is 1 on thread 0
//: expect-err but 2 on thread
#include <upc.h>
#include <upc_collective.h>
shared double sums[2 * THREADS], terms[2 * THREADS];
int main(void) {
    upc_all_prefix_reduceD(sums, terms, UPC_ADD, THREADS, 1 + !!MYTHREAD, NULL, 0);
    return 0;
}
