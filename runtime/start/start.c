/* Start-up: from a bare process to a thread of the job, before any code of the user's.
 *
 * A constructor of priority 101, the first that a program may have.  The steps, each of which needs the ones
 * before it:
 *
 *   stack         without a limit, libraries lie where the views are to be
 *   place         which thread this process is (boot/), or that nobody launched it
 *   monitor       under another launcher than `meridian run': a process that reports the job's end
 *   relaunch      bare, but more than one thread is asked for: become `meridian run`
 *   memory        control block, views, the image's own part
 *   objects       large static objects, initial values, the heaps
 *   transport     several hosts: the way to the threads of the others
 *   barrier       all threads are here; now the number of cores is known to all
 */
#include "start/start.h"

#include "am/am.h"
#include "coll/tree.h"
#include "rma/atomic.h"
#include "rma/fence.h"
#include "rma/get_put.h"
#include "rma/pieces.h"
#include "rma/write.h"
#include "sync/semaphore.h"
#include "am/progress.h"
#include "boot/boot.h"
#include "host/resources.h"
#include "host/memory.h"
#include "start/everything.h"
#include "start/fault.h"
#include "start/finish.h"
#include "host/hosts.h"
#include "start/image.h"
#include "host/job.h"
#include "host/layout.h"
#include "base/counter.h"
#include "base/fatal.h"
#include "base/record.h"
#include "base/rva.h"
#include "start/relaunch.h"
#include "start/report.h"
#include "base/settings.h"
#include "base/system.h"
#include "start/stack.h"
#include "start/monitor.h"
#include "heap/heap.h"
#include "sync/barrier.h"
#include "sync/stall.h"
#include "base/wait.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#pragma weak mer_everything_start

/* Do the files' static THREADS and the job's agree?  Sets threads if nobody has chosen. */
static void settle_threads(struct mer_boot *p, bool launched) {
    const char *file;
    int fixed = mer_image_static_threads(&file);
    if (p->threads == 0)
        p->threads = fixed ? fixed : 1;
    else if (fixed && fixed != p->threads && launched)
        mer_fatal_job("%s was compiled for %s = %d, but the job has %d threads. Run it with "
                      "`meridian run -n %d', or compile it without %sN",
                      file, mer_threads_word(), fixed, p->threads, fixed, mer_fixed_option());
    else if (fixed && fixed != p->threads)
        mer_fatal_job("%s was compiled for %s = %d, but MERIDIAN_THREADS is %d. Unset MERIDIAN_THREADS, or "
                      "compile the program without %sN",
                      file, mer_threads_word(), fixed, p->threads, mer_fixed_option());
}

/* Fill in mer_job; see mer_divt for the reciprocal. */
static void describe_job(int thread, int threads) {
    unsigned log = 0;
    while ((1ULL << log) < (uint64_t)threads)
        log++;
    mer_job.mythread = thread;
    mer_job.threads = threads;
    mer_job.here = threads;
    mer_job.span = (MER_VIEW_SIZE >> log) - MER_SPAN_SKEW;
    unsigned __int128 power = (unsigned __int128)1 << (63 + log);
    mer_job.magic = (mer_u64)((power + (unsigned)threads - 1) / (unsigned)threads);
    mer_job.magic_shift = log;
    mer_local_limit = (mer_u64)threads << MER_THREAD_SHIFT;
}

/* With several hosts, notes which threads are on this one. */
static void describe_hosts(const struct mer_boot *boot) {
    if (boot->hosts <= 1)
        return;
    mer_job.has_remote = 1;
    mer_job.here_first = boot->here_first;
    mer_job.here = boot->here;
}

/* Has this process end with the launcher.  The kernel sends the signal when the launcher dies, which may have
 * happened before the signal is asked for. */
static void follow_launcher(pid_t launcher) {
    mer_here.launcher = launcher;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (kill(launcher, 0) != 0 && errno == ESRCH)
        _exit(EXIT_FAILURE);
}

