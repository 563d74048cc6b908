// Indices outside the array for every number of threads.
#include <upc_relaxed.h>
shared int a[10 * THREADS];
shared int m[THREADS][4];
int main(void) {
    shared int *end = &a[10 * THREADS];
    a[-1] = 2; //~ WARNING U0630
    a[10 * THREADS] = 3; //~ WARNING U0630
    a[2 + THREADS * 12 - THREADS] = 4; //~ WARNING U0630
    a[10 * THREADS - 1] = 5;
    a[9 * THREADS + 1] = 6;
    a[THREADS - 1] = 7;
    m[THREADS][0] = 8; //~ WARNING U0630
    m[0][4] = 9; //~ WARNING U0630
    return end == 0;
}
