/* Active messages: sending, running handlers, waiting.  Messages to threads of this host go through the rings
 * of transport/receive_ring.h, those to threads of other hosts by transport/transport.h. */
#include "am/am.h"

#include "am/call.h"
#include "am/function.h"
#include "am/progress.h"
#include "am/state.h"
#include "transport/receive_ring.h"
#include "transport/transport.h"
#include "host/hosts.h"
#include "base/settings.h"
#include "base/fatal.h"
#include "base/record.h"
#include "base/wait.h"

#include <linux/membarrier.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ME mer_job.mythread

/* The path of a short message is one function without calls: the rest of a round trip is two lines that go
 * from core to core, some 50 ns each. */
#define IN_LINE static inline __attribute__((always_inline))

struct mer_am mer_am;
_Thread_local bool mer_am_first_thread; /* messages are the process's first POSIX thread's */

/* The POSIX thread of this process that polls in a wait now (the address of its mer_am_first_thread), or
 * null.  The state of communication has no locks, so one POSIX thread at a time may communicate.  A thread
 * that waits while another one polls detects that; relaxed, since both look again and again. */
static const bool *turning;
static bool forked; /* this process is a child of fork, which has no part in the job */

static bool other_turns(void) {
    const bool *other = __atomic_load_n(&turning, __ATOMIC_RELAXED);
    return other && other != &mer_am_first_thread;
}

static void after_fork(void) {
    forked = true;
    mer_am.handlers.running = true; /* nothing is received and nothing sent */
}

/* Ends the job with the reason why nothing may be sent or waited for here; `otherwise': the reason in a
 * handler. */
__attribute__((noinline, cold)) static _Noreturn void cannot(const char *otherwise) {
    if (forked)
        mer_fatal("a child of fork accesses memory of other threads by message; only its parent can do so");
    if (other_turns())
        mer_fatal("two POSIX threads (perhaps of OpenMP) access memory of other hosts at the same time: let "
                  "one of them make these accesses, or copy the memory before the parallel region");
    mer_fatal("%s", otherwise);
}

/* ---- receiving ----------------------------------------------------------------------------------------- */

IN_LINE int drain(enum mer_am_way way) { return mer_receiver_drain(&mer_am.receiver, way); }

int mer_am_poll(void) {
    if (mer_am.handlers.running || !mer_am.started)
        return 0;
    int count;
    if (__builtin_expect(mer_am.progress, 0))
        count = mer_am_progress_poll();
    else
        count = drain(MER_AM_REPLIES) + drain(MER_AM_REQUESTS);
    if (__builtin_expect(mer_transport != NULL, 0))
        count += mer_transport_poll(mer_transport);
    mer_am.polled += (unsigned)count;
    return count;
}

/* ---- waiting ------------------------------------------------------------------------------------------- */

/* For all waits of the runtime (base/wait.h). */
static bool may_poll(void) { return mer_am_first_thread && !mer_wait_alone && !mer_am.handlers.running; }
static int poll_in_wait(void) { return may_poll() ? mer_am_poll() : -1; }

static void turn(struct mer_am_wait *w) {
    static_assert(sizeof(struct mer_wait) <= sizeof w->state, "the state of the wait has its place");
    struct mer_wait *wait = (struct mer_wait *)w->state;
    if (mer_am_poll()) {
        if (w->begun)
            mer_wait_won(wait);
        w->begun = w->looks = 0;
        return;
    }
    /* A round trip within the host is shorter than a few pauses. */
    if (w->looks < (mer_transport ? 16 : 200) && !mer_here.oversubscribed) {
        w->looks++;
        return;
    }
    if (!w->begun) {
        mer_wait_begin(wait);
        w->begun = 1;
    }
    unsigned before = mer_am.polled;
    if (mer_wait_turn(wait))
        return;
    /* mer_wait_turn polls too: a message that it has handled may end the caller's wait. */
    if (before != mer_am.polled)
        return;
    mer_bell_wait(mer_am.waits_in);
    w->begun = 0;
}

void mer_am_wait_turn(struct mer_am_wait *w) {
    if (__builtin_expect(mer_am.handlers.running || other_turns(), 0))
        cannot("a handler of active messages waits for another message");
    __atomic_store_n(&turning, &mer_am_first_thread, __ATOMIC_RELAXED);
    turn(w);
    __atomic_store_n(&turning, NULL, __ATOMIC_RELAXED);
}

void mer_am_wait_counter(const int *counter) { MER_AM_WAIT_UNTIL(*(const volatile int *)counter == 0); }

/* ---- sending ------------------------------------------------------------------------------------------- */

