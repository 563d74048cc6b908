/* <upc_nb.h> as the C compiler sees it. */
#ifndef MER_DIALECT_UPC_NB_H
#define MER_DIALECT_UPC_NB_H

#include <meridian/abi/abi.h>
#include <stddef.h>

/* For transfers of other files: the counter of a transfer that is about to begin, its handle once it has
 * begun, and the counter of upc_synci.  Transfers begin one at a time. */
int *mer_nb_counter(const char *name);
unsigned long mer_nb_handle(void);
int *mer_nb_implicit(void);

typedef unsigned long upc_handle_t;
#define UPC_COMPLETE_HANDLE ((upc_handle_t)0)

upc_handle_t upc_memcpy_nb(mer_pptr dst, mer_pptr src, size_t n);
upc_handle_t upc_memget_nb(void *restrict dst, mer_pptr src, size_t n);
upc_handle_t upc_memput_nb(mer_pptr dst, const void *restrict src, size_t n);
upc_handle_t upc_memset_nb(mer_pptr dst, int c, size_t n);

void upc_memcpy_nbi(mer_pptr dst, mer_pptr src, size_t n);
void upc_memget_nbi(void *restrict dst, mer_pptr src, size_t n);
void upc_memput_nbi(mer_pptr dst, const void *restrict src, size_t n);
void upc_memset_nbi(mer_pptr dst, int c, size_t n);

int upc_sync_attempt(upc_handle_t handle);
void upc_sync(upc_handle_t handle);
int upc_synci_attempt(void);
void upc_synci(void);

#endif
