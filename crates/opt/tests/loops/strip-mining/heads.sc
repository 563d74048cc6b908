/* The counters of loops that go a processor at a time, and the values of their variables afterwards. */
#include <split-c/split-c.h>
#include <stdio.h>
#define N 400
int a[N + 8]::;
int last = N;

int splitc_main(int argc, char **argv) {
    int i, n = N, s = 0, *spread p = a, *spread q, *spread end = a + N;
    long w;
    unsigned u;
    short h;
    volatile int v;
    for (i = MYPROC; i < N + 8; i += PROCS) //> strip-mining: [a], one processor's
        a[i] = (i * 37) % 101;
    barrier();
    for (i = 0; i <= n; i++) //> strip-mining: [a], with reductions
        s += a[i];
    s = (3 * s + i) % 100003;
    for (i = -3; i < n - 3; i++) //> strip-mining: [a], with reductions
        s += a[i + 3];
    s = (3 * s + i) % 100003;
    for (i = 2; n > i; ++i) //> strip-mining: [a a], with reductions
        s += a[i - 2] * a[5 + i];
    s = (3 * s + i) % 100003;
    for (i = n; i < 3; i++) //> strip-mining: [a], with reductions
        s += a[i];
    s = (3 * s + i) % 100003;
    for (w = 0; w < last; w += 1) //> strip-mining: [a], with reductions
        s += a[w] + (int)w;
    s = (3 * s + w) % 100003;
    for (u = 0; u < N; u++) //> strip-mining: [a], with reductions
        s += a[u];
    s = (3 * s + u) % 100003;
    for (int j = 5; j < N; j++) //> strip-mining: [a], with reductions
        s += a[j] * j;
    /* Down, by pointers that step. */
    for (i = N; i > 0; i--) //> strip-mining: [p], with reductions
        s += *p++;
    s = (3 * s + i + (p - a)) % 100003;
    p = a;
    for (i = N; i != 0; --i) //> strip-mining: [p], with reductions
        s += *p++;
    s = (3 * s + i + (p - a)) % 100003;
    p = a;
    i = N;
    while (i--) //> strip-mining: [p], with reductions
        s += *p++;
    s = (3 * s + i + (p - a)) % 100003;
    p = a + 3;
    i = N / 2;
    while (i-- > 0) //> strip-mining: [p], with reductions
        s += *p++;
    s = (3 * s + i + (p - a)) % 100003;
    for (p = a, q = a + 2, i = N; i; i--) //> strip-mining: [p q], with reductions
        s += *p++ * *q++;
    s = (3 * s + i + (p - a) + (q - a)) % 100003;
    /* A pointer counts. */
    for (p = a; p < a + N; p++) //> strip-mining: [p], with reductions
        s += *p;
    s = (3 * s + (p - a)) % 100003;
    for (p = a; p != end; ++p) //> strip-mining: [p], with reductions
        s += *p;
    s = (3 * s + (p - a)) % 100003;
    p = a;
    while (p < end) //> strip-mining: [p], with reductions
        s += *p++;
    s = (3 * s + (p - a)) % 100003;
    for (p = a + MYPROC; p < end; p += PROCS) //> strip-mining: [p], one processor's
        s += *p;
    s = (3 * s + (p - a)) % 100003;
    /* Other heads. */
    for (i = 0; i < N; i += 2) //> not strip-mining: the loop's head has an unknown form
        s += a[i];
    for (i = 0; i != N; i++) //> not strip-mining: the loop's head has an unknown form
        s += a[i];
    for (i = 0; i < N; i = i * 2 + 1) //> not strip-mining: the loop's head has an unknown form
        s += a[i];
    for (h = 0; h < N; h++) //> not strip-mining: the loop's head has an unknown form
        s += a[h];
    for (i = N; i > 1; i--) //> not strip-mining: the loop's head has an unknown form
        s += a[i];
    for (i = 0; i < u; i++) //> not strip-mining: the loop's head has an unknown form
        s += a[i];
    for (p = end; p > a; p--) //> not strip-mining: the loop's head has an unknown form
        s += *p;
    for (v = 0; v < N; v++) //> not strip-mining: the loop's variable or bound may change
        s += a[v];
    for (i = 0; i < n; i++) { //> not strip-mining: the loop's variable or bound may change
        s += a[i];
        n = N;
    }
    for (i = 0; i < N; i++) { //> not strip-mining: the loop's variable or bound may change
        s += a[i];
        i++;
    }
    for (p = a; p < end; p++) { //> not strip-mining: the loop's variable or bound may change
        s += *p;
        end = a + N - 1;
    }
    /* Pointers that do more than step. */
    for (p = a, i = N; i; i--) //> not strip-mining: a pointer does more
        s += *p++ + *p;
    for (p = a, i = N; i; i--) //> not strip-mining: a pointer does more
        if (i & 1)
            s += *p++;
    for (p = a, i = N / 2; i; i--) { //> not strip-mining: a pointer does more
        s += *p++;
        s += *p++;
    }
    for (p = a, i = N; i; i--) { //> not strip-mining: a pointer does more
        s += *p++;
        if (p == a + 9)
            s++;
    }
    for (p = a, i = N; i; i--) //> not strip-mining: the body uses the
        s += *p++ * i;
    for (i = 0; i < N; i++) //> not strip-mining: the loop traverses no elements of an array
        s += i;
    printf("%d\n", s);
    barrier();
    return 0;
}
