/* See region.h.  The first thread of the host makes the file.  The others open it by the first thread's
 * process number and descriptor, in /proc. */
#include "sanitize/region.h"

#include "base/fatal.h"
#include "host/job.h"
#include "host/memory.h"
#include "sync/barrier.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define NAME "the start of -fsanitize=pgas"

static int file = -1; /* until mer_region_close */

static void map(int fd) {
    file = fd;
    void *at = mmap((void *)MER_REGION_BASE, MER_REGION_SIZE, PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_NORESERVE | MAP_FIXED_NOREPLACE, fd, 0);
    if (at != (void *)MER_REGION_BASE)
        mer_fatal(
            "-fsanitize=pgas needs 2 TB of address space at %#llx: %s. Without a limit of address space "
            "(ulimit -v unlimited) it is free",
            MER_REGION_BASE, strerror(errno));
    madvise(at, MER_REGION_SIZE, MADV_DONTDUMP);
}

void mer_region_open(void) {
    int first = mer_job.here_first;
    if (mer_job.mythread == first) {
        int fd = mer_memory_new("meridian-sanitize", MER_REGION_SIZE);
        map(fd);
        mer_region->used = (sizeof *mer_region + 63) & ~63ULL;
        mer_barrier_exchange(NAME, (uint64_t)getpid() << 32 | (uint32_t)fd);
        mer_barrier_collective(NAME); /* the others have opened the file */
        return;
    }
    mer_barrier_exchange(NAME, 0);
    uint64_t found = mer_barrier_payload(first);
    char path[64];
    snprintf(path, sizeof path, "/proc/%u/fd/%u", (unsigned)(found >> 32), (unsigned)found);
    int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0)
        mer_fatal("-fsanitize=pgas: cannot open the memory that its threads share, %s: %s", path,
                  strerror(errno));
    map(fd);
    mer_barrier_collective(NAME);
}

void mer_region_again(const void *from, size_t n, uint64_t to) {
    off_t offset = (off_t)((uint64_t)(uintptr_t)from - MER_REGION_BASE);
    if (mmap((void *)to, n, PROT_READ, MAP_SHARED | MAP_FIXED, file, offset) == MAP_FAILED)
        mer_fatal("-fsanitize=pgas: cannot map its table: %s", strerror(errno));
}

void mer_region_close(void) { close(file); }

void *mer_region_take(size_t n) {
    n = (n + 63) & ~(size_t)63;
    /* Relaxed: each caller gets bytes of its own, and publishes them itself. */
    uint64_t at = __atomic_fetch_add(&mer_region->used, n, __ATOMIC_RELAXED);
    if (at + n > MER_REGION_SIZE)
        mer_fatal("-fsanitize=pgas: its memory is used up, %llu GB", MER_REGION_SIZE >> 30);
    return (char *)MER_REGION_BASE + at;
}

/* Acquire, partner: the release in mer_region_unlock. */
void mer_region_lock(struct mer_region_lock *lock) {
    while (__atomic_exchange_n(&lock->held, 1, __ATOMIC_ACQUIRE))
        sched_yield();
}

void mer_region_unlock(struct mer_region_lock *lock) { __atomic_store_n(&lock->held, 0, __ATOMIC_RELEASE); }
