//: clause array 4
/* Static spread arrays whose sizes depend on PROCS in any way, and blocks whose length is known at run
 * time, in casts and typedefs. */
#include <split-c/split-c.h>
#include <split-c/control.h>
#include <stdio.h>
#include <stdlib.h>
#include "../check.h"
#define N 10
int A[PROCS][PROCS]::;
double B[PROCS+1]::[2];
int C[PROCS]::[PROCS];
int D[N*PROCS/2]::[PROCS][3];
extern int E[PROCS*PROCS]::;
int E[PROCS*PROCS]:: = {5, 6, 7};
int F[PROCS+2]::[2] = {{1, 2}, {3, 4}};
int (*spread pd)[PROCS][3];
int G[4]::[PROCS];
int H[PROCS > 2 ? PROCS : 3]::;
void rowsum(int n, int m, int X[n]::[m], int *out) { int i, j, s = 0; for (i = 0; i < n; i++) for (j = 0; j < m; j++) s += X[i][j]; *out = s; }
splitc_main()
{
    static int S[PROCS][2]::[PROCS];
    int i, j, k;
    CHECK(sizeof(A) == 4 * PROCS * PROCS);
    CHECK(sizeof B == 16 * (PROCS+1));
    CHECK(sizeof H == 4 * (PROCS > 2 ? PROCS : 3));
    for_my_1d(i, 3) { H[i] = 8 + i; CHECK(H[i] == 8 + i); }
    CHECK(E[0] == 5 && (PROCS < 2 || E[1] == 6) && F[1][1] == 4 && F[2][1] == 0);
    for_my_2d(i, j, PROCS, PROCS) A[i][j] = i * 100 + j;
    for_my_1d(i, PROCS + 1) B[i][1] = i;
    for (i = 0; i < PROCS; i++) C[MYPROC][i] = MYPROC * 10 + i;
    for_my_1d(i, N*PROCS/2) for (j = 0; j < PROCS; j++) D[i][j][2] = i + j;
    for_my_1d(i, 4) for (j = 0; j < PROCS; j++) G[i][j] = i + j;
    S[MYPROC][1][PROCS-1] = 7;
    barrier();
    for (i = 0; i < PROCS; i++) for (j = 0; j < PROCS; j++) CHECK(A[i][j] == i * 100 + j);
    for (i = 0; i <= PROCS; i++) CHECK(B[i][1] == i);
    for (i = 0; i < PROCS; i++) for (j = 0; j < PROCS; j++) CHECK(C[i][j] == i * 10 + j);
    pd = D;
    for (i = 0; i < N*PROCS/2; i++) for (j = 0; j < PROCS; j++) { CHECK(D[i][j][2] == i + j); CHECK((*(pd + i))[j][2] == i + j); CHECK(toproc(&D[i]) == i % PROCS); }
    for (i = 0; i < 4; i++) for (j = 0; j < PROCS; j++) CHECK(G[i][j] == i+j);
    for (i = 0; i < PROCS; i++) CHECK(S[i][1][PROCS-1] == 7 && S[i][0][0] == 0);
    CHECK(toproc(&A[1 % PROCS][0]) == 0);
    rowsum(PROCS, PROCS, C, &k);
    CHECK(k == 10 * PROCS * (PROCS - 1) / 2 * PROCS + PROCS * PROCS * (PROCS-1) / 2);
    { int n = 3, *p = tolocal(C[MYPROC]); typedef int trow[n]; trow *spread t; int (*spread u)[n]; void *spread v = all_spread_malloc(6, 3*sizeof(int));
      t = (trow *spread)v; u = (int (*spread)[n])v;
      n = 99;
      for_my_1d(i, 6) { t[i][0] = i; u[i][1] = 2*i; (*(t + i))[2] = 3*i; }
      n = 3;
      barrier();
      for (i = 0; i < 6; i++) { CHECK(((int (*spread)[n])v)[i][2] == 3*i); CHECK((*((int (*spread)[n])v + i))[1] == 2 * i); CHECK(u[i][0] == i && toproc(u + i) == i % PROCS); }
      CHECK((u + 4) - u == 4 && t + 5 > t + 4);
      CHECK(p[0] == MYPROC * 10);
    }
    barrier();
    on_one puts("good");
}
