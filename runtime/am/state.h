/* The state of messages in one structure, at a fixed address, so that sending a message does not begin with
 * the load of a pointer.  There is one for each process, and calls do not name it: the calling thread is the
 * process's.  The structures of the rings and of the transport's end are passed to functions instead.
 *
 * Not part of it are the variables of each POSIX thread (am.c). */
#ifndef MER_AM_STATE_H
#define MER_AM_STATE_H

#include "transport/receive_ring.h"
#include "transport/transport.h"

struct mer_am {
    struct mer_receiver receiver; /* of this thread's rings */
    struct mer_handlers handlers;
    int registered;  /* numbers from 0 that mer_am_register has gone through */
    unsigned polled; /* messages handled in polls so far */
    bool started;
    bool progress;        /* a progress thread takes messages of this host's threads too (progress.c) */
    bool waits_settled;   /* it is known whether there are more threads than cores */
    bool global_fence;    /* the kernel makes this process execute fences for sleepers */
    const char *waits_in; /* the call in which this thread waits, for the message about long waits */
};
extern struct mer_am mer_am;

/* Sends a pair like mer_am_pair (am.h) if a row is open to such pairs; else returns false, and nothing has
 * been sent.  A row is open only if its thread is of another host, its handler is registered and, for a
 * change, the next fence asks its thread.  So none of these is tested here. */
static inline __attribute__((always_inline)) bool mer_am_pair_quick(int to, int handler, mer_u64 first,
                                                                    mer_u64 second, int *counter) {
    struct mer_rows *rows = mer_open_rows;
    return rows && !mer_am.handlers.running && mer_rows_add(rows, to, handler, first, second, counter);
}

/* Sends a single word like mer_am_pair_quick, to a handler of single words. */
static inline __attribute__((always_inline)) bool mer_am_word_quick(int to, int handler, mer_u64 word) {
    struct mer_rows *rows = mer_open_rows;
    return rows && !mer_am.handlers.running && mer_rows_add_word(rows, to, handler, word);
}

/* True in the POSIX thread with which the process began.  The writes for which fences wait are counted for
 * that thread, without locks.  Other POSIX threads of the program wait for each of their writes. */
extern _Thread_local bool mer_am_first_thread;

#endif
