/* Finding the launcher and handing it this program's arguments. */
#include "start/relaunch.h"

#include "base/fatal.h"
#include "base/limits.h"
#include "boot/launched.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The path of `meridian' as the driver recorded it when it linked the program; the driver links an object
 * that defines it. */
extern const char mer_launcher_path[] __attribute__((weak));

static const char *own_path(char **argv) {
    static char path[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    if (n > 0)
        return path;
    return argv[0];
}

/* Not inlined: gdb stops here (runtime/gdb/meridian.py). */
__attribute__((noinline)) _Noreturn void mer_relaunch(int threads, char **argv, size_t first) {
    if (getenv(MER_RELAUNCH_GUARD))
        mer_fatal_job("`meridian run' has started this program without telling it its place in the job "
                      "(MERIDIAN_CONTROL_FD is not set)");
    if (mer_under_valgrind())
        mer_fatal_job("valgrind would not follow into the threads of a job. Start valgrind in each thread: "
                      "`meridian run -n %d valgrind %s'",
                      threads ? threads : 2, argv[0] ? argv[0] : "program");
    size_t count = first;
    while (argv[count])
        count++;
    const char **args = calloc(count + 6, sizeof *args);
    if (!args)
        mer_fatal_job("no memory to start %d threads", threads);
    char number[16];
    snprintf(number, sizeof number, "%d", threads);
    size_t n = 0;
    args[n++] = "meridian";
    args[n++] = "run";
    if (threads) {
        args[n++] = "-n";
        args[n++] = number;
    }
    args[n++] = "--";
    args[n++] = own_path(argv);
    for (size_t i = first; i < count; i++)
        args[n++] = argv[i];
    setenv(MER_RELAUNCH_GUARD, "1", 1);
    bool recorded = mer_launcher_path && *mer_launcher_path;
    if (recorded)
        execv(mer_launcher_path, (char *const *)args);
    execvp("meridian", (char *const *)args);
    mer_fatal_job(
        "cannot start %d threads: the launcher `meridian' is not in PATH (%s)%s%s. Put it there, or start "
        "the program with `.../meridian run -n %d -- %s'",
        threads, strerror(errno), recorded ? ", nor at " : "", recorded ? mer_launcher_path : "", threads,
        argv[0] ? argv[0] : "program");
}

/* Defined by the driver in programs that are linked with -gupc or -cupc: they take `-n N' too, which in
 * others is an argument like any other. */
extern const char mer_gnu_arguments[] __attribute__((weak));

/* Returns the number of threads that an argument asks for, or 0 if it is no such number. */
static int threads_of(const char *text) {
    char *end;
    errno = 0;
    long n = strtol(text, &end, 10);
    return *text && !*end && !errno && n > 0 && n <= INT_MAX ? (int)n : 0;
}

void mer_relaunch_by_arguments(char **argv) {
    static const char threads_word[] = "-fupc-threads-", word[] = "-fupc-";
    int threads = 0;
    size_t i = argv[0] ? 1 : 0;
    for (; argv[i]; i++) {
        const char *number = NULL;
        if (strncmp(argv[i], threads_word, sizeof threads_word - 1) == 0)
            number = argv[i] + sizeof threads_word - 1;
        else if (mer_gnu_arguments && strcmp(argv[i], "-n") == 0 && argv[i + 1])
            number = argv[++i];
        else if (strncmp(argv[i], word, sizeof word - 1) != 0)
            break;
        if (number && !(threads = threads_of(number)))
            mer_fatal_job("%s: the number of threads must be a whole number from 1", argv[i]);
    }
    if (i > 1)
        mer_relaunch(threads, argv, i);
}
