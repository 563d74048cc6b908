/* Everything addressable: the stack, and the calls of the entry points of Split-C and AC programs.
 *
 * The statics are start/image.c's, the heap is heap/malloc.c.  The main program runs on a stack in its own
 * view, so that its automatic objects are addressable too.  Under the address sanitizer and valgrind it keeps
 * its stack, whose bounds these know; its automatic objects are then accessed by active message.
 */
#include "start/everything.h"

#include "am/am.h"
#include "host/job.h"
#include "base/fatal.h"
#include "base/limits.h"
#include "base/settings.h"
#include "host/layout.h"

#include <meridian/everything.h>
#include <errno.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#define GUARD (1ULL << 20)

const char mer_everything = 1;

extern void __asan_init(void) __attribute__((weak));

/* The program's entry point, arguments (from start-up on) and result; one a process. */
static struct {
    int (*f)(int, char **, char **);
    char **argv, **envp;
    int argc, result;
} call;

static bool keeps_stack(void) { return __asan_init || mer_under_valgrind(); }

/* Finds whether the program wants an executable stack: gcc puts code for nested functions there, and the
 * linker says so in the program's header.  For dl_iterate_phdr, whose first object is the program. */
static int wants_code(struct dl_phdr_info *image, size_t size, void *wanted) {
    (void)size;
    for (int i = 0; i < image->dlpi_phnum; i++) {
        if (image->dlpi_phdr[i].p_type == PT_GNU_STACK)
            *(int *)wanted = image->dlpi_phdr[i].p_flags & PF_X ? PROT_EXEC : 0;
    }
    return 1;
}

static void on_stack(void) { call.result = call.f(call.argc, call.argv, call.envp); }

int mer_everything_run(int (*f)(int, char **, char **), int argc, char **argv, char **envp) {
    if (keeps_stack())
        return f(argc, argv, envp);
    static ucontext_t outside, inside;
    char *low = mer_view(mer_job.mythread, mer_layout.stack);
    uint64_t size = mer_layout.local_state - mer_layout.stack;
    int code = 0;
    dl_iterate_phdr(wants_code, &code);
    if (code && mprotect(low, size, PROT_READ | PROT_WRITE | code) != 0)
        mer_warn("the stack cannot hold code (%s): pointers to nested functions cannot be called",
                 strerror(errno));
    if (mprotect(low, GUARD, PROT_NONE) != 0 || getcontext(&inside) != 0)
        mer_fatal("cannot set up the stack: %s", strerror(errno));
    call.f = f;
    call.argc = argc;
    call.argv = argv;
    call.envp = envp;
    inside.uc_stack.ss_sp = low + GUARD;
    inside.uc_stack.ss_size = size - GUARD;
    inside.uc_link = &outside;
    makecontext(&inside, on_stack, 0);
    if (swapcontext(&outside, &inside) != 0)
        mer_fatal("cannot set up the stack: %s", strerror(errno));
    return call.result;
}

int mer_everything_main(int (*f)(int, char **, char **), int *status) {
    static bool entered;
    if (entered || keeps_stack())
        return 0;
    entered = true;
    int given = mer_everything_run(f, call.argc, call.argv, call.envp);
    if (!status)
        exit(0);
    *status = given;
    return 1;
}

void mer_everything_start(int argc, char **argv, char **envp) {
    call.argc = argc;
    call.argv = argv;
    call.envp = envp;
    mer_am_start();
}

bool mer_everything_guard(uint64_t a) {
    return a - (uint64_t)(uintptr_t)mer_view(mer_job.mythread, mer_layout.stack) < GUARD;
}
