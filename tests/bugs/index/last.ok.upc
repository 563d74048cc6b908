// A loop runs one iteration too far. Repaired.
#include <upc.h>

#define N 10

shared int a[N * THREADS];

int main(void) {
    if (MYTHREAD == 0)
        for (int i = 0; i < N * THREADS; i++)
            a[i] = i;
    return 0;
}
