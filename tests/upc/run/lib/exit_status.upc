// exit with a status on every thread: the job's status is that.
//: clause 5.1.2.2 p1
//: exit 3
#include <stdlib.h>
#include <upc.h>
int main(void) {
    upc_barrier;
    exit(3);
}
