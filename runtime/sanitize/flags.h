/* The synchronisation flags of a collective call (UPC 7.4.1): ALLSYNC orders as a barrier does. */
#ifndef MER_SANITIZE_FLAGS_H
#define MER_SANITIZE_FLAGS_H

#include "dialect/upc/collective.h"
#include "sanitize/clock.h"

/* Before the call `name' accesses data, and after it has done so. */
static inline void mer_sanitize_in(const char *name, upc_flag_t flags) {
    if (mer_upc_in(flags) == MER_SYNC_ALL)
        mer_clock_all_sync(name);
}
static inline void mer_sanitize_out(const char *name, upc_flag_t flags) {
    if (mer_upc_out(flags) == MER_SYNC_ALL)
        mer_clock_all_sync(name);
}

#endif
