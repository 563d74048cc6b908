/* <upc_tick.h>: wall-clock ticks (UPC 1.3, 7.5). */
#ifndef MERIDIAN_UPC_TICK_H
#define MERIDIAN_UPC_TICK_H

#include <stdint.h>

typedef uint64_t upc_tick_t;
#define UPC_TICK_MAX ((upc_tick_t)UINT64_MAX)
#define UPC_TICK_MIN ((upc_tick_t)0)

/* Returns the calling thread's clock, from a point in the past that is fixed while the program runs; the
 * clock never runs backwards.  Ticks of different threads have different scales and origins. */
upc_tick_t upc_ticks_now(void);

/* Converts a number of the calling thread's ticks to nanoseconds. */
uint64_t upc_ticks_to_ns(upc_tick_t ticks);

#endif
