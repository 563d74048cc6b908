/* Received packets: parsing them, and running the messages that may be run now.
 *
 * A packet comes from another process, perhaps of another program or version, or may be garbled.  No length
 * or count in it causes an access outside of the packet: each is checked against the packet first, and an
 * error ends the job with a message.  Handlers check the values that depend on their own words
 * (mer_message_garbled).  Addresses are not checked: threads of a job may write each other's memory.
 */
#include "transport/end.h"

#include "base/fatal.h"
#include "host/hosts.h"

#include <string.h>
#include <time.h>

/* Align a payload to 64 for the program's handlers; the packet aligns to 8.  One buffer suffices: this runs
 * under the lock, and handlers do not nest. */
static void align_payload(struct mer_transport *end, struct mer_am_message *m, int handler) {
    if (handler < MER_AM_HANDLERS && (uintptr_t)m->payload % 64 && m->length <= sizeof end->aligned)
        m->payload = memcpy(end->aligned, m->payload, m->length);
}

/* Run or defer a message.  landed: the bytes of its payload that have landed.  `landed_payload' points to the
 * payload if all of it has landed; otherwise it is null.
 */
static void take_message(struct mer_transport *end, int from, const struct mer_message_head *head,
                         const mer_u64 *args, void *landed_payload, size_t landed) {
    const mer_u64 *behind = (const mer_u64 *)(const void *)(head + 1) + head->nargs;
    struct mer_am_message m = {
        .source = from, .nargs = head->nargs, .args = args, .request = (head->kind & MER_REQUEST_BIT) != 0};
    uint32_t cost = mer_transport_cost(end, head, args);
    bool medium = mer_size_of(head) == MER_AM_IS_MEDIUM;
    if (medium) {
        m.payload = landed_payload ? landed_payload : (void *)(uintptr_t)behind;
        m.length = landed_payload ? head->length : head->length - landed;
    } else if (mer_size_of(head) == MER_AM_IS_LONG) {
        const struct mer_landed *landed = (const void *)behind;
        m.payload = mer_at(landed->address);
        m.length = landed->extent;
    }
    if (mer_handler_kind(end->config.handlers, head->handler) & MER_HANDLER_MEMORY) {
        mer_handler_of(end->config.handlers, &m, head->handler)(&m);
    } else if (mer_deferred_turn(end)) {
        if (medium)
            align_payload(end, &m, head->handler);
        mer_deferred_run(end, &m, head->handler);
    } else {
        mer_deferred_add(end, &m, medium && !landed_payload, head->handler, cost);
        return;
    }
    end->ran++;
    mer_transport_give_back(end, from, cost);
}

static size_t bytes_of(const struct iovec *parts, int nparts) {
    size_t bytes = 0;
    for (int i = 0; i < nparts; i++)
        bytes += parts[i].iov_len;
    return bytes;
}

/* Gives the parts for a long payload, and returns their number: its destination is the first word, or the
 * handler gives it.  The padding to a multiple of 8 lands after it. */
int mer_transport_land(void *user, int from, const void *bytes, size_t have, size_t length, size_t *at,
                       struct iovec *parts) {
    struct mer_transport *end = user;
    struct mer_peer *p = &end->peers[from];
    const struct mer_packet_head *packet = bytes;
    const struct mer_message_head *head = (const void *)(packet + 1);
    *at = sizeof *packet + sizeof *head;
    if (have < *at + MER_AM_ARGS * sizeof(mer_u64) || packet->number != p->taken_number ||
        head->length < MER_TRANSPORT_LONG || mer_size_of(head) != MER_AM_IS_MEDIUM || head->nargs == 0 ||
        head->nargs > MER_AM_ARGS || sizeof *packet + mer_bytes_of(head) != length ||
        !(mer_handler_kind(end->config.handlers, head->handler) & (MER_HANDLER_MEMORY | MER_HANDLER_READS)))
        return 0;
    *at += head->nargs * sizeof(mer_u64);
    const mer_u64 *args = (const void *)(head + 1);
    mer_handler_places *places = mer_handler_places_of(end->config.handlers, head->handler);
    size_t kept = 0;
    int nparts = 1;
    if (places)
        nparts = places(args, args + head->nargs, have - *at, head->length, &kept, parts);
    else
        parts[0] = (struct iovec){p->landed_at = mer_at(args[0]), head->length};
    if (nparts == 0)
        return 0;
    if (nparts > MER_AM_PARTS || kept % 8 || kept > have - *at ||
        kept + bytes_of(parts, nparts) != head->length)
        mer_message_garbled(from, "the lengths of the parts do not add up to the length of the payload");
    if (head->length % 8)
        parts[nparts++] = (struct iovec){end->filling, -head->length & 7};
    p->landed = length - *at - kept;
    *at += kept;
    return nparts;
}

