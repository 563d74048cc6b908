/* Walks over spread arrays. */
#define SPREAD(name, n) int name[n]::
#define SPREAD_DOUBLE(name, n) double name[n]::
#define STEP int *spread
#include <split-c/control.h>
#include "walk.inc"

int splitc_main(int argc, char **argv) { return MEASURE_MAIN(argc, argv); }
