/* UPC's barrier statements (6.6.1) over the algorithm in phase.c: the alternation of notify and wait, values,
 * and the messages if threads execute different barriers or collective calls.
 *
 * Values.  All values given to upc_notify in a phase must be equal (the consensus), and a value given to
 * upc_wait must equal it.  With flags every waiter reads all entries anyway, because they are in the lines
 * that it waits for.  In the tree, the first thread that gives a value stores it in the word of the phase's
 * parity, and the others compare.  The thread that completes the tree in the next phase clears the word: all
 * have announced that phase, and so have compared; no thread writes the word before the phase after that,
 * which comes after the release.  Barriers without values cost nothing extra.  With several hosts every host
 * has the entries of all threads when the wait is over, and they are compared as with flags.
 */
#include "sync/barrier.h"

#include "transport/transport.h"
#include "host/hosts.h"
#include "host/job.h"
#include "base/fatal.h"
#include "base/record.h"
#include "base/rva.h"
#include "base/settings.h"
#include "sync/allgather.h"
#include "sync/announce.h"
#include "sync/phase.h"
#include "base/wait.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#define HOST_LOOK_NS 100000000 /* between checks whether awaited threads of a host's barrier are elsewhere */

/* The state of this thread's barriers; a process has one thread.  The state of the phases themselves is in
 * struct mer_phase, of which a test may have several. */
static struct {
    struct mer_phase phase;      /* of all threads */
    struct mer_phase host;       /* of this host's (mer_barrier_host) */
    bool by_entries;             /* a waiter compares the entries of all threads: flags, or several hosts */
    bool notified;               /* between upc_notify and upc_wait */
    bool disagreed;              /* the value given to upc_notify was not the consensus (tree) */
    bool early;                  /* the current phase belongs to mer_barrier_allgather_early */
    bool compared;               /* the caller of the next collective itself compares the threads' calls */
    struct mer_phase_entry mine; /* of the current phase */
    const char *where;           /* its source position or name, in the current phase */
} self;

/* ---- messages ------------------------------------------------------------------------------------------ */

#define DOING_SIZE 512

/* Returns the name or source position in an entry. */
static const char *where_of(const struct mer_phase_entry *entry) {
    return entry == &self.mine && self.where ? self.where : mer_where_text(entry->where);
}

/* Describes the state in an entry, such as "is in the barrier at f.upc:10". */
static const char *doing_text(char text[DOING_SIZE], const struct mer_phase_entry *entry) {
    const char *where = where_of(entry);
    switch (entry->tag & MER_PHASE_KIND_MASK) {
    case MER_PHASE_FINISH:
        snprintf(text, DOING_SIZE, "has reached the end of the program");
        break;
    case MER_PHASE_COLLECTIVE:
        snprintf(text, DOING_SIZE, "called %.400s", where);
        break;
    default:
        if (entry->tag & MER_PHASE_HAS_VALUE)
            snprintf(text, DOING_SIZE, "is in the barrier at %.400s with the value %d", where, entry->value);
        else
            snprintf(text, DOING_SIZE, "is in the barrier at %.400s", where);
    }
    return text;
}

static uint32_t kind_of(const struct mer_phase_entry *entry) { return entry->tag & MER_PHASE_KIND_MASK; }
static uint32_t doing_of(const struct mer_phase_entry *entry) { return mer_phase_doing(entry->tag); }

/* Give other threads time to print the same error, which all threads find.  The first host prints it, and its
 * launcher ends the others; if that fails, each thread prints it.  theirs: the entry that this thread's
 * message names, or null; a thread that can name both sides prints it first.
 */
static void leave_to_others(const struct mer_phase_entry *theirs) {
    struct timespec moment = {1, 0};
    bool named = !theirs || kind_of(theirs) == MER_PHASE_FINISH || mer_rva_text(theirs->where);
    if (mer_hosts.mine > 0 || !named)
        nanosleep(&moment, NULL);
}

