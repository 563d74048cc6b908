/* Two ends of the transport in one process, over a conduit that is two queues: the ends share no state,
 * nothing is lost or out of order whichever packets the conduit refuses, the window holds, and the progress
 * thread serves. Built without the rest of the library, so that the thread sanitizer can watch it.
 */
#include "job.h"

#include "base/wrap.h"
#include "transport/transport.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#define CAPACITY 3 /* packets that a queue takes */
#define PACKET (24U << 10)

/* ---- the conduit ------------------------------------------------------------------------------------- */

struct queued {
    struct queued *next;
    size_t length;
    _Alignas(8) unsigned char bytes[];
};

struct endpoint {
    struct mer_conduit_endpoint end;
    pthread_mutex_t lock;
    struct queued *first, **last; /* packets sent to it */
    int count;
    int descriptor; /* readable when there is something to do */
};

static struct endpoint *endpoints[2];
static bool refuses; /* every third packet, even if there is capacity, as a conduit may */

static void ring_bell(struct endpoint *e) {
    uint64_t one = 1;
    CHECK(write(e->descriptor, &one, sizeof one) == sizeof one);
}

static struct mer_conduit_endpoint *open_endpoint(const struct mer_conduit_client *client,
                                                  struct mer_conduit_address *own) {
    struct endpoint *e = calloc(1, sizeof *e);
    CHECK(e);
    extern const struct mer_conduit queues;
    e->end = (struct mer_conduit_endpoint){.conduit = &queues, .client = client, .packet_most = PACKET};
    pthread_mutex_init(&e->lock, NULL);
    e->last = &e->first;
    e->descriptor = eventfd(0, EFD_NONBLOCK);
    CHECK(e->descriptor >= 0);
    own->length = 1;
    endpoints[client->thread] = e;
    return &e->end;
}

static void connect_endpoint(struct mer_conduit_endpoint *end, const struct mer_conduit_address *addresses) {
    CHECK(addresses[1 - end->client->thread].length == 1);
}

static bool send_packet(struct mer_conduit_endpoint *end, int to, const struct iovec *parts, int nparts) {
    struct endpoint *e = endpoints[to];
    size_t length = 0, at = 0;
    CHECK(to == 1 - end->client->thread);
    for (int i = 0; i < nparts; i++)
        length += parts[i].iov_len;
    CHECK(length <= PACKET);
    static unsigned asked;
    if (refuses && ++asked % 3 == 0)
        return false;
    pthread_mutex_lock(&e->lock);
    bool taken = e->count < CAPACITY;
    if (taken) {
        struct queued *q = aligned_alloc(64, (sizeof *q + length + 63) / 64 * 64);
        CHECK(q);
        q->next = NULL;
        q->length = length;
        for (int i = 0; i < nparts; at += parts[i++].iov_len)
            memcpy(q->bytes + at, parts[i].iov_base, parts[i].iov_len);
        *e->last = q;
        e->last = &q->next;
        e->count++;
        ring_bell(e);
    }
    pthread_mutex_unlock(&e->lock);
    return taken;
}

static struct queued *take(struct endpoint *e) {
    pthread_mutex_lock(&e->lock);
    struct queued *q = e->first;
    if (q) {
        e->first = q->next;
        if (!e->first)
            e->last = &e->first;
        e->count--;
    }
    pthread_mutex_unlock(&e->lock);
    return q;
}

static int poll_packets(struct mer_conduit_endpoint *end) {
    struct endpoint *e = (struct endpoint *)end;
    const struct mer_conduit_client *client = end->client;
    uint64_t rung;
    int news = 0, peer = 1 - client->thread;
    if (read(e->descriptor, &rung, sizeof rung) < 0)
        rung = 0;
    for (struct queued *q; (q = take(e)); news++) {
        size_t at, length = q->length;
        struct iovec parts[MER_CONDUIT_PARTS];
        int nparts = client->land(client->user, peer, q->bytes, length < 256 ? length : 256, length, &at,
                                  parts);
        if (nparts) {
            const unsigned char *from = q->bytes + at;
            for (int i = 0; i < nparts; from += parts[i++].iov_len)
                memcpy(parts[i].iov_base, from, parts[i].iov_len);
            CHECK(from == q->bytes + length);
            length = at;
        }
        client->deliver(client->user, peer, q->bytes, length);
        free(q);
    }
    if (news && endpoints[peer])
        ring_bell(endpoints[peer]); /* there is capacity again */
    return news;
}

