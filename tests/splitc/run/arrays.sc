//: clause array 1
//: clause array 2
//: clause array 5
//: clause array 6
//: clause array 9
//: clause arithmetic 5
//: clause library 2
/* Spread arrays of one and more dimensions, automatic and as parameters, with lengths known at run time. */
#include <split-c/split-c.h>
#include <split-c/control.h>
#include <stdio.h>
#include <stdlib.h>

#include "../check.h"

struct cell {
    int key;
    double value[2];
    int *global next;
};
struct cell cells[PROCS]::[3];
int grid[4][6]::[2][3];

void fill(int v, int w, int q, int r, int X[v][w]::[q][r]) {
    int i, j, k, l;
    for_my_2d(i, j, v, w) for (k = 0; k < q; k++) for (l = 0; l < r; l++) X[i][j][k][l] = ((i * w + j) * q + k) * r + l;
    v = q = r = 0;
    barrier();
    CHECK(toproc(&X[1][2]) == (w + 2) % PROCS && toproc(X[1][2]) == toproc(X[1][2][1]));
    CHECK(&X[1][2] - &X[0][0] == w + 2);
}

void row(int w, int q, int (*spread b)[q], int n) {
    int i;
    for (i = 0; i < n; i++)
        CHECK(b[i][q - 1] == (i + w) * 6 + 5);
}

int sum(int *spread p, int n) {
    int s = 0;
    while (n-- > 0)
        s += *p++;
    return s;
}

void automatic(int n) {
    int A[PROCS]::[n], i, total = 0;
    int single[3 * n]::;
    n += 3;
    int *mine = tolocal(A[MYPROC]);
    for (i = 0; i < n - 3; i++)
        mine[i] = MYPROC * 100 + i;
    for_my_1d(i, 3 * (n - 3)) single[i] = i;
    barrier();
    for (i = 0; i < PROCS; i++)
        total += A[i][n - 4];
    CHECK(total == PROCS * (n - 4) + 100 * PROCS * (PROCS - 1) / 2);
    CHECK(sum(single, 3 * n - 9) == (3 * n - 9) * (3 * n - 10) / 2);
    barrier();
}

splitc_main() {
    int i, j, k, l, n = 0;
    fill(4, 6, 2, 3, grid);
    for (i = 0; i < 4; i++)
        for (j = 0; j < 6; j++)
            for (k = 0; k < 2; k++)
                for (l = 0; l < 3; l++)
                    CHECK(grid[i][j][k][l] == n++);
    barrier();
    for (i = 1; i < 20; i += 6)
        automatic(i);
    cells[MYPROC][1].key = MYPROC;
    cells[MYPROC][1].value[1] = 0.25;
    cells[MYPROC][2].next = &cells[(MYPROC + 1) % PROCS][1].key;
    barrier();
    CHECK(*cells[MYPROC][2].next == (MYPROC + 1) % PROCS);
    double *global v = &cells[(MYPROC + 1) % PROCS][1].value[0];
    CHECK(v[1] == 0.25);
    int(*spread s)[6] = (int(*spread)[6])all_spread_malloc(10, 6 * sizeof(int));
    for_my_1d(i, 10) {
        int *p = (int *)(s + i);
        for (j = 0; j < 6; j++)
            p[j] = i * 6 + j;
    }
    barrier();
    row(0, 6, s, 10);
    row(3, 6, s + 3, 7);
    CHECK((s + 9) - s == 9 && s + 9 > s && toproc(s + 9) == 9 % PROCS);
    int copy[6];
    bulk_read(copy, s + 7, sizeof copy);
    CHECK(copy[5] == 47);
    copy[2] = MYPROC;
    barrier();
    bulk_put(s[MYPROC % 10], copy, sizeof copy);
    sync();
    barrier();
    all_spread_free(s);
    on_one printf("good\n");
}
