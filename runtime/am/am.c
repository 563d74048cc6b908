/* Active messages: sending, running handlers, waiting.  To threads of this host they go through the rings of
 * transport/receive_ring.h, to those of others by transport/transport.h. */
#include "am/am.h"

#include "am/pieces.h"
#include "transport/receive_ring.h"
#include "am/semaphore.h"
#include "transport/transport.h"
#include "base/fatal.h"
#include "base/wait.h"

#include <linux/membarrier.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ME mer_job.mythread

/* The way of a short message is one function without calls: the rest of a round trip is two lines that go
 * from core to core, some 50 ns each. */
#define IN_LINE static inline __attribute__((always_inline))

static mer_am_handler *handlers[MER_AM_NUMBERS];
static bool touches_memory[MER_AM_NUMBERS]; /* mer_am_memory_handler */
static int registered;                      /* numbers from 0 that mer_am_register has gone through */
static uint32_t next[2];                    /* by way: the place that this thread looks at */
static struct mer_am_slot *next_slot[2];
static unsigned polled; /* messages handled in polls so far */
static bool handling;   /* a handler runs */
static bool started;
static bool fenced_from_afar;           /* the kernel makes this process execute fences for sleepers */
static _Thread_local bool first_thread; /* messages are the process's first POSIX thread's */

const char *mer_am_waits_in = "an active message";

bool mer_am_in_handler(void) { return handling; }

/* ---- receiving -------------------------------------------------------------------------------------------
 */

IN_LINE bool pending(enum mer_am_way way) { return mer_am_pending(next_slot[way], next[way]); }

IN_LINE mer_am_handler *handler_of(const struct mer_am_message *message, int number) {
    mer_am_handler *handler = number < MER_AM_NUMBERS ? handlers[number] : NULL;
    if (!handler)
        mer_fatal("an active message from thread %d names handler %d, which this thread has not registered",
                  message->source, number);
    return handler;
}

void mer_am_run(struct mer_am_message *message, int number) {
    mer_am_handler *handler = handler_of(message, number);
    bool outer = handling;
    handling = true;
    handler(message);
    handling = outer;
}

void mer_am_run_memory(struct mer_am_message *message, int number) { handler_of(message, number)(message); }

bool mer_am_is_memory_handler(int number) { return number < MER_AM_NUMBERS && touches_memory[number]; }

IN_LINE void handle(enum mer_am_way way) {
    struct mer_am_slot *slot = next_slot[way];
    struct mer_am_message message = {
        .source = slot->source, .nargs = slot->nargs, .args = slot->args, .request = way == MER_AM_REQUESTS};
    if (slot->size == MER_AM_IS_MEDIUM) {
        message.payload = mer_am_box(ME)->ring[way].payload[next[way] % MER_AM_DEPTH];
        message.length = slot->length;
    } else if (slot->size == MER_AM_IS_LONG) {
        message.payload = mer_at(slot->address);
        message.length = slot->extent;
    }
    mer_am_run(&message, slot->handler);
    next[way]++;
    next_slot[way] = next[way] % MER_AM_DEPTH ? slot + 1 : slot - (MER_AM_DEPTH - 1);
    mer_am_handled(mer_am_box(ME), way, next[way]);
}

/* Handle what is there, but no more than a ring full, so that the caller comes by in a flood. */
IN_LINE int drain(enum mer_am_way way) {
    unsigned count = 0;
    for (; count < MER_AM_DEPTH && pending(way); count++)
        handle(way);
    return (int)count;
}

int mer_am_poll(void) {
    if (handling || !started)
        return 0;
    int count = drain(MER_AM_REPLIES);
    count += drain(MER_AM_REQUESTS);
    if (__builtin_expect(mer_wire_up, 0))
        count += mer_wire_poll();
    polled += (unsigned)count;
    return count;
}

/* ---- waiting ---------------------------------------------------------------------------------------------
 */

/* For all waits of the runtime (base/wait.h). */
static int poll_in_wait(void) {
    if (!first_thread || handling)
        return -1;
    return mer_am_poll();
}

void mer_am_wait_turn(struct mer_am_wait *w) {
    static_assert(sizeof(struct mer_wait) <= sizeof w->state, "the state of the wait has its place");
    struct mer_wait *wait = (struct mer_wait *)w->state;
    if (handling)
        mer_fatal("a handler of active messages waits for another message");
    if (mer_am_poll()) {
        if (w->begun)
            mer_wait_won(wait);
        w->begun = w->looks = 0;
        return;
    }
    if (w->looks < 200 && !mer_here.crowded) { /* a round trip is shorter than a few pauses */
        w->looks++;
        return;
    }
    if (!w->begun) {
        mer_wait_begin(wait);
        w->begun = 1;
    }
    unsigned before = polled;
    if (mer_wait_turn(wait))
        return;
    /* The turn polls too: what it has handled may be what the caller waits for. */
    if (before != polled)
        return;
    mer_bell_wait(mer_am_waits_in);
    w->begun = 0;
}

/* ---- sending ---------------------------------------------------------------------------------------------
 */

