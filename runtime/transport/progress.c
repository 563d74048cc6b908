/* The progress thread: serves what other hosts ask of this thread's memory while the thread computes or
 * sleeps, and sends what it has left unsent.
 *
 * Three states of the thread, three manners of this one:
 *
 *   communicates   it polls by itself, faster than anybody else could: nap, and look again every NAP_NS
 *                  whether it still does
 *   computes       no poll during a nap: take over; sleep in the kernel on the conduit's descriptor, so that
 *                  a request is served as soon as it comes and an idle network costs nothing
 *   sleeps         (on a futex, base/wait.c) likewise, but without the nap: what comes is what it waits for
 *
 * A message that the thread puts into an empty packet while this one sleeps on the descriptor sounds the
 * alarm (an eventfd): this one wakes, naps, and sends it if the thread has not done so meanwhile.  Therefore
 * no message stays unsent for longer than two naps.
 */
#include "transport/transport.h"

#include "conduit/sockets.h"
#include "base/fatal.h"
#include "base/wait.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#define NAP_NS 400000ULL
#define SILENCE_MS 1000 /* without any event, look once in a while */

static pthread_t thread;
static int descriptor, alarm_fd;
static uint32_t resting; /* futex: 1 while the thread sleeps */
static bool running, stop;

void mer_progress_alarm(void) {
    uint64_t one = 1;
    if (write(alarm_fd, &one, sizeof one) < 0 && errno != EAGAIN)
        mer_fatal("cannot wake the progress thread: %s", strerror(errno));
}

void mer_progress_rest(bool rest) {
    if (!running)
        return;
    /* Relaxed: only a hint on how long to nap; what is handed over is guarded by the wire's lock. */
    __atomic_store_n(&resting, rest, __ATOMIC_RELAXED);
    if (rest)
        mer_futex_wake(&resting, 1);
}

static bool at_rest(void) { return __atomic_load_n(&resting, __ATOMIC_RELAXED); }

/* True: the conduit has something. */
static bool sleep_on_descriptors(void) {
    struct pollfd fds[2] = {{.fd = descriptor, .events = POLLIN}, {.fd = alarm_fd, .events = POLLIN}};
    uint64_t count;
    if (poll(fds, 2, SILENCE_MS) > 0 && (fds[1].revents & POLLIN) && read(alarm_fd, &count, sizeof count) < 0)
        return false;
    return fds[0].revents != 0;
}

/* Does the thread communicate, that is, has it polled since *polls was read?  `busy': something has just
 * come, so there is no time for a nap. */
static bool polls_itself(uint32_t *polls, bool busy) {
    if (at_rest())
        return false;
    if (!busy)
        mer_futex_wait(&resting, 0, NAP_NS);
    uint32_t now = __atomic_load_n(&mer_wire_polls, __ATOMIC_RELAXED);
    bool polled = now != *polls;
    *polls = now;
    return polled && !at_rest();
}

static void *progress(void *unused) {
    (void)unused;
    uint32_t polls = 0;
    bool busy = false;
    while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
        if (polls_itself(&polls, busy)) {
            busy = false;
            continue;
        }
        bool idle;
        busy = mer_wire_turn(&idle) > 0;
        if (idle)
            busy = sleep_on_descriptors();
        else if (!busy) /* the conduit has no room now */
            nanosleep(&(struct timespec){0, 50000}, NULL);
    }
    return NULL;
}

void mer_progress_start(int wait_fd) {
    descriptor = wait_fd;
    alarm_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (alarm_fd < 0)
        mer_fatal("cannot make a descriptor for the progress thread: %s", mer_limit_text(errno));
    /* Signals are the program's own thread's. */
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(&thread, NULL, progress, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error)
        mer_fatal("cannot start the progress thread: %s", strerror(error));
    running = true;
}

void mer_progress_stop(void) {
    __atomic_store_n(&stop, true, __ATOMIC_RELAXED);
    mer_progress_alarm();
    mer_progress_rest(true);
    pthread_join(thread, NULL);
    running = false;
    close(alarm_fd);
}
