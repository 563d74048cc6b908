/* Functions that return from loops, branches and switches, with values of all types. */
#include <stdio.h>
#include <upc_relaxed.h>
#define N 24
typedef struct {
    int x;
    double d[2];
} pack;
typedef struct node {
    int v;
    shared struct node *next;
} node;
shared int a[N * THREADS];
shared[2] double d[N * THREADS];
shared[] int *shared rows[N * THREADS];
shared pack packs[N * THREADS];
static pack pick(pack p, int i) {
    pack q = packs[i];
    q.x += p.x;
    p.d[1] = q.d[0];
    if (q.x & 1)
        return p;
    return q;
}
static shared int *to(int i) { return &a[i]; }
static shared[2] double *blocked(shared[2] double *p, int i) {
    if (p[i] > 3)
        return p + i;
    return p;
}
static shared[] int *row(int i) { return rows[i]; }
static const char *name(int i) {
    if (a[i] > 12)
        return "big";
    else if (a[i] > 5)
        return "middle";
    return "small";
}
static int find(int v) {
    for (int i = 0; i < N; i++)
        if (a[i] == v)
            return i;
    return -1;
}
static int find_two(int v, int w) {
    int n = 0;
    while (n < N) {
        if (a[n] == v)
            return n;
        n++;
    }
    do {
        if (a[--n] == w) {
            n += 100;
            return n;
        }
    } while (n > 0);
    for (;;) {
        if (a[n] > 3)
            return -n;
        n++;
    }
}
static int nested(int v) {
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            if (a[i * 4 + j] == v)
                return i * 10 + j;
    return -1;
}
static int switched(int i) {
    switch (a[i] % 4) {
    case 0:
        return 1;
    case 1:
        break;
    case 2:
        i++; /* falls through */
    default:
        return i;
    }
    return a[i];
}
static void leave(int i, int *out) {
    if (a[i] < 4)
        return;
    if (a[i] < 9) {
        *out += a[i];
        return;
    } else
        *out -= 1;
    if (a[i] < 15)
        *out *= 3;
}
static void leave_loop(int i, int *out) {
    for (; i < N; i++) {
        if (a[i] == 20)
            return;
        *out += i;
    }
    *out += 1000;
}
static unsigned char narrow(int i) { return a[i] * 70 + 0.9; }
static _Bool is(int i) { return a[i] & 6; }
static float fl(double x) { return d[(int)x] / 3; }
static int missing(int i) {
    if (a[i] > 30)
        return 4;
    a[i] = a[i];
}

int main(void) {
    upc_forall(int i = 0; i < N * THREADS; i++; &a[i]) {
        a[i] = (i * 7 + 1) % 23;
        packs[i].x = i;
        packs[i].d[0] = i * 0.5;
        packs[i].d[1] = -i;
        rows[i] = upc_alloc(2 * sizeof(int));
        rows[i][0] = i;
        rows[i][1] = 2 * i;
    }
    upc_forall(int i = 0; i < N * THREADS; i++; &d[i]) d[i] = i * 0.25;
    upc_barrier;
    if (MYTHREAD == THREADS - 1) {
        long h = 0;
        int out = 0;
        pack p = {1, {2, 3}};
        for (int i = 0; i < N - 2; i++) {
            p = pick(pick(p, i), i + 1);
            h = h * 3 + p.x + (long)p.d[0] + (long)p.d[1] + pick(p, 2).x;
            *to(i) = *to(i + 1) + 1;
            to(i)[1] += 2;
            *blocked(d, i) += 1;
            h += (long)blocked(d + 1, i)[1];
            h = h * 3 + row(i)[1] + *row(i + 1) + (row(i) == row(i + 1));
            h = h * 3 + name(i)[0] + find(i) + find_two(i, 9) + find_two(100, i) + nested(i) + switched(i);
            leave(i, &out);
            leave_loop(i, &out);
            h = h * 3 + out + narrow(i) + is(i) + (long)fl(i + 0.7);
            missing(i);
            out %= 1000;
            h %= 1000000007L;
        }
        printf("%ld %d\n", h, out);
        for (int i = 0; i < N; i++)
            printf("%d %g\n", a[i], d[i]);
    }
    upc_barrier;
    return 0;
}
