/* Loops over own elements of arrays of this file and of a library's, which has loops over this file's. */
#include <stdio.h>
#include <upc.h>
shared int counts[5 * THREADS];
static shared int squares[3 * THREADS];
extern shared double far[7 * THREADS];
double library_sum(double by);

int main(void) {
    upc_forall (int i = 0; i < 5 * THREADS; i++; &counts[i])
        counts[i] = i;
    upc_forall (int i = 0; i < 3 * THREADS; i++; &squares[i])
        squares[i] = i * i;
    upc_barrier;
    double sum = library_sum(3), want = 0, left = 0;
    int n = 7 * THREADS;
    for (int i = 1; i < n - 1; i++)
        want += 3.0 * (i - 1) + 3.0 * i + 2.0 * (i + 1);
    for (int t = 0; t < THREADS; t++)
        want += 4 * t + 6;
    upc_forall (int i = 0; i < n; i++; &far[i])
        left += far[i];
    for (int i = MYTHREAD; i < n; i += THREADS)
        left -= 2 * i;
    int bad = sum != want || left != 0;
    for (int i = 0; i < 5 * THREADS; i++)
        bad |= counts[i] != i + 3;
    for (int i = 0; i < 3 * THREADS; i++)
        bad |= squares[i] != i * i;
    upc_barrier;
    if (bad)
        printf("thread %d of %d: %g instead of %g, %g left\n", MYTHREAD, THREADS, sum, want, left);
    return bad;
}
