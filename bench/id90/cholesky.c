/* cholesky.id in C, column by column. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "print.h"

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 12;
    double *l = calloc((size_t)(n * n), sizeof *l), sum = 0;
    for (int j = 0; j < n; j++)
        for (int i = j; i < n; i++) {
            double s = 0;
            for (int k = 0; k < j; k++)
                s += l[i * n + k] * l[j * n + k];
            l[i * n + j] = i == j ? sqrt(i + 13 - s) : (1.0 / (i + j + 2) - s) / l[j * n + j];
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            sum += l[i * n + j];
    print(sum);
    putchar('\n');
    free(l);
    return 0;
}
