/* See fence.h. */
#include "rma/fence.h"

#include "am/am.h"
#include "am/handlers.h"
#include "transport/transport.h"
#include "host/job.h"
#include "base/fatal.h"

#include <stdlib.h>

struct mer_writes mer_writes;

/* Wait until thread `to' has handled all earlier requests of this thread. */
static void confirm(int to) {
    int unanswered = 1;
    MER_AM_REQUEST(to, MER_AM_CONFIRM, (mer_u64)(uintptr_t)&unanswered);
    MER_AM_WAIT_UNTIL(*(const volatile int *)&unanswered == 0);
}

void mer_rma_changed_slow(int to) {
    struct mer_writes *w = &mer_writes;
    if (!mer_am_first_thread) {
        confirm(to);
        return;
    }
    if (!w->listed) {
        w->listed = calloc((size_t)mer_job.threads, sizeof *w->listed);
        w->threads = calloc((size_t)mer_job.threads, sizeof *w->threads);
        if (!w->listed || !w->threads)
            mer_fatal("no memory for writes to %d threads", mer_job.threads);
    }
    if (!w->listed[to]) {
        w->listed[to] = 1;
        w->threads[w->count++] = to;
    }
}

/* words: the caller's counter */
static void on_confirm(struct mer_am_message *m) { mer_am_reply(m, MER_AM_ACK, m->args, 1); }

void mer_fence_handlers(void) { mer_am_set_handler(MER_AM_CONFIRM, on_confirm, MER_HANDLER_MEMORY); }

/* Another POSIX thread of the program has no writes of its own to wait for.  It asks for the first one's, if
 * that one does not communicate meanwhile, and leaves the list unchanged. */
static bool settle_for_first(void) {
    const struct mer_writes *written = &mer_writes;
    int count = written->count;
    for (int i = 0; i < count; i++)
        confirm(written->threads[i]);
    if (mer_writes.counter)
        MER_AM_WAIT_UNTIL(*(const volatile int *)&mer_writes.counter == 0);
    return count > 0;
}

bool mer_rma_complete(void) {
    struct mer_writes *written = &mer_writes;
    if (__builtin_expect(!mer_am_first_thread, 0))
        return settle_for_first();
    int unanswered = written->count, requested = written->count;
    bool any = requested || mer_writes.counter;
    written->count = 0;
    if (requested && mer_transport) /* the next pair lists its thread again */
        mer_rows_shut(mer_transport_rows(mer_transport));
    for (int i = 0; i < requested; i++) { /* before any poll, so that the request travels with the writes */
        written->listed[written->threads[i]] = 0;
        MER_AM_REQUEST(written->threads[i], MER_AM_CONFIRM, (mer_u64)(uintptr_t)&unanswered);
    }
    if (any)
        MER_AM_WAIT_UNTIL(*(const volatile int *)&unanswered == 0 &&
                          *(const volatile int *)&mer_writes.counter == 0);
    return any;
}
