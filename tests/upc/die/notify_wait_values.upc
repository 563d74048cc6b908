// A value at upc_wait that is not the one at upc_notify ends the program.
//: clause 6.6.1 p7
//: threads 1 2
//: expect-err notify_wait_values.upc
#include <upc.h>
int main(void) {
    upc_notify 3;
    upc_wait 4;
    return 0;
}