/* Wait for a free place; meridian/am.h says why this wait ends. */
static void wait_for_place(enum mer_am_way way, struct mer_backoff *backoff) {
    bool replies = way == MER_AM_REPLIES || mer_am.handlers.running;
    int handled = !replies          ? mer_am_poll()
                  : mer_am.progress ? mer_am_progress_drain_replies()
                                    : drain(MER_AM_REPLIES);
    if (!handled)
        mer_backoff_turn(backoff);
}

/* Claim a place in a ring that was full. */
__attribute__((noinline, cold)) static uint32_t claim_late(struct mer_receive_rings *rings,
                                                           enum mer_am_way way) {
    struct mer_backoff backoff = {0};
    uint32_t place;
    do
        wait_for_place(way, &backoff);
    while (!mer_am_claim(rings, way, &place));
    return place;
}

IN_LINE uint32_t claim(struct mer_receive_rings *rings, enum mer_am_way way) {
    uint32_t place;
    return __builtin_expect(mer_am_claim(rings, way, &place), 1) ? place : claim_late(rings, way);
}

IN_LINE void publish(struct mer_receive_rings *rings, struct mer_am_slot *slot, uint32_t place) {
    if (mer_am_publish(rings, slot, place, mer_am.global_fence))
        mer_futex_wake(&rings->asleep, 1);
}

IN_LINE void send(int to, enum mer_am_way way, int handler, const struct mer_am_body *body,
                  const mer_u64 *args, int nargs) {
    struct mer_transport *end = mer_transport_to(to);
    if (end) {
        mer_transport_send(end, to, way, handler, body, args, nargs);
        return;
    }
    struct mer_receive_rings *rings = mer_receive_rings_of(to);
    uint32_t place = claim(rings, way);
    struct mer_receive_ring *ring = &rings->ring[way];
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
    publish(rings, slot, place);
}

/* Ends the job with the reason why a message cannot be sent. */
__attribute__((noinline, cold)) static void refuse(const char *name, int to, int handler, int nargs) {
    if ((unsigned)to >= (unsigned)mer_job.threads)
        mer_fatal("%s: there is no thread %d", name, to);
    if ((unsigned)handler >= MER_HANDLER_NUMBERS || !mer_am.handlers.at[handler].run)
        mer_fatal("%s: handler %d is not registered", name, handler);
    mer_fatal("%s: %d words, but a message holds at most %d", name, nargs, MER_AM_ARGS);
}

IN_LINE void check(const char *name, int to, int handler, int nargs) {
    if (__builtin_expect((unsigned)to >= (unsigned)mer_job.threads ||
                             (unsigned)handler >= MER_HANDLER_NUMBERS || !mer_am.handlers.at[handler].run ||
                             (unsigned)nargs > MER_AM_ARGS,
                         0))
        refuse(name, to, handler, nargs);
}

__attribute__((noinline, cold)) static _Noreturn void refuse_in_handler(const char *name) {
    char text[128];
    snprintf(text, sizeof text, "%s: a handler of active messages may only reply", name);
    cannot(text);
}

IN_LINE void check_request(const char *name, int to, int handler, int nargs) {
    check(name, to, handler, nargs);
    if (__builtin_expect(mer_am.handlers.running, 0))
        refuse_in_handler(name);
}

IN_LINE int check_reply(const char *name, struct mer_am_message *request, int handler, int nargs) {
    check(name, request->source, handler, nargs);
    if (!request->request || request->replied)
        mer_fatal("%s: %s", name,
                  request->request ? "the handler has replied to this request already"
                                   : "the handler of a reply cannot reply");
    request->replied = 1;
    return request->source;
}

static void check_medium(const char *name, int to, int handler, size_t length) {
    if (length > MER_AM_MEDIUM &&
        (handler < MER_AM_HANDLERS || length > mer_transport_medium(mer_transport_to(to))))
        mer_fatal("%s: %zu bytes, but a medium payload has at most %d", name, length, MER_AM_MEDIUM);
}

static const struct mer_am_body is_short = {.size = MER_AM_IS_SHORT};

static void send_medium(int to, enum mer_am_way way, int handler, const void *payload, size_t length,
                        const mer_u64 *args, int nargs) {
    struct mer_am_body body = {.size = MER_AM_IS_MEDIUM, .payload = payload, .length = length};
    send(to, way, handler, &body, args, nargs);
}

/* Sends a medium message, whose payload lies in parts, to another host. */
static void send_parts(int to, enum mer_am_way way, int handler, const struct iovec *parts, int nparts,
                       size_t length, const mer_u64 *args, int nargs) {
    struct mer_am_body body = {.size = MER_AM_IS_MEDIUM, .parts = parts, .nparts = nparts, .length = length};
    mer_transport_send(mer_transport_to(to), to, way, handler, &body, args, nargs);
}