/* End the job: this thread and thread t are in this phase by different calls. */
static _Noreturn void mismatch_of_calls_with(int t) {
    char one[DOING_SIZE], other[DOING_SIZE];
    mer_fatal_placed(
        "barrier mismatch: thread %d %s, while thread %d %s. Every thread has to execute the same "
        "sequence of barriers and collective calls (UPC 6.6.1)",
        self.phase.me, doing_text(one, &self.mine), t, doing_text(other, mer_phase_entry(&self.phase, t)));
}

/* End the job: the calls of this phase differ.  Names two threads that show it. */
static _Noreturn void mismatch_of_calls(void) {
    int t = 0;
    while (t < self.phase.threads - 1 &&
           (t == self.phase.me || doing_of(mer_phase_entry(&self.phase, t)) == doing_of(&self.mine)))
        t++;
    leave_to_others(mer_phase_entry(&self.phase, t));
    mismatch_of_calls_with(t);
}

/* End the job: this thread's value, given at `where`, is not the value of thread t. */
static _Noreturn void mismatch_of_values(const char *statement, int value, const char *where, int t) {
    const struct mer_phase_entry *theirs = mer_phase_entry(&self.phase, t);
    if (t == self.phase.me)
        mer_fatal_placed("barrier mismatch: upc_wait at %s has the value %d, but upc_notify at %s had %d "
                         "(UPC 6.6.1.7)",
                         where, value, mer_where_text(theirs->where), theirs->value);
    mer_fatal_placed(
        "barrier mismatch: thread %d gave the value %d to the %s at %s, but thread %d gave %d at %s "
        "(UPC 6.6.1.7)",
        self.phase.me, value, statement, where, t, theirs->value, mer_where_text(theirs->where));
}

/* Returns a thread that gave `value` in this phase, or this one if none is found. */
static int giver_of(int32_t value) {
    for (int t = 0; t < self.phase.threads; t++) {
        const struct mer_phase_entry *entry = mer_phase_entry(&self.phase, t);
        if (mer_phase_ahead(&self.phase, t) >= 0 && (entry->tag & MER_PHASE_HAS_VALUE) &&
            entry->value == value)
            return t;
    }
    return self.phase.me;
}

/* ---- values in the tree -------------------------------------------------------------------------------- */

#define GIVEN (1ULL << 32) /* in the word: the low half is a value that a thread has given */

/* Returns true if there is a consensus in this phase, and its value.  Acquire, partner: the exchange in
 * join_consensus. */
static bool consensus(int32_t *value) {
    uint64_t word = __atomic_load_n(mer_phase_consensus(&self.phase, self.phase.number), __ATOMIC_ACQUIRE);
    *value = (int32_t)(uint32_t)word;
    return word & GIVEN;
}

/* Make this thread's value that of the phase, or compare it with the existing one.  Returns false if they
 * differ.  The entry is written before, so that a thread which sees the value finds the thread that gave it.
 * Called before the announcement of phase `number`. */
static bool join_consensus(uint32_t number, int32_t value) {
    uint64_t own = GIVEN | (uint32_t)value, seen = 0;
    return __atomic_compare_exchange_n(mer_phase_consensus(&self.phase, number), &seen, own, false,
                                       __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE) ||
           seen == own;
}

/* ---- the phases ---------------------------------------------------------------------------------------- */

/* Returns true if this thread has written to other hosts since the last call.  In a job on one host whose
 * memory is all remote, messages go through rings, and writes are not recorded. */
static bool wrote_remotely(void) { return !mer_transport || mer_transport_wrote(mer_transport); }

static void announce(const char *where, struct mer_phase_entry entry) {
    self.where = where;
    entry.where = mer_rva_of(where);
    if (mer_by_message())
        mer_remote_fence();
    /* The record is cleared in each phase: all threads have seen writes from before the last phase when it is
     * over.  A write that was not complete then is recorded when it is (transport/deferred.c).  Modelled in
     * tests/model/allgather_early.pml. */
    bool wrote = mer_job.has_remote && wrote_remotely();
    if (self.early)
        entry.payload = wrote;
    self.mine = entry;
    if (self.phase.threads == 1) {
        self.phase.number++;
        self.phase.shared->slot[0].entry[self.phase.number & 1] = entry;
        return;
    }
    self.disagreed = (entry.tag & MER_PHASE_HAS_VALUE) && !self.by_entries &&
                     !join_consensus(self.phase.number + 1, entry.value);
    if (!mer_phase_announce(&self.phase, &self.mine))
        mismatch_of_calls();
}

