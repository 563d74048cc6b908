/* Sections that nests of loops write: they are gathered in a copy, and put after the nest. */
#include <stdio.h>
#include <upc_relaxed.h>
#define ROWS 5
#define COLUMNS 48
shared [ROWS * COLUMNS] double a[ROWS * THREADS][COLUMNS], b[ROWS * THREADS][COLUMNS];
shared [COLUMNS] double turns[ROWS * THREADS][COLUMNS];
shared [7] float odd[ROWS * THREADS][COLUMNS];
shared [2] long u[40 * THREADS];
struct pair { char tag; double value; };
shared [ROWS * COLUMNS] struct pair pairs[ROWS * THREADS][COLUMNS];
static double seen[COLUMNS];

static int least(int n, int m) { return n < m ? n : m; }
static double twice(double x) { return 2 * x; }

static void fill(int round) {
    upc_forall (int i = 0; i < ROWS * THREADS; i++; &a[i][0])
        for (int j = 0; j < COLUMNS; j++) {
            a[i][j] = (i * 31 + j * 17 + round) % 29;
            b[i][j] = -1;
        }
    upc_forall (int i = 0; i < ROWS * THREADS; i++; &turns[i][0])
        for (int j = 0; j < COLUMNS; j++)
            turns[i][j] = i + j + round;
    for (int i = MYTHREAD; i < ROWS * THREADS; i += THREADS)
        for (int j = 0; j < COLUMNS; j++)
            odd[i][j] = (i * 5 + j * 11 + round) % 37;
    upc_forall (int i = 0; i < ROWS * THREADS; i++; &pairs[i][0])
        for (int j = 0; j < COLUMNS; j++)
            pairs[i][j].tag = 1, pairs[i][j].value = i - j;
    upc_forall (int i = 0; i < 40 * THREADS; i++; &u[i])
        u[i] = i;
    upc_barrier;
}

static void show(const char *what) {
    double s = 0;
    upc_barrier;
    for (int i = 0; i < ROWS * THREADS; i++)
        for (int j = 0; j < COLUMNS; j++) {
            s += a[i][j] * (i + 2 * j + 1) + b[i][j] * (3 * i + j + 1) + turns[i][j] * (i + 5 * j);
            s += odd[i][j] * (i % 7 + j) + pairs[i][j].tag + pairs[i][j].value * (j % 9);
        }
    long t = 0;
    for (int i = 0; i < 40 * THREADS; i++)
        t += u[i] * (i % 13);
    printf("%d: %s %g %ld\n", MYTHREAD, what, s, t);
    upc_barrier;
}

/* Each thread writes columns to rows of all. */
static void transposition(int n) {
    upc_forall (int i = 0; i < n; i++; &a[i][0]) //> sections: copies of [b], put after the loop
        for (int j = 0; j < n; j++)
            b[j][i] = twice(a[i][j]);
}

/* The nest reads the elements that it writes, and others; columns that are THREADS apart. */
static void in_place(int n) {
    upc_forall (int i = 0; i < n; i++; &turns[i][0]) //> sections: copies of [a], and of [b odd], put after the loop
        for (int j = 1; j < n; j++) {
            double before = b[j][i];
            b[j][i] = before + a[j - 1][i];
            odd[j][i] = before;
            b[j][i] = b[j][i] * 2;
        }
}

/* Structures as a whole, and an array by single elements. */
static void whole(int n) {
    upc_forall (int i = 0; i < n; i++; &a[i][0]) //> sections: copies of [pairs], put after the loop
        for (int j = 0; j < n; j++) {
            struct pair p = {'x', i * j};
            pairs[j][i] = p;
        }
}

/* Without upc_forall: the last value written stays. */
static void alone(int n) {
    if (MYTHREAD == THREADS - 1)
        for (int k = 0; k < 3; k++) //> sections: copies of [u], put after the loop
            for (int i = 1; i <= n; i++)
                u[i] = k * i;
    for (int k = 0; k < 2; k++) //> sections: copies of [b], put after the loop
        for (int i = 0; i < n; i++)
            b[i][MYTHREAD] = k + i;
    for (int k = 0; k < 2; k++) //> sections: copies of [b]
        for (int i = 0; i < n; i++)
            seen[i] += b[i][MYTHREAD];
}

/* A pointer that serves as an array. */
static void pointer(shared [ROWS * COLUMNS] double (*p)[COLUMNS], int n) {
    upc_forall (int i = 0; i < n; i++; &u[i]) //> sections: copies of [p], put after the loop
        for (int j = 0; j < n; j++)
            p[j][i] = i - j;
}

/* Nests that must be left alone: they do not write all of a box, or may access it in another way. */
static void left_alone(int n, double *anywhere) {
    upc_forall (int i = 0; i < n; i++; &a[i][0]) //> not sections: no access in the loop is
        for (int j = 0; j < n; j++)
            if ((i + j) % 2)
                b[j][i] = a[i][j];
    upc_barrier;
    upc_forall (int i = 0; i < n; i++; &a[i][0]) //> not sections: no access in the loop is
        for (int j = 0; j < n; j++)
            b[j][i] += a[i][j];
    upc_barrier;
    upc_forall (int i = 0; i < n; i++; &a[i][0]) //> not sections: no access in the loop is
        for (int j = 0; j < n - 1; j++) {
            b[j][i] = a[i][j];
            b[j + 1][i] = a[i][j] + 1;
        }
    upc_barrier;
    upc_forall (int i = 0; i < n; i++; &a[i][0]) //> not sections: no access in the loop is
        for (int j = 0; j < n; j++)
            b[j][i] = anywhere[j];
    upc_barrier;
    upc_forall (int i = 0; i < n; i++; &a[i][0]) //> not sections: no access in the loop is
        for (int j = 0; j < n; j++) {
            pairs[j][i].tag = 3;
            b[j][i] = i < j ? j : a[i][j] + b[0][i];
        }
    upc_barrier;
}

int main(void) {
    int n = least(ROWS * THREADS, COLUMNS);
    for (int round = 0; round < 3; round++) {
        fill(round);
        transposition(n - round);
        show("transposition");
        in_place(n - round);
        show("in place");
        in_place(0);
        whole(n - round);
        show("whole");
        alone(least(n, 40) - 1);
        for (int i = 0; i < COLUMNS; i++)
            printf("%d: seen %g\n", MYTHREAD, seen[i]);
        show("alone");
        pointer(a, n - round);
        show("pointer");
        pointer(a + 1, n - 2);
        show("pointer to a second row");
        left_alone(n, seen);
        show("left alone");
    }
}
