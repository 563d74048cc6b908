/* The shared heap: which arena serves a request, and whether the machine has the memory for it.
 *
 * Memory is committed when it is touched, so the system would grant any request and kill the job later, when
 * the memory is used.  Therefore a request is compared with the available memory: the memory that the system
 * reports as available, less the memory that was handed out and is not committed yet.  Asking the system
 * takes microseconds.  So each process keeps a credit, a small share of the available memory, and asks again
 * when the credit is used up.
 *
 * Several hosts.  An arena's state is local to its owner's host (thread 0's, for the symmetric arena); other
 * hosts call a service there (mer_heap_messages).  Each host counts the memory of its own threads.  Every
 * host first grants a large symmetric allocation, because each must have the memory for its threads.  Before
 * such an allocation is freed, every host gives its pages back, while no thread can have been given them
 * again.
 */
#include "heap/heap.h"

#include "am/call.h"

#include "host/resources.h"
#include "host/memory.h"
#include "host/hosts.h"
#include "host/job.h"
#include "base/fatal.h"
#include "base/rva.h"
#include "heap/arena.h"
#include "host/layout.h"

#include <stdio.h>
#include <string.h>

#define MOST_CREDIT (64ULL << 20)

/* Bytes that this process may hand out before it asks the system again.  The progress thread has its own
 * credit. */
static _Thread_local uint64_t credit;

/* Why a request was not granted: `there' is the available size, and `why' a phrase that names the limit, 0 if
 * the request was granted. */
struct refusal {
    uint64_t there;
    mer_rva why;
    int host; /* several hosts: the one that refused; else 0 */
};

static struct mer_arena *local_arena(int t) { return mer_view(t, mer_layout.local_state); }
static struct mer_arena *symmetric_arena(void) { return mer_view(0, mer_layout.symmetric_state); }
static uint32_t own_number(void) { return (uint32_t)mer_job.mythread + 1; }

/* Relaxed: the result depends only on writes of this process itself. */
bool mer_heap_is_held(void) {
    if (!mer_layout.end)
        return false;
    const struct mer_mutex *mutex = &local_arena(mer_job.mythread)->mutex;
    return (__atomic_load_n(&mutex->word, __ATOMIC_RELAXED) & ~MER_MUTEX_SLEEPERS) == own_number();
}

/* ---- available memory ---------------------------------------------------------------------------------- */

static uint64_t less(uint64_t a, uint64_t b) { return a > b ? a - b : 0; }

static uint64_t available(int *limited) {
    uint64_t reserved = __atomic_load_n(&mer_here.control->heap.reserved, __ATOMIC_RELAXED);
    uint64_t untouched = less(reserved, mer_memory_committed(mer_here.memory_fd));
    uint64_t there = mer_memory_available(limited);
    return less(there - there / 32, untouched); /* a thirty-second is left to the system */
}

static void refuse(const char *name, uint64_t bytes, uint64_t total, const struct refusal *r) {
    if (!name)
        return;
    char asked[32], each[32], have[32], on_each[64] = "", where[64] = "";
    if (total != bytes)
        snprintf(on_each, sizeof on_each, " (%s on each thread)", mer_bytes_text(each, bytes));
    if (mer_job.has_remote)
        snprintf(where, sizeof where, " (that of thread %d)", mer_hosts.first[r->host]);
    mer_warn("%s: asked for %s of shared memory%s, but %s%s %s; it returns a null pointer-to-shared", name,
             mer_bytes_text(asked, total), on_each, mer_where_text(r->why), where,
             mer_bytes_text(have, r->there));
}

/* Returns true if `total` bytes may be handed out on this host. */
static bool affordable(uint64_t total, struct refusal *r) {
    if (total <= credit) {
        credit -= total;
        return true;
    }
    int limited;
    uint64_t there = available(&limited);
    if (total > there) {
        *r = (struct refusal){
            there, mer_rva_of(limited ? "this container (control group) has only" : "this host has only"),
            mer_hosts.mine};
        return false;
    }
    uint64_t share = (there - total) / 16 / (uint64_t)mer_job.here;
    credit = share < MOST_CREDIT ? share : MOST_CREDIT;
    return true;
}

/* ---- allocation ---------------------------------------------------------------------------------------- */

/* Returns the share of host h in an allocation of `bytes' on each thread, of which `total' bytes are in
 * use. */
static uint64_t share_of(int h, uint64_t bytes, uint64_t total) {
    uint64_t most, threads = (uint64_t)(mer_hosts.first[h + 1] - mer_hosts.first[h]);
    return __builtin_mul_overflow(bytes, threads, &most) || total < most ? total : most;
}

