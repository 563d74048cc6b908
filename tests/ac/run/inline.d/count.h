#include <split-c/split-c.h>
dist int count[PROCS];
int total;
void bump(int by);
extern inline int twice(int i) { return 2 * i; }
