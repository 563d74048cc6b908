/* Extrema that the owner does, and others: types that compare differently, effects, other orders. */
#include <upc_relaxed.h>
#include <stdio.h>
#define N 96
typedef struct { int n; unsigned bit : 3; double d; signed char c[3]; } record;
shared long a[N * THREADS];
shared [4] double d[N * THREADS];
shared float f[N * THREADS];
shared [3] unsigned char c[N * THREADS];
shared short h[N * THREADS];
shared unsigned u[N * THREADS];
shared record r[THREADS];
shared int from[N * THREADS];
strict shared int s[THREADS];
volatile shared int v[THREADS];
shared int one[THREADS];
int place[N], total = N;

static int twice(int i) { return 2 * i; }

int main(void) {
    int i, t = (MYTHREAD + 1) % THREADS, old = 0;
    double zero = 0, nan = zero / zero;
    total *= THREADS;
    for (i = 0; i < N; i++) {
        place[i] = (i * 37 + 11) % N;
        from[i * THREADS + MYTHREAD] = (i * 53 + 7) % N;
        a[i * THREADS + MYTHREAD] = (i * 29) % 101 - 50;
        h[i * THREADS + MYTHREAD] = (short)((i * 31) % 103 - 50);
        u[i * THREADS + MYTHREAD] = (unsigned)(i * 23) % 97u + 0x7fffffd0u;
        f[i * THREADS + MYTHREAD] = (float)((i * 19) % 89);
    }
    if (MYTHREAD == 0)
        for (i = 0; i < total; i++) {
            d[i] = i % 7 == 3 ? nan : i % 5 == 1 ? -zero : (i * 17) % 83;
            c[i] = (unsigned char)(i * 11);
        }
    upc_barrier;
    for (i = 0; i < N; i++) //> extremum: extrema by the owner: 4
    {
        if (i - 40L < a[place[i] * THREADS + t])
            a[place[i] * THREADS + t] = i - 40L;
        if (a[i * THREADS + t] <= place[i] / 2) {
            a[i * THREADS + t] = place[i] / 2;
        }
        a[i * THREADS + t] = i - 9 < a[i * THREADS + t] ? i - 9 : a[i * THREADS + t];
        a[i * THREADS + t] = ((a[i * THREADS + t]) < (place[i]) ? (a[i * THREADS + t]) : (place[i]));
    }
    upc_barrier;
    for (i = 0; i < N; i++) //> extremum: extrema by the owner: 5
    {
        short w = (short)(place[i] - 30);
        if (h[place[i] * THREADS + t] > w)
            h[place[i] * THREADS + t] = w;
        if (h[i * THREADS + t] < -12)
            h[i * THREADS + t] = -12;
        if (c[(place[i] / 3 * THREADS + t) * 3 + 1] >= 200)
            c[(place[i] / 3 * THREADS + t) * 3 + 1] = 200;
        if (0x7fffffffu + place[i] < u[i * THREADS + t])
            u[i * THREADS + t] = 0x7fffffffu + place[i];
        if (place[i] + 0x7fffffd0 > u[place[i] * THREADS + t])
            u[place[i] * THREADS + t] = place[i] + 0x7fffffd0;
    }
    upc_barrier;
    for (i = 0; i < N; i++) //> extremum: extrema by the owner: 6
    {
        int k = (place[i] / 4 * THREADS + t) * 4;
        double x = i % 9 == 4 ? nan : i % 6 == 5 ? zero : place[i] / 2;
        if (x < d[k])
            d[k] = x;
        d[k + 1] = d[k + 1] < x ? d[k + 1] : x;
        d[k + 2] = x >= d[k + 2] ? d[k + 2] : x;
        d[k + 3] = d[k + 3] >= i ? d[k + 3] : i;
        f[i * THREADS + t] = ((i) < (f[i * THREADS + t]) ? (i) : (f[i * THREADS + t]));
        if (f[i * THREADS + t] < (float)x) f[i * THREADS + t] = (float)x;
    }
    upc_barrier;
    for (i = 0; i < N; i++) //> extremum: extrema by the owner: 4
    {
        if (r[t].n < place[i])
            r[t].n = place[i];
        if (i * 0.5 > 3)
            r[t].d = (r[t].d > place[i]) ? r[t].d : place[i];
        if (r[t].c[i % 3] < (signed char)i)
            r[t].c[i % 3] = (signed char)i;
        if (from[i * THREADS + t] + 3L > a[from[i * THREADS + t] * THREADS + t])
            a[from[i * THREADS + t] * THREADS + t] = from[i * THREADS + t] + 3L;
    }
    upc_barrier;
    for (i = 0; i < 4; i++) //> extremum: extrema by the owner: 1
    {
        if (i < a[i])
            a[i] = i + 1;
        if (i < a[i])
            a[i] = i;
        else
            old++;
        if (twice(i) < a[i])
            a[i] = twice(i);
        if (i++ < a[i])
            a[i] = i++;
        if (1000 < h[t])      /* fits */
            h[t] = 1000;
        if (i < h[t])         /* may not */
            h[t] = i;
        if (u[t] + 0u < one[t]) /* without sign */
            one[t] = u[t] + 0u;
        if (i < r[t].bit)
            r[t].bit = i;
        if (i < s[t])
            s[t] = i;
        if (i < v[t])
            v[t] = i;
        if (f[t] < 0.1)       /* as a double */
            f[t] = 0.1;
        old += ({ if (0) one[t] = 0; one[t] = i < one[t] ? i : one[t]; });
    }
    upc_barrier;
    if (MYTHREAD == 0) {
        double sum = 0;
        int odd = 0;
        for (i = 0; i < total; i++) {
            odd += d[i] != d[i] ? i % 13 : 1 / d[i] < 0 ? i % 17 : 0;
            sum += i % 7 * (a[i] + f[i] + c[i] + h[i] + u[i] % 1000 + (d[i] == d[i] ? d[i] : 0));
        }
        for (i = 0; i < THREADS; i++)
            sum += r[i].n + r[i].d + r[i].bit + r[i].c[2] + s[i] + v[i] + one[i];
        printf("%.3f %d\n", sum, odd);
    }
    upc_barrier;
    return 0 * old;
}
