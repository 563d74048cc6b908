/* See deferred.h. */
#include "transport/deferred.h"

#include "base/wait.h"
#include "transport/end.h"

#include <stdlib.h>

void mer_deferred_start(struct mer_transport *end) { end->deferred.thread = mer_transport_self(); }

bool mer_deferred_is_thread(const struct mer_transport *end) {
    return end->deferred.thread == mer_transport_self();
}

bool mer_deferred_turn(const struct mer_transport *end) {
    return mer_deferred_is_thread(end) && !end->config.handlers->running && !end->deferred.queue.first;
}

/* ---- writes ---------------------------------------------------------------------------------------- */

void mer_deferred_writes(struct mer_transport *end, int handler) {
    if (!(mer_handler_kind(end->config.handlers, handler) & MER_HANDLER_READS))
        end->deferred.wrote = true;
}

bool mer_transport_wrote(struct mer_transport *end) {
    bool was = end->deferred.wrote;
    end->deferred.wrote = false;
    mer_rows_shut(&end->rows); /* the next pair sets `wrote' again */
    return was;
}

/* ---- running --------------------------------------------------------------------------------------- */

void mer_deferred_run(struct mer_transport *end, struct mer_am_message *m, int handler) {
    if (!m->request)
        mer_deferred_writes(end, handler); /* the answer to a write: the write is complete */
    mer_handlers_run(end->config.handlers, m, handler);
}

static void count_down(struct mer_transport *end, int *counter) {
    --*counter;
    end->deferred.wrote = true;
}

/* ---- deferring ------------------------------------------------------------------------------------- */

static void wake(bool served) {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    uint32_t *bell = mer_wait_hook ? mer_wait_hook->bell : NULL;
    uint32_t sleeps = bell ? __atomic_load_n(bell, __ATOMIC_RELAXED) : MER_BELL_AWAKE;
    if (sleeps == MER_BELL_AWAKE || (served && sleeps == MER_BELL_MESSAGES))
        return;
    if (__atomic_exchange_n(bell, MER_BELL_AWAKE, __ATOMIC_SEQ_CST))
        mer_futex_wake(bell, 1);
}

void mer_deferred_wake_served(void) { wake(true); }
void mer_deferred_wake(void) { wake(false); }

static void append(struct mer_deferred *deferred, struct mer_queued_message *d) {
    mer_message_queue_add(&deferred->queue, d);
    mer_deferred_wake();
}

void mer_deferred_add(struct mer_transport *end, const struct mer_am_message *m, bool medium, int handler,
                      uint32_t cost) {
    struct mer_queued_message *d = mer_message_queue_copy(m, handler, medium);
    d->cost = cost;
    append(&end->deferred, d);
}

int mer_deferred_done(struct mer_transport *end, int *counter) {
    if (mer_deferred_turn(end)) {
        count_down(end, counter);
        return 1;
    }
    struct mer_queued_message *d = mer_message_allocate(sizeof *d);
    *d = (struct mer_queued_message){.counter = counter};
    append(&end->deferred, d);
    return 0;
}

/* ---- deferred messages ----------------------------------------------------------------------------- */

static struct mer_queued_message *take(struct mer_transport *end) {
    bool entered = mer_transport_enter(end);
    struct mer_queued_message *d = mer_message_queue_take(&end->deferred.queue);
    mer_transport_leave(end, entered);
    return d;
}

static void run(struct mer_transport *end, struct mer_queued_message *d) {
    struct mer_am_message m = mer_queued_message(d);
    mer_deferred_run(end, &m, d->handler);
    bool entered = mer_transport_enter(end);
    mer_transport_give_back(end, d->source, d->cost);
    mer_transport_leave(end, entered);
}

int mer_deferred_run_all(struct mer_transport *end) {
    int ran = 0;
    while (mer_message_queue_count(&end->deferred.queue)) {
        struct mer_queued_message *d = take(end);
        if (!d)
            break;
        if (d->counter)
            count_down(end, d->counter);
        else
            run(end, d);
        free(d);
        ran++;
    }
    return ran;
}
