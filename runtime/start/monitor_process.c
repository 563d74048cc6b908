/* A monitor, as a process (monitor.h).
 *
 * The monitor of thread 0's host decides who may print the job's message.  The others pass their threads'
 * claims on to it, and make a claim themselves when a thread dies.  A claim is answered before the thread has
 * the launcher end the others, and a thread's words are read before the end of its connection.  So a death
 * that follows from another is not reported, with one exception: a death on another host whose claim
 * overtakes that of the first.  For this the launcher has to notice the first death and end the other host's
 * thread before the first monitor has made its claim.
 */
#include "start/monitor_process.h"

#include "base/clock.h"
#include "base/limits.h"
#include "conduit/sockets.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <unistd.h>

#define STRANGERS 256      /* connections beyond the expected ones; further ones are refused */
#define HOLD_SECONDS 10    /* how long to wait for other hosts' threads when none are left here */
#define CARRY_SECONDS 0.1  /* how long a launcher may take to carry the messages of this host */
#define ANSWER_SECONDS 1.0 /* how long thread 0's host may take */

enum kind { UNKNOWN, THREAD, MONITOR, UP };

struct link {
    int fd;
    enum kind kind;
    size_t got; /* bytes of hello */
    struct mer_hello hello;
    bool parted;
};

static struct mer_monitor self;
static struct link *links, *unused, *end;
static int epoll;
static int threads_left, monitors_left; /* connections; of monitors, those that have not parted */
static struct link *up;                 /* null if this monitor decides */
static bool settled;                    /* somebody tells why the job ends */
static struct link *caller; /* whose claim has been passed on and not answered; its thread may be dead */
static double asked, alone_since; /* times of the claim and of the last thread's end; 0 if there is none */

static void say(struct link *link, char word) {
    if (link && link->fd >= 0)
        send(link->fd, &word, 1, MSG_NOSIGNAL | MSG_DONTWAIT); /* a peer that is gone needs no word */
}

/* ---- the message --------------------------------------------------------------------------------------- */

static void print(const char *text, int n) {
    if (n > 0 && write(STDERR_FILENO, text, (size_t)n) < 0)
        return; /* nobody listens */
}

static void report_death(const struct link *thread) {
    char text[512];
    print(text,
          snprintf(text, sizeof text,
                   "meridian: thread %d of %d on host %.64s has died without a message of its own: killed "
                   "by a signal such as SIGKILL, or by _exit; the job has been ended\n",
                   thread->hello.thread, self.threads, self.own.host));
}

static void report_silence(const struct link *host) {
    char text[512];
    print(
        text,
        snprintf(text, sizeof text,
                 "meridian: host %.64s is lost: silent for %d s (MERIDIAN_SILENCE); the job has been ended\n",
                 host->hello.host, self.silence));
}

/* Decides the claim of `link': answers a living thread or a host, reports the death of a dead thread. */
static void decide(struct link *link, bool yes) {
    if (link->fd >= 0)
        say(link, yes ? MER_WORD_YES : MER_WORD_NO);
    else if (yes)
        report_death(link);
    settled = true;
    caller = NULL;
}

/* Takes the claim of a thread or a host, or makes that of a thread that has died. */
static void claim(struct link *link) {
    if (settled || caller) {
        if (link->fd >= 0)
            say(link, MER_WORD_NO);
    } else if (!up) {
        decide(link, true);
    } else {
        caller = link;
        asked = mer_clock_seconds();
        say(up, MER_WORD_CLAIM);
    }
}

/* ---- connections --------------------------------------------------------------------------------------- */

static void add(int fd, enum kind kind) {
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = unused};
    if (unused == end || epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) != 0) {
        close(fd);
        return;
    }
    *unused = (struct link){.fd = fd, .kind = kind};
    if (kind == UP)
        up = unused;
    unused++;
}

static void end_link(struct link *link, int error) {
    bool silent = error == ETIMEDOUT || error == EHOSTUNREACH || error == ENETUNREACH;
    close(link->fd);
    link->fd = -1;
    if (link->kind == THREAD) {
        threads_left--;
        if (!link->parted)
            claim(link);
    } else if (link->kind == MONITOR && !link->parted) {
        monitors_left--;
        if (silent && !settled)
            report_silence(link);
        settled = settled || silent;
    } else if (link->kind == UP) {
        up = NULL;
        if (caller)
            decide(caller, true);
    }
}

