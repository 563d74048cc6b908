/* The shared heap: allocation of shared memory by any thread, at any time, freed by any thread.
 *
 * Two kinds of memory (ARCHITECTURE.md, decision 6): symmetric, where an allocation has the same native
 * address in every thread's span and one allocator serves the job; and local, in the span of the thread
 * that asks, with one allocator a thread.  All results are aligned to 64 bytes.  Memory is not cleared.
 */
#ifndef MER_HEAP_HEAP_H
#define MER_HEAP_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Functions take `name`, the library call for messages; null: no message.
 * They give native addresses; 0: there is not enough memory, and one message on standard error has said how
 * much was asked and how much there is. */

/* `bytes` in the span of every thread; in_use: how many bytes of all threads together will be touched (at
 * most bytes * THREADS).  Any thread, no collective. */
uint64_t mer_heap_symmetric(size_t bytes, size_t in_use, const char *name);

/* `bytes` in the caller's own span. */
uint64_t mer_heap_local(size_t bytes, const char *name);

/* Free what starts at native address a of thread t; symmetric memory by the pointer to thread 0's part, as
 * it was given.  A pointer that no allocation gave, or that is freed already, is a fatal message. */
void mer_heap_free(int t, uint64_t a, const char *name);

/* Bytes of the allocation that starts at native address a of thread t; 0: none does. */
size_t mer_heap_size(int t, uint64_t a);

/* Is a function of this process inside its heap, so that another call there would wait for ever? */
bool mer_heap_is_held(void);

/* Start-up, before user code: `start` is the native address behind the static shared objects, `stack` the
 * size of the main program's stack in the span (0: it has none there).  Collective
 * only in that every thread calls it; the heaps' state is zero memory and is put up by its owner, so that a
 * barrier has to follow. */
void mer_heap_start(uint64_t start, uint64_t stack);

/* Several hosts: what is done on the host of an arena is done by a service there, a function that neither
 * sends nor waits.  call_host runs it on the host of thread t with n bytes of `in', waits, and gives m bytes
 * of its answer, MER_HEAP_RESULT_MOST at most (am.h); the layer above registers it.  Start-up. */
#define MER_HEAP_RESULT_MOST 56
typedef size_t mer_heap_service(int caller, const void *in, void *out);
typedef void mer_heap_call_host(int t, mer_heap_service *service, const void *in, size_t n, void *out,
                                size_t m);
void mer_heap_messages(mer_heap_call_host *call);

/* Make the memory of all other threads inaccessible, but for what the runtime itself keeps there
 * (MERIDIAN_REMOTE=1): an access that should have gone by message then fails.  Start-up, after the last
 * barrier. */
void mer_heap_hide(void);

#endif
