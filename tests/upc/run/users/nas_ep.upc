/* Embarrassingly parallel: Gaussian pairs by rejection, counted in squares; sums under a lock.
 * There is one stream of random numbers, from which each thread takes its blocks, so that the
 * counts do not depend on THREADS. */
//: clause 7.2.4.1 p1
#include <math.h>
#include <stdio.h>
#include <upc_relaxed.h>

#define BLOCKS 24
#define PAIRS 200

shared double sx, sy;
shared [] long q[10];
upc_lock_t *lock;

static unsigned long long lcg(unsigned long long s, unsigned long long steps) {
    unsigned long long a = 6364136223846793005ULL, c = 1442695040888963407ULL, mul = 1, add = 0;
    for (; steps; steps >>= 1) {
        if (steps & 1) {
            mul *= a;
            add = add * a + c;
        }
        c = (a + 1) * c;
        a *= a;
    }
    return mul * s + add;
}

static void block(int b, double *x, double *y, long counts[10]) {
    unsigned long long s = lcg(271828183, 2ull * PAIRS * b);
    int i;
    for (i = 0; i < PAIRS; i++) {
        double u, v, t;
        s = lcg(s, 1); u = 2 * ((s >> 11) * 0x1p-53) - 1;
        s = lcg(s, 1); v = 2 * ((s >> 11) * 0x1p-53) - 1;
        t = u * u + v * v;
        if (t <= 1 && t > 0) {
            double f = sqrt(-2 * log(t) / t);
            int l = (int)fmax(fabs(u * f), fabs(v * f));
            counts[l]++;
            *x += u * f;
            *y += v * f;
        }
    }
}

int main() {
    int b, l, wrong = 0;
    double x = 0, y = 0, want_x = 0, want_y = 0;
    long counts[10] = {0}, want[10] = {0};

    lock = upc_all_lock_alloc();
    upc_forall (b = 0; b < BLOCKS; b++; b)
        block(b, &x, &y, counts);
    upc_lock(lock);
    sx += x;
    sy += y;
    for (l = 0; l < 10; l++)
        q[l] += counts[l];
    upc_unlock(lock);
    upc_barrier;

    for (b = 0; b < BLOCKS; b++)
        block(b, &want_x, &want_y, want);
    for (l = 0; l < 10; l++)
        wrong += q[l] != want[l];
    if (fabs(sx - want_x) > 1e-9 || fabs(sy - want_y) > 1e-9)
        wrong++;
    upc_barrier;
    upc_all_lock_free(lock);
    if (wrong)
        printf("thread %d: %d wrong, %.15g %.15g\n", MYTHREAD, wrong, sx - want_x, sy - want_y);
    return wrong;
}
