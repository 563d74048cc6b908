/* Blocks, bins and runs of free objects (storage.h), and the time of the next collection.
 *
 * A collection comes when blocks have been taken for as many bytes as the last one found live and as many
 * again, of these SPARE at most, and for LEAST at least.  So the cost of a collection is in proportion to the
 * bytes allocated, the storage is at most about twice the live bytes and SPARE, and a program that keeps
 * little reuses a few megabytes, which stay in the processor's caches.
 *
 * For the tests (MERIDIAN_TAM_ORDER) runs are short, and free objects are overwritten.
 */
#include "tam/storage.h"

#include "base/clock.h"
#include "heap/heap.h"
#include "host/job.h"
#include "host/memory.h"
#include "tam/memory.h"

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
    tam.storage.base = ((uintptr_t)base + TAM_BLOCK - 1) & ~(TAM_BLOCK - 1);
    /* Blocks are taken one after the other, and used again from the first on.  Blocks that only a large heap
     * reaches are used less often, and the kernel has to find and clear large pages for them, which can take
     * longer than they save; use_more looks at that.  The error of a kernel without large pages does not
     * matter. */
    if (mer_job.here == 1 && bytes > OFTEN_USED)
        (void)madvise((void *)(tam.storage.base + SMALL_HEAP), OFTEN_USED - SMALL_HEAP, MADV_HUGEPAGE);
    tam.storage.reserved = (uint32_t)blocks;
    tam.storage.marks = (uint64_t *)(void *)side;
    tam.storage.pins = tam.storage.marks + bits / 8;
    tam.storage.told = tam.storage.pins + bits / 8;
    tam.storage.blocks = (struct tam_block *)(void *)(side + 3 * bits);
    return true;
}

/* Bins: every multiple of 16 up to TAM_SMALL; then four from one power of two to the next. */
void tam_storage_start(void) {
    uint32_t bytes = 0;
    for (unsigned bin = 0; bin < TAM_BINS; bin++) {
        tam.storage.bin_bytes[bin] = bytes ? bytes : TAM_GRAIN;
        tam.storage.bin_inverse[bin] = (uint32_t)((((uint64_t)1 << 32) + tam.storage.bin_bytes[bin] - 1) /
                                                  tam.storage.bin_bytes[bin]);
        tam.storage.sweeping[bin].block = tam.storage.sweeping[bin].next = TAM_NO_BLOCK;
        uint32_t step = TAM_GRAIN;
        while (step * 8 <= bytes && bytes >= TAM_SMALL)
            step *= 2;
        bytes += step;
    }
    size_t most = wanted();
    while (!reserve_all(most))
        if ((most /= 2) < FEWEST_RESERVED)
            tam_fail(0, "memory is exhausted: there are no addresses for the heap");
    tam.storage.budget = LEAST;
    tam.storage.large_at_once = FIRST_AT_ONCE;
}

/* ---- blocks -------------------------------------------------------------------------------------------- */

static void *block_at(uint32_t number) {
    return (void *)(tam.storage.base + ((uintptr_t)number << TAM_BLOCK_SHIFT));
}

/* Takes `count' more blocks into use.  Memory that processors share gets its large pages here, and other
 * memory its large pages after OFTEN_USED, for as many bytes at a time as are in use already: the kernel does
 * not give them to shared memory by itself (host/memory.h), and touching 2 MB page by page takes several
 * times as long.  In each call the kernel waits for all CPUs.  If these have other programs to run, or a
 * virtual machine's host has to find the memory first, that takes longer than the small pages would; then no
 * more large pages are asked for.  So the first calls are for little. */
