/* The first reading of the processor's counter: the earlier it is, the better is the rate that follows from it. */
#include "base/counter.h"

#if defined(__x86_64__)
struct mer_counter_reading mer_counter_start;

void mer_counter_begin(void) { mer_counter_start = mer_counter_read(); }
#else
void mer_counter_begin(void) {}
#endif
