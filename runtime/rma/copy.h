/* Copies of shared memory, out of line; compiled code has them inline if it knows enough. */
#ifndef MER_RMA_COPY_H
#define MER_RMA_COPY_H

#include <meridian/abi/abi.h>
#include <stddef.h>

/* Copy or set n bytes.  Each shared side has affinity to one thread; relaxed accesses (UPC 7.2.5), any
 * alignment.  A null pointer with n > 0 is a fatal error, whose message names the call by `name', a string
 * literal. */
void mer_rma_get(void *to, mer_u64 from, size_t n, const char *name);
void mer_rma_put(mer_u64 to, const void *from, size_t n, const char *name);
void mer_rma_copy(mer_u64 to, mer_u64 from, size_t n, const char *name);
void mer_rma_set(mer_u64 to, int c, size_t n, const char *name);

/* Begin such a copy.  Messages under way raise *counter; the copy is complete when *counter has its old value
 * again.  Local memory is copied before the return.  The source of a put may be reused at once; the counter
 * and the destination of a get stay valid until completion.  mer_am_wait_counter waits for 0. */
void mer_rma_get_begin(void *to, mer_u64 from, size_t n, int *counter, const char *name);
void mer_rma_put_begin(mer_u64 to, const void *from, size_t n, int *counter, const char *name);
void mer_rma_copy_begin(mer_u64 to, mer_u64 from, size_t n, int *counter, const char *name);
void mer_rma_set_begin(mer_u64 to, int c, size_t n, int *counter, const char *name);

/* Add a piece, of one thread's memory, to a transfer of many (rma/pieces.h).  Local pieces are copied at
 * once.  Remote pieces are under way after mer_pieces_send; the source of a put stays unchanged until the
 * counter is lowered. */
struct mer_pieces;
void mer_rma_get_piece(struct mer_pieces *pieces, void *to, mer_u64 from, size_t n);
void mer_rma_put_piece(struct mer_pieces *pieces, mer_u64 to, const void *from, size_t n);

/* Returns a pointer to private memory of this thread that can stand for a shared side. */
static inline mer_u64 mer_rma_private(const void *p) {
    return (mer_u64)p | (mer_u64)MER_MYTHREAD << MER_THREAD_SHIFT;
}

#endif
