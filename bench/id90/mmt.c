/* mmt.id in C, without blocks; with OpenMP the rows are shared out. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int n = 4 * (argc > 1 ? atoi(argv[1]) : 4);
    double sum = 0, left = 0;
#pragma omp parallel for reduction(+ : sum, left)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double s = 0;
            for (int k = 0; k < n; k++)
                s += (i == k ? 1.0 : 0.0) * (k == j ? 1.0 : 0.0);
            sum += fabs(s);
            left += fabs((i == j ? 1.0 : 0.0) - s);
        }
    printf("(%.1f,%.1f)\n", sum, left);
    return 0;
}