/* Compare the entries of all threads, after the wait, with flags or several hosts. */
static void check_entries(void) {
    int first = -1;
    for (int t = 0; t < self.phase.threads; t++) {
        const struct mer_phase_entry *entry = mer_phase_entry(&self.phase, t);
        if (doing_of(entry) != doing_of(&self.mine))
            mismatch_of_calls();
        if (!(entry->tag & MER_PHASE_HAS_VALUE))
            continue;
        const struct mer_phase_entry *consensus = first < 0 ? entry : mer_phase_entry(&self.phase, first);
        if (first < 0)
            first = t;
        if (entry->value == consensus->value)
            continue;
        leave_to_others(NULL);
        mer_fatal_placed("barrier mismatch: thread %d gave the value %d at %s, but thread %d gave %d at %s "
                         "(UPC 6.6.1.7)",
                         first, consensus->value, mer_where_text(consensus->where), t, entry->value,
                         mer_where_text(entry->where));
    }
}

/* Returns true if all entries have the same tag as this thread's and it has no value: then there is nothing
 * to compare. */
static bool entries_plain(void) {
    uint32_t differ = self.mine.tag & MER_PHASE_HAS_VALUE;
    for (int t = 0; t < self.phase.threads; t++)
        differ |= mer_phase_entry(&self.phase, t)->tag ^ self.mine.tag;
    return differ == 0;
}

static void complete(const char *what) {
    if (self.phase.threads == 1)
        return;
    if (self.disagreed) {
        int32_t value;
        consensus(&value);
        mismatch_of_values("barrier", self.mine.value, self.where, giver_of(value));
    }
    mer_phase_wait(&self.phase, what);
    if (self.by_entries && !entries_plain())
        check_entries();
}

/* Compare the value of upc_wait with the consensus; after complete. */
static void check_wait_value(int value, const char *where) {
    if (self.by_entries || self.phase.threads == 1) {
        for (int t = 0; t < self.phase.threads; t++) {
            const struct mer_phase_entry *entry = mer_phase_entry(&self.phase, t);
            if ((entry->tag & MER_PHASE_HAS_VALUE) && entry->value != value)
                mismatch_of_values("upc_wait", value, where, t);
        }
    } else {
        int32_t agreed;
        if (consensus(&agreed) && agreed != value)
            mismatch_of_values("upc_wait", value, where, giver_of(agreed));
    }
}

/* Returns the tag of a collective call: a hash of its name.  Addresses of names cannot be compared, because a
 * library that is loaded at run time may lie elsewhere in each process. */
static uint32_t call_tag(const char *name) {
    static const char *last;
    static uint32_t number;
    if (self.compared) {
        self.compared = false;
        return MER_PHASE_COLLECTIVE;
    }
    if (name != last) {
        number = 2166136261U; /* FNV-1a */
        for (const char *c = name; *c; c++)
            number = (number ^ (unsigned char)*c) * 16777619U;
        last = name;
    }
    return MER_PHASE_COLLECTIVE | (number ^ number >> 24) << MER_PHASE_CALL_SHIFT;
}

static struct mer_phase_entry statement(int has_value, int value) {
    return (struct mer_phase_entry){.value = value,
                                    .tag = MER_PHASE_STATEMENT | (has_value ? MER_PHASE_HAS_VALUE : 0)};
}

/* ---- the statements (abi.h) ---------------------------------------------------------------------------- */

void mer_notify(int has_value, int value, const char *where) {
    if (self.notified)
        mer_fatal_placed("upc_notify or upc_barrier at %s, but the upc_notify at %s has had no upc_wait yet "
                         "(UPC 6.6.1.2)",
                         where, self.where);
    mer_record_begin();
    announce(where, statement(has_value, value));
    self.notified = true;
    mer_record_end(MER_RECORD_NOTIFY, 0, 0);
}

