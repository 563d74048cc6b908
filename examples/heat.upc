/* heat: heat spreads over a square plate, whose rows lie in blocks over the threads.
 *
 * Each point becomes the mean of its four neighbours until nothing changes any more (Jacobi's method). Each
 * thread allocates its own rows, and a directory in shared memory holds the address of every row. In
 * upc_forall a row is computed by the thread that has it, through private pointers; only the rows above and
 * below a thread's block are read from another thread's memory.
 *
 * The edges are hot above, cold below, and fall evenly in between, so the exact answer is known: every row
 * has the temperature of its edges.  The program checks that. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <upc_relaxed.h>

#define N 24      /* columns */
#define HEIGHT 32 /* rows */
#define ROWS ((HEIGHT + THREADS - 1) / THREADS)
#define TOLERANCE 1e-7

/* The directories: row i of a plate, for i < HEIGHT. (If the number of threads is known only at start, the
 * length of a shared array is a multiple of THREADS; elements beyond HEIGHT are unused.) */
typedef shared[] double *row_t;
static shared row_t now[HEIGHT * THREADS], next[HEIGHT * THREADS];
static shared double change[THREADS];

static int owner(int i) { return i / ROWS; }
static double exact(int i) { return 100.0 * (HEIGHT - 1 - i) / (HEIGHT - 1); }

/* Gives every row to its owner; edges get their fixed values, the inside starts cold. */
static void make_plate(void) {
    upc_forall(int i = 0; i < HEIGHT; i++; owner(i)) {
        now[i] = (row_t)upc_alloc(N * sizeof(double));
        next[i] = (row_t)upc_alloc(N * sizeof(double));
        for (int j = 0; j < N; j++) {
            int edge = i == 0 || i == HEIGHT - 1 || j == 0 || j == N - 1;
            now[i][j] = next[i][j] = edge ? exact(i) : 0;
        }
    }
    upc_barrier;
}

/* Does one step from `from` to `to`. Returns the greatest change among this thread's points. */
static double relax(shared row_t *from, shared row_t *to) {
    double greatest = 0;
    upc_forall(int i = 1; i < HEIGHT - 1; i++; owner(i)) {
        row_t above = from[i - 1], below = from[i + 1];
        double *here = (double *)from[i], *result = (double *)to[i]; /* this thread's own rows */
        for (int j = 1; j < N - 1; j++) {
            result[j] = (above[j] + below[j] + here[j - 1] + here[j + 1]) / 4;
            greatest = fmax(greatest, fabs(result[j] - here[j]));
        }
    }
    return greatest;
}

/* Returns the greatest change of all threads, on every thread. */
static double agree(double mine) {
    double greatest = 0;
    change[MYTHREAD] = mine;
    upc_barrier;
    for (int t = 0; t < THREADS; t++)
        greatest = fmax(greatest, change[t]);
    upc_barrier;
    return greatest;
}

int main(void) {
    make_plate();
    int steps = 0;
    double greatest;
    do {
        greatest = steps % 2 ? relax(next, now) : relax(now, next);
        steps++;
    } while (agree(greatest) > TOLERANCE);

    double error = 0;
    upc_forall(int i = 0; i < HEIGHT; i++; owner(i)) for (int j = 0; j < N; j++)
        error = fmax(error, fabs(now[i][j] - exact(i)));
    error = agree(error);
    if (MYTHREAD == 0) {
        for (int i = 0; i < HEIGHT; i += 8)
            printf("row %2d: %8.4f degrees\n", i, now[i][N / 2]);
        printf("%d steps, greatest error %s 0.001\n", steps, error < 0.001 ? "under" : "OVER");
    }
    return error < 0.001 ? 0 : 1;
}