static void open_memory(const struct mer_boot *p, bool launched) {
    int control_fd;
    if (launched) {
        control_fd = p->control_fd;
        mer_here.memory_fd = p->memory_fd;
        fcntl(control_fd, F_SETFD, FD_CLOEXEC);
        fcntl(mer_here.memory_fd, F_SETFD, FD_CLOEXEC);
    } else {
        control_fd = mer_memory_new("meridian-control", MER_CONTROL_SIZE);
        mer_here.memory_fd = mer_memory_new("meridian-memory", MER_VIEW_SIZE);
    }
    struct mer_control *control = mer_memory_map_control(control_fd);
    uint32_t found = 0;
    mer_here.control = control;
    /* Relaxed: only the word itself is read. */
    if (!__atomic_compare_exchange_n(&control->contract, &found, MER_CONTRACT_SYMBOL, false, __ATOMIC_RELAXED,
                                     __ATOMIC_RELAXED) &&
        found != MER_CONTRACT_SYMBOL)
        mer_fatal_job(
            "another thread on host %s runs a program with version %08x of Meridian's contract, but this "
            "program is linked with version %08x: run the same program on all threads",
            mer_here.host, found, MER_CONTRACT_SYMBOL);
    __atomic_store_n(&control->threads, (uint32_t)p->threads, __ATOMIC_RELAXED);
    /* Release, partner: the launcher, which reads the other words only if the magic is there. */
    __atomic_store_n(&control->magic, MER_CONTROL_MAGIC, __ATOMIC_RELEASE);
    close(control_fd);
    mer_state_set(MER_STATE_STARTED);
}

/* Returns how many bytes of each span all threads map.  With several hosts, as many as every thread can; on
 * one, as many as the first thread can, whose limits are as a rule those of all. */
static uint64_t settle_reserve(const struct mer_boot *boot, uint64_t own) {
    if (boot->hosts > 1) {
        uint64_t *all = calloc((size_t)mer_job.threads, sizeof *all), least = own;
        if (!all)
            mer_fatal("no memory for the limits of %d threads", mer_job.threads);
        boot->exchange(&own, sizeof own, all);
        for (int t = 0; t < mer_job.threads; t++)
            least = all[t] < least ? all[t] : least;
        free(all);
        return least;
    }
    uint64_t agreed = 0;
    /* Relaxed: only the word itself is read. */
    if (__atomic_compare_exchange_n(&mer_here.control->heap.mapped, &agreed, own, false, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED))
        return own;
    if (agreed / 2 > own) {
        char has[32], want[32];
        mer_fatal("this thread has %s of address space for the shared memory of each thread, because of %s, "
                  "but another thread has %s. Set MERIDIAN_RESERVE, in megabytes, for the whole job",
                  mer_bytes_text(has, own), mer_memory_limit(), mer_bytes_text(want, agreed));
    }
    return agreed;
}

static void map_views(const struct mer_boot *boot) {
    uint64_t low = mer_image_low(), own = mer_memory_reservable(mer_job.here, low, mer_job.span);
    mer_memory_map_views(mer_here.memory_fd, low, settle_reserve(boot, own));
}

/* Registers the handlers of the layers above active messages, before any message can arrive. */
static void register_handlers(void) {
    mer_fence_handlers();
    mer_get_put_handlers();
    mer_write_handlers();
    mer_pieces_handlers();
    mer_atomic_handlers();
    mer_semaphore_handlers();
    mer_tree_handlers();
}

/* Called after the barrier: every thread has set its CPUs, so that all find the same number of cores.  A
 * container's quota is this host's own; CPUs may be shared with other hosts that have threads of this job. */
static void settle_waiting(void) {
    mer_here.cores = mer_cpus_count(mer_here.control->cpus, MER_CONTROL_CPUS / 64);
    mer_here.oversubscribed = mer_job.here > mer_here.cores || mer_hosts.sharing > mer_hosts.cpus;
    mer_wait_configure(mer_setting(SPIN), mer_setting(YIELDS), mer_here.oversubscribed);
    mer_am_choose_fence();
    mer_barrier_configure();
}

/* The exchange that a launcher provides between hosts, on this host alone: all threads get the bytes of all.
 */
static void exchange_here(const void *own, mer_size n, void *all) {
    mer_barrier_allgather("the start", own, n);
    for (int t = 0; t < mer_job.threads; t++)
        memcpy((char *)all + (mer_size)t * n, mer_barrier_gathered(t), n);
}

/* With MERIDIAN_REMOTE=1, makes all memory of other threads remote, as if each thread had a host of its own.
 * Requests for a thread's memory go through the conduit, so that the progress thread serves them while the
 * thread computes. */
static void settle_all_remote(void) {
    mer_job.has_remote = 1;
    mer_job.here_first = mer_job.mythread;
    mer_job.here = 1;
    if (mer_job.threads > 1)
        mer_am_transport_start(exchange_here);
    mer_barrier_exchange("the start", 0); /* all have read the memory that is hidden next */
    mer_heap_hide();
}

