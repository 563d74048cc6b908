/* The number of threads that OpenMP starts in each thread. */
#include <omp.h>
#include <stdio.h>
#include <upc.h>

int main(void) {
    int started = 0;
#pragma omp parallel reduction(+ : started)
    started++;
    printf("thread %d: %d of %d\n", MYTHREAD, started, omp_get_max_threads());
    return 0;
}
