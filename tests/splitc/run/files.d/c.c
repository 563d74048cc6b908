#include <split-c/split-c.h>
int c_side(mer_ptr g) { int v; bulk_read(&v, g, sizeof v); return toproc(g) == (MYPROC + 1) % PROCS ? v : -1; }
