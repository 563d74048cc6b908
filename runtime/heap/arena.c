/* Arenas: slabs over runs over a map of chunks.  See arena.h. */
#include "heap/arena.h"

#include "host/memory.h"
#include "host/job.h"

#include <string.h>

#define HEAD_SIZE 4096ULL /* of the state, before the map */
#define UNITS (MER_CHUNK / MER_HEAP_ALIGN)
#define BIN_SCAN 8 /* runs of a request's own bin that are tried before larger bins */

static_assert(sizeof(struct mer_arena) <= HEAD_SIZE, "the map stands behind the head");
static_assert(UNITS == 16 * 64, "one bit a slot of the smallest class");

static struct mer_chunk *chunk(struct mer_arena *arena, uint32_t i) {
    return (struct mer_chunk *)((char *)arena + HEAD_SIZE) + i;
}

uint64_t mer_arena_state_size(uint64_t chunks) { return HEAD_SIZE + chunks * sizeof(struct mer_chunk); }

void mer_arena_init(struct mer_arena *arena, uint64_t base, uint64_t chunks, int owner, uint32_t give_back) {
    arena->limit = chunks > UINT32_MAX - 1 ? UINT32_MAX - 1 : (uint32_t)chunks;
    arena->base = base;
    arena->owner = owner;
    arena->give_back = give_back;
}

/* Returns the number of threads that hold the arena's memory. */
static uint64_t holders(const struct mer_arena *arena) {
    return arena->owner < 0 ? (uint64_t)mer_job.threads : 1;
}

void mer_arena_count(uint64_t bytes) {
    /* Relaxed: a statistic. */
    __atomic_fetch_add(&mer_here.control->heap.reserved, bytes, __ATOMIC_RELAXED);
}

/* Returns the bytes of `length' chunks with `total' bytes in use that may be on this host. */
static uint64_t reserved_here(const struct mer_arena *arena, uint64_t length, uint64_t total) {
    uint64_t most = length * MER_CHUNK * (arena->owner < 0 ? (uint64_t)mer_job.here : 1);
    return total < most ? total : most;
}

/* Returns the number of chunks that hold so many bytes. */
static uint64_t chunks_of(uint64_t bytes) { return bytes / MER_CHUNK + (bytes % MER_CHUNK != 0); }

uint64_t mer_arena_round(uint64_t bytes) {
    uint64_t chunks = chunks_of(bytes);
    return chunks < UINT64_MAX / MER_CHUNK ? chunks * MER_CHUNK : UINT64_MAX;
}

/* ---- doubly linked lists of chunks --------------------------------------------------------------------- */

static void list_push(struct mer_arena *arena, uint32_t *head, uint32_t i) {
    struct mer_chunk *c = chunk(arena, i);
    c->prev = 0;
    c->next = *head;
    if (*head)
        chunk(arena, *head - 1)->prev = i + 1;
    *head = i + 1;
}

static void list_remove(struct mer_arena *arena, uint32_t *head, uint32_t i) {
    struct mer_chunk *c = chunk(arena, i);
    if (c->next)
        chunk(arena, c->next - 1)->prev = c->prev;
    if (c->prev)
        chunk(arena, c->prev - 1)->next = c->next;
    else
        *head = c->next;
}

/* ---- runs ---------------------------------------------------------------------------------------------- */

/* Returns the bin of a length.  Lengths up to 15 have a bin each, then there are eight bins for each
 * doubling.  A bin holds the lengths from its smallest up to the next bin's smallest. */
static unsigned bin_of(uint32_t length) {
    if (length < 8)
        return length;
    unsigned log = 31 - (unsigned)__builtin_clz(length);
    return (log - 2) * 8 + (length >> (log - 3) & 7);
}

/* Returns the first bin whose runs are all at least `length` long. */
static unsigned bin_above(uint32_t length) {
    if (length < 16)
        return bin_of(length);
    unsigned log = 31 - (unsigned)__builtin_clz(length);
    uint64_t up = (uint64_t)length + (1U << (log - 3)) - 1;
    return up > UINT32_MAX ? MER_BINS - 1 : bin_of((uint32_t)up);
}

static void bin_put(struct mer_arena *arena, uint32_t i, uint32_t length, uint32_t dirty) {
    struct mer_chunk *c = chunk(arena, i);
    c->state = MER_CHUNK_FREE;
    c->length = length;
    c->dirty = dirty;
    if (length > 1) {
        struct mer_chunk *last = chunk(arena, i + length - 1);
        last->state = MER_CHUNK_FREE_LAST;
        last->length = length;
    }
    unsigned bin = bin_of(length);
    list_push(arena, &arena->bins[bin], i);
    arena->bins_used[bin / 64] |= 1ULL << bin % 64;
}

