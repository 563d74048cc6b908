/* Round trips of eight pairs of processors on the available cores. */
#define OVERSUBSCRIBED
#include "trips.h"
