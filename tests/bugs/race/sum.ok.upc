// Each thread sums all parts before the others have written theirs. Repaired.
#include <stdio.h>
#include <upc.h>

shared int parts[THREADS];

int main(void) {
    int sum = 0;
    parts[MYTHREAD] = MYTHREAD + 1;
    upc_barrier;
    for (int i = 0; i < THREADS; i++)
        sum += parts[i];
    printf("%d\n", sum);
    return 0;
}
