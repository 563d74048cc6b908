/* The 24 Livermore kernels (F. McMahon, The Livermore Fortran Kernels, 1986), written from their formulas.
 *
 * This source is compiled three times: by the C compiler alone, as UPC with private arrays, and as UPC with
 * shared arrays that lie on thread 0, which runs the kernels:
 *
 *     -DVERSION=livermore_plain | livermore_private | livermore_shared    [-DSHARED="shared []"]
 *
 * The difference between the first two is the cost of translation, that between the last two the cost of a
 * local shared array. The loops are as long as those of the benchmark's first set.
 */
#include "livermore.h"

#include <math.h>

#ifndef SHARED
#define SHARED
#endif

/* Makes the C compiler forget the contents of memory, so that it cannot reuse them in the next turn. */
#define FORGET() __asm__ volatile("" ::: "memory")

#define KERNEL(name, ...)                                                                                    \
    static void name(long turns) {                                                                           \
        while (turns--) {                                                                                    \
            __VA_ARGS__                                                                                      \
            FORGET();                                                                                        \
        }                                                                                                    \
    }

#define VECTOR 1280 /* elements; the longest loops take 1001 and read a little beyond */
#define LINE 101

static SHARED double x[VECTOR], y[VECTOR], z[VECTOR], u[VECTOR], v[VECTOR], w[VECTOR], g[VECTOR], xx[VECTOR];
static SHARED double vx[VECTOR], grd[VECTOR], ex[VECTOR], dex[VECTOR], xi[VECTOR], ex1[VECTOR], dex1[VECTOR];
static SHARED double rx[VECTOR], rh[2 * VECTOR], b5[LINE], sa[LINE], sb[LINE];
static SHARED double vsp[LINE], vstp[LINE], vxne[LINE], vxnd[LINE], ve3[LINE], vlr[LINE], vlin[LINE];
static SHARED double px[LINE][25], cx[LINE][25], vy[25][25], matrix[64][64];
static SHARED double u1[2][LINE][5], u2[2][LINE][5], u3[2][LINE][5], du1[LINE], du2[LINE], du3[LINE];
static SHARED double za[7][LINE], zb[7][LINE], zm[7][LINE], zp[7][LINE], zq[7][LINE], zr[7][LINE];
static SHARED double zu[7][LINE], zv[7][LINE], zz[7][LINE];
static SHARED double vf[7][LINE], vg[7][LINE], vh[7][LINE], vs[7][LINE], vw[7][LINE];
static SHARED double p[64][4], b[64][64], c[64][64], h[66][66];
static SHARED double plan[300], d[300];
static SHARED long ix[VECTOR], ir[VECTOR], e[96], f[96], zone[302], found[2];

/* Parameters of several kernels. */
static SHARED double q, r, s, t, flux, dk;

KERNEL(hydro_fragment, for (long k = 0; k < 1001; k++) x[k] = q + y[k] * (r * z[k + 10] + t * z[k + 11]);)

/* Each pass has half as many elements as the one before, and writes after the elements it reads. */
KERNEL(
    incomplete_cholesky, for (long many = 101, end = 0; many > 0;) {
        long begin = end, i = end + many - 1;
        end += many;
        many /= 2;
        for (long k = begin + 1; k < end; k += 2)
            x[++i] = x[k] - v[k] * x[k - 1] - v[k + 1] * x[k + 1];
    })

KERNEL(inner_product, double sum = 0; for (long k = 0; k < 1001; k++) sum += z[k] * x[k]; w[0] = sum;)

KERNEL(
    banded_equations, for (long k = 6; k < 1001; k += (1001 - 7) / 2) {
        long at = k - 6;
        double sum = x[k - 1];
        for (long j = 4; j < 1001; j += 5)
            sum -= x[at++] * y[j];
        x[k - 1] = y[4] * sum;
    })

KERNEL(tridiagonal_elimination, for (long i = 1; i < 1001; i++) x[i] = z[i] * (y[i] - x[i - 1]);)

KERNEL(
    linear_recurrence, for (long i = 1; i < 64; i++) {
        w[i] = 0.01;
        for (long k = 0; k < i; k++)
            w[i] += matrix[k][i] * w[i - k - 1];
    })

KERNEL(equation_of_state,
       for (long k = 0; k < 995; k++) x[k] = u[k] + r * (z[k] + r * y[k]) +
                                             t * (u[k + 3] + r * (u[k + 2] + r * u[k + 1]) +
                                                  t * (u[k + 6] + q * (u[k + 5] + q * u[k + 4])));)