/* The payload lands before the message is published.  If this thread cannot write it there itself, it is sent
 * in parts, which are handled before the message because they take the same path. */
static void send_long(int to, enum mer_am_way way, mer_ptr destination, int handler, const void *payload,
                      size_t length, const mer_u64 *args, int nargs) {
    uint64_t at = destination.bits & MER_ADDR_MASK;
    if (at - MER_VIEW_BASE < MER_VIEW_SIZE && !mer_transport_to(to)) {
        memmove(mer_at(destination.bits), payload, length);
    } else {
        size_t most = mer_transport_medium(mer_transport_to(to));
        for (size_t done = 0, part; done < length; done += part) {
            part = mer_transport_part(length - done, most);
            send_medium(to, way, MER_AM_LAND, (const char *)payload + done, part, &(mer_u64){at + done}, 1);
        }
    }
    struct mer_am_body body = {.size = MER_AM_IS_LONG, .length = length, .address = at};
    send(to, way, handler, &body, args, nargs);
}

static void land(struct mer_am_message *message) {
    void *to = mer_at(message->args[0]);
    if (to != message->payload) /* the conduit may have put it there */
        memcpy(to, message->payload, message->length);
}

/* ---- the interface ------------------------------------------------------------------------------------- */

void mer_am_request(int to, int handler, const mer_u64 *args, int nargs) {
    check_request("mer_am_request", to, handler, nargs);
    mer_record_begin();
    send(to, MER_AM_REQUESTS, handler, &is_short, args, nargs);
    mer_record_end(MER_RECORD_REQUEST, to, sizeof *args * (size_t)nargs);
}

bool mer_am_pair(int to, enum mer_am_number number, mer_u64 first, mer_u64 second, int *counter) {
    struct mer_transport *end = mer_transport_to(to);
    if (!end)
        return false;
    if (mer_am_pair_quick(to, (int)number, first, second, counter))
        return true;
    check_request("mer_am_pair", to, (int)number, 2);
    mer_record_begin();
    mer_transport_send_pair(end, to, (int)number, first, second, counter);
    mer_record_end(MER_RECORD_REQUEST, to, 2 * sizeof first);
    return true;
}

void mer_am_request_medium(int to, int handler, const void *payload, size_t length, const mer_u64 *args,
                           int nargs) {
    check_request("mer_am_request_medium", to, handler, nargs);
    check_medium("mer_am_request_medium", to, handler, length);
    mer_record_begin();
    send_medium(to, MER_AM_REQUESTS, handler, payload, length, args, nargs);
    mer_record_end(MER_RECORD_REQUEST, to, length + sizeof *args * (size_t)nargs);
}

void mer_am_request_parts(int to, int handler, const struct iovec *parts, int nparts, size_t length,
                          const mer_u64 *args, int nargs) {
    check_request("mer_am_request_parts", to, handler, nargs);
    check_medium("mer_am_request_parts", to, handler, length);
    mer_record_begin();
    send_parts(to, MER_AM_REQUESTS, handler, parts, nparts, length, args, nargs);
    mer_record_end(MER_RECORD_REQUEST, to, length + sizeof *args * (size_t)nargs);
}

void mer_am_reply_parts(struct mer_am_message *request, int handler, const struct iovec *parts, int nparts,
                        size_t length, const mer_u64 *args, int nargs) {
    int to = check_reply("mer_am_reply_parts", request, handler, nargs);
    check_medium("mer_am_reply_parts", to, handler, length);
    send_parts(to, MER_AM_REPLIES, handler, parts, nparts, length, args, nargs);
}

void mer_am_request_long(mer_ptr destination, int handler, const void *payload, size_t length,
                         const mer_u64 *args, int nargs) {
    int to = (int)mer_procof(destination.bits);
    check_request("mer_am_request_long", to, handler, nargs);
    mer_record_begin();
    send_long(to, MER_AM_REQUESTS, destination, handler, payload, length, args, nargs);
    mer_record_end(MER_RECORD_REQUEST, to, length + sizeof *args * (size_t)nargs);
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
        mer_fatal(
            "mer_am_reply_long: the destination belongs to thread %d, but the request came from thread %d",
            (int)mer_procof(destination.bits), to);
    send_long(to, MER_AM_REPLIES, destination, handler, payload, length, args, nargs);
}

/* ---- registration and start ---------------------------------------------------------------------------- */

