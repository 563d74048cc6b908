/* Memory in many pieces by message: strided rows, lists of places, elements distributed over threads.
 *
 * Pieces of one owner travel together, some hundred in a message, which names the place of each piece by one
 * word, and a run of pieces at equal distances by two.  Adjacent pieces become one.  So a transfer costs
 * about as much as the same bytes in one piece, and messages are waited for, not pieces.  Short pieces are
 * copied into a message and out of it.  Longer ones are sent from where they lie and, where the conduit
 * supports it, land where they belong.
 */
#ifndef MER_AM_PIECES_H
#define MER_AM_PIECES_H

#include <meridian/abi/abi.h>
#include <stdbool.h>
#include <stddef.h>

struct mer_pieces_batch;

/* Returns the number of threads for which messages are built at a time: all of a job, up to MER_PIECES_MOST.
 * A message's memory is committed as far as it is filled. */
#define MER_PIECES_MOST 512
int mer_pieces_owners(void);

/* A transfer, with its messages that are being built; begins as {.counter = ...}.  *counter is raised by the
 * number of messages, and lowered as they are answered; it stays valid until then. */
struct mer_pieces {
    int *counter;
    bool rma;                       /* the conduit has taken pieces by its get and put */
    bool more;                      /* the transport may let messages leave together */
    struct mer_pieces_batch **open; /* mer_pieces_owners() of them, or null before the first */
};

/* Add n bytes of one thread's memory, which is remote (not mer_is_local), at any alignment.  The destination
 * of a get stays valid, and the source of a put unchanged, until the counter is lowered.  The pieces of a
 * transfer have no order; earlier writes of this thread are seen. */
void mer_pieces_get(struct mer_pieces *pieces, void *to, mer_u64 from, size_t n);
void mer_pieces_put(struct mer_pieces *pieces, mer_u64 to, const void *from, size_t n);

/* Send all added pieces that have not been sent.  Nothing is kept, so the struct may be used anew. */
void mer_pieces_send(struct mer_pieces *pieces);

void mer_pieces_handlers(void);

#endif
