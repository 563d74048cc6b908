/* Handlers of deadly signals.  They run on a stack of their own (the usual cause of a fault is a full stack),
 * print one message, and let the signal take its default action, so that exit status, core file and debugger
 * are as always.
 *
 * SIGTERM is handled for upc_global_exit: the launcher sends it to the other threads, whose output is to be
 * flushed (7.2.1).  A process that prints the job's fatal message goes on: another thread, which waits for
 * the message for a bounded time only, may have ended, and then the launcher ends the job.  Otherwise SIGTERM
 * ends the process as always.  Under other launchers SIGTERM and SIGINT are handled also so that the job's
 * failure monitor hears of them.
 *
 * A child prints function, file and line of a fault (locate.h).
 */
#include "start/fault.h"

#include "start/everything.h"
#include "start/locate.h"
#include "host/job.h"
#include "host/layout.h"
#include "base/fatal.h"
#include "base/settings.h"
#include "start/monitor.h"
#include "start/report.h"

#include <execinfo.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#pragma weak mer_everything_guard

/* Null in a static program.  There backtrace() loads nothing, and finds no frames before the constructors of
 * the C compiler's own files have run. */
extern const char dynamic_section[] __asm__("_DYNAMIC") __attribute__((weak, visibility("hidden")));

#define STACK_SIZE (64 << 10)
#define NULL_PAGES (1ULL << 20) /* an address this little above a null pointer was reached through one */

#define FRAMES MER_LOCATE_MOST
/* Bytes below the stack pointer to which a function may store before it moves the pointer, or without. */
#define BELOW_STACK (64ULL << 10)
#define FRAME_MOST (1ULL << 30) /* a stack pointer farther below the limit is that of another stack */

/* Near the beginning of the main stack: only the arguments and the environment lie above. */
static uint64_t stack_begin;

struct cause {
    int signal;
    const char *text;
};

static const struct cause causes[] = {
    {SIGSEGV, "segmentation fault (SIGSEGV)"},
    {SIGBUS, "bus error (SIGBUS)"},
    {SIGFPE, "arithmetic error (SIGFPE)"},
    {SIGILL, "illegal instruction (SIGILL)"},
    {SIGABRT, "aborted (SIGABRT)"},
};

static const char *text_of(int signal) {
    for (size_t i = 0; i < sizeof causes / sizeof *causes; i++)
        if (causes[i].signal == signal)
            return causes[i].text;
    return "signal";
}

/* "reading " or "writing ", if the processor says which. */
static const char *direction(void *context) {
#if defined(__x86_64__)
    return ((ucontext_t *)context)->uc_mcontext.gregs[REG_ERR] & 2 ? "writing " : "reading ";
#else
    (void)context;
    return "at ";
#endif
}

static uint64_t program_counter(const ucontext_t *context) {
#if defined(__x86_64__)
    return (uint64_t)context->uc_mcontext.gregs[REG_RIP];
#else
    return context->uc_mcontext.pc;
#endif
}

static uint64_t stack_pointer(const ucontext_t *context) {
#if defined(__x86_64__)
    return (uint64_t)context->uc_mcontext.gregs[REG_RSP];
#else
    return context->uc_mcontext.sp;
#endif
}

/* Returns the return address of a call whose target holds no code. */
static uint64_t behind_call(const ucontext_t *context) {
#if defined(__x86_64__)
    return *(const uint64_t *)(uintptr_t)stack_pointer(context);
#else
    return context->uc_mcontext.regs[30];
#endif
}

/* Returns whether the main stack has met its limit at `a', and the limit in bytes.  An address between the
 * stack pointer and the stack's beginning belongs to the stack, so that a fault there means that the stack
 * may not grow so far. */
static bool stack_overflow(uint64_t a, const ucontext_t *context, uint64_t *limit) {
    struct rlimit now;
    if (mer_everything_linked() || syscall(SYS_gettid) != getpid() || getrlimit(RLIMIT_STACK, &now) != 0 ||
        now.rlim_cur == RLIM_INFINITY)
        return false;
    *limit = now.rlim_cur;
    uint64_t pointer = stack_pointer(context);
    bool main_stack = pointer < stack_begin && stack_begin - pointer < *limit + FRAME_MOST;
    return main_stack && a < stack_begin && a >= pointer - BELOW_STACK && stack_begin - a > *limit / 2;
}

/* Describes the memory at an address, by the map of the views. */
static void place_text(char *text, size_t size, uint64_t a, int signal, const ucontext_t *context) {
    uint64_t limit;
    uint64_t span = mer_job.span, in_view = a - MER_VIEW_BASE, whole = (uint64_t)mer_job.threads * span;
    if (mer_everything_linked() && mer_everything_guard && mer_everything_guard(a)) {
        snprintf(text, size, "; stack overflow: the stack is full: %ld MB, which MERIDIAN_STACK changes",
                 mer_setting(STACK) >> 20);
    } else if (stack_overflow(a, context, &limit)) {
        snprintf(text, size, "; stack overflow: the stack is full: %llu KB, which `ulimit -s' changes",
                 (unsigned long long)(limit >> 10));
    } else if (a < NULL_PAGES) {
        snprintf(text, size, "; the address is a null pointer, to private or to shared memory");
    } else if (a >= MER_VIEW_BASE && in_view < whole && signal == SIGBUS) {
        snprintf(text, size,
                 "; the address is shared memory of thread %d, for which the host has no memory left",
                 (int)(in_view / span));
    } else if (a >= MER_VIEW_BASE && in_view < whole && in_view % span >= mer_layout.mapped) {
        snprintf(text, size, "; the address is after the shared memory of thread %d", (int)(in_view / span));
    } else if (a >= MER_VIEW_BASE && in_view < whole && !mer_on_host((int)(in_view / span))) {
        snprintf(text, size,
                 "; the address is memory of thread %d, on another host: a pointer-to-shared was cast to a "
                 "pointer-to-local, which can point to the thread's own objects only, or a pointer-to-shared "
                 "was not set",
                 (int)(in_view / span));
    } else if (a >= MER_VIEW_BASE && in_view < whole) {
        snprintf(text, size, "; the address is shared memory of thread %d", (int)(in_view / span));
    } else if (a >= MER_VIEW_BASE && in_view < MER_VIEW_SIZE) {
        snprintf(text, size,
                 "; the address is after the shared memory of the last thread, where thread %d would be, but "
                 "there are %d threads: a pointer-to-shared was not set, or was moved too far",
                 (int)(in_view / span), mer_job.threads);
    } else if (a % span < NULL_PAGES && a / span < (uint64_t)mer_job.threads) {
        snprintf(text, size,
                 "; the address results from a null pointer-to-shared that was moved to thread %d",
                 (int)(a / span));
    } else {
        snprintf(text, size, "; the address is not in shared memory");
    }
}

