/* Rows that are computed from rows of other threads: in another order if the program cannot tell. */
#include <stdio.h>
#include <upc_relaxed.h>
#define R 6
#define C 40
#define P 5
#define LONG 700
shared [R * C] double a[R * THREADS][C], b[R * THREADS][C], c[R * THREADS][C];
shared [2 * C] int two[R * THREADS][C], from_two[R * THREADS][C];
shared [C] long one[R * THREADS][C], from_one[R * THREADS][C];
shared [R * P * C] double solid[R * THREADS][P][C], next[R * THREADS][P][C];
shared [4] int narrow[R * THREADS][4], narrower[R * THREADS][4];
shared [LONG * 2] long wide[2 * THREADS][LONG], wider[2 * THREADS][LONG];
shared [LONG] long many[300 * THREADS][LONG];
struct cell { int n; double x; };
shared [R * C] struct cell cells[R * THREADS][C];
static double weight[3] = {1, 2, 3};
static long lines;

static void fill(void) {
    upc_forall (int i = 0; i < R * THREADS; i++; &a[i][0])
        for (int j = 0; j < C; j++) {
            a[i][j] = (i * 31 + j * 17) % 29;
            b[i][j] = (i * 13 + j * 41) % 23;
            c[i][j] = 0;
            cells[i][j].n = i * j % 11;
            cells[i][j].x = i - j;
        }
    upc_forall (int i = 0; i < R * THREADS; i++; &solid[i][0][0])
        for (int k = 0; k < P; k++)
            for (int j = 0; j < C; j++)
                solid[i][k][j] = (i * 7 + k * 5 + j * 3) % 19;
    upc_forall (int i = 0; i < R * THREADS; i++; &two[i][0])
        for (int j = 0; j < C; j++)
            two[i][j] = i * 3 + j;
    upc_forall (int i = 0; i < R * THREADS; i++; &one[i][0])
        for (int j = 0; j < C; j++)
            one[i][j] = i * 5 - j;
    upc_forall (int i = 0; i < R * THREADS; i++; &narrow[i][0])
        for (int j = 0; j < 4; j++)
            narrow[i][j] = i + j;
    upc_forall (int i = 0; i < 2 * THREADS; i++; &wide[i][0])
        for (int j = 0; j < LONG; j++)
            wide[i][j] = i * 1000 + j;
    upc_forall (int i = 0; i < 300 * THREADS; i++; &many[i][0])
        for (int j = 0; j < LONG; j++)
            many[i][j] = i ^ j;
    upc_barrier;
}