static int wait_fd(struct mer_conduit_endpoint *end) { return ((struct endpoint *)end)->descriptor; }

static bool may_sleep(struct mer_conduit_endpoint *end) {
    (void)end;
    return true;
}

static void close_endpoint(struct mer_conduit_endpoint *end) { (void)end; }

const struct mer_conduit queues = {.abi = MER_CONDUIT_ABI,
                                   .name = "queues",
                                   .open = open_endpoint,
                                   .connect = connect_endpoint,
                                   .send = send_packet,
                                   .poll = poll_packets,
                                   .wait_fd = wait_fd,
                                   .may_sleep = may_sleep,
                                   .close = close_endpoint};

/* ---- two ends ---------------------------------------------------------------------------------------- */

enum { REQUEST = 3, REPLY = 4, GET = MER_AM_HANDLERS + 1, GOT, WRITE, SPREAD, PAIRS, ASKING_PAIRS, NUMBER };

#define LONGEST (64U << 10)

static struct side {
    struct mer_transport *end;
    struct mer_conduit_address address;
    struct mer_handlers handlers;
    uint64_t asked, answered, requests, replies; /* asked, answered: the next number; how many came */
    mer_u64 cell;                                /* that the other one gets */
    mer_u64 got;
    int waiting;
    unsigned polls_while_waiting;
    unsigned char area[LONGEST];
} sides[2];

static struct side *receiver_of(const struct mer_am_message *m) { return &sides[1 - m->source]; }

static void reply(const struct mer_am_message *m, int handler, const mer_u64 *args, int nargs) {
    static const struct mer_am_body nothing = {.size = MER_AM_IS_SHORT};
    mer_transport_send(receiver_of(m)->end, m->source, MER_AM_REPLIES, handler, &nothing, args, nargs);
}

/* words: number; payload: bytes of that number */
static void on_request(struct mer_am_message *m) {
    struct side *side = receiver_of(m);
    CHECK(m->request && m->args[0] == side->requests++);
    const unsigned char *bytes = m->payload;
    for (size_t i = 0; i < m->length; i++)
        CHECK(bytes[i] == (unsigned char)(m->args[0] + i));
    CHECK((uintptr_t)bytes % 64 == 0);
    reply(m, REPLY, m->args, 1);
}

static void on_reply(struct mer_am_message *m) {
    struct side *side = receiver_of(m);
    CHECK(!m->request && m->args[0] == side->replies++);
}

static void on_get(struct mer_am_message *m) {
    mer_u64 value = __atomic_load_n(&receiver_of(m)->cell, __ATOMIC_RELAXED);
    reply(m, GOT, &value, 1);
}

static void on_got(struct mer_am_message *m) {
    receiver_of(m)->got = m->args[0];
    receiver_of(m)->waiting--;
}

/* words: where the payload goes, number */
static void on_write(struct mer_am_message *m) {
    struct side *side = receiver_of(m);
    unsigned char *to = (unsigned char *)(uintptr_t)m->args[0];
    CHECK(to == side->area);
    if (m->payload != to)
        memcpy(to, m->payload, m->length);
    for (size_t i = 0; i < m->length; i++)
        CHECK(to[i] == (unsigned char)(m->args[1] + i));
    reply(m, GOT, &m->args[1], 1);
}

/* words: bytes of each part, number; payload: offsets of the parts in the area, then the parts, which have
 * landed if nothing follows the offsets */
enum { SPREAD_PARTS = 16, SPREAD_KEPT = SPREAD_PARTS / 4 * sizeof(mer_u64) };
static unsigned spread_landed, spread_copied;

static const uint16_t *offsets_of(const void *payload) { return payload; }

