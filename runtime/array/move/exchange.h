/* An exchange: a fixed pattern of pieces that threads send each other, prepared once and run many times.
 *
 * All pieces from one thread to another travel as one message.  A thread packs the message straight into the
 * receiver's buffer, if that is on its host, and posts an event there.  To other hosts it sends the message
 * as an active message that posts the event too, or as several in order, of which the last one posts it.  The
 * receiver waits for the event, and unpacks.  No thread reads another thread's arrays, so no barrier is
 * needed; the sources may be changed once start has returned.
 *
 * Why two buffers for each sender are enough.  Run m uses buffer m mod 2.  The sender may fill the buffer
 * when the receiver has unpacked run m - 2.  If the receiver sends to the sender too (`mutual'), it sent its
 * message of run m - 1 after it had finished run m - 2, and the sender has waited for that message before it
 * starts run m.  If the receiver sends nothing to the sender, it posts an answer event for each run that it
 * has unpacked.  The sender waits for the answer, which in general is there already.  Modelled in
 * tests/model/exchange.pml. */
#ifndef MER_ARRAY_EXCHANGE_H
#define MER_ARRAY_EXCHANGE_H

#include "array/move/copy.h"
#include "array/layout/pieces.h"

#include <stdint.h>

struct mer_exchange;

/* Passes to the sink all pieces that thread `thread' gets, from itself too; the same on all threads. */
typedef void mer_exchange_pattern(const void *context, int thread, mer_piece_sink *sink, void *to);

/* Makes an exchange, inside a collective call; fatal if there is no memory.  fills: the pieces that this
 * thread gets fill one whole stretch of memory for each to_slot, so that a copy within the thread may go
 * beyond its piece, into the place of another piece that is written later. */
struct mer_exchange *mer_exchange_new(mer_exchange_pattern *pattern, const void *context, bool fills);
/* Frees an exchange, inside a collective call; all threads have finished its runs. */
void mer_exchange_free(struct mer_exchange *x);

/* Run an exchange: memory[slot] is the first element of the caller's block in the array of a piece's to_slot
 * or from_slot.  digest: the same on all threads of a run, else it is a fatal error.  start sends, and moves
 * the pieces that stay in the thread; finish waits for the others.  send and move are the halves of start. */
void mer_exchange_send(struct mer_exchange *x, char *const *memory, uint64_t digest);
void mer_exchange_move(const struct mer_exchange *x, char *const *memory);
static inline void mer_exchange_start(struct mer_exchange *x, char *const *memory, uint64_t digest) {
    mer_exchange_send(x, memory, digest);
    mer_exchange_move(x, memory);
}
void mer_exchange_finish(struct mer_exchange *x, char *const *memory, uint64_t digest);

/* Returns true if this thread neither sends nor receives: then only mer_exchange_move has an effect. */
bool mer_exchange_is_local(const struct mer_exchange *x);

/* Returns true if a piece that stays in the thread reads this slot. */
bool mer_exchange_reads_slot(const struct mer_exchange *x, int slot);

#endif
