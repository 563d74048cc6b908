// Pointers to shared arrays whose length is known only at run time, with each block size, in casts and as
// parameters; the length is the one at the declaration.
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

// Parameters that are declared as arrays; the lengths in a prototype name its own parameters.
static void transposed(int n, shared[] double to[n][n], shared[] double from[][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            to[i][j] = from[j][i];
}

static int cube(int n, int m, shared[] int a[][n][m]) {
    int s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            s += a[1][i][j] + (*a)[i][j];
    return s + (sizeof **a == m * sizeof(int));
}

static int element(int n, shared int a[3][n], int i, int j) {
    return a[i][j] - (*(a + i))[j] + upc_threadof(&a[i][j]);
}

static int old(n, a) int n;
shared int a[][n];
{
    n = 77;
    return sizeof a[0];
}

int rows_of(int n, shared[2] int a[*][*]);
int rows_of(int n, shared[2] int a[n][n + 1]) { return upc_phaseof(&a[0][0]) + 10 * (int)(a[1] - a[0]); }

shared int cyclic[4 * THREADS][6];
shared[2] int pairs[2 * THREADS][7];

static void parameters(void) {
    int n = 5;
    shared[] double (*a)[n] = upc_alloc(n * n * sizeof(double)), (*b)[n] = upc_alloc(n * n * sizeof(double));
    for (int i = 0; i < n * n; i++)
        a[i / n][i % n] = i;
    transposed(n, b, a);
    for (int i = 0; i < n * n; i++)
        CHECK(b[i % n][i / n] == i);
    shared[] int (*c)[2][3] = upc_alloc(12 * sizeof(int));
    for (int i = 0; i < 12; i++)
        c[i / 6][i / 3 % 2][i % 3] = i;
    CHECK_EQ(cube(2, 3, c), 66 + 1);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 6; j++)
            CHECK_EQ(element(6, cyclic, i, j), upc_threadof(&cyclic[i][j]));
    CHECK_EQ(old(6, cyclic), 6 * sizeof(int));
    // The phase stays with the pointer.
    CHECK_EQ(rows_of(6, pairs + 1), 1 + 10 * 7);
    upc_free(a);
    upc_free(b);
    upc_free(c);
}

int main(void) {
    parameters();
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
