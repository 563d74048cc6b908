/* Announcements between hosts, as active messages to the first thread of each other host.
 *
 * The last of a host's threads to announce a phase sends the announcements of all of them, and nobody
 * answers.  Handlers write into the memory of their host and add to a count there; they are memory handlers
 * (transport/handlers.h), so that they run while the thread computes.  If all threads of a host announce the
 * same, as in most barriers, one short message says so.  Blocks, which are the threads' contributions to an
 * allgather (mer_barrier_allgather), travel first, and messages of a kind keep their order: a thread that
 * sees the entries counted sees the blocks.
 *
 * Rows.  Up to MOST_DIRECT hosts each sends to every other, which is one crossing of the network.  More hosts
 * are arranged in rows of about the square root of their number.  A host sends to the hosts of its row.  On
 * each host, the thread or handler that completes the count of the row passes the row on to one or two hosts
 * of each other row, and then counts its own message for the whole.  So there are two crossings, and each
 * host sends to about twice as many others as a row has hosts.  The count of a row is cleared before the row
 * is passed on.  The next addition to it is for phase n + 2, for which every host has to have released n
 * (phase.h).  Modelled in tests/model/phase_rows.pml.
 *
 * These messages take nothing from the flow-control window, since handlers send them too.  They are bounded:
 * of any host, those of two phases at most are under way.
 */
#include "sync/announce.h"

#include "am/am.h"
#include "am/handlers.h"
#include "host/control.h"
#include "transport/transport.h"
#include "host/hosts.h"
#include "host/job.h"
#include "sync/allgather.h"

#include <string.h>

#define MOST_ENTRIES (MER_AM_MEDIUM / sizeof(struct mer_phase_entry))

static_assert(MER_ALLGATHER_MOST <= MER_AM_MEDIUM, "a block is one message");

#define MOST_DIRECT 16

static struct mer_phase_shared *shared;
static int row_length; /* hosts in a row, except the last one */

/* ---- rows ------------------------------------------------------------------------------------------ */

static int row_of(int host) { return host / row_length; }
static int row_first(int row) { return row * row_length; }
static int row_end(int row) {
    return row_first(row + 1) < mer_hosts.count ? row_first(row + 1) : mer_hosts.count;
}
static bool in_own_row(int host) { return row_of(host) == row_of(mer_hosts.mine); }

/* Returns true if this host passes on the announcements of thread t; false if there is one row. */
static bool is_passed_on(int t) { return row_length < mer_hosts.count && in_own_row(mer_host_of(t)); }

/* Returns true if this host passes its row on to `host', which is of another row.  The last row may be short:
 * then its hosts also serve the columns that it lacks. */
static bool passes_to(int host) {
    int row = row_of(mer_hosts.mine), length = row_end(row) - row_first(row);
    return host % row_length % length == mer_hosts.mine - row_first(row);
}

static void arrange_rows(void) {
    int length = mer_hosts.count;
    if (mer_hosts.count > MOST_DIRECT)
        for (length = 4; length * length < mer_hosts.count;)
            length++;
    row_length = length;
}

/* ---- sending --------------------------------------------------------------------------------------- */

static mer_u64 pair(uint32_t low, uint32_t high) { return low | (mer_u64)high << 32; }

static void send(int host, enum mer_am_number handler, const void *payload, size_t n, const mer_u64 *words,
                 int nwords) {
    int to = mer_hosts.first[host];
    struct mer_am_body body = {
        .size = payload ? MER_AM_IS_MEDIUM : MER_AM_IS_SHORT, .payload = payload, .length = n};
    mer_transport_send(mer_transport, to, MER_AM_REPLIES, (int)handler, &body, words, nwords);
}

static const struct mer_phase_entry *entry_of(int t, uint32_t number) {
    return &shared->slot[t].entry[number & 1];
}

static bool alike(int first, int end, uint32_t number) {
    const struct mer_phase_entry *one = entry_of(first, number);
    for (int t = first + 1; t < end; t++) {
        const struct mer_phase_entry *other = entry_of(t, number);
        if (other->where != one->where || other->payload != one->payload || other->value != one->value ||
            other->tag != one->tag)
            return false;
    }
    return true;
}

static void send_blocks(int to, int first, int end, uint32_t number) {
    for (int t = first; t < end; t++) {
        uint32_t n = shared->slot[t].bytes[number & 1];
        if (n)
            send(to, MER_AM_BLOCK, mer_allgather_block(t, number), n, (mer_u64[]){number, (mer_u64)t}, 2);
    }
}

static void send_entries(int to, int first, int end, uint32_t number) {
    struct mer_phase_entry part[MOST_ENTRIES];
    for (int n; first < end; first += n) {
        n = end - first < (int)MOST_ENTRIES ? end - first : (int)MOST_ENTRIES;
        for (int i = 0; i < n; i++)
            part[i] = *entry_of(first + i, number);
        send(to, MER_AM_ENTRIES, part, (size_t)n * sizeof *part,
             (mer_u64[]){pair(number, (uint32_t)n), (mer_u64)first}, 2);
    }
}

