/* The shared heap: allocation of shared memory by any thread, at any time, freed by any thread.
 *
 * Two kinds of memory (ARCHITECTURE.md, decision 6): symmetric, where an allocation has the same native
 * address in every thread's span and one allocator serves the job; and local, in the span of the allocating
 * thread, with one allocator for each thread.  All results are aligned to 64 bytes.  Memory is not cleared.
 */
#ifndef MER_HEAP_HEAP_H
#define MER_HEAP_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* `name' is the library call for messages; if it is null, there is no message.  The allocating functions
 * return native addresses, or 0 if there is not enough memory; then a message on standard error has told the
 * requested and the available size. */

/* Allocate `bytes` in the span of every thread.  in_use: the bytes of all threads together that will be
 * touched (at most bytes * THREADS).  Not collective: called by any thread. */
uint64_t mer_heap_symmetric(size_t bytes, size_t in_use, const char *name);

/* Allocate `bytes` in the caller's own span. */
uint64_t mer_heap_local(size_t bytes, const char *name);

/* Free the allocation at native address a of thread t.  Symmetric memory is freed by the address that was
 * returned, with thread 0.  A pointer that no allocation returned, or that has been freed already, ends the
 * job with a message. */
void mer_heap_free(int t, uint64_t a, const char *name);

/* Returns the bytes of the allocation that starts at native address a of thread t, or 0 if none does. */
size_t mer_heap_size(int t, uint64_t a);

/* Finds the allocations to which native address a of thread t may belong, as a pointer into them or to their
 * end.  starts[0]: the start of the allocation that contains the byte at a; starts[1]: of the one that ends
 * at a; 0 if there is none.  All except small allocations end before the next one begins, so starts[1] is
 * that of a small one.  Any two allocations of a job have different starts; an allocation of the symmetric
 * heap has the same start on all threads. */
void mer_heap_objects(int t, uint64_t a, uint64_t starts[2]);

/* Returns true if a function of this process is inside its heap, so that another call there would wait for
 * ever. */
bool mer_heap_is_held(void);

/* Start-up, before user code: `start` is the native address after the static shared objects, `stack` the size
 * of the main program's stack in the span (0 if it is not there).  Every thread calls it, without waiting for
 * the others.  Each heap's state is zero memory and is initialised by its owner, so a barrier must follow. */
void mer_heap_start(uint64_t start, uint64_t stack);

/* Make the memory of all other threads inaccessible, except the parts that the runtime itself uses there
 * (MERIDIAN_REMOTE=1), so that an access without a message fails.  Start-up, after the last barrier. */
void mer_heap_hide(void);

#endif
