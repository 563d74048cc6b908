/* Non-blocking transfers (UPC 7.9).
 *
 * On one host there is no engine beside the processor that could copy while the thread computes, and a
 * helper's copy would cost a hand-over each way and half of the memory's bandwidth.  So transfers are done
 * when they are started.  A handle other than UPC_COMPLETE_HANDLE was therefore never given to anybody: it
 * is a variable without a value, or a handle of another kind, and the program is told.
 */
#include "dialect/upc/nb.h"

#include "core/message.h"
#include "rma/copy.h"

upc_handle_t upc_memcpy_nb(mer_pptr dst, mer_pptr src, size_t n) {
    mer_rma_copy(dst.bits, src.bits, n, "upc_memcpy_nb");
    return UPC_COMPLETE_HANDLE;
}

upc_handle_t upc_memget_nb(void *restrict dst, mer_pptr src, size_t n) {
    mer_rma_get(dst, src.bits, n, "upc_memget_nb");
    return UPC_COMPLETE_HANDLE;
}

upc_handle_t upc_memput_nb(mer_pptr dst, const void *restrict src, size_t n) {
    mer_rma_put(dst.bits, src, n, "upc_memput_nb");
    return UPC_COMPLETE_HANDLE;
}

upc_handle_t upc_memset_nb(mer_pptr dst, int c, size_t n) {
    mer_rma_set(dst.bits, c, n, "upc_memset_nb");
    return UPC_COMPLETE_HANDLE;
}

void upc_memcpy_nbi(mer_pptr dst, mer_pptr src, size_t n) {
    mer_rma_copy(dst.bits, src.bits, n, "upc_memcpy_nbi");
}

void upc_memget_nbi(void *restrict dst, mer_pptr src, size_t n) {
    mer_rma_get(dst, src.bits, n, "upc_memget_nbi");
}

void upc_memput_nbi(mer_pptr dst, const void *restrict src, size_t n) {
    mer_rma_put(dst.bits, src, n, "upc_memput_nbi");
}

void upc_memset_nbi(mer_pptr dst, int c, size_t n) { mer_rma_set(dst.bits, c, n, "upc_memset_nbi"); }

static void check(upc_handle_t handle, const char *name) {
    if (handle != UPC_COMPLETE_HANDLE)
        mer_fatal("%s: 0x%lx is no handle that a transfer of this thread has returned (UPC 7.9.3)", name,
                  handle);
}

int upc_sync_attempt(upc_handle_t handle) {
    check(handle, "upc_sync_attempt");
    return 1;
}

void upc_sync(upc_handle_t handle) { check(handle, "upc_sync"); }

int upc_synci_attempt(void) { return 1; }

void upc_synci(void) {}
