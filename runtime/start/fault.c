/* Handlers of deadly signals.  They run on a stack of their own (the usual cause of a fault is a full stack),
 * print one message, and let the signal do what it does without a handler, so that exit status, core file and
 * debugger are as always.
 *
 * SIGTERM is handled only for upc_global_exit: the launcher sends it to the other threads, whose output is to
 * be flushed (7.2.1); without a global exit it ends the process as always.  Under other launchers SIGTERM and
 * SIGINT are handled so that the job's failure monitor hears of them.
 */
#include "start/fault.h"

#include "start/everything.h"
#include "host/job.h"
#include "base/fatal.h"
#include "base/settings.h"
#include "start/monitor.h"
#include "start/report.h"

#include <execinfo.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#pragma weak mer_everything_guard

#define STACK_SIZE (64 << 10)
#define NULL_PAGES (1ULL << 20) /* an address this little above a null pointer was reached through one */

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

/* "reading " or "writing ", where the processor says. */
static const char *direction(void *context) {
#if defined(__x86_64__)
    return ((ucontext_t *)context)->uc_mcontext.gregs[REG_ERR] & 2 ? "writing " : "reading ";
#else
    (void)context;
    return "at ";
#endif
}

/* What lies at an address, by the map of the views. */
static void place_text(char *text, size_t size, uint64_t a, int signal) {
    uint64_t span = mer_job.span, in_view = a - MER_VIEW_BASE, whole = (uint64_t)mer_job.threads * span;
    if (mer_everything_linked() && mer_everything_guard && mer_everything_guard(a)) {
        snprintf(text, size, "; the stack is full: %ld MB, which MERIDIAN_STACK changes",
                 mer_setting(STACK) >> 20);
    } else if (a < NULL_PAGES) {
        snprintf(text, size, "; that is a null pointer, to private memory or to shared");
    } else if (a >= MER_VIEW_BASE && in_view < whole && signal == SIGBUS) {
        snprintf(text, size, "; that is shared memory of thread %d, for which the host has no memory left",
                 (int)(in_view / span));
    } else if (a >= MER_VIEW_BASE && in_view < whole) {
        snprintf(text, size, "; that is shared memory of thread %d", (int)(in_view / span));
    } else if (a >= MER_VIEW_BASE && in_view < MER_VIEW_SIZE) {
        snprintf(text, size,
                 "; that is behind the shared memory of the last thread: a pointer-to-shared that "
                 "was not set, or went too far");
    } else if (a % span < NULL_PAGES && a / span < (uint64_t)mer_job.threads) {
        snprintf(text, size, "; that was reached from a null pointer-to-shared, by stepping to thread %d",
                 (int)(a / span));
    } else {
        snprintf(text, size, "; no shared memory lies there");
    }
}

static void say(int signal, const siginfo_t *info, void *context) {
    char where[256] = "", text[512];
    bool memory = (signal == SIGSEGV || signal == SIGBUS) && info->si_code > 0;
    if (memory) {
        uint64_t a = (uint64_t)(uintptr_t)info->si_addr;
        int n = snprintf(where, sizeof where, " %saddress 0x%llx", direction(context), (unsigned long long)a);
        if (a || info->si_code != SI_KERNEL) /* a non-canonical address is not told */
            place_text(where + n, sizeof where - (size_t)n, a, signal);
    }
    int n = snprintf(text, sizeof text, "meridian: thread %d of %d on host %s: %s%s\n", mer_job.mythread,
                     mer_job.threads, mer_here.host, text_of(signal), where);
    if (write(STDERR_FILENO, text, (size_t)n) < 0)
        return;
    if (mer_setting(BACKTRACE)) {
        void *frames[64];
        backtrace_symbols_fd(frames, backtrace(frames, 64), STDERR_FILENO);
    }
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
    if (mer_is_thread() && __atomic_load_n(&control->global_exit_flag, __ATOMIC_ACQUIRE)) {
        fflush(NULL);
        _exit(control->global_exit_code);
    }
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
    static char stack[STACK_SIZE] __attribute__((aligned(64)));
    stack_t old, own = {.ss_sp = stack, .ss_size = sizeof stack};
    if (sigaltstack(NULL, &old) == 0 && (old.ss_flags & SS_DISABLE))
        sigaltstack(&own, NULL);
    struct sigaction fault = {.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESETHAND};
    fault.sa_sigaction = on_fault;
    sigemptyset(&fault.sa_mask);
    for (size_t i = 0; i < sizeof causes / sizeof *causes; i++)
        install(causes[i].signal, &fault);
    struct sigaction end = {.sa_flags = SA_RESETHAND};
    end.sa_handler = on_terminate;
    sigemptyset(&end.sa_mask);
    install(SIGTERM, &end);
    if (mer_here.abort) /* another launcher hands on what a terminal has sent it */
        install(SIGINT, &end);
    if (mer_setting(BACKTRACE)) {
        void *frames[1];
        backtrace(frames, 1); /* loads what it needs now, where it may allocate */
    }
}