/* Prints function, file and line of the innermost call that is the program's, and with MERIDIAN_BACKTRACE
 * those of all calls.  After a call whose target holds no code, the place is the return address. */
static void say_where(bool memory, const siginfo_t *info, const ucontext_t *context) {
    uint64_t pc = program_counter(context);
    bool all = mer_setting(BACKTRACE);
    bool said;
    if (memory && pc == (uint64_t)(uintptr_t)info->si_addr) {
        uint64_t call = behind_call(context) - 1;
        said = mer_locate(&call, 1);
    } else {
        said = mer_locate_fault(pc, all);
    }
    if (!said && all) {
        void *frames[FRAMES];
        backtrace_symbols_fd(frames, backtrace(frames, FRAMES), STDERR_FILENO);
    }
}

static void say(int signal, const siginfo_t *info, void *context) {
    char where[320] = "", text[512];
    bool memory = (signal == SIGSEGV || signal == SIGBUS) && info->si_code > 0;
    if (memory) {
        uint64_t a = (uint64_t)(uintptr_t)info->si_addr;
        if (!a && info->si_code == SI_KERNEL) { /* the system does not say which */
            snprintf(where, sizeof where,
                     " at an address that is not valid: a pointer was not set, or a pointer-to-shared points "
                     "to a thread that does not exist");
        } else {
            int n = snprintf(where, sizeof where, " %saddress 0x%llx", direction(context),
                             (unsigned long long)a);
            place_text(where + n, sizeof where - (size_t)n, a, signal, context);
        }
    }
    int n = snprintf(text, sizeof text, "meridian: thread %d of %d on host %s: %s%s\n", mer_job.mythread,
                     mer_job.threads, mer_here.host, text_of(signal), where);
    if (write(STDERR_FILENO, text, (size_t)n) < 0)
        return;
    if (info->si_code > 0 || signal == SIGABRT)
        say_where(memory, info, context);
}

/* SA_RESETHAND has put the default action back: for a fault the instruction runs again and dies of it; a
 * signal that was sent is raised again, and is delivered when the handler returns. */
static void on_fault(int signal, siginfo_t *info, void *context) {
    if (mer_is_thread()) {
        bool claimed = mer_report_claim();
        if (claimed)
            say(signal, info, context);
        mer_report_done(claimed);
    }
    if (info->si_code <= 0 || signal == SIGABRT)
        raise(signal);
}

static void on_terminate(int signal) {
    struct mer_control *control = mer_here.control;
    if (mer_is_thread() &&
        __atomic_load_n(&control->global_exit_flag, __ATOMIC_ACQUIRE) == MER_GLOBAL_EXIT_KNOWN) {
        fflush(NULL);
        _exit(control->global_exit_code);
    }
    if (mer_is_thread() && mer_report_under_way())
        return;
    if (mer_is_thread())
        mer_monitor_told();
    raise(signal);
}

/* Install unless somebody has a handler already, or ignores the signal. */
static void install(int signal, const struct sigaction *action) {
    struct sigaction old;
    if (sigaction(signal, NULL, &old) == 0 && !(old.sa_flags & SA_SIGINFO) && old.sa_handler == SIG_DFL)
        sigaction(signal, action, NULL);
}

void mer_fault_handlers_set(void) {
    stack_begin = (uint64_t)(uintptr_t)__builtin_frame_address(0);
    static char stack[STACK_SIZE] __attribute__((aligned(64)));
    stack_t old, own = {.ss_sp = stack, .ss_size = sizeof stack};
    if (sigaltstack(NULL, &old) == 0 && (old.ss_flags & SS_DISABLE))
        sigaltstack(&own, NULL);
    struct sigaction fault = {.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESETHAND};
    fault.sa_sigaction = on_fault;
    sigemptyset(&fault.sa_mask);
    sigaddset(&fault.sa_mask, SIGTERM); /* the message comes out whole */
    for (size_t i = 0; i < sizeof causes / sizeof *causes; i++)
        install(causes[i].signal, &fault);
    struct sigaction end = {.sa_flags = SA_RESETHAND};
    end.sa_handler = on_terminate;
    sigemptyset(&end.sa_mask);
    install(SIGTERM, &end);
    if (mer_here.abort) /* another launcher passes on the signals of its terminal */
        install(SIGINT, &end);
    if ((mer_everything_linked() || mer_setting(BACKTRACE)) && dynamic_section) {
        void *frames[1];
        backtrace(frames, 1); /* loads its library now, where it may allocate; see locate.c */
    }
}
