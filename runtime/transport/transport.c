/* Packets of active messages between hosts; what they promise is argued in transport.h.
 *
 * A packet is a head and messages one behind the other, all padded to 8 bytes:
 *
 *   packet_head   bytes of requests handled, given back to the receiver of the packet; the packet's number
 *   message_head  handler, kind, number of words, length of the payload
 *   words         of the message; for long messages, two more: address and extent of what has landed
 *   payload
 *
 * A packet with a long payload holds that message alone.
 *
 * One lock guards all of it.  The progress thread holds it while it reads; the thread itself, when it polls,
 * does not wait for the progress thread, which is doing what was to be done.
 */
#include "transport/transport.h"

#include "transport/deferred.h"
#include "boot/boot.h"
#include "conduit/conduit.h"
#include "host/hosts.h"
#include "base/fatal.h"
#include "base/settings.h"
#include "base/wait.h"

#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ME mer_job.mythread
#define GIVE_BACK                                                                                            \
    (MER_WIRE_WINDOW / 4)     /* so much is given back without waiting for a packet that goes anyway */
#define LONG_MOST (1UL << 20) /* longest payload */
#define LONG_ALL (64UL << 20) /* of one to each peer together */
#define GOODBYE 0xffffU       /* in place of a handler: the sender's program has ended */

struct packet_head {
    uint32_t returned, number;
};

struct message_head {
    uint16_t handler;
    uint8_t kind; /* REQUEST_BIT and enum mer_am_size */
    uint8_t nargs;
    uint32_t length;
};
#define REQUEST_BIT 0x80U

struct landed { /* behind the words of a long message */
    mer_u64 address, extent;
};

struct packet {
    struct packet *next;
    size_t length, room;
    _Alignas(8) unsigned char bytes[];
};

struct peer {
    struct packet *open;                /* being filled; null: nothing yet */
    struct packet *first, *last;        /* full ones for which the conduit had no room */
    uint32_t credit;                    /* bytes of requests that may be sent */
    uint32_t owed;                      /* bytes handled and not given back yet */
    uint32_t sent_number, taken_number; /* of packets */
    void *landed;                       /* where the payload of the packet that is being read has gone */
    bool listed;                        /* in `busy' */
    bool goodbye;
};

bool mer_wire_up;
uint32_t mer_wire_polls;

static const struct mer_conduit *conduit;
static struct mer_conduit_client client;
static struct mer_conduit_endpoint *endpoint; /* of the conduit */
static struct peer *peers;
static int *busy; /* peers with something to send */
static int busy_count;
static bool served;          /* the progress thread has run handlers since the thread polled */
static bool progress_sleeps; /* the progress thread sleeps until told */
static bool stopping;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local bool holding; /* this POSIX thread has the lock */

/* ---- the lock -------------------------------------------------------------------------------------- */

/* True: taken now, to be given back; false: held already, by the call that this one is inside of. */
static bool enter(void) {
    if (holding)
        return false;
    pthread_mutex_lock(&lock);
    return holding = true;
}

static void leave(bool entered) {
    if (!entered)
        return;
    holding = false;
    pthread_mutex_unlock(&lock);
}

bool mer_wire_guard(void) { return mer_wire_up && enter(); }
void mer_wire_unguard(bool guarded) { leave(guarded); }

void *mer_wire_room(size_t n) {
    void *p = aligned_alloc(64, (n + 63) / 64 * 64);
    if (!p)
        mer_fatal("no memory for messages between hosts (%zu bytes)", n);
    return p;
}

/* ---- sending --------------------------------------------------------------------------------------- */

static enum mer_am_size size_of(const struct message_head *head) {
    return (enum mer_am_size)(head->kind & 3);
}

/* Bytes of a message in its packet. */
static size_t bytes_of(const struct message_head *head) {
    size_t landed = size_of(head) == MER_AM_IS_LONG ? sizeof(struct landed) : 0;
    return sizeof *head + head->nargs * sizeof(mer_u64) + landed + ((head->length + 7UL) & ~7UL);
}

/* Long payloads are for memory handlers. */
static size_t share_of(size_t payload) { return payload < MER_WIRE_LONG ? payload : payload / 16; }

/* What a message takes from the window: a reply nothing; a request its bytes, and those of the reply that it
 * asks for.  Nobody knows what a user's handler replies; a quarter of the longest reply is taken, so that
 * what waits to leave is at most four windows a peer. */
