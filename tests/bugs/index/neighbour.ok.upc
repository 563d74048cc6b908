// The last thread has no right neighbour. Repaired.
#include <upc.h>

shared int a[THREADS];

int main(void) {
    a[(MYTHREAD + 1) % THREADS] = MYTHREAD;
    return 0;
}
