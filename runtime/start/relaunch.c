/* Finding the launcher and handing it this program's arguments. */
#include "start/relaunch.h"

#include "base/fatal.h"
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

_Noreturn void mer_relaunch(int threads, char **argv) {
    if (getenv(MER_RELAUNCH_GUARD))
        mer_fatal_job("`meridian run' has started this program without telling it its place in the job "
                      "(MERIDIAN_CONTROL_FD is not set)");
    size_t count = 0;
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
    args[n++] = "-n";
    args[n++] = number;
    args[n++] = "--";
    args[n++] = own_path(argv);
    for (size_t i = 1; i < count; i++)
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
