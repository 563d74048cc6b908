/* Cepstral coefficients, one frame after another, with the coefficients of a predictor updated in place.
 * With OpenMP the frames are shared out. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "print.h"

enum { LENGTH = 120, STEP = 80, ORDER = 10 };

static void cepstrum(const double *x, double *c) {
    double w[LENGTH], r[ORDER + 1], a[ORDER + 1] = {0}, before[ORDER + 1];
    for (int i = 0; i < LENGTH; i++)
        w[i] = x[i] * (0.54 - 0.46 * cos(6.283185307179586 * i / (LENGTH - 1)));
    for (int k = 0; k <= ORDER; k++) {
        r[k] = 0;
        for (int i = k; i < LENGTH; i++)
            r[k] += w[i] * w[i - k];
    }
    double e = r[0];
    for (int i = 1; i <= ORDER; i++) {
        double s = r[i];
        for (int j = 1; j < i; j++)
            s -= a[j] * r[i - j];
        double k = s / e;
        memcpy(before, a, sizeof a);
        a[i] = k;
        for (int j = 1; j < i; j++)
            a[j] = before[j] - k * before[i - j];
        e = (1.0 - k * k) * e;
    }
    for (int n = 1; n <= ORDER; n++) {
        c[n] = a[n];
        for (int k = 1; k < n; k++)
            c[n] += k * c[k] * a[n - k] / n;
    }
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 1, samples = STEP * n + LENGTH;
    double *x = malloc(((size_t)samples + 1) * sizeof *x);
    double(*c)[ORDER + 1] = malloc(((size_t)n + 1) * sizeof *c);
    long seed = 4711;
    double last = 0;
    for (int i = 0; i <= samples; i++) {
        double now = sin(0.13 * i) + 0.5 * sin(0.41 * i) + 0.25 * cos(0.83 * i) +
                     0.05 * (seed / 2147483647.0 - 0.5);
        x[i] = i ? now - 0.95 * last : now;
        last = now;
        seed = 16807 * seed % 2147483647;
    }
#pragma omp parallel for
    for (int f = 1; f <= n; f++)
        cepstrum(x + STEP * (f - 1), c[f]);
    printf("(");
    print(c[1][1]);
    printf(",");
    print(c[n][ORDER]);
    printf(",");
    for (int f = 1; f < n; f++) {
        double s = 0;
        for (int i = 1; i <= ORDER; i++)
            s += (c[f][i] - c[f + 1][i]) * (c[f][i] - c[f + 1][i]);
        print(sqrt(s));
        printf(":");
    }
    printf("Nil)\n");
    free(x);
    free(c);
}