/* Computes plane 1 of u1, u2 and u3 from plane 0. */
KERNEL(
    adi_integration, for (long i = 1; i < 3; i++) for (long j = 1; j < 100; j++) {
        du1[j] = u1[0][j + 1][i] - u1[0][j - 1][i];
        du2[j] = u2[0][j + 1][i] - u2[0][j - 1][i];
        du3[j] = u3[0][j + 1][i] - u3[0][j - 1][i];
        u1[1][j][i] = u1[0][j][i] + 0.1 * du1[j] + 0.2 * du2[j] + 0.3 * du3[j] +
                      0.05 * (u1[0][j][i + 1] - 2 * u1[0][j][i] + u1[0][j][i - 1]);
        u2[1][j][i] = u2[0][j][i] + 0.4 * du1[j] + 0.5 * du2[j] + 0.6 * du3[j] +
                      0.05 * (u2[0][j][i + 1] - 2 * u2[0][j][i] + u2[0][j][i - 1]);
        u3[1][j][i] = u3[0][j][i] + 0.7 * du1[j] + 0.8 * du2[j] + 0.9 * du3[j] +
                      0.05 * (u3[0][j][i + 1] - 2 * u3[0][j][i] + u3[0][j][i - 1]);
    })

KERNEL(integrate_predictors,
       for (long i = 0; i < LINE; i++) px[i][0] = 0.028 * px[i][12] + 0.027 * px[i][11] + 0.026 * px[i][10] +
                                                  0.025 * px[i][9] + 0.024 * px[i][8] + 0.023 * px[i][7] +
                                                  0.022 * px[i][6] + 0.5 * (px[i][4] + px[i][5]) + px[i][2];)

/* The difference of two rows is the next row's new value. */
KERNEL(
    difference_predictors, for (long i = 0; i < LINE; i++) {
        double one = cx[i][4], two = one - px[i][4];
        px[i][4] = one;
        one = two - px[i][5], px[i][5] = two;
        two = one - px[i][6], px[i][6] = one;
        one = two - px[i][7], px[i][7] = two;
        two = one - px[i][8], px[i][8] = one;
        one = two - px[i][9], px[i][9] = two;
        two = one - px[i][10], px[i][10] = one;
        one = two - px[i][11], px[i][11] = two;
        px[i][13] = one - px[i][12], px[i][12] = one;
    })

KERNEL(first_sum, x[0] = y[0]; for (long k = 1; k < 1001; k++) x[k] = x[k - 1] + y[k];)

KERNEL(first_difference, for (long k = 0; k < 1000; k++) x[k] = y[k + 1] - y[k];)

KERNEL(
    particles_in_plane, for (long i = 0; i < 64; i++) {
        long i1 = (long)p[i][0] & 63, j1 = (long)p[i][1] & 63;
        p[i][2] += b[j1][i1];
        p[i][3] += c[j1][i1];
        p[i][0] += p[i][2];
        p[i][1] += p[i][3];
        long i2 = ((long)p[i][0] & 63) - 1, j2 = ((long)p[i][1] & 63) - 1;
        p[i][0] += y[i2 + 32];
        p[i][1] += z[j2 + 32];
        i2 += e[i2 + 32];
        j2 += f[j2 + 32];
        h[j2][i2] += 1;
    })

KERNEL(
    particles_on_line,
    for (long k = 0; k < 1001; k++) {
        vx[k] = 0;
        xx[k] = 0;
        ix[k] = (long)grd[k];
        xi[k] = (double)ix[k];
        ex1[k] = ex[ix[k] - 1];
        dex1[k] = dex[ix[k] - 1];
    } for (long k = 0; k < 1001; k++) {
        vx[k] += ex1[k] + (xx[k] - xi[k]) * dex1[k];
        xx[k] += vx[k] + flux;
        ir[k] = (long)xx[k];
        rx[k] = xx[k] - (double)ir[k];
        ir[k] = (ir[k] & 2047) + 1;
        xx[k] = rx[k] + (double)ir[k];
    } for (long k = 0; k < 1001; k++) {
        rh[ir[k] - 1] += 1 - rx[k];
        rh[ir[k]] += rx[k];
    })

static double greater(double one, double other) { return one > other ? one : other; }

