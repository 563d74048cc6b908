#include "three.h"
#include <stdio.h>

int c_main(int thread) {
    const int n = 1000;
    if (!upc_allocate(n))
        return 1;
    splitc_fill(upc_numbers(), n);
    long sum = ac_walk(upc_numbers(), n);
    if (sum != 3L * n * (n - 1) / 2 + 7L * n || !upc_ends()) {
        printf("thread %d: the sum is %ld\n", thread, sum);
        return 1;
    }
    return 0;
}