static uint64_t alloc(struct mer_arena *arena, uint64_t bytes, uint64_t total, const char *name,
                      struct refusal *r) {
    bool small = bytes <= MER_SMALL_MAX, symmetric = arena->owner < 0;
    if (!small && !affordable(symmetric ? share_of(mer_hosts.mine, bytes, total) : total, r))
        return 0;
    mer_mutex_lock(&arena->mutex, own_number(), name);
    uint64_t slab = MER_CHUNK * (symmetric ? (uint64_t)mer_job.here : 1);
    uint64_t at = 0;
    bool granted = !small || !mer_arena_needs_run(arena, bytes) || affordable(slab, r);
    if (granted)
        at = mer_arena_alloc(arena, bytes, total);
    mer_mutex_unlock(&arena->mutex);
    if (granted && !at)
        *r = (struct refusal){arena->limit * MER_CHUNK,
                              mer_rva_of(mer_memory_limit() ? "with the limit on address space (ulimit -v, "
                                                              "MERIDIAN_RESERVE) a thread has only"
                                                            : "the address space of a thread holds"),
                              mer_hosts.mine};
    return at;
}

/* ---- several hosts: services --------------------------------------------------------------------------- */

/* The name of a service's wait, for messages. */
static const char remotely[] = "the heap, for a thread of another host";

struct request {
    uint64_t bytes, total;
};

struct grant {
    uint64_t at;
    struct refusal refusal;
};
static_assert(sizeof(struct grant) <= MER_AM_RESULT_MOST, "an answer holds it");

static size_t serve_alloc(int caller, const void *in, void *out) {
    const struct request *q = in;
    struct grant g = {0};
    (void)caller;
    g.at = alloc(symmetric_arena(), q->bytes, q->total, remotely, &g.refusal);
    memcpy(out, &g, sizeof g);
    return sizeof g;
}

/* Count this host's share of an allocation as handed out, if the memory is available. */
static size_t serve_reserve(int caller, const void *in, void *out) {
    const struct request *q = in;
    uint64_t share = share_of(mer_hosts.mine, q->bytes, q->total);
    struct grant g = {0};
    (void)caller;
    if (affordable(share, &g.refusal)) {
        mer_arena_count(share);
        g.at = 1;
    }
    memcpy(out, &g, sizeof g);
    return sizeof g;
}

struct release {
    uint64_t at, bytes, total;
};

/* Give the pages of an allocation on this host's threads back to the system, and count it no longer. */
static size_t serve_release(int caller, const void *in, void *out) {
    const struct release *q = in;
    (void)caller;
    (void)out;
    for (int i = 0; q->at && i < mer_job.here; i++)
        mer_memory_discard(mer_view(mer_job.here_first + i, q->at), q->bytes);
    mer_arena_count(-share_of(mer_hosts.mine, q->bytes, q->total));
    return 0;
}

/* Have the hosts before `end', except that of thread 0, release an allocation. */
static void release_on_hosts(const struct release *q, int end) {
    for (int h = 1; h < end; h++)
        mer_am_call_host(mer_hosts.first[h], serve_release, q, sizeof *q, NULL, 0);
}

static uint64_t symmetric_among_hosts(uint64_t bytes, uint64_t total, struct refusal *r) {
    struct request q = {bytes, total};
    struct grant g = {.at = 1};
    int end = 1;
    if (bytes > MER_SMALL_MAX) {
        q.bytes = mer_arena_round(bytes);
        for (; g.at && end < mer_hosts.count; end++)
            mer_am_call_host(mer_hosts.first[end], serve_reserve, &q, sizeof q, &g, sizeof g);
    }
    struct release back = {0, q.bytes, total};
    if (!g.at)
        end--; /* the host that refused has counted nothing */
    else
        mer_am_call_host(0, serve_alloc, &q, sizeof q, &g, sizeof g);
    if (!g.at && bytes > MER_SMALL_MAX)
        release_on_hosts(&back, end);
    *r = g.refusal;
    return g.at;
}

/* ---- allocation, the interface ------------------------------------------------------------------------- */

/* Allocations of more than MOST_WITHOUT_END bytes have one byte after the object, so that a pointer to the
 * end of the object does not point to another one (mer_heap_objects).  Cost: an object that fills its size
 * class takes the next one. */
#define MOST_WITHOUT_END 1000

static size_t with_end(size_t bytes) {
    return bytes > MOST_WITHOUT_END && bytes < SIZE_MAX ? bytes + 1 : bytes;
}

