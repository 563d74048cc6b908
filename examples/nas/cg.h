/* cg: the sizes, the published values, and the rows of the matrix from first_row on. Serial C, included by
 * cg.upc and by the versions with OpenMP and MPI of `meridian bench nas`. Needs need(), as in nas.h. */
#ifndef NAS_CG_H
#define NAS_CG_H

#include "random.h"

#define SEED 314159265UL
#define STEPS 25      /* of conjugate gradients */
#define LEAST 0.1     /* weight of the last outer product, and the summand of the diagonal */
#define MOST_DRAWN 12 /* elements of a vector and its middle */

static const struct class {
    int n, drawn, rounds;
    double shift, zeta;
} classes[] = {
    {1400, 7, 15, 10, 8.5971775078648},
    {7000, 8, 15, 12, 10.362595087124},
    {14000, 11, 15, 20, 17.130235054029},
};
static const struct class *class;
static int n, rows, first_row; /* of the matrix; of this thread */

/* ---- the matrix ---------------------------------------------------------------------------------------- */

/* Row i of this thread has value[k] in column[k] for start[i] <= k < start[i + 1]. */
static struct {
    int *start, *column;
    double *value;
} matrix;

struct sparse {
    int length, index[MOST_DRAWN];
    double value[MOST_DRAWN];
};

/* Vector `middle': class->drawn random elements in random places, and 1/2 in the middle. */
static void draw(struct sparse *v, int middle, int places, uint64_t *random) {
    for (v->length = 0; v->length < class->drawn;) {
        double value = next_random(random);
        int place = (int)(places * next_random(random)), k = 0;
        if (place >= n)
            continue;
        while (k < v->length && v->index[k] != place)
            k++;
        if (k < v->length)
            continue;
        v->index[v->length] = place;
        v->value[v->length++] = value;
    }
    int k = 0;
    while (k < v->length && v->index[k] != middle)
        k++;
    v->index[k] = middle;
    v->value[k] = 0.5;
    v->length += k == v->length;
}

static struct sparse *draw_all(void) {
    struct sparse *vectors = need(malloc(n * sizeof *vectors));
    uint64_t random = SEED;
    int places = 1;
    while (places < n)
        places *= 2;
    next_random(&random);
    for (int i = 0; i < n; i++)
        draw(&vectors[i], i, places, &random);
    return vectors;
}

static int ascending(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

/* The vectors that have an element in row i are users[k] for start[i] <= k < start[i + 1]. Returns users. */
static int *find_users(const struct sparse *vectors, int *start) {
    int *users = need(malloc((size_t)n * MOST_DRAWN * sizeof *users));
    memset(start, 0, (rows + 2) * sizeof *start);
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < n; i++)
            for (int k = 0; k < vectors[i].length; k++) {
                int row = vectors[i].index[k] - first_row;
                if (row < 0 || row >= rows)
                    continue;
                if (pass)
                    users[start[row + 1]++] = i;
                else
                    start[row + 2]++;
            }
        for (int i = 0; !pass && i < rows; i++)
            start[i + 2] += start[i + 1];
    }
    return users;
}

/* Adds up a row of the matrix in a dense one, and takes its elements from there in order of their columns. */
static int make_row(int row, const struct sparse *vectors, const int *users, int used, double *dense,
                    bool *there, int at) {
    int length = 0, *column = matrix.column + at;
    for (int u = 0; u < used; u++) {
        const struct sparse *v = &vectors[users[u]];
        double factor = pow(LEAST, (double)users[u] / n);
        for (int k = 0; k < v->length; k++)
            if (v->index[k] == row)
                factor *= v->value[k];
        for (int k = 0; k < v->length; k++) {
            int j = v->index[k];
            if (!there[j])
                column[length++] = j;
            there[j] = true;
            dense[j] += factor * v->value[k];
        }
    }
    dense[row] += LEAST - class->shift;
    qsort(column, length, sizeof *column, ascending);
    for (int k = 0; k < length; k++) {
        matrix.value[at + k] = dense[column[k]];
        dense[column[k]] = 0;
        there[column[k]] = false;
    }
    return at + length;
}

static void make_matrix(void) {
    struct sparse *vectors = draw_all();
    int *start = need(malloc((rows + 2) * sizeof *start));
    int *users = find_users(vectors, start);
    double *dense = need(calloc(n, sizeof *dense));
    bool *there = need(calloc(n, sizeof *there));
    size_t capacity = (size_t)start[rows] * MOST_DRAWN + 1;
    matrix.start = need(calloc(rows + 1, sizeof *matrix.start));
    matrix.column = need(malloc(capacity * sizeof *matrix.column));
    matrix.value = need(malloc(capacity * sizeof *matrix.value));
    for (int i = 0; i < rows; i++)
        matrix.start[i + 1] = make_row(first_row + i, vectors, users + start[i], start[i + 1] - start[i],
                                       dense, there, matrix.start[i]);
    free(vectors);
    free(start);
    free(users);
    free(dense);
    free(there);
}

#endif