/* Wait for room; see am.h for why this comes to an end. */
static void wait_for_room(enum mer_am_way way, struct mer_patience *patience) {
    int handled = way == MER_AM_REPLIES || handling ? drain(MER_AM_REPLIES) : mer_am_poll();
    if (!handled)
        mer_patience_turn(patience);
}

/* Claim a place in a ring that was full. */
__attribute__((noinline, cold)) static uint32_t claim_late(struct mer_am_box *box, enum mer_am_way way) {
    struct mer_patience patience = {0};
    uint32_t place;
    do
        wait_for_room(way, &patience);
    while (!mer_am_claim(box, way, &place));
    return place;
}

IN_LINE uint32_t claim(struct mer_am_box *box, enum mer_am_way way) {
    uint32_t place;
    return __builtin_expect(mer_am_claim(box, way, &place), 1) ? place : claim_late(box, way);
}

IN_LINE void publish(struct mer_am_box *box, struct mer_am_slot *slot, uint32_t place) {
    if (mer_am_publish(box, slot, place, fenced_from_afar))
        mer_futex_wake(&box->asleep, 1);
}

IN_LINE void send(int to, enum mer_am_way way, int handler, const struct mer_am_body *body,
                  const mer_u64 *args, int nargs) {
    if (mer_wire_beyond(to)) {
        mer_wire_send(to, way, handler, body, args, nargs);
        return;
    }
    struct mer_am_box *box = mer_am_box(to);
    uint32_t place = claim(box, way);
    struct mer_am_ring *ring = &box->ring[way];
    struct mer_am_slot *slot = &ring->slot[place % MER_AM_DEPTH];
    slot->source = (uint16_t)ME;
    slot->handler = (uint16_t)handler;
    slot->size = (uint8_t)body->size;
    slot->nargs = (uint8_t)nargs;
    for (int i = 0; i < nargs; i++)
        slot->args[i] = args[i];
    if (body->size == MER_AM_IS_MEDIUM) {
        slot->length = (uint32_t)body->length;
        memcpy(ring->payload[place % MER_AM_DEPTH], body->payload, body->length);
    } else if (body->size == MER_AM_IS_LONG) {
        slot->address = body->address;
        slot->extent = body->length;
    }
    publish(box, slot, place);
}

/* What is wrong with a message that cannot be sent. */
__attribute__((noinline, cold)) static void refuse(const char *name, int to, int handler, int nargs) {
    if ((unsigned)to >= (unsigned)mer_job.threads)
        mer_fatal("%s: there is no thread %d", name, to);
    if ((unsigned)handler >= MER_AM_NUMBERS || !handlers[handler])
        mer_fatal("%s: handler %d is not registered", name, handler);
    mer_fatal("%s: %d words, but a message holds at most %d", name, nargs, MER_AM_ARGS);
}

IN_LINE void check(const char *name, int to, int handler, int nargs) {
    if (__builtin_expect((unsigned)to >= (unsigned)mer_job.threads || (unsigned)handler >= MER_AM_NUMBERS ||
                             !handlers[handler] || (unsigned)nargs > MER_AM_ARGS,
                         0))
        refuse(name, to, handler, nargs);
}

IN_LINE void check_request(const char *name, int to, int handler, int nargs) {
    check(name, to, handler, nargs);
    if (__builtin_expect(handling, 0))
        mer_fatal("%s: a handler of active messages may only reply", name);
}

IN_LINE int check_reply(const char *name, struct mer_am_message *request, int handler, int nargs) {
    check(name, request->source, handler, nargs);
    if (!request->request || request->replied)
        mer_fatal("%s: %s", name,
                  request->request ? "the request has been replied to" : "a reply cannot be replied to");
    request->replied = 1;
    return request->source;
}

static void check_medium(const char *name, int to, int handler, size_t length) {
    if (length > MER_AM_MEDIUM && (handler < MER_AM_HANDLERS || length > mer_wire_medium(to)))
        mer_fatal("%s: %zu bytes, but a medium payload has at most %d", name, length, MER_AM_MEDIUM);
}

static const struct mer_am_body is_short = {.size = MER_AM_IS_SHORT};

static void send_medium(int to, enum mer_am_way way, int handler, const void *payload, size_t length,
                        const mer_u64 *args, int nargs) {
    struct mer_am_body body = {.size = MER_AM_IS_MEDIUM, .payload = payload, .length = length};
    send(to, way, handler, &body, args, nargs);
}

/* The payload lands before the message is published; where this thread cannot write it, in parts, which are
 * handled before the message since they go the same way. */
static void send_long(int to, enum mer_am_way way, mer_ptr destination, int handler, const void *payload,
                      size_t length, const mer_u64 *args, int nargs) {
    uint64_t at = destination.bits & MER_ADDR_MASK;
    if (at - MER_VIEW_BASE < MER_VIEW_SIZE && !mer_wire_beyond(to)) {
        memmove(mer_at(destination.bits), payload, length);
    } else {
        size_t most = mer_wire_medium(to);
        for (size_t done = 0, part; done < length; done += part) {
            part = mer_wire_part(length - done, most);
            send_medium(to, way, MER_AM_LAND, (const char *)payload + done, part, &(mer_u64){at + done}, 1);
        }
    }
    struct mer_am_body body = {.size = MER_AM_IS_LONG, .length = length, .address = at};
    send(to, way, handler, &body, args, nargs);
}

