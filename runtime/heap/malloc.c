/* malloc and related functions over the thread's local shared heap, for programs in which everything is
 * addressable.
 *
 * This file is a library of its own (meridian_everything), which linkers see after the C library.  In one
 * archive with the rest it would be linked into every program that calls malloc, UPC programs too.  It
 * defines all of the C library's allocation functions, so that no block of one allocator gets into the other.
 *
 * Before the heap is initialised (in the dynamic linker, constructors of other libraries, and start-up
 * itself), blocks come from a pool in the image, and from the system when that is used up; they are never
 * freed.  All blocks outside of the views are of this kind, and have their size before them.
 *
 * The heap is protected by its mutex, and the state of this file by another, so any POSIX thread of the
 * process may call.
 */
#include "host/job.h"
#include "heap/arena.h"
#include "heap/heap.h"
#include "host/layout.h"

#include "host/memory.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

const char mer_everything_heap = 1;

/* A program with this heap also needs the fork of heap/fork.c. */
extern const char mer_everything_fork;
__attribute__((used)) static const char *const needs_fork = &mer_everything_fork;

#define EARLY_POOL (128 << 10)
#define EARLY_MORE (1 << 20)
#define EARLY_HEAD 64
#define DISCARD (1 << 20) /* from this size on, memory is zeroed by giving it back to the system */

/* Guards the pool and the list of wide blocks.  Never held over a call of the heap, malloc or free. */
static struct mer_mutex kept;

static void lock_kept(void) { mer_mutex_lock(&kept, (uint32_t)mer_job.mythread + 1, "malloc"); }
static void unlock_kept(void) { mer_mutex_unlock(&kept); }

/* ---- before the heap is up ----------------------------------------------------------------------------- */

static char pool[EARLY_POOL] __attribute__((aligned(64)));
static char *early_at = pool, *early_end = pool + sizeof pool;

/* Allocates from the pool, under the mutex.  The memory is zero: from the image's bss or fresh from the
 * system, and never handed out twice. */
