/* A process that `meridian run' has started: its place is in the environment (the table in ARCHITECTURE.md).
 *
 * On several hosts each host has an agent, which is the parent of the process and has a socket to it.  A
 * process writes a block there: its length as a u32, then the bytes.  The agents and the launcher collect the
 * blocks of all processes and send them to all.  The agent ends the process when the job ends, so a socket
 * that closes needs no message of its own; PR_SET_PDEATHSIG (start/start.c) covers an agent that was killed.
 *
 * The variables are removed from the environment, so that programs which this one starts are not taken for
 * threads of this job.
 */
#include "boot/launched.h"

#include "host/control.h"
#include "host/job.h"
#include "host/memory.h"
#include "base/fatal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <meridian/abi/abi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ENDING_SECONDS 5 /* how long the agent may take to end this process */

static int exchange_fd = -1;
static int exchange_threads;
static char host_name[64];

enum variable {
#define ID(name) name,
    MER_VARIABLES(ID) MER_VARIABLES_HOSTS(ID)
#undef ID
};
static const char *const names[] = {
#define NAME(name) [name] = "MERIDIAN_" #name,
    MER_VARIABLES(NAME) MER_VARIABLES_HOSTS(NAME)
#undef NAME
};

static const char *text_of(enum variable variable) { return getenv(names[variable]); }

/* Returns the value of a variable as a number in [least, most].  Ends the job with a message if it is
 * none. */
static int number_of(enum variable variable, const char *text, long least, long most) {
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (!*text || errno || *end || value < least || value > most)
        mer_fatal_job("%s is `%s', but has to be a whole number from %ld to %ld", names[variable], text,
                      least, most);
    return (int)value;
}

static int required(enum variable variable, long least, long most) {
    const char *text = text_of(variable);
    if (!text)
        mer_fatal_job("%s is not set, although MERIDIAN_CONTROL_FD is; start the program with `meridian run'",
                      names[variable]);
    return number_of(variable, text, least, most);
}

/* Refuses a launcher of another version of the contract, before anything else of it is believed except the
 * descriptor of the control block, by which the message is said once for the host. */
static void check_launcher(void) {
    char own[16], path[64], launcher[PATH_MAX] = "`meridian run'";
    const char *other = text_of(CONTRACT), *pid = text_of(LAUNCHER);
    snprintf(own, sizeof own, "%08x", MER_CONTRACT);
    if (other && strcmp(other, own) == 0)
        return;
    mer_job.mythread = required(THREAD, 0, MER_MAX_THREADS - 1);
    mer_here.control = mer_memory_map_control(required(CONTROL_FD, 0, INT32_MAX));
    snprintf(path, sizeof path, "/proc/%.20s/exe", pid ? pid : "");
    ssize_t n = readlink(path, launcher, sizeof launcher - 1);
    if (n > 0)
        launcher[n] = 0;
    mer_fatal_job("the launcher %s has version %s of Meridian's contract, but this program is linked with "
                  "version %s: start it with the `meridian run' of the installation that has compiled it, or "
                  "compile and link it again",
                  launcher, other ? other : "0", own);
}

static _Noreturn void agent_lost(void) {
    sleep(ENDING_SECONDS);
    mer_fatal_job("the agent of `meridian run' on this host does not answer");
}

static void exchange(const void *mine, size_t n, void *all) {
    unsigned char *out = malloc(4 + n);
    if (!out)
        mer_fatal_job("no memory to exchange %zu bytes with the other threads", n);
    memcpy(out, &(uint32_t){(uint32_t)n}, 4);
    memcpy(out + 4, mine, n);
    for (size_t done = 0; done < 4 + n;) {
        ssize_t put = write(exchange_fd, out + done, 4 + n - done);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            agent_lost();
        done += (size_t)put;
    }
    free(out);
    for (size_t done = 0, whole = n * (size_t)exchange_threads; done < whole;) {
        ssize_t got = read(exchange_fd, (char *)all + done, whole - done);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            agent_lost();
        done += (size_t)got;
    }
}

/* Read the variables that only jobs on several hosts have. */
static void find_hosts(struct mer_boot *boot) {
    boot->hosts = required(HOSTS, 1, boot->threads);
    boot->host = required(HOST, 0, boot->hosts - 1);
    boot->here = required(HERE, 1, boot->threads);
    boot->here_first = required(FIRST, 0, boot->threads - boot->here);
    if (boot->thread < boot->here_first || boot->thread >= boot->here_first + boot->here)
        mer_fatal_job("MERIDIAN_THREAD is %d, but this host has the threads %d to %d", boot->thread,
                      boot->here_first, boot->here_first + boot->here - 1);
    exchange_fd = required(EXCHANGE_FD, 0, INT32_MAX);
    exchange_threads = boot->threads;
    fcntl(exchange_fd, F_SETFD, FD_CLOEXEC);
    boot->exchange = exchange;
    const char *name = text_of(HOST_NAME);
    if (name) {
        snprintf(host_name, sizeof host_name, "%s", name);
        boot->host_name = host_name;
    }
}

static void forget_variables(void) {
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unsetenv(names[i]);
}

bool mer_boot_launched(struct mer_boot *boot) {
    bool launched = text_of(CONTROL_FD) != NULL;
    const char *threads = text_of(THREADS);
    *boot = (struct mer_boot){.by = "meridian run", .hosts = 1};
    if (launched) {
        check_launcher();
        boot->threads = required(THREADS, 1, MER_MAX_THREADS);
        boot->thread = required(THREAD, 0, boot->threads - 1);
        boot->memory_fd = required(MEMORY_FD, 0, INT32_MAX);
        boot->control_fd = required(CONTROL_FD, 0, INT32_MAX);
        boot->launcher = required(LAUNCHER, 1, INT32_MAX);
        boot->here = boot->threads;
        if (text_of(HOSTS))
            find_hosts(boot);
        unsetenv(MER_RELAUNCH_GUARD);
    } else if (threads && *threads) {
        boot->threads = number_of(THREADS, threads, 1, MER_MAX_THREADS);
    }
    forget_variables();
    return launched;
}
