// Loops that read a neighbour under a condition: the first neighbour lies before the array, or after it.
#include <split-c/split-c.h>
#include "../check.h"
#define N 11
double a[N * PROCS]::, b[N * PROCS]::;
int k[N * PROCS]::;

int splitc_main() {
    int i, j, n = N * PROCS, wrong = 0;
    long sum = 0;
    for_my_1d(i, n) {
        a[i] = i + 1;
        k[i] = i % 5;
    }
    barrier();
    for (i = MYPROC; i < n; i += PROCS)
        b[i] = (i < 1 ? -1 : a[i - 1]) + (i > 1 ? a[i - 2] : 0) + (i + 1 < n ? a[i + 1] : 0);
    barrier();
    for (i = 0; i < n; i++)
        wrong += b[i] != (i < 1 ? -1 : i) + (i > 1 ? i - 1 : 0) + (i + 1 < n ? i + 2 : 0);
    CHECK(wrong == 0);
    for (i = 0; i < n; i++)
        sum += i < 3 ? 100 : k[i - 3];
    for (i = 3, j = 300; i < n; i++)
        j += (i - 3) % 5;
    CHECK(sum == j);
    sum = 0;
    for (i = -2; i < n; i++)            /* the variable itself begins before the array */
        if (i >= 0)
            sum += k[i];
    for (i = 0, j = 0; i < n; i++)
        j += i % 5;
    CHECK(sum == j);
    return 0;
}
