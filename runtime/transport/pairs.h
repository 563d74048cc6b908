/* Pairs of words that go to threads of other hosts one after the other: what a loop reads, writes or updates
 * word by word.  A pair costs its sender two stores, no lock and no call.
 *
 * Pairs wait in a row, one for each of some threads, until they are put into packets, as a message of
 * hundreds: when the row is full, when the thread sends that thread another request, polls or waits, and at
 * the latest when the progress thread looks.  All pairs of a row are for one handler and one counter; for
 * another one the row is emptied first.  So requests to one thread keep the order in which they were begun.
 *
 * The rows are one POSIX thread's, the one that opened the end: two that add pairs without a lock would
 * overwrite what the other adds.  A pair of another POSIX thread of the program's goes as a message of its
 * own.
 *
 * Two POSIX threads meet here without a lock.  The thread alone adds pairs and counts them.  Whoever holds
 * the end's lock takes them, up to the count that it reads, and counts what it has taken.  The thread begins
 * the row anew while it holds the lock.
 *
 * Before the progress thread sleeps, it says so and then looks at the rows once more; the thread adds a pair
 * and then looks whether the progress thread sleeps.  Between the two steps of either there has to be a full
 * fence.  The progress thread has the kernel execute the thread's (membarrier), so that a pair costs none;
 * where the kernel does not, the thread executes it.
 *
 * Compiled code adds pairs too: <meridian/rows.h>, where the rows are declared. */
#ifndef MER_TRANSPORT_PAIRS_H
#define MER_TRANSPORT_PAIRS_H

#include <meridian/abi.h>
#include <stdbool.h>
#include <stdint.h>

struct mer_transport;

/* Pairs that ask for a reply have a counter.  Their first words stay here, in a list whose address goes with
 * the second ones, and comes back with the reply, whose handler frees it.  So the first words say where the
 * answers go, and a word for each pair travels either way. */
struct mer_asked {
    int *counter;
    mer_u64 count;
    mer_u64 first[];
};

/* No pair that changes anything is added without mer_transport_send_pair, until that has been called again
 * for its thread and handler.  So what is to be done once for many pairs is done there.  The thread only. */
void mer_rows_shut(struct mer_rows *rows);

/* Add a pair; false: the row is not open to it, or full, see mer_transport_send_pair.  The thread only.
 * A handler has a counter with all of its pairs, or with none. */
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

/* The same of a single word, for a handler of such. */
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

/* Have the kernel execute a full fence in each POSIX thread of this process that runs; false: it does not. */
bool mer_rows_fence_all(const struct mer_rows *rows);

/* Does any row hold pairs that are in no packet; pairs that ask for a reply?  The thread, or the lock. */
bool mer_rows_wait(const struct mer_rows *rows);
bool mer_rows_ask(const struct mer_rows *rows);

/* ---- for the files of this folder; under the lock ----------------------------------------------------- */

/* Start-up, and the end. */
void mer_rows_open(struct mer_rows *rows);
void mer_rows_close(struct mer_rows *rows);

/* Put the pairs of the row for a thread into packets, or those of all rows, as far as the window permits;
 * false: not all. */
bool mer_rows_take(struct mer_transport *end, int to);
bool mer_rows_take_all(struct mer_transport *end);

/* A pair as a message of its own, from a POSIX thread that has no rows. */
void mer_pair_alone(struct mer_transport *end, int to, int handler, const mer_u64 pair[2], int *counter);

/* The row holds as many pairs as it can. */
static inline bool mer_rows_full(const struct mer_row *row) {
    return row->count == (row->single ? MER_ROW_WORDS : MER_ROW_PAIRS);
}
/* Is the row for a thread one for this handler and counter, and not full? */
bool mer_rows_fits(const struct mer_rows *rows, int to, int handler, const int *counter);
/* The row for a thread, empty, for this handler and counter.  Those that were in it are in packets. */
void mer_rows_begin(struct mer_transport *end, int to, int handler, int *counter);

/* The progress thread wants to sleep; true: no pair is there, and the next one wakes it. */
bool mer_rows_may_sleep(struct mer_rows *rows);

#endif
