/* The end.  A thread that returns from main or calls exit(0) waits for the others in the termination barrier
 * (UPC 6.6.1.9), which finds threads that are still in upc_barrier.  exit with another code means that
 * something went wrong: it does not wait, and the launcher ends the job with that code. */
#include "start/finish.h"

#include "am/am.h"
#include "am/progress.h"
#include "host/job.h"
#include "base/fatal.h"
#include "base/record.h"
#include "start/monitor.h"
#include "sync/barrier.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Output that cannot be written, since a disk is full or standard output is closed, shows now at the latest,
 * and nobody else would say so.  A write to standard output that failed earlier has set the stream's error
 * mark.  For other streams, which a program may have given up, only errors of a disk count. */
void mer_finish_flush(void) {
    errno = 0;
    bool failed = fflush(stdout) != 0 || ferror(stdout);
    int error = errno;
    if (fflush(NULL) != 0 && (errno == ENOSPC || errno == EDQUOT || errno == EFBIG || errno == EIO)) {
        failed = true;
        error = errno;
    }
    if (failed)
        mer_fatal("cannot write the program's output: %s",
                  error ? strerror(error) : "an earlier write has failed");
}

/* The next file that is opened would get a closed descriptor's number.  It may be the job's memory, and the
 * program's output would go there.  So each closed descriptor gets a file that cannot be used in its
 * direction: the program sees the same error as with a closed one. */
void mer_finish_hold_streams(void) {
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
            open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

static void at_end(int status, void *unused) {
    (void)unused;
    if (!mer_is_thread())
        return; /* a child that user code forked */
    if ((status & 0xff) != 0) {
        mer_state_set(MER_STATE_EXITING);
        mer_record_abandon();
        fflush(NULL); /* the launcher's time limit for the others runs from the first that leaves */
        mer_am_transport_linger();
        mer_monitor_claim();
        if (mer_here.abort)
            mer_here.abort(status & 0xff);
        return;
    }
    /* This thread's output is out before the others learn that it has ended, and may end the job. */
    mer_finish_flush();
    mer_barrier_finish();
    mer_am_progress_stop();
    mer_am_transport_stop();
    mer_record_finish();
    mer_monitor_leave();
    mer_state_set(MER_STATE_FINISHED);
}

void mer_finish_register(void) { on_exit(at_end, NULL); }

static void (*before_all)(void);

void mer_finish_before(void (*hook)(void)) { before_all = hook; }

/* The first caller's status counts.  Another caller goes on when the status can be read, or after TURNS ms if
 * the first caller has died in between.  Release, partners: the launcher, and the handler of SIGTERM. */
static void announce_code(int status) {
    enum { TURNS = 1000 };
    struct mer_control *control = mer_here.control;
    uint32_t flag = MER_GLOBAL_EXIT_NONE;
    if (__atomic_compare_exchange_n(&control->global_exit_flag, &flag, MER_GLOBAL_EXIT_BEGUN, false,
                                    __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
        control->global_exit_code = status;
        __atomic_store_n(&control->global_exit_flag, MER_GLOBAL_EXIT_KNOWN, __ATOMIC_RELEASE);
    }
    for (int i = 0; i < TURNS && flag == MER_GLOBAL_EXIT_BEGUN; i++) {
        const struct timespec moment = {0, 1000000};
        nanosleep(&moment, NULL);
        flag = __atomic_load_n(&control->global_exit_flag, __ATOMIC_ACQUIRE);
    }
}

_Noreturn void mer_finish_all(int status) {
    if (before_all)
        before_all();
    if (status == 0)
        mer_finish_flush();
    else
        fflush(NULL);
    announce_code(status);
    mer_state_set(MER_STATE_GLOBAL_EXIT);
    mer_monitor_claim();
    if (mer_here.abort)
        mer_here.abort(status);
    _exit(status);
}
