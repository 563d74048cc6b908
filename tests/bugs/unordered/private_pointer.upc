// running finds: 8: data race on part[
#include <upc_relaxed.h>
#include <stdio.h>
shared [4] double part[4 * THREADS];
int main(void) {
    double *mine = (double *)&part[4 * MYTHREAD];
    for (int i = 0; i < 4; i++)
        mine[i] += 1.5;
    double other = part[4 * ((MYTHREAD + 1) % THREADS)];
    upc_barrier;
    return other < 0;
}
