// running finds: 7: data race on byte
#include <upc_relaxed.h>
#include <stdio.h>
shared [] int *shared rows[THREADS];
static void fill(int t, int value) {
    for (int i = 0; i < 8; i++)
        rows[t][i] = value;
}
static void work(void) { fill((MYTHREAD + 1) % THREADS, 1); }
int main(void) {
    rows[MYTHREAD] = upc_alloc(8 * sizeof(int));
    upc_barrier;
    work();
    fill(MYTHREAD, 2);
    upc_barrier;
    return rows[MYTHREAD][0] == 3;
}
