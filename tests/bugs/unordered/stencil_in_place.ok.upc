#include <upc_relaxed.h>
#include <stdio.h>
shared double heat[32 * THREADS], next[32 * THREADS];
int main(void) {
    int i;
    upc_forall (i = 0; i < 32 * THREADS; i++; &heat[i])
        heat[i] = i;
    upc_barrier;
    upc_forall (i = 1; i < 32 * THREADS - 1; i++; &heat[i])
        next[i] = (heat[i - 1] + heat[i + 1]) / 2;
    upc_barrier;
    upc_forall (i = 1; i < 32 * THREADS - 1; i++; &heat[i])
        heat[i] = next[i];
    upc_barrier;
    return heat[0] > 1;
}