static int spread_places(const mer_u64 *args, const void *payload, size_t have, size_t length, size_t *kept,
                         struct iovec *parts) {
    CHECK(length == SPREAD_KEPT + SPREAD_PARTS * args[0]);
    *kept = SPREAD_KEPT;
    for (int i = 0; have >= SPREAD_KEPT && i < SPREAD_PARTS; i++)
        parts[i] = (struct iovec){sides[1].area + offsets_of(payload)[i], args[0]};
    return have >= SPREAD_KEPT ? SPREAD_PARTS : 0;
}

static void on_spread(struct mer_am_message *m) {
    struct side *side = receiver_of(m);
    const unsigned char *bytes = (unsigned char *)m->payload + SPREAD_KEPT;
    CHECK(m->args[1] == side->requests++);
    CHECK(m->length == SPREAD_KEPT || m->length == SPREAD_KEPT + SPREAD_PARTS * m->args[0]);
    spread_landed += m->length == SPREAD_KEPT;
    spread_copied += m->length > SPREAD_KEPT;
    for (int i = 0; i < SPREAD_PARTS; i++) {
        unsigned char *to = side->area + offsets_of(m->payload)[i];
        if (m->length > SPREAD_KEPT)
            memcpy(to, bytes + (size_t)i * m->args[0], m->args[0]);
        for (size_t at = 0; at < m->args[0]; at++)
            CHECK(to[at] == (unsigned char)(m->args[1] + (mer_u64)i + at));
    }
    reply(m, GOT, &m->args[1], 1);
}

static void on_ordered_write(struct mer_am_message *m) {
    CHECK(m->args[1] == receiver_of(m)->requests++);
    on_write(m);
}

/* Polls the other end while a request waits. */
static int poll_both(void *user) {
    struct side *side = user;
    side->polls_while_waiting++;
    int handled = mer_transport_poll(sides[0].end);
    return handled + mer_transport_poll(sides[1].end);
}

static int poll_own(void *user) { return mer_transport_poll(((struct side *)user)->end); }

static void open_side(int me, int (*poll)(void *)) {
    struct side *side = &sides[me];
    *side = (struct side){.cell = 0};
    side->handlers.at[REQUEST].run = on_request;
    side->handlers.at[REPLY].run = on_reply;
    side->handlers.at[GET] = (struct mer_handler){on_get, MER_HANDLER_MEMORY | MER_HANDLER_READS, NULL};
    side->handlers.at[GOT] = (struct mer_handler){on_got, MER_HANDLER_READS, NULL};
    side->handlers.at[WRITE] = (struct mer_handler){on_write, MER_HANDLER_MEMORY, NULL};
    side->handlers.at[SPREAD] = (struct mer_handler){on_spread, MER_HANDLER_MEMORY, spread_places};
    struct mer_transport_config config = {.thread = me,
                                          .threads = 2,
                                          .here_first = me,
                                          .here = 1,
                                          .conduit = &queues,
                                          .handlers = &side->handlers,
                                          .poll = poll,
                                          .user = side};
    side->end = mer_transport_open(&config, &side->address);
}

static void connect_side(int me) {
    mer_transport_connect(sides[me].end, (struct mer_conduit_address[]){sides[0].address, sides[1].address});
}

static void close_queues(void) {
    for (int t = 0; t < 2; t++) {
        for (struct queued *q; (q = take(endpoints[t]));)
            free(q);
        close(endpoints[t]->descriptor);
        free(endpoints[t]);
        endpoints[t] = NULL;
    }
}

static void send(int from, int handler, const void *payload, size_t length, const mer_u64 *args, int nargs) {
    struct mer_am_body body = {
        .size = payload ? MER_AM_IS_MEDIUM : MER_AM_IS_SHORT, .payload = payload, .length = length};
    mer_transport_send(sides[from].end, 1 - from, MER_AM_REQUESTS, handler, &body, args, nargs);
}

/* ---- checks ------------------------------------------------------------------------------------------ */

