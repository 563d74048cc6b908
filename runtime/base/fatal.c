/* Messages: formatting into one buffer, one write, and the rule that one thread prints a fatal error. */
#include "base/fatal.h"

#include "base/settings.h"

#include <errno.h>
#include <execinfo.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MESSAGE_SIZE 2048

const struct mer_fatal_callbacks *mer_fatal_callbacks;

static void write_all(const char *text, size_t length) {
    while (length > 0) {
        ssize_t n = write(STDERR_FILENO, text, length);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return; /* nobody listens: there is no one to tell */
        text += n;
        length -= (size_t)n;
    }
}

static void print(bool named, const char *format, va_list args) {
    char text[MESSAGE_SIZE];
    int n = snprintf(text, sizeof text, "meridian: ");
    if (named && mer_fatal_callbacks)
        n += mer_fatal_callbacks->name(text + n, sizeof text - (size_t)n);
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

static bool claim(void) { return !mer_fatal_callbacks || mer_fatal_callbacks->claim(); }

static void print_backtrace(void) {
    void *frames[64];
    backtrace_symbols_fd(frames, backtrace(frames, 64), STDERR_FILENO);
}

static _Noreturn void fatal(bool named, bool placed, const char *format, va_list args) {
    fflush(stdout); /* the program's output comes before the message */
    bool claimed = claim();
    if (claimed) {
        print(named, format, args);
        if (mer_setting(BACKTRACE))
            print_backtrace();
        if (!placed && mer_fatal_callbacks)
            mer_fatal_callbacks->say_where();
    }
    if (mer_fatal_callbacks)
        mer_fatal_callbacks->done(claimed, !mer_setting(ABORT));
    if (mer_setting(ABORT)) {
        signal(SIGABRT, SIG_DFL);
        abort();
    }
    _exit(EXIT_FAILURE);
}

void mer_fatal(const char *format, ...) {
    va_list args;
    va_start(args, format);
    fatal(true, false, format, args);
}

void mer_fatal_placed(const char *format, ...) {
    va_list args;
    va_start(args, format);
    fatal(true, true, format, args);
}

void mer_fatal_job(const char *format, ...) {
    va_list args;
    va_start(args, format);
    fatal(false, true, format, args);
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
