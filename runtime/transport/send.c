/* Packets on their way out: filling them, and the window (transport.h). */
#include "transport/end.h"

#include "base/fatal.h"
#include "base/wait.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(MER_AM_PARTS + 2 <= MER_CONDUIT_PARTS, "a payload in parts is one packet");

struct mer_packet {
    struct mer_packet *next;
    size_t length, capacity;
    _Alignas(8) unsigned char bytes[];
};

/* ---- the window ------------------------------------------------------------------------------------ */

/* Returns the bytes of the window for a payload; long payloads are for memory handlers, and never
 * deferred. */
static size_t charge_of(size_t payload) { return payload < MER_TRANSPORT_LONG ? payload : payload / 16; }

/* A reply takes nothing from the window.  A request takes its bytes, and those of the reply that it asks for.
 * The length of a reply to the program's handlers is not known: a quarter of the longest is counted, so that
 * at most four windows of replies to a peer wait to leave. */
uint32_t mer_transport_cost(const struct mer_transport *end, const struct mer_message_head *head,
                            const mer_u64 *args) {
    if (!(head->kind & MER_REQUEST_BIT))
        return 0;
    size_t reply = 0;
    if (head->handler < MER_AM_HANDLERS)
        reply = MER_AM_MEDIUM / 4;
    else if (mer_handler_kind(end->config.handlers, head->handler) & MER_HANDLER_LENGTH_WORD)
        reply = charge_of(args[3]);
    return (uint32_t)(mer_bytes_of(head) - head->length + charge_of(head->length) + reply);
}

void mer_transport_wake_progress(struct mer_transport *end) {
    if (!__atomic_load_n(&end->rows.asleep, __ATOMIC_RELAXED))
        return;
    __atomic_store_n(&end->rows.asleep, false, __ATOMIC_RELAXED);
    mer_progress_alarm(&end->progress);
}

static void list(struct mer_transport *end, int to) {
    if (end->peers[to].listed)
        return;
    end->peers[to].listed = true;
    end->busy[end->busy_count++] = to;
    if (!end->pushes)
        mer_transport_wake_progress(end);
}

void mer_transport_give_back(struct mer_transport *end, int from, uint32_t cost) {
    end->peers[from].owed += cost;
    if (end->peers[from].owed >= MER_TRANSPORT_GIVE_BACK)
        list(end, from);
}

/* ---- packets --------------------------------------------------------------------------------------- */

/* Returns the packet to a peer that is being filled, if so many bytes can fit into it, else an empty packet
 * for them. */
static struct mer_packet *opened(const struct mer_transport *end, struct mer_peer *p, size_t bytes) {
    size_t capacity = sizeof(struct mer_packet_head) + bytes;
    if (p->open && p->open->capacity < capacity && p->open->length == sizeof(struct mer_packet_head)) {
        free(p->open);
        p->open = NULL;
    }
    if (!p->open) {
        capacity = capacity < end->packet_most ? end->packet_most : capacity;
        p->open = mer_message_allocate(sizeof *p->open + capacity);
        *p->open = (struct mer_packet){.length = sizeof(struct mer_packet_head), .capacity = capacity};
    }
    return p->open;
}

static bool conduit_send(struct mer_transport *end, int to, const struct iovec *parts, int nparts) {
    return end->config.conduit->send(end->endpoint, to, parts, nparts);
}

/* Hand a closed packet to the conduit.  Returns false if it has no capacity. */
static bool hand_over(struct mer_transport *end, int to, struct mer_packet *packet) {
    return conduit_send(end, to, &(struct iovec){packet->bytes, packet->length}, 1);
}

/* Close the packet that is being filled, and hand it to the conduit or queue it. */
static void close_packet(struct mer_transport *end, int to) {
    struct mer_peer *p = &end->peers[to];
    struct mer_packet *packet = opened(end, p, 0);
    struct mer_packet_head *head = (struct mer_packet_head *)packet->bytes;
    *head = (struct mer_packet_head){.returned = p->owed, .number = p->sent_number++};
    p->met = true;
    p->owed = 0;
    if (!p->first && hand_over(end, to, packet)) {
        packet->length = sizeof(struct mer_packet_head);
        return;
    }
    p->open = NULL;
    if (p->first)
        p->last->next = packet;
    else
        p->first = packet;
    p->last = packet;
}

