/* Loops over spread arrays, a processor at a time: their iterations may run in any order. */
#include <split-c/split-c.h>
#include <stdio.h>
#define N 1200
int a[N]::, b[N]::;
double d[N]::;

static int value(int i) { return (int)(i * 2654435761u >> 7); }

int splitc_main(int argc, char **argv) {
    int i, s = 1, t = 1, most = -1, least = 1 << 30;
    unsigned u = 0;
    double x = 0;
    for (i = MYPROC; i < N; i += PROCS) { //> strip-mining: [a d], one processor's
        a[i] = value(i);
        d[i] = 1.0 / (i + 1);
    }
    barrier();
    for (i = 0; i < N; i++) //> strip-mining: [a], with reductions
        s += a[i];
    for (i = 0; N > i; i = 1 + i) //> strip-mining: [a], with reductions
        s += a[i];
    {
        int *spread p = a;
        for (i = N; i--;) //> strip-mining: [p], with reductions
            s += *p++;
        s += i;
        for (p = a, i = N; i-- != 0;) //> strip-mining: [p]
            if (*p++ & 1)
                s++;
        s += i;
    }
    for (i = 0; i < N; i++) //> strip-mining: [a], with reductions
        if (a[i] & 1)
            s -= a[i];
    for (i = 0; i < N; i++) //> strip-mining: [a], with reductions
        u ^= (unsigned)a[i];
    for (i = 0; i < N; i++) //> strip-mining: [a]
        if (a[i] > most)
            most = a[i];
    for (i = 0; i < N; i++) //> strip-mining: [a]
        least = a[i] < least ? a[i] : least;
    /* Two sums, each by its own operator. */
    for (i = 0; i < N; i++) { //> strip-mining: [a], with reductions
        s += a[i];
        t ^= a[i];
    }
    /* Operators that do not commute with each other. */
    for (i = 0; i < N; i++) { //> not strip-mining: a sum has operators
        s += a[i];
        s ^= a[i];
    }
    for (i = 0; i < N; i++) { //> not strip-mining: a sum has operators
        t ^= a[i];
        t++;
    }
    for (i = 0; i < N; i++) { //> not strip-mining: a sum has operators
        if (a[i] & 1)
            s *= a[i];
        else
            s += a[i];
    }
    /* A sum of floating-point numbers depends on the order. */
    for (i = 0; i < N; i++) //> not strip-mining: the loop does more
        x += d[i];
    /* The loop reads the partial sum. */
    for (i = 0; i < N; i++) //> not strip-mining: the loop does more
        s += a[i] + (s & 1);
    for (i = 0; i < N; i++) { //> not strip-mining: the loop does more
        s += a[i];
        t = s;
    }
    barrier();
    /* An element that another iteration has written. */
    if (MYPROC == 0) {
        for (i = 1; i < N; i++) //> not strip-mining: an iteration may assign
            a[i] = a[i - 1] ^ i;
        for (i = 0; i < N; i++) //> strip-mining: [b a]
            b[i] = a[i] + i;
    }
    barrier();
    for (i = 0; i < N; i++) //> strip-mining: [b], with reductions
        t += b[i];
    printf("%d %d %u %d %d %.17g\n", s, t, u, most, least, x);
    barrier();
    return 0;
}
