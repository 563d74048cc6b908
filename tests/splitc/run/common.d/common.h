/* A header of the old kind, which defines the objects that all files share. */
#include <split-c/split-c.h>
int n;
double times[3];
int *spread ends;
int *global first;
struct cell { int value, owner; } cells[PROCS]::;
int table[PROCS]::[4];
int square[PROCS * PROCS]::;