static void five_points(void) {
    upc_forall (long i = 1; i < R * THREADS - 1; i++; &c[i][0]) //> halos: 2 rows an iteration, those on
        for (long j = 1; j < C - 1; j++)
            c[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
}

/* Both loop variables are the function's, and are used after the loops. */
static long nine_points(int n) {
    int i, j;
    upc_forall (i = 2; i < R * THREADS - 2; i++; &c[i][3]) { //> halos: 4 rows an iteration, those on
        for (j = 1; j < n - 1; j++) {
            double up = a[i - 1][j - 1] + a[i - 1][j + 1] + a[i - 2][j], down = a[i + 1][j - 1] * weight[1];
            c[i][j] += up + down - a[i + 2][j] + (a[i - 1][j] > a[i + 1][j + 1] ? c[i][j - 1] : b[i][j]);
        }
    }
    return i * 1000L + j;
}

static void seven_points(void) {
    upc_forall (int i = 1; i < R * THREADS - 1; i++; &next[i][0][0]) //> halos: 2 rows an iteration, those on
        for (int k = 1; k < P - 1; k++)
            for (int j = 1; j < C - 1; j++)
                next[i][k][j] = solid[i - 1][k][j] + solid[i + 1][k][j] + solid[i][k - 1][j] +
                                solid[i][k + 1][j] + solid[i][k][j - 1] + solid[i][k][j + 1];
}

static void blocks(void) {
    upc_forall (int i = 1; i < R * THREADS - 1; i++; &from_two[i][0]) //> halos: 2 rows an iteration, those on
        for (int j = 0; j < C; j++)
            from_two[i][j] += two[i - 1][j] + two[i + 1][C - 1 - j];
    upc_forall (int i = 1; i < R * THREADS - 1; i++; &from_one[i][0]) //> halos: 2 rows an iteration, those on
        for (int j = 0; j < C; j++)
            from_one[i][j] += one[i - 1][j] - one[i + 1][j];
}

/* The first and last rows: no row beyond them is read. */
static void edges(void) {
    upc_forall (int i = 0; i < R * THREADS; i++; &b[i][0]) //> halos: 2 rows an iteration, those on
        for (int j = 0; j < C; j++)
            b[i][j] += (i > 0 ? a[i - 1][j] : 1) + (i < R * THREADS - 1 ? a[i + 1][j] : 2);
}

/* An iteration reads elements that the previous one has written, or could have written. */
static void in_order(void) {
    upc_forall (int i = 1; i < R * THREADS; i++; &b[i][0]) //> halos: 1 rows an iteration, in order: an iteration may read
        for (int j = 0; j < C; j++)
            b[i][j] = (i % R ? b[i - 1][j] : 0) + a[i][j];
    upc_barrier;
    double *mine = (double *)&c[MYTHREAD * R][0];
    upc_forall (int i = 1; i < R * THREADS; i++; &c[i][0]) //> halos: 1 rows an iteration, in order: an iteration may read
        for (int j = 0; j < C; j++)
            c[i][j] = a[i - 1][j] + mine[i % R * C / 2];
    upc_barrier;
}

/* A value that outlasts an iteration is the last iteration's, or a sum in order. */
static double outlasting(void) {
    double last = 0, sum = 1;
    int j, k = 0;
    upc_forall (int i = 1; i < R * THREADS - 1; i++; &c[i][0]) //> halos: 2 rows an iteration, in order: the loop assigns variables
        for (j = 0; j < C; j++) {
            last = a[i - 1][j] + i;
            c[i][j] += a[i + 1][j];
        }
    upc_forall (int i = 1; i < R * THREADS - 1; i++; &c[i][0]) //> halos: 1 rows an iteration, in order: the loop assigns variables
        for (j = 0; j < C; j++) {
            sum = sum / 3 + a[i - 1][j];
            c[i][j] += sum;
        }
    upc_forall (int i = 1; i < R * THREADS - 1; i++; &c[i][0]) //> halos: 1 rows an iteration, in order: the loop assigns variables
        for (j = i % 3; j < C; j++)
            c[i][j] += a[i - 1][j] + k++;
    return last + sum + j + k;
}

/* A remote row is written while it travels, and read again. */
static void written(void) {
    upc_barrier;
    for (int t = 0; t < THREADS; t++) {
        upc_forall (int i = 0; i < R * THREADS - 1; i++; &two[i][0]) { //> halos: 1 rows an iteration, in order: the body is not
            if (t != MYTHREAD || i % 2 == 0)
                continue;
            for (int j = 0; j < C; j++)
                two[i + 1][j] = two[i + 1][j] + two[i + 1][(j + 1) % C] + j;
            for (int j = 0; j < C; j++)
                two[i][j] += two[i + 1][j];
        }
        upc_barrier;
    }
}

/* The first access to a row while it travels is a write, so that nothing has waited for the row. */
static void overwritten(void) {
    for (int t = 0; t < THREADS; t++) {
        upc_forall (int i = 0; i < R * THREADS - 1; i++; &two[i][0]) { //> halos: 1 rows an iteration, in order: the body is not
            if (t != MYTHREAD || i % 2 == 0)
                continue;
            for (int j = 0; j < C; j++)
                two[i + 1][j] = two[i][j] * 3 + j;
            for (int j = 0; j < C; j++)
                two[i][j] += two[i + 1][C - 1 - j];
        }
        upc_barrier;
    }
}

static void records(void) {
    upc_forall (int i = 1; i < R * THREADS; i++; &c[i][0]) //> halos: 1 rows an iteration, those on
        for (int j = 0; j < C; j++)
            c[i][j] += cells[i - 1][j].x * cells[i - 1][j].n;
}

/* Short rows, and more of them than can travel at a time. */
static void sizes(void) {
    upc_forall (int i = 1; i < R * THREADS; i++; &narrower[i][0])
        for (int j = 0; j < 4; j++)
            narrower[i][j] = narrow[i - 1][j];
    upc_forall (int i = 1; i < 2 * THREADS; i++; &wider[i][0]) //> halos: 1 rows an iteration, those on
        for (int j = 0; j < LONG; j++)
            wider[i][j] = wide[i - 1][LONG - 1 - j];
    long sum = 0;
    upc_forall (int i = 1; i < 300 * THREADS; i++; &many[i][0]) //> halos: 1 rows an iteration, in order: the loop assigns variables
        for (int j = 0; j < LONG; j++)
            sum += many[i - 1][j] * (j % 5) + i;
    lines = sum;
}

static double digest(shared [R * C] double (*of)[C]) {
    double sum = 0;
    for (int i = 0; i < R * THREADS; i++)
        for (int j = 0; j < C; j++)
            sum += of[i][j] * ((i * 3 + j) % 17 + 1);
    return sum;
}

int main(void) {
    fill();
    five_points();
    upc_barrier;
    double five = digest(c);
    upc_barrier;
    long ends = nine_points(C);
    seven_points();
    blocks();
    upc_barrier;
    double nine = digest(c);
    upc_barrier;
    edges();
    upc_barrier;
    double with_edges = digest(b);
    upc_barrier;
    in_order();
    double ordered = digest(b) + digest(c);
    upc_barrier;
    double last = outlasting();
    written();
    overwritten();
    records();
    sizes();
    upc_barrier;
    double seven = 0;
    long whole = 0;
    for (int i = 0; i < R * THREADS; i++)
        for (int j = 0; j < C; j++) {
            seven += next[i][2][j] * j + next[i][P - 2][j];
            whole += from_two[i][j] * (j + 1L) + from_one[i][j] * i + two[i][j] + narrower[i][j % 4];
        }
    for (int i = 0; i < 2 * THREADS; i++)
        for (int j = 0; j < LONG; j++)
            whole += wider[i][j] * (j % 3);
    printf("%d: %g %g %g %g %g %g %ld %ld %ld %g\n", MYTHREAD, five, nine, with_edges, ordered, last, seven, whole,
           ends, lines, digest(c));
    return 0;
}
