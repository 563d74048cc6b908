/* An inner loop that is left early goes through a part of its box only. */
#include <stdio.h>
#include <upc_relaxed.h>
#define W 8
shared [W] int a[4 * THREADS][W];
shared [2 * W] int b[4 * THREADS][W];
shared [W] double c[4 * THREADS][W];

static void written(int n) {
    upc_forall (int i = 0; i < 4 * THREADS; i++; i)
        for (int twice = 0; twice < 2; twice++)
            for (int j = 0; j < n; j++) {
                b[i][j] = i * 100 + j;
                if ((i + j) % 3 == 2)
                    break;
            }
}

static long read(int n) {
    long s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 4 * THREADS; j++) {
            s += a[j][i];
            if (s % 5 == 4)
                break;
        }
    return s;
}

/* After a `break` of the outer loop the inner loop's box is still whole. */
static long whole(int n) {
    long s = 0;
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < n; i++) //> sections: copies of [c]
            for (int j = 0; j < 4 * THREADS; j++)
                s += c[j][i];
        if (s % 7 == 1)
            break;
    }
    return s;
}

int main(void) {
    if (MYTHREAD == 0)
        for (int i = 0; i < 4 * THREADS; i++)
            for (int j = 0; j < W; j++) {
                a[i][j] = i * 10 + j;
                b[i][j] = -1;
                c[i][j] = i + j;
            }
    upc_barrier;
    written(W);
    upc_barrier;
    long s = 0;
    for (int i = 0; i < 4 * THREADS; i++)
        for (int j = 0; j < W; j++)
            s = s * 3 + b[i][j];
    printf("%d: %ld %ld %ld\n", MYTHREAD, s, read(W), whole(W));
    return 0;
}
