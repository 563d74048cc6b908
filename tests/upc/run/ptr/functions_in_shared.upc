// Pointers to functions in shared memory (each thread's own addresses), functions that return and
// take pointers to shared arrays, and pointers to functions that take pointers-to-shared.
#include "../../check.h"

shared int data[4 * THREADS];
static int inc(int x) { return x + 1; }
static int dbl(int x) { return 2 * x; }
int (*shared table[2][THREADS])(int);
shared struct {
    int (*call)(int);
    int argument;
} job[THREADS];
static shared int (*row(shared int (*rows)[4], int i))[4] { return rows + i; }
static int total(shared int (*r)[4]) { return (*r)[0] + (*r)[1] + (*r)[2] + (*r)[3]; }
typedef int (*visitor)(shared int *);
static int get(shared int *p) { return *p; }
static int visit(visitor v, shared int *p, int n) { return n ? v(p) + visit(v, p + 1, n - 1) : 0; }
shared int matrix[THREADS][4];

int main(void) {
    table[0][MYTHREAD] = inc;
    table[1][MYTHREAD] = &dbl;
    CHECK_EQ(table[0][MYTHREAD](4) + (*table[1][MYTHREAD])(4), 13);
    job[MYTHREAD].call = MYTHREAD % 2 ? inc : dbl;
    job[MYTHREAD].argument = 10;
    CHECK_EQ(job[MYTHREAD].call(job[MYTHREAD].argument), MYTHREAD % 2 ? 11 : 20);
    for (int j = 0; j < 4; j++)
        matrix[MYTHREAD][j] = 10 * MYTHREAD + j;
    for (int i = MYTHREAD; i < 4 * THREADS; i += THREADS)
        data[i] = i;
    upc_barrier;
    for (int t = 0; t < THREADS; t++)
        CHECK_EQ(total(row(matrix, t)), 40 * t + 6);
    CHECK_EQ(visit(get, data, 4), 6);
    int (*own)(int) = table[0][(MYTHREAD + 1) % THREADS];
    CHECK_EQ(own(1), 2); /* the same program is at the same place in each process */
    return 0;
}
