/* <upc.h>: UPC's core library (UPC 1.3, 7.2).  This is UPC source: `meridian cc' reads it. */
#ifndef MERIDIAN_UPC_H
#define MERIDIAN_UPC_H

#ifndef __UPC__
#error "<upc.h> is for UPC programs: compile them with `meridian cc' (as .upc files, or with -x upc)"
#endif

#include <stddef.h>

/* 7.2.1 Termination of all threads */
__attribute__((__noreturn__)) void upc_global_exit(int status);

/* 7.2.2 Shared memory allocation.  Results have zero phase, and are null if there is no memory or the size is
 * zero. */
shared void *upc_global_alloc(size_t nblocks, size_t nbytes);
shared void *upc_all_alloc(size_t nblocks, size_t nbytes); /* collective */
shared void *upc_alloc(size_t nbytes);
void upc_free(shared void *ptr);
void upc_all_free(shared void *ptr); /* collective */
/* UPC 1.1; upc_alloc(nblocks * nbytes) */
shared void *upc_local_alloc(size_t nblocks, size_t nbytes);

/* 7.2.3 Pointer-to-shared manipulation */
size_t upc_threadof(shared const void *ptr);
size_t upc_phaseof(shared const void *ptr);
shared void *upc_resetphase(shared const void *ptr);
size_t upc_addrfield(shared const void *ptr);
size_t upc_affinitysize(size_t totalsize, size_t nbytes, size_t threadid);

/* 7.2.4 Locks */
typedef shared struct upc_lock_struct upc_lock_t;
upc_lock_t *upc_global_lock_alloc(void);
upc_lock_t *upc_all_lock_alloc(void); /* collective */
void upc_lock_free(upc_lock_t *ptr);
void upc_all_lock_free(upc_lock_t *ptr); /* collective */
void upc_lock(upc_lock_t *ptr);
int upc_lock_attempt(upc_lock_t *ptr);
void upc_unlock(upc_lock_t *ptr);

/* 7.2.5 Shared string handling: n bytes, each side with affinity to one thread */
void upc_memcpy(shared void *__restrict dst, shared const void *__restrict src, size_t n);
void upc_memget(void *__restrict dst, shared const void *__restrict src, size_t n);
void upc_memput(shared void *__restrict dst, const void *__restrict src, size_t n);
void upc_memset(shared void *dst, int c, size_t n);

/* `upcc' includes the headers that programs written for Berkeley UPC's upcc rely on. */
#ifdef __MERIDIAN_BUPC__
#include <inttypes.h>
#include <stdlib.h>
#include <bupc_extensions.h>
#endif

#endif
