/* The owner's and the asker's side of semaphore.h. */
#include "am/semaphore.h"

#include "am/am.h"
#include "host/control.h"
#include "host/job.h"
#include "heap/heap.h"
#include "base/wait.h"

#include <stdio.h>
#include <string.h>

#define ME mer_job.mythread

enum action { TAKE, TRY, GIVE, NEXT, RETIRE };

/* What the owner is asked, and what it answers. */
struct demand {
    mer_u64 at;
    uint32_t action, n;
};
struct answer {
    uint32_t result; /* enum mer_turn_result */
    uint32_t queued; /* take: a grant will come */
    uint32_t who; /* thread + 1: give: to send a grant to, for MER_TURN_OTHERS the holder; take: the holder */
    uint32_t more; /* give: others wait still, and there is something left */
};

static struct mer_waiter *waiter(uint32_t t) { return &mer_here.control->waiter[t]; }

static struct mer_event *granted(uint32_t t) { return (struct mer_event *)&waiter(t)->granted; }

/* It is thread t's turn, which is on this host and waits for one grant at most. */
static void post(uint32_t t) {
    mer_event_post(granted(t), (__atomic_load_n(&granted(t)->word, __ATOMIC_RELAXED) >> 1) + 1);
}

/* ---- the object's host -----------------------------------------------------------------------------------
 */

static uint32_t most_of(const struct mer_turn *t) { return t->kind == MER_TURN_COUNT ? MER_TURN_MOST : 1; }

static void enqueue(struct mer_turn *t, int asker, uint32_t n) {
    waiter((uint32_t)asker)->after = 0;
    waiter((uint32_t)asker)->wants = n;
    if (t->first)
        waiter(t->last - 1)->after = (uint32_t)asker + 1;
    else
        t->first = (uint32_t)asker + 1;
    t->last = (uint32_t)asker + 1;
}

/* Take what the first in the queue wants, if there is so much; who that is. */
static uint32_t serve_first(struct mer_turn *t) {
    uint32_t first = t->first;
    if (!first || t->left < waiter(first - 1)->wants)
        return 0;
    t->left -= waiter(first - 1)->wants;
    t->holder = first;
    t->first = waiter(first - 1)->after;
    return first;
}

static struct answer take(struct mer_turn *t, int asker, uint32_t n, bool wait) {
    if (t->kind == MER_TURN_LOCK && t->holder == (uint32_t)asker + 1)
        return (struct answer){.result = MER_TURN_OWN};
    if (n > most_of(t))
        return (struct answer){.result = MER_TURN_NEVER};
    if ((!t->first || n == 0) && t->left >= n) {
        t->left -= n;
        t->holder = (uint32_t)asker + 1;
        return (struct answer){.result = MER_TURN_DONE};
    }
    if (!wait)
        return (struct answer){.result = MER_TURN_NOT_NOW};
    enqueue(t, asker, n);
    return (struct answer){
        .result = MER_TURN_DONE, .queued = 1, .who = t->kind == MER_TURN_LOCK ? t->holder : 0};
}

/* Serve those in the queue as far as there is something left; threads of this host are told here. */
static struct answer next(struct mer_turn *t) {
    uint32_t who;
    while ((who = serve_first(t)) && mer_on_host((int)who - 1))
        post(who - 1);
    return (struct answer){.result = MER_TURN_DONE, .who = who, .more = t->first && t->left};
}

static struct answer give(struct mer_turn *t, int asker, uint32_t n) {
    if (t->kind == MER_TURN_LOCK && t->holder != (uint32_t)asker + 1)
        return (struct answer){.result = t->holder ? MER_TURN_OTHERS : MER_TURN_NOT_HELD, .who = t->holder};
    if (n > most_of(t))
        return (struct answer){.result = MER_TURN_NEVER};
    if (t->kind == MER_TURN_COUNT && n > MER_TURN_MOST - t->left)
        return (struct answer){.result = MER_TURN_TOO_MANY};
    t->holder = 0;
    if (n)
        t->left = t->kind == MER_TURN_COUNT ? t->left + n : 1;
    return next(t);
}

