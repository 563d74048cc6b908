/* The job's monitors as its threads see them: starting them, and talking to the monitor of this host.  The
 * monitor itself is in monitor_process.c. */
#include "start/monitor.h"

#include "boot/boot.h"
#include "conduit/sockets.h"
#include "host/job.h"
#include "base/settings.h"
#include "start/monitor_process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define CONNECT_SECONDS 2
#define ANSWER_MS 3000 /* longer than the monitor waits for another one */

static int connection = -1; /* to the monitor of this host, or -1 */

/* The address of a host's monitor, which the host's first thread tells the others. */
struct place {
    unsigned char key[16];
    struct in6_addr address;
    uint16_t port;   /* of thread 0's host: where the other monitors connect; else, or without a socket, 0 */
    uint16_t length; /* of `name'; 0 if there is no monitor on this host */
    char name[16];   /* abstract, of the socket for the threads of the host */
};

/* ---- sockets ------------------------------------------------------------------------------------------- */

/* Returns a socket that listens at a name of the kernel's choosing, or -1. */
static int listen_here(struct place *place) {
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    socklen_t length = sizeof at;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd >= 0 && bind(fd, (struct sockaddr *)&at, sizeof at.sun_family) == 0 &&
        listen(fd, SOMAXCONN) == 0 && getsockname(fd, (struct sockaddr *)&at, &length) == 0 &&
        length - sizeof at.sun_family <= sizeof place->name) {
        place->length = (uint16_t)(length - sizeof at.sun_family);
        memcpy(place->name, at.sun_path, place->length);
        return fd;
    }
    if (fd >= 0)
        close(fd);
    return -1;
}

static int connect_here(const struct place *place) {
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    memcpy(at.sun_path, place->name, place->length);
    if (fd < 0 || connect(fd, (struct sockaddr *)&at, (socklen_t)(sizeof at.sun_family + place->length)) == 0)
        return fd;
    close(fd);
    return -1;
}

/* Returns a socket that listens for other hosts at an address of this one, or -1. */
static int listen_for_hosts(struct place *place) {
    bool found = mer_interfaces(mer_setting_text(MER_SETTING_INTERFACE), &place->address, 1) == 1;
    return found ? mer_socket_listen(&place->address, &place->port) : -1;
}

static int connect_to_host(const struct place *place) {
    struct sockaddr_storage to;
    socklen_t length = mer_socket_address(&place->address, place->port, &to);
    struct timeval limit = {CONNECT_SECONDS, 0};
    int fd = socket(to.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -1;
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit); /* bounds connect, too */
    mer_socket_limit(fd, (double)mer_setting_early(MER_SETTING_SILENCE));
    if (connect(fd, (struct sockaddr *)&to, length) == 0)
        return fd;
    close(fd);
    return -1;
}

/* ---- starting ------------------------------------------------------------------------------------------ */

