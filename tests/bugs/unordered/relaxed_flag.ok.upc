#include <upc_relaxed.h>
#include <stdio.h>
shared int data;
strict shared int ready;
int main(void) {
    int got = 7;
    if (MYTHREAD == 0) {
        data = 7;
        ready = 1;
    } else {
        while (!ready)
            ;
        got = data;
    }
    upc_barrier;
    return got != 7;
}
