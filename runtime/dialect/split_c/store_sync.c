/* Waiting for stores: the receiver's side of the counts that store.c describes.
 *
 * Stores are counted only if this file is in the program (everything.h): the linker takes it from the library
 * only if a unit calls one of its functions.
 */
#include "am/am.h"
#include "rma/get_put.h"
#include "host/job.h"
#include "dialect/split_c/store.h"
#include "base/wait.h"

#include <meridian/everything.h>
#include <split-c/split-c.h>

#define ME mer_job.mythread

const char mer_counts_stores = 1;

/* Acquire, partner: the release in mer_store_count. */
static mer_u64 count_of(int sender) {
    const mer_u64 *word = mer_view(sender, (uint64_t)(uintptr_t)&mer_sent[ME]);
    return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

/* Bytes that have been stored here in this epoch: those that came by message, and those that the threads of
 * this host have counted. */
static mer_i64 arrived(void) {
    mer_u64 sum = (mer_u64)mer_store_totals.stored[mer_store_totals.epoch];
    for (int i = 0; i < mer_job.here; i++)
        sum += count_of(mer_job.here_first + i);
    return (mer_i64)sum;
}

void store_sync(size_t nbytes) {
    struct mer_backoff backoff = {0};
    while (arrived() - mer_store_used < (mer_i64)nbytes)
        if (!mer_am_poll())
            mer_backoff_turn(&backoff);
    mer_store_used += (mer_i64)nbytes;
}

void reset_store_sync(void) { mer_store_used = arrived(); }