static bool worth_sending(const struct mer_peer *p) {
    return (p->open && p->open->length > sizeof(struct mer_packet_head)) ||
           p->owed >= MER_TRANSPORT_GIVE_BACK;
}

static void push_peer(struct mer_transport *end, int to) {
    struct mer_peer *p = &end->peers[to];
    while (p->first && hand_over(end, to, p->first)) {
        struct mer_packet *sent = p->first;
        p->first = sent->next;
        free(sent);
    }
    if (!p->first && worth_sending(p))
        close_packet(end, to);
}

void mer_transport_push(struct mer_transport *end) {
    int kept = 0;
    mer_rows_take_all(end);
    for (int i = 0; i < end->busy_count; i++) {
        int to = end->busy[i];
        push_peer(end, to);
        if (end->peers[to].first || worth_sending(&end->peers[to]))
            end->busy[kept++] = to;
        else
            end->peers[to].listed = false;
    }
    end->busy_count = kept;
}

/* Leave packets for which the conduit had no capacity to the progress thread. */
void mer_transport_pushed(struct mer_transport *end) {
    end->pushes = false;
    if (end->busy_count)
        mer_transport_wake_progress(end);
}

void mer_transport_drop(struct mer_transport *end) {
    for (int t = 0; t < end->config.threads; t++) {
        struct mer_peer *p = &end->peers[t];
        free(p->open);
        while (p->first) {
            struct mer_packet *packet = p->first;
            p->first = packet->next;
            free(packet);
        }
    }
}

static void copy_payload(unsigned char *to, const struct mer_am_body *body) {
    const struct iovec whole = {(void *)(uintptr_t)body->payload, body->length};
    const struct iovec *part = body->parts ? body->parts : &whole,
                       *end = part + (body->parts ? body->nparts : 1);
    for (; part < end; to += part++->iov_len)
        memcpy(to, part->iov_base, part->iov_len);
}

void mer_transport_append(struct mer_transport *end, int to, const struct mer_message_head *head,
                          const struct mer_am_body *body, const mer_u64 *args) {
    struct mer_peer *p = &end->peers[to];
    size_t words = head->nargs * sizeof(mer_u64), bytes = mer_bytes_of(head);
    size_t length = opened(end, p, bytes)->length;
    if (length > sizeof(struct mer_packet_head) && length + bytes > end->packet_most)
        close_packet(end, to);
    struct mer_packet *packet = opened(end, p, bytes);
    unsigned char *at = packet->bytes + packet->length;
    memcpy(at, head, sizeof *head);
    at += sizeof *head;
    if (words)
        memcpy(at, args, words);
    at += words;
    if (mer_size_of(head) == MER_AM_IS_LONG)
        *(struct mer_landed *)(void *)at = (struct mer_landed){body->address, body->length};
    else if (head->length)
        copy_payload(at, body);
    packet->length += bytes;
    list(end, to);
}

/* ---- waiting --------------------------------------------------------------------------------------- */

/* Wait for one turn until a request can be sent.  Releases the lock meanwhile. */
static void wait_turn(struct mer_transport *end, struct mer_backoff *backoff) {
    mer_transport_leave(end, true);
    if (end->config.poll(end->config.user) <= 0)
        mer_backoff_turn(backoff);
    mer_transport_enter(end);
}

/* Wait until a request of this cost may be sent, after the pairs for that thread. */
static void wait_for_credit(struct mer_transport *end, int to, uint32_t cost) {
    struct mer_backoff backoff = {0};
    while (!mer_rows_take(end, to))
        wait_turn(end, &backoff);
    while (end->peers[to].credit < cost)
        wait_turn(end, &backoff);
}

/* ---- messages -------------------------------------------------------------------------------------- */

/* Send a message in a packet of its own, with its payload directly from its memory, after all earlier
 * messages.  Returns false if the conduit has no capacity now. */