/* Take a free run out of its bin; its end chunks become MER_CHUNK_NONE. */
static void bin_take(struct mer_arena *arena, uint32_t i) {
    struct mer_chunk *c = chunk(arena, i);
    unsigned bin = bin_of(c->length);
    list_remove(arena, &arena->bins[bin], i);
    if (!arena->bins[bin])
        arena->bins_used[bin / 64] &= ~(1ULL << bin % 64);
    c->state = MER_CHUNK_NONE;
    chunk(arena, i + c->length - 1)->state = MER_CHUNK_NONE;
}

/* Returns a free run of at least `length` chunks as index + 1, or 0 if none is found.  Of the runs in the
 * request's own bin, which may be shorter, at most `tries' are examined. */
static uint32_t find_run(struct mer_arena *arena, uint32_t length, uint32_t tries) {
    unsigned bin = bin_above(length), own = bin_of(length);
    for (uint32_t at = arena->bins[own]; at && tries; at = chunk(arena, at - 1)->next, tries--)
        if (chunk(arena, at - 1)->length >= length)
            return at;
    for (unsigned word = bin / 64; word < MER_BINS / 64; word++) {
        uint64_t used = arena->bins_used[word];
        if (word == bin / 64)
            used &= ~0ULL << bin % 64;
        if (used)
            return arena->bins[word * 64 + (unsigned)__builtin_ctzll(used)];
    }
    return 0;
}

/* Returns the free run that ends before chunk i as index + 1, or 0 if there is none. */
static uint32_t free_run_before(struct mer_arena *arena, uint32_t i) {
    if (i == 0)
        return 0;
    struct mer_chunk *c = chunk(arena, i - 1);
    if (c->state == MER_CHUNK_FREE_LAST)
        return i - c->length + 1;
    return c->state == MER_CHUNK_FREE ? i : 0;
}

/* Add fresh chunks to the free run at the top, or make a run of them, until it has `length' chunks.  Returns
 * the run as index + 1, or 0 if too few chunks are left. */
static uint32_t extend(struct mer_arena *arena, uint32_t length) {
    uint32_t before = free_run_before(arena, arena->top);
    uint32_t have = before ? chunk(arena, before - 1)->length : 0;
    uint32_t dirty = before ? chunk(arena, before - 1)->dirty : 0;
    if (have >= length)
        return before;
    if (length - have > arena->limit - arena->top)
        return 0;
    uint32_t at = arena->top - have;
    if (before)
        bin_take(arena, at);
    arena->top = at + length;
    bin_put(arena, at, length, dirty);
    return at + 1;
}

/* Hand out length > 0 chunks, the first of a free run.  Returns their index + 1, or 0 if no run is that long.
 * The search is short as long as fresh chunks are left, and complete when none are. */
static uint32_t run_alloc(struct mer_arena *arena, uint32_t length) {
    uint32_t found = find_run(arena, length, BIN_SCAN);
    if (!found)
        found = extend(arena, length);
    if (!found)
        found = find_run(arena, length, UINT32_MAX);
    if (!found)
        return 0;
    uint32_t at = found - 1, have = chunk(arena, at)->length, dirty = chunk(arena, at)->dirty;
    bin_take(arena, at);
    if (have > length) {
        uint32_t rest = have - length;
        bin_put(arena, at + length, rest, dirty < rest ? dirty : rest);
    }
    return found;
}

static void discard(struct mer_arena *arena, uint32_t i, uint32_t length) {
    int first = arena->owner < 0 ? mer_job.here_first : arena->owner;
    int last = arena->owner < 0 ? first + mer_job.here - 1 : first;
    for (int t = first; t <= last; t++)
        mer_memory_discard(mer_view(t, arena->base + i * MER_CHUNK), length * MER_CHUNK);
}

/* Free chunks that were handed out, and merge them with their free neighbours. */
static void run_free(struct mer_arena *arena, uint32_t i, uint32_t length) {
    uint32_t dirty = length;
    chunk(arena, i)->state = MER_CHUNK_NONE;
    uint32_t before = free_run_before(arena, i);
    if (before) {
        struct mer_chunk *c = chunk(arena, before - 1);
        dirty += c->dirty;
        length += c->length;
        i = before - 1;
        bin_take(arena, i);
    }
    if (i + length < arena->top && chunk(arena, i + length)->state == MER_CHUNK_FREE) {
        struct mer_chunk *c = chunk(arena, i + length);
        uint32_t more = c->length;
        dirty += c->dirty;
        bin_take(arena, i + length);
        length += more;
    }
    if (dirty >= arena->give_back) {
        discard(arena, i, length);
        dirty = 0;
    }
    bin_put(arena, i, length, dirty);
}

