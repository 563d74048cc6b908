/* Bodies of iterations that are to run in another order. */
#include <math.h>
#include <split-c/split-c.h>
#include <stdio.h>
#include <stdlib.h>
#define N 400
typedef struct { int n, m; } pair;
int a[N]::, b[N]::, c[N]::;
pair r[N]::;
short h[N]::;
double d[N]::;
int k[N], fixed = 3, total, *pointer = k;
volatile int noisy = 2, shaky[N];
enum { FEW = 5 };

static void touch(int i) { fixed = (i & 0) + 3; }

static int sums(int some) {
    int i, s = 1, taken = 0, *p = &taken;
    volatile int unsteady = 0;
    short narrow = 0;
    unsigned long wide = 0;
    long long widest = 0;
    for (i = 0; i < N; i++) //> strip-mining: [a], with reductions
        s &= a[i] | 1;
    for (i = 0; i < N; i++) //> strip-mining: [a], with reductions
        s |= a[i];
    for (i = 0; i < N; i++) //> strip-mining: [a], with reductions
        s *= 1 - 2 * (a[i] & 1);
    for (i = 0; i < N; i++) //> strip-mining: [a], with reductions
        some ^= (a[i] + i) * 3;
    for (i = 0; i < N; i++) //> strip-mining: [a h], with reductions
        wide += a[i], widest -= h[i];
    for (i = 0; i < N; i++) { //> strip-mining: [a], with reductions
        if (a[i] & 1)
            s++;
        else
            --s;
        ;
        (s += a[i]);
    }
    for (i = 0; i < N; i++) { //> strip-mining: [a d], with reductions
        int own = a[i], other = own + FEW;
        double x = d[i];
        own += 2;
        own++;
        s += a[i] * (x > own ? other : own);
    }
    for (i = 0; i < N; i++) //> strip-mining: [a], with reductions
        s += abs(a[i] - some) + (int)fabs(1.5 * a[i]);
    /* Sums that others may see, and those that do not hold every partial sum. */
    for (i = 0; i < N; i++) //> not strip-mining: the loop does more
        total += a[i];
    for (i = 0; i < N; i++) //> not strip-mining: the loop does more
        taken += a[i];
    for (i = 0; i < N; i++) //> not strip-mining: the loop does more
        unsteady += a[i];
    for (i = 0; i < N; i++) //> not strip-mining: the loop does more
        narrow += a[i];
    for (i = 0; i < N; i++) //> not strip-mining: the loop does more
        s <<= a[i] & 1;
    for (i = 0; i < N; i++) //> not strip-mining: the loop does more
        s = a[i];
    for (i = 0; i < N; i++) //> not strip-mining: the loop traverses no elements of an array
        s += some;
    for (i = 0; i < N; i++) //> not strip-mining: the loop does more
        s += d[i];
    for (i = 0; i < N; i++) //> not strip-mining: the loop does more
        s += a[i] + noisy;
    for (i = 0; i < N; i++) //> not strip-mining: the loop does more
        s += a[i] + shaky[i];
    for (i = 0; i < N; i++) //> not strip-mining: the loop does more
        s += a[i] + a[3];
    for (i = 0; i < N; i++) //> not strip-mining: the loop does more
        s += a[i] + (some++, 1);
    for (i = 0; i < N; i++) { //> not strip-mining: the loop does more
        s += a[i];
        touch(i);
    }
    for (i = 0; i < N; i++) { //> not strip-mining: the loop does more
        int later;
        later = a[i];
        s += a[i];
    }
    for (i = 0; i < N; i++) { //> not strip-mining: the loop does more
        int *own = k;
        s += a[i];
    }
    for (i = 0; i < N; i++) //> not strip-mining: the loop does more
        for (int j = 0; j < 2; j++)
            s += a[i];
    for (i = 0; i < N; i++) //> not strip-mining: the loop does more
        s += a[i] + rand() % 1;
    for (i = 0; i < N; i++) { //> not strip-mining: the body synchronises, leaves
        s += a[i];
        if (s == 7)
            break;
    }
    return s % 1009 + some % 1009 + narrow + (int)((wide + widest) % 1009) + *p + unsteady + total;
}

