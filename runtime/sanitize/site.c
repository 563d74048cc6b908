/* See site.h.  The sites are a hash table in the region, which all threads of the host fill under a lock.
 * Each thread keeps the numbers of recent ones.  A recent site is found by its instruction, its frame's
 * address and the two return addresses around it: a thread that comes to it from another outer call, by
 * frames of the same size, gets the earlier outer calls. */
#include "sanitize/site.h"

#include "base/rva.h"
#include "host/job.h"
#include "host/layout.h"
#include "sanitize/region.h"
#include "sanitize/shadow.h"

#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define MOST (1U << 20)
static_assert(MOST - 1 <= MER_CELL_SITE_MOST, "a cell has room for the number of a site");
#define HEADS (1U << 16)
#define RECENT 4096U

struct mer_sites {
    struct mer_region_lock lock;
    uint32_t count;
    uint32_t head[HEADS];
    struct mer_site site[MOST]; /* from 1 */
};

static __thread struct recent {
    const void *pc, *frame, *one, *two;
    uint32_t number;
} recent[RECENT];

void mer_site_new(void) { mer_region->sites = mer_region_take(sizeof(struct mer_sites)); }

const struct mer_site *mer_site(uint32_t number) { return &mer_region->sites->site[number]; }

/* The end of this POSIX thread's stack: the frames of its calls lie below. */
static __thread uint64_t stack_end;

/* Returns the end of the stack with this address; of a stack that is not this POSIX thread's, its page's
 * end. */
static uint64_t find_stack_end(uint64_t at) {
    pthread_attr_t attributes;
    void *begin = NULL;
    size_t size = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
        pthread_attr_getstack(&attributes, &begin, &size);
        pthread_attr_destroy(&attributes);
    }
    uint64_t end = (uint64_t)(uintptr_t)begin + size, page_end = (at | 4095) + 1;
    if (at - (uint64_t)(uintptr_t)begin < size)
        return stack_end = end;
    uint64_t own = mer_layout.stack + MER_VIEW_BASE + (uint64_t)mer_job.mythread * mer_job.span,
             length = mer_layout.local_state - mer_layout.stack;
    return stack_end = at - own < length ? own + length : page_end;
}

/* Returns true if a frame of this POSIX thread's, or another one's, stack may lie here: the C library calls
 * functions of the program, and need not have kept the frame pointer. */
static bool is_frame(const void *const *frame) {
    uint64_t at = (uint64_t)(uintptr_t)frame;
    if (!at || at % sizeof(void *) != 0)
        return false;
    uint64_t here = (uint64_t)(uintptr_t)__builtin_frame_address(0);
    return at > here && at < (here < stack_end ? stack_end : find_stack_end(here));
}

/* Returns the frame around this one, or null.  Stacks grow downwards, and frame pointers are aligned; a
 * function without a frame pointer may have left another value. */
static const void *const *outer(const void *const *frame) {
    const void *const *next = *frame;
    uint64_t at = (uint64_t)(uintptr_t)frame, to = (uint64_t)(uintptr_t)next,
             end = at < stack_end ? stack_end : find_stack_end(at);
    return to > at && to + 2 * sizeof(void *) <= end && to % sizeof(void *) == 0 ? next : NULL;
}

static struct mer_site walk(struct mer_caller caller) {
    struct mer_site site = {.frames = 1, .frame = {mer_rva_of(caller.pc)}};
    const void *const *frame = caller.frame;
    while (frame && site.frames < MER_SITE_FRAMES && frame[1]) {
        mer_rva at = mer_rva_of(frame[1]);
        if (!at)
            break;
        site.frame[site.frames++] = at;
        frame = outer(frame);
    }
    return site;
}

static uint32_t intern(const struct mer_site *site) {
    struct mer_sites *all = mer_region->sites;
    uint64_t hash = site->frames;
    for (uint32_t i = 0; i < site->frames; i++)
        hash = (hash ^ site->frame[i]) * 0x9e3779b97f4a7c15ULL;
    uint32_t *head = &all->head[hash >> 48];
    mer_region_lock(&all->lock);
    uint32_t number = *head;
    while (number && (all->site[number].frames != site->frames ||
                      memcmp(all->site[number].frame, site->frame, sizeof site->frame) != 0))
        number = all->site[number].next;
    if (!number && all->count + 1 < MOST) {
        number = ++all->count;
        all->site[number] = *site;
        all->site[number].next = *head;
        *head = number;
    }
    mer_region_unlock(&all->lock);
    return number;
}

static struct recent *recent_of(struct mer_caller caller, const void *one) {
    uint64_t hash = ((uint64_t)(uintptr_t)caller.pc ^ (uint64_t)(uintptr_t)one << 20) * 0x9e3779b97f4a7c15ULL;
    return &recent[hash >> 52];
}

uint32_t mer_site_of(struct mer_caller caller) {
    const void *const *frame = is_frame(caller.frame) ? caller.frame : NULL;
    const void *const *next = frame ? outer(frame) : NULL;
    const void *one = frame ? frame[1] : NULL, *two = next ? next[1] : NULL;
    struct recent *r = recent_of(caller, one);
    if (__builtin_expect(r->pc != caller.pc || r->frame != frame || r->one != one || r->two != two, 0)) {
        struct mer_site site = walk((struct mer_caller){caller.pc, frame});
        *r = (struct recent){caller.pc, frame, one, two, intern(&site)};
    }
    return r->number;
}
