/* Shared string handling (UPC 7.2.5). */
#include "dialect/upc/upc.h"

#include "rma/copy.h"

void upc_memcpy(mer_pptr dst, mer_pptr src, size_t n) { mer_rma_copy(dst.bits, src.bits, n, "upc_memcpy"); }

void upc_memget(void *restrict dst, mer_pptr src, size_t n) { mer_rma_get(dst, src.bits, n, "upc_memget"); }

void upc_memput(mer_pptr dst, const void *restrict src, size_t n) {
    mer_rma_put(dst.bits, src, n, "upc_memput");
}

void upc_memset(mer_pptr dst, int c, size_t n) { mer_rma_set(dst.bits, c, n, "upc_memset"); }
