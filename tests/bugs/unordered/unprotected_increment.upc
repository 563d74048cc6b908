// running finds: 6: data race on total
#include <upc_relaxed.h>
#include <stdio.h>
shared int total;
int main(void) {
    total += MYTHREAD;
    upc_barrier;
    return total < 0;
}
