/* Memory over memfds.  Pages are committed when they are touched, and address space costs nothing, so all
 * spans are mapped whole, in one piece.  If address space is limited, only the used parts are mapped.
 * Addresses are the same either way.  No memory has a name in a file system, so none is left when the last
 * process ends. */
#include "host/memory.h"

#include "base/limits.h"
#include "base/settings.h"
#include "base/system.h"
#include "host/control.h"
#include "host/job.h"
#include "host/layout.h"
#include "base/fatal.h"

#include <meridian/abi/abi.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

int mer_memory_new(const char *name, uint64_t size) {
    int fd = memfd_create(name, MFD_CLOEXEC);
    if (fd < 0 || ftruncate(fd, (off_t)size) != 0)
        mer_fatal_job("cannot create a memory file for shared memory: %s", mer_limit_text(errno));
    return fd;
}

struct mer_control *mer_memory_map_control(int fd) {
    void *at = mmap(NULL, MER_CONTROL_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (at == MAP_FAILED)
        mer_fatal_job("cannot map the control block that MERIDIAN_CONTROL_FD=%d names: %s", fd,
                      strerror(errno));
    return at;
}

/* ---- available address space --------------------------------------------------------------------------- */

static const char *limit_text;

const char *mer_memory_limit(void) { return limit_text; }

/* Returns the bytes of address space that this process uses. */
static uint64_t in_use(void) {
    char text[64];
    uint64_t pages = mer_file_text("/proc/self/statm", text, sizeof text) ? strtoull(text, NULL, 10) : 0;
    return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

uint64_t mer_memory_reservable(int here, uint64_t low, uint64_t span) {
    uint64_t all = span - MER_HEAP_OFFSET, most = all;
    struct rlimit limit;
    limit_text = NULL;
    if (mer_setting(RESERVE)) {
        most = (uint64_t)mer_setting(RESERVE);
        limit_text = "MERIDIAN_RESERVE";
    } else if (mer_under_valgrind()) {
        most = MER_MEMORY_VALGRIND + (uint64_t)mer_setting(STACK);
        limit_text = "valgrind (MERIDIAN_RESERVE changes the limit)";
    } else if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
        uint64_t used = in_use(), half = limit.rlim_cur > used ? (limit.rlim_cur - used) / 2 : 0;
        uint64_t each = half / (uint64_t)here;
        most = each > low ? (each - low) / MER_CHUNK * MER_CHUNK : 0;
        limit_text = "the limit on address space (ulimit -v)";
    }
    if (most < all)
        return most;
    limit_text = NULL;
    return all;
}

/* ---- views --------------------------------------------------------------------------------------------- */

static _Noreturn void no_views(uint64_t length, int error) {
    struct rlimit limit;
    char want[32], have[32];
    mer_bytes_text(want, length);
    if (error == ENOMEM && getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        mer_fatal_job("cannot reserve %s of address space for shared memory: this process is limited to %s "
                      "(ulimit -v). Reserve less by MERIDIAN_RESERVE, or lift the limit",
                      want, mer_bytes_text(have, limit.rlim_cur));
    if (error == EEXIST)
        mer_fatal_job("cannot map shared memory at 0x%llx (%s): something else is mapped there. Link the "
                      "program without PIE, and without libraries that choose such addresses",
                      MER_VIEW_BASE, want);
    mer_fatal_job("cannot map %s of shared memory: %s", want, strerror(error));
}

/* Map [offset, offset + length) of the views from the file or, if fd < 0, reserve the address space. */
static void map_views_part(int fd, uint64_t offset, uint64_t length) {
    char *want = (char *)MER_VIEW_BASE + offset;
    int flags = MAP_NORESERVE | MAP_FIXED_NOREPLACE;
    if (length == 0)
        return;
    void *at = fd >= 0 ? mmap(want, length, PROT_READ | PROT_WRITE, MAP_SHARED | flags, fd, (off_t)offset)
                       : mmap(want, length, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
    if (at == MAP_FAILED)
        no_views(length, errno);
    if (at != want) /* kernels older than 4.17 take the address as a hint */
        no_views(length, EEXIST);
    /* A core file must not try to hold terabytes of holes. */
    madvise(at, length, MADV_DONTDUMP);
}

static void set_memory(uint64_t low, uint64_t mapped) {
    mer_layout.low = mer_memory.low = low;
    mer_layout.mapped = mer_memory.mapped = mapped;
}

void mer_memory_map_views(int fd, uint64_t low, uint64_t most) {
    uint64_t span = mer_job.span, threads = (uint64_t)mer_job.threads, here = (uint64_t)mer_job.here;
    uint64_t first = (uint64_t)mer_job.here_first * span, end = first + here * span;
    if (most >= span - MER_HEAP_OFFSET) {
        set_memory(MER_HEAP_OFFSET, span);
        map_views_part(-1, 0, first);
        map_views_part(fd, first, end - first);
        map_views_part(-1, end, threads * span - end);
        return;
    }
    set_memory(low, MER_HEAP_OFFSET + most);
    for (uint64_t at = first; at < end; at += span) {
        map_views_part(fd, at, low);
        map_views_part(fd, at + MER_HEAP_OFFSET, most);
    }
}

void mer_memory_map_native(int fd, uint64_t part, uint64_t native, uint64_t length) {
    void *at = mmap((void *)(uintptr_t)native, length, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd,
                    (off_t)(part + native));
    if (at == MAP_FAILED)
        mer_fatal_job("cannot map static shared objects at 0x%llx: %s", (unsigned long long)native,
                      strerror(errno));
}

void mer_memory_discard(void *at, uint64_t length) {
    int saved = errno;
    madvise(at, length, MADV_REMOVE);
    errno = saved;
}

#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25
#endif
#define LARGE_PAGE (2ULL << 20)

void mer_memory_large_pages(void *at, uint64_t length) {
    int saved = errno;
    uint64_t first = ((uint64_t)(uintptr_t)at + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
    uint64_t end = ((uint64_t)(uintptr_t)at + length) / LARGE_PAGE * LARGE_PAGE;
    for (uint64_t page = first; page < end; page += LARGE_PAGE) {
        volatile char *byte = (char *)(uintptr_t)page;
        *byte = *byte; /* only memory that is committed becomes a large page */
    }
    /* In one call, because the kernel waits for all CPUs in each call. */
    if (first < end)
        madvise((char *)(uintptr_t)first, end - first, MADV_COLLAPSE);
    errno = saved;
}

void mer_memory_hide(void *at, uint64_t length) {
    if (length && mprotect(at, length, PROT_NONE) != 0)
        mer_fatal_job("cannot make memory inaccessible: %s", strerror(errno));
}
