#include "matrix.h"

shared [COLUMNS] double identity[COLUMNS * THREADS];
shared int matrices_made;
int made_here;
static int calls; /* distinct from main.upc's */

matrix matrix_new(int rows) {
    calls++;
    made_here = calls;
    matrix m = upc_all_alloc(rows, COLUMNS * sizeof(double));
    if (MYTHREAD == 0)
        matrices_made++;
    return m;
}

void matrix_fill(matrix m, int rows, double (*value)(int, int)) {
    int i, j;
    upc_forall (i = 0; i < rows; i++; &m[i * COLUMNS])
        for (j = 0; j < COLUMNS; j++)
            m[i * COLUMNS + j] = value(i, j);
    upc_barrier;
}

double matrix_trace(matrix m, int rows) {
    double sum = 0;
    for (int i = 0; i < rows && i < COLUMNS; i++)
        sum += matrix_at(m, i, i);
    return sum;
}

void matrix_add(matrix to, matrix from, int rows) {
    upc_forall (int i = 0; i < rows; i++; &to[i * COLUMNS]) {
        double *mine = (double *)&to[i * COLUMNS];
        for (int j = 0; j < COLUMNS; j++)
            mine[j] += from[i * COLUMNS + j];
    }
    upc_barrier;
}
