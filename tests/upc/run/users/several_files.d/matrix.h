/* Matrices of shared rows, made by matrix.upc. */
#ifndef MATRIX_H
#define MATRIX_H
#include <upc.h>

#define COLUMNS 8

typedef shared [COLUMNS] double *matrix;

extern shared [COLUMNS] double identity[COLUMNS * THREADS];
extern shared int matrices_made;
extern int made_here;

matrix matrix_new(int rows);
void matrix_fill(matrix m, int rows, double (*value)(int, int));
double matrix_trace(matrix m, int rows);
void matrix_add(matrix to, matrix from, int rows);
static inline double matrix_at(matrix m, int i, int j) { return m[i * COLUMNS + j]; }

#endif