static void take_word(struct link *link, char word) {
    switch (word) {
    case MER_WORD_CLAIM:
        claim(link);
        break;
    case MER_WORD_TOLD:
        settled = true;
        say(up, MER_WORD_TOLD);
        break;
    case MER_WORD_PARTED:
        monitors_left -= link->kind == MONITOR && !link->parted;
        link->parted = true;
        break;
    case MER_WORD_YES:
    case MER_WORD_NO:
        if (link == up && caller)
            decide(caller, word == MER_WORD_YES);
    }
}

/* Takes a complete hello.  Returns false if it is a stranger's. */
static bool take_hello(struct link *link) {
    const struct mer_hello *who = &link->hello;
    if (memcmp(who->key, self.own.key, sizeof who->key) != 0 || who->thread < 0 ||
        who->thread >= self.threads)
        return false;
    bool here = who->thread >= self.own.thread && who->thread < self.own.thread + self.here_count;
    link->kind = here ? THREAD : MONITOR;
    threads_left += here;
    monitors_left += !here;
    return true;
}

static void hear(struct link *link) {
    bool known = link->kind != UNKNOWN;
    char word, *into = known ? &word : (char *)&link->hello + link->got;
    ssize_t n = recv(link->fd, into, known ? 1 : sizeof link->hello - link->got, MSG_DONTWAIT);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (n <= 0)
        end_link(link, n < 0 ? errno : 0);
    else if (known)
        take_word(link, word);
    else if ((link->got += (size_t)n) == sizeof link->hello && !take_hello(link))
        end_link(link, 0);
}

static void answer_door(int door) {
    int fd = accept4(door, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd >= 0 && door == self.hosts)
        mer_socket_limit(fd, self.silence);
    if (fd >= 0)
        add(fd, UNKNOWN);
    else if (errno == EMFILE || errno == ENFILE)
        epoll_ctl(epoll, EPOLL_CTL_DEL, door, NULL); /* the remaining callers have to do without */
}

/* ---- main loop ----------------------------------------------------------------------------------------- */

/* Returns true if no thread is left here, and nobody asks this monitor any more.  A launcher may wait for the
 * monitor's standard error to be closed before it goes on to end other hosts' threads, so the monitor closes
 * it before they have gone. */
static bool over(void) {
    if (threads_left > 0 || caller)
        return false;
    if (alone_since == 0) {
        alone_since = mer_clock_seconds();
        say(up, MER_WORD_PARTED);
    }
    if (settled && mer_clock_seconds() - alone_since < CARRY_SECONDS)
        return false;
    close(STDERR_FILENO);
    return up || monitors_left == 0 || mer_clock_seconds() - alone_since > HOLD_SECONDS;
}

static void turn(void) {
    struct epoll_event events[64];
    int n = epoll_wait(epoll, events, 64, caller || alone_since > 0 ? 20 : -1);
    for (int i = 0; i < n; i++) {
        if (events[i].data.ptr == &self.here)
            answer_door(self.here);
        else if (events[i].data.ptr == &self.hosts)
            answer_door(self.hosts);
        else
            hear(events[i].data.ptr);
    }
    if (caller && mer_clock_seconds() - asked > ANSWER_SECONDS)
        decide(caller, true);
}

_Noreturn void mer_monitor_run(const struct mer_monitor *monitor) {
    self = *monitor;
    size_t most = (size_t)self.threads + STRANGERS;
    mer_raise_descriptors();
    epoll = epoll_create1(EPOLL_CLOEXEC);
    links = mmap(NULL, most * sizeof *links, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct epoll_event here = {.events = EPOLLIN, .data.ptr = &self.here};
    struct epoll_event hosts = {.events = EPOLLIN, .data.ptr = &self.hosts};
    if (epoll < 0 || links == MAP_FAILED || epoll_ctl(epoll, EPOLL_CTL_ADD, self.here, &here) != 0 ||
        (self.hosts >= 0 && epoll_ctl(epoll, EPOLL_CTL_ADD, self.hosts, &hosts) != 0))
        _exit(EXIT_FAILURE);
    unused = links;
    end = links + most;
    add(self.first, THREAD);
    links->hello = self.own;
    threads_left = 1;
    if (self.up >= 0)
        add(self.up, UP);
    do
        turn();
    while (!over());
    _exit(EXIT_SUCCESS);
}