/* ---- slabs --------------------------------------------------------------------------------------------- */

/* Returns the size class of a request, by units of 64 bytes: 1 ... 16, then four classes for each doubling,
 * to 512 units. */
static unsigned class_of(uint64_t bytes) {
    unsigned units = (unsigned)((bytes + MER_HEAP_ALIGN - 1) / MER_HEAP_ALIGN);
    if (units <= 16)
        return units - 1;
    unsigned log = 31 - (unsigned)__builtin_clz(units - 1);
    return 16 + (log - 4) * 4 + ((units - 1) >> (log - 2)) - 4;
}

static unsigned class_units(unsigned class) {
    if (class < 16)
        return class + 1;
    unsigned log = 4 + (class - 16) / 4;
    return ((class - 16) % 4 + 5) << (log - 2);
}

uint64_t mer_arena_class_size(uint64_t bytes) { return class_units(class_of(bytes)) * MER_HEAP_ALIGN; }

/* Take an empty slab off its class's list, and free its chunk.  Returns the bytes that no longer count as
 * reserved. */
static uint64_t slab_release(struct mer_arena *arena, uint32_t i) {
    struct mer_chunk *c = chunk(arena, i);
    uint64_t released = reserved_here(arena, 1, c->total);
    list_remove(arena, &arena->slabs[c->class], i);
    mer_arena_count(-released);
    run_free(arena, i, 1);
    return released;
}

/* Free the chunks of all empty slabs; each class keeps at most one of these.  Returns true if there was
 * any. */
static bool slabs_reclaim(struct mer_arena *arena) {
    bool any = false;
    for (unsigned class = 0; class < MER_CLASSES; class ++)
        for (uint32_t at = arena->slabs[class]; at; at = chunk(arena, at - 1)->next)
            if (chunk(arena, at - 1)->vacant == UNITS / class_units(class)) {
                slab_release(arena, at - 1);
                any = true;
                break;
            }
    return any;
}

/* Like run_alloc, but frees empty slabs if no run is long enough. */
static uint32_t run_or_reclaimed(struct mer_arena *arena, uint32_t length) {
    uint32_t found = run_alloc(arena, length);
    return !found && slabs_reclaim(arena) ? run_alloc(arena, length) : found;
}

static uint32_t slab_new(struct mer_arena *arena, unsigned class) {
    uint32_t found = run_or_reclaimed(arena, 1);
    if (!found)
        return 0;
    struct mer_chunk *c = chunk(arena, found - 1);
    unsigned slots = UNITS / class_units(class);
    c->state = MER_CHUNK_SLAB;
    c->class = (uint8_t) class;
    c->vacant = (uint16_t)slots;
    c->total = MER_CHUNK * holders(arena);
    mer_arena_count(reserved_here(arena, 1, c->total));
    memset(c->free, 0, sizeof c->free);
    for (unsigned word = 0; word < slots / 64; word++)
        c->free[word] = ~0ULL;
    if (slots % 64)
        c->free[slots / 64] = (1ULL << slots % 64) - 1;
    list_push(arena, &arena->slabs[class], found - 1);
    return found;
}

static uint64_t slot_alloc(struct mer_arena *arena, unsigned class) {
    uint32_t slab = arena->slabs[class];
    if (!slab)
        slab = slab_new(arena, class);
    if (!slab)
        return 0;
    struct mer_chunk *c = chunk(arena, slab - 1);
    unsigned word = 0;
    while (!c->free[word])
        word++;
    unsigned slot = word * 64 + (unsigned)__builtin_ctzll(c->free[word]);
    c->free[word] &= c->free[word] - 1;
    if (--c->vacant == 0)
        list_remove(arena, &arena->slabs[class], slab - 1);
    return arena->base + (slab - 1) * MER_CHUNK + slot * class_units(class) * MER_HEAP_ALIGN;
}

static const char *slot_free(struct mer_arena *arena, uint32_t i, uint32_t offset, uint64_t *released) {
    struct mer_chunk *c = chunk(arena, i);
    unsigned units = class_units(c->class), slots = (unsigned)UNITS / units;
    unsigned slot = offset / (unsigned)MER_HEAP_ALIGN / units;
    if (slot >= slots)
        return "it points to no allocation";
    if (c->free[slot / 64] >> slot % 64 & 1)
        return "it is free already";
    if (offset != slot * units * MER_HEAP_ALIGN)
        return "it points into an allocation, not to its start";
    c->free[slot / 64] |= 1ULL << slot % 64;
    uint32_t *head = &arena->slabs[c->class];
    if (++c->vacant == 1)
        list_push(arena, head, i);
    /* An empty slab is freed unless it is the class's last: the next allocation would make it again. */
    if (c->vacant == slots && (c->next || c->prev))
        *released = slab_release(arena, i);
    return NULL;
}

