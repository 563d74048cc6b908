/* Announcements between hosts, as active messages to the first thread of each other host.
 *
 * The last of a host's threads to announce a phase sends what each of them has announced, and nobody answers.
 * Handlers write into the memory of their host and add to a count there; they are memory handlers (am/am.h),
 * so that they run while the thread computes.  Where all threads of a host announce the same, as in most
 * barriers, one short message says so.  Blocks, what threads share besides (mer_barrier_share), travel first,
 * and messages of a kind keep their order: who sees the entries counted sees the blocks.
 */
#include "sync/between.h"

#include "am/am.h"
#include "core/hosts.h"
#include "core/job.h"

#include <string.h>

#define AREA (6ULL << 20) /* bytes for the blocks of all threads in a phase */
#define MOST_ENTRIES (MER_AM_MEDIUM / sizeof(struct mer_phase_entry))

static_assert(MER_SHARE_MOST <= MER_AM_MEDIUM, "a block is one message");
static_assert(MER_SCRATCH_SHARED + 2 * AREA <= MER_SCRATCH_SIZE, "the blocks fit");

static struct mer_phase_shared *shared;

size_t mer_between_most(void) {
    size_t each = (size_t)(AREA / (mer_u64)mer_job.threads) / 64 * 64;
    return each < MER_SHARE_MOST ? each : MER_SHARE_MOST;
}

void *mer_between_block(int t, uint32_t number) {
    char *area = (char *)mer_scratch(mer_hosts.first[mer_hosts.mine]) + MER_SCRATCH_SHARED +
                 (number & 1) * AREA;
    return area + (size_t)t * mer_between_most();
}

/* ---- messages
 * ---------------------------------------------------------------------------------------------- */

static mer_u64 pair(uint32_t low, uint32_t high) { return low | (mer_u64)high << 32; }

/* words: phase and count, first thread; payload: entries of that many threads, or, if all are alike, in
 * words: where, payload, value and tag */
static void on_entries(struct mer_am_message *m) {
    uint32_t number = (uint32_t)m->args[0], count = (uint32_t)(m->args[0] >> 32);
    struct mer_phase_entry entry = {.where = (const char *)(uintptr_t)m->args[2],
                                    .payload = m->args[3],
                                    .value = (int32_t)(uint32_t)m->args[4],
                                    .tag = (uint32_t)(m->args[4] >> 32)};
    for (uint32_t i = 0; i < count; i++) {
        if (m->payload)
            memcpy(&entry, (const char *)m->payload + i * sizeof entry, sizeof entry);
        mer_phase_note(shared, (int)(m->args[1] + i), number, &entry);
    }
    mer_phase_arrived(shared, number, (int)count, mer_job.threads);
}

/* words: phase, thread; payload: what it shares */
static void on_block(struct mer_am_message *m) {
    memcpy(mer_between_block((int)m->args[1], (uint32_t)m->args[0]), m->payload, m->length);
}

static bool alike(const struct mer_phase *p) {
    const struct mer_phase_entry *first = mer_phase_entry(p, p->first);
    for (int t = p->first + 1; t < p->first + p->here; t++) {
        const struct mer_phase_entry *other = mer_phase_entry(p, t);
        if (other->where != first->where || other->payload != first->payload ||
            other->value != first->value || other->tag != first->tag)
            return false;
    }
    return true;
}

static void send_blocks(const struct mer_phase *p, int to) {
    for (int t = p->first; t < p->first + p->here; t++) {
        uint32_t n = p->shared->slot[t].bytes[p->number & 1];
        if (n)
            mer_am_request_medium(to, MER_AM_BLOCK, mer_between_block(t, p->number), n,
                                  (mer_u64[]){p->number, (mer_u64)t}, 2);
    }
}

static void send_entries(const struct mer_phase *p, int to) {
    struct mer_phase_entry part[MOST_ENTRIES];
    for (int done = 0, n; done < p->here; done += n) {
        n = p->here - done < (int)MOST_ENTRIES ? p->here - done : (int)MOST_ENTRIES;
        for (int i = 0; i < n; i++)
            part[i] = *mer_phase_entry(p, p->first + done + i);
        mer_am_request_medium(to, MER_AM_ENTRIES, part, (size_t)n * sizeof *part,
                              (mer_u64[]){pair(p->number, (uint32_t)n), (mer_u64)(p->first + done)}, 2);
    }
}

void mer_between_tell(const struct mer_phase *p) {
    const struct mer_phase_entry *e = mer_phase_entry(p, p->first);
    bool one = alike(p);
    for (int i = 1; i < mer_hosts.count; i++) { /* each host begins with its neighbour */
        int to = mer_hosts.first[(mer_hosts.mine + i) % mer_hosts.count];
        send_blocks(p, to);
        if (one)
            MER_AM_REQUEST(to, MER_AM_ENTRIES, pair(p->number, (uint32_t)p->here), (mer_u64)p->first,
                           (mer_u64)(uintptr_t)e->where, e->payload, pair((uint32_t)e->value, e->tag));
        else
            send_entries(p, to);
    }
    mer_am_poll(); /* so that they leave now */
}

void mer_between_start(struct mer_phase_shared *own) {
    shared = own;
    mer_am_memory_handler(MER_AM_ENTRIES, on_entries);
    mer_am_memory_handler(MER_AM_BLOCK, on_block);
}
