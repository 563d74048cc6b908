// A thread that exits while others wait at a barrier ends the job, with its status.
//: clause 6.6.1 p9
//: threads 2 4
//: exit 9
//: expect-err thread 0
#include <stdlib.h>
#include <unistd.h>
#include <upc.h>
int main(void) {
    if (MYTHREAD == 0)
        exit(9);
    upc_barrier;
    return 0;
}
