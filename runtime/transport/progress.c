/* The progress thread: serves requests of other hosts for this thread's memory while the thread computes or
 * sleeps, and sends messages that the thread has left unsent.
 *
 * The activity of the progress thread depends on that of the thread:
 *
 *   communicates   The thread polls, faster than the progress thread could.  The progress thread is off duty:
 *                  it sleeps until a timer expires.  A poll of the thread puts the timer off, to one term
 *                  from then, if half a term has passed since it was last set.  So while the thread polls,
 *                  the progress thread never runs, and disturbs neither this thread nor others that share
 *                  the cores.  This costs the thread a call of the kernel now and then.
 *   computes       The timer expires.  If the thread has polled since the progress thread set or checked the
 *                  timer, at least one term ago, the timer is set once more.  So a thread that polls now and
 *                  then while it computes handles its messages itself.  Otherwise the progress thread takes
 *                  over.  It sleeps in the kernel on the conduit's descriptor, so that a request is served as
 *                  soon as it comes and an idle network costs nothing.  If something comes, and the thread
 *                  has polled meanwhile, the progress thread goes off duty.
 *   sleeps         (on a futex, base/wait.c)  The progress thread takes over at once, without a timer: the
 *                  thread waits for the messages that come.  With more threads than cores a thread sleeps in
 *                  most of its waits.  Then the progress thread stays on duty if the thread has slept since
 *                  the last check: going off duty and being called back would cost two context switches in
 *                  each wait.
 *
 * When the thread puts a message into an empty packet while the progress thread sleeps on the descriptor, it
 * wakes the progress thread by an eventfd.  The progress thread goes off duty, and sends the message if the
 * thread does not poll until the timer expires.  So no message stays unsent for longer than two terms.  With
 * more threads than cores a message does not wake the progress thread if the thread pushes it before it
 * releases the lock: the announcements of a barrier (mer_transport_begin), and messages from handlers in a
 * poll.
 *
 * A term is MERIDIAN_NAP us.  It doubles, up to LONGEST naps, if the progress thread was busy fewer than
 * WORTH times while on duty: the thread would have polled soon, and two POSIX threads that alternate on a
 * connection wait for its lock.  A loop that computes for 500 us between its messages would otherwise pay for
 * that each time, with a third of its time if hosts share their cores.  If the progress thread has been of
 * use, a term is one nap again.
 *
 * Every request is served.  Before the progress thread sleeps off duty it sets the timer, and only a poll
 * puts the timer off; so a thread that stops polling is served after two terms at most.  A thread that is
 * about to sleep sets `resting' and then reads `off_duty'; the progress thread sets `off_duty' and then reads
 * `resting'.  One of them sees the other.
 */
#include "transport/progress.h"

#include "base/clock.h"
#include "base/fatal.h"
#include "base/system.h"
#include "base/limits.h"
#include "transport/end.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#define SILENCE_MS 1000 /* without any event, poll once in so long */
#define LONGEST 4       /* most naps in a term */
#define WORTH 8         /* busy polls in one period on duty for which it counts as useful */

void mer_progress_alarm(struct mer_progress *progress) {
    uint64_t one = 1;
    if (write(progress->alarm_fd, &one, sizeof one) < 0 && errno != EAGAIN)
        mer_fatal("cannot wake the progress thread: %s", strerror(errno));
}

/* Full fence, partner: stay_off_duty. */
void mer_transport_rest(struct mer_transport *end, bool rest) {
    struct mer_progress *progress = &end->progress;
    if (!progress->running)
        return;
    if (rest) /* relaxed: a rest that is seen late counts for the next period on duty */
        __atomic_store_n(&progress->rests, progress->rests + 1, __ATOMIC_RELAXED);
    __atomic_store_n(&progress->resting, rest, __ATOMIC_SEQ_CST);
    if (rest && __atomic_load_n(&progress->off_duty, __ATOMIC_SEQ_CST))
        mer_progress_alarm(progress);
}

/* ---- the timer ----------------------------------------------------------------------------------------- */

/* Returns the term in ns.  Relaxed: the thread may use the previous term for one period of the timer. */
static uint64_t term_ns(const struct mer_progress *progress) {
    return mer_progress_nap_ns() * __atomic_load_n(&progress->naps, __ATOMIC_RELAXED);
}

/* Set the timer to a term after now.  Relaxed: if two POSIX threads set it at the same time, the last one
 * wins, and a term from then is early enough. */
static void set_timer(struct mer_progress *progress, uint64_t now) {
    uint64_t term = term_ns(progress);
    struct itimerspec when = {.it_value = {(time_t)(term / 1000000000), (long)(term % 1000000000)}};
    __atomic_store_n(&progress->put_off, now, __ATOMIC_RELAXED);
    if (timerfd_settime(progress->timer_fd, 0, &when, NULL) != 0)
        mer_fatal("cannot set the timer of the progress thread: %s", strerror(errno));
}

