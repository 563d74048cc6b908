/* Opening, polling and closing of an end of the transport; transport.h explains its guarantees.
 *
 * A packet is a head and messages one after the other, all padded to 8 bytes (end.h):
 *
 *   packet head   bytes of requests handled, given back to the receiver of the packet; the packet's number
 *   message head  handler, kind, number of words, length of the payload
 *   words         of the message; for long messages, two more: address and extent of the landed data
 *   payload
 *
 * A packet with a long payload holds that message alone.
 *
 * One lock guards the whole end.  The progress thread holds it while it reads.  A thread that polls does not
 * wait for the lock: the progress thread, which holds it, is doing the same work.
 */
#include "transport/transport.h"

#include "base/fatal.h"
#include "base/wait.h"
#include "transport/end.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LONG_MOST (1UL << 20) /* longest payload */
#define LONG_ALL (64UL << 20) /* sum of one payload for each peer */

struct mer_transport *mer_transport;
_Thread_local char mer_transport_mark;

bool mer_transport_guard(struct mer_transport *end) { return end && mer_transport_enter(end); }
void mer_transport_unguard(struct mer_transport *end, bool guarded) { mer_transport_leave(end, guarded); }

/* A megabyte, less in large jobs, because answers of that length may have to wait in memory for each peer. */
size_t mer_transport_medium(const struct mer_transport *end) {
    if (!end)
        return MER_AM_MEDIUM;
    size_t most = end->endpoint->packet_most - sizeof(struct mer_packet_head) -
                  sizeof(struct mer_message_head) - MER_AM_ARGS * sizeof(mer_u64);
    size_t fair = LONG_ALL / (size_t)end->config.threads;
    fair = fair > LONG_MOST ? LONG_MOST : fair < MER_TRANSPORT_LONG ? MER_TRANSPORT_LONG : fair;
    return (most < fair ? most : fair) / 64 * 64;
}

/* ---- polling --------------------------------------------------------------------------------------- */

/* Send and receive, under the lock.  Messages from handlers leave at the end; with more threads than cores
 * they do not wake the progress thread.  Returns the result of the conduit's poll. */
static int turn(struct mer_transport *end) {
    end->ran = 0;
    end->pushes = mer_here.oversubscribed;
    mer_transport_push(end);
    int news = end->config.conduit->poll(end->endpoint);
    if (news > 0)
        mer_transport_push(end);
    mer_transport_pushed(end);
    return news;
}

/* With a core for each thread the progress thread would run at once, and contend with this one for the
 * lock. */
bool mer_transport_begin(struct mer_transport *end) {
    if (!mer_here.oversubscribed || !mer_transport_enter(end))
        return false;
    end->pushes = true;
    return true;
}

void mer_transport_end(struct mer_transport *end, bool begun) {
    if (!begun)
        return;
    mer_transport_push(end);
    mer_transport_pushed(end);
    mer_transport_leave(end, true);
}

/* Returns 1 if the progress thread has run handlers since the last call.  Acquire, partner:
 * mer_transport_turn; a thread that sees this sees the handlers' writes. */
static int take_served(struct mer_transport *end) {
    return __atomic_load_n(&end->served, __ATOMIC_RELAXED) &&
           __atomic_exchange_n(&end->served, false, __ATOMIC_ACQUIRE);
}

int mer_transport_poll(struct mer_transport *end) {
    if (mer_transport_holds(end))
        return 0;
    /* Relaxed: the progress thread only asks whether it has changed lately. */
    __atomic_store_n(&end->polls, end->polls + 1, __ATOMIC_RELAXED);
    if (__atomic_load_n(&end->progress.off_duty, __ATOMIC_RELAXED)) /* relaxed: the next poll sees it */
        mer_progress_put_off(&end->progress);
    int handled = mer_deferred_run_all(end) + take_served(end);
    if (pthread_mutex_trylock(&end->lock) != 0)
        return handled;
    __atomic_store_n(&end->holder, mer_transport_self(), __ATOMIC_RELAXED);
    turn(end);
    handled += end->ran;
    mer_transport_leave(end, true);
    return handled;
}

int mer_transport_turn(struct mer_transport *end, bool *idle) {
    bool entered = mer_transport_enter(end);
    __atomic_store_n(&end->rows.asleep, false, __ATOMIC_RELAXED);
    int packets = turn(end);
    if (end->ran) { /* the thread may wait for the effect of a memory handler: it must check again */
        __atomic_store_n(&end->served, true, __ATOMIC_RELEASE);
        mer_deferred_wake_served();
    }
    *idle = packets == 0 && end->busy_count == 0 && end->config.conduit->may_sleep(end->endpoint) &&
            mer_rows_may_sleep(&end->rows);
    mer_transport_leave(end, entered);
    return packets;
}

void mer_transport_more(struct mer_transport *end, bool more) {
    bool entered = mer_transport_enter(end);
    end->endpoint->more = more;
    mer_transport_leave(end, entered);
}

/* ---- the conduit's get and put --------------------------------------------------------------------- */

/* Write the offset of bits in the owner's span.  Returns false if n bytes from there are not within the
 * span. */
static bool offset_of(mer_u64 bits, int owner, size_t n, uint64_t *offset) {
    *offset = (bits & MER_ADDR_MASK) - (mer_u64)(uintptr_t)mer_view(owner, 0);
    return *offset < mer_job.span && n <= mer_job.span - *offset;
}

