/* The state of this layer in one structure.  A process has one: its calls name no end, since the thread that
 * calls is the process's, with one set of rings and one end of the transport, both of which are structures
 * that are passed.  It stands at a fixed address, so that no message begins with a load of where it is.
 *
 * Apart from it stand what a POSIX thread has for itself (am.c, atomic.c) and mer_outstanding, which compiled
 * code reads (meridian/everything.h). */
#ifndef MER_AM_STATE_H
#define MER_AM_STATE_H

#include "base/record.h"
#include "sync/phase.h"
#include "transport/receive_ring.h"
#include "transport/transport.h"

struct mer_arrival; /* tree.c */

struct mer_am {
    /* am.c: sending and receiving */
    struct mer_receiver receiver; /* of this thread's rings */
    struct mer_handlers handlers;
    int registered;  /* numbers from 0 that mer_am_register has gone through */
    unsigned polled; /* messages handled in polls so far */
    bool started;
    bool progress;        /* a progress thread takes messages of this host's threads too (reference.c) */
    bool waits_settled;   /* it is known whether there are more threads than cores */
    bool global_fence;    /* the kernel makes this process execute fences for sleepers */
    const char *waits_in; /* what this thread waits in, for the message about long waits */

    /* access.c: bytes stored by message */
    mer_i64 stored[2]; /* those that have come without a counter, by the sender's epoch */
    unsigned epoch;    /* 0 or 1: which of them the stores of this thread are counted in */
    mer_i64 sent;      /* by this thread */
    mer_i64 received;  /* that have come to it, with a counter or without */

    /* write.c: what the next fence waits for */
    int writes; /* puts and fills (mer_am_put, mer_am_fill) that are writes too: nobody waits for one alone */
    struct mer_am_written {
        int *threads; /* that were written to since the last fence */
        int count;
        unsigned char *listed; /* by thread: it is among them */
    } written;

    /* tree.c: this thread's part in the collectives */
    struct {
        struct mer_arrival *arrivals; /* what has come early */
        mer_u64 steps;                /* begun so far */
    } tree;

    /* barrier.c: the barrier between hosts */
    struct {
        struct mer_phase_shared *shared;
        int row_length; /* hosts in a row, but for the last */
    } barrier;
};
extern struct mer_am mer_am;

/* As mer_am_pair (am.h), where a row is open to such pairs; false: nothing has been sent.  The row's thread
 * is of another host and its handler is registered, and for a change it is among those that the next fence
 * asks, so nothing of that has to be looked at. */
static inline __attribute__((always_inline)) bool mer_am_pair_quick(int to, int handler, mer_u64 first,
                                                                    mer_u64 second, int *counter) {
    struct mer_rows *rows = mer_open_rows;
    return rows && !mer_am.handlers.running && mer_rows_add(rows, to, handler, first, second, counter);
}

/* The same of a single word, for a handler of such. */
static inline __attribute__((always_inline)) bool mer_am_word_quick(int to, int handler, mer_u64 word) {
    struct mer_rows *rows = mer_open_rows;
    return rows && !mer_am.handlers.running && mer_rows_add_word(rows, to, handler, word);
}

/* Is this the POSIX thread that the process began with?  What fences wait for is counted for that one,
 * without locks.  Other POSIX threads of the program's wait for each of their writes. */
extern _Thread_local bool mer_am_first_thread;

/* A change of thread `to's memory has been requested: the next fence has to ask that thread, or it is waited
 * for now (write.c). */
void mer_am_changed_slow(int to);
static inline void mer_am_changed(int to) {
    if (__builtin_expect(!mer_am_first_thread || !mer_am.written.listed || !mer_am.written.listed[to], 0))
        mer_am_changed_slow(to);
}

#endif
