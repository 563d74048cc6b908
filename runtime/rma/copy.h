/* Copies of shared memory, out of line; compiled code has them inline where it knows enough. */
#ifndef MER_RMA_COPY_H
#define MER_RMA_COPY_H

#include <meridian/abi.h>
#include <stddef.h>

/* n bytes with affinity to one thread each; relaxed accesses (UPC 7.2.5).  Null pointers with n > 0 are a
 * fatal message that names the call. */
void mer_rma_get(void *to, mer_u64 from, size_t n, const char *name);
void mer_rma_put(mer_u64 to, const void *from, size_t n, const char *name);
void mer_rma_copy(mer_u64 to, mer_u64 from, size_t n, const char *name);
void mer_rma_set(mer_u64 to, int c, size_t n, const char *name);

#endif
