/* A header of the old kind: it defines what all files have in common. */
#include <split-c/split-c.h>
int n;
double times[3];
int *spread ends;
int *global first;
struct cell { int value, owner; } cells[PROCS]::;
int table[PROCS]::[4];
int square[PROCS * PROCS]::;
