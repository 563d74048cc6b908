/* Matrix multiplication as in lecture notes: rows of A and C in blocks, columns of B, then again with
 * the rows of B fetched into private memory. */
//: clause 6.6.2 p6
#include <stdio.h>
#include <upc_relaxed.h>

#define N (4*THREADS)
#define P 7
#define M (2*THREADS)

shared [P*4] int a[4*THREADS][P];
shared [2] int b[P][2*THREADS];
shared [16] int c_static[THREADS][16];
shared [8] int c[4*THREADS][16];

int main(void)
{
    int i, j, l, wrong = 0;

    upc_forall (i = 0; i < N; i++; &a[i][0])
        for (l = 0; l < P; l++)
            a[i][l] = i * P + l + 1;
    for (l = 0; l < P; l++)
        upc_forall (j = 0; j < M; j++; &b[l][j])
            b[l][j] = l - j % 5;
    upc_barrier;

    upc_forall (i = 0; i < N; i++; &a[i][0])
        for (j = 0; j < M; j++) {
            int sum = 0;
            for (l = 0; l < P; ++l)
                sum += a[i][l] * b[l][j];
            c[i][j] = sum;
        }
    upc_barrier;
    for (i = 0; i < N; i++)
        for (j = 0; j < M; j++) {
            int sum = 0;
            for (l = 0; l < P; ++l)
                sum += (i * P + l + 1) * (l - j % 5);
            wrong += c[i][j] != sum;
        }

    /* the same from copies */
    int rows[P][M];
    for (l = 0; l < P; l++)
        for (j = 0; j < THREADS; j++)
            upc_memget(&rows[l][2 * j], &b[l][2 * j], 2 * sizeof(int));
    int (*mine)[P] = (int (*)[P])&a[4 * MYTHREAD][0];
    for (i = 0; i < 4; i++)
        for (j = 0; j < 16 && j < M; j++) {
            int sum = 0;
            for (l = 0; l < P; l++)
                sum += mine[i][l] * rows[l][j];
            c_static[MYTHREAD][j] = sum;
            wrong += c_static[MYTHREAD][j] != c[4 * MYTHREAD + i][j];
        }
    if (wrong)
        printf("thread %d: %d wrong\n", MYTHREAD, wrong);
    return wrong != 0;
}