void mer_progress_put_off(struct mer_progress *progress) {
    uint64_t now = mer_clock_ns();
    if (now - __atomic_load_n(&progress->put_off, __ATOMIC_RELAXED) >= term_ns(progress) / 2)
        set_timer(progress, now);
}

/* ---- the thread ---------------------------------------------------------------------------------------- */

/* Sleep until fd or the alarm is readable, and reset the alarm.  Returns true if fd is readable. */
static bool sleep_on(const struct mer_progress *progress, int fd, int milliseconds) {
    struct pollfd fds[2] = {{.fd = fd, .events = POLLIN}, {.fd = progress->alarm_fd, .events = POLLIN}};
    uint64_t count;
    if (poll(fds, 2, milliseconds) > 0 && (fds[1].revents & POLLIN) &&
        read(progress->alarm_fd, &count, sizeof count) < 0)
        return false;
    return fds[0].revents != 0;
}

static bool at_rest(const struct mer_progress *progress) {
    return __atomic_load_n(&progress->resting, __ATOMIC_SEQ_CST);
}

/* Returns true if the thread has polled, or begun to rest, since *count was read; updates *count. */
static bool has_done(const uint32_t *times, uint32_t *count) {
    uint32_t before = *count;
    *count = __atomic_load_n(times, __ATOMIC_RELAXED);
    return *count != before;
}

static bool has_polled(const struct mer_transport *end, uint32_t *polls) {
    return has_done(&end->polls, polls);
}

/* Sleep until the thread rests, or has not polled for long.  The rows' flag `asleep' is for a sleep on the
 * conduit's descriptor; if the thread sees it too late, the alarm wakes only this loop.  Full fence, partner:
 * mer_transport_rest. */
static void stay_off_duty(struct mer_transport *end, uint32_t *polls) {
    struct mer_progress *progress = &end->progress;
    bool silent = false;
    __atomic_store_n(&end->rows.asleep, false, __ATOMIC_RELAXED);
    has_polled(end, polls);
    set_timer(progress, mer_clock_ns());
    __atomic_store_n(&progress->off_duty, true, __ATOMIC_SEQ_CST);
    while (!silent && !at_rest(progress) && !__atomic_load_n(&progress->stop, __ATOMIC_RELAXED)) {
        bool expired = sleep_on(progress, progress->timer_fd, -1);
        silent = expired && !has_polled(end, polls);
        if (expired && !silent)
            set_timer(progress, mer_clock_ns());
    }
    __atomic_store_n(&progress->off_duty, false, __ATOMIC_RELAXED);
}

/* Choose the next term, after `came' busy polls while the progress thread was on duty. */
static void choose_term(struct mer_progress *progress, int came) {
    unsigned naps = came >= WORTH ? 1 : progress->naps < LONGEST ? 2 * progress->naps : LONGEST;
    __atomic_store_n(&progress->naps, naps, __ATOMIC_RELAXED);
}

static void *run(void *argument) {
    struct mer_transport *end = argument;
    uint32_t polls = 0, rests = 0;
    bool on_duty = false;
    int came = 0;
    while (!__atomic_load_n(&end->progress.stop, __ATOMIC_RELAXED)) {
        if (!on_duty) {
            stay_off_duty(end, &polls);
            came = 0;
        }
        bool idle, busy = mer_transport_turn(end, &idle) > 0;
        came += busy;
        if (idle)
            busy = sleep_on(&end->progress, end->progress.descriptor, SILENCE_MS);
        else if (!busy) /* the conduit has no capacity now */
            nanosleep(&(struct timespec){0, 50000}, NULL);
        /* If nothing has come, the thread may be about to send the message for which it has woken this
         * one. */
        bool rested = has_done(&end->progress.rests, &rests) && mer_here.oversubscribed;
        on_duty = at_rest(&end->progress) || rested || (busy && !has_polled(end, &polls));
        if (!on_duty)
            choose_term(&end->progress, came);
    }
    return NULL;
}

void mer_progress_start(struct mer_transport *end, int wait_fd) {
    struct mer_progress *progress = &end->progress;
    progress->descriptor = wait_fd;
    progress->naps = 1;
    progress->alarm_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    progress->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    if (progress->alarm_fd < 0 || progress->timer_fd < 0)
        mer_fatal("cannot make a descriptor for the progress thread: %s", mer_limit_text(errno));
    sigset_t before;
    mer_block_signals(&before);
    int error = pthread_create(&progress->thread, NULL, run, end);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error)
        mer_fatal("cannot start the progress thread: %s", strerror(error));
    progress->running = true;
}

void mer_progress_stop(struct mer_transport *end) {
    struct mer_progress *progress = &end->progress;
    if (!progress->running)
        return;
    __atomic_store_n(&progress->stop, true, __ATOMIC_RELAXED);
    mer_progress_alarm(progress);
    pthread_join(progress->thread, NULL);
    progress->running = false;
    close(progress->alarm_fd);
    close(progress->timer_fd);
}
