/* cannon: C = A * B by Cannon's algorithm, on a square of q x q blocks.
 *
 * The blocks of a matrix are a spread array with two dimensions: A[i][j] is a block that lies whole on one
 * processor. The rows of A are skewed to the left and the columns of B upwards, row i and column i by i
 * places; then q times each block of C adds the product of the two blocks that have come to its place, and A
 * moves one place to the left, B one upwards. A block moves by one bulk_store from its owner to the next;
 * all_store_sync waits until all have moved. Arriving blocks are stored beside those in use, in the second of
 * two matrices.
 *
 * Thus q need not be the square root of PROCS: a processor computes its own blocks, any number of
 * them.
 *
 *     cannon [q [block [seed]]]      matrices of (q * block) x (q * block) */
#include "arguments.h"
#include <limits.h>
#include <string.h>

static double element(long seed, long matrix, long row, long column) {
    return (double)(scramble(seed * 2 + matrix, row << 20 | column) % 64) - 32;
}

/* Fills this processor's blocks of a matrix: of A (matrix 0) or B (matrix 1), or zeros. */
static void fill(long seed, int matrix, int q, int b, double X[q][q]::[b][b]) {
    int i, j, r, c;
    for_my_2d(i, j, q, q) {
        double(*x)[b] = tolocal(X[i][j]);
        for (r = 0; r < b; r++)
            for (c = 0; c < b; c++)
                x[r][c] = matrix < 0 ? 0 : element(seed, matrix, i * b + r, j * b + c);
    }
}

/* Moves the blocks of A to the left and those of B up, by one place, or, to skew them, by the number of the
 * row or column. Block (i, j) of a matrix is number i * q + j. */
static void move_blocks(int q, int b, double (*spread A)[b][b], double (*spread to_a)[b][b],
                        double (*spread B)[b][b], double (*spread to_b)[b][b], int skew) {
    int i, j;
    for_my_2d(i, j, q, q) {
        int left = skew ? i : 1, up = skew ? j : 1;
        bulk_store(to_a + i * q + (j + q - left) % q, tolocal(A[i * q + j]), sizeof(double[b][b]));
        bulk_store(to_b + (i + q - up) % q * q + j, tolocal(B[i * q + j]), sizeof(double[b][b]));
    }
    all_store_sync();
}

/* z += x * y */
static void add_product(int b, double z[b][b], double x[b][b], double y[b][b]) {
    int i, j, k;
    for (i = 0; i < b; i++)
        for (k = 0; k < b; k++)
            for (j = 0; j < b; j++)
                z[i][j] += x[i][k] * y[k][j];
}

/* C += A * B; overwrites A and B. */
static void multiply(int q, int b, double (*spread C)[b][b], double (*spread A)[b][b],
                     double (*spread B)[b][b]) {
    double A2[q * q]::[b][b], B2[q * q]::[b][b];
    double(*spread to_a)[b][b] = A2, (*spread to_b)[b][b] = B2, (*spread from)[b][b];
    int i, step;
    for (step = 0; step < q; step++) {
        move_blocks(q, b, A, to_a, B, to_b, step == 0);
        from = A, A = to_a, to_a = from;
        from = B, B = to_b, to_b = from;
        for_my_1d(i, q * q) add_product(b, tolocal(C[i]), tolocal(A[i]), tolocal(B[i]));
        barrier();
    }
}

/* Returns the number of own elements of C that differ from the product, computed row by column. */
static long count_wrong(long seed, int q, int b, double C[q][q]::[b][b]) {
    int i, j, r, c, k, n = q * b;
    long wrong = 0;
    for_my_2d(i, j, q, q) {
        double(*own)[b] = tolocal(C[i][j]);
        for (r = 0; r < b; r++)
            for (c = 0; c < b; c++) {
                double sum = 0;
                for (k = 0; k < n; k++)
                    sum += element(seed, 0, i * b + r, k) * element(seed, 1, k, j * b + c);
                wrong += own[r][c] != sum; /* whole numbers: exact */
            }
    }
    return all_reduce_to_all_ladd(wrong);
}

int splitc_main(int argc, char **argv) {
    struct argument list[] = {{"q", 4, 1, 1000}, {"block", 12, 1, 1000}, {"seed", 1, 0, LONG_MAX / 4}};
    read_arguments(argc, argv, list, 3);
    int q = list[0].value, b = list[1].value;
    long seed = list[2].value, wrong;
    double A[q][q]::[b][b], B[q][q]::[b][b], C[q][q]::[b][b];
    fill(seed, 0, q, b, A);
    fill(seed, 1, q, b, B);
    fill(seed, -1, q, b, C);
    barrier();
    double took = get_seconds();
    multiply(q, b, C[0], A[0], B[0]);
    took = get_seconds() - took;
    wrong = count_wrong(seed, q, b, C);
    on_one {
        printf("cannon: %d x %d matrices in %d x %d blocks, seed %ld: ", q * b, q * b, q, q, seed);
        if (wrong)
            printf("%ld elements are wrong\n", wrong);
        else
            printf("ok\n");
        printf("time %.6f s on %d processors, %.0f million multiplications a second\n", took, PROCS,
               (double)q * q * q * b * b * b / took / 1e6);
    }
    exit(wrong != 0);
}
