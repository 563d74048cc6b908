/* The progress thread: serves requests of other hosts for this thread's memory while the thread computes or
 * sleeps, and sends what it has left unsent.
 *
 * What the progress thread does depends on what the thread does:
 *
 *   communicates   The thread polls, faster than the progress thread could.  The progress thread naps, and
 *                  looks every MERIDIAN_NAP us whether the thread still polls.
 *   computes       The thread has not polled during a nap.  The progress thread takes over.  It sleeps in the
 *                  kernel on the conduit's descriptor, so that a request is served as soon as it comes and an
 *                  idle network costs nothing.
 *   sleeps         (on a futex, base/wait.c)  The same without the nap: what comes is what the thread waits
 *                  for.
 *
 * When the thread puts a message into an empty packet while the progress thread sleeps on the descriptor, it
 * wakes the progress thread by an eventfd.  The progress thread naps, and sends the message if the thread has
 * not done so meanwhile.  So no message stays unsent for longer than two naps.
 */
#include "transport/progress.h"

#include "base/fatal.h"
#include "base/wait.h"
#include "base/limits.h"
#include "transport/end.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#define SILENCE_MS 1000 /* without any event, look once in so long */

void mer_progress_alarm(struct mer_progress *progress) {
    uint64_t one = 1;
    if (write(progress->alarm_fd, &one, sizeof one) < 0 && errno != EAGAIN)
        mer_fatal("cannot wake the progress thread: %s", strerror(errno));
}

void mer_transport_rest(struct mer_transport *end, bool rest) {
    struct mer_progress *progress = &end->progress;
    if (!progress->running)
        return;
    /* Relaxed: only a hint on how long to nap; what is handed over is guarded by the end's lock. */
    __atomic_store_n(&progress->resting, rest, __ATOMIC_RELAXED);
    if (rest)
        mer_futex_wake(&progress->resting, 1);
}

static bool at_rest(const struct mer_progress *progress) {
    return __atomic_load_n(&progress->resting, __ATOMIC_RELAXED);
}

/* True: the conduit has something. */
static bool sleep_on_descriptors(const struct mer_progress *progress) {
    struct pollfd fds[2] = {{.fd = progress->descriptor, .events = POLLIN},
                            {.fd = progress->alarm_fd, .events = POLLIN}};
    uint64_t count;
    if (poll(fds, 2, SILENCE_MS) > 0 && (fds[1].revents & POLLIN) &&
        read(progress->alarm_fd, &count, sizeof count) < 0)
        return false;
    return fds[0].revents != 0;
}

/* Does the thread communicate, that is, has it polled since *polls was read?  `busy': something has just
 * come, so there is no time for a nap. */
static bool polls_itself(struct mer_transport *end, uint32_t *polls, bool busy) {
    struct mer_progress *progress = &end->progress;
    if (at_rest(progress))
        return false;
    if (!busy)
        mer_futex_wait(&progress->resting, 0, mer_progress_nap_ns());
    uint32_t now = __atomic_load_n(&end->polls, __ATOMIC_RELAXED);
    bool polled = now != *polls;
    *polls = now;
    return polled && !at_rest(progress);
}

static void *run(void *argument) {
    struct mer_transport *end = argument;
    uint32_t polls = 0;
    bool busy = false;
    while (!__atomic_load_n(&end->progress.stop, __ATOMIC_RELAXED)) {
        if (polls_itself(end, &polls, busy)) {
            busy = false;
            continue;
        }
        bool idle;
        busy = mer_transport_turn(end, &idle) > 0;
        if (idle)
            busy = sleep_on_descriptors(&end->progress);
        else if (!busy) /* the conduit has no capacity now */
            nanosleep(&(struct timespec){0, 50000}, NULL);
    }
    return NULL;
}

void mer_progress_start(struct mer_transport *end, int wait_fd) {
    struct mer_progress *progress = &end->progress;
    progress->descriptor = wait_fd;
    progress->alarm_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (progress->alarm_fd < 0)
        mer_fatal("cannot make a descriptor for the progress thread: %s", mer_limit_text(errno));
    /* Signals are the program's own thread's. */
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
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
    mer_transport_rest(end, true);
    pthread_join(progress->thread, NULL);
    progress->running = false;
    close(progress->alarm_fd);
}