KERNEL(
    casual, for (long j = 1; j < 7; j++) for (long k = 1; k < LINE; k++) {
        if (j + 1 == 7) {
            vw[j][k] = 0;
            continue;
        }
        double factor = vh[j + 1][k] > vh[j][k] ? 0.053 : 0.073;
        long at = vf[j][k] < vf[j][k - 1] ? k - 1 : k;
        double most = greater(vh[j][at], vh[j + 1][at]);
        vw[j][k] = sqrt(vg[j][k] * vg[j][k] + most * most) * factor / vf[j][at];
        if (k + 1 == LINE) {
            vs[j][k] = 0;
            continue;
        }
        int before = vf[j][k] < vf[j - 1][k];
        long row = before ? j - 1 : j;
        most = greater(vg[row][k], vg[row][k + 1]);
        vs[j][k] = sqrt(vh[j][k] * vh[j][k] + most * most) * (before ? 0.073 : 0.053) / vf[row][k];
    })

/* The search of zones for a point: the signs of a value and of the zone decide how the search continues. */
#define POINTS 75

static double search_value(long to) {
    if (to < POINTS)
        return plan[to - 1] - (to < POINTS / 3 ? t : to < 2 * POINTS / 3 ? s : r);
    double along = t - d[to - 3], across = s - d[to - 4], up = r - d[to - 5];
    return d[to - 1] - (d[to - 2] * along * along + across * across + up * up);
}

/* Counts the steps of the search, and those of them outside the plan. */
static void search(long *steps, long *outside) {
    for (long m = 1; m <= zone[0]; m++)
        for (long k = 1; k <= POINTS; k++) {
            long at = 2 * POINTS * (m - 1) + 1 + 2 * k, to = zone[at - 1], sign = zone[at - 2];
            (*steps)++;
            if (to == POINTS)
                return;
            *outside += to > POINTS;
            double value = search_value(to);
            if (value == 0 || sign == 0)
                return;
            if ((value < 0) != (sign < 0))
                break;
        }
}

KERNEL(monte_carlo_search, long steps = 0, outside = 0; search(&steps, &outside); found[0] = steps;
       found[1] = outside;)

KERNEL(
    conditional_computation, double last = 1.0 / 3, next = 1.03 / 3.07; for (long i = LINE - 1; i > 0; i--) {
        double e3 = last * vlr[i] + vlin[i], was = vxne[i], limit = 5.0 / 3 * e3;
        vxnd[i] = next;
        if (last > limit || was > limit) {
            next = last * vsp[i] + vstp[i];
            vxne[i] = next;
            ve3[i] = next;
        } else {
            ve3[i] = e3;
            next = e3 + e3 - last;
            vxne[i] = e3 + e3 - was;
        }
        last = next;
    })

KERNEL(
    explicit_hydrodynamics,
    for (long k = 1; k < 6; k++) for (long j = 1; j < 100; j++) {
        za[k][j] = (zp[k + 1][j - 1] + zq[k + 1][j - 1] - zp[k][j - 1] - zq[k][j - 1]) *
                   (zr[k][j] + zr[k][j - 1]) / (zm[k][j - 1] + zm[k + 1][j - 1]);
        zb[k][j] = (zp[k][j - 1] + zq[k][j - 1] - zp[k][j] - zq[k][j]) * (zr[k][j] + zr[k - 1][j]) /
                   (zm[k][j] + zm[k][j - 1]);
    } for (long k = 1; k < 6; k++) for (long j = 1; j < 100; j++) {
        zu[k][j] += 0.0041 *
                    (za[k][j] * (zz[k][j] - zz[k][j + 1]) - za[k][j - 1] * (zz[k][j] - zz[k][j - 1]) -
                     zb[k][j] * (zz[k][j] - zz[k - 1][j]) + zb[k + 1][j] * (zz[k][j] - zz[k + 1][j]));
        zv[k][j] += 0.0041 *
                    (za[k][j] * (zr[k][j] - zr[k][j + 1]) - za[k][j - 1] * (zr[k][j] - zr[k][j - 1]) -
                     zb[k][j] * (zr[k][j] - zr[k - 1][j]) + zb[k + 1][j] * (zr[k][j] - zr[k + 1][j]));
    } for (long k = 1; k < 6; k++) for (long j = 1; j < 100; j++) {
        zr[k][j] += 0.0037 * zu[k][j];
        zz[k][j] += 0.0037 * zv[k][j];
    })

KERNEL(
    recurrence_both_ways, double last = 0.01; for (long k = 0; k < LINE; k++) {
        b5[k] = sa[k] + last * sb[k];
        last = b5[k] - last;
    } for (long k = LINE - 1; k >= 0; k--) {
        b5[k] = sa[k] + last * sb[k];
        last = b5[k] - last;
    })

