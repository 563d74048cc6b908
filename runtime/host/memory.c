/* Memory over memfds.  Address space is reserved in one piece and pages are committed when they are touched;
 * nothing has a name in a file system, so nothing is left when the last process ends. */
#include "host/memory.h"

#include "base/limits.h"
#include "host/control.h"
#include "base/fatal.h"

#include <meridian/abi.h>
#include <errno.h>
#include <stdbool.h>
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
        mer_fatal_job("cannot make a memory file of the kernel's for shared memory: %s",
                      mer_limit_text(errno));
    return fd;
}

struct mer_control *mer_memory_map_control(int fd) {
    void *at = mmap(NULL, MER_CONTROL_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (at == MAP_FAILED)
        mer_fatal_job("cannot map the control block that MERIDIAN_CONTROL_FD=%d names: %s", fd,
                      strerror(errno));
    return at;
}

static _Noreturn void no_views(uint64_t length, int error) {
    struct rlimit limit;
    char want[32], have[32];
    mer_bytes_text(want, length);
    if (error == ENOMEM && getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        mer_fatal_job("cannot reserve %s of address space for shared memory: this process is limited to %s "
                      "(ulimit -v). Address space costs no memory; lift the limit with `ulimit -v unlimited'",
                      want, mer_bytes_text(have, limit.rlim_cur));
    if (error == EEXIST)
        mer_fatal_job(
            "cannot map shared memory at its place (0x%llx, %s): something else lies there. Link the "
            "program without PIE, and without libraries that choose such addresses",
            MER_VIEW_BASE, want);
    mer_fatal_job("cannot map %s of shared memory: %s", want, strerror(error));
}

void mer_memory_map_views(int fd, int threads, int first, int here, uint64_t span) {
    uint64_t length = (uint64_t)threads * span;
    char *base = (char *)MER_VIEW_BASE;
    int flags = MAP_NORESERVE | MAP_FIXED_NOREPLACE;
    bool whole = here == threads;
    void *at = whole ? mmap(base, length, PROT_READ | PROT_WRITE, MAP_SHARED | flags, fd, 0)
                     : mmap(base, length, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
    if (at == MAP_FAILED)
        no_views(length, errno);
    if (at != base) /* a kernel before 4.17 takes the address as a hint */
        no_views(length, EEXIST);
    uint64_t own = (uint64_t)first * span;
    if (!whole && mmap(base + own, (uint64_t)here * span, PROT_READ | PROT_WRITE,
                       MAP_SHARED | MAP_NORESERVE | MAP_FIXED, fd, (off_t)own) == MAP_FAILED)
        no_views(length, errno);
    /* A core file must not try to hold terabytes of holes. */
    madvise(at, length, MADV_DONTDUMP);
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

void mer_memory_hide(void *at, uint64_t length) {
    if (length && mprotect(at, length, PROT_NONE) != 0)
        mer_fatal_job("cannot take memory out of reach: %s", strerror(errno));
}
