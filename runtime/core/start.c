/* Start-up: from a bare process to a thread of the job, before any code of the user's.
 *
 * A constructor of priority 101, the first that a program may have.  The steps, each of which needs the ones
 * before it:
 *
 *   place         which thread this process is (the launcher's variables), or that nobody launched it
 *   relaunch      bare, but more than one thread is asked for: become `meridian run`
 *   memory        control block, views, the image's own part
 *   objects       large static objects, initial values, the heaps
 *   barrier       all threads are here; now the number of cores is known to all
 *
 * The launcher's variables are removed from the environment, so that programs which this one starts are not
 * taken for threads of this job.
 */
#include "core/start.h"

#include "am/am.h"
#include "conduit/smp/host.h"
#include "conduit/smp/memory.h"
#include "core/everything.h"
#include "core/fault.h"
#include "core/finish.h"
#include "core/image.h"
#include "core/job.h"
#include "core/message.h"
#include "core/relaunch.h"
#include "core/settings.h"
#include "heap/heap.h"
#include "sync/barrier.h"
#include "sync/stall.h"
#include "sync/wait.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

#pragma weak mer_everything_start

/* What the environment says. */
struct place {
    bool launched;
    long thread, threads, memory_fd, control_fd, launcher;
};

/* The value of a variable as a number in [least, most]; fatal message if it is none. */
static long number_of(const char *name, const char *text, long least, long most) {
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (!*text || errno || *end || value < least || value > most)
        mer_fatal_job("%s is `%s', but has to be a whole number from %ld to %ld", name, text, least, most);
    return value;
}

static long required(const char *name, long least, long most) {
    const char *text = getenv(name);
    if (!text)
        mer_fatal_job("%s is not set, although MERIDIAN_CONTROL_FD is; start the program with `meridian run'",
                      name);
    return number_of(name, text, least, most);
}

static struct place read_place(void) {
    struct place p = {.launched = getenv("MERIDIAN_CONTROL_FD") != NULL, .threads = 1};
    const char *threads = getenv("MERIDIAN_THREADS");
    if (p.launched) {
        p.threads = required("MERIDIAN_THREADS", 1, MER_MAX_THREADS);
        p.thread = required("MERIDIAN_THREAD", 0, p.threads - 1);
        p.memory_fd = required("MERIDIAN_MEMORY_FD", 0, INT32_MAX);
        p.control_fd = required("MERIDIAN_CONTROL_FD", 0, INT32_MAX);
        p.launcher = required("MERIDIAN_LAUNCHER", 1, INT32_MAX);
        unsetenv(MER_RELAUNCH_GUARD);
    } else if (threads && *threads) {
        p.threads = number_of("MERIDIAN_THREADS", threads, 1, MER_MAX_THREADS);
    } else {
        p.threads = 0; /* nobody has chosen */
    }
    static const char *const own[] = {"MERIDIAN_THREAD", "MERIDIAN_THREADS", "MERIDIAN_MEMORY_FD",
                                      "MERIDIAN_CONTROL_FD", "MERIDIAN_LAUNCHER"};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        unsetenv(own[i]);
    return p;
}

/* Do the files' static THREADS and the job's agree?  Sets threads where nobody has chosen. */
static void settle_threads(struct place *p) {
    const char *file;
    int fixed = mer_image_static_threads(&file);
    if (p->threads == 0)
        p->threads = fixed ? fixed : 1;
    else if (fixed && fixed != p->threads && p->launched)
        mer_fatal_job("%s was compiled for THREADS = %d, but the job has %ld threads. Run it with "
                      "`meridian run -n %d', or compile it without -fupc-threads",
                      file, fixed, p->threads, fixed);
    else if (fixed && fixed != p->threads)
        mer_fatal_job(
            "%s was compiled for THREADS = %d, but MERIDIAN_THREADS is %ld. Unset MERIDIAN_THREADS, or "
            "compile the program without -fupc-threads",
            file, fixed, p->threads);
}

