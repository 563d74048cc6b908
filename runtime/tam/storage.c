/* Blocks, bins and runs of free objects (storage.h), and when the next collection is due.
 *
 * A collection comes when blocks have been taken for as many bytes as the last one found live and as many
 * again, of these SPARE at most, and for LEAST at least.  So the cost of a collection is in proportion to the
 * bytes allocated, the storage is at most about twice the live bytes and SPARE, and a program that keeps
 * little reuses a few megabytes, which stay in the processor's caches.
 *
 * For the tests (MERIDIAN_TAM_ORDER) runs are short, collections come at random, and free objects are
 * overwritten.
 */
#include "base/clock.h"
#include "heap/heap.h"
#include "host/job.h"
#include "host/memory.h"
#include "host/resources.h"
#include "tam/storage.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#define LEAST ((size_t)8 << 20) /* bytes that are allocated from one collection to the next */
#define SPARE ((size_t)32 << 20)
#define MOST_RESERVED ((size_t)1 << 42)   /* bytes of addresses */
#define FEWEST_RESERVED ((size_t)1 << 24) /* if these are scarce */
#define FREED 0xdb                        /* with which the tests overwrite free objects */
#define SMALL_HEAP ((size_t)2 << 20)      /* which needs no large pages */
#define LARGE_PAGE ((uintptr_t)2 << 20)
#define LONG_FOR_LARGE_PAGE 400000      /* ns; as small pages the same memory takes 700,000 at least */
#define OFTEN_USED ((size_t)64 << 20)   /* of the range, by programs with little that is live */
#define FIRST_AT_ONCE ((size_t)4 << 20) /* of large pages that are asked for, */
#define MORE_AT_ONCE ((size_t)32 << 20) /* and at most */
/* In the tests there is one collection in RUNS runs, plus one run for each BYTES_OF_RUN live bytes: the cost
 * of a collection is in proportion to the bytes allocated from one to the next, so that the tests' time is
 * linear in the size of a program's data. */
#define RUNS 64
#define BYTES_OF_RUN 1024
#define LOOK_AFTER ((size_t)16 << 20) /* bytes taken between looks at the memory left */

struct tam_storage tam_storage;
uint32_t tam_bin_bytes[TAM_BINS], tam_bin_inverse[TAM_BINS];
static struct {
    uint32_t block; /* whose free objects are handed out, from this slot on */
    uint32_t slot;
    uint32_t next; /* after it */
} sweeping[TAM_BINS];
/* The number of free blocks below `used', and where the searches for one and for several in a row go on. */
static uint32_t free_blocks, free_from, free_run_from;

/* ---- the range ----------------------------------------------------------------------------------------- */

/* Reserves memory for objects, which the processors of the host share: at the same address in all of them. */
static void *reserve_shared(size_t bytes) {
    uint64_t native = mer_heap_local(bytes, NULL);
    return native ? mer_view(tam.me, native) : NULL;
}

static void *reserve(size_t bytes) {
    void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return at == MAP_FAILED ? NULL : at;
}

/* Returns the bytes to reserve: up to twice the machine's memory, less if addresses are limited.  If memory
 * is shared, this processor's part of half the machine's memory, since the shared heap has to hold all that
 * it grants. */
static size_t wanted(void) {
    size_t bytes = FEWEST_RESERVED;
    uint64_t memory = 2 * (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
    struct rlimit limit;
    if (mer_job.here > 1)
        memory /= 4 * (uint64_t)mer_job.here;
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur / 2 < memory)
        memory = limit.rlim_cur / 2;
    while (bytes < MOST_RESERVED && 2 * bytes <= memory)
        bytes *= 2;
    return bytes;
}

