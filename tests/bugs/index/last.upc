// A loop runs one iteration too far.
// finds: 12: index `i` reaches 10 * THREADS
#include <upc.h>

#define N 10

shared int a[N * THREADS];

int main(void) {
    if (MYTHREAD == 0)
        for (int i = 0; i <= N * THREADS; i++)
            a[i] = i;
    return 0;
}