static bool send_long(struct mer_transport *end, int to, const struct mer_message_head *head,
                      const struct mer_am_body *body, const mer_u64 *args) {
    static const unsigned char zeros[8];
    struct {
        struct mer_packet_head packet;
        struct mer_message_head message;
        mer_u64 args[MER_AM_ARGS];
    } lead = {.message = *head};
    struct mer_peer *p = &end->peers[to];
    push_peer(end, to);
    if (p->first || worth_sending(p))
        return false;
    lead.packet = (struct mer_packet_head){.returned = p->owed, .number = p->sent_number};
    memcpy(lead.args, args, head->nargs * sizeof *args);
    struct iovec parts[MER_AM_PARTS + 2] = {
        {&lead, offsetof(typeof(lead), args) + head->nargs * sizeof *args},
        {(void *)(uintptr_t)body->payload, head->length}};
    int nparts = body->parts ? body->nparts : 1;
    if (body->parts)
        memcpy(parts + 1, body->parts, (size_t)nparts * sizeof *parts);
    parts[nparts + 1] = (struct iovec){(void *)(uintptr_t)zeros, -head->length & 7};
    if (!conduit_send(end, to, parts, nparts + 2))
        return false;
    p->sent_number++;
    p->met = true;
    p->owed = 0;
    return true;
}

/* Send a long message.  A request waits until the conduit takes it.  A reply cannot wait; returns false if it
 * must be copied into a packet. */
static bool sent_long(struct mer_transport *end, int to, const struct mer_message_head *head,
                      const struct mer_am_body *body, const mer_u64 *args) {
    struct mer_backoff backoff = {0};
    while (!send_long(end, to, head, body, args)) {
        if (!(head->kind & MER_REQUEST_BIT))
            return false;
        wait_turn(end, &backoff);
    }
    return true;
}

void mer_transport_send(struct mer_transport *end, int to, enum mer_am_way way, int handler,
                        const struct mer_am_body *body, const mer_u64 *args, int nargs) {
    struct mer_message_head head = {
        .handler = (uint16_t)handler,
        .kind = (uint8_t)(body->size | (way == MER_AM_REQUESTS ? MER_REQUEST_BIT : 0)),
        .nargs = (uint8_t)nargs,
        .length = body->size == MER_AM_IS_MEDIUM ? (uint32_t)body->length : 0};
    bool entered = mer_transport_enter(end);
    uint32_t cost = mer_transport_cost(end, &head, args);
    if (way == MER_AM_REQUESTS) {
        wait_for_credit(end, to, cost);
        mer_deferred_writes(end, handler);
    }
    end->peers[to].credit -= cost;
    if (head.length < MER_TRANSPORT_LONG || !sent_long(end, to, &head, body, args))
        mer_transport_append(end, to, &head, body, args);
    mer_transport_leave(end, entered);
}

/* ---- pairs ------------------------------------------------------------------------------------------- */

/* Adds a pair to its row, or the single word that its handler takes.  Returns false as mer_rows_add does. */
static bool add_pair(struct mer_rows *rows, int to, int handler, bool single, const mer_u64 *pair,
                     int *counter) {
    return single ? mer_rows_add_word(rows, to, handler, pair[0])
                  : mer_rows_add(rows, to, handler, pair[0], pair[1], counter);
}

/* If the row is for another thread, handler or counter, it is emptied first. */
void mer_transport_send_pair(struct mer_transport *end, int to, int handler, mer_u64 first, mer_u64 second,
                             int *counter) {
    bool single = mer_handler_kind(end->config.handlers, handler) & MER_HANDLER_WORDS;
    const mer_u64 pair[2] = {first, second};
    if (!mer_deferred_is_thread(end)) {
        mer_pair_alone(end, to, handler, pair, counter);
        return;
    }
    if (add_pair(&end->rows, to, handler, single, pair, counter))
        return;
    struct mer_backoff backoff = {0};
    bool entered = mer_transport_enter(end);
    struct mer_row *row = end->rows.row[(unsigned)to % MER_ROWS];
    if (!mer_rows_fits(&end->rows, to, handler, counter)) {
        while (!mer_rows_take(end, row->to))
            wait_turn(end, &backoff);
        if (mer_rows_full(row)) /* a packet is full */
            mer_transport_push(end);
        mer_rows_begin(end, to, handler, counter);
        row = end->rows.row[(unsigned)to % MER_ROWS];
    }
    mer_deferred_writes(end, handler);
    row->open = mer_rows_key(to, handler, single);
    mer_transport_leave(end, entered);
    add_pair(&end->rows, to, handler, single, pair, counter);
}