static void land(struct mer_am_message *message) {
    void *to = mer_at(message->args[0]);
    if (to != message->payload) /* the wire may have put it there */
        memcpy(to, message->payload, message->length);
}

/* ---- the interface
 * ----------------------------------------------------------------------------------------- */

void mer_am_request(int to, int handler, const mer_u64 *args, int nargs) {
    check_request("mer_am_request", to, handler, nargs);
    send(to, MER_AM_REQUESTS, handler, &is_short, args, nargs);
}

void mer_am_request_medium(int to, int handler, const void *payload, size_t length, const mer_u64 *args,
                           int nargs) {
    check_request("mer_am_request_medium", to, handler, nargs);
    check_medium("mer_am_request_medium", to, handler, length);
    send_medium(to, MER_AM_REQUESTS, handler, payload, length, args, nargs);
}

void mer_am_request_long(mer_ptr destination, int handler, const void *payload, size_t length,
                         const mer_u64 *args, int nargs) {
    int to = (int)mer_procof(destination.bits);
    check_request("mer_am_request_long", to, handler, nargs);
    send_long(to, MER_AM_REQUESTS, destination, handler, payload, length, args, nargs);
}

void mer_am_reply(struct mer_am_message *request, int handler, const mer_u64 *args, int nargs) {
    int to = check_reply("mer_am_reply", request, handler, nargs);
    send(to, MER_AM_REPLIES, handler, &is_short, args, nargs);
}

void mer_am_reply_medium(struct mer_am_message *request, int handler, const void *payload, size_t length,
                         const mer_u64 *args, int nargs) {
    int to = check_reply("mer_am_reply_medium", request, handler, nargs);
    check_medium("mer_am_reply_medium", to, handler, length);
    send_medium(to, MER_AM_REPLIES, handler, payload, length, args, nargs);
}

void mer_am_reply_long(struct mer_am_message *request, mer_ptr destination, int handler, const void *payload,
                       size_t length, const mer_u64 *args, int nargs) {
    int to = check_reply("mer_am_reply_long", request, handler, nargs);
    if ((int)mer_procof(destination.bits) != to)
        mer_fatal("mer_am_reply_long: the destination is thread %d's, the request came from thread %d",
                  (int)mer_procof(destination.bits), to);
    send_long(to, MER_AM_REPLIES, destination, handler, payload, length, args, nargs);
}

/* ---- registration and start
 * ------------------------------------------------------------------------------------ */

void mer_am_register_as(int number, mer_am_handler *handler) {
    mer_am_start();
    if ((unsigned)number >= MER_AM_HANDLERS)
        mer_fatal("mer_am_register_as: %d is no handler's number; these are 0 to %d", number,
                  MER_AM_HANDLERS - 1);
    if (handlers[number] && handlers[number] != handler)
        mer_fatal("mer_am_register_as: handler %d is registered already", number);
    handlers[number] = handler;
}

int mer_am_register(mer_am_handler *handler) {
    mer_am_start();
    while (registered < MER_AM_HANDLERS && handlers[registered])
        registered++;
    if (registered == MER_AM_HANDLERS)
        mer_fatal("mer_am_register: all %d handlers are registered", MER_AM_HANDLERS);
    handlers[registered] = handler;
    return registered++;
}

void mer_am_own_handler(enum mer_am_own number, mer_am_handler *handler) { handlers[number] = handler; }

void mer_am_memory_handler(enum mer_am_own number, mer_am_handler *handler) {
    handlers[number] = handler;
    touches_memory[number] = true;
}

void mer_am_start(void) {
    if (started)
        return;
    static struct mer_wait_hook hook;
    started = true;
    first_thread = true;
    next_slot[MER_AM_REQUESTS] = mer_am_box(ME)->ring[MER_AM_REQUESTS].slot;
    next_slot[MER_AM_REPLIES] = mer_am_box(ME)->ring[MER_AM_REPLIES].slot;
    mer_am_memory_handler(MER_AM_LAND, land);
    mer_global_handlers();
    mer_remote_handlers();
    mer_tree_handlers();
    mer_ask_handlers();
    mer_write_handlers();
    mer_pieces_handlers();
    mer_turn_handlers();
    fenced_from_afar = !mer_here.crowded &&
                       syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED, 0, 0) == 0;
    hook = (struct mer_wait_hook){.bell = &mer_am_box(ME)->asleep,
                                  .poll = poll_in_wait,
                                  .distant = fenced_from_afar,
                                  .rest = mer_progress_rest};
    __atomic_store_n(&mer_am_box(ME)->distant, fenced_from_afar, __ATOMIC_RELEASE);
    mer_wait_hook = &hook;
}
