/* fork, for programs in which everything is addressable.
 *
 * Statics, heap and main stack are then mapped shared, so a child would go on in its parent's memory, on its
 * parent's stack.  Therefore the child makes its own copy first: it maps the same places once more,
 * privately, and writes to every page that has content, which copies it.  Until that is done, parent and
 * child both run on a small stack of private memory, and the parent waits.
 *
 * The symmetric heap and other threads' spans remain shared, as in a child of a UPC program.  The child is no
 * thread of the job.  popen, system and posix_spawn do not use this function.
 */
#include "host/job.h"
#include "base/fatal.h"
#include "host/layout.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

const char mer_everything_fork = 1;

#define PRIVATE_STACK (256 << 10)
#define STACK_GUARD (1ULL << 20) /* the guard of start/everything.c, which is not copied */

extern pid_t __fork(void); /* the C library's */
extern char data_begins[] __asm__("__data_start");
extern char image_ends[] __asm__("_end");

/* Map [at, at + length), which is the job's memory from native address a of this thread on, privately, and
 * copy its content. */
static void make_own(void *at, uint64_t length, uint64_t a, uint64_t page) {
    int fd = mer_here.memory_fd;
    uint64_t first = (uint64_t)mer_job.mythread * mer_job.span + a;
    if (mmap(at, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, fd, (off_t)first) ==
        MAP_FAILED)
        _exit(127);
    off_t data = (off_t)first, end = (off_t)(first + length);
    while ((data = lseek(fd, data, SEEK_DATA)) >= 0 && data < end) {
        off_t hole = lseek(fd, data, SEEK_HOLE);
        for (; data < hole && data < end; data += (off_t)page) {
            volatile char *byte = (volatile char *)at + ((uint64_t)data - first) / page * page;
            *byte = *byte;
        }
    }
}

static void leave_parent(void) {
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    uint64_t low = (uint64_t)(uintptr_t)data_begins & ~(page - 1);
    uint64_t high = ((uint64_t)(uintptr_t)image_ends + page - 1) & ~(page - 1);
    uint64_t stack = mer_layout.stack + STACK_GUARD;
    struct mer_layout at = mer_layout;
    int me = mer_job.mythread;
    make_own((void *)low, high - low, low, page);
    make_own(mer_view(me, stack), at.local_state - stack, stack, page);
    make_own(mer_view(me, at.local_state), at.symmetric_state - at.local_state, at.local_state, page);
    make_own(mer_view(me, at.local), at.end - at.local, at.local, page);
}

static ucontext_t outside, inside;
static pid_t result;
static int result_errno;

/* Fork and copy; runs on the private stack. */
static void divide(void) {
    int done[2];
    char byte = 0;
    pid_t pid = pipe(done) == 0 ? __fork() : -1;
    int error = errno;
    if (pid == 0) {
        leave_parent();
        close(done[0]);
        if (write(done[1], &byte, 1) != 1)
            _exit(127);
        close(done[1]);
    } else if (pid > 0) {
        close(done[1]);
        while (read(done[0], &byte, 1) < 0 && errno == EINTR)
            ;
        close(done[0]);
    }
    result = pid;
    result_errno = error;
}

/* Weak, because a program may define its own `fork', such as a philosopher's. */
__attribute__((weak)) pid_t fork(void) {
    if (!mer_here.started || !mer_is_thread())
        return __fork();
    static void *stack;
    if (!stack) {
        void *fresh = mmap(NULL, PRIVATE_STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (fresh == MAP_FAILED)
            return -1;
        stack = fresh;
    }
    getcontext(&inside);
    inside.uc_stack.ss_sp = stack;
    inside.uc_stack.ss_size = PRIVATE_STACK;
    inside.uc_link = &outside;
    makecontext(&inside, divide, 0);
    swapcontext(&outside, &inside);
    if (result < 0)
        errno = result_errno;
    return result;
}
