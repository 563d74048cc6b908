/* Pairs of words that go to threads of other hosts in large numbers: the reads, writes and updates of a loop,
 * word by word.  A pair costs its sender two stores, no lock and no call.
 *
 * Pairs wait in a row, one for each of some threads, until they are put into packets, as a message of
 * hundreds: when the row is full, when the thread sends that thread another request, polls or waits, and at
 * the latest when the progress thread looks.  All pairs of a row are for one handler and one counter; for
 * another one the row is emptied first.  So requests to one thread keep the order in which they were begun.
 *
 * The rows belong to one POSIX thread, the one that opened the end: if two added pairs without a lock, each
 * would overwrite those of the other.  A pair of another POSIX thread of the program goes as a message of its
 * own.
 *
 * Two POSIX threads access the rows without a common lock.  The thread alone adds pairs and counts them.  The
 * holder of the end's lock takes pairs, up to the count that it reads, and counts the taken ones.  The thread
 * begins the row anew while it holds the lock.
 *
 * Before the progress thread sleeps, it says so and then looks at the rows once more; the thread adds a pair
 * and then looks whether the progress thread sleeps.  Between the two steps of either there has to be a full
 * fence.  The progress thread has the kernel execute the thread's (membarrier), so that a pair costs none; if
 * the kernel does not, the thread executes it.
 *
 * Compiled code adds pairs too: <meridian/abi/rows.h>, where the rows are declared. */
#ifndef MER_TRANSPORT_PAIRS_H
#define MER_TRANSPORT_PAIRS_H

#include <meridian/abi/abi.h>
#include <stdbool.h>
#include <stdint.h>

struct mer_transport;

/* Pairs that ask for a reply have a counter.  Their first words, which say where the answers go, stay here in
 * a list.  The address of the list travels with the second words, and comes back with the reply, whose
 * handler frees the list.  So one word for each pair travels either way. */
struct mer_asked {
    int *counter;
    mer_u64 count;
    mer_u64 first[];
};

/* Closes all rows for pairs without a counter, which change memory: the next one for a thread and handler has
 * to go by mer_transport_send_pair, which does the work that is needed once for many pairs.  The thread
 * only. */
void mer_rows_shut(struct mer_rows *rows);

/* Adds a pair.  Returns false if the row is not open to it, or full; then mer_transport_send_pair is for it.
 * The thread only.  A handler has a counter with all of its pairs, or with none. */
static inline __attribute__((always_inline)) bool mer_rows_add(struct mer_rows *rows, int to, int handler,
                                                               mer_u64 first, mer_u64 second, int *counter) {
    struct mer_row *row = rows->row[(unsigned)to % MER_ROWS];
    uint32_t n = row->count;
    if (row->open != mer_rows_key(to, handler, false) || (counter && row->counter != counter) ||
        n == MER_ROW_PAIRS)
        return false;
    row->words[counter ? n : 2 * n] = first;
    row->words[counter ? MER_ROW_PAIRS + n : 2 * n + 1] = second;
    mer_rows_publish(rows, row, n + 1);
    return true;
}

/* Adds a single word like mer_rows_add, for a handler of single words. */
static inline __attribute__((always_inline)) bool mer_rows_add_word(struct mer_rows *rows, int to,
                                                                    int handler, mer_u64 word) {
    struct mer_row *row = rows->row[(unsigned)to % MER_ROWS];
    uint32_t n = row->count;
    if (row->open != mer_rows_key(to, handler, true) || n == MER_ROW_WORDS)
        return false;
    row->words[n] = word;
    mer_rows_publish(rows, row, n + 1);
    return true;
}

/* Has the kernel execute a full fence in each running POSIX thread of this process.  Returns false if it does
 * not. */
bool mer_rows_fence_all(const struct mer_rows *rows);

/* Returns true if any row holds pairs that are in no packet; mer_rows_ask: pairs that ask for a reply.  The
 * thread, or the lock. */
bool mer_rows_wait(const struct mer_rows *rows);
bool mer_rows_ask(const struct mer_rows *rows);

/* ---- for the files of this folder; under the lock ----------------------------------------------------- */

/* Start-up, and the end. */
void mer_rows_open(struct mer_rows *rows);
void mer_rows_close(struct mer_rows *rows);

/* Puts the pairs of the row for a thread into packets, or those of all rows, as far as the window permits.
 * Returns false if some are left. */
bool mer_rows_take(struct mer_transport *end, int to);
bool mer_rows_take_all(struct mer_transport *end);

/* Sends a pair as a message of its own, from a POSIX thread that has no rows. */
void mer_pair_alone(struct mer_transport *end, int to, int handler, const mer_u64 pair[2], int *counter);

/* Returns true if the row holds as many pairs as it can. */
static inline bool mer_rows_full(const struct mer_row *row) {
    return row->count == (row->single ? MER_ROW_WORDS : MER_ROW_PAIRS);
}
/* Returns true if the row for a thread is for this handler and counter, and not full. */
bool mer_rows_fits(const struct mer_rows *rows, int to, int handler, const int *counter);
/* Makes the row for a thread an empty one for this handler and counter.  Its former pairs are in packets. */
void mer_rows_begin(struct mer_transport *end, int to, int handler, int *counter);

/* Called before the progress thread sleeps.  Returns true if no pair waits; then the next one wakes the
 * progress thread. */
bool mer_rows_may_sleep(struct mer_rows *rows);

#endif
