// A bitwise reduction of a floating type.
//: expect-err bupc_allv_reduce_all: operation
#include <upc.h>
#include <bupc_extensions.h>

int main(void) {
    bupc_allv_reduce_all(double, 1.0, UPC_XOR);
    return 0;
}