void mer_am_register_as(int number, mer_am_handler *handler) {
    mer_am_start();
    if ((unsigned)number >= MER_AM_HANDLERS)
        mer_fatal("mer_am_register_as: %d is not the number of a handler; handlers have the numbers 0 to %d",
                  number, MER_AM_HANDLERS - 1);
    if (mer_am.handlers.at[number].run && mer_am.handlers.at[number].run != handler)
        mer_fatal("mer_am_register_as: handler %d is registered already", number);
    mer_am.handlers.at[number].run = handler;
}

int mer_am_register(mer_am_handler *handler) {
    mer_am_start();
    while (mer_am.registered < MER_AM_HANDLERS && mer_am.handlers.at[mer_am.registered].run)
        mer_am.registered++;
    if (mer_am.registered == MER_AM_HANDLERS)
        mer_fatal("mer_am_register: all %d handlers are registered", MER_AM_HANDLERS);
    mer_am.handlers.at[mer_am.registered].run = handler;
    return mer_am.registered++;
}

void mer_am_set_handler(enum mer_am_number number, mer_am_handler *handler, unsigned kind) {
    mer_am.handlers.at[number] = (struct mer_handler){handler, kind, NULL};
}

void mer_am_set_places(enum mer_am_number number, mer_handler_places *places) {
    mer_am.handlers.at[number].places = places;
}

static struct mer_wait_hook hook;

static void rest(bool resting) {
    if (mer_transport)
        mer_transport_rest(mer_transport, resting);
}

static int poll_for_transport(void *unused) {
    (void)unused;
    return mer_am_poll();
}

void mer_am_transport_start(void (*exchange)(const void *mine, size_t n, void *all)) {
    struct mer_conduit_address own = {0}, *addresses = calloc((size_t)mer_job.threads, sizeof *addresses);
    struct mer_transport_config config = {.thread = ME,
                                          .threads = mer_job.threads,
                                          .here_first = mer_job.here_first,
                                          .here = mer_job.here,
                                          .memory = mer_view(ME, 0),
                                          .memory_length = mer_job.span,
                                          .silence = (int)mer_setting(SILENCE),
                                          .one_machine = mer_hosts.one_machine,
                                          .encrypt = mer_setting(ENCRYPT),
                                          .interface = mer_setting_text(MER_SETTING_INTERFACE),
                                          .conduit = mer_conduit_find(mer_setting_text(MER_SETTING_CONDUIT)),
                                          .handlers = &mer_am.handlers,
                                          .poll = poll_for_transport};
    if (!addresses)
        mer_fatal("no memory for %d addresses", mer_job.threads);
    struct mer_transport *end = mer_transport_open(&config, &own);
    exchange(&own, sizeof own, addresses);
    mer_transport_connect(end, addresses);
    free(addresses);
    mer_am_start();
    mer_transport = end;
    hook.by_network = true;
    mer_transport_start_progress(end);
}

void mer_am_open_rows(void) {
    if (!mer_transport || mer_recording)
        return;
    mer_open_rows = mer_transport_rows(mer_transport);
    mer_open_rows->closed = &mer_am.handlers.running;
}

void mer_am_transport_stop(void) {
    struct mer_transport *end = mer_transport;
    if (!end)
        return;
    mer_transport_close(end);
    mer_transport = NULL;
}

void mer_am_transport_linger(void) {
    if (mer_transport)
        mer_transport_linger(mer_transport);
}

/* The receiver executes fences before it announces that, so no sender omits its own too soon. */
void mer_am_choose_fence(void) {
    mer_am.waits_settled = true;
    if (!mer_am.started || mer_here.oversubscribed)
        return;
    mer_am.global_fence = syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED, 0, 0) == 0;
    hook.global_fence = mer_am.global_fence;
    __atomic_store_n(&mer_am.receiver.rings->global_fence, mer_am.global_fence, __ATOMIC_RELEASE);
}

void mer_am_open(void) { mer_receive_rings_begin(mer_receive_rings_of(ME)); }

void mer_am_start(void) {
    if (mer_am.started)
        return;
    mer_am.started = true;
    mer_am.waits_in = "an active message";
    mer_am_first_thread = true;
    pthread_atfork(NULL, NULL, after_fork);
    mer_receiver_open(&mer_am.receiver, mer_receive_rings_of(ME), &mer_am.handlers);
    mer_am_set_handler(MER_AM_LAND, land, MER_HANDLER_MEMORY);
    mer_call_handlers();
    mer_function_handlers();
    hook = (struct mer_wait_hook){
        .bell = &mer_am.receiver.rings->asleep, .poll = poll_in_wait, .may_poll = may_poll, .rest = rest};
    mer_wait_hook = &hook;
    if (mer_am.waits_settled)
        mer_am_choose_fence();
}