static uint32_t cost_of(const struct message_head *head, const mer_u64 *args) {
    if (!(head->kind & REQUEST_BIT))
        return 0;
    size_t reply = 0;
    if (head->handler < MER_AM_HANDLERS)
        reply = MER_AM_MEDIUM / 4;
    else if (head->handler == MER_AM_GET || head->handler == MER_AM_PIECES_GET)
        reply = share_of(args[3]);
    return (uint32_t)(bytes_of(head) - head->length + share_of(head->length) + reply);
}

static void list(int to) {
    if (peers[to].listed)
        return;
    peers[to].listed = true;
    busy[busy_count++] = to;
    if (progress_sleeps) {
        progress_sleeps = false;
        mer_progress_alarm();
    }
}

/* The packet that is being filled, if it has room for so many bytes, or an empty one that has. */
static struct packet *opened(int to, size_t bytes) {
    struct peer *p = &peers[to];
    size_t room = sizeof(struct packet_head) + bytes;
    if (p->open && p->open->room < room && p->open->length == sizeof(struct packet_head)) {
        free(p->open);
        p->open = NULL;
    }
    if (!p->open) {
        room = room < MER_WIRE_PACKET ? MER_WIRE_PACKET : room;
        p->open = mer_wire_room(sizeof *p->open + room);
        *p->open = (struct packet){.length = sizeof(struct packet_head), .room = room};
    }
    return p->open;
}

/* Hand the open packet to the conduit; false: it had no room. */
static bool hand_over(int to, struct packet *packet) {
    struct iovec part = {packet->bytes, packet->length};
    return conduit->send(endpoint, to, &part, 1);
}

/* Close the packet that is being filled: it is the conduit's, or waits its turn. */
static void close_packet(int to) {
    struct peer *p = &peers[to];
    struct packet *packet = opened(to, 0);
    struct packet_head *head = (struct packet_head *)packet->bytes;
    *head = (struct packet_head){.returned = p->owed, .number = p->sent_number++};
    p->owed = 0;
    if (!p->first && hand_over(to, packet)) {
        packet->length = sizeof(struct packet_head);
        return;
    }
    p->open = NULL;
    if (p->first)
        p->last->next = packet;
    else
        p->first = packet;
    p->last = packet;
}

static bool worth_sending(const struct peer *p) {
    return (p->open && p->open->length > sizeof(struct packet_head)) || p->owed >= GIVE_BACK;
}

static void push_peer(int to) {
    struct peer *p = &peers[to];
    while (p->first && hand_over(to, p->first)) {
        struct packet *sent = p->first;
        p->first = sent->next;
        free(sent);
    }
    if (!p->first && worth_sending(p))
        close_packet(to);
}

/* Send what can be sent. */
static void push(void) {
    int kept = 0;
    for (int i = 0; i < busy_count; i++) {
        int to = busy[i];
        push_peer(to);
        if (peers[to].first || worth_sending(&peers[to]))
            busy[kept++] = to;
        else
            peers[to].listed = false;
    }
    busy_count = kept;
}

/* A turn of the wait for what others have to do before a request can be sent; without the lock meanwhile. */
static void wait_turn(struct mer_patience *patience) {
    leave(true);
    if (!mer_am_poll())
        mer_patience_turn(patience);
    enter();
}

/* Wait until a request of this cost may be sent. */
static void wait_for_credit(int to, uint32_t cost) {
    struct mer_patience patience = {0};
    while (peers[to].credit < cost)
        wait_turn(&patience);
}

static int ran; /* handlers in this poll */

static void append(int to, const struct message_head *head, const struct mer_am_body *body,
                   const mer_u64 *args) {
    size_t words = head->nargs * sizeof(mer_u64), bytes = bytes_of(head);
    size_t length = opened(to, bytes)->length;
    if (length > sizeof(struct packet_head) && length + bytes > MER_WIRE_PACKET)
        close_packet(to);
    struct packet *packet = opened(to, bytes);
    unsigned char *at = packet->bytes + packet->length;
    memcpy(at, head, sizeof *head);
    at += sizeof *head;
    if (words)
        memcpy(at, args, words);
    at += words;
    if (size_of(head) == MER_AM_IS_LONG)
        *(struct landed *)(void *)at = (struct landed){body->address, body->length};
    else if (head->length)
        memcpy(at, body->payload, head->length);
    packet->length += bytes;
    list(to);
}

/* Send a message in a packet of its own, with its payload from where it lies, behind all others.  False: the
 * conduit has no room now. */
