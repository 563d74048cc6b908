/* The arena against a model: a byte for each unit of 64 bytes says whether an allocation holds it.
 * Allocations do not overlap, and the arena returns none only if no free run is long enough.  Built without
 * the rest of the library, over a map of chunks alone: the chunks themselves are never touched. */
#include "job.h"

#include "heap/arena.h"
#include "host/job.h"
#include "host/memory.h"

#include <sys/mman.h>

#define BASE (1ULL << 40)
#define UNITS (MER_CHUNK / MER_HEAP_ALIGN)
#define HELD 4096

static struct mer_control control;
static struct mer_arena *arena;
static uint64_t state_size;

void mer_memory_discard(void *at, uint64_t length) {
    (void)at;
    (void)length;
}

/* Returns false if the system lacks the address space for the map. */
static bool arena_opened(uint64_t chunks) {
    state_size = mer_arena_state_size(chunks);
    arena = mmap(NULL, state_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
                 0);
    if (arena == MAP_FAILED)
        return false;
    mer_arena_init(arena, BASE, chunks, 0, 16);
    control.heap.reserved = 0;
    return true;
}

static void arena_open(uint64_t chunks) { CHECK(arena_opened(chunks)); }

static void arena_close(void) { munmap(arena, state_size); }

static uint64_t alloc(uint64_t bytes) { return mer_arena_alloc(arena, bytes, bytes); }
static uint64_t alloc_chunks(uint64_t chunks) { return alloc(chunks * MER_CHUNK); }

static const char *release(uint64_t at) {
    uint64_t released;
    return mer_arena_free(arena, at, &released);
}

/* ---- cases ------------------------------------------------------------------------------------------- */

/* A free run at the top that is longer than the request, and enough shorter ones in the request's bin that
 * the search does not reach it. */
static void top_longer_than_request(void) {
    enum { SHORT = 8 };
    uint64_t shorter[SHORT];
    arena_open(1 << 20);
    for (int i = 0; i < SHORT; i++) {
        shorter[i] = alloc_chunks(32);
        CHECK(shorter[i] && alloc_chunks(1));
    }
    uint64_t top = alloc_chunks(35);
    CHECK(top && !release(top));
    for (int i = 0; i < SHORT; i++)
        CHECK(!release(shorter[i]));
    CHECK(alloc_chunks(33) == top);
    arena_close();
}

/* A run that the search of its bin does not reach, not at the top, when no fresh chunks are left. */
static void last_of_its_bin(void) {
    enum { SHORT = 20 };
    uint64_t shorter[SHORT];
    arena_open(35 + 1 + SHORT * 33);
    uint64_t first = alloc_chunks(35);
    CHECK(first && alloc_chunks(1));
    for (int i = 0; i < SHORT; i++) {
        shorter[i] = alloc_chunks(32);
        CHECK(shorter[i] && alloc_chunks(1));
    }
    CHECK(!alloc_chunks(1) && !release(first));
    for (int i = 0; i < SHORT; i++)
        CHECK(!release(shorter[i]));
    CHECK(alloc_chunks(33) == first);
    arena_close();
}

/* A class keeps an empty slab, but not when its chunk is needed. */
static void empty_slabs(void) {
    arena_open(MER_CLASSES);
    uint64_t slots[MER_CLASSES], bytes = 1;
    for (int i = 0; i < MER_CLASSES; i++, bytes = mer_arena_class_size(bytes) + 1)
        CHECK((slots[i] = alloc(bytes)) != 0);
    CHECK(!alloc_chunks(1));
    for (int i = 0; i < MER_CLASSES; i++)
        CHECK(!release(slots[i]));
    CHECK(alloc_chunks(MER_CLASSES) == BASE);
    CHECK(!release(BASE) && control.heap.reserved == 0);
    arena_close();
}

/* Sizes at the limits of the counts: in bytes, and in chunks. */
static void largest_sizes(void) {
    static const uint64_t limits[] = {1, 100, 1ULL << 31, UINT32_MAX - 1, UINT32_MAX, 1ULL << 32};
    for (unsigned i = 0; i < sizeof limits / sizeof *limits; i++) {
        if (!arena_opened(limits[i])) { /* as on systems that forbid overcommitting */
            CHECK(limits[i] > 100);
            continue;
        }
        uint64_t most = limits[i] < UINT32_MAX ? limits[i] : UINT32_MAX - 1;
        for (uint64_t below = 0; below < 2 * MER_CHUNK; below += MER_CHUNK / 2 - 1)
            CHECK(!alloc(UINT64_MAX - below) && mer_arena_round(UINT64_MAX - below) >= UINT64_MAX - below);
        for (uint64_t more = 1; more < 1ULL << 47; more *= 2)
            CHECK(!alloc_chunks(most + more));
        uint64_t whole = alloc_chunks(most);
        CHECK(whole == BASE && !alloc(1) && !release(whole));
        CHECK(alloc_chunks(most) == whole && !release(whole));
        uint64_t parts[2] = {alloc_chunks((most + 1) / 2), most > 1 ? alloc_chunks(most / 2) : 0};
        CHECK(parts[0] && (most == 1 || parts[1]) && !alloc(1) && !release(parts[0]));
        CHECK(most == 1 || !release(parts[1]));
        CHECK(alloc_chunks(most) == whole && control.heap.reserved == most * MER_CHUNK && !release(whole));
        arena_close();
    }
}

