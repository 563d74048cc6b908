/* The elements and rows with the thread's own number. */
#include <stdio.h>
#include <upc_relaxed.h>
#define N 12
struct cell {
    int kind, n[3];
    unsigned bits : 5;
    struct {
        double x;
    } at;
};
shared int count[THREADS], before[2 * THREADS];
shared [N] double grid[THREADS][N];
shared [2 * N] int pairs[THREADS][2][N];
shared [2 * N] int halves[2 * THREADS][N];
shared struct cell cells[2 * THREADS];
shared [] int first[4096];
shared [3] int threes[3 * THREADS];
shared [] int *shared parts[THREADS];
shared int *walking;
strict shared int flag[THREADS];
static shared double sums[THREADS];
static shared [N] char names[THREADS][N];

static double own(int n) {
    double line[N], sum = 0;
    for (int j = 0; j < n; j++) { //> own: own elements: 4
        grid[MYTHREAD][j] = j + MYTHREAD;
        line[j] = grid[MYTHREAD][N - 1 - j] + j[grid[(MYTHREAD)]];
        pairs[MYTHREAD][j % 2][j] = pairs[MYTHREAD][1][j] + j;
        sum += line[j];
    }
    for (int j = 0; j < n; j++) { //> own: own elements: 6
        cells[MYTHREAD].kind += j;
        cells[MYTHREAD].n[j % 3]++;
        cells[MYTHREAD].bits = j;
        cells[MYTHREAD].at.x -= cells[MYTHREAD].bits;
        struct cell copy = cells[MYTHREAD];
        sum += copy.n[j % 3];
    }
    int i = 0;
    while (count[MYTHREAD] < n) { //> own: own elements: 3
        flag[MYTHREAD] = ++count[MYTHREAD];
        i++;
    }
    for (int j = 0; j < N; j++) //> own: own elements: 1
        names[MYTHREAD][j] = 'a' + (j + MYTHREAD) % 26;
    shared [N] double *row = &grid[MYTHREAD][2];
    for (int j = 0; j < 3; j++)
        sum += row[j];
    return sum + i;
}

/* Subscripts that do not determine the owner, or name another one. */
static long others(int n) {
    long s = 0;
    int me = MYTHREAD;
    for (int j = 0; j < n; j++) {
        s += halves[MYTHREAD][j] + first[MYTHREAD] + threes[MYTHREAD] + walking[MYTHREAD];
        s += before[MYTHREAD + 1] + count[me] + count[THREADS - 1 - MYTHREAD];
        s += grid[(MYTHREAD + 1) % THREADS][j] + 0 * s;
    }
    for (int j = 0; j < n; j++) //> own: own elements: 1
        s += parts[MYTHREAD][j];
    return s;
}

int main(void) {
    parts[MYTHREAD] = (shared [] int *)upc_alloc(N * sizeof(int));
    walking = count + (THREADS > 1);
    for (int j = 0; j < N; j++) //> own: own elements: 1
        parts[MYTHREAD][j] = j * MYTHREAD;
    upc_forall (int i = 0; i < 3 * THREADS; i++; &threes[i])
        threes[i] = i;
    upc_forall (int i = 0; i < 2 * THREADS; i++; &halves[i][0])
        for (int j = 0; j < N; j++)
            halves[i][j] = i * j;
    if (MYTHREAD == 0)
        for (int i = 0; i <= THREADS; i++)
            before[i] = first[i] = i * i;
    double sum = own(N);
    upc_barrier;
    if (MYTHREAD == THREADS - 1)
        sum += others(THREADS > 1 ? N - 2 : N);
    upc_barrier;
    sums[MYTHREAD] = sum;
    upc_barrier;
    if (MYTHREAD == 0)
        for (int t = 0; t < THREADS; t++) {
            printf("%d: %g %d %d %d %g", t, sums[t], cells[t].kind, cells[t].n[1], cells[t].bits, cells[t].at.x);
            printf(" %d %d %g %c\n", flag[t], pairs[t][1][3], grid[t][N - 1], names[t][5]);
        }
    return 0;
}