uint64_t mer_heap_symmetric(size_t bytes, size_t in_use, const char *name) {
    struct refusal r;
    uint64_t size = with_end(bytes);
    uint64_t at = mer_job.has_remote ? symmetric_among_hosts(size, in_use, &r)
                                     : alloc(symmetric_arena(), size, in_use, name, &r);
    if (!at)
        refuse(name, bytes, in_use, &r);
    return at;
}

uint64_t mer_heap_local(size_t bytes, const char *name) {
    struct refusal r;
    uint64_t at = alloc(local_arena(mer_job.mythread), with_end(bytes), bytes, name, &r);
    if (!at)
        refuse(name, bytes, bytes, &r);
    return at;
}

/* Returns the arena that contains address a of thread t, or null. */
static struct mer_arena *arena_of(int t, uint64_t a) {
    if (t < 0 || t >= mer_job.threads || a % MER_HEAP_ALIGN)
        return NULL;
    if (a >= mer_layout.local && a < mer_layout.end)
        return local_arena(t);
    return t == 0 && a >= mer_layout.symmetric && a < mer_layout.local ? symmetric_arena() : NULL;
}

/* Free an allocation of this host.  Returns null, or the error in the address. */
static const char *free_here(int t, uint64_t a, const char *name) {
    struct mer_arena *arena = arena_of(t, a);
    if (!arena)
        return "it points to no allocation";
    uint64_t released = 0;
    mer_mutex_lock(&arena->mutex, own_number(), name);
    const char *wrong = mer_arena_free(arena, a, &released);
    mer_mutex_unlock(&arena->mutex);
    credit = credit + released < MOST_CREDIT ? credit + released : MOST_CREDIT;
    return wrong;
}

/* Returns the bytes of the allocation at a, or 0 if none starts there; *total becomes the counted bytes. */
static uint64_t size_here(int t, uint64_t a, uint64_t *total) {
    struct mer_arena *arena = arena_of(t, a);
    if (!arena)
        return 0;
    mer_mutex_lock(&arena->mutex, own_number(), "malloc_usable_size");
    uint64_t bytes = mer_arena_size(arena, a, total);
    mer_mutex_unlock(&arena->mutex);
    return bytes;
}

/* Above every native address: the spans of a host take 2^46 bytes together. */
#define OWNER_SHIFT 48

/* Finds the starts of the allocations around a, as mer_heap_objects.  In a local heap, each start has the
 * thread's number + 1 above its address. */
static void objects_here(int t, uint64_t a, uint64_t starts[2]) {
    bool symmetric = a < mer_layout.local;
    struct mer_arena *arena = symmetric ? symmetric_arena() : local_arena(t);
    mer_mutex_lock(&arena->mutex, own_number(), "a loop with atomic operations");
    starts[0] = mer_arena_object(arena, a);
    starts[1] = mer_arena_slot_before(arena, a);
    mer_mutex_unlock(&arena->mutex);
    if (a - starts[1] > MOST_WITHOUT_END) /* the object ends before its slot */
        starts[1] = 0;
    for (int i = 0; i < 2; i++)
        if (starts[i] && !symmetric)
            starts[i] |= (uint64_t)(t + 1) << OWNER_SHIFT;
}

struct place {
    uint64_t thread, at;
};

static size_t serve_free(int caller, const void *in, void *out) {
    const struct place *p = in;
    mer_rva wrong = mer_rva_of(free_here((int)p->thread, p->at, remotely));
    (void)caller;
    memcpy(out, &wrong, sizeof wrong);
    return sizeof wrong;
}

static size_t serve_size(int caller, const void *in, void *out) {
    const struct place *p = in;
    uint64_t answer[2] = {0};
    (void)caller;
    answer[0] = size_here((int)p->thread, p->at, &answer[1]);
    memcpy(out, answer, sizeof answer);
    return sizeof answer;
}

static size_t serve_objects(int caller, const void *in, void *out) {
    const struct place *p = in;
    (void)caller;
    objects_here((int)p->thread, p->at, out);
    return 2 * sizeof(uint64_t);
}

static const char *free_among_hosts(int t, uint64_t a) {
    struct place p = {(uint64_t)t, a};
    mer_rva wrong;
    if (t < 0 || t >= mer_job.threads)
        return "it points to no allocation";
    if (t == 0 && a >= mer_layout.symmetric && a < mer_layout.local) {
        uint64_t size[2];
        mer_am_call_host(0, serve_size, &p, sizeof p, size, sizeof size);
        struct release back = {a, size[0], size[1]};
        if (size[0] > MER_SMALL_MAX)
            release_on_hosts(&back, mer_hosts.count);
    }
    mer_am_call_host(t, serve_free, &p, sizeof p, &wrong, sizeof wrong);
    return wrong ? mer_where_text(wrong) : NULL;
}

