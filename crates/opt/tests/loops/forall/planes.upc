/* Arrays whose last subscripts alone go round all threads a whole number of times. */
#include <stdio.h>
#include <upc_relaxed.h>
#define N 24
shared int score[2][N * THREADS];
shared [4] double heat[3][2][N * THREADS];
shared [6] long box[2][N * THREADS][3];
shared [5] int odd[2][N * THREADS];
shared struct { int n; double x[2]; } cells[4][N * THREADS];
shared double plain[N * THREADS];
shared [] int *shared lists[2][N * THREADS];
static int calls;
static int next(void) { return calls++ % 2; }

int main(void) {
    int i;
    double sum = 0;
    upc_forall (i = 0; i < N * THREADS; i++; &score[1][i]) { //> forall: own rows of [score plain cells], 1 a block
        score[0][i] = i * 7 % 100;
        score[1][i] = 0;
        plain[i] = i;
        for (int p = 0; p < 4; p++)
            cells[p][i].n = i + p, cells[p][i].x[1] = i * p;
    }
    /* An own element may point to memory that is not the thread's own. */
    upc_forall (i = 0; i < N * THREADS; i++; &lists[1][i]) { //> forall: own rows of [lists], 1 a block
        lists[0][i] = upc_alloc(3 * sizeof(int));
        lists[1][i] = lists[0][i] + 1;
        lists[0][i][0] = i;
        lists[1][i][1] = 2 * i;
    }
    upc_forall (i = 0; i < N * THREADS; i++; &heat[0][1][i]) //> forall: own rows of [heat], 4 a block
        for (int p = 0; p < 6; p++)
            heat[p / 2][p % 2][i] = i * (p + 1) % 50;
    upc_forall (int r = 0; r < N * THREADS; r++; &box[0][r][2]) //> forall: own rows of [box], 2 a block
        for (int p = 0; p < 2; p++)
            for (int j = 0; j < 3; j++)
                box[p][r][j] = r * 3 + j + 1000 * p;
    upc_barrier;
    for (int r = 1; r < 9; r++) {
        upc_forall (i = 1; i < N * THREADS - 1; i++; &score[r & 1][i]) { //> forall: own rows of [score], 1 a block
            int up = score[(r - 1) & 1][i], left = score[(r - 1) & 1][i - 1] + (i % 5 == 0);
            score[r & 1][i] = up > left ? up : left + score[(r - 1) & 1][i + 1];
        }
        upc_forall (i = N * THREADS - 2; i >= 1; i--; &heat[r % 3][r & 1][i]) //> forall: own rows of [heat], 4 a block
            heat[r % 3][r & 1][i] = heat[(r + 2) % 3][r & 1][i - 1] * 0.5 + heat[(r + 1) % 3][r & 1][i + 1];
        upc_barrier;
        upc_forall (i = r; i < N * THREADS - 1; i += 3; &heat[0][0][i + 1]) //> forall: own rows of [heat], 4 a block, in
            heat[0][0][i + 1] += heat[2][1][i + 1] + i;
        upc_barrier;
    }
    upc_forall (int r = 0; r < N * THREADS; r++; &box[1][r][0]) //> forall: own rows of [box], 2 a block
        box[1][r][1] += box[0][r][2] * 2 + box[r % 2][r][r % 3];
    upc_forall (i = 0; i < N * THREADS; i++; &cells[i % 4][i]) //> forall: own rows of [cells], 1 a block
        cells[i % 4][i].x[0] = cells[(i + 1) % 4][i].n + cells[(i + 2) % 4][i].x[1];
    /* Blocks that do not divide a plane, and subscripts with effects, which have to be evaluated. */
    upc_forall (i = 0; i < N * THREADS; i++; &odd[1][i]) //> not forall: the affinity
        odd[1][i] = i;
    upc_forall (i = 0; i < N * THREADS; i++; &score[next()][i]) //> not forall: the affinity
        score[0][i] += calls > 3;
    upc_barrier;
    for (int p = 0; p < 2; p++)
        for (i = MYTHREAD; i < N * THREADS; i += THREADS) {
            score[p][i] += score[1 - p][i] + p;
            cells[p + 1][i].n -= i;
        }
    upc_barrier;
    for (i = 0; i < N * THREADS; i++) {
        sum = sum * 0.5 + lists[1][i][-1] + lists[0][i][2] + score[0][i] + 2 * score[1][i] + odd[1][i] + cells[i % 4][i].x[0] + cells[2][i].n;
        for (int p = 0; p < 6; p++)
            sum += heat[p / 2][p % 2][i] * (p + 1) + box[p % 2][i][p / 2];
    }
    printf("%d: %.9g\n", MYTHREAD, sum);
    return 0;
}
