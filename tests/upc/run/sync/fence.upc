// upc_fence alone as a statement, and between relaxed accesses as the message pattern needs.
//: clause 6.6.1 p5
//: clause B.5 sync
#include <upc_relaxed.h>
#include "../../check.h"

shared int data[THREADS];
strict shared int ready[THREADS];

int main(void) {
    upc_fence;
    for (int r = 1; r <= 50; r++) {
        data[MYTHREAD] = 3 * r;
        upc_fence;
        ready[MYTHREAD] = r;
        int left = (MYTHREAD + THREADS - 1) % THREADS;
        while (ready[left] < r)
            ;
        upc_fence;
        CHECK(data[left] >= 3 * r);
        upc_barrier;
    }
    if (1)
        upc_fence;
    return 0;
}
