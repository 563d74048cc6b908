/* See deferred.h. */
#include "transport/deferred.h"

#include "base/wait.h"
#include "transport/end.h"

#include <stdlib.h>
#include <string.h>

struct mer_deferred_message {
    struct mer_deferred_message *next;
    int source, handler;
    bool request;
    uint32_t cost;
    int nargs;
    mer_u64 args[MER_AM_ARGS];
    void *payload; /* behind this struct, or where it landed */
    size_t length;
    int *counter; /* of a completed operation of the conduit, instead of a message */
    _Alignas(64) unsigned char bytes[];
};

void mer_deferred_start(struct mer_transport *end) {
    end->deferred.last = &end->deferred.first;
    end->deferred.thread = mer_transport_self();
}

bool mer_deferred_turn(const struct mer_transport *end) {
    return end->deferred.thread == mer_transport_self() && !end->config.handlers->running &&
           !end->deferred.first;
}

/* ---- writes ---------------------------------------------------------------------------------------- */

void mer_deferred_writes(struct mer_transport *end, int handler) {
    if (!(mer_handler_kind(end->config.handlers, handler) & MER_HANDLER_READS))
        end->deferred.wrote = true;
}

bool mer_transport_wrote(struct mer_transport *end) {
    bool was = end->deferred.wrote;
    end->deferred.wrote = false;
    return was;
}

/* ---- running --------------------------------------------------------------------------------------- */

void mer_deferred_run(struct mer_transport *end, struct mer_am_message *m, int handler) {
    if (!m->request)
        mer_deferred_writes(end, handler); /* the answer to a change: it is complete */
    mer_handlers_run(end->config.handlers, m, handler);
}

static void count_down(struct mer_transport *end, int *counter) {
    --*counter;
    end->deferred.wrote = true;
}

/* ---- deferring ------------------------------------------------------------------------------------- */

/* Full fence, partner: the exchange of the bell in base/wait.c, behind which the thread looks at the count.
 */
void mer_deferred_wake(void) {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    uint32_t *bell = mer_wait_hook ? mer_wait_hook->bell : NULL;
    if (bell && __atomic_load_n(bell, __ATOMIC_RELAXED) && __atomic_exchange_n(bell, 0, __ATOMIC_SEQ_CST))
        mer_futex_wake(bell, 1);
}

static void append(struct mer_deferred *deferred, struct mer_deferred_message *d) {
    *deferred->last = d;
    deferred->last = &d->next;
    __atomic_fetch_add(&deferred->count, 1, __ATOMIC_RELEASE);
    mer_deferred_wake();
}

void mer_deferred_add(struct mer_transport *end, const struct mer_am_message *m, bool medium, int handler,
                      uint32_t cost) {
    struct mer_deferred_message *d = mer_transport_allocate(sizeof *d + (medium ? m->length : 0));
    *d = (struct mer_deferred_message){.source = m->source,
                                       .handler = handler,
                                       .request = m->request,
                                       .cost = cost,
                                       .nargs = m->nargs,
                                       .payload = m->payload,
                                       .length = m->length};
    memcpy(d->args, m->args, (size_t)m->nargs * sizeof *m->args);
    if (medium)
        d->payload = memcpy(d->bytes, m->payload, m->length);
    append(&end->deferred, d);
}

int mer_deferred_done(struct mer_transport *end, int *counter) {
    if (mer_deferred_turn(end)) {
        count_down(end, counter);
        return 1;
    }
    struct mer_deferred_message *d = mer_transport_allocate(sizeof *d);
    *d = (struct mer_deferred_message){.counter = counter};
    append(&end->deferred, d);
    return 0;
}

/* ---- what was deferred ----------------------------------------------------------------------------- */

static struct mer_deferred_message *take(struct mer_transport *end) {
    struct mer_deferred *deferred = &end->deferred;
    bool entered = mer_transport_enter(end);
    struct mer_deferred_message *d = deferred->first;
    if (d) {
        deferred->first = d->next;
        if (!deferred->first)
            deferred->last = &deferred->first;
        __atomic_fetch_sub(&deferred->count, 1, __ATOMIC_RELAXED);
    }
    mer_transport_leave(end, entered);
    return d;
}

static void run(struct mer_transport *end, struct mer_deferred_message *d) {
    struct mer_am_message m = {.source = d->source,
                               .nargs = d->nargs,
                               .args = d->args,
                               .payload = d->payload,
                               .length = d->length,
                               .request = d->request};
    mer_deferred_run(end, &m, d->handler);
    bool entered = mer_transport_enter(end);
    mer_transport_give_back(end, d->source, d->cost);
    mer_transport_leave(end, entered);
}

int mer_deferred_run_all(struct mer_transport *end) {
    int ran = 0;
    /* Acquire, partner: append. */
    while (__atomic_load_n(&end->deferred.count, __ATOMIC_ACQUIRE)) {
        struct mer_deferred_message *d = take(end);
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
