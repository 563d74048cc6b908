/* A fast Fourier transform of complex numbers in structures: cyclic layout, then a remap to blocks in one
 * phase of bulk stores, against the plain sum. */
#include <split-c/split-c.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "../../check.h"
typedef struct { double re, im; } cx;
#define N 64
cx x[N]::, y[N]::;

static cx input(int i) { cx c; c.re = (i * 5) % 7 - 3; c.im = i % 3; return c; }
static cx mul(cx a, cx b) {
    cx c;
    c.re = a.re * b.re - a.im * b.im;
    c.im = a.re * b.im + a.im * b.re;
    return c;
}
static cx unit(double turns) {
    cx c;
    c.re = cos(6.283185307179586 * turns);
    c.im = sin(6.283185307179586 * turns);
    return c;
}
static int reversed(int i) {
    int r = 0, b;
    for (b = 1; b < N; b <<= 1, i >>= 1)
        r = r << 1 | (i & 1);
    return r;
}

splitc_main() {
    int i, len, k;
    for_my_1d(i, N)
        x[reversed(i)] = input(i);
    barrier();
    for (len = 2; len <= N; len *= 2) {
        for_my_1d(i, N) {
            int half = len / 2, at = i % len, partner = at < half ? i + half : i - half;
            cx a, b, w = unit(-(double)(at % half) / len);
            a := x[i];
            b := x[partner];
            sync();
            if (at < half) {
                b = mul(b, w);
                a.re += b.re; a.im += b.im;
            } else {
                a = mul(a, w);
                a.re = b.re - a.re; a.im = b.im - a.im;
            }
            y[i] = a;
        }
        barrier();
        for_my_1d(i, N)
            x[i] = y[i];
        barrier();
    }
    for_my_1d(k, N) {
        cx s = {0, 0}, t;
        for (i = 0; i < N; i++) {
            t = mul(input(i), unit(-(double)(i * k % N) / N));
            s.re += t.re; s.im += t.im;
        }
        CHECK(fabs(s.re - x[k].re) < 1e-9 && fabs(s.im - x[k].im) < 1e-9);
    }
    return 0;
}