static bool send_long(int to, const struct message_head *head, const void *payload, const mer_u64 *args) {
    static const unsigned char zeros[8];
    struct {
        struct packet_head packet;
        struct message_head message;
        mer_u64 args[MER_AM_ARGS];
    } lead = {.message = *head};
    struct peer *p = &peers[to];
    push_peer(to);
    if (p->first || worth_sending(p))
        return false;
    lead.packet = (struct packet_head){.returned = p->owed, .number = p->sent_number};
    memcpy(lead.args, args, head->nargs * sizeof *args);
    struct iovec parts[3] = {{&lead, offsetof(typeof(lead), args) + head->nargs * sizeof *args},
                             {(void *)(uintptr_t)payload, head->length},
                             {(void *)(uintptr_t)zeros, -head->length & 7}};
    if (!conduit->send(endpoint, to, parts, 3))
        return false;
    p->sent_number++;
    p->owed = 0;
    return true;
}

/* A request waits until the conduit takes it; a reply cannot, and is copied then. */
static bool sent_long(int to, const struct message_head *head, const void *payload, const mer_u64 *args) {
    struct mer_patience patience = {0};
    while (!send_long(to, head, payload, args)) {
        if (!(head->kind & REQUEST_BIT))
            return false;
        wait_turn(&patience);
    }
    return true;
}

void mer_wire_send(int to, enum mer_am_way way, int handler, const struct mer_am_body *body,
                   const mer_u64 *args, int nargs) {
    struct message_head head = {.handler = (uint16_t)handler,
                                .kind = (uint8_t)(body->size | (way == MER_AM_REQUESTS ? REQUEST_BIT : 0)),
                                .nargs = (uint8_t)nargs,
                                .length = body->size == MER_AM_IS_MEDIUM ? (uint32_t)body->length : 0};
    bool entered = enter();
    uint32_t cost = cost_of(&head, args);
    if (peers[to].credit < cost)
        wait_for_credit(to, cost);
    peers[to].credit -= cost;
    if (way == MER_AM_REQUESTS)
        mer_own_writes(handler);
    if (head.length < MER_WIRE_LONG || !sent_long(to, &head, body->payload, args))
        append(to, &head, body, args);
    leave(entered);
}

/* A megabyte, less in large jobs: answers of that length may have to wait in memory for each peer. */
size_t mer_wire_medium(int t) {
    if (!mer_wire_beyond(t))
        return MER_AM_MEDIUM;
    size_t most = endpoint->packet_most - sizeof(struct packet_head) - sizeof(struct message_head) -
                  MER_AM_ARGS * sizeof(mer_u64);
    size_t fair = LONG_ALL / (size_t)mer_job.threads;
    fair = fair > LONG_MOST ? LONG_MOST : fair < MER_WIRE_LONG ? MER_WIRE_LONG : fair;
    return (most < fair ? most : fair) / 64 * 64;
}

/* ---- receiving ------------------------------------------------------------------------------------- */

static void give_back(int from, uint32_t cost) {
    peers[from].owed += cost;
    if (peers[from].owed >= GIVE_BACK)
        list(from);
}

/* Users' handlers find their payload aligned to 64; the packet aligns to 8. */
static void align_payload(struct mer_am_message *m, int handler) {
    static _Alignas(64) unsigned char aligned[MER_AM_MEDIUM]; /* under the lock, and handlers do not nest */
    if (handler < MER_AM_HANDLERS && (uintptr_t)m->payload % 64 && m->length <= sizeof aligned)
        m->payload = memcpy(aligned, m->payload, m->length);
}

/* landed: its payload is there already; else null. */
static void take_message(int from, const struct message_head *head, void *landed_payload) {
    const mer_u64 *args = (const void *)(head + 1), *behind = args + head->nargs;
    struct mer_am_message m = {
        .source = from, .nargs = head->nargs, .args = args, .request = (head->kind & REQUEST_BIT) != 0};
    uint32_t cost = cost_of(head, args);
    bool medium = size_of(head) == MER_AM_IS_MEDIUM;
    if (medium) {
        m.payload = landed_payload ? landed_payload : (void *)(uintptr_t)behind;
        m.length = head->length;
    } else if (size_of(head) == MER_AM_IS_LONG) {
        const struct landed *landed = (const void *)behind;
        m.payload = mer_at(landed->address);
        m.length = landed->extent;
    }
    if (mer_am_is_memory_handler(head->handler)) {
        mer_am_run_memory(&m, head->handler);
    } else if (mer_own_turn()) {
        if (medium)
            align_payload(&m, head->handler);
        mer_own_run(&m, head->handler);
    } else {
        mer_own_keep(&m, medium && !landed_payload, head->handler, cost);
        return;
    }
    ran++;
    give_back(from, cost);
}

