// abort on one thread while the others wait.
//: threads 3
//: expect-err thread 2
//: expect-err SIGABRT
#include <stdlib.h>
#include <upc.h>
int main(void) {
    if (MYTHREAD == 2)
        abort();
    upc_barrier;
    return 0;
}