/* ---- the interface ------------------------------------------------------------------------------------- */

bool mer_arena_needs_run(const struct mer_arena *arena, uint64_t bytes) {
    return bytes > MER_SMALL_MAX || !arena->slabs[class_of(bytes)];
}

uint64_t mer_arena_alloc(struct mer_arena *arena, uint64_t bytes, uint64_t total) {
    if (bytes <= MER_SMALL_MAX)
        return slot_alloc(arena, class_of(bytes));
    uint64_t length = chunks_of(bytes);
    uint32_t found = length <= arena->limit ? run_or_reclaimed(arena, (uint32_t)length) : 0;
    if (!found)
        return 0;
    struct mer_chunk *c = chunk(arena, found - 1);
    c->state = MER_CHUNK_RUN;
    c->length = (uint32_t)length;
    c->total = total;
    mer_arena_count(reserved_here(arena, length, total));
    return arena->base + (found - 1) * MER_CHUNK;
}

const char *mer_arena_free(struct mer_arena *arena, uint64_t address, uint64_t *released) {
    *released = 0;
    uint64_t offset = address - arena->base;
    uint32_t i = (uint32_t)(offset / MER_CHUNK);
    if (offset / MER_CHUNK >= arena->top)
        return "it points to no allocation";
    struct mer_chunk *c = chunk(arena, i);
    switch (c->state) {
    case MER_CHUNK_SLAB:
        return slot_free(arena, i, (uint32_t)(offset % MER_CHUNK), released);
    case MER_CHUNK_RUN:
        if (offset % MER_CHUNK)
            return "it points into an allocation, not to its start";
        *released = reserved_here(arena, c->length, c->total);
        mer_arena_count(-*released);
        run_free(arena, i, c->length);
        return NULL;
    case MER_CHUNK_FREE:
        return "it is free already";
    default:
        return "it points into an allocation or into free memory, not to an allocation's start";
    }
}

uint64_t mer_arena_size(struct mer_arena *arena, uint64_t address, uint64_t *total) {
    uint64_t offset = address - arena->base;
    *total = 0;
    if (offset / MER_CHUNK >= arena->top)
        return 0;
    struct mer_chunk *c = chunk(arena, (uint32_t)(offset / MER_CHUNK));
    if (c->state == MER_CHUNK_SLAB)
        return class_units(c->class) * MER_HEAP_ALIGN;
    if (c->state != MER_CHUNK_RUN || offset % MER_CHUNK)
        return 0;
    *total = c->total;
    return c->length * MER_CHUNK;
}

/* Returns the start of the slot in use that contains an address within a slab, or 0. */
static uint64_t slot_at(struct mer_arena *arena, uint64_t i, uint64_t offset) {
    struct mer_chunk *c = chunk(arena, (uint32_t)i);
    unsigned units = class_units(c->class), slots = (unsigned)UNITS / units;
    unsigned slot = (unsigned)(offset % MER_CHUNK / MER_HEAP_ALIGN) / units;
    bool free = slot >= slots || (c->free[slot / 64] >> slot % 64 & 1);
    return free ? 0 : arena->base + i * MER_CHUNK + slot * units * MER_HEAP_ALIGN;
}

uint64_t mer_arena_object(struct mer_arena *arena, uint64_t address) {
    uint64_t offset = address - arena->base, i = offset / MER_CHUNK;
    if (address < arena->base || i >= arena->top)
        return 0;
    struct mer_chunk *c = chunk(arena, (uint32_t)i);
    if (c->state == MER_CHUNK_SLAB)
        return slot_at(arena, i, offset);
    while (c->state == MER_CHUNK_NONE && i > 0)
        c = chunk(arena, (uint32_t)--i);
    bool inside = c->state == MER_CHUNK_RUN && offset / MER_CHUNK - i < c->length;
    return inside ? arena->base + i * MER_CHUNK : 0;
}

uint64_t mer_arena_slot_before(struct mer_arena *arena, uint64_t address) {
    uint64_t offset = address - 1 - arena->base, i = offset / MER_CHUNK;
    if (address <= arena->base || i >= arena->top)
        return 0;
    struct mer_chunk *c = chunk(arena, (uint32_t)i);
    if (c->state != MER_CHUNK_SLAB)
        return 0;
    uint64_t start = slot_at(arena, i, offset);
    return start && start + class_units(c->class) * MER_HEAP_ALIGN == address ? start : 0;
}
