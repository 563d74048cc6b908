/* Round trips of eight pairs of processors on the cores that there are. */
#define CROWDED
#include "trips.h"
