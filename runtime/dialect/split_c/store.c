/* Stores: how a receiver knows how many bytes have come, and how all know that everything has.
 *
 * A store to local memory is complete when it is done; it only has to be counted, which must cost next to
 * nothing.  So no processor adds to a word of another's: each processor counts the bytes that it has stored
 * in a row of its own, one word for each receiver, and a receiver that asks adds up its column.  The rows are
 * statics, so that they lie at the same native address in all spans.
 *
 * all_store_sync ends an epoch.  There are two rows, used in turn.  A processor that has left the barrier of
 * epoch e counts in the other row and clears the row of e: nobody reads that row any more, since receivers in
 * e + 1 read the other.  The other row was cleared after epoch e - 1, before its owner entered the barrier of
 * e, so that a receiver never sees old counts there.
 *
 * Even so the count is a second write for each store, which halves the number of scattered stores that a core
 * has under way.  So loops count for themselves and add their counts later (struct mer_stores in
 * everything.h); and since only store_sync asks for the counts, stores are counted only in programs that hold
 * store_sync.c.
 *
 * Stores by message are counted where they arrive, by the sender's epoch likewise; all_store_sync goes on
 * until as many bytes have arrived as were sent.
 */
#include "dialect/split_c/store.h"

#include "am/am.h"
#include "rma/get_put.h"
#include "host/everything.h"
#include "host/job.h"
#include "sync/barrier.h"
#include "base/record.h"
#include "base/wait.h"

#include <meridian/everything.h>
#include <split-c/counter.h>
#include <split-c/split-c.h>
#include <string.h>

#define ME mer_job.mythread
#define THREADS mer_job.threads

static mer_u64 rows[2][MER_MAX_THREADS];
mer_u64 *mer_sent = rows[0];

mer_i64 mer_store_used;

/* Has everything arrived that was sent by message?  Collective; true on all alike. */
static bool all_arrived(mer_i64 missing, const char *name) {
    mer_barrier_exchange(name, (uint64_t)missing);
    mer_u64 sum = 0;
    for (int t = 0; t < THREADS; t++)
        sum += mer_barrier_payload(t);
    return sum == 0;
}

void all_store_sync(void) {
    mer_record_begin();
    while (!all_arrived(mer_rma_stores_in_flight(), "all_store_sync"))
        mer_am_poll();
    memset(mer_sent, 0, (size_t)THREADS * sizeof *mer_sent);
    mer_store_totals.stored[mer_store_totals.epoch] = 0;
    mer_store_totals.epoch ^= 1;
    mer_sent = rows[mer_store_totals.epoch];
    mer_store_used = 0;
    mer_record_end(MER_RECORD_BARRIER, 0, 0);
}

void mer_global_store(mer_u64 bits, const void *from, mer_size n) {
    mer_rma_check(bits, "a store");
    if (mer_rma_is_direct(bits, true)) {
        mer_bytes_move(mer_at(bits), mer_everything_seen(from), n);
        mer_store_count((int)mer_procof(bits), n);
    } else {
        mer_record_begin();
        mer_rma_store(bits, from, n, NULL);
        mer_record_end(MER_RECORD_PUT_BEGIN, (int)mer_procof(bits), n);
    }
}

/* ---- with counters of the program's -------------------------------------------------------------------- */

void store_ctr(mer_ptr dst, const void *src, size_t nbytes, StCtr *counter) {
    mer_rma_check(dst.bits, "a store");
    int to = (int)mer_procof(dst.bits);
    mer_ptr theirs = mer_to_global_at(to, (mer_u64)&counter->recv);
    counter->send += (long)nbytes;
    if (mer_is_local(dst.bits) && mer_is_local(theirs.bits)) {
        mer_bytes_move(mer_at(dst.bits), mer_everything_seen(src), nbytes);
        /* Release, partner: the acquire in received. */
        __atomic_fetch_add((long *)mer_at(theirs.bits), (long)nbytes, __ATOMIC_RELEASE);
    } else {
        mer_rma_store(dst.bits, src, nbytes, mer_at(theirs.bits));
    }
}

static long received(const StCtr *counter) { return __atomic_load_n(&counter->recv, __ATOMIC_ACQUIRE); }

void store_sync_ctr(StCtr *counter, size_t nbytes) {
    struct mer_backoff backoff = {0};
    while (received(counter) < (long)nbytes)
        if (!mer_am_poll())
            mer_backoff_turn(&backoff);
    __atomic_fetch_sub(&counter->recv, (long)nbytes, __ATOMIC_RELAXED);
    counter->send -= (long)nbytes;
}

void reset_store_ctr(StCtr *counter) {
    __atomic_store_n(&counter->recv, 0, __ATOMIC_RELAXED);
    counter->send = 0;
}

void all_store_sync_ctr(StCtr *counter) {
    long missing = 0;
    mer_barrier_collective("all_store_sync_ctr");
    do {
        mer_am_poll();
        missing += counter->send - __atomic_exchange_n(&counter->recv, 0, __ATOMIC_ACQUIRE);
        counter->send = 0;
    } while (!all_arrived(missing, "all_store_sync_ctr"));
}