static _Noreturn void garbled(int from, const char *what) {
    mer_fatal(
        "a packet from thread %d on host %s is not what this program's runtime sends: %s. Is the program "
        "on that host another one?",
        from, mer_host_name(from), what);
}

/* The first word of a long message says where it goes. */
static void *land(void *user, int from, const void *bytes, size_t have, size_t length, size_t *at) {
    const struct packet_head *packet = bytes;
    const struct message_head *head = (const void *)(packet + 1);
    (void)user;
    *at = sizeof *packet + sizeof *head;
    if (have < *at || packet->number != peers[from].taken_number || head->length < MER_WIRE_LONG ||
        head->nargs == 0 || head->nargs > MER_AM_ARGS || head->length % 8 != 0 ||
        sizeof *packet + bytes_of(head) != length)
        return NULL;
    *at += head->nargs * sizeof(mer_u64);
    if (have < *at)
        return NULL;
    return peers[from].landed = mer_at(*(const mer_u64 *)(const void *)(head + 1));
}

static void deliver(void *user, int from, const void *bytes, size_t length) {
    (void)user;
    const unsigned char *at = bytes, *end = at + length;
    const struct packet_head *packet = bytes;
    struct peer *p = &peers[from];
    if (length < sizeof *packet || packet->number != p->taken_number++)
        garbled(from, "its number is out of order");
    p->credit += packet->returned;
    at += sizeof *packet;
    while (at < end) {
        const struct message_head *head = (const void *)at;
        size_t left = (size_t)(end - at);
        size_t elsewhere = p->landed && left >= sizeof *head ? head->length : 0;
        if (left < sizeof *head || head->nargs > MER_AM_ARGS || left < bytes_of(head) - elsewhere)
            garbled(from, "a message is longer than its packet");
        if (head->handler == GOODBYE)
            p->goodbye = true;
        else
            take_message(from, head, p->landed);
        at += bytes_of(head) - elsewhere;
    }
    p->landed = NULL;
}

/* A put or a get is complete. */
static void done(void *context) { ran += mer_own_done(context); }

/* A lost peer has died, or its host has; the launcher knows the cause, and is given the time to tell it. */
static void lost(void *user, int peer, const char *cause) {
    (void)user;
    if (peers[peer].goodbye || stopping)
        return;
    struct timespec moment = {2, 0};
    nanosleep(&moment, NULL);
    mer_fatal("the connection to thread %d on host %s is lost: %s", peer, mer_host_name(peer), cause);
}

static _Noreturn void fail(const char *format, ...) {
    char text[512];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    mer_fatal("conduit %s: %s", conduit ? conduit->name : "", text);
}

/* ---- polling --------------------------------------------------------------------------------------- */

/* Send and receive; the lock is held.  What the conduit's poll says. */
static int turn(void) {
    push();
    ran = 0;
    int news = conduit->poll(endpoint);
    if (news > 0)
        push();
    return news;
}

static void handled_late(int source, uint32_t cost) {
    bool entered = enter();
    give_back(source, cost);
    leave(entered);
}

/* Acquire, partner: mer_wire_turn; what the handlers did is seen by who sees this. */
static int take_served(void) {
    return __atomic_load_n(&served, __ATOMIC_RELAXED) &&
           __atomic_exchange_n(&served, false, __ATOMIC_ACQUIRE);
}

int mer_wire_poll(void) {
    if (holding)
        return 0;
    /* Relaxed: the progress thread only asks whether it has changed lately. */
    __atomic_store_n(&mer_wire_polls, mer_wire_polls + 1, __ATOMIC_RELAXED);
    int handled = mer_own_run_kept(handled_late) + take_served();
    if (pthread_mutex_trylock(&lock) != 0)
        return handled;
    holding = true;
    turn();
    handled += ran;
    leave(true);
    return handled;
}

