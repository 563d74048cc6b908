/* Sections that nests of loops read: they are copied before the nest, after the thread's earlier writes. */
#include <stdio.h>
#include <upc_relaxed.h>
#define ROWS 5
#define COLUMNS 48
#define N 37
shared [ROWS * COLUMNS] double a[ROWS * THREADS][COLUMNS], b[ROWS * THREADS][COLUMNS];
shared [ROWS * COLUMNS] double c[ROWS * THREADS][COLUMNS];
/* Rows distributed one by one, and blocks that are no whole rows. */
shared [COLUMNS] double turns[ROWS * THREADS][COLUMNS], turned[ROWS * THREADS][COLUMNS];
shared [7] float odd[ROWS * THREADS][COLUMNS];
shared int x[N * THREADS], y[N * THREADS];
shared [3] short u[N * THREADS];
shared [] long all[6][4];
shared [24] int deep[ROWS * THREADS][4][6];
struct pair { char tag; double value; };
shared [2] struct pair pairs[9 * THREADS];
static double seen[COLUMNS];

static int least(int n, int m) { return n < m ? n : m; }

static void fill(int round) {
    upc_forall (int i = 0; i < ROWS * THREADS; i++; &a[i][0])
        for (int j = 0; j < COLUMNS; j++) {
            a[i][j] = (i * 31 + j * 17 + round) % 29;
            b[i][j] = (i * 13 + j * 41 + 3 * round) % 23;
            c[i][j] = 0;
        }
    upc_forall (int i = 0; i < ROWS * THREADS; i++; &turns[i][0])
        for (int j = 0; j < COLUMNS; j++)
            turns[i][j] = (i * 7 + j * 3 + round) % 31, turned[i][j] = 0;
    for (int i = MYTHREAD; i < ROWS * THREADS; i += THREADS)
        for (int j = 0; j < COLUMNS; j++)
            odd[i][j] = (i * 5 + j * 11 + round) % 37;
    upc_forall (int i = 0; i < N * THREADS; i++; &x[i])
        x[i] = (i * 7 + round) % 101, y[i] = 0;
    upc_forall (int i = 0; i < N * THREADS; i++; &u[i])
        u[i] = i * 5 + round;
    upc_forall (int i = 0; i < ROWS * THREADS; i++; &deep[i][0][0])
        for (int j = 0; j < 4; j++)
            for (int k = 0; k < 6; k++)
                deep[i][j][k] = i * 100 + j * 10 + k + round;
    upc_forall (int i = 0; i < 9 * THREADS; i++; &pairs[i])
        pairs[i].tag = i, pairs[i].value = i * 0.5 + round;
    if (MYTHREAD == 0)
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < 4; j++)
                all[i][j] = i * 9 + j * j + round;
    upc_barrier;
}

static double sum_of_c(void) {
    double s = 0;
    upc_barrier;
    for (int i = 0; i < ROWS * THREADS; i++) //> not sections: no access in the loop is
        for (int j = 0; j < COLUMNS; j++)
            s += c[i][j] * (i + 2 * j + 1);
    upc_barrier;
    return s;
}

static void transposition(int n) {
    upc_forall (int i = 0; i < n; i++; &c[i][0]) //> sections: copies of [a]
        for (int j = 0; j < n; j++)
            c[i][j] = a[j][i];
}

static void product(int n) {
    upc_forall (int i = 0; i < ROWS * THREADS; i++; &c[i][0]) //> sections: copies of [b]
        for (int j = 0; j < COLUMNS; j++) {
            double sum = 0;
            for (int k = 0; k < n; k++)
                sum += a[i][k] * b[k][j];
            c[i][j] = sum;
        }
}

/* Two reads of one section, one of another, and subscripts that stay. */
static void shifted(int n, int row) {
    upc_forall (int i = 1; i < n - 1; i++; &c[i][0]) //> sections: copies of [a b a]
        for (int j = 1; j < n - 2; j++)
            c[i][j] = a[j - 1][i] + 2 * a[j + 2][i + 1] + 3 * b[j][i - 1] + a[row][j];
}

/* Columns that are as far apart as the thread's rows. */
static void by_turns(int n) {
    upc_forall (int i = 0; i < n; i++; &turned[i][0]) //> sections: copies of [turns]
        for (int j = 0; j < n; j++)
            turned[i][j] = turns[j][i] + 1;
    upc_barrier;
    upc_forall (int i = 0; i < n; i++; &c[i][0]) //> sections: copies of [turned odd]
        for (int j = 0; j < n; j++)
            c[i][j] = turned[j][i] + odd[j][i];
}

/* All elements of others, one by one. */
static void all_pairs(int n) {
    upc_forall (int i = 0; i < n; i++; &y[i]) //> sections: copies of [x u pairs]
        for (int j = 0; j < n; j++)
            y[i] += (x[j] > i) + u[j] + (int)(2 * pairs[j].value);
}

