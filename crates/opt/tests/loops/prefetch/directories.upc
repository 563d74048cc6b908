/* Writes and updates through directories of shared pointers: the pointer is read once, unless the loop may
 * write it. */
#include <upc_relaxed.h>
#include <stdio.h>
#define N 60
typedef shared [] long *row;
typedef struct { row at; int n; } part;
shared row dir[4 * THREADS];
shared part parts[THREADS];
strict shared row watched[THREADS];
row shared *moving;
long own[N];

int main(void) {
    int i, t = (MYTHREAD + 1) % THREADS;
    for (i = 0; i < 4; i++)
        dir[i * THREADS + MYTHREAD] = (row)upc_alloc(N * sizeof(long));
    parts[MYTHREAD].at = dir[MYTHREAD];
    parts[MYTHREAD].n = N;
    watched[MYTHREAD] = dir[THREADS + MYTHREAD];
    moving = &dir[2 * THREADS + t];
    upc_barrier;
    for (i = 0; i < N; i++) //> prefetch: once [dir]
        dir[t][i] = own[i] = 3 * i + t;
    for (i = 0; i < N; i += 2) //> prefetch: once [dir]
    {
        dir[THREADS + t][i] = i;
        dir[THREADS + t][i + 1] = -i;
    }
    upc_barrier;
    for (i = 0; i < parts[t].n; i++) //> prefetch: once [parts]
        parts[t].at[i] += i;
    for (i = 0; i < N; i++) //> prefetch: once [parts]
        parts[t].at[i] ^= own[i];
    for (i = 0; i < N; i++) //> not prefetch: the loop has strict
        watched[t][i] += 1;
    for (i = 0; i < N; i++) { //> not prefetch: each iteration reads the same object
        moving[0][i] = i;
        if (i == N / 2)
            moving[(i & 1) * THREADS] = dir[3 * THREADS + t];
    }
    for (i = 5000; i--;)
        dir[3 * THREADS + t][i % N] += i;
    for (i = 0; i < 9000; i++) //> prefetch: once [dir]
        dir[3 * THREADS + t][i % N] += i;
    upc_barrier;
    for (int k = 0; k < THREADS && MYTHREAD == 0; k++) {
        long sum = 0;
        for (i = 0; i < N; i++) //> prefetch: cached [dir dir dir dir], once [dir dir dir dir]
            sum += (dir[k][i] + 3 * dir[THREADS + k][i] + 5 * dir[2 * THREADS + k][i]) * (i % 5) + dir[3 * THREADS + k][i] % 9;
        printf("%d %ld\n", k, sum);
    }
    upc_barrier;
    return 0;
}
