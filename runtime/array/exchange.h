/* An exchange: a fixed pattern of pieces that threads send each other, prepared once and run many times.
 *
 * All pieces from one thread to another travel as one message.  A thread packs it straight into the
 * receiver's buffer, if that is on its host, and posts an event there; to other hosts it goes as an active
 * message that posts the event too, or as several in order, of which the last one does.  The receiver waits
 * for the event, and unpacks.  Nobody looks at another's arrays, so no barrier is needed; what is sent may be
 * changed once start has returned.
 *
 * Why two buffers for each sender are enough.  Run m uses buffer m mod 2.  The sender may fill it when the
 * receiver has unpacked run m - 2.  If the receiver sends to the sender too (`mutual'), its message of run m
 * - 1, for which the sender has waited before it starts run m, was sent after it finished m - 2.  If it does
 * not, it says so by an event of its own, for which the sender waits, and in general does not have to.
 * Modelled in tests/model/exchange.pml. */
#ifndef MER_ARRAY_EXCHANGE_H
#define MER_ARRAY_EXCHANGE_H

#include "array/copy.h"
#include "array/pieces.h"

#include <stdint.h>

struct mer_exchange;

/* Tell the sink all pieces that thread `thread' gets, from itself too; alike on all threads. */
typedef void mer_exchange_pattern(const void *context, int thread, mer_piece_sink *sink, void *to);

/* Inside a collective call, which is fatal if there is no memory.  fills: the pieces that this thread gets
 * are the whole of one stretch of memory for each to_slot, so that a copy within the thread may go beyond
 * its piece, to where another piece comes after it. */
struct mer_exchange *mer_exchange_new(mer_exchange_pattern *pattern, const void *context, bool fills);
/* Likewise; all have finished its runs. */
void mer_exchange_free(struct mer_exchange *x);

/* Run it: memory[slot] is the first element of the caller's block in the array that a piece's to_slot or
 * from_slot means.  digest: the same for all threads of a run, or it is a fatal message.  start sends, and
 * moves what stays in the thread; finish waits for the others.  send and move are the two halves of start. */
void mer_exchange_send(struct mer_exchange *x, char *const *memory, uint64_t digest);
void mer_exchange_move(const struct mer_exchange *x, char *const *memory);
static inline void mer_exchange_start(struct mer_exchange *x, char *const *memory, uint64_t digest) {
    mer_exchange_send(x, memory, digest);
    mer_exchange_move(x, memory);
}
void mer_exchange_finish(struct mer_exchange *x, char *const *memory, uint64_t digest);

/* Does this thread neither send nor receive?  Then only mer_exchange_move does anything. */
bool mer_exchange_is_local(const struct mer_exchange *x);

/* Does the piece that stays in the thread read this slot? */
bool mer_exchange_reads_slot(const struct mer_exchange *x, int slot);

#endif