/* ---- random operations against the model -------------------------------------------------------------- */

static unsigned char *unit_held; /* by unit: 1 within an allocation */
static uint32_t *small_in;       /* by chunk: small allocations in it; */
static uint64_t *size_in;        /* and the size of each */
static uint64_t chunks_there;

static struct held { uint64_t at, bytes; } held[HELD];

/* Returns true if the chunk is free: in no run, and in no slab with an allocation. */
static bool chunk_free(uint64_t chunk) { return !small_in[chunk] && !unit_held[chunk * UNITS]; }

static uint64_t longest_free(void) {
    uint64_t longest = 0, length = 0;
    for (uint64_t chunk = 0; chunk < chunks_there; chunk++) {
        length = chunk_free(chunk) ? length + 1 : 0;
        longest = length > longest ? length : longest;
    }
    return longest;
}

static bool slot_free_for(uint64_t size) {
    for (uint64_t chunk = 0; chunk < chunks_there; chunk++)
        if (small_in[chunk] && size_in[chunk] == size && small_in[chunk] < MER_CHUNK / size)
            return true;
    return false;
}

static void hold(const struct held *h, unsigned char now) {
    uint64_t first = (h->at - BASE) / MER_HEAP_ALIGN;
    uint64_t size = h->bytes > MER_SMALL_MAX ? mer_arena_round(h->bytes) : mer_arena_class_size(h->bytes);
    for (uint64_t unit = first; unit < first + size / MER_HEAP_ALIGN; unit++) {
        CHECK(unit_held[unit] == !now);
        unit_held[unit] = now;
    }
    if (h->bytes > MER_SMALL_MAX)
        return;
    small_in[first / UNITS] += now ? 1 : UINT32_MAX;
    size_in[first / UNITS] = size;
}

static void allocate(struct held *h, uint64_t bytes) {
    *h = (struct held){alloc(bytes), bytes};
    if (h->at) {
        CHECK(h->at >= BASE && h->at % MER_HEAP_ALIGN == 0 && h->at - BASE < chunks_there * MER_CHUNK);
        hold(h, 1);
    } else if (bytes > MER_SMALL_MAX) {
        CHECK(longest_free() * MER_CHUNK < bytes);
    } else {
        CHECK(longest_free() == 0 && !slot_free_for(mer_arena_class_size(bytes)));
    }
}

static void deallocate(struct held *h) {
    hold(h, 0);
    uint64_t inside = h->at + h->at / MER_HEAP_ALIGN * 7919 % h->bytes;
    CHECK(mer_arena_object(arena, inside) == h->at);
    CHECK(mer_arena_object(arena, h->at) == h->at && mer_arena_object(arena, h->at + h->bytes - 1) == h->at);
    CHECK(release(h->at) == NULL);
    CHECK(!mer_arena_object(arena, h->at) && !mer_arena_object(arena, inside));
    h->at = 0;
}

/* Small ones, runs of a few lengths that share a bin, any length, and more than there is. */
static uint64_t random_bytes(unsigned *seed, unsigned many) {
    uint64_t any = (uint64_t)job_random(seed) << 32 | job_random(seed);
    switch (job_random(seed) % 8) {
    case 0:
    case 1:
        return 1 + any % (job_random(seed) % 4 ? 2000 : MER_SMALL_MAX);
    case 2:
        return (uint64_t)1 << any % 64 | any >> 32;
    case 3:
        return MER_CHUNK * (1 + any % chunks_there) - any % 3;
    default:
        return MER_CHUNK * (many + any % (1 + many / 8));
    }
}

static void random_operations(unsigned seed, uint64_t chunks) {
    arena_open(chunks);
    chunks_there = chunks;
    unit_held = calloc(chunks, UNITS);
    small_in = calloc(chunks, sizeof *small_in);
    size_in = calloc(chunks, sizeof *size_in);
    CHECK(unit_held && small_in && size_in);
    memset(held, 0, sizeof held);
    unsigned many = 1 + job_random(&seed) % 64, places = 1 + job_random(&seed) % HELD;
    for (int i = 0; i < 6000; i++) {
        struct held *h = &held[job_random(&seed) % places];
        if (i % 1500 == 1499) /* all of some: long free runs */
            for (unsigned k = job_random(&seed) % 3; k < places; k += 1 + job_random(&seed) % 3)
                if (held[k].at)
                    deallocate(&held[k]);
        if (h->at)
            deallocate(h);
        else
            allocate(h, random_bytes(&seed, many));
    }
    for (unsigned k = 0; k < places; k++)
        if (held[k].at)
            deallocate(&held[k]);
    uint64_t whole = alloc_chunks(chunks);
    CHECK(whole == BASE && !release(whole) && control.heap.reserved == 0);
    free(unit_held);
    free(small_in);
    free(size_in);
    arena_close();
}

int main(void) {
    mer_here.control = &control;
    mer_job.threads = mer_job.here = 1;
    top_longer_than_request();
    last_of_its_bin();
    empty_slabs();
    largest_sizes();
    for (unsigned seed = 1; seed <= 150; seed++)
        random_operations(seed * 2654435761u, 1 + seed * seed % 700);
    return 0;
}
