/* A loop that starts beyond a variable and goes away from it writes other rows than that variable's. */
#include <stdio.h>
#include <upc_relaxed.h>
#define N 12
shared [N] double m[N * THREADS][N];
shared int a[40 * THREADS];
shared struct { int x[2]; } s[40 * THREADS];

static void eliminate(void) {
    for (int k = 0; k < N - 1; k++) {
        upc_forall (int i = k + 1; i < N * THREADS; i++; &m[i][0]) { //> prefetch: once [m]
            double r = m[i][k] / (m[k][k] + 5);
            for (int j = k + 1; j < N; j++) //> prefetch: cached [m]
                m[i][j] -= r * m[k][j];
            m[i][k] = r;
        }
        upc_barrier;
    }
}

static int sums(int from) {
    int k = from, sum = 0;
    for (int i = k + 2; i < 40 * THREADS; i++) //> prefetch: once [a]
        a[i] += a[k + 1] + i;
    for (int i = k + 1; i < 40 * THREADS; i++) //> prefetch: cached [a]
        a[i] = a[i] % 50 + a[k + 1];
    for (int i = k - 1; i >= 0; i--) { //> prefetch: cached [a], once [a s]
        a[i] = (a[i] * 3 + a[k]) % 1000;
        s[i].x[1] = s[k].x[1] + 1;
    }
    for (int i = k - 1; i >= 0; i--) //> prefetch: cached [a]
        a[i + 1] = (a[i + 1] + a[k]) % 77;
    for (int i = k; i < 40 * THREADS; i++) //> not prefetch: each iteration reads the same object
        a[i - 1] += a[k] + i;
    for (int i = k + 1; i < 40 * THREADS; i++) { //> prefetch: cached [a]
        a[i] = (a[i] + a[k]) % 91;
        k += i % 3;
    }
    for (int i = 3; i < 40 * THREADS; i++) //> prefetch: cached [a]
        a[i] = (a[i] + a[from]) % 17;
    for (int i = 0; i < 40 * THREADS; i++) //> prefetch: [s], cached [a]
        sum = sum * 3 + a[i] + s[i].x[1];
    return sum;
}

int main(void) {
    upc_forall (int i = 0; i < N * THREADS; i++; &m[i][0])
        for (int j = 0; j < N; j++)
            m[i][j] = (i * 31 + j * 17) % 29;
    upc_forall (int i = 0; i < 40 * THREADS; i++; &a[i]) {
        a[i] = i * 7 % 31;
        s[i].x[1] = i;
    }
    upc_barrier;
    eliminate();
    int sum = MYTHREAD == THREADS - 1 ? sums(5) + sums(20) : 0;
    upc_barrier;
    double h = 0;
    for (int i = 0; i < N * THREADS; i++)
        for (int j = 0; j < N; j++) //> prefetch: cached [m]
            h = h * 0.5 + m[i][j];
    printf("%d: %d %.9g\n", MYTHREAD, sum, h);
    return 0;
}
