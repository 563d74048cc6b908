// A first homework: dot product and an integral for pi, partial sums in a shared array, the total by
// thread 0.
//: clause 6.6.2 p6
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <upc.h>

#define N 240 /* elements per thread */
#define STEPS 10000

shared double x[N * THREADS];
shared double y[N * THREADS];
shared double partial[THREADS];
shared double result;
shared int errors[THREADS];

double serial_dot(void) {
    double s = 0;
    int i;
    for (i = 0; i < N * THREADS; i++)
        s += (i % 7) * (double)(i % 5 - 2);
    return s;
}

int main(int argc, char *argv[]) {
    int i;
    double h = 1.0 / STEPS, sum = 0.0;

    upc_forall (i = 0; i < N * THREADS; i++; i) {
        x[i] = i % 7;
        y[i] = i % 5 - 2;
    }
    upc_barrier;

    partial[MYTHREAD] = 0;
    upc_forall (i = 0; i < N * THREADS; i++; &x[i])
        partial[MYTHREAD] += x[i] * y[i];
    upc_barrier 1;

    if (MYTHREAD == 0) {
        result = 0;
        for (i = 0; i < THREADS; i++)
            result += partial[i];
    }
    upc_barrier 2;
    if (result != serial_dot()) {
        printf("thread %d: dot is %g, not %g\n", MYTHREAD, result, serial_dot());
        errors[MYTHREAD]++;
    }
    upc_barrier;

    /* pi by the midpoint rule, the steps distributed in turn */
    for (i = MYTHREAD; i < STEPS; i += THREADS) {
        double at = h * (i + 0.5);
        sum += 4.0 / (1.0 + at * at);
    }
    partial[MYTHREAD] = h * sum;
    upc_barrier;
    sum = 0;
    for (i = 0; i < THREADS; ++i)
        sum += partial[i];
    if (fabs(sum - 3.14159265358979) > 1e-7) {
        printf("thread %d: pi is %.10f\n", MYTHREAD, sum);
        ++errors[MYTHREAD];
    }
    upc_barrier;
    int total = 0;
    for (i = 0; i < THREADS; i++)
        total += errors[i];
    return total ? EXIT_FAILURE : EXIT_SUCCESS;
}