/* Requests of random length in both directions, polled at random. */
static void in_order(void) {
    enum { MESSAGES = 4000 };
    static unsigned char bytes[MER_AM_MEDIUM];
    unsigned seed = 5;
    open_side(0, poll_both);
    open_side(1, poll_both);
    connect_side(0);
    connect_side(1);
    while (sides[0].replies < MESSAGES || sides[1].replies < MESSAGES) {
        seed = seed * 1103515245u + 12345u;
        int me = seed >> 16 & 1;
        struct side *side = &sides[me];
        if ((seed >> 17) % 8 == 0 || side->asked == MESSAGES) {
            mer_transport_poll(side->end);
            continue;
        }
        size_t length = (seed >> 20) % 3 ? (seed >> 20) % 100 : (seed >> 18) % sizeof bytes;
        for (size_t i = 0; i < length; i++)
            bytes[i] = (unsigned char)(side->asked + i);
        send(me, REQUEST, bytes, length, (mer_u64[]){side->asked++}, 1);
    }
    CHECK(sides[0].requests == MESSAGES && sides[1].requests == MESSAGES);
    mer_transport_close(sides[0].end);
    mer_transport_close(sides[1].end);
    close_queues();
}

/* Short and long requests, which memory handlers take, in turn: requests sent from where they lie wait for
 * collected ones, even if the conduit has refused a packet and takes the next. */
static void long_in_order(void) {
    enum { MESSAGES = 600 };
    static unsigned char bytes[20000];
    unsigned seed = 9;
    open_side(0, poll_both);
    open_side(1, poll_both);
    connect_side(0);
    connect_side(1);
    sides[1].handlers.at[WRITE].run = on_ordered_write;
    refuses = true;
    for (mer_u64 number = 0; number < MESSAGES; number++) {
        seed = seed * 1103515245u + 12345u;
        size_t length = (seed >> 16) % 4 ? (seed >> 18) % 3000 / 8 * 8 + 8 : sizeof bytes;
        for (size_t i = 0; i < length; i++)
            bytes[i] = (unsigned char)(number + i);
        send(0, WRITE, bytes, length, (mer_u64[]){(mer_u64)(uintptr_t)sides[1].area, number}, 2);
        sides[0].waiting++;
        if ((seed >> 20) % 4 == 0)
            mer_transport_poll(sides[seed >> 22 & 1].end);
    }
    while (sides[0].waiting)
        poll_both(&sides[0]);
    CHECK(sides[1].requests == MESSAGES);
    mer_transport_close(sides[0].end);
    mer_transport_close(sides[1].end);
    close_queues();
    refuses = false;
}

/* Payloads that are sent in parts, of any length, and land in parts if they are long. */
static void spread(void) {
    enum { MESSAGES = 300, MOST = 1400 };
    static unsigned char bytes[SPREAD_PARTS][MOST];
    unsigned seed = 3;
    open_side(0, poll_both);
    open_side(1, poll_both);
    connect_side(0);
    connect_side(1);
    refuses = true;
    for (mer_u64 number = 0; number < MESSAGES; number++) {
        seed = seed * 1103515245u + 12345u;
        size_t length = 1 + (seed >> 16) % MOST;
        uint16_t offsets[SPREAD_PARTS];
        struct iovec parts[SPREAD_PARTS + 1] = {{offsets, sizeof offsets}};
        struct mer_am_body body = {.size = MER_AM_IS_MEDIUM,
                                   .parts = parts,
                                   .nparts = SPREAD_PARTS + 1,
                                   .length = sizeof offsets + SPREAD_PARTS * length};
        for (int i = 0; i < SPREAD_PARTS; i++) {
            offsets[i] = (uint16_t)((SPREAD_PARTS - 1 - i) * (MOST + 100));
            parts[i + 1] = (struct iovec){bytes[i], length};
            for (size_t at = 0; at < length; at++)
                bytes[i][at] = (unsigned char)(number + (mer_u64)i + at);
        }
        mer_transport_send(sides[0].end, 1, MER_AM_REQUESTS, SPREAD, &body, (mer_u64[]){length, number}, 2);
        sides[0].waiting++;
        if ((seed >> 20) % 4 == 0)
            mer_transport_poll(sides[seed >> 22 & 1].end);
    }
    while (sides[0].waiting)
        poll_both(&sides[0]);
    CHECK(sides[1].requests == MESSAGES && spread_landed > 0 && spread_copied > 0);
    mer_transport_close(sides[0].end);
    mer_transport_close(sides[1].end);
    close_queues();
    refuses = false;
}

