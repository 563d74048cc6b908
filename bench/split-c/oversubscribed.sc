/* Round trips of eight pairs of processors on the cores that there are. */
#define OVERSUBSCRIBED
#include "trips.h"