/* A thread that accesses memory by message has to take messages before user code runs. */
static void settle_local_limit(int argc, char **argv, char **envp) {
    if (mer_setting(REMOTE) && !mer_job.has_remote)
        settle_all_remote();
    if (mer_setting(REFERENCE) || mer_job.has_remote) {
        mer_local_limit = 0; /* mer_is_local decides which memory is local */
        mer_am_start();
        if (!mer_job.has_remote && mer_job.threads > 1)
            mer_am_progress_start();
    }
    if (mer_everything_start)
        mer_everything_start(argc, argv, envp);
}

/* Waits until another process traces this one; the kernel names the tracer. */
static void await_debugger(void) {
    char text[4096];
    const struct timespec pause = {0, 50000000};
    if (mer_setting(DEBUGGER) == 1)
        mer_warn("waits for a debugger: gdb -p %d", (int)getpid());
    for (;;) {
        mer_file_text("/proc/self/status", text, sizeof text);
        const char *tracer = strstr(text, "TracerPid:");
        if (!tracer || atoi(tracer + strlen("TracerPid:")) != 0)
            return;
        nanosleep(&pause, NULL);
    }
}

/* Returns the bytes of the stack of the main program of Split-C and AC: MERIDIAN_STACK.  If that is not set,
 * and a limit leaves little address space, a third of this space, so that there is a heap too. */
static uint64_t settle_stack(void) {
    long least = 2L << 20, third = (long)((mer_layout.mapped - MER_HEAP_OFFSET) / 3) & -(1L << 20);
    if (!mer_everything_linked())
        return 0;
    if (mer_memory_limit() && !getenv("MERIDIAN_STACK") && third < mer_setting(STACK))
        mer_setting_value[MER_SETTING_STACK] = third < least ? least : third;
    return (uint64_t)mer_setting(STACK);
}

__attribute__((constructor(101))) static void start(int argc, char **argv, char **envp) {
    mer_finish_hold_streams();
    mer_counter_begin();
    mer_stack_settle(argv, envp);
    mer_report_start();
    mer_rva_start();
    mer_here.pid = getpid();
    mer_here.everything = mer_everything_linked();
    gethostname(mer_here.host, sizeof mer_here.host - 1);
    struct mer_boot boot;
    bool launched = mer_boot_find(&boot);
    if (launched) {
        /* Messages from here on are said once for the job. */
        if (boot.host_name)
            snprintf(mer_here.host, sizeof mer_here.host, "%s", boot.host_name);
        describe_job(boot.thread, boot.threads);
        describe_hosts(&boot);
        open_memory(&boot, true);
        mer_here.abort = boot.abort;
        if (boot.hosts > 1)
            mer_hosts_greet(boot.exchange);
        mer_monitor_start(&boot);
        if (boot.launcher)
            follow_launcher(boot.launcher);
    }
    mer_settings_read();
    mer_prefetch_depth = (unsigned)mer_setting(PREFETCH);
    mer_fences = mer_wrap_start = -(uint32_t)mer_setting(WRAP);
    if (!launched)
        mer_relaunch_by_arguments(argv);
    settle_threads(&boot, launched);
    if (!launched) {
        if (boot.threads > 1)
            mer_relaunch(boot.threads, argv, 1);
        describe_job(0, 1);
        open_memory(&boot, false);
    }
    map_views(&boot);
    mer_image_map();
    uint64_t behind = mer_image_place();
    mer_image_initialise();
    /* Before the heap starts: with everything addressable, malloc and free of start-up itself use it. */
    mer_heap_start(behind, settle_stack());
    mer_stall_configure();
    mer_fault_handlers_set();
    mer_cpus_join(mer_here.control->cpus, MER_CONTROL_CPUS / 64);
    mer_hosts_find(boot.hosts > 1 ? boot.exchange : NULL);
    register_handlers();
    mer_barrier_open();
    mer_am_open();
    mer_semaphore_open();
    if (mer_job.has_remote)
        mer_am_transport_start(boot.exchange);
    mer_record_open(mer_job.mythread, mer_job.threads, boot.hosts > 1);
    mer_barrier_start();
    settle_waiting();
    settle_local_limit(argc, argv, envp);
    if (launched && mer_job.threads > 1)
        setvbuf(stdout, NULL, _IOLBF, 0); /* lines of several threads come out whole */
    if (mer_setting(SETTINGS) && mer_job.mythread == 0)
        mer_settings_print();
    mer_finish_register();
    mer_here.started = true;
    /* Any process may trace this one, even if the system lets only ancestors do so.  The permission precedes
     * the state that tells `meridian gdb' to attach. */
    if (mer_setting(DEBUGGER))
        prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
    mer_state_set(MER_STATE_RUNNING);
    if (mer_setting(DEBUGGER))
        await_debugger();
    mer_record_start();
    mer_am_open_rows();
}

const char mer_start_linked = 1;