static int extremes(void) {
    int i, most = -1, least = 1 << 30, s = 0;
    long big = 0;
    for (i = 0; i < N; i++) //> strip-mining: [a]
        if (a[i] >= most)
            most = a[i];
    for (i = 0; i < N; i++) //> strip-mining: [b]
        if (most < b[i]) {
            most = b[i];
        }
    for (i = 0; i < N; i++) //> strip-mining: [c]
        if (most <= c[i])
            most = c[i];
    for (i = 0; i < N; i++) //> strip-mining: [a]
        if (a[i] <= least)
            least = a[i];
    for (i = 0; i < N; i++) //> strip-mining: [b]
        if ((least) > (b[i]))
            (least = b[i]);
    for (i = 0; i < N; i++) //> strip-mining: [c]
        if (least >= c[i])
            least = c[i];
    for (i = 0; i < N; i++) { //> strip-mining: [a b]
        most = a[i] > most ? a[i] : most;
        least = least > b[i] ? b[i] : least;
    }
    s += most + 3 * least;
    most = 0, least = 1 << 20;
    for (i = 0; i < N; i++) { //> not strip-mining: a sum has operators
        if (a[i] > most)
            most = a[i];
        if (a[i] < most)
            most = a[i];
    }
    for (i = 0; i < N; i++) { //> not strip-mining: a sum has operators
        if (a[i] > most)
            most = a[i];
        most += a[i];
    }
    for (i = 0; i < N; i++) //> not strip-mining: the loop does more
        if (a[i] > most)
            least = a[i];
    for (i = 0; i < N; i++) //> not strip-mining: the loop does more
        if (a[i] > most)
            most = b[i];
    for (i = 0; i < N; i++) //> not strip-mining: the loop does more
        if (a[i] > 3)
            most = a[i];
    for (i = 0; i < N; i++) //> not strip-mining: the loop does more
        if (a[i] != most)
            most = a[i];
    for (i = 0; i < N; i++) //> not strip-mining: the loop does more
        if (a[i] > big)
            big = a[i];
    for (i = 0; i < N; i++) //> not strip-mining: the loop does more
        if (a[i] > most) {
            most = a[i];
            s++;
        }
    for (i = 0; i < N; i++) //> not strip-mining: the loop does more
        if (a[i] > most)
            most = a[i];
        else
            s++;
    for (i = 0; i < N; i++) //> not strip-mining: the loop does more
        most = a[i] > most ? a[i] : least;
    for (i = 0; i < N; i++) //> not strip-mining: the loop does more
        most = a[i] > most ? b[i] : most;
    return s + most + least + (int)big;
}

/* All processors assign the same value; one assigns a value that depends on the old one. */
static void stores(int *spread p, int *q) {
    int i, scale = 2;
    for (i = 0; i < N; i++) //> strip-mining: [b a]
        b[i] = a[i] * scale - (i > 4 ? fixed : FEW) + k[i] + (int)sizeof(pair);
    for (i = 0; i < N; i++) //> strip-mining: [r a]
        r[i].n = -a[i], (r[i]).m = ~i;
    for (i = 0; i < N; i++) { //> strip-mining: [c b]
        (c[i]) = b[i] + !i + MYPROC - MYPROC + 'a';
        (void)b[i];
    }
    barrier();
    for (i = 0; i < N; i++) //> strip-mining: [p]
        p[i] = i % 7;
    barrier();
    if (MYPROC == 0) {
        for (i = 0; i < N; i++) //> strip-mining: [b c]
            b[i]++, --c[i];
        for (i = 0; i < N; i++) //> strip-mining: [b a]
            b[i] += a[i];
        for (i = 2; i < N; i++) //> not strip-mining: an iteration may assign an object that another iteration uses
            b[i] = b[i - 1] + b[i - 2];
        for (i = 0; i < N; i++) //> not strip-mining: an iteration may assign an object that another iteration uses
            b[i] = p[i] + 1;
        for (i = 0; i < N; i++) //> not strip-mining: an iteration may assign an object that another iteration uses
            p[i] = a[i] + 1;
        for (i = 0; i < N; i++) //> not strip-mining: an iteration may assign an object that another iteration uses
            p[i] = fixed + 1;
        for (i = 0; i < N; i++) //> not strip-mining: an iteration may assign an object that another iteration uses
            p[i] = k[i] + 1;
        for (i = 0; i < N; i++) //> not strip-mining: an iteration may assign an object that another iteration uses
            b[i] = q[i] + 1;
        for (i = 0; i < N; i++) //> not strip-mining: an iteration may assign an object that another iteration uses
            b[i] = *q + 1;
        for (i = 0; i < N; i++) //> not strip-mining: the loop does more
            b[i] = *pointer++;
        for (i = 0; i < N - 1; i++) //> not strip-mining: the loop does more
            b[a[i] % N] = c[i];
        for (i = 0; i < N; i++) //> not strip-mining: the loop does more
            k[i] = a[i];
    }
    barrier();
}

int splitc_main(int argc, char **argv) {
    int i, one, two;
    long s = 0;
    for (i = MYPROC; i < N; i += PROCS) { //> strip-mining: [a b c r h d], one processor's
        a[i] = (i * 37) % 101;
        b[i] = 500 - i;
        c[i] = i / 3;
        r[i].n = r[i].m = 0;
        h[i] = i;
        d[i] = i / 4.0;
    }
    for (i = 0; i < N; i++)
        k[i] = shaky[i] = i % 13;
    barrier();
    one = sums(5);
    two = extremes();
    barrier();
    stores(a, k);
    for (i = 0; i < N; i++)
        s = (3 * s + a[i] + b[i] + c[i] + r[i].n + r[i].m) % 1000003;
    printf("%d %d %ld\n", one, two, s);
    barrier();
    return 0;
}