/* Check that the message is as long as its head says, and within the rest of the packet. */
static void check_head(int from, const struct mer_message_head *head, size_t left, size_t landed) {
    if (left < sizeof *head || head->nargs > MER_AM_ARGS || left + landed < mer_bytes_of(head))
        mer_message_garbled(from, "a message is longer than its packet");
    if (mer_size_of(head) > MER_AM_IS_LONG || (mer_size_of(head) != MER_AM_IS_MEDIUM && head->length))
        mer_message_garbled(from, "a message has an unknown kind");
    if (landed && mer_bytes_of(head) - landed != left)
        mer_message_garbled(from, "a packet has other messages beside a payload that has landed");
}

/* Returns the words of a message.  Handlers may read MER_AM_ARGS words, even if the message has fewer: if the
 * packet ends before that, the words are copied to `words', followed by zeros. */
static const mer_u64 *words_of(const struct mer_message_head *head, size_t left, mer_u64 words[MER_AM_ARGS]) {
    if (left >= sizeof *head + MER_AM_ARGS * sizeof *words)
        return (const void *)(head + 1);
    memset(words, 0, MER_AM_ARGS * sizeof *words);
    return memcpy(words, head + 1, head->nargs * sizeof *words);
}

void mer_transport_deliver(void *user, int from, const void *bytes, size_t length) {
    struct mer_transport *end = user;
    struct mer_peer *p = &end->peers[from];
    const unsigned char *at = bytes, *behind = at + length;
    const struct mer_packet_head *packet = bytes;
    if (length < sizeof *packet || packet->number != p->taken_number++)
        mer_message_garbled(from, "the number of the packet is out of order");
    if (packet->returned > MER_TRANSPORT_WINDOW - p->credit)
        mer_message_garbled(from, "the packet acknowledges more bytes than were sent");
    bool more = end->endpoint->more;
    p->met = true;
    p->credit += packet->returned;
    at += sizeof *packet;
    while (at < behind) {
        const struct mer_message_head *head = (const void *)at;
        mer_u64 words[MER_AM_ARGS];
        check_head(from, head, (size_t)(behind - at), p->landed);
        const mer_u64 *args = words_of(head, (size_t)(behind - at), words);
        end->endpoint->more = more ||
                              at + mer_bytes_of(head) - p->landed < behind; /* answers leave together */
        if (head->handler == MER_GOODBYE)
            p->goodbye = true;
        else
            take_message(end, from, head, args, p->landed_at,
                         p->landed ? p->landed - (-head->length & 7) : 0);
        at += mer_bytes_of(head) - p->landed;
    }
    end->endpoint->more = more;
    p->landed = 0;
    p->landed_at = NULL;
}

/* Called by the conduit when a put or a get is complete. */
void mer_transport_done(void *user, void *context) {
    struct mer_transport *end = user;
    end->ran += mer_deferred_done(end, context);
}

/* Called by the conduit for a lost peer: it has died, or its host has.  The launcher knows the cause, and
 * gets time to report it first. */
void mer_transport_lost(void *user, int peer, const char *cause) {
    const struct mer_transport *end = user;
    if (end->peers[peer].goodbye || end->stopping)
        return;
    struct timespec moment = {2, 0};
    nanosleep(&moment, NULL);
    mer_fatal("the connection to thread %d on host %s is lost: %s", peer, mer_host_name(peer), cause);
}
