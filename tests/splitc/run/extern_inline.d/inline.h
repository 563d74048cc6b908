#include <split-c/split-c.h>
extern inline void add(int *global p, int by) { *p += by; }
extern inline int *global there(int proc, int *p) { return toglobal(proc, p); }
inline extern int power(int n, int to) { return to == 0 ? 1 : n * power(n, to - 1); }
