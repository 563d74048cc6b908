// A program of several files: two UPC files and a C file with one header; statics of one name in each.
//: clause 6.5 p1
#include <stdio.h>
#include "matrix.h"

extern double value(int, int);
extern int calls;

int main(void) {
    const int rows = 2 * THREADS + 1;
    matrix a = matrix_new(rows), b = matrix_new(rows);
    matrix_fill(a, rows, value);
    matrix_fill(b, rows, value);
    matrix_add(a, b, rows);
    int n = rows < COLUMNS ? rows : COLUMNS, wrong = 0;
    if (matrix_trace(a, rows) != 3.0 * n)
        wrong |= 1;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < COLUMNS; j++)
            if (matrix_at(a, i, j) != 2 * value(i, j) || upc_threadof(&a[i * COLUMNS + j]) != i % THREADS)
                wrong |= 2;
    identity[MYTHREAD * COLUMNS] = MYTHREAD;
    upc_barrier;
    for (int t = 0; t < THREADS; t++)
        if (identity[t * COLUMNS] != t)
            wrong |= 4;
    if (matrices_made != 2 || made_here != 2 || calls != 100)
        wrong |= 8;
    if (wrong)
        printf("thread %d: %d\n", MYTHREAD, wrong);
    upc_barrier;
    if (MYTHREAD == 0) {
        upc_free(a);
        upc_free(b);
    }
    return wrong;
}
