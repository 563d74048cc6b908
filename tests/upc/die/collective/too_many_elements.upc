// A negative number of elements, with which a reduction would not end, is reported.
//: threads 1 3
//: expect-err upc_all_reduceI: nelems is 18446744073709551612 (a negative number), more than there is
//: expect-err too_many_elements.upc:12
#include <upc.h>
#include <upc_collective.h>

shared int a[THREADS], sum;

int main(int argc, char **argv) {
    (void)argv;
    upc_all_reduceI(&sum, a, UPC_ADD, (size_t)(argc - 5), 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    return 0;
}
