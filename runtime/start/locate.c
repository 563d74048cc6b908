/* The child `meridian locate', and the path to it; see locate.h.
 *
 * The calls that a fault lies in are found by backtrace(), which the first time loads a library and so
 * allocates.  A thread that has died in malloc(), with its lock held, would wait for ever.  So a copy of the
 * process finds the calls.  The copy may wait or die: after LOCATE_MS the thread goes on with the address of
 * the fault alone.  fork() is not for signal handlers (it takes malloc()'s lock), the system call is.
 *
 * If everything is addressable, a copy of the process would share its stack.  Start-up has then loaded the
 * library (mer_fault_handlers_set), and the thread finds the calls itself.
 */
#include "start/locate.h"

#include "start/everything.h"
#include "host/job.h"

#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LOCATE_MS 5000 /* how long the child may take */

/* The recorded path of `meridian' (relaunch.c). */
extern const char mer_launcher_path[] __attribute__((weak));
extern char **environ;

/* The path of the `meridian' that runs this thread or, in a bare program, has linked it. */
static const char *locator(void) {
    static char link[32], path[PATH_MAX];
    static const char name[] = "/meridian";
    if (mer_here.launcher) {
        snprintf(link, sizeof link, "/proc/%d/exe", (int)mer_here.launcher);
        ssize_t n = readlink(link, path, sizeof path - 1), tail = sizeof name - 1;
        /* Another program that follows the launcher's protocol knows no `locate'. */
        if (n > tail && memcmp(path + n - tail, name, sizeof name) == 0)
            return path;
    }
    return mer_launcher_path && *mer_launcher_path ? mer_launcher_path : NULL;
}

/* Returns whether the child ends with code 0 in time.  Kills a child that does not end in time. */
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

/* Become `meridian locate' for addresses of process `pid'. */
static void become_locator(const char *path, const char *how, pid_t pid, const uint64_t *addresses,
                           int count) {
    static char texts[MER_LOCATE_MOST + 1][24];
    char *args[MER_LOCATE_MOST + 5] = {"meridian", "locate"};
    int n = 2;
    if (how)
        args[n++] = (char *)(uintptr_t)how;
    snprintf(texts[MER_LOCATE_MOST], sizeof *texts, "%d", (int)pid);
    args[n++] = texts[MER_LOCATE_MOST];
    for (int i = 0; i < count; i++) {
        snprintf(texts[i], sizeof *texts, "%llx", (unsigned long long)addresses[i]);
        args[n++] = texts[i];
    }
    execve(path, args, environ);
    _exit(127);
}

static bool locate(const char *how, const uint64_t *addresses, int count) {
    const char *path = locator();
    pid_t pid = getpid();
    if (!path)
        return false;
    pid_t child = vfork();
    if (child == 0)
        become_locator(path, how, pid, addresses, count);
    return child > 0 && await(child);
}

/* Become `meridian finding', which reads from one descriptor and writes to the other. */
static void become_teller(const char *path, pid_t pid, int from, int to) {
    char number[24];
    char *args[] = {"meridian", "finding", number, NULL};
    snprintf(number, sizeof number, "%d", (int)pid);
    if (dup2(from, STDIN_FILENO) >= 0 && dup2(to, STDOUT_FILENO) >= 0)
        execve(path, args, environ);
    _exit(127);
}

/* Reads to the end, or as much as there is room for.  Returns the number of bytes. */
static size_t read_all(int from, char *text, size_t room) {
    size_t got = 0;
    ssize_t n;
    while (got < room && ((n = read(from, text + got, room - got)) > 0 || (n < 0 && errno == EINTR)))
        got += n > 0 ? (size_t)n : 0;
    return got;
}

size_t mer_locate_finding(const char *text, size_t n, char *told, size_t room) {
    const char *path = locator();
    pid_t pid = getpid();
    int asked[2], answer[2];
    if (!path || pipe2(asked, O_CLOEXEC) != 0)
        return 0;
    bool ready = write(asked[1], text, n) == (ssize_t)n && pipe2(answer, O_CLOEXEC) == 0;
    close(asked[1]);
    pid_t child = ready ? vfork() : -1;
    if (child == 0)
        become_teller(path, pid, asked[0], answer[1]);
    close(asked[0]);
    if (!ready)
        return 0;
    close(answer[1]);
    size_t got = child > 0 ? read_all(answer[0], told, room) : 0;
    close(answer[0]);
    return child > 0 && await(child) ? got : 0;
}

bool mer_locate(const uint64_t *addresses, int count) { return locate(NULL, addresses, count); }

/* Stores the addresses of the calls that the instruction `pc' lies in, `pc' itself first.  Returns their
 * number, or 0 if it is in none of them. */
static int calls_from(uint64_t pc, uint64_t *addresses) {
    void *frames[MER_LOCATE_MOST];
    int n = backtrace(frames, MER_LOCATE_MOST), from = 0, count = 0;
    while (from < n && (uint64_t)(uintptr_t)frames[from] != pc)
        from++;
    for (int i = from; i < n; i++) /* a return address lies after its call */
        addresses[count++] = (uint64_t)(uintptr_t)frames[i] - (i > from);
    return count;
}

bool mer_locate_fault(uint64_t pc, bool all) {
    uint64_t addresses[MER_LOCATE_MOST];
    const char *path = locator();
    pid_t pid = getpid();
    if (!path)
        return false;
    if (mer_everything_linked()) {
        int count = calls_from(pc, addresses);
        return count ? locate(all ? NULL : "--fault", addresses, count) : mer_locate(&pc, 1);
    }
    pid_t child = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    if (child == 0) {
        int count = calls_from(pc, addresses);
        if (count)
            become_locator(path, all ? NULL : "--fault", pid, addresses, count);
        _exit(127);
    }
    return (child > 0 && await(child)) || mer_locate(&pc, 1);
}

void mer_locate_caller(const uint64_t *addresses, int count) { locate("--caller", addresses, count); }
