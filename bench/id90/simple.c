/* Hydrodynamics and heat conduction: arrays of the nodes and the cells, which each step overwrites. With
 * OpenMP the rows of each loop are shared out, except in the last sum, whose result depends on the order. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "print.h"

enum { MOST = 320, MESHES = 12 };
typedef double (*mesh)[MOST + 1];
static double all[MESHES][MOST + 1][MOST + 1];
static mesh x = all[0], y = all[1], u = all[2], v = all[3], d = all[4], e = all[5], p = all[6], m = all[7],
            q = all[8], un = all[9], vn = all[10], dn = all[11];
static int n;
static const double gamma_ = 1.4;

static double area(int i, int j) {
    return (x[i][j] - x[i - 1][j - 1]) * (y[i - 1][j] - y[i][j - 1]) -
           (x[i - 1][j] - x[i][j - 1]) * (y[i][j] - y[i - 1][j - 1]);
}
static int inside(int i) { return i < 1 ? 1 : i > n ? n : i; }
static double at(mesh a, int i, int j) { return a[inside(i)][inside(j)]; }

static void start(void) {
    for (int i = 0; i <= n; i++)
        for (int j = 0; j <= n; j++) {
            x[i][j] = j;
            y[i][j] = i;
        }
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= n; j++) {
            d[i][j] = 1.0 + 0.1 * (i * j % 3);
            e[i][j] = i + j < n ? 2.0 : 1.0;
            p[i][j] = (gamma_ - 1.0) * d[i][j] * e[i][j];
            m[i][j] = d[i][j] * fabs(area(i, j));
        }
}

/* Conducts heat along a line of cells with a stride, in place. */
static void conduct(double *t, int stride, double k) {
    double a[MOST + 1], b[MOST + 1];
    a[1] = k / (1.0 + k);
    b[1] = t[stride] / (1.0 + k);
    for (int i = 2; i <= n; i++) {
        double below = 1.0 + 2.0 * k - k * a[i - 1];
        a[i] = k / below;
        b[i] = (t[i * stride] + k * b[i - 1]) / below;
    }
    t[n * stride] = b[n];
    for (int i = n - 1; i >= 1; i--)
        t[i * stride] = a[i] * t[(i + 1) * stride] + b[i];
}

static void exchange(mesh *old, mesh *new) {
    mesh other = *old;
    *old = *new;
    *new = other;
}

static void step(double dt) {
#pragma omp parallel for
    for (int i = 0; i <= n; i++)
        for (int j = 0; j <= n; j++) {
            double sw = at(p, i, j), se = at(p, i, j + 1), nw = at(p, i + 1, j), ne = at(p, i + 1, j + 1);
            double mass = (at(m, i, j) + at(m, i + 1, j) + at(m, i, j + 1) + at(m, i + 1, j + 1)) / 4;
            un[i][j] = j == 0 || j == n ? 0.0 : u[i][j] - dt * ((se + ne) - (sw + nw)) / mass;
            vn[i][j] = i == 0 || i == n ? 0.0 : v[i][j] - dt * ((nw + ne) - (sw + se)) / mass;
        }
    exchange(&u, &un);
    exchange(&v, &vn);
#pragma omp parallel for
    for (int i = 0; i <= n; i++)
        for (int j = 0; j <= n; j++) {
            x[i][j] += dt * u[i][j];
            y[i][j] += dt * v[i][j];
        }
#pragma omp parallel for
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= n; j++) {
            dn[i][j] = m[i][j] / fabs(area(i, j));
            double c = dn[i][j] / d[i][j] - 1.0;
            q[i][j] = c > 0.0 ? 1.5 * dn[i][j] * c * c : 0.0;
            e[i][j] -= (p[i][j] + q[i][j]) * (1.0 / dn[i][j] - 1.0 / d[i][j]);
        }
#pragma omp parallel for
    for (int i = 1; i <= n; i++)
        conduct(e[i], 1, 0.1 * dt);
#pragma omp parallel for
    for (int j = 1; j <= n; j++)
        conduct(&e[0][j], MOST + 1, 0.1 * dt);
    exchange(&d, &dn);
#pragma omp parallel for
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= n; j++)
            p[i][j] = (gamma_ - 1.0) * d[i][j] * e[i][j] + q[i][j];
}

int main(int argc, char **argv) {
    n = argc > 1 ? atoi(argv[1]) : 4;
    if (n < 1 || n > MOST)
        return 2;
    start();
    for (int k = 0; k < (argc > 2 ? atoi(argv[2]) : 1); k++) {
        double c = 0.0;
#pragma omp parallel for reduction(max : c)
        for (int i = 1; i <= n; i++)
            for (int j = 1; j <= n; j++)
                c = fmax(c, sqrt(gamma_ * p[i][j] / d[i][j]));
        step(0.2 / c);
    }
    double s = 0.0;
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= n; j++)
            s += m[i][j] * (e[i][j] + (u[i][j] * u[i][j] + v[i][j] * v[i][j]) / 2);
    printf("(");
    print(s);
    printf(",(");
    print(x[n / 2][n / 2]);
    printf(",");
    print(y[n / 2][n / 2]);
    printf(",");
    print(d[n][n]);
    printf(",");
    print(e[1][1]);
    printf("))\n");
}
