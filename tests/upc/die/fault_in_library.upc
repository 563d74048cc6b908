// A fault within the C library is reported with the program's call.
//: flags -g -O1
//: threads 1 2
//: expect-err SIGSEGV
//: expect-err in measure,
//: expect-err fault_in_library.upc:12
#include <stdio.h>
#include <string.h>
#include <upc.h>
__attribute__((noinline)) static size_t measure(const char *volatile text) {
    /* strlen reads through the pointer. */
    return strlen(text) + 1;
}
int main(void) {
    if (MYTHREAD == THREADS - 1)
        printf("%zu\n", measure((char *)48));
    upc_barrier;
    return 0;
}
