#include <upc_relaxed.h>
#include <stdio.h>
shared [4] double part[4 * THREADS];
int main(void) {
    double *mine = (double *)&part[4 * MYTHREAD];
    for (int i = 0; i < 4; i++)
        mine[i] += 1.5;
    upc_barrier;
    double other = part[4 * ((MYTHREAD + 1) % THREADS)];
    return other < 0;
}
