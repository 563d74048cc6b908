/* A condition on the last reads in advance: after it only own elements are read. */
#include <stdio.h>
#include <upc_relaxed.h>
#define R 4
#define P 4
#define C 33

shared [R * P * C] long own[R * THREADS][P][C];
shared [P * C] double far[R * THREADS][P][C];

static void step(int n) {
    int i;
    upc_forall (i = 2; i < n - 2; i++; &own[i][0][0]) {
        for (int k = 1; k < P - 1; k++) //> prefetch: stages [own], [far], with notes of written objects
            for (int j = 1; j < C - 1 && j < i; j++) { //> prefetch: stages [own], [far], with notes of written objects
                if (own[i][k + 1][C - 1 - j] == 7)
                    continue;
                own[i][k][j] = own[i][k - 1][3];
                if (far[i + 1][k][C - 1 - j] > 20)
                    own[i][k][j] = own[i][0][C - 1 - j];
                else
                    own[i][k][j] = i;
            }
    }
}

int main(void) {
    for (int i = 0; i < R * THREADS; i++)
        for (int k = 0; k < P; k++)
            for (int j = 0; j < C; j++)
                if (i % THREADS == MYTHREAD) {
                    own[i][k][j] = (i * 31 + k * 7 + j * 13) % 97;
                    far[i][k][j] = (i * 17 + k * 5 + j * 11) % 41;
                }
    upc_barrier;
    for (int times = 0; times < 3; times++) {
        step(R * THREADS);
        upc_barrier;
    }
    long sum = 0;
    for (int i = 0; i < R * THREADS; i++)
        for (int k = 0; k < P; k++)
            for (int j = 0; j < C; j++) //> prefetch: cached [own]
                sum = (sum * 31 + own[i][k][j]) % 1000003;
    printf("%d: %ld\n", MYTHREAD, sum);
    upc_barrier;
    return 0;
}