void mer_wait(int has_value, int value, const char *where) {
    if (!self.notified)
        mer_fatal_placed("upc_wait at %s without an upc_notify before it (UPC 6.6.1.2)", where);
    mer_record_begin();
    complete("upc_wait");
    self.notified = false;
    mer_record_end(MER_RECORD_WAIT, 0, 0);
    if (has_value)
        check_wait_value(value, where);
}

void mer_barrier(int has_value, int value, const char *where) {
    if (self.notified)
        mer_fatal_placed("upc_barrier at %s, but the upc_notify at %s has had no upc_wait yet (UPC 6.6.1.2)",
                         where, self.where);
    mer_record_begin();
    announce(where, statement(has_value, value));
    complete("upc_barrier");
    mer_record_end(MER_RECORD_BARRIER, 0, 0);
}

/* ---- for the layers above ------------------------------------------------------------------------------ */

void mer_barrier_check_outside(const char *name) {
    if (self.notified)
        mer_fatal("%s is called between the upc_notify at %s and its upc_wait; no collective call may stand "
                  "there (UPC 6.6.1.2)",
                  name, self.where);
}

void mer_barrier_exchange(const char *name, uint64_t payload) {
    mer_barrier_check_outside(name);
    mer_record_begin();
    announce(name, (struct mer_phase_entry){.payload = payload, .tag = call_tag(name)});
    complete(name);
    mer_record_end(MER_RECORD_BARRIER, 0, 0);
}

void mer_barrier_allgather(const char *name, const void *own, size_t n) {
    uint32_t next = self.phase.number + 1;
    if (n)
        memcpy(mer_allgather_block(self.phase.me, next), own, n);
    self.phase.shared->slot[self.phase.me].bytes[next & 1] = (uint32_t)n;
    mer_barrier_exchange(name, 0);
    self.phase.shared->slot[self.phase.me].bytes[next & 1] =
        0; /* phase next + 2 has no block, unless it sets the length again */
}

bool mer_barrier_allgather_early(const char *name, const void *own, size_t n) {
    mer_u64 written = 0;
    self.early = true;
    mer_barrier_allgather(name, own, n);
    self.early = false;
    for (int t = 0; t < self.phase.threads; t++)
        written |= mer_barrier_payload(t);
    return !written;
}

const void *mer_barrier_gathered(int thread) { return mer_allgather_block(thread, self.phase.number); }

size_t mer_barrier_allgather_most(void) { return mer_allgather_most(); }

bool mer_barrier_allgather_pays(size_t n, bool all_need_them) {
    return n <= mer_allgather_most() && (all_need_them || n <= MER_ALLGATHER_FEW);
}

/* Find threads of this host for which this one waits in mer_barrier_host, but which have gone on to the next
 * phase of the job.  That phase does not end without this thread, so they would wait for each other. */
static void check_host(const char *name, const struct mer_phase_entry *entry) {
    for (int t = 0; t < mer_job.here; t++) {
        int thread = mer_job.here_first + t;
        if (mer_phase_ahead(&self.phase, thread) <= 0)
            continue;
        /* Acquire, partner: the additions of climb (phase.c).  A thread that is in the job's phase and has
         * been in this phase of the host has announced the latter first. */
        __atomic_thread_fence(__ATOMIC_ACQUIRE);
        if (mer_phase_ahead(&self.host, t) >= 0)
            continue;
        self.phase.number++; /* as if this thread had announced the phase that the other one is in */
        self.mine = *entry;
        self.where = name;
        mismatch_of_calls_with(thread);
    }
}

void mer_barrier_host(const char *name) {
    struct mer_phase *host = &self.host;
    if (!host->shared)
        mer_phase_init(host, &mer_here.control->host, mer_job.here, mer_job.mythread - mer_job.here_first);
    if (mer_job.here == 1)
        return;
    const struct mer_phase_entry entry = {.where = mer_rva_of(name), .tag = MER_PHASE_COLLECTIVE};
    mer_phase_announce(host, &entry);
    uint64_t waited = 0;
    while (!mer_phase_wait_release_for(host, HOST_LOOK_NS)) {
        check_host(name, &entry);
        waited += HOST_LOOK_NS;
        if (mer_wait_stalled && waited % mer_wait_stall_ns < HOST_LOOK_NS)
            mer_wait_stalled(&host->shared->release, name);
    }
}

