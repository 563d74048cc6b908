/* Round trips between two processors on two cores. */
#include "trips.h"
