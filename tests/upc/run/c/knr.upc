// K&R definitions, implicit int and implicit function declarations, as in C89 programs in UPC.
//: flags -std=gnu89 -w
#include <stdio.h>
#include <stdlib.h>
#include <upc.h>

shared int a[10 * THREADS];
static counter;

add(x, y)
int x, y;
{
    return x + y;
}

double scale(v, factor, n)
    double *v, factor;
    register n;
{
    auto i;
    for (i = 0; i < n; i++)
        v[i] *= factor;
    return v[n - 1];
}

shared int *where(p, n)
    shared int *p;
    int n;
{
    return p + n;
}

void check();

main(argc, argv)
    int argc;
    char **argv;
{
    int i;
    double v[3];
    v[0] = 1, v[1] = 2, v[2] = 3;
    upc_forall(i = 0; i < 10 * THREADS; i++; &a[i]) a[i] = add(i, 1);
    upc_barrier;
    for (i = 0; i < 10 * THREADS; i++)
        check(*where(a, i) == i + 1);
    check(scale(v, 2.0, 3) == 6.0);
    counter = later(20);
    check(counter == 41);
    check(argc == 1);
    return 0;
}

int later(n) { return 2 * n + 1; }

void check(right)
    int right;
{
    if (!right) {
        fprintf(stderr, "thread %d: wrong\n", MYTHREAD);
        upc_global_exit(1);
    }
}