KERNEL(
    discrete_ordinates, for (long k = 0; k < 1000; k++) {
        double di = y[k] - g[k] / (xx[k] + dk), dn = 0.2;
        if (di != 0) {
            dn = z[k] / di;
            if (t < dn)
                dn = t;
            if (s > dn)
                dn = s;
        }
        x[k] = ((w[k] + v[k] * dn) * xx[k] + u[k]) / (vx[k] + v[k] * dn);
        xx[k + 1] = (x[k] - xx[k]) * dn + xx[k];
    })

KERNEL(matrix_product,
       for (long k = 0; k < 25; k++) for (long i = 0; i < 25; i++) for (long j = 0; j < LINE; j++)
           px[j][i] += vy[k][i] * cx[j][k];)

KERNEL(
    planckian, u[LINE - 1] = 0.99 * 20 * v[LINE - 1]; for (long k = 0; k < LINE; k++) {
        y[k] = u[k] / v[k];
        w[k] = x[k] / (exp(y[k]) - 1);
    })

KERNEL(
    implicit_hydrodynamics, for (long j = 1; j < 6; j++) for (long k = 1; k < 100; k++) {
        double to = za[j + 1][k] * zr[j][k] + za[j - 1][k] * zb[j][k] + za[j][k + 1] * zu[j][k] +
                    za[j][k - 1] * zv[j][k] + zz[j][k];
        za[j][k] += 0.175 * (to - za[j][k]);
    })

KERNEL(first_minimum, long least = 0; for (long k = 1; k < 1001; k++) if (x[k] < x[least]) least = k;
       found[0] = least;)

/* ---- first values, and sums ---------------------------------------------------------------------------- */

struct array {
    SHARED double *at;
    long many;
    double low, high; /* range of the first values */
};
#define VALUES(array, low, high)                                                                             \
    { (SHARED double *)(array), sizeof(array) / sizeof(double), low, high }
#define VALUE(word, value)                                                                                   \
    { &(word), 1, value, value }

static struct array arrays[] = {
    VALUES(x, 0.1, 1),     VALUES(y, 0.1, 0.2),     VALUES(z, 0.1, 0.9),    VALUES(u, 0.1, 1),
    VALUES(v, 0.5, 1),     VALUES(w, 0.1, 1),       VALUES(g, 0.01, 0.1),   VALUES(xx, 0.1, 1),
    VALUES(vx, 0.5, 1),    VALUES(grd, 1, 1000),    VALUES(ex, 0, 1),       VALUES(dex, 0, 0.001),
    VALUES(xi, 0, 0),      VALUES(ex1, 0, 0),       VALUES(dex1, 0, 0),     VALUES(rx, 0, 0),
    VALUES(rh, 0, 0),      VALUES(b5, 0, 0),        VALUES(sa, 0.1, 0.2),   VALUES(sb, 0.2, 0.8),
    VALUES(vsp, 0.1, 0.5), VALUES(vstp, 0.1, 0.2),  VALUES(vxne, 0.2, 1),   VALUES(vxnd, 0, 0),
    VALUES(ve3, 0, 0),     VALUES(vlr, 0.4, 0.6),   VALUES(vlin, 0.1, .3),  VALUES(px, 0.1, 1),
    VALUES(cx, 0.1, 1),    VALUES(vy, 0.001, 0.01), VALUES(matrix, 0, .02), VALUES(u1, 0.1, 1),
    VALUES(u2, 0.1, 1),    VALUES(u3, 0.1, 1),      VALUES(du1, 0, 0),      VALUES(du2, 0, 0),
    VALUES(du3, 0, 0),     VALUES(za, 0.1, 1),      VALUES(zb, 0.1, 0.2),   VALUES(zm, 1, 2),
    VALUES(zp, 0.1, 0.2),  VALUES(zq, 0.1, 0.2),    VALUES(zr, 0.1, 0.2),   VALUES(zu, 0.1, 0.2),
    VALUES(zv, 0.1, 0.2),  VALUES(zz, 0.1, 0.2),    VALUES(vf, 0.5, 1),     VALUES(vg, 0.1, 1),
    VALUES(vh, 0.1, 1),    VALUES(vs, 0, 0),        VALUES(vw, 0, 0),       VALUES(p, 1, 64),
    VALUES(b, 0, 0.1),     VALUES(c, 0, 0.1),       VALUES(h, 0, 0),        VALUES(plan, 0, 1),
    VALUES(d, 0, 1),       VALUE(q, 0.1),           VALUE(r, 0.3),          VALUE(s, 0.4),
    VALUE(t, 0.5),         VALUE(flux, 0.001),      VALUE(dk, 0.5),
};
#define ARRAYS (sizeof arrays / sizeof *arrays)

