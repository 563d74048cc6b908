/* The cache of what a nest of loops reads (prefetch.h), as seen by what writes to remote memory: what is kept
 * follows the thread's own writes.  Both are nothing to do where nothing is kept: mer_cache_used. */
#ifndef MERIDIAN_RMA_CACHE_H
#define MERIDIAN_RMA_CACHE_H

#include <meridian/abi.h>
#include <stddef.h>

/* n remote bytes become those at `from'. */
void mer_cache_write(mer_u64 bits, const void *from, size_t n);
/* n remote bytes, at least one, become what their owner says. */
void mer_cache_forget(mer_u64 bits, size_t n);

#endif
