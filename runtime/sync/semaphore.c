/* The owner's and the caller's side of semaphore.h. */
#include "sync/semaphore.h"

#include "am/am.h"
#include "am/call.h"
#include "am/handlers.h"
#include "am/state.h"
#include "host/control.h"
#include "host/job.h"
#include "heap/heap.h"
#include "base/wait.h"

#include <stdio.h>
#include <string.h>

#define ME mer_job.mythread

enum action { TAKE, TRY, GIVE, NEXT, RETIRE };

/* A request to the owner, and its answer. */
struct demand {
    mer_u64 at;
    uint32_t action, n;
};
struct answer {
    uint32_t result; /* enum mer_semaphore_result */
    uint32_t queued; /* take: a grant will come */
    uint32_t
        who; /* thread + 1: give: to send a grant to, for MER_SEMAPHORE_OTHERS the holder; take: the holder */
    uint32_t more; /* give: others wait still, and there is something left */
};

static struct mer_waiter *waiter(uint32_t t) { return &mer_here.control->waiter[t]; }

static struct mer_event *granted(uint32_t t) { return (struct mer_event *)&waiter(t)->granted; }

/* Posts a grant to thread t, which is on this host and waits for one grant at most. */
static void post(uint32_t t) {
    mer_event_post(granted(t), (__atomic_load_n(&granted(t)->word, __ATOMIC_RELAXED) >> 1) + 1);
}

/* ---- the object's host --------------------------------------------------------------------------------- */

static uint32_t most_of(const struct mer_semaphore *t) {
    return t->kind == MER_SEMAPHORE_COUNT ? MER_SEMAPHORE_MOST : 1;
}

static void enqueue(struct mer_semaphore *t, int caller, uint32_t n) {
    waiter((uint32_t)caller)->after = 0;
    waiter((uint32_t)caller)->wants = n;
    if (t->first)
        waiter(t->last - 1)->after = (uint32_t)caller + 1;
    else
        t->first = (uint32_t)caller + 1;
    t->last = (uint32_t)caller + 1;
}

/* Serves the first thread in the queue if there is enough left.  Returns that thread + 1, or 0. */
static uint32_t serve_first(struct mer_semaphore *t) {
    uint32_t first = t->first;
    if (!first || t->left < waiter(first - 1)->wants)
        return 0;
    t->left -= waiter(first - 1)->wants;
    t->holder = first;
    t->first = waiter(first - 1)->after;
    return first;
}

static struct answer take(struct mer_semaphore *t, int caller, uint32_t n, bool wait) {
    if (t->kind == MER_SEMAPHORE_LOCK && t->holder == (uint32_t)caller + 1)
        return (struct answer){.result = MER_SEMAPHORE_OWN};
    if (n > most_of(t))
        return (struct answer){.result = MER_SEMAPHORE_NEVER};
    if ((!t->first || n == 0) && t->left >= n) {
        t->left -= n;
        t->holder = (uint32_t)caller + 1;
        return (struct answer){.result = MER_SEMAPHORE_DONE};
    }
    if (!wait)
        return (struct answer){.result = MER_SEMAPHORE_NOT_NOW};
    enqueue(t, caller, n);
    return (struct answer){
        .result = MER_SEMAPHORE_DONE, .queued = 1, .who = t->kind == MER_SEMAPHORE_LOCK ? t->holder : 0};
}

/* Serves the threads in the queue while there is enough left.  Threads of this host get their grants here;
 * the first one of another host ends this, and is the answer's `who'. */
static struct answer next(struct mer_semaphore *t) {
    uint32_t who;
    while ((who = serve_first(t)) && mer_on_host((int)who - 1))
        post(who - 1);
    return (struct answer){.result = MER_SEMAPHORE_DONE, .who = who, .more = t->first && t->left};
}

static struct answer give(struct mer_semaphore *t, int caller, uint32_t n) {
    if (t->kind == MER_SEMAPHORE_LOCK && t->holder != (uint32_t)caller + 1)
        return (struct answer){.result = t->holder ? MER_SEMAPHORE_OTHERS : MER_SEMAPHORE_NOT_HELD,
                               .who = t->holder};
    if (n > most_of(t))
        return (struct answer){.result = MER_SEMAPHORE_NEVER};
    if (t->kind == MER_SEMAPHORE_COUNT && n > MER_SEMAPHORE_MOST - t->left)
        return (struct answer){.result = MER_SEMAPHORE_TOO_MANY};
    t->holder = 0;
    if (n)
        t->left = t->kind == MER_SEMAPHORE_COUNT ? t->left + n : 1;
    return next(t);
}

