/* The cache of what a nest of loops reads (prefetch.h), as seen by what writes to remote memory: what is kept
 * follows the thread's own writes.  Both are nothing to do where nothing is kept: mer_cache_used. */
#ifndef MERIDIAN_RMA_CACHE_H
#define MERIDIAN_RMA_CACHE_H

#include <meridian/abi.h>
#include <stdbool.h>
#include <stddef.h>

/* n remote bytes become those at `from'. */
void mer_cache_write(mer_u64 bits, const void *from, size_t n);
/* The same of a word's first n bytes; false: not done, it is to be done as above. */
bool mer_cache_write_word(mer_u64 bits, mer_u64 word, size_t n);
/* n remote bytes, at least one, become what their owner says. */
void mer_cache_forget(mer_u64 bits, size_t n);

/* For trials (rounds.c).  The n remote bytes at bits in the cache, or, where they are no number, in `copy',
 * to which they go; null: not there, and then what `copy' has is undefined.  Asks for them and what lies
 * beside them, unless that has been done; false: there is no place for all of them. */
void *mer_cache_find_any(mer_u64 bits, size_t n, void *copy);
bool mer_cache_ask(mer_u64 bits, size_t n);
/* Waits for all that has been asked for so: before, none of it is found. */
void mer_cache_asked_there(void);

#endif