static void use_more(uint32_t count) {
    tam.storage.used += count;
    if (tam.storage.large_enough)
        return;
    uintptr_t base = tam.storage.base, used = (uintptr_t)block_at(tam.storage.used);
    uintptr_t begin = base + (mer_job.here == 1 ? OFTEN_USED : SMALL_HEAP);
    uintptr_t from = tam.storage.large_to ? tam.storage.large_to
                                          : (begin + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
    if (used <= from)
        return;
    if (used - from > 2 * MORE_AT_ONCE) /* an array, of which little may be used */
        from = used / LARGE_PAGE * LARGE_PAGE;
    uintptr_t more = used - base < tam.storage.large_at_once ? used - base : tam.storage.large_at_once;
    uintptr_t to = used + more, end = (uintptr_t)block_at(tam.storage.reserved);
    to = (to < end ? to : end) / LARGE_PAGE * LARGE_PAGE;
    tam.storage.large_enough = to <= from || !tam_memory_grant(to - from);
    if (tam.storage.large_enough)
        return;
    uint64_t began = mer_clock_ns();
    mer_memory_large_pages((void *)from, to - from);
    tam.storage.large_enough = mer_clock_ns() - began > (to - from) / LARGE_PAGE * LONG_FOR_LARGE_PAGE;
    tam.storage.large_to = to;
    tam.storage.large_at_once = 2 * tam.storage.large_at_once < MORE_AT_ONCE ? 2 * tam.storage.large_at_once
                                                                             : MORE_AT_ONCE;
}

/* Returns a free block, or TAM_NO_BLOCK. */
static uint32_t take_block(void) {
    for (; tam.storage.free_blocks > 0 && tam.storage.free_from < tam.storage.used; tam.storage.free_from++)
        if (tam.storage.blocks[tam.storage.free_from].kind == TAM_FREE) {
            tam.storage.free_blocks--;
            return tam.storage.free_from++;
        }
    if (tam.storage.used == tam.storage.reserved || !tam_memory_grant(TAM_BLOCK))
        return TAM_NO_BLOCK;
    use_more(1);
    return tam.storage.used - 1;
}

/* Returns the first of `count' free blocks in a row, or TAM_NO_BLOCK. */
static uint32_t take_blocks(uint32_t count) {
    uint32_t run = 0;
    for (; tam.storage.free_blocks >= count && tam.storage.free_run_from < tam.storage.used;
         tam.storage.free_run_from++) {
        run = tam.storage.blocks[tam.storage.free_run_from].kind == TAM_FREE ? run + 1 : 0;
        if (run == count) {
            tam.storage.free_blocks -= count;
            return ++tam.storage.free_run_from - count;
        }
    }
    if (count > tam.storage.reserved - tam.storage.used || !tam_memory_grant(count * TAM_BLOCK))
        return TAM_NO_BLOCK;
    use_more(count);
    return tam.storage.used - count;
}

void *tam_storage_take_large(uint32_t count) {
    uint32_t first = take_blocks(count);
    if (first == TAM_NO_BLOCK)
        return NULL;
    tam.storage.since += count * TAM_BLOCK;
    for (uint32_t n = 0; n < count; n++)
        tam.storage.blocks[first + n] = (struct tam_block){.kind = n ? TAM_LARGE_REST : TAM_LARGE,
                                                           .count = n ? n : count};
    return block_at(first);
}

/* ---- runs ---------------------------------------------------------------------------------------------- */

bool tam_storage_next_run(unsigned bin) {
    size_t bytes = tam.storage.bin_bytes[bin], count = TAM_BLOCK / bytes;
    while (tam.storage.sweeping[bin].block != TAM_NO_BLOCK) {
        uint32_t number = tam.storage.sweeping[bin].block, slot = tam.storage.sweeping[bin].slot;
        size_t bit = (size_t)number * (TAM_BLOCK / TAM_GRAIN), step = bytes / TAM_GRAIN;
        while (slot < count && tam_bit(tam.storage.marks, bit + slot * step))
            slot++;
        uint32_t first = slot;
        while (slot < count && !tam_bit(tam.storage.marks, bit + slot * step) &&
               (!tam.order.state || slot - first < 4))
            slot++;
        tam.storage.sweeping[bin].slot = slot;
        if (first < slot) {
            tam_registers.runs[bin].next = (char *)block_at(number) + first * bytes;
            tam_registers.runs[bin].end = (char *)block_at(number) + slot * bytes;
            if (tam.order.state)
                memset(tam_registers.runs[bin].next, FREED, (slot - first) * bytes);
            return true;
        }
        tam.storage.sweeping[bin].block = tam.storage.sweeping[bin].next;
        tam.storage.sweeping[bin].slot = 0;
        if (tam.storage.sweeping[bin].block != TAM_NO_BLOCK)
            tam.storage.sweeping[bin].next = tam.storage.blocks[tam.storage.sweeping[bin].block].next;
    }
    return false;
}

bool tam_storage_fresh_run(unsigned bin) {
    uint32_t number = take_block();
    if (number == TAM_NO_BLOCK)
        return false;
    tam.storage.since += TAM_BLOCK;
    tam.storage.blocks[number] = (struct tam_block){
        .kind = TAM_SMALL_OBJECTS, .bin = (uint8_t)bin, .count = tam.storage.bin_inverse[bin]};
    size_t bytes = tam.storage.bin_bytes[bin], count = TAM_BLOCK / bytes;
    if (tam.order.state) {
        /* In short runs, as if the block held live objects. */
        memset(tam.storage.marks + number * TAM_BLOCK_WORDS, 0, TAM_BLOCK_WORDS * sizeof(uint64_t));
        tam.storage.sweeping[bin].block = number;
        tam.storage.sweeping[bin].slot = 0;
        tam.storage.sweeping[bin].next = TAM_NO_BLOCK;
        return tam_storage_next_run(bin);
    }
    tam_registers.runs[bin].next = block_at(number);
    tam_registers.runs[bin].end = tam_registers.runs[bin].next + count * bytes;
    return true;
}

unsigned tam_storage_bin(size_t bytes) {
    if (bytes <= TAM_SMALL)
        return (unsigned)((bytes + TAM_GRAIN - 1) / TAM_GRAIN);
    unsigned bin = TAM_SMALL / TAM_GRAIN + 1;
    while (tam.storage.bin_bytes[bin] < bytes)
        bin++;
    return bin;
}

/* ---- for the collector --------------------------------------------------------------------------------- */

void tam_storage_clear_marks(void) {
    for (uint32_t n = 0; n < tam.storage.used; n++) {
        struct tam_block *block = &tam.storage.blocks[n];
        block->marked = false;
        if (block->kind == TAM_SMALL_OBJECTS || block->kind == TAM_LARGE)
            memset(tam.storage.marks + (size_t)n * TAM_BLOCK_WORDS, 0, TAM_BLOCK_WORDS * sizeof(uint64_t));
    }
}

/* Frees blocks without live objects; the others go to their bins. */
void tam_storage_sweep(size_t live) {
    for (unsigned bin = 0; bin < TAM_BINS; bin++) {
        tam_registers.runs[bin] = (struct tam_run){NULL, NULL};
        tam.storage.sweeping[bin].block = tam.storage.sweeping[bin].next = TAM_NO_BLOCK;
        tam.storage.sweeping[bin].slot = 0;
    }
    tam.storage.free_blocks = tam.storage.free_from = tam.storage.free_run_from = 0;
    for (uint32_t n = tam.storage.used; n-- > 0;) {
        struct tam_block *block = &tam.storage.blocks[n];
        if (block->kind == TAM_LARGE && !block->marked)
            for (uint32_t rest = block->count; rest-- > 0; tam.storage.free_blocks++)
                block[rest].kind = TAM_FREE;
        else if (block->kind == TAM_SMALL_OBJECTS && !block->marked) {
            block->kind = TAM_FREE;
            tam.storage.free_blocks++;
        } else if (block->kind == TAM_FREE)
            tam.storage.free_blocks++;
        else if (block->kind == TAM_SMALL_OBJECTS) {
            block->next = tam.storage.sweeping[block->bin].block;
            tam.storage.sweeping[block->bin].next = block->next;
            tam.storage.sweeping[block->bin].block = n;
        }
    }
    tam.storage.since = 0;
    tam.storage.live = live;
    size_t budget = live + (live < SPARE ? live : SPARE);
    tam.storage.budget = budget > LEAST ? budget : LEAST;
}

/* Pins and marks as shared the object of a word that leaves for another processor: in a message, or into an
 * object of that processor. */
void tam_export(tam_word word) {
    struct tam_place place;
    if (word <= TAM_NO_REFERENCE || !tam_find(word, &place))
        return;
    struct tam_object *object = (struct tam_object *)place.at;
    if (!(object->kind & TAM_SHARED)) /* tam_fill_here acquires */
        __atomic_store_n(&object->kind, object->kind | TAM_SHARED, __ATOMIC_RELEASE);
    tam_set_bit(tam.storage.pins, place.bit);
    place.block->pinned = true;
}

void tam_storage_pin_told(void) {
    const size_t bytes = TAM_BLOCK_WORDS * sizeof(uint64_t);
    for (uint32_t n = 0; n < tam.storage.used; n++) {
        struct tam_block *block = &tam.storage.blocks[n];
        uint64_t *pins = tam.storage.pins + (size_t)n * TAM_BLOCK_WORDS;
        uint64_t *told = tam.storage.told + (size_t)n * TAM_BLOCK_WORDS;
        if (!block->pinned && !block->told)
            continue;
        memcpy(pins, told, bytes);
        memset(told, 0, bytes);
        block->pinned = block->told != TAM_TOLD_NONE;
        block->told = TAM_TOLD_NONE;
    }
}
