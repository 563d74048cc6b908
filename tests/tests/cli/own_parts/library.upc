/* Loops over own elements of arrays of this file, static and external, and of the program's. */
#include <upc.h>
shared double far[7 * THREADS];
static shared double here[7 * THREADS], next[7 * THREADS];
static shared [4] double grid[THREADS][4];
extern shared int counts[5 * THREADS];

double library_sum(double by) {
    upc_forall (int i = 0; i < 7 * THREADS; i++; &here[i]) {
        here[i] = i * by;
        far[i] = 2 * i;
    }
    upc_barrier;
    upc_forall (int i = 1; i < 7 * THREADS - 1; i++; &next[i])
        next[i] = here[i - 1] + here[i] + far[i + 1];
    upc_forall (int i = 0; i < 5 * THREADS; i++; &counts[i])
        counts[i] += 3;
    for (int j = 0; j < 4; j++)
        grid[MYTHREAD][j] = MYTHREAD + j;
    upc_barrier;
    double sum = 0;
    for (int i = 1; i < 7 * THREADS - 1; i++)
        sum += next[i];
    for (int t = 0; t < THREADS; t++)
        for (int j = 0; j < 4; j++)
            sum += grid[t][j];
    return sum;
}