bool mer_transport_has_rma(const struct mer_transport *end, bool put, size_t n) {
    return end && end->config.conduit->get && end->config.conduit->put &&
           n >= (put ? end->endpoint->put_least : end->endpoint->get_least);
}

/* Begin a put or a get of n bytes.  The counter is raised first, because the operation may complete at
 * once. */
static bool transfer(struct mer_transport *end, bool put, void *here, mer_u64 bits, size_t n, int *counter) {
    int owner = (int)mer_procof(bits);
    uint64_t offset;
    if (!mer_transport_has_rma(end, put, n) || !offset_of(bits, owner, n, &offset))
        return false;
    const struct mer_conduit *conduit = end->config.conduit;
    bool entered = mer_transport_enter(end);
    ++*counter;
    if (put)
        end->deferred.wrote = true;
    bool begun = put ? conduit->put(end->endpoint, owner, offset, here, n, counter)
                     : conduit->get(end->endpoint, here, owner, offset, n, counter);
    if (!begun)
        --*counter;
    mer_transport_leave(end, entered);
    return begun;
}

bool mer_transport_get(struct mer_transport *end, void *to, mer_u64 bits, size_t n, int *counter) {
    return transfer(end, false, to, bits, n, counter);
}

bool mer_transport_put(struct mer_transport *end, mer_u64 bits, const void *from, size_t n, int *counter) {
    return transfer(end, true, (void *)(uintptr_t)from, bits, n, counter);
}

/* ---- start and end --------------------------------------------------------------------------------- */

static _Noreturn void fail(void *user, const char *format, ...) {
    const struct mer_transport *end = user;
    char text[512];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    mer_fatal("conduit %s: %s", end->config.conduit->name, text);
}

struct mer_transport *mer_transport_open(const struct mer_transport_config *config,
                                         struct mer_conduit_address *own) {
    size_t threads = (size_t)config->threads;
    struct mer_transport *end = mer_message_allocate(sizeof *end);
    *end = (struct mer_transport){.config = *config, .lock = PTHREAD_MUTEX_INITIALIZER};
    end->peers = calloc(threads, sizeof *end->peers);
    end->busy = calloc(threads, sizeof *end->busy);
    if (!end->peers || !end->busy)
        mer_fatal("no memory for %zu peers", threads);
    for (size_t t = 0; t < threads; t++) {
        end->peers[t].credit = MER_TRANSPORT_WINDOW;
        end->peers[t].sent_number = end->peers[t].taken_number = mer_wrap_start;
    }
    end->polls = mer_wrap_start;
    mer_deferred_start(end);
    mer_rows_open(&end->rows);
    end->client = (struct mer_conduit_client){.user = end,
                                              .thread = config->thread,
                                              .threads = config->threads,
                                              .here_first = config->here_first,
                                              .here = config->here,
                                              .memory = config->memory,
                                              .memory_length = config->memory_length,
                                              .silence = config->silence,
                                              .one_machine = config->one_machine,
                                              .encrypt = config->encrypt,
                                              .interface = config->interface,
                                              .deliver = mer_transport_deliver,
                                              .land = mer_transport_land,
                                              .done = mer_transport_done,
                                              .lost = mer_transport_lost,
                                              .fail = fail};
    end->endpoint = config->conduit->open(&end->client, own);
    size_t eager = end->endpoint->packet_eager ? end->endpoint->packet_eager : end->endpoint->packet_most;
    end->packet_most = eager < MER_TRANSPORT_PACKET ? eager : MER_TRANSPORT_PACKET;
    return end;
}

void mer_transport_connect(struct mer_transport *end, const struct mer_conduit_address *all) {
    end->config.conduit->connect(end->endpoint, all);
}

void mer_transport_start_progress(struct mer_transport *end) {
    mer_progress_start(end, end->config.conduit->wait_fd(end->endpoint));
}

static bool is_here(const struct mer_transport *end, int t) { return mer_conduit_here(&end->client, t); }

/* Tell all peers with which packets were exchanged that this is the end: a closed connection is then no
 * loss. */
static void say_goodbye(struct mer_transport *end) {
    static const struct mer_am_body nothing = {.size = MER_AM_IS_SHORT};
    struct mer_message_head head = {.handler = MER_GOODBYE};
    for (int t = 0; t < end->config.threads; t++) {
        const struct mer_peer *p = &end->peers[t];
        if (!is_here(end, t) && (p->met || p->open))
            mer_transport_append(end, t, &head, &nothing, NULL);
    }
}

void mer_transport_close(struct mer_transport *end) {
    mer_progress_stop(end);
    mer_transport_enter(end);
    __atomic_store_n(&end->rows.asleep, false, __ATOMIC_RELAXED); /* the progress thread has ended */
    end->stopping = true;
    say_goodbye(end);
    struct mer_backoff backoff = {0};
    for (turn(end); end->busy_count || mer_rows_wait(&end->rows); turn(end))
        mer_backoff_turn(&backoff);
    end->config.conduit->close(end->endpoint);
    mer_transport_drop(end);
    mer_rows_close(&end->rows);
    mer_transport_leave(end, true);
    free(end->peers);
    free(end->busy);
    free(end);
}

void mer_transport_linger(struct mer_transport *end) {
    enum { TURNS = 100 };
    end->stopping = true;
    for (int i = 0; !mer_transport_holds(end) && i < TURNS; i++) {
        struct timespec moment = {0, 1000000};
        mer_transport_poll(end);
        nanosleep(&moment, NULL);
    }
}