void mer_heap_free(int t, uint64_t a, const char *name) {
    const char *wrong = mer_job.has_remote ? free_among_hosts(t, a) : free_here(t, a, name);
    if (wrong)
        mer_fatal("%s: the pointer (thread %d, address 0x%llx) cannot be freed: %s", name, t,
                  (unsigned long long)a, wrong);
}

size_t mer_heap_size(int t, uint64_t a) {
    uint64_t total;
    return size_here(t, a, &total);
}

void mer_heap_objects(int t, uint64_t a, uint64_t starts[2]) {
    starts[0] = starts[1] = 0;
    if (a < mer_layout.symmetric || a > mer_layout.end)
        return;
    struct place p = {a < mer_layout.local ? 0 : (uint64_t)t, a};
    if (mer_job.has_remote)
        mer_am_call_host((int)p.thread, serve_objects, &p, sizeof p, starts, 2 * sizeof *starts);
    else
        objects_here((int)p.thread, a, starts);
}

/* ---- start --------------------------------------------------------------------------------------------- */

static uint64_t round_up(uint64_t n) { return (n + MER_CHUNK - 1) / MER_CHUNK * MER_CHUNK; }

static uint64_t clamp(uint64_t n, uint64_t least, uint64_t most) {
    return n < least ? least : n > most ? most : n;
}

static _Noreturn void no_heap(uint64_t end) {
    char want[32], have[32];
    if (!mer_memory_limit())
        mer_fatal_job(
            "static shared arrays fill the address space of a thread; nothing is left for the heap");
    mer_fatal_job("each thread has %s of address space for shared memory, because of %s, but needs more than "
                  "%s. Raise the limit, use fewer threads%s",
                  mer_bytes_text(have, mer_layout.mapped - MER_HEAP_OFFSET), mer_memory_limit(),
                  mer_bytes_text(want, end - MER_HEAP_OFFSET),
                  mer_here.everything ? ", or set a smaller MERIDIAN_STACK" : "");
}

void mer_heap_start(uint64_t start, uint64_t stack) {
    uint64_t threads = (uint64_t)mer_job.threads, margin = 8 * MER_CHUNK;
    mer_layout.scratch = round_up(start);
    mer_layout.am = mer_layout.scratch + MER_SCRATCH_SIZE;
    mer_layout.stack = mer_layout.am + MER_AM_SIZE;
    mer_layout.local_state = mer_layout.stack + stack;
    if (mer_layout.local_state + margin >= mer_layout.mapped)
        no_heap(mer_layout.local_state + margin);
    uint64_t left = mer_layout.mapped - mer_layout.local_state - margin;
    uint64_t chunks = left / 2 / (MER_CHUNK + sizeof(struct mer_chunk));
    uint64_t state = round_up(mer_arena_state_size(chunks));
    mer_layout.symmetric_state = mer_layout.local_state + state;
    mer_layout.symmetric = mer_layout.symmetric_state + state;
    mer_layout.local = mer_layout.symmetric + chunks * MER_CHUNK;
    mer_layout.end = mer_layout.local + chunks * MER_CHUNK;
    /* Freed memory goes back to the system in pieces that are large compared with the cost of the calls, and
     * small compared with the job. */
    uint64_t local_back = clamp((256ULL << 20) / threads, 1ULL << 20, 16ULL << 20);
    uint64_t symmetric_back = clamp((16ULL << 20) / threads, MER_CHUNK, 16ULL << 20);
    mer_arena_init(local_arena(mer_job.mythread), mer_layout.local, chunks, mer_job.mythread,
                   (uint32_t)(local_back / MER_CHUNK));
    if (mer_job.mythread == 0) /* the last chunk stays free: no object ends where the local heap begins */
        mer_arena_init(symmetric_arena(), mer_layout.symmetric, chunks - 1, -1,
                       (uint32_t)(symmetric_back / MER_CHUNK));
}

void mer_heap_hide(void) {
    const struct mer_layout *l = &mer_layout;
    for (int t = 0; t < mer_job.threads; t++) {
        if (t == mer_job.mythread)
            continue;
        mer_memory_hide(mer_view(t, 0), l->low);
        mer_memory_hide(mer_view(t, MER_HEAP_OFFSET), l->scratch - MER_HEAP_OFFSET);
        mer_memory_hide(mer_view(t, l->stack), l->local_state - l->stack);
        mer_memory_hide(mer_view(t, l->symmetric), l->end - l->symmetric);
    }
}
