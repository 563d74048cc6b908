//: clause array 3
//: clause array 6
/* Blocked matrix product on spread arrays with blocks of run-time size. */
#include <split-c/split-c.h>
#include <split-c/control.h>
#include <stdio.h>
void all_mat_mult_blk(int n, int r, int m, int b, double C[n][m]::[b][b], double A[n][r]::[b][b], double B[r][m]::[b][b])
{
  int i, j, k, l;
  double la[b][b], lb[b][b];
  for_my_2D(i, j, n, m) {
    double (*lc)[b] = tolocal(C[i][j]);
    for (k = 0; k < r; k++) {
      bulk_read(la, A[i][k], b*b*sizeof(double));
      bulk_get(lb, B[k][j], b*b*sizeof(double)); sync();
      { int x, y, z; for (x = 0; x < b; x++) for (y = 0; y < b; y++) for (z = 0; z < b; z++) lc[x][y] += la[x][z] * lb[z][y]; }
    }
  }
  barrier();
}
void init(n, m, b, A, f) int n, m, b; double A[n][m]::[b][b]; double (*f)(int, int);
{ int i, j, x, y; for_my_2d(i, j, n, m) for (x = 0; x < b; x++) for (y = 0; y < b; y++) A[i][j][x][y] = f(i*b+x, j*b+y); barrier(); }
double fa(int i, int j) { return i + 1; }
double fb(int i, int j) { return j == i; }
double zero(int i, int j) { return 0; }
splitc_main(argc, argv) char **argv;
{
  int n = 3, r = 2, m = 3, b = 4, i, j, x, y;
  double A[n][r]::[b][b], B[r][m]::[b][b], C[n][m]::[b][b];
  init(n, r, b, A, fa); init(r, m, b, B, fb); init(n, m, b, C, zero);
  all_mat_mult_blk(n, r, m, b, C, A, B);
  for (i = 0; i < n; i++) for (j = 0; j < m; j++) for (x = 0; x < b; x++) for (y = 0; y < b; y++)
    if (C[i][j][x][y] != (j*b+y < r*b ? i*b+x+1 : 0)) { printf("C %d %d %d %d %g\n", i, j, x, y, C[i][j][x][y]); exit(1); }
  barrier();
  on_one printf("good\n");
}
