// Pointers to shared arrays whose length is known only at run time, with each block size, in casts and as
// parameters; the length is that of the declaration.
//: clause 6.5.2.1 p5
//: clause 6.4.2 p3
#include "../../check.h"

static size_t whole(int n, shared[] int (*p)[n]) {
    n = 1;
    return sizeof *p;
}

static int sum(int rows, int n, shared[] double (*m)[n]) {
    int s = 0;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < n; j++)
            s += (int)m[i][j];
    return s;
}

int main(void) {
    int n = 4 + MYTHREAD, rows = 3;
    shared[] int (*p)[n] = (shared[] int (*)[n])upc_alloc(rows * n * sizeof(int));
    CHECK(sizeof *p == n * sizeof(int));
    CHECK(whole(n, p) == n * sizeof(int));
    int first = n++;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < first; j++)
            p[i][j] = 10 * i + j;
    shared[] int *flat = (shared[] int *)p;
    for (int k = 0; k < rows * first; k++)
        CHECK_EQ(flat[k], 10 * (k / first) + k % first);
    shared[] int (*q)[first] = p + 2;
    CHECK(q - p == 2 && *(*q + 1) == 21 && (*--q)[0] == 10);
    CHECK((int)((shared[] int (*)[2 * first])flat)[1][0] == 20);

    shared[] double (*m)[first] = upc_alloc(rows * first * sizeof(double));
    for (int i = 0; i < rows * first; i++)
        m[i / first][i % first] = i;
    CHECK_EQ(sum(rows, first, m), rows * first * (rows * first - 1) / 2);

    // In blocks: a row of THREADS * k elements.
    int k = 2, all = THREADS;
    shared int (*c)[k * 3] = upc_all_alloc(THREADS * 12, sizeof(int));
    shared[2] int (*b)[k * all] = upc_all_alloc(THREADS * 6, 2 * sizeof(int));
    shared int *c0 = (shared int *)c;
    shared[2] int *b0 = (shared[2] int *)b;
    upc_forall (int i = 0; i < 12; i++; i)
        c0[i] = i;
    if (MYTHREAD == 0)
        for (int i = 0; i < 6 * THREADS; i++)
            b0[i] = i;
    upc_barrier;
    CHECK_EQ(c[1][2], 8);
    CHECK(upc_threadof(&c[1][2]) == 8 % THREADS);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < k * THREADS; j++) {
            CHECK_EQ(b[i][j], i * k * THREADS + j);
            CHECK_EQ(upc_phaseof(&b[i][j]), (i * k * THREADS + j) % 2);
        }
    CHECK(&b[2] - &b[0] == 2);
    upc_barrier;
    upc_free(p);
    upc_free(m);
    return 0;
}