/* Unsigned counters, bounds that are included, three subscripts, and an array on one thread. */
static void several(int n, int few) {
    upc_forall (int i = 0; i < n; i++; &c[i][0]) //> sections: copies of [all]
        for (unsigned k = 0; k <= 5; k++)
            for (unsigned j = 0; j < 4; j++)
                c[i][k] += all[k][j];
    upc_forall (int i = 0; i < few; i++; &c[i][0]) //> sections: copies of [deep]
        for (int j = 0; j < ROWS * THREADS; j++)
            for (int k = 1; k < 5; k++)
                c[i][j % COLUMNS] += deep[j][i][k + 1] + deep[j][k - 1][i];
}

/* A nest without upc_forall, of each thread by itself. */
static double columns(int n, int m) {
    double s = 0;
    for (int j = 0; j < m; j++) //> sections: copies of [a]
        for (int i = 0; i < n; i++)
            s = s * 0.5 + a[i][j];
    for (int k = 0; k < 3; k++) //> sections: copies of [x]
        for (int i = 0; i < n; i++)
            s += x[i] * (k + 1);
    return s;
}

/* Pointers that serve as arrays: one to the beginning of an array, and one elsewhere. */
static void pointers(shared [ROWS * COLUMNS] double (*p)[COLUMNS], shared [3] short *q, int n) {
    upc_forall (int i = 0; i < n; i++; &y[i]) //> sections: copies of [p q]
        for (int j = 0; j < n; j++)
            y[i] += (int)p[j][i] + q[j];
}

/* The thread's later reads see its own writes, to memory of all threads. */
static void own_writes(int n) {
    for (int j = 0; j < n; j++) //> not sections: no access in the loop is
        if (j % THREADS == MYTHREAD)
            for (int i = 0; i < n; i++)
                b[i][j] = 1000 * j + i;
    for (int k = 0; k < 2; k++) //> sections: copies of [b]
        for (int i = 0; i < n; i++)
            seen[i] += b[i][MYTHREAD];
}

/* Nests that must be left alone: they write objects that they may read, or do not read all of a box. */
static void left_alone(int n, double *anywhere) {
    upc_forall (int i = 0; i < n; i++; &a[i][0]) //> not sections: no access in the loop is
        for (int j = 0; j < n; j++)
            if (j < i)
                a[i][j] = a[j][i];
    upc_barrier;
    upc_forall (int i = 0; i < n; i++; &c[i][0]) //> not sections: no access in the loop is
        for (int j = 0; j < n; j++) {
            anywhere[j] = i + j;
            c[i][j] += a[j][i];
        }
    upc_barrier;
    upc_forall (int i = 0; i < n; i++; &c[i][0]) //> not sections: no access in the loop is
        for (int j = 0; j < n; j++)
            if ((i + j) % 3)
                c[i][j] += b[j][i];
    upc_forall (int i = 0; i < n; i++; &c[i][0]) //> not sections: no access in the loop is
        for (int j = i; j < n; j++)
            c[i][j] += b[j][i] + b[j][j];
    upc_barrier;
}

int main(void) {
    int n = least(ROWS * THREADS, COLUMNS);
    for (int round = 0; round < 3; round++) {
        fill(round);
        transposition(n - round);
        printf("%d: transposition %g\n", MYTHREAD, sum_of_c());
        product(n - round);
        printf("%d: product %g\n", MYTHREAD, sum_of_c());
        product(0);
        printf("%d: nothing %g\n", MYTHREAD, sum_of_c());
        shifted(n, round);
        printf("%d: shifted %g\n", MYTHREAD, sum_of_c());
        by_turns(n - round);
        printf("%d: by turns %g\n", MYTHREAD, sum_of_c());
        all_pairs(least(9 * THREADS, N) - round);
        pointers(a, u, n);
        pointers(a + 1, u + 2, n - 1);
        pointers(a, u + 3, n - 1);
        upc_barrier;
        int s = 0;
        for (int i = 0; i < N * THREADS; i++)
            s += y[i] * (i % 11 + 1);
        printf("%d: pairs %d\n", MYTHREAD, s);
        several(n, least(4, n));
        printf("%d: several %g\n", MYTHREAD, sum_of_c());
        printf("%d: columns %g\n", MYTHREAD, columns(n, COLUMNS - round) + columns(0, round));
        upc_barrier;
        own_writes(n);
        for (int i = 0; i < COLUMNS; i++)
            printf("%d: seen %g\n", MYTHREAD, seen[i]);
        upc_barrier;
        left_alone(n, seen);
        printf("%d: left alone %g\n", MYTHREAD, sum_of_c());
    }
}
