#include <split-c/split-c.h>
#include <split-c/control.h>
#define N 8
extern double grid[PROCS]::[N];
extern int table[PROCS]::[PROCS];
double total(double (*spread)[N]);
int c_side(int *global);
int upc_side(void);