/* words: struct mer_asked, with the numbers; payload: their complements */
static void on_asking_pairs(struct mer_am_message *m) {
    struct side *side = receiver_of(m);
    struct mer_asked *asked = (void *)(uintptr_t)m->args[0];
    const mer_u64 *second = m->payload;
    CHECK(m->nargs == 4 && m->args[3] == m->length && m->length < MER_TRANSPORT_LONG);
    CHECK(asked->counter == &sides[0].waiting && asked->count > 0 &&
          m->length == asked->count * sizeof *second);
    for (size_t i = 0; i < asked->count; i++)
        CHECK(asked->first[i] == side->requests++ && second[i] == ~asked->first[i]);
    free(asked);
    side->answered++;
}

/* pairs: number, and its complement */
static void on_pairs(struct mer_am_message *m) {
    struct side *side = receiver_of(m);
    const mer_u64 *pair = m->payload;
    CHECK(m->length % 16 == 0 && m->length > 0 && m->length < MER_TRANSPORT_LONG && m->nargs == 0);
    for (size_t i = 0; i < m->length / sizeof *pair; i += 2)
        CHECK(pair[i] == side->requests++ && pair[i + 1] == ~pair[i]);
    side->answered++;
}

/* words: number */
static void on_number(struct mer_am_message *m) { CHECK(m->args[0] == receiver_of(m)->requests++); }

/* Pairs for two handlers and other requests in a random order: all come in that order, and adjacent pairs
 * come together. The window gets back as much as was taken from it: else it would be used up. */
static void pairs_in_order(void) {
    enum { MESSAGES = 100000 };
    unsigned seed = 3;
    int handler = PAIRS;
    open_side(0, poll_both);
    open_side(1, poll_both);
    connect_side(0);
    connect_side(1);
    sides[1].handlers.at[PAIRS] = (struct mer_handler){on_pairs, MER_HANDLER_MEMORY, NULL};
    sides[1].handlers.at[ASKING_PAIRS] = (struct mer_handler){
        on_asking_pairs, MER_HANDLER_MEMORY | MER_HANDLER_LENGTH_WORD, NULL};
    sides[0].handlers.at[ASKING_PAIRS] =
        sides[1].handlers.at[ASKING_PAIRS]; /* takes as much of the window as it gives back */
    sides[1].handlers.at[NUMBER] = (struct mer_handler){on_number, MER_HANDLER_MEMORY, NULL};
    refuses = true;
    for (mer_u64 number = 0; number < MESSAGES; number++) {
        seed = seed * 1103515245u + 12345u;
        if ((seed >> 16) % 64 == 0)
            handler = PAIRS + (int)((seed >> 22) % 3);
        if (handler == NUMBER)
            send(0, NUMBER, NULL, 0, &number, 1);
        else
            mer_transport_send_pair(sides[0].end, 1, handler, number, ~number,
                                    handler == PAIRS ? NULL : &sides[0].waiting);
        if ((seed >> 16) % 1024 == 1)
            mer_transport_poll(sides[seed >> 26 & 1].end);
    }
    while (sides[1].requests < MESSAGES)
        poll_both(&sides[0]);
    CHECK(sides[1].answered < MESSAGES / 20);
    mer_transport_close(sides[0].end);
    mer_transport_close(sides[1].end);
    close_queues();
    refuses = false;
}

/* A sender whose peer handles nothing stops at the window, and goes on when the peer handles them, in every
 * round: the window gets back as much as was taken from it. */
