// A loop that waits for a relaxed variable with a fence in it ends: the fence makes the loop read again.
//: clause 6.6.1 p5
//: threads 2 3
#include <upc_relaxed.h>
#include "../../check.h"

shared int go;

int main(void) {
    if (MYTHREAD == THREADS - 1) {
        go = 1;
        upc_fence;
    } else {
        while (!go)
            upc_fence;
    }
    CHECK_EQ(go, 1);
    return 0;
}
