// A wait without a notify is an error at run time.
//: clause 6.6.1 p3
//: threads 1 3
//: expect-err upc_wait
#include <upc.h>
int main(void) {
    upc_wait;
    return 0;
}
