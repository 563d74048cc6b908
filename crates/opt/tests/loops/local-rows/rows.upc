/* Loops over rows, some of them on this host and some on others. */
#include <stdio.h>
#include <upc_relaxed.h>
#define ROWS 4
#define COLUMNS 33
shared [132] double a[ROWS * THREADS][COLUMNS], b[ROWS * THREADS][COLUMNS];
shared [33] int narrow[THREADS * 3][COLUMNS];
shared [16] int halves[THREADS * 2][32];
struct cell { int n; double x; };
shared [20] struct cell cells[THREADS][20];
shared [] int *shared parts[THREADS];
static shared [] int *moving;
static int out[COLUMNS];

/* Mostly own rows; at the edges of its part a thread reads rows of its neighbours. */
static void smooth(void) {
    upc_forall (int i = 1; i < ROWS * THREADS - 1; i++; &b[i][0])
        for (int j = 1; j < COLUMNS - 1; j++) //> local-rows: by the places of 2 rows
            b[i][j] = a[i - 1][j] + a[i + 1][j] + 2 * a[i][j - 1] - a[i][j + 1];
}

/* Own and others' rows, written and updated, by one thread at a time. */
static long walk(int from) {
    long s = 0;
    for (int r = 0; r < THREADS * 3; r++) {
        int row = (r + from) % (THREADS * 3);
        for (int j = 0; j < COLUMNS; j++) { //> local-rows: by the places of 1 rows
            narrow[row][j] += j + r;
            s += narrow[row][COLUMNS - 1 - j];
            if (s % 3 == 0)
                continue;
            s++;
        }
        for (int j = 0; j < COLUMNS; j++) //> local-rows: by the places of 2 rows
            narrow[row][j] = narrow[r][j] + 1;
        int j = 0;
        while (j < COLUMNS) //> local-rows: by the places of 1 rows
            s ^= narrow[row][j++];
        for (int j = 0; j < COLUMNS; j++) { //> not local-rows: not all accesses of
            s += narrow[row][j];
            row = (row + 1) % THREADS;
        }
    }
    return s;
}

static long others(int n) {
    long s = 0;
    for (int r = 0; r < THREADS * 2; r++)
        for (int j = 0; j < 32; j++) //> not local-rows: not all accesses of
            s += halves[r][j] * (j + 1);
    for (int t = 0; t < THREADS; t++) {
        shared [] int *part = parts[t];
        for (int j = 0; j < n; j++) //> local-rows: by the places of 1 rows
            s += part[j] ^ j;
        for (int j = 0; j < 20; j++) //> local-rows: by the places of 1 rows
            s += cells[t][j].n + (long)cells[t][j].x;
        for (int j = 0; j < n; j++) //> not local-rows: not all accesses of
            s += *part++;
        moving = parts[t];
        for (int j = 0; j < n; j++) //> local-rows: by the places of 1 rows
            out[j % COLUMNS] += moving[j];
        for (int j = 0; j < 0; j++) //> local-rows: by the places of 1 rows
            s += moving[j];
    }
    return s;
}

int main(void) {
    upc_forall (int i = 0; i < ROWS * THREADS; i++; &a[i][0])
        for (int j = 0; j < COLUMNS; j++)
            a[i][j] = i * 5 + j * 3;
    for (int i = MYTHREAD; i < THREADS * 64; i += THREADS)
        halves[i / 32][i % 32] = i;
    parts[MYTHREAD] = (shared [] int *)upc_alloc(50 * sizeof(int));
    for (int j = 0; j < 50; j++)
        parts[MYTHREAD][j] = j * MYTHREAD;
    for (int j = 0; j < 20; j++)
        cells[MYTHREAD][j] = (struct cell){j, MYTHREAD};
    upc_barrier;
    smooth();
    upc_barrier;
    double sum = 0;
    for (int i = 0; i < ROWS * THREADS; i++)
        for (int j = 0; j < COLUMNS; j++) //> local-rows: by the places of 1 rows
            sum += b[i][j] * (i + j);
    long s = 0;
    for (int t = 0; t < THREADS; t++) {
        if (t == MYTHREAD)
            s = walk(MYTHREAD);
        upc_barrier;
    }
    s += others(50);
    for (int j = 0; j < COLUMNS; j++)
        s += out[j] * (j + 1);
    printf("%d: %g %ld\n", MYTHREAD, sum, s);
    return 0;
}
