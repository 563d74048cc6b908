/* <upc_nb.h>: transfers that need not be complete when the call returns (UPC 1.3, 7.9).  This is UPC source.
 *
 * Between threads of one host a transfer is a copy of memory, which only the calling thread can carry out: it
 * is complete when its call returns, as 7.9.2 allows, and its handle is UPC_COMPLETE_HANDLE.  A transfer with
 * remote memory goes by message, and is under way until the program completes it.
 */
#ifndef MERIDIAN_UPC_NB_H
#define MERIDIAN_UPC_NB_H

#ifndef __UPC__
#error "<upc_nb.h> is for UPC programs: compile them with `meridian cc' (as .upc files, or with -x upc)"
#endif

#include <stddef.h>

/* 7.9.3 Explicit handles */
typedef unsigned long upc_handle_t;
#define UPC_COMPLETE_HANDLE ((upc_handle_t)0)

/* 7.9.4 Transfers with a handle, which upc_sync or a successful upc_sync_attempt consumes, once, on the
 * thread that got it; an invalid handle ends the job with a message */
upc_handle_t upc_memcpy_nb(shared void *__restrict dst, shared const void *__restrict src, size_t n);
upc_handle_t upc_memget_nb(void *__restrict dst, shared const void *__restrict src, size_t n);
upc_handle_t upc_memput_nb(shared void *__restrict dst, const void *__restrict src, size_t n);
upc_handle_t upc_memset_nb(shared void *dst, int c, size_t n);

/* 7.9.5 Transfers that the thread's next upc_synci completes */
void upc_memcpy_nbi(shared void *__restrict dst, shared const void *__restrict src, size_t n);
void upc_memget_nbi(void *__restrict dst, shared const void *__restrict src, size_t n);
void upc_memput_nbi(shared void *__restrict dst, const void *__restrict src, size_t n);
void upc_memset_nbi(shared void *dst, int c, size_t n);

/* 7.9.6, 7.9.7 Completion; the attempts do not wait, and return non-zero on success */
int upc_sync_attempt(upc_handle_t handle);
void upc_sync(upc_handle_t handle);
int upc_synci_attempt(void);
void upc_synci(void);

#endif
