/* Spread memory: allocated, walked by spread and by global pointers, indexed in two dimensions by a macro,
 * passed to functions, freed; a histogram and a transposition on it. */
#include <split-c/split-c.h>
#include <split-c/control.h>
#include <stdio.h>
#include <stdlib.h>
#include "../../check.h"
#define AT(a, cols, i, j) ((a)[(i) * (cols) + (j)])

typedef int *spread ivec;

ivec make(n) int n;
{
    return (ivec)all_spread_malloc(n, sizeof(int));
}

long total(v, n) ivec v; int n;
{
    long s = 0;
    ivec p;
    for (p = v; p < v + n; p++)
        s += *p;
    return s;
}

int *global where(v, n, x) ivec v; int n, x;
{
    int i;
    for (i = 0; i < n; i++)
        if (v[i] == x)
            return (int *global)(v + i);
    return NULL;
}

splitc_main()
{
    int rows = 6, cols = 2 * PROCS + 1, i, j;
    ivec a = make(rows * cols), t = make(rows * cols), histogram = make(10);
    long sum, mine = 0;
    for_my_1d(i, rows * cols) a[i] = i * i % 10;
    for_my_1d(i, 10) histogram[i] = 0;
    barrier();
    for_my_2d(i, j, rows, cols) {
        CHECK(toproc(&AT(a, cols, i, j)) == MYPROC);
        { int x = AT(a, cols, i, j); AT(t, rows, j, i) := x; }
        fetch_and_add((int *global)&histogram[AT(a, cols, i, j)], 1);
        mine += AT(a, cols, i, j);
    }
    sync();
    barrier();
    sum = all_reduce_to_all_ladd(mine);
    CHECK(total(a, rows * cols) == sum && total(t, rows * cols) == sum);
    CHECK(total(histogram, 10) == rows * cols);
    for (i = 0; i < rows; i++)
        for (j = 0; j < cols; j++)
            CHECK(AT(t, rows, j, i) == (i * cols + j) * (i * cols + j) % 10);
    CHECK(where(a, rows * cols, 4) == (int *global)&a[2] && where(a, rows * cols, 11) == NULL);
    {
        ivec p = a + PROCS;
        int *local = tolocal(p);
        CHECK(toproc(p) == 0 && p - a == PROCS);
        CHECK(*(int *global)p == PROCS * PROCS % 10);
        p--;
        CHECK(toproc(p) == PROCS - 1);
        (void)local;
    }
    barrier();
    all_spread_free(a);
    all_spread_free(t);
    all_spread_free(histogram);
    on_one {
        double *spread d = spread_malloc(PROCS, sizeof(double));
        for (i = 0; i < PROCS; i++) d[i] = i;
        for (i = 0; i < PROCS; i++) CHECK(d[i] == i && toproc(d + i) == i);
        spread_free(d);
    }
    barrier();
    return 0;
}