/* Fill in mer_job; see mer_divt for the reciprocal. */
static void describe_job(int thread, int threads) {
    unsigned log = 0;
    while ((1ULL << log) < (uint64_t)threads)
        log++;
    mer_job.mythread = thread;
    mer_job.threads = threads;
    mer_job.span = (MER_VIEW_SIZE >> log) - MER_SPAN_SKEW;
    unsigned __int128 power = (unsigned __int128)1 << (63 + log);
    mer_job.magic = (mer_u64)((power + (unsigned)threads - 1) / (unsigned)threads);
    mer_job.magic_shift = log;
}

/* End with the launcher; the signal is sent when it dies, and it may have died before it was asked for. */
static void follow_launcher(pid_t launcher) {
    mer_here.launcher = launcher;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (kill(launcher, 0) != 0 && errno == ESRCH)
        _exit(EXIT_FAILURE);
}

static void open_memory(const struct place *p) {
    int control_fd;
    if (p->launched) {
        control_fd = (int)p->control_fd;
        mer_here.memory_fd = (int)p->memory_fd;
        fcntl(control_fd, F_SETFD, FD_CLOEXEC);
        fcntl(mer_here.memory_fd, F_SETFD, FD_CLOEXEC);
    } else {
        control_fd = mer_smp_memory_new("meridian-control", MER_CONTROL_SIZE);
        mer_here.memory_fd = mer_smp_memory_new("meridian-memory", MER_VIEW_SIZE);
    }
    struct mer_control *control = mer_smp_map_control(control_fd);
    __atomic_store_n(&control->version, MER_CONTROL_VERSION, __ATOMIC_RELAXED);
    __atomic_store_n(&control->threads, (uint32_t)p->threads, __ATOMIC_RELAXED);
    /* Release, partner: the launcher, which reads version and threads only if the magic is there. */
    __atomic_store_n(&control->magic, MER_CONTROL_MAGIC, __ATOMIC_RELEASE);
    close(control_fd);
    mer_here.control = control;
    mer_state_set(MER_STATE_STARTED);
}

/* After the barrier: every thread has set its CPUs, so that all find the same number of cores. */
static void settle_waiting(void) {
    mer_here.cores = mer_smp_cpus_count(mer_here.control->cpus, MER_CONTROL_CPUS / 64);
    mer_here.crowded = mer_job.threads > mer_here.cores;
    mer_wait_configure(mer_setting(SPIN), mer_setting(YIELDS), mer_here.crowded);
    mer_barrier_configure();
}

/* Whoever reaches others by message has to take messages, before user code runs. */
static void settle_reach(void) {
    if (mer_setting(REFERENCE)) {
        mer_reach = 0;
        mer_am_start();
    }
    if (mer_everything_start)
        mer_everything_start();
}

__attribute__((constructor(101))) static void start(int argc, char **argv, char **envp) {
    (void)argc;
    (void)envp;
    mer_here.pid = getpid();
    gethostname(mer_here.host, sizeof mer_here.host - 1);
    struct place place = read_place();
    if (place.launched) {
        /* Messages from here on are said once for the job. */
        describe_job((int)place.thread, (int)place.threads);
        open_memory(&place);
        follow_launcher((pid_t)place.launcher);
    }
    mer_settings_read();
    settle_threads(&place);
    if (!place.launched) {
        if (place.threads > 1)
            mer_relaunch((int)place.threads, argv);
        describe_job(0, 1);
        open_memory(&place);
    }
    mer_smp_map_views(mer_here.memory_fd, mer_job.threads, mer_job.span);
    mer_image_map();
    uint64_t behind = mer_image_place_big();
    mer_image_initialise();
    mer_heap_start(behind, mer_everything_linked() ? (uint64_t)mer_setting(STACK) << 20 : 0);
    mer_stall_configure();
    mer_fault_handlers_set();
    mer_smp_cpus_join(mer_here.control->cpus, MER_CONTROL_CPUS / 64);
    mer_barrier_start();
    settle_waiting();
    settle_reach();
    if (place.launched && mer_job.threads > 1)
        setvbuf(stdout, NULL, _IOLBF, 0); /* lines of several threads come out whole */
    if (mer_setting(SETTINGS) && mer_job.mythread == 0)
        mer_settings_print();
    mer_finish_register();
    mer_here.started = true;
    mer_state_set(MER_STATE_RUNNING);
}

const char mer_start_linked = 1;