static bool reserve_all(size_t bytes) {
    size_t blocks = bytes / TAM_BLOCK, bits = bytes / TAM_GRAIN / 8;
    size_t beside = 3 * bits + blocks * sizeof(struct tam_block);
    char *side = reserve(beside);
    if (!side)
        return false;
    char *base = (mer_job.here > 1 ? reserve_shared : reserve)(bytes + TAM_BLOCK);
    if (!base) {
        munmap(side, beside);
        return false;
    }
    tam_storage.base = ((uintptr_t)base + TAM_BLOCK - 1) & ~(TAM_BLOCK - 1);
    /* Blocks are taken one after the other, and used again from the first on.  Blocks that only a large heap
     * reaches are used less often, and the kernel has to find and clear large pages for them, which can take
     * longer than they save; use_more looks at that.  The error of a kernel without large pages does not
     * matter. */
    if (mer_job.here == 1 && bytes > OFTEN_USED)
        (void)madvise((void *)(tam_storage.base + SMALL_HEAP), OFTEN_USED - SMALL_HEAP, MADV_HUGEPAGE);
    tam_storage.reserved = (uint32_t)blocks;
    tam_storage.marks = (uint64_t *)(void *)side;
    tam_storage.pins = tam_storage.marks + bits / 8;
    tam_storage.told = tam_storage.pins + bits / 8;
    tam_storage.blocks = (struct tam_block *)(void *)(side + 3 * bits);
    return true;
}

/* Bins: every multiple of 16 up to TAM_SMALL; then four from one power of two to the next. */
void tam_storage_start(void) {
    uint32_t bytes = 0;
    for (unsigned bin = 0; bin < TAM_BINS; bin++) {
        tam_bin_bytes[bin] = bytes ? bytes : TAM_GRAIN;
        tam_bin_inverse[bin] = (uint32_t)((((uint64_t)1 << 32) + tam_bin_bytes[bin] - 1) /
                                          tam_bin_bytes[bin]);
        sweeping[bin].block = sweeping[bin].next = TAM_NO_BLOCK;
        uint32_t step = TAM_GRAIN;
        while (step * 8 <= bytes && bytes >= TAM_SMALL)
            step *= 2;
        bytes += step;
    }
    size_t most = wanted();
    while (!reserve_all(most))
        if ((most /= 2) < FEWEST_RESERVED)
            tam_fail(0, "memory is exhausted: there are no addresses for the heap");
    tam_storage.budget = LEAST;
}

bool tam_memory_for(size_t bytes) {
    static size_t unseen, taken;
    int limited;
    if (unseen + bytes >= LOOK_AFTER) {
        uint64_t available = mer_memory_available(&limited);
        uint64_t kept = LOOK_AFTER * (unsigned)(mer_job.here + 1) + taken / 64;
        if (available < kept + bytes)
            return false;
        unseen = 0;
    }
    unseen += bytes;
    taken += bytes;
    return true;
}

void *tam_allocate(size_t bytes, uint32_t site) {
    void *at = tam_memory_for(bytes) ? malloc(bytes) : NULL;
    if (!at)
        tam_fail(site, "memory is exhausted on processor %d", tam.me);
    return at;
}

/* ---- blocks -------------------------------------------------------------------------------------------- */

static void *block_at(uint32_t number) {
    return (void *)(tam_storage.base + ((uintptr_t)number << TAM_BLOCK_SHIFT));
}

/* Takes `count' more blocks into use.  Memory that processors share gets its large pages here, and other
 * memory its large pages after OFTEN_USED, for as many bytes at a time as are in use already: the kernel does
 * not give them to shared memory by itself (host/memory.h), and touching 2 MB page by page takes several
 * times as long.  In each call the kernel waits for all CPUs.  If these have other programs to run, or a
 * virtual machine's host has to find the memory first, that takes longer than the small pages would; then no
 * more large pages are asked for.  So the first calls are for little. */