/* Returns the next number of a fixed sequence of numbers between 0 and 1. */
static double next_value(unsigned long *state) {
    *state = *state * 6364136223846793005UL + 1442695040888963407UL;
    return (double)(*state >> 40) * 0x1p-24;
}

static void prepare(void) {
    unsigned long state = 1;
    for (unsigned long a = 0; a < ARRAYS; a++)
        for (long i = 0; i < arrays[a].many; i++)
            arrays[a].at[i] = arrays[a].low + (arrays[a].high - arrays[a].low) * next_value(&state);
    for (long i = 0; i < VECTOR; i++)
        ix[i] = ir[i] = 0;
    for (long i = 0; i < 96; i++)
        e[i] = f[i] = 1 + i % 2;
    /* Two zones: the successor of each point, and before it the sign with which the search continues
     * there. */
    zone[0] = 2;
    for (long i = 1; i < 302; i++) {
        long to = 1 + i * 37 % 90;
        zone[i] = i % 2 ? 0 : to == POINTS ? POINTS - 1 : to;
    }
    for (long i = 1; i < 301; i += 2)
        zone[i] = search_value(zone[i + 1]) < 0 ? -1 : 1;
    found[0] = found[1] = 0;
}

static double sum(void) {
    double sum = (double)found[0] + 3 * (double)found[1];
    for (unsigned long a = 0; a < ARRAYS; a++)
        for (long i = 0; i < arrays[a].many; i++)
            sum += arrays[a].at[i] * (double)(1 + (i * 7 + (long)a) % 31);
    for (long i = 0; i < VECTOR; i++)
        sum += (double)(ix[i] + 3 * ir[i]) * (double)(1 + i % 17);
    return sum;
}

/* The sums are those of plain C without optimisation. */
static const struct livermore_kernel kernels[LIVERMORE_KERNELS] = {
    {"1 hydro fragment", hydro_fragment, 5 * 1001, 10837950.143829133},
    {"2 incomplete Cholesky", incomplete_cholesky, 4 * 97, 10843197.23857202},
    {"3 inner product", inner_product, 2 * 1001, 10845942.749093808},
    {"4 banded equations", banded_equations, 2 * 3 * 200, 10844141.258619506},
    {"5 tridiagonal elimination", tridiagonal_elimination, 2 * 1000, 10836202.377031233},
    {"6 linear recurrence", linear_recurrence, 2 * 2016, 10843743.806128733},
    {"7 equation of state", equation_of_state, 16 * 995, 10855623.944014724},
    {"8 ADI integration", adi_integration, 36 * 2 * 99, 10844084.226259628},
    {"9 integrate predictors", integrate_predictors, 17 * LINE, 10845341.841643455},
    {"10 difference predictors", difference_predictors, 9 * LINE, 10804331.81732684},
    {"11 first sum", first_sum, 1000, 12038960.30465007},
    {"12 first difference", first_difference, 1000, 10835387.700062057},
    {"13 particles in a plane", particles_in_plane, 7 * 64, 10913981.324954133},
    {"14 particles on a line", particles_on_line, 11 * 1001, 23797112.543174207},
    {"15 casual Fortran", casual, 33 * 5 * 100, 10845370.490889432},
    {"16 Monte Carlo search", monte_carlo_search, 2 * POINTS, 10844479.836474475},
    {"17 conditional computation", conditional_computation, 9 * 100, 10844972.453282762},
    {"18 explicit hydrodynamics", explicit_hydrodynamics, 44 * 5 * 99, 10838741.6796987},
    {"19 recurrence both ways", recurrence_both_ways, 6 * LINE, 10844583.34611213},
    {"20 discrete ordinates", discrete_ordinates, 26 * 1000, 10921731.847127389},
    {"21 matrix product", matrix_product, 2 * 25 * 25 * LINE, 10847300.226024479},
    {"22 Planckian distribution", planckian, 17 * LINE, 10846435.080239639},
    {"23 implicit hydrodynamics", implicit_hydrodynamics, 11 * 5 * 99, 10844163.104729367},
    {"24 first minimum", first_minimum, 1000, 10845139.836474475},
};

const struct livermore_version VERSION = {kernels, prepare, sum};