void mer_barrier_act(const char *name, int lead, void (*work)(void *context), void *context) {
    mer_barrier_check_outside(name);
    struct mer_phase_entry entry = {.where = mer_rva_of(name), .tag = call_tag(name)};
    if (self.phase.threads == 1) {
        announce(name, entry);
        work(context);
        return;
    }
    self.mine = entry;
    self.where = name;
    self.disagreed = false;
    if (!mer_phase_announce_act(&self.phase, &self.mine, work, context))
        mismatch_of_calls();
    if (self.phase.flags && self.phase.me == lead) {
        mer_phase_gather(&self.phase, name);
        if (!entries_plain())
            check_entries();
        work(context);
        mer_phase_release(&self.phase);
    } else {
        mer_phase_wait_release(&self.phase, name);
    }
}

void mer_barrier_collective(const char *name) { mer_barrier_exchange(name, 0); }

void mer_barrier_compared(void) { self.compared = true; }

bool mer_barrier_entered(int thread) { return mer_phase_ahead(&self.phase, thread) > 0; }

bool mer_barrier_owns(const void *word) {
    return (const char *)word >= (const char *)self.phase.shared &&
           (const char *)word < (const char *)(self.phase.shared + 1);
}

uint64_t mer_barrier_payload(int thread) { return mer_phase_entry(&self.phase, thread)->payload; }

/* Warn a thread that waits long, and name the threads that have not come yet.  The phases of the others are
 * read without synchronisation.
 */
void mer_barrier_describe_wait(const char *what) {
    char late[256];
    size_t length = 0;
    int count = 0;
    for (int t = 0; t < self.phase.threads; t++) {
        if (mer_phase_ahead(&self.phase, t) >= 0)
            continue;
        if (count++ < 8)
            length += (size_t)snprintf(late + length, sizeof late - length, "%s%d", count > 1 ? ", " : "", t);
    }
    char own[DOING_SIZE];
    mer_warn("has waited for %ld s in %s: it %s; %d of %d threads have not arrived: %s%s%s",
             mer_setting(STALL_SECONDS), what, doing_text(own, &self.mine), count, self.phase.threads, late,
             count > 8 ? ", ..." : "",
             mer_hosts.count > 1 ? " (threads of another host are listed until all of them have arrived)"
                                 : "");
}

/* ---- start and end ------------------------------------------------------------------------------------- */

void mer_barrier_open(void) {
    struct mer_phase_shared *shared = &mer_here.control->phase;
    if (mer_job.has_remote) {
        mer_announce_open();
        mer_phase_init_hosts(&self.phase, shared, mer_job.threads, mer_job.mythread, mer_job.here_first,
                             mer_job.here, mer_announce_phase);
    } else {
        mer_phase_init(&self.phase, shared, mer_job.threads, mer_job.mythread);
    }
    self.by_entries = mer_job.has_remote;
}

void mer_barrier_start(void) {
    announce("start-up", (struct mer_phase_entry){.tag = MER_PHASE_COLLECTIVE});
    complete("start-up");
}

void mer_barrier_configure(void) {
    self.phase.flags = self.phase.threads <= MER_PHASE_FLAGS && !mer_here.oversubscribed &&
                       !mer_job.has_remote;
    self.by_entries = self.phase.flags || mer_job.has_remote;
}

void mer_barrier_finish(void) {
    if (self.notified)
        mer_fatal_placed("reached the end of the program between the upc_notify at %s and its upc_wait "
                         "(UPC 6.6.1.2)",
                         self.where);
    mer_record_begin_at(NULL);
    announce("the end", (struct mer_phase_entry){.tag = MER_PHASE_FINISH});
    complete("the end of the program");
    mer_record_end(MER_RECORD_END, 0, 0);
}
