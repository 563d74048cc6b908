/* Messages: formatting into one buffer, one write, and the rule that one thread prints a fatal error. */
#include "base/fatal.h"

#include "host/job.h"
#include "base/settings.h"
#include "start/monitor.h"
#include "base/wait.h"

#include <execinfo.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MESSAGE_SIZE 2048
#define OTHERS_TEXT_NS 1000000000ULL /* how long to wait for another thread's message to be out */

static void write_all(const char *text, size_t length) {
    while (length > 0) {
        ssize_t n = write(STDERR_FILENO, text, length);
        if (n <= 0)
            return; /* nobody listens: there is no one to tell */
        text += n;
        length -= (size_t)n;
    }
}

static void print(bool named, const char *format, va_list args) {
    char text[MESSAGE_SIZE];
    int n = snprintf(text, sizeof text, "meridian: ");
    if (named && mer_job.threads > 1)
        n += snprintf(text + n, sizeof text - (size_t)n, "thread %d of %d on host %s: ", mer_job.mythread,
                      mer_job.threads, mer_here.host);
    int m = vsnprintf(text + n, sizeof text - (size_t)n - 1, format, args);
    size_t length = (size_t)n + (size_t)(m < 0 ? 0 : m);
    if (length > sizeof text - 2)
        length = sizeof text - 2;
    text[length++] = '\n';
    write_all(text, length);
}

void mer_warn(const char *format, ...) {
    va_list args;
    va_start(args, format);
    print(true, format, args);
    va_end(args);
}

/* This host's threads wait for no message any more. */
static void message_is_out(struct mer_control *control) {
    __atomic_store_n(&control->abort, MER_ABORT_PRINTED, __ATOMIC_SEQ_CST);
    mer_futex_wake(&control->abort, INT32_MAX);
}

/* The compare-exchange's partner is the same one in other threads: one of them wins.  Among hosts it
 * is the launcher that sees to it, or the witness. */
bool mer_fatal_claim(void) {
    struct mer_control *control = mer_here.control;
    if (!control)
        return true;
    uint32_t none = MER_ABORT_NONE;
    if (!__atomic_compare_exchange_n(&control->abort, &none, MER_ABORT_PRINTING, false, __ATOMIC_SEQ_CST,
                                     __ATOMIC_SEQ_CST))
        return false;
    __atomic_store_n(&control->abort_thread, (uint32_t)mer_job.mythread + 1, __ATOMIC_RELEASE);
    if (!__atomic_load_n(&control->launcher_abort, __ATOMIC_ACQUIRE) && mer_witness_claim())
        return true;
    message_is_out(control);
    return false;
}

/* Another launcher ends the job when this thread dies, and may drop what it has not carried yet: of this host
 * or, if the message is another's, of that one's. */
static void let_launcher_carry(bool claimed) {
    const struct timespec carried = {0, 100000000}, ended = {2, 0};
    if (mer_here.abort)
        nanosleep(claimed ? &carried : &ended, NULL);
}

void mer_fatal_done(bool claimed) {
    struct mer_control *control = mer_here.control;
    mer_wait_hook = NULL; /* a thread that dies handles no messages */
    if (control && claimed)
        message_is_out(control);
    else if (control && __atomic_load_n(&control->abort, __ATOMIC_SEQ_CST) == MER_ABORT_PRINTING)
        mer_futex_wait(&control->abort, MER_ABORT_PRINTING, OTHERS_TEXT_NS);
    mer_state_set(MER_STATE_REPORTED);
    let_launcher_carry(claimed);
}

static void print_backtrace(void) {
    void *frames[64];
    backtrace_symbols_fd(frames, backtrace(frames, 64), STDERR_FILENO);
}

static _Noreturn void fatal(bool named, const char *format, va_list args) {
    fflush(stdout); /* what the program said before comes before what is said of it */
    bool claimed = mer_fatal_claim();
    if (claimed) {
        print(named, format, args);
        if (mer_setting(BACKTRACE))
            print_backtrace();
    }
    mer_fatal_done(claimed);
    if (mer_here.abort && !mer_setting(ABORT))
        mer_here.abort(EXIT_FAILURE);
    if (mer_setting(ABORT)) {
        signal(SIGABRT, SIG_DFL);
        abort();
    }
    _exit(EXIT_FAILURE);
}

void mer_fatal(const char *format, ...) {
    va_list args;
    va_start(args, format);
    fatal(true, format, args);
}

void mer_fatal_job(const char *format, ...) {
    va_list args;
    va_start(args, format);
    fatal(false, format, args);
}

char *mer_bytes_text(char text[32], unsigned long long bytes) {
    static const char *const unit[] = {"bytes", "KB", "MB", "GB", "TB", "PB", "EB"};
    double value = (double)bytes;
    int u = 0;
    while (value >= 1024 && u < 6) {
        value /= 1024;
        u++;
    }
    snprintf(text, 32, u == 0 ? "%.0f %s" : "%.1f %s", value, unit[u]);
    return text;
}

/* The bounds of the image, from the linker. */
extern const char __executable_start[] __attribute__((weak));
extern const char _end[] __attribute__((weak));

const char *mer_where_text(const char *where) {
    if (!where || !__executable_start || where < __executable_start || where >= _end)
        return "an unknown place";
    return where;
}