static void within_window(void) {
    enum { ROUNDS = 20 };
    static const unsigned char bytes[1024];
    open_side(0, poll_both);
    open_side(1, poll_both);
    connect_side(0);
    connect_side(1);
    sides[1].handlers.at[WRITE].run = on_get;
    for (int round = 0; round < ROUNDS; round++) {
        size_t sent = 0;
        sides[0].polls_while_waiting = 0;
        while (sides[0].polls_while_waiting == 0) {
            send(0, WRITE, bytes, sizeof bytes, (mer_u64[]){0}, 1);
            sides[0].waiting++;
            if (sides[0].polls_while_waiting == 0)
                sent += sizeof bytes;
            CHECK(sent <= MER_TRANSPORT_WINDOW);
        }
        CHECK(sent > MER_TRANSPORT_WINDOW / 2);
        while (sides[0].waiting)
            poll_both(&sides[0]);
    }
    mer_transport_close(sides[0].end);
    mer_transport_close(sides[1].end);
    close_queues();
}

/* Only the end that writes has written; a read does not count as a write. */
static void state_apart(void) {
    open_side(0, poll_both);
    open_side(1, poll_both);
    connect_side(0);
    connect_side(1);
    sides[1].cell = 77;
    send(0, GET, NULL, 0, (mer_u64[]){0}, 1);
    for (sides[0].waiting = 1; sides[0].waiting;)
        poll_both(&sides[0]);
    CHECK(sides[0].got == 77 && sides[1].got == 0);
    CHECK(!mer_transport_wrote(sides[0].end) && !mer_transport_wrote(sides[1].end));
    static unsigned char bytes[20000];
    for (mer_u64 number = 1; number < 20; number++) {
        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = (unsigned char)(number + i);
        send(0, WRITE, bytes, sizeof bytes, (mer_u64[]){(mer_u64)(uintptr_t)sides[1].area, number}, 2);
        for (sides[0].waiting = 1; sides[0].waiting;)
            poll_both(&sides[0]);
        CHECK(sides[0].got == number && memcmp(sides[1].area, bytes, sizeof bytes) == 0);
    }
    CHECK(mer_transport_wrote(sides[0].end) && !mer_transport_wrote(sides[0].end));
    CHECK(!mer_transport_wrote(sides[1].end));
    sides[1].handlers.at[PAIRS] = (struct mer_handler){on_pairs, MER_HANDLER_MEMORY, NULL};
    sides[1].requests = 0, sides[1].answered = 0;
    for (mer_u64 number = 0; number < 9; number += 3) { /* pairs of one row, before and after the question */
        struct mer_rows *rows = mer_transport_rows(sides[0].end);
        mer_transport_send_pair(sides[0].end, 1, PAIRS, number, ~number, NULL);
        CHECK(mer_rows_add(rows, 1, PAIRS, number + 1, ~(number + 1), NULL));
        CHECK(!mer_rows_add(rows, 1, NUMBER, 0, 0, NULL) && !mer_rows_add(rows, 0, PAIRS, 0, 0, NULL));
        CHECK(mer_transport_wrote(sides[0].end) && !mer_transport_wrote(sides[0].end));
        CHECK(!mer_rows_add(rows, 1, PAIRS, 0, 0, NULL));
        mer_transport_send_pair(sides[0].end, 1, PAIRS, number + 2, ~(number + 2), NULL);
        CHECK(mer_transport_wrote(sides[0].end));
    }
    while (sides[1].requests < 9)
        poll_both(&sides[0]);
    CHECK(!mer_transport_wrote(sides[0].end) && sides[1].answered == 1);
    mer_transport_close(sides[0].end);
    mer_transport_close(sides[1].end);
    close_queues();
}

/* ---- while the other one computes -------------------------------------------------------------------- */

static uint32_t opened, asked_enough; /* atomic */

static uint64_t pairs_come; /* atomic */

static void on_counted_pairs(struct mer_am_message *m) {
    __atomic_fetch_add(&pairs_come, m->length / 16, __ATOMIC_RELEASE);
}