static int by_number(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

/* Closes all descriptors except the first three and those in `kept'. */
static void close_others(int *kept, size_t n) {
    unsigned from = 3;
    qsort(kept, n, sizeof *kept, by_number);
    for (size_t i = 0; i <= n; i++) {
        unsigned to = i < n ? (unsigned)kept[i] : 1U << 16; /* exclusive */
        if (i < n && kept[i] < 3)
            continue;
#ifdef SYS_close_range
        bool closed = from >= to || syscall(SYS_close_range, from, i < n ? to - 1 : ~0U, 0) == 0;
#else
        bool closed = false;
#endif
        for (unsigned fd = from; !closed && fd < to; fd++) /* a kernel before 5.9 */
            close((int)fd);
        from = to + 1;
    }
}

/* Becomes the monitor: ignores the signals that the launcher sends to all, closes all of the thread's
 * descriptors except those for messages, and connects to the monitor on thread 0's host. */
static _Noreturn void become(struct mer_monitor *w, const struct place *chief) {
    const int ignored[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGUSR1, SIGUSR2, SIGTSTP};
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
        signal(ignored[i], SIG_IGN);
    prctl(PR_SET_NAME, "mer-monitor");
    int nothing = open("/dev/null", O_RDWR), kept[] = {w->first, w->here, w->hosts};
    dup2(nothing, STDIN_FILENO);
    dup2(nothing, STDOUT_FILENO);
    close_others(kept, 3);
    int moved = chdir("/"); /* if this fails, the directory stays in use, and nothing else is lost */
    (void)moved;
    w->up = chief && chief->port ? connect_to_host(chief) : -1;
    if (w->up >= 0) {
        struct mer_hello hello = w->own;
        memcpy(hello.key, chief->key, sizeof hello.key);
        send(w->up, &hello, sizeof hello, MSG_NOSIGNAL); /* if it is lost, so is the connection */
    }
    mer_monitor_run(w);
}

/* Starts the monitor.  It is no child of this process, since a program may wait for all its children.  It is
 * in a process group of its own before this returns, since the launcher may kill this process's group at any
 * time. */
static void start(struct mer_monitor *w, const struct place *chief) {
    int pair[2], status = -1;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
        return;
    w->first = pair[1];
    pid_t pid = fork();
    if (pid == 0) {
        setsid();
        pid = fork();
        if (pid == 0)
            become(w, chief);
        _exit(pid > 0 ? EXIT_SUCCESS : EXIT_FAILURE);
    }
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    close(pair[1]);
    if (status == 0)
        connection = pair[0];
    else
        close(pair[0]);
}

static void introduce(const struct place *place, int thread) {
    struct mer_hello hello = {.thread = thread};
    memcpy(hello.key, place->key, sizeof hello.key);
    connection = connect_here(place);
    if (connection >= 0)
        send(connection, &hello, sizeof hello, MSG_NOSIGNAL); /* if it is lost, so is the monitor */
}

void mer_monitor_start(const struct mer_boot *boot) {
    if (!boot->abort || boot->threads == 1)
        return;
    bool first = boot->thread == boot->here_first;
    struct place own = {.port = 0}, *all = calloc((size_t)boot->threads, sizeof *all);
    struct mer_monitor w = {.threads = boot->threads,
                            .silence = (int)mer_setting_early(MER_SETTING_SILENCE),
                            .own.thread = boot->thread,
                            .here_count = boot->here,
                            .here = -1,
                            .hosts = -1};
    if (first && getrandom(own.key, sizeof own.key, 0) == sizeof own.key)
        w.here = listen_here(&own);
    if (boot->thread == 0 && boot->hosts > 1)
        w.hosts = listen_for_hosts(&own);
    memcpy(w.own.key, own.key, sizeof own.key);
    snprintf(w.own.host, sizeof w.own.host, "%s", mer_here.host);
    if (!all)
        return; /* other code reports that there is so little memory */
    boot->exchange(&own, sizeof own, all);
    if (w.here >= 0)
        start(&w, boot->host == 0 ? NULL : &all[0]);
    else if (!first && all[boot->here_first].length)
        introduce(&all[boot->here_first], boot->thread);
    if (w.here >= 0)
        close(w.here);
    if (w.hosts >= 0)
        close(w.hosts);
    free(all);
}

/* ---- talking ------------------------------------------------------------------------------------------- */

/* Sends a word to the monitor.  Returns whether it was sent. */
static bool say(char word) {
    return connection >= 0 && mer_is_thread() && send(connection, &word, 1, MSG_NOSIGNAL) == 1;
}

bool mer_monitor_claim(void) {
    static bool asked;
    /* Relaxed: the first of this process's POSIX threads speaks for it. */
    if (__atomic_exchange_n(&asked, true, __ATOMIC_RELAXED))
        return false;
    struct pollfd answers = {.fd = connection, .events = POLLIN};
    char answer = MER_WORD_YES;
    if (say(MER_WORD_CLAIM) && poll(&answers, 1, ANSWER_MS) == 1 &&
        recv(connection, &answer, 1, MSG_DONTWAIT) != 1)
        answer = MER_WORD_YES;
    return answer == MER_WORD_YES;
}

void mer_monitor_told(void) { say(MER_WORD_TOLD); }

void mer_monitor_leave(void) { say(MER_WORD_PARTED); }