static size_t serve(int caller, const void *in, void *out) {
    const struct demand *d = in;
    struct mer_semaphore *t = mer_at(d->at);
    struct answer answer = {.result = MER_SEMAPHORE_DONE};
    if (t->alive != MER_SEMAPHORE_ALIVE) {
        answer.result = t->alive == MER_SEMAPHORE_FREED ? MER_SEMAPHORE_GONE : MER_SEMAPHORE_NONE;
        memcpy(out, &answer, sizeof answer);
        return sizeof answer;
    }
    mer_mutex_lock(&t->guard, (uint32_t)ME + 1, "a lock or semaphore");
    if (d->action == TAKE || d->action == TRY)
        answer = take(t, caller, d->n, d->action == TAKE);
    else if (d->action == GIVE)
        answer = give(t, caller, d->n);
    else if (d->action == NEXT)
        answer = next(t);
    else
        t->alive = MER_SEMAPHORE_FREED;
    mer_mutex_unlock(&t->guard);
    memcpy(out, &answer, sizeof answer);
    return sizeof answer;
}

/* ---- the caller ---------------------------------------------------------------------------------------- */

static void on_grant(struct mer_am_message *m) {
    (void)m;
    post((uint32_t)ME);
}

void mer_semaphore_open(void) { mer_event_begin(granted((uint32_t)ME), mer_wrap_start); }

void mer_semaphore_handlers(void) { mer_am_set_handler(MER_AM_GRANT, on_grant, MER_HANDLER_MEMORY); }

static struct answer demand(mer_ptr object, enum action action, uint32_t n) {
    mer_u64 owner = mer_threadof(object.bits), offset = (object.bits & MER_ADDR_MASK) - MER_VIEW_BASE;
    struct answer answer = {.result = MER_SEMAPHORE_NONE};
    struct demand d = {object.bits & MER_ADDR_MASK, action, n};
    if (owner < (mer_u64)mer_job.threads && offset - owner * mer_job.span < mer_job.span && offset % 8 == 0)
        (mer_job.has_remote ? mer_am_call_host : mer_am_call)((int)owner, serve, &d, sizeof d, &answer,
                                                              sizeof answer);
    return answer;
}

static void grant(uint32_t who) {
    mer_am_request((int)who - 1, MER_AM_GRANT, NULL, 0);
    mer_am_poll(); /* so that the grant leaves now */
}

static void wait_for_grant(const char *name, uint32_t number, int holder) {
    static char text[96];
    if (mer_wait_stalled && holder >= 0) {
        snprintf(text, sizeof text, "%s for an object that thread %d holds", name, holder);
        name = text;
    }
    mer_event_wait(granted((uint32_t)ME), number, name);
}

mer_ptr mer_semaphore_new(enum mer_semaphore_kind kind, uint32_t left, const char *name) {
    uint64_t at = mer_heap_local(sizeof(struct mer_semaphore), name);
    if (!at)
        return mer_mk(0);
    struct mer_semaphore *t = mer_view(ME, at);
    *t = (struct mer_semaphore){.left = left, .alive = MER_SEMAPHORE_ALIVE, .kind = kind};
    return mer_mk(mer_bits((uint64_t)ME, at));
}

enum mer_semaphore_result mer_semaphore_take(mer_ptr object, uint32_t n, const char *name) {
    const char *before = mer_am.waits_in;
    uint32_t number = (__atomic_load_n(&granted((uint32_t)ME)->word, __ATOMIC_RELAXED) >> 1) + 1;
    mer_am.waits_in = name;
    struct answer answer = demand(object, TAKE, n);
    if (answer.queued)
        wait_for_grant(name, number, (int)answer.who - 1);
    mer_am.waits_in = before;
    return (enum mer_semaphore_result)answer.result;
}

enum mer_semaphore_result mer_semaphore_try(mer_ptr object, uint32_t n) {
    return (enum mer_semaphore_result)demand(object, TRY, n).result;
}

enum mer_semaphore_result mer_semaphore_give(mer_ptr object, uint32_t n, int *who) {
    struct answer answer = demand(object, GIVE, n);
    enum mer_semaphore_result result = (enum mer_semaphore_result)answer.result;
    if (who)
        *who = (int)answer.who - 1;
    while (result == MER_SEMAPHORE_DONE && answer.who) {
        grant(answer.who);
        if (!answer.more)
            break;
        answer = demand(object, NEXT, 0);
    }
    return result;
}

enum mer_semaphore_result mer_semaphore_delete(mer_ptr object, const char *name) {
    enum mer_semaphore_result result = (enum mer_semaphore_result)demand(object, RETIRE, 0).result;
    if (result == MER_SEMAPHORE_DONE)
        mer_heap_free((int)mer_threadof(object.bits), mer_native(object.bits), name);
    return result;
}
