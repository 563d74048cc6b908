/* Updates that the owner does, and those that need the old value, a strict order, or another operator. */
#include <upc_relaxed.h>
#include <stdio.h>
#define N 96
typedef struct { int n; unsigned bit : 3; double d; unsigned char c[3]; } record;
shared long a[N * THREADS];
shared [4] double d[N * THREADS];
shared float f[N * THREADS];
shared [3] unsigned char c[N * THREADS];
shared short h[N * THREADS];
shared record r[THREADS];
strict shared int s[THREADS];
volatile shared int v[THREADS];
shared _Bool b[THREADS];
shared long double wide[THREADS];
int place[N], total = N;

static int twice(int i) { return 2 * i; }

int main(void) {
    int i, t = (MYTHREAD + 1) % THREADS, old = 0;
    double half = 0.5;
    total *= THREADS;
    for (i = 0; i < N; i++)
        place[i] = (i * 37 + 11) % N;
    upc_barrier;
    for (i = 0; i < N; i++) //> accumulate: updates by the owner: 3
    {
        a[place[i] * THREADS + t] += i;
        ++(a[place[i] * THREADS + t]);
        a[i * THREADS + t] ^= place[i];
    }
    for (i = 0; i < N; i++) //> accumulate: updates by the owner: 6
    {
        h[place[i] * THREADS + t] -= 7000u;
        h[place[i] * THREADS + t] |= 1L << (i % 40);
        c[(place[i] / 3 * THREADS + t) * 3 + 1] += twice(i);
        c[(place[i] / 3 * THREADS + t) * 3 + 1]--;
        if (i & 1)
            a[i * THREADS + t] &= ~3;
        else
            (a[i * THREADS + t] -= (unsigned)place[i]);
    }
    for (i = 0; i < N; i++) //> accumulate: updates by the owner: 4
    {
        d[(place[i] / 4 * THREADS + t) * 4] += i * half;
        d[(place[i] / 4 * THREADS + t) * 4] -= 1.5f;
        f[i * THREADS + t] += i;
        f[i * THREADS + t] -= 0.25f;
    }
    for (i = 0; i < N; i++) //> accumulate: updates by the owner: 3
    {
        r[t].n += place[i];
        ((r[t].d)) += 1;
        r[t].c[i % 3] += 3;
    }
    for (i = 0; i < 4; i++) {
        old += a[i * THREADS + t]++;    /* their values are used */
        old += ({ a[t] += 1; });
        f[t] += 0.1;                    /* computed as a double */
        a[t] *= 3;
        a[t] += 0.5;
        r[t].bit += 1;
        s[t] += 1;
        v[t] += 1;
        b[t] |= 1;
        wide[t] += 1;
    }
    upc_barrier;
    if (MYTHREAD == 0) {
        double sum = 0;
        for (i = 0; i < total; i++)
            sum += i % 7 * (a[i] + d[i] + f[i] + c[i] + h[i]);
        for (i = 0; i < THREADS; i++)
            sum += r[i].n + r[i].d + r[i].bit + r[i].c[2] + s[i] + v[i] + b[i] + wide[i];
        printf("%.3f\n", sum);
    }
    upc_barrier;
    return 0 * old;
}
