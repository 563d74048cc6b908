/* See deferred.h.  The list is guarded by the wire's lock; its length can be read without. */
#include "transport/deferred.h"

#include "transport/transport.h"
#include "base/wait.h"

#include <stdlib.h>
#include <string.h>

struct kept {
    struct kept *next;
    int source, handler;
    bool request;
    uint32_t cost;
    int nargs;
    mer_u64 args[MER_AM_ARGS];
    void *payload; /* behind this struct, or where it landed */
    size_t length;
    int *counter; /* of a completed operation of the conduit's, instead of a message */
    _Alignas(64) unsigned char bytes[];
};

static struct kept *first, **end = &first;
static uint32_t count;                  /* atomic; written under the lock */
static bool wrote;                      /* see mer_own_wrote */
static _Thread_local bool first_thread; /* this POSIX thread is the thread */

void mer_own_start(void) { first_thread = true; }

bool mer_own_turn(void) { return first_thread && !mer_am_in_handler() && !first; }

/* ---- writes ---------------------------------------------------------------------------------------- */

static bool only_reads(int handler) {
    return handler == MER_AM_GET || handler == MER_AM_GOT || handler == MER_AM_PIECES_GET ||
           handler == MER_AM_PIECES_GOT || handler == MER_AM_ENTRIES || handler == MER_AM_BLOCK;
}

void mer_own_writes(int handler) { wrote = wrote || !only_reads(handler); }

bool mer_own_wrote(void) {
    bool was = wrote || !mer_wire_up; /* MERIDIAN_ALL_REMOTE: messages go through rings */
    wrote = false;
    return was;
}

/* ---- running --------------------------------------------------------------------------------------- */

void mer_own_run(struct mer_am_message *m, int handler) {
    if (!m->request)
        mer_own_writes(handler); /* the answer to a change: it is complete */
    mer_am_run(m, handler);
}

static void count_down(int *counter) {
    --*counter;
    wrote = true;
}

/* ---- keeping --------------------------------------------------------------------------------------- */

/* Full fence, partner: the exchange of the bell in base/wait.c, behind which the thread looks at the count.
 */
void mer_own_wake(void) {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    uint32_t *bell = mer_wait_hook ? mer_wait_hook->bell : NULL;
    if (bell && __atomic_load_n(bell, __ATOMIC_RELAXED) && __atomic_exchange_n(bell, 0, __ATOMIC_SEQ_CST))
        mer_futex_wake(bell, 1);
}

static void append(struct kept *k) {
    *end = k;
    end = &k->next;
    __atomic_fetch_add(&count, 1, __ATOMIC_RELEASE);
    mer_own_wake();
}

void mer_own_keep(const struct mer_am_message *m, bool medium, int handler, uint32_t cost) {
    struct kept *k = mer_wire_room(sizeof *k + (medium ? m->length : 0));
    *k = (struct kept){.source = m->source,
                       .handler = handler,
                       .request = m->request,
                       .cost = cost,
                       .nargs = m->nargs,
                       .payload = m->payload,
                       .length = m->length};
    memcpy(k->args, m->args, (size_t)m->nargs * sizeof *m->args);
    if (medium)
        k->payload = memcpy(k->bytes, m->payload, m->length);
    append(k);
}

int mer_own_done(int *counter) {
    if (mer_own_turn()) {
        count_down(counter);
        return 1;
    }
    struct kept *k = mer_wire_room(sizeof *k);
    *k = (struct kept){.counter = counter};
    append(k);
    return 0;
}

/* ---- what was kept --------------------------------------------------------------------------------- */

static struct kept *take(void) {
    bool guarded = mer_wire_guard();
    struct kept *k = first;
    if (k) {
        first = k->next;
        if (!first)
            end = &first;
        __atomic_fetch_sub(&count, 1, __ATOMIC_RELAXED);
    }
    mer_wire_unguard(guarded);
    return k;
}

static void run_kept(struct kept *k, void (*handled)(int source, uint32_t cost)) {
    struct mer_am_message m = {.source = k->source,
                               .nargs = k->nargs,
                               .args = k->args,
                               .payload = k->payload,
                               .length = k->length,
                               .request = k->request};
    mer_own_run(&m, k->handler);
    handled(k->source, k->cost);
}

int mer_own_run_kept(void (*handled)(int source, uint32_t cost)) {
    int ran = 0;
    /* Acquire, partner: append. */
    while (__atomic_load_n(&count, __ATOMIC_ACQUIRE)) {
        struct kept *k = take();
        if (!k)
            break;
        if (k->counter)
            count_down(k->counter);
        else
            run_kept(k, handled);
        free(k);
        ran++;
    }
    return ran;
}
