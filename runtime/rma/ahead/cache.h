/* The cache of remote memory that a nest of loops reads (prefetch.h), for the functions that write to remote
 * memory: cached bytes follow the thread's own writes.  If mer_cache_used is 0, nothing is cached, and writes
 * need not call these. */
#ifndef MERIDIAN_RMA_CACHE_H
#define MERIDIAN_RMA_CACHE_H

#include <meridian/abi/abi.h>
#include <stdbool.h>
#include <stddef.h>

/* Updates cached copies: this thread writes n bytes at `from' to remote memory. */
void mer_cache_write(mer_u64 bits, const void *from, size_t n);
/* Updates cached copies for a write of a word's first n bytes.  Returns false if it has not, and
 * mer_cache_write has to. */
bool mer_cache_write_word(mer_u64 bits, mer_u64 word, size_t n);
/* Drops the lines that hold any of n remote bytes, at least one, which are about to change. */
void mer_cache_forget(mer_u64 bits, size_t n);

/* For trials (rounds.c).  find_any returns the n remote bytes at bits, or null if not all are in the cache.
 * A number (mer_cache_number) is returned in the cache.  Other objects are copied to `copy', which is
 * undefined after null.
 * ask requests the bytes and their neighbours, unless that has been done; it returns false if there is no
 * space for all of them. */
void *mer_cache_find_any(mer_u64 bits, size_t n, void *copy);
bool mer_cache_ask(mer_u64 bits, size_t n);
/* Waits for all bytes that mer_cache_ask has requested; until then none of them is found. */
void mer_cache_asked_there(void);

#endif