static size_t serve(int asker, const void *in, void *out) {
    const struct demand *d = in;
    struct mer_turn *t = mer_at(d->at);
    struct answer answer = {.result = MER_TURN_DONE};
    if (t->alive != MER_TURN_ALIVE) {
        answer.result = t->alive == MER_TURN_FREED ? MER_TURN_GONE : MER_TURN_NONE;
        memcpy(out, &answer, sizeof answer);
        return sizeof answer;
    }
    mer_mutex_lock(&t->guard, (uint32_t)ME + 1, "a lock or semaphore");
    if (d->action == TAKE || d->action == TRY)
        answer = take(t, asker, d->n, d->action == TAKE);
    else if (d->action == GIVE)
        answer = give(t, asker, d->n);
    else if (d->action == NEXT)
        answer = next(t);
    else
        t->alive = MER_TURN_FREED;
    mer_mutex_unlock(&t->guard);
    memcpy(out, &answer, sizeof answer);
    return sizeof answer;
}

/* ---- the asker -------------------------------------------------------------------------------------------
 */

static void on_grant(struct mer_am_message *m) {
    (void)m;
    post((uint32_t)ME);
}

void mer_turn_handlers(void) { mer_am_set_handler(MER_AM_GRANT, on_grant, MER_HANDLER_MEMORY); }

static struct answer demand(mer_ptr object, enum action action, uint32_t n) {
    mer_u64 owner = mer_threadof(object.bits), offset = (object.bits & MER_ADDR_MASK) - MER_VIEW_BASE;
    struct answer answer = {.result = MER_TURN_NONE};
    struct demand d = {object.bits & MER_ADDR_MASK, action, n};
    if (owner < (mer_u64)mer_job.threads && offset - owner * mer_job.span < mer_job.span && offset % 8 == 0)
        (mer_job.has_remote ? mer_am_ask_host : mer_am_ask)((int)owner, serve, &d, sizeof d, &answer,
                                                            sizeof answer);
    return answer;
}

static void grant(uint32_t who) {
    mer_am_request((int)who - 1, MER_AM_GRANT, NULL, 0);
    mer_am_poll(); /* so that it leaves now */
}

static void wait_for_grant(const char *name, uint32_t number, int holder) {
    static char text[96];
    if (mer_wait_stalled && holder >= 0) {
        snprintf(text, sizeof text, "%s for what thread %d holds", name, holder);
        name = text;
    }
    mer_event_wait(granted((uint32_t)ME), number, name);
}

mer_ptr mer_turn_new(enum mer_turn_kind kind, uint32_t left, const char *name) {
    uint64_t at = mer_heap_local(sizeof(struct mer_turn), name);
    if (!at)
        return mer_mk(0);
    struct mer_turn *t = mer_view(ME, at);
    *t = (struct mer_turn){.left = left, .alive = MER_TURN_ALIVE, .kind = kind};
    return mer_mk(mer_bits((uint64_t)ME, at));
}

enum mer_turn_result mer_turn_take(mer_ptr object, uint32_t n, const char *name) {
    const char *before = mer_am_waits_in;
    uint32_t number = (__atomic_load_n(&granted((uint32_t)ME)->word, __ATOMIC_RELAXED) >> 1) + 1;
    mer_am_waits_in = name;
    struct answer answer = demand(object, TAKE, n);
    if (answer.queued)
        wait_for_grant(name, number, (int)answer.who - 1);
    mer_am_waits_in = before;
    return (enum mer_turn_result)answer.result;
}

enum mer_turn_result mer_turn_try(mer_ptr object, uint32_t n) {
    return (enum mer_turn_result)demand(object, TRY, n).result;
}

enum mer_turn_result mer_turn_give(mer_ptr object, uint32_t n, int *who) {
    struct answer answer = demand(object, GIVE, n);
    enum mer_turn_result result = (enum mer_turn_result)answer.result;
    if (who)
        *who = (int)answer.who - 1;
    while (result == MER_TURN_DONE && answer.who) {
        grant(answer.who);
        if (!answer.more)
            break;
        answer = demand(object, NEXT, 0);
    }
    return result;
}

enum mer_turn_result mer_turn_delete(mer_ptr object, const char *name) {
    enum mer_turn_result result = (enum mer_turn_result)demand(object, RETIRE, 0).result;
    if (result == MER_TURN_DONE)
        mer_heap_free((int)mer_threadof(object.bits), mer_native(object.bits), name);
    return result;
}
