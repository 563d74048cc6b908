/* The shared heap: which arena serves a request, and whether the machine has the memory for it.
 *
 * Memory is committed when it is touched, so the system would grant any request and kill the job later, when
 * the memory is used.  Therefore a request is held against what there is: what the system says is available,
 * less what was handed out and is not committed yet.  Asking the system takes microseconds; each process
 * therefore keeps a credit, a small share of what was found to be available, and asks again when it is used
 * up.
 */
#include "heap/heap.h"

#include "conduit/smp/host.h"
#include "core/job.h"
#include "core/message.h"
#include "heap/arena.h"
#include "heap/layout.h"

#include <stdio.h>

struct mer_layout mer_layout;

#define MOST_CREDIT (64ULL << 20)

static uint64_t credit; /* bytes that this process may hand out before it asks the system again */

static struct mer_arena *local_arena(int t) { return mer_view(t, mer_layout.local_state); }
static struct mer_arena *symmetric_arena(void) { return mer_view(0, mer_layout.symmetric_state); }
static uint32_t own_number(void) { return (uint32_t)mer_job.mythread + 1; }

/* ---- what there is ---------------------------------------------------------------------------------------
 */

static uint64_t less(uint64_t a, uint64_t b) { return a > b ? a - b : 0; }

static uint64_t available(int *limited) {
    uint64_t reserved = __atomic_load_n(&mer_here.control->heap.reserved, __ATOMIC_RELAXED);
    uint64_t untouched = less(reserved, mer_smp_memory_committed(mer_here.memory_fd));
    uint64_t room = mer_smp_memory_available(limited);
    return less(room - room / 32, untouched); /* the rest is the system's own need */
}

static void refuse(const char *name, uint64_t bytes, uint64_t total, uint64_t there, const char *whose) {
    if (!name)
        return;
    char asked[32], each[32], have[32], on_each[64] = "";
    if (total != bytes)
        snprintf(on_each, sizeof on_each, " (%s on each thread)", mer_bytes_text(each, bytes));
    mer_warn("%s: asked for %s of shared memory%s, but %s %s; it returns a null pointer-to-shared", name,
             mer_bytes_text(asked, total), on_each, whose, mer_bytes_text(have, there));
}

/* May `total` bytes be handed out?  If not, says so. */
static bool affordable(uint64_t bytes, uint64_t total, const char *name) {
    if (total <= credit) {
        credit -= total;
        return true;
    }
    int limited;
    uint64_t there = available(&limited);
    if (total > there) {
        refuse(name, bytes, total, there,
               limited ? "this container (control group) has only" : "this host has only");
        return false;
    }
    uint64_t share = (there - total) / 16 / (uint64_t)mer_job.threads;
    credit = share < MOST_CREDIT ? share : MOST_CREDIT;
    return true;
}

/* ---- allocation
 * -------------------------------------------------------------------------------------------- */

static uint64_t alloc(struct mer_arena *arena, uint64_t bytes, uint64_t total, const char *name) {
    bool small = bytes <= MER_SMALL_MAX;
    if (!small && !affordable(bytes, total, name))
        return 0;
    mer_mutex_lock(&arena->mutex, own_number(), name);
    uint64_t slab = MER_CHUNK * (total > bytes ? (uint64_t)mer_job.threads : 1);
    uint64_t at = 0;
    bool granted = !small || !mer_arena_needs_run(arena, bytes) || affordable(bytes, slab, name);
    if (granted)
        at = mer_arena_alloc(arena, bytes, total);
    mer_mutex_unlock(&arena->mutex);
    if (granted && !at)
        refuse(name, bytes, total, arena->limit * MER_CHUNK, "the address space of a thread holds");
    return at;
}

uint64_t mer_heap_symmetric(size_t bytes, size_t in_use, const char *name) {
    return alloc(symmetric_arena(), bytes, in_use, name);
}

uint64_t mer_heap_local(size_t bytes, const char *name) {
    return alloc(local_arena(mer_job.mythread), bytes, bytes, name);
}

/* The arena that address a of thread t lies in; null: none. */
static struct mer_arena *arena_of(int t, uint64_t a) {
    if (t < 0 || t >= mer_job.threads || a % MER_HEAP_ALIGN)
        return NULL;
    if (a >= mer_layout.local && a < mer_layout.end)
        return local_arena(t);
    return t == 0 && a >= mer_layout.symmetric && a < mer_layout.local ? symmetric_arena() : NULL;
}

void mer_heap_free(int t, uint64_t a, const char *name) {
    struct mer_arena *arena = arena_of(t, a);
    const char *wrong = "it points to no allocation";
    uint64_t released = 0;
    if (arena) {
        mer_mutex_lock(&arena->mutex, own_number(), name);
        wrong = mer_arena_free(arena, a, &released);
        mer_mutex_unlock(&arena->mutex);
    }
    if (wrong)
        mer_fatal("%s: the pointer (thread %d, address 0x%llx) cannot be freed: %s", name, t,
                  (unsigned long long)a, wrong);
    credit = credit + released < MOST_CREDIT ? credit + released : MOST_CREDIT;
}

size_t mer_heap_size(int t, uint64_t a) {
    struct mer_arena *arena = arena_of(t, a);
    if (!arena)
        return 0;
    mer_mutex_lock(&arena->mutex, own_number(), "malloc_usable_size");
    uint64_t bytes = mer_arena_size(arena, a);
    mer_mutex_unlock(&arena->mutex);
    return bytes;
}

/* ---- start
 * ---------------------------------------------------------------------------------------------------- */

static uint64_t round_up(uint64_t n) { return (n + MER_CHUNK - 1) / MER_CHUNK * MER_CHUNK; }

static uint64_t clamp(uint64_t n, uint64_t least, uint64_t most) {
    return n < least ? least : n > most ? most : n;
}

void mer_heap_start(uint64_t start, uint64_t stack) {
    uint64_t threads = (uint64_t)mer_job.threads, margin = 8 * MER_CHUNK;
    mer_layout.scratch = round_up(start);
    mer_layout.am = mer_layout.scratch + MER_SCRATCH_SIZE;
    mer_layout.stack = mer_layout.am + MER_AM_SIZE;
    mer_layout.local_state = mer_layout.stack + stack;
    if (mer_layout.local_state + margin >= mer_job.span)
        mer_fatal_job(
            "static shared arrays fill the address space of a thread; nothing is left for the heap");
    uint64_t room = mer_job.span - mer_layout.local_state - margin;
    uint64_t chunks = room / 2 / (MER_CHUNK + sizeof(struct mer_chunk));
    uint64_t state = round_up(mer_arena_state_size(chunks));
    mer_layout.symmetric_state = mer_layout.local_state + state;
    mer_layout.symmetric = mer_layout.symmetric_state + state;
    mer_layout.local = mer_layout.symmetric + chunks * MER_CHUNK;
    mer_layout.end = mer_layout.local + chunks * MER_CHUNK;
    /* Freed memory goes back in pieces that are large against the calls' cost, and small against the job. */
    uint64_t local_back = clamp((256ULL << 20) / threads, 1ULL << 20, 16ULL << 20);
    uint64_t symmetric_back = clamp((16ULL << 20) / threads, MER_CHUNK, 16ULL << 20);
    mer_arena_init(local_arena(mer_job.mythread), mer_layout.local, chunks, mer_job.mythread,
                   (uint32_t)(local_back / MER_CHUNK));
    if (mer_job.mythread == 0)
        mer_arena_init(symmetric_arena(), mer_layout.symmetric, chunks, -1,
                       (uint32_t)(symmetric_back / MER_CHUNK));
}
