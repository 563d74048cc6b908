/* The first reading of the processor's counter.  The earlier it is taken, the more exact is the rate. */
#include "base/counter.h"

#if defined(__x86_64__)
struct mer_counter_reading mer_counter_start;

void mer_counter_begin(void) { mer_counter_start = mer_counter_read(); }
#else
void mer_counter_begin(void) {}
#endif
