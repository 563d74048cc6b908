/* UPC's core library as the C compiler sees it: the functions that <upc.h> declares in UPC (UPC 1.3, 7.2),
 * with shared void * as mer_pptr and upc_lock_t * as mer_ptr. */
#ifndef MER_DIALECT_UPC_UPC_H
#define MER_DIALECT_UPC_UPC_H

#include <meridian/abi/abi.h>
#include <stddef.h>

_Noreturn void upc_global_exit(int status);

mer_pptr upc_global_alloc(size_t nblocks, size_t nbytes);
mer_pptr upc_all_alloc(size_t nblocks, size_t nbytes);
mer_pptr upc_alloc(size_t nbytes);
mer_pptr upc_local_alloc(size_t nblocks, size_t nbytes);
void upc_free(mer_pptr ptr);
void upc_all_free(mer_pptr ptr);

size_t upc_threadof(mer_pptr ptr);
size_t upc_phaseof(mer_pptr ptr);
mer_pptr upc_resetphase(mer_pptr ptr);
size_t upc_addrfield(mer_pptr ptr);
size_t upc_affinitysize(size_t totalsize, size_t nbytes, size_t threadid);

mer_ptr upc_global_lock_alloc(void);
mer_ptr upc_all_lock_alloc(void);
void upc_lock_free(mer_ptr lock);
void upc_all_lock_free(mer_ptr lock);
void upc_lock(mer_ptr lock);
int upc_lock_attempt(mer_ptr lock);
void upc_unlock(mer_ptr lock);

void upc_memcpy(mer_pptr dst, mer_pptr src, size_t n);
void upc_memget(void *restrict dst, mer_pptr src, size_t n);
void upc_memput(mer_pptr dst, const void *restrict src, size_t n);
void upc_memset(mer_pptr dst, int c, size_t n);

#endif