static void *early(size_t align, size_t bytes) {
    if (align < EARLY_HEAD)
        align = EARLY_HEAD;
    if (bytes > SIZE_MAX / 2 || align > SIZE_MAX / 8)
        return NULL;
    uintptr_t at = ((uintptr_t)early_at + EARLY_HEAD + align - 1) / align * align;
    if (at + bytes > (uintptr_t)early_end) {
        size_t more = bytes + 2 * align + EARLY_MORE;
        char *fresh = mmap(NULL, more, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (fresh == MAP_FAILED)
            return NULL;
        early_at = fresh;
        early_end = fresh + more;
        at = ((uintptr_t)early_at + EARLY_HEAD + align - 1) / align * align;
    }
    memcpy((char *)at - sizeof bytes, &bytes, sizeof bytes);
    early_at = (char *)at + bytes;
    return (void *)at;
}

/* ---- blocks -------------------------------------------------------------------------------------------- */

static bool in_views(const void *p) {
    return (uint64_t)(uintptr_t)p - MER_VIEW_BASE < (uint64_t)mer_job.threads * mer_job.span;
}

static int owner_of(const void *p) {
    uint64_t offset = (uint64_t)(uintptr_t)p - MER_VIEW_BASE;
    bool own = offset - (uint64_t)mer_job.mythread * mer_job.span < mer_job.span; /* usual: no division */
    return own ? mer_job.mythread : (int)(offset / mer_job.span);
}

static uint64_t native_of(const void *p) {
    return ((uint64_t)(uintptr_t)p - MER_VIEW_BASE) - (uint64_t)owner_of(p) * mer_job.span;
}

static size_t size_of(const void *p) {
    size_t bytes;
    if (in_views(p))
        return mer_heap_size(owner_of(p), native_of(p));
    memcpy(&bytes, (const char *)p - sizeof bytes, sizeof bytes);
    return bytes;
}

/* Blocks aligned to more than a chunk: the heap's block begins before the program's.  They are in a list,
 * because they are rare. */
struct wide {
    struct wide *next;
    void *given, *block;
};
static struct wide *wides;

static void *wide_alloc(size_t align, size_t bytes) {
    if (bytes > SIZE_MAX - align)
        return NULL;
    struct wide *w = malloc(sizeof *w);
    char *block = w ? malloc(bytes + align) : NULL;
    if (!block) {
        free(w);
        return NULL;
    }
    void *given = (void *)(((uintptr_t)block + align - 1) / align * align);
    w->block = block;
    w->given = given;
    lock_kept();
    w->next = wides;
    __atomic_store_n(&wides, w, __ATOMIC_RELAXED); /* partner: block_of */
    unlock_kept();
    return given;
}

/* Returns the heap's block that holds the program's block p; removes the pair from the list if `forget`. */
static void *block_of(void *p, bool forget) {
    /* Relaxed: a thread that has received p from another thread also sees that thread's earlier writes, the
     * list among them. */
    if (!__atomic_load_n(&wides, __ATOMIC_RELAXED))
        return p;
    lock_kept();
    struct wide **at = &wides;
    while (*at && (*at)->given != p)
        at = &(*at)->next;
    struct wide *found = *at;
    void *block = found ? found->block : p;
    if (found && forget)
        __atomic_store_n(at, found->next, __ATOMIC_RELAXED);
    unlock_kept();
    if (found && forget)
        free(found);
    return block;
}

static void *allocate(size_t align, size_t bytes) {
    void *p = NULL;
    if (!mer_layout.end) {
        lock_kept();
        p = early(align, bytes);
        unlock_kept();
    } else if (align > MER_CHUNK) {
        p = wide_alloc(align, bytes);
    } else if (bytes <= PTRDIFF_MAX) {
        /* Larger requests are runs of chunks, which are aligned to a chunk. */
        size_t least = align > MER_HEAP_ALIGN ? MER_SMALL_MAX + 1 : 1;
        uint64_t at = mer_heap_local(bytes < least ? least : bytes, NULL);
        p = at ? mer_view(mer_job.mythread, at) : NULL;
    }
    if (!p)
        errno = ENOMEM;
    return p;
}

/* ---- the C library's functions ------------------------------------------------------------------------- */

void *malloc(size_t bytes) { return allocate(1, bytes); }

void free(void *p) {
    if (!p || !in_views(p))
        return;
    int saved = errno;
    void *block = block_of(p, true);
    mer_heap_free(owner_of(block), native_of(block), "free");
    errno = saved;
}

void *calloc(size_t count, size_t bytes) {
    size_t total;
    if (__builtin_mul_overflow(count, bytes, &total)) {
        errno = ENOMEM;
        return NULL;
    }
    char *p = allocate(1, total);
    if (!p || !in_views(p))
        return p;
    size_t whole = total / MER_CHUNK * MER_CHUNK;
    if (total < DISCARD)
        whole = 0;
    else
        mer_memory_discard(p, whole);
    memset(p + whole, 0, total - whole);
    return p;
}

void *realloc(void *p, size_t bytes) {
    if (!p)
        return malloc(bytes);
    if (bytes == 0) {
        free(p);
        return NULL;
    }
    size_t have = malloc_usable_size(p);
    if (bytes <= have && (bytes >= have / 2 || have <= MER_HEAP_ALIGN))
        return p;
    void *new = malloc(bytes);
    if (!new)
        return NULL;
    memcpy(new, p, bytes < have ? bytes : have);
    free(p);
    return new;
}

void *reallocarray(void *p, size_t count, size_t bytes) {
    size_t total;
    if (__builtin_mul_overflow(count, bytes, &total)) {
        errno = ENOMEM;
        return NULL;
    }
    return realloc(p, total);
}

static bool power_of_two(size_t n) { return n && (n & (n - 1)) == 0; }

void *memalign(size_t align, size_t bytes) {
    if (!power_of_two(align)) {
        errno = EINVAL;
        return NULL;
    }
    return allocate(align, bytes);
}

void *aligned_alloc(size_t align, size_t bytes) { return memalign(align, bytes); }

int posix_memalign(void **result, size_t align, size_t bytes) {
    if (!power_of_two(align) || align % sizeof(void *))
        return EINVAL;
    int saved = errno;
    void *p = allocate(align, bytes);
    errno = saved;
    if (!p)
        return ENOMEM;
    *result = p;
    return 0;
}

void *valloc(size_t bytes) { return memalign((size_t)sysconf(_SC_PAGESIZE), bytes); }

void *pvalloc(size_t bytes) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE), pages = bytes / page + (bytes % page != 0);
    return memalign(page, pages <= SIZE_MAX / page ? pages * page : SIZE_MAX);
}

size_t malloc_usable_size(void *p) {
    if (!p)
        return 0;
    char *block = block_of(p, false);
    return size_of(block) - (size_t)((char *)p - block);
}
