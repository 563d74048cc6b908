/* Loops that are read in rounds (meridian/abi/prefetch.h; their purpose is described in crates/opt,
 * prefetch/rounds.rs).  The cache of nests (cache.c) keeps the objects that trials ask for.
 *
 * A trial may take a path that the program would not take.  It reads nothing through a null pointer, or one
 * that leads to no memory (mer_there).  It ends after MER_ROUNDS_STEPS steps, since it may read an object
 * that another thread has yet to write.  The rounds of a part end because each must ask for an object, and
 * there are at most ROUNDS. */
#include "base/clock.h"
#include "base/record.h"
#include "host/job.h"
#include "rma/ahead/cache.h"

#include <stddef.h>

enum { ROUNDS = 256 };

int mer_rounds_part(struct mer_rounds *rounds) {
    rounds->met = rounds->kept = rounds->asked = rounds->full = 0;
    rounds->round = rounds->left = 0;
    rounds->since = rounds->fetched ? mer_clock_ns() : 0;
    return rounds->fetched;
}

void *mer_rounds_try(struct mer_rounds *rounds, mer_u64 bits, const volatile void *at, void *copy,
                     mer_size n) {
    if (++rounds->steps > MER_ROUNDS_STEPS)
        return NULL;
    if (!mer_remote(bits))
        return (void *)(uintptr_t)at;
    rounds->met = 1;
    if (!rounds->kept) {
        if (mer_cache_used) /* by reads before this loop */
            mer_cache_forget_all();
        rounds->kept = 1;
    }
    rounds->left++;
    void *found = mer_cache_find_any(bits, n, copy);
    if (found)
        return found;
    mer_record_begin();
    if (mer_cache_ask(bits, n))
        rounds->asked++;
    else
        rounds->full = 1;
    mer_record_end(MER_RECORD_INNER, 0, 0);
    return NULL;
}

/* Each requested object saves one wait, about as long as this round's.  Trials that take longer than all of
 * these waits are not worth it. */
int mer_rounds_again(struct mer_rounds *rounds) {
    if (!rounds->asked)
        return 0;
    uint64_t tried = mer_clock_ns();
    mer_record_begin();
    mer_cache_asked_there();
    mer_record_end(MER_RECORD_SYNC, 0, 0);
    uint64_t there = mer_clock_ns();
    if (tried - rounds->since > (uint64_t)rounds->asked * (there - tried))
        rounds->dear++;
    else
        rounds->dear = 0;
    rounds->since = there;
    rounds->asked = 0;
    return ++rounds->round < ROUNDS && rounds->dear < MER_ROUNDS_DEAR;
}

void mer_rounds_next(struct mer_rounds *rounds, unsigned rows) {
    if (rounds->fetched && rounds->full)
        rounds->most = rows > 1 ? rows / 2 : 1;
    else if (rounds->fetched && rows == rounds->most)
        rounds->most = 2 * rows < MER_PREFETCH_DEPTH ? 2 * rows : MER_PREFETCH_DEPTH;
    if (rounds->kept)
        mer_cache_forget_all();
    rounds->fetched = rounds->met && rounds->dear < MER_ROUNDS_DEAR;
}

void *mer_rounds_get(struct mer_rounds *rounds, mer_u64 bits, void *copy, mer_size n) {
    if (rounds->kept && rounds->left) {
        void *found = mer_cache_find_any(bits, n, copy);
        rounds->left--;
        if (found)
            return found;
    }
    rounds->met = 1;
    return mer_remote_get(copy, bits, n);
}
