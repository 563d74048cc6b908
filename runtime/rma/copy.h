/* Copies of shared memory, out of line; compiled code has them inline where it knows enough. */
#ifndef MER_RMA_COPY_H
#define MER_RMA_COPY_H

#include <meridian/abi.h>
#include <stddef.h>

/* n bytes with affinity to one thread each; relaxed accesses (UPC 7.2.5), any alignment.  Null pointers with
 * n > 0 are a fatal message that names the call.  name: a string literal. */
void mer_rma_get(void *to, mer_u64 from, size_t n, const char *name);
void mer_rma_put(mer_u64 to, const void *from, size_t n, const char *name);
void mer_rma_copy(mer_u64 to, mer_u64 from, size_t n, const char *name);
void mer_rma_set(mer_u64 to, int c, size_t n, const char *name);

/* The same, complete when *counter, which is raised by the messages under way, is back to what it was.  What
 * is local is done at once.  The source of a put may be reused at once; the counter and a get's
 * destination stay valid until then.  mer_am_wait_counter waits for 0. */
void mer_rma_get_begin(void *to, mer_u64 from, size_t n, int *counter, const char *name);
void mer_rma_put_begin(mer_u64 to, const void *from, size_t n, int *counter, const char *name);
void mer_rma_copy_begin(mer_u64 to, mer_u64 from, size_t n, int *counter, const char *name);
void mer_rma_set_begin(mer_u64 to, int c, size_t n, int *counter, const char *name);

/* The same for many pieces of one transfer (am/pieces.h), of one thread's memory each.  What is remote
 * is under way after mer_pieces_send, and the source of a put stays as it is until the counter is lowered. */
struct mer_pieces;
void mer_rma_get_piece(struct mer_pieces *pieces, void *to, mer_u64 from, size_t n);
void mer_rma_put_piece(struct mer_pieces *pieces, mer_u64 to, const void *from, size_t n);

/* Private memory of this thread in the place of a shared side. */
static inline mer_u64 mer_rma_private(const void *p) {
    return (mer_u64)p | (mer_u64)MER_MYTHREAD << MER_THREAD_SHIFT;
}

#endif