/* Send host `to' the announcements of the threads of host `of'. */
static void send_announcement(int to, int of, uint32_t number) {
    int first = mer_hosts.first[of], end = mer_hosts.first[of + 1];
    const struct mer_phase_entry *e = entry_of(first, number);
    send_blocks(to, first, end, number);
    if (alike(first, end, number))
        send(to, MER_AM_ENTRIES, NULL, 0,
             (mer_u64[]){pair(number, (uint32_t)(end - first)), (mer_u64)first, e->where, e->payload,
                         pair((uint32_t)e->value, e->tag)},
             5);
    else
        send_entries(to, first, end, number);
}

/* ---- passing on ------------------------------------------------------------------------------------ */

/* Send the announcements of this host's row, which are complete, to the other rows. */
static void pass_on(uint32_t number) {
    int row = row_of(mer_hosts.mine), mine = mer_hosts.mine;
    for (int i = 1; i < mer_hosts.count; i++) {
        int to = (mine + i) % mer_hosts.count;
        if (in_own_row(to) || !passes_to(to))
            continue;
        for (int of = row_first(row); of < row_end(row); of++)
            send_announcement(to, of, number);
    }
    for (int t = mer_hosts.first[row_first(row)]; t < mer_hosts.first[row_end(row)]; t++)
        if (!mer_on_host(t)) /* this host's threads clear their own */
            shared->slot[t].bytes[number & 1] = 0;
}

/* Count threads of this host's row that have announced the phase, and whose entries are here. */
static void count_in_row(uint32_t number, int count) {
    int row = row_of(mer_hosts.mine);
    int all = mer_hosts.first[row_end(row)] - mer_hosts.first[row_first(row)];
    uint32_t *arrived = &shared->arrived_row[number & 1];
    /* Acquire-release, partner: the same addition by the others, whose entries have been written. */
    if (__atomic_add_fetch(arrived, (uint32_t)count, __ATOMIC_ACQ_REL) != (uint32_t)all)
        return;
    __atomic_store_n(arrived, 0, __ATOMIC_RELAXED); /* ordered before phase number + 2 by the release event */
    pass_on(number);
}

/* ---- handlers -------------------------------------------------------------------------------------- */

/* words: phase and count, first thread; payload: entries of that many threads, or, if all are alike, in
 * words: where, payload, value and tag */
static void on_entries(struct mer_am_message *m) {
    uint32_t number = (uint32_t)m->args[0], count = (uint32_t)(m->args[0] >> 32);
    struct mer_phase_entry entry = {.where = m->args[2],
                                    .payload = m->args[3],
                                    .value = (int32_t)(uint32_t)m->args[4],
                                    .tag = (uint32_t)(m->args[4] >> 32)};
    if (m->args[1] > (mer_u64)mer_job.threads || count > (mer_u64)mer_job.threads - m->args[1] ||
        count == 0 || (m->payload && m->length != count * sizeof entry))
        mer_message_garbled(m->source, "an announcement of a barrier names threads that do not exist");
    for (uint32_t i = 0; i < count; i++) {
        if (m->payload)
            memcpy(&entry, (const char *)m->payload + i * sizeof entry, sizeof entry);
        mer_phase_note(shared, (int)(m->args[1] + i), number, &entry);
    }
    if (is_passed_on((int)m->args[1]))
        count_in_row(number, (int)count);
    mer_phase_arrived(shared, number, (int)count, mer_job.threads);
}

/* words: phase, thread; payload: its block */
static void on_block(struct mer_am_message *m) {
    uint32_t number = (uint32_t)m->args[0];
    int t = (int)m->args[1];
    if (m->args[1] >= (mer_u64)mer_job.threads || m->length > mer_allgather_most())
        mer_message_garbled(m->source,
                            "a block of a barrier is too long, or names a thread that does not exist");
    memcpy(mer_allgather_block(t, number), m->payload, m->length);
    if (is_passed_on(t))
        shared->slot[t].bytes[number & 1] = (uint32_t)m->length; /* to be passed on */
}

void mer_announce_phase(const struct mer_phase *p) {
    int row = row_of(mer_hosts.mine), length = row_end(row) - row_first(row);
    bool begun = mer_transport_begin(mer_transport);
    for (int i = 1; i < length; i++) /* each host begins with its neighbour */
        send_announcement(row_first(row) + (mer_hosts.mine - row_first(row) + i) % length, mer_hosts.mine,
                          p->number);
    if (is_passed_on(p->me))
        count_in_row(p->number, p->here);
    mer_transport_end(mer_transport, begun);
    if (!begun)
        mer_am_poll(); /* so that the messages leave now */
}

void mer_announce_open(void) {
    shared = &mer_here.control->phase;
    arrange_rows();
    mer_am_set_handler(MER_AM_ENTRIES, on_entries, MER_HANDLER_MEMORY | MER_HANDLER_READS);
    mer_am_set_handler(MER_AM_BLOCK, on_block, MER_HANDLER_MEMORY | MER_HANDLER_READS);
}