static void use_more(uint32_t count) {
    static uintptr_t large_to;
    static size_t at_once = FIRST_AT_ONCE;
    static bool enough;
    tam_storage.used += count;
    if (enough)
        return;
    uintptr_t base = tam_storage.base, used = (uintptr_t)block_at(tam_storage.used);
    uintptr_t begin = base + (mer_job.here == 1 ? OFTEN_USED : SMALL_HEAP);
    uintptr_t from = large_to ? large_to : (begin + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
    if (used <= from)
        return;
    if (used - from > 2 * MORE_AT_ONCE) /* an array, of which little may be used */
        from = used / LARGE_PAGE * LARGE_PAGE;
    uintptr_t more = used - base < at_once ? used - base : at_once;
    uintptr_t to = used + more, end = (uintptr_t)block_at(tam_storage.reserved);
    to = (to < end ? to : end) / LARGE_PAGE * LARGE_PAGE;
    enough = to <= from || !tam_memory_for(to - from);
    if (enough)
        return;
    uint64_t began = mer_clock_ns();
    mer_memory_large_pages((void *)from, to - from);
    enough = mer_clock_ns() - began > (to - from) / LARGE_PAGE * LONG_FOR_LARGE_PAGE;
    large_to = to;
    at_once = 2 * at_once < MORE_AT_ONCE ? 2 * at_once : MORE_AT_ONCE;
}

_Noreturn static void exhausted(size_t bytes, uint32_t site) {
    tam_fail(site, "memory is exhausted: no %zu bytes are left on processor %d", bytes, tam.me);
}

/* Collects, since there is no free block.  If that leaves hardly any, the next collections would follow each
 * other ever faster, for hours if the storage is large; then memory counts as exhausted. */
static void collect_or_end(size_t bytes, uint32_t site) {
    tam_collect();
    if (tam_storage.live / TAM_BLOCK >= tam_storage.used - tam_storage.used / 16)
        exhausted(bytes, site);
}

/* Returns a free block, or TAM_NO_BLOCK. */
static uint32_t take_block(void) {
    for (; free_blocks > 0 && free_from < tam_storage.used; free_from++)
        if (tam_storage.blocks[free_from].kind == TAM_FREE) {
            free_blocks--;
            return free_from++;
        }
    if (tam_storage.used == tam_storage.reserved || !tam_memory_for(TAM_BLOCK))
        return TAM_NO_BLOCK;
    use_more(1);
    return tam_storage.used - 1;
}

/* Returns the first of `count' free blocks in a row, or TAM_NO_BLOCK. */
static uint32_t take_blocks(uint32_t count) {
    uint32_t run = 0;
    for (; free_blocks >= count && free_run_from < tam_storage.used; free_run_from++) {
        run = tam_storage.blocks[free_run_from].kind == TAM_FREE ? run + 1 : 0;
        if (run == count) {
            free_blocks -= count;
            return ++free_run_from - count;
        }
    }
    if (count > tam_storage.reserved - tam_storage.used || !tam_memory_for(count * TAM_BLOCK))
        return TAM_NO_BLOCK;
    use_more(count);
    return tam_storage.used - count;
}

static void *large(size_t bytes, uint32_t site) {
    size_t count = (bytes + TAM_BLOCK - 1) / TAM_BLOCK;
    if (count > tam_storage.reserved)
        exhausted(bytes, site);
    if (tam_storage.since + count * TAM_BLOCK > tam_storage.budget)
        tam_collect();
    uint32_t first = take_blocks((uint32_t)count);
    if (first == TAM_NO_BLOCK) {
        collect_or_end(bytes, site);
        first = take_blocks((uint32_t)count);
    }
    if (first == TAM_NO_BLOCK)
        exhausted(bytes, site);
    tam_storage.since += count * TAM_BLOCK;
    for (uint32_t n = 0; n < count; n++)
        tam_storage.blocks[first + n] = (struct tam_block){.kind = n ? TAM_LARGE_REST : TAM_LARGE,
                                                           .count = n ? n : (uint32_t)count};
    return block_at(first);
}

/* ---- runs ---------------------------------------------------------------------------------------------- */

/* Makes a run of the next free objects of blocks that hold live ones.  Returns false if there are none. */
static bool next_run(unsigned bin) {
    size_t bytes = tam_bin_bytes[bin], count = TAM_BLOCK / bytes;
    while (sweeping[bin].block != TAM_NO_BLOCK) {
        uint32_t number = sweeping[bin].block, slot = sweeping[bin].slot;
        size_t bit = (size_t)number * (TAM_BLOCK / TAM_GRAIN), step = bytes / TAM_GRAIN;
        while (slot < count && tam_bit(tam_storage.marks, bit + slot * step))
            slot++;
        uint32_t first = slot;
        while (slot < count && !tam_bit(tam_storage.marks, bit + slot * step) &&
               (!tam.order || slot - first < 4))
            slot++;
        sweeping[bin].slot = slot;
        if (first < slot) {
            tam_registers.runs[bin].next = (char *)block_at(number) + first * bytes;
            tam_registers.runs[bin].end = (char *)block_at(number) + slot * bytes;
            if (tam.order)
                memset(tam_registers.runs[bin].next, FREED, (slot - first) * bytes);
            return true;
        }
        sweeping[bin].block = sweeping[bin].next;
        sweeping[bin].slot = 0;
        if (sweeping[bin].block != TAM_NO_BLOCK)
            sweeping[bin].next = tam_storage.blocks[sweeping[bin].block].next;
    }
    return false;
}

/* Makes a run of a block without live objects, which becomes the bin's.  Returns false if there is none. */
static bool fresh_run(unsigned bin) {
    uint32_t number = take_block();
    if (number == TAM_NO_BLOCK)
        return false;
    tam_storage.since += TAM_BLOCK;
    tam_storage.blocks[number] = (struct tam_block){
        .kind = TAM_SMALL_OBJECTS, .bin = (uint8_t)bin, .count = tam_bin_inverse[bin]};
    size_t bytes = tam_bin_bytes[bin], count = TAM_BLOCK / bytes;
    if (tam.order) {
        /* In short runs, as if the block held live objects. */
        memset(tam_storage.marks + number * TAM_BLOCK_WORDS, 0, TAM_BLOCK_WORDS * sizeof(uint64_t));
        sweeping[bin].block = number;
        sweeping[bin].slot = 0;
        sweeping[bin].next = TAM_NO_BLOCK;
        return next_run(bin);
    }
    tam_registers.runs[bin].next = block_at(number);
    tam_registers.runs[bin].end = tam_registers.runs[bin].next + count * bytes;
    return true;
}

static unsigned bin_for(size_t bytes) {
    if (bytes <= TAM_SMALL)
        return (unsigned)((bytes + TAM_GRAIN - 1) / TAM_GRAIN);
    unsigned bin = TAM_SMALL / TAM_GRAIN + 1;
    while (tam_bin_bytes[bin] < bytes)
        bin++;
    return bin;
}

void *tam_obtain(size_t bytes, uint32_t site) {
    if (bytes > TAM_LARGEST_BIN)
        return large(bytes, site);
    unsigned bin = bin_for(bytes);
    struct tam_run *run = &tam_registers.runs[bin];
    if (tam.order && tam_random() % (RUNS + tam_storage.live / BYTES_OF_RUN) == 0)
        tam_collect();
    if (run->next == run->end && !next_run(bin)) {
        if (tam_storage.since >= tam_storage.budget)
            tam_collect();
        if (!next_run(bin) && !fresh_run(bin)) {
            collect_or_end(bytes, site);
            if (!next_run(bin) && !fresh_run(bin))
                exhausted(bytes, site);
        }
    }
    void *at = run->next;
    run->next += tam_bin_bytes[bin];
    return at;
}

/* ---- for the collector --------------------------------------------------------------------------------- */

void tam_clear_marks(void) {
    for (uint32_t n = 0; n < tam_storage.used; n++) {
        struct tam_block *block = &tam_storage.blocks[n];
        block->marked = false;
        if (block->kind == TAM_SMALL_OBJECTS || block->kind == TAM_LARGE)
            memset(tam_storage.marks + (size_t)n * TAM_BLOCK_WORDS, 0, TAM_BLOCK_WORDS * sizeof(uint64_t));
    }
}

/* Frees blocks without live objects; the others go to their bins. */
void tam_sweep(size_t live) {
    for (unsigned bin = 0; bin < TAM_BINS; bin++) {
        tam_registers.runs[bin] = (struct tam_run){NULL, NULL};
        sweeping[bin].block = sweeping[bin].next = TAM_NO_BLOCK;
        sweeping[bin].slot = 0;
    }
    free_blocks = free_from = free_run_from = 0;
    for (uint32_t n = tam_storage.used; n-- > 0;) {
        struct tam_block *block = &tam_storage.blocks[n];
        if (block->kind == TAM_LARGE && !block->marked)
            for (uint32_t rest = block->count; rest-- > 0; free_blocks++)
                block[rest].kind = TAM_FREE;
        else if (block->kind == TAM_SMALL_OBJECTS && !block->marked) {
            block->kind = TAM_FREE;
            free_blocks++;
        } else if (block->kind == TAM_FREE)
            free_blocks++;
        else if (block->kind == TAM_SMALL_OBJECTS) {
            block->next = sweeping[block->bin].block;
            sweeping[block->bin].next = block->next;
            sweeping[block->bin].block = n;
        }
    }
    tam_storage.since = 0;
    tam_storage.live = live;
    size_t budget = live + (live < SPARE ? live : SPARE);
    tam_storage.budget = budget > LEAST ? budget : LEAST;
}