int mer_wire_turn(bool *idle) {
    bool entered = enter();
    progress_sleeps = false;
    int packets = turn();
    if (ran) { /* the thread may wait for what a memory handler has done: it is to look again */
        __atomic_store_n(&served, true, __ATOMIC_RELEASE);
        mer_own_wake();
    }
    *idle = packets == 0 && busy_count == 0 && conduit->may_sleep(endpoint);
    progress_sleeps = *idle;
    leave(entered);
    return packets;
}

/* ---- the network's own means ----------------------------------------------------------------------- */

/* Where in the owner's span bits lies, and n bytes behind it; false: not there. */
static bool offset_of(mer_u64 bits, int owner, size_t n, uint64_t *offset) {
    *offset = (bits & MER_ADDR_MASK) - (mer_u64)(uintptr_t)mer_view(owner, 0);
    return *offset < mer_job.span && n <= mer_job.span - *offset;
}

bool mer_wire_memory(int t) { return mer_wire_beyond(t) && conduit->get && conduit->put; }

/* Between n bytes here and the owner's.  The counter is raised first: the operation may be over at once. */
static bool transfer(bool put, void *here, mer_u64 bits, size_t n, int *counter) {
    int owner = (int)mer_procof(bits);
    uint64_t offset;
    if (!mer_wire_memory(owner) || !offset_of(bits, owner, n, &offset))
        return false;
    bool entered = enter();
    ++*counter;
    if (put)
        mer_own_writes(MER_AM_PUT);
    bool begun = put ? conduit->put(endpoint, owner, offset, here, n, counter)
                     : conduit->get(endpoint, here, owner, offset, n, counter);
    if (!begun)
        --*counter;
    leave(entered);
    return begun;
}

bool mer_wire_get(void *to, mer_u64 bits, size_t n, int *counter) {
    return transfer(false, to, bits, n, counter);
}

bool mer_wire_put(mer_u64 bits, const void *from, size_t n, int *counter) {
    return transfer(true, (void *)(uintptr_t)from, bits, n, counter);
}

/* ---- start and end --------------------------------------------------------------------------------- */

void mer_wire_start(const struct mer_boot *boot) {
    size_t threads = (size_t)mer_job.threads;
    mer_own_start();
    peers = calloc(threads, sizeof *peers);
    busy = calloc(threads, sizeof *busy);
    struct mer_conduit_address own = {0}, *all = calloc(threads, sizeof *all);
    if (!peers || !busy || !all)
        mer_fatal("no memory for %zu peers", threads);
    for (size_t t = 0; t < threads; t++)
        peers[t].credit = MER_WIRE_WINDOW;
    client = (struct mer_conduit_client){.thread = ME,
                                         .threads = mer_job.threads,
                                         .here_first = mer_job.here_first,
                                         .here = mer_job.here,
                                         .memory = mer_view(ME, 0),
                                         .memory_length = mer_job.span,
                                         .silence = (int)mer_setting(SILENCE),
                                         .deliver = deliver,
                                         .land = land,
                                         .done = done,
                                         .lost = lost,
                                         .fail = fail};
    conduit = mer_conduit_find(getenv("MERIDIAN_CONDUIT"));
    endpoint = conduit->open(&client, &own);
    boot->exchange(&own, sizeof own, all);
    conduit->connect(endpoint, all);
    free(all);
    mer_am_start();
    mer_wire_up = true;
    mer_progress_start(conduit->wait_fd(endpoint));
}

/* Tell all with whom there was talk that this is the end, so that a closed connection is no death. */
static void say_goodbye(void) {
    static const struct mer_am_body nothing = {.size = MER_AM_IS_SHORT};
    struct message_head head = {.handler = GOODBYE};
    for (int t = 0; t < mer_job.threads; t++)
        if (mer_wire_beyond(t) && (peers[t].sent_number || peers[t].taken_number || peers[t].open))
            append(t, &head, &nothing, NULL);
}

void mer_wire_stop(void) {
    if (!mer_wire_up)
        return;
    mer_progress_stop();
    enter();
    progress_sleeps = false; /* nobody is there to be woken */
    stopping = true;
    say_goodbye();
    struct mer_patience patience = {0};
    for (turn(); busy_count; turn())
        mer_patience_turn(&patience);
    conduit->close(endpoint);
    mer_wire_up = false;
    leave(true);
}

void mer_wire_linger(void) {
    enum { TURNS = 100 };
    stopping = true;
    for (int i = 0; mer_wire_up && !holding && i < TURNS; i++) {
        struct timespec moment = {0, 1000000};
        mer_wire_poll();
        nanosleep(&moment, NULL);
    }
}