static void *computes(void *unused) {
    (void)unused;
    open_side(1, poll_own);
    __atomic_store_n(&opened, 1, __ATOMIC_RELEASE);
    while (__atomic_load_n(&opened, __ATOMIC_ACQUIRE) < 2)
        nanosleep(&(struct timespec){0, 100000}, NULL);
    connect_side(1);
    sides[1].handlers.at[PAIRS] = (struct mer_handler){on_counted_pairs, MER_HANDLER_MEMORY, NULL};
    mer_transport_start_progress(sides[1].end);
    __atomic_store_n(&opened, 3, __ATOMIC_RELEASE);
    while (!__atomic_load_n(&asked_enough, __ATOMIC_ACQUIRE)) {
        __atomic_fetch_add(&sides[1].cell, 1, __ATOMIC_RELAXED);
        nanosleep(&(struct timespec){0, 20000}, NULL);
    }
    mer_transport_close(sides[1].end);
    return NULL;
}

/* A thread that adds pairs, one or some, and never polls: the progress thread sends them, asleep or not. */
static void pairs_without_polls(void) {
    mer_u64 sent = 0;
    for (int i = 0; i < 100; i++) {
        for (int k = 0; k < 1 + i % 3; k++)
            mer_transport_send_pair(sides[0].end, 1, PAIRS, ++sent, 0, NULL);
        for (int turn = 0; __atomic_load_n(&pairs_come, __ATOMIC_ACQUIRE) < sent; turn++) {
            CHECK(turn < 100000);
            nanosleep(&(struct timespec){0, 100000}, NULL);
        }
        nanosleep(&(struct timespec){0, i % 5 * 300000}, NULL);
    }
}

#define TWO 2000

static void *adds_too(void *unused) {
    for (mer_u64 i = 0; i < TWO; i++)
        mer_transport_send_pair(sides[0].end, 1, PAIRS, i, 0, NULL);
    return unused;
}

/* Pairs of two POSIX threads at once: none is lost. */
static void pairs_of_two(void) {
    pthread_t other;
    uint64_t before = __atomic_load_n(&pairs_come, __ATOMIC_ACQUIRE);
    CHECK(pthread_create(&other, NULL, adds_too, NULL) == 0);
    adds_too(NULL);
    CHECK(pthread_join(other, NULL) == 0);
    for (int turn = 0; __atomic_load_n(&pairs_come, __ATOMIC_ACQUIRE) < before + 2 * TWO; turn++) {
        CHECK(turn < 100000);
        nanosleep(&(struct timespec){0, 100000}, NULL);
    }
}

static void progress(void) {
    pthread_t other;
    opened = asked_enough = 0;
    pairs_come = 0;
    CHECK(pthread_create(&other, NULL, computes, NULL) == 0);
    while (__atomic_load_n(&opened, __ATOMIC_ACQUIRE) < 1)
        nanosleep(&(struct timespec){0, 100000}, NULL);
    open_side(0, poll_own);
    __atomic_store_n(&opened, 2, __ATOMIC_RELEASE);
    while (__atomic_load_n(&opened, __ATOMIC_ACQUIRE) < 3)
        nanosleep(&(struct timespec){0, 100000}, NULL);
    connect_side(0);
    mer_transport_start_progress(sides[0].end);
    for (int i = 0; i < 300; i++) {
        mer_u64 before = sides[0].got;
        send(0, GET, NULL, 0, (mer_u64[]){0}, 1);
        for (sides[0].waiting = 1; sides[0].waiting;)
            if (!mer_transport_poll(sides[0].end))
                nanosleep(&(struct timespec){0, 1000}, NULL);
        CHECK(sides[0].got >= before);
    }
    pairs_without_polls();
    pairs_of_two();
    __atomic_store_n(&asked_enough, 1, __ATOMIC_RELEASE);
    mer_transport_close(sides[0].end);
    CHECK(pthread_join(other, NULL) == 0);
    close_queues();
}

/* With more threads than cores fewer messages wake the progress thread. */
int main(void) {
    for (int crowded = 0; crowded < 2; crowded++) {
        mer_wrap_start = crowded ? 0 : -50U;
        mer_here.oversubscribed = crowded;
        in_order();
        long_in_order();
        spread();
        pairs_in_order();
        within_window();
        state_apart();
        progress();
    }
    return 0;
}
