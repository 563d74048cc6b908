/* Which thread prints the job's fatal message; see report.h. */
#include "start/report.h"

#include "base/fatal.h"
#include "base/wait.h"
#include "heap/heap.h"
#include "host/job.h"
#include "start/everything.h"
#include "start/locate.h"
#include "start/monitor.h"

#include <execinfo.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define OTHERS_TEXT_NS 1000000000ULL /* how long to wait for another thread's message to be out */

/* This host's threads wait for no message any more. */
static void message_is_out(struct mer_control *control) {
    __atomic_store_n(&control->abort, MER_ABORT_PRINTED, __ATOMIC_SEQ_CST);
    mer_futex_wake(&control->abort, INT32_MAX);
}

/* Relaxed: read by a signal handler, which may run in another POSIX thread of the process.  A handler that
 * misses the value ends the process as if the signal had come earlier. */
static bool under_way;

bool mer_report_under_way(void) { return __atomic_load_n(&under_way, __ATOMIC_RELAXED); }

/* The compare-exchange's partner is the same one in other threads: one of them wins.  Among hosts the
 * launcher decides, or the failure monitor. */
bool mer_report_claim(void) {
    struct mer_control *control = mer_here.control;
    __atomic_store_n(&under_way, true, __ATOMIC_RELAXED);
    if (!control)
        return true;
    uint32_t none = MER_ABORT_NONE;
    if (!__atomic_compare_exchange_n(&control->abort, &none, MER_ABORT_PRINTING, false, __ATOMIC_SEQ_CST,
                                     __ATOMIC_SEQ_CST))
        return false;
    __atomic_store_n(&control->abort_thread, (uint32_t)mer_job.mythread + 1, __ATOMIC_RELEASE);
    if (!__atomic_load_n(&control->launcher_abort, __ATOMIC_ACQUIRE) && mer_monitor_claim())
        return true;
    message_is_out(control);
    return false;
}

/* Waits a moment, since another launcher ends the job when this thread dies, and may lose output that it has
 * not forwarded yet: of this host or, if the message is another thread's, of that thread's host. */
static void let_launcher_carry(bool claimed) {
    const struct timespec carried = {0, 100000000}, ended = {2, 0};
    if (mer_here.abort)
        nanosleep(claimed ? &carried : &ended, NULL);
}

void mer_report_done(bool claimed) {
    struct mer_control *control = mer_here.control;
    mer_wait_alone = true;
    if (control && claimed)
        message_is_out(control);
    else if (control && __atomic_load_n(&control->abort, __ATOMIC_SEQ_CST) == MER_ABORT_PRINTING)
        mer_futex_wait(&control->abort, MER_ABORT_PRINTING, OTHERS_TEXT_NS);
    mer_state_set(MER_STATE_REPORTED);
    let_launcher_carry(claimed);
}

static int name(char *text, size_t size) {
    if (mer_job.threads <= 1)
        return 0;
    return snprintf(text, size, "thread %d of %d on host %s: ", mer_job.mythread, mer_job.threads,
                    mer_here.host);
}

/* Only for the thread itself: errors of the progress thread or another POSIX thread have no such line.  The
 * first backtrace() of a process allocates: if malloc is the runtime's, the heap must not be held. */
static void say_where(void) {
    void *frames[MER_LOCATE_MOST];
    uint64_t calls[MER_LOCATE_MOST];
    sigset_t end;
    if ((mer_everything_linked() && mer_heap_is_held()) || syscall(SYS_gettid) != mer_here.pid)
        return;
    sigemptyset(&end);
    sigaddset(&end, SIGTERM); /* the message comes out whole, by the child too */
    sigprocmask(SIG_BLOCK, &end, NULL);
    int n = backtrace(frames, MER_LOCATE_MOST);
    for (int i = 0; i < n; i++) /* a return address lies after its call */
        calls[i] = (uint64_t)(uintptr_t)frames[i] - 1;
    if (n > 0) /* without descriptors, backtrace() cannot load its library */
        mer_locate_caller(calls, n);
    sigprocmask(SIG_UNBLOCK, &end, NULL);
}

static void done(bool claimed, bool end) {
    mer_report_done(claimed);
    if (end && mer_here.abort)
        mer_here.abort(EXIT_FAILURE);
}

void mer_report_start(void) {
    static const struct mer_fatal_callbacks callbacks = {
        .name = name, .claim = mer_report_claim, .say_where = say_where, .done = done};
    mer_fatal_callbacks = &callbacks;
}
