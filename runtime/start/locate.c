/* The child `meridian locate', and the path to it; see locate.h. */
#include "start/locate.h"

#include "host/job.h"

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LOCATE_MS 5000 /* how long the child may take */

/* The recorded path of `meridian' (relaunch.c). */
extern const char mer_launcher_path[] __attribute__((weak));
extern char **environ;

/* The path of `meridian': that which runs this thread or, in a bare program, that which has linked it. */
static const char *locator(void) {
    static char link[32], path[PATH_MAX];
    static const char name[] = "/meridian";
    if (mer_here.launcher) {
        snprintf(link, sizeof link, "/proc/%d/exe", (int)mer_here.launcher);
        ssize_t n = readlink(link, path, sizeof path - 1), tail = sizeof name - 1;
        /* Whatever else follows the launcher's protocol knows no `locate'. */
        if (n > tail && memcmp(path + n - tail, name, sizeof name) == 0)
            return path;
    }
    return mer_launcher_path && *mer_launcher_path ? mer_launcher_path : NULL;
}

/* Whether the child ends with code 0 in time; if not in time, it is killed. */
static bool await(pid_t child) {
    const struct timespec step = {0, 5000000};
    int status = 0;
    for (int ms = 0; ms < LOCATE_MS; ms += 5) {
        pid_t ended = waitpid(child, &status, WNOHANG);
        if (ended)
            return ended == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
        nanosleep(&step, NULL);
    }
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    return false;
}

static bool locate(const char *how, const uint64_t *addresses, int count) {
    static char texts[MER_LOCATE_MOST + 1][24];
    char *args[MER_LOCATE_MOST + 5] = {"meridian", "locate"};
    const char *path = locator();
    int n = 2;
    if (!path)
        return false;
    if (how)
        args[n++] = (char *)(uintptr_t)how;
    snprintf(texts[MER_LOCATE_MOST], sizeof *texts, "%d", (int)getpid());
    args[n++] = texts[MER_LOCATE_MOST];
    for (int i = 0; i < count; i++) {
        snprintf(texts[i], sizeof *texts, "%llx", (unsigned long long)addresses[i]);
        args[n++] = texts[i];
    }
    pid_t child = vfork();
    if (child == 0) {
        execve(path, args, environ);
        _exit(127);
    }
    return child > 0 && await(child);
}

bool mer_locate(const uint64_t *addresses, int count) { return locate(NULL, addresses, count); }

void mer_locate_caller(const uint64_t *addresses, int count) { locate("--caller", addresses, count); }
