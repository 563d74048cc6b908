// A failed assertion is reported with the program's line, not the C library's.
//: flags -g -O2
//: threads 1 3
//: expect-err SIGABRT
//: expect-err in check,
//: expect-err assert_line.upc:12
#include <assert.h>
#include <upc.h>
shared int seen[THREADS];
__attribute__((noinline)) static void check(int t) {
    /* The array is zero. */
    assert(seen[t] != 0);
}
int main(void) {
    if (MYTHREAD == THREADS - 1)
        check(0);
    upc_barrier;
    return 0;
}
