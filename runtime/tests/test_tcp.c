/* The promises of the conduit `tcp' beyond conduit.h: strangers end nothing and keep nobody out, whatever
 * they send and however many they are; no address is listened at where no peer calls; and if connections are
 * encrypted, bytes changed on the way end the job, and are never delivered.
 *
 * test_tcp_greeting.c tests the greeting that keeps strangers out.
 */
#include "tcp_sides.h"

#include "base/clock.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- many strangers ---- */

enum { GARBAGE = 2000, KEPT = 50 }; /* connections; connections that stay open */
static int kept[KEPT], kept_count;
static int garbage_left = GARBAGE; /* atomic */

static void *send_garbage(void *unused) {
    static unsigned char bytes[5000];
    unsigned state = 7;
    for (; garbage_left > 0; __atomic_fetch_sub(&garbage_left, 1, __ATOMIC_RELEASE)) { /* partner: garbage */
        int fd = call_anywhere();
        unsigned r = job_random(&state);
        uint32_t header[2] = {r & 4 ? MER_TCP_CHALLENGE + r / 8 % 5 : MER_FRAME_PACKET + r / 8 % 3,
                              r / 64 % 3 ? r / 512 % 200 : r << 4};
        size_t n = r / 16 % sizeof bytes;
        for (size_t i = 0; i < n; i++)
            bytes[i] = (unsigned char)job_random(&state);
        if (r % 4 > 0)
            memcpy(bytes, header, sizeof header); /* a header that is nearly right */
        if (r % 8 > 0)
            send(fd, bytes, n, MSG_NOSIGNAL);
        if (kept_count < KEPT && r / 8192 % 16 == 0)
            kept[kept_count++] = fd;
        else
            close(fd);
    }
    return unused;
}

static int descriptors(void) {
    DIR *all = opendir("/proc/self/fd");
    int count = 0;
    CHECK(all);
    while (readdir(all))
        count++;
    closedir(all);
    return count;
}

/* Strangers who send garbage, hang up or stay do no harm to those who talk, and are forgotten. */
static void garbage_does_no_harm(void) {
    pthread_t stranger;
    open_sides();
    talk(10);
    int before = descriptors();
    CHECK(pthread_create(&stranger, NULL, send_garbage, NULL) == 0);
    while (__atomic_load_n(&garbage_left, __ATOMIC_ACQUIRE) > 0)
        talk(10);
    CHECK(pthread_join(stranger, NULL) == 0);
    while (descriptors() > before + 2 * kept_count) /* at most both ends of the kept connections */
        talk(10);
    for (int i = 0; i < kept_count; i++)
        close(kept[i]);
    while (descriptors() > before)
        talk(10);
    close_sides();
}

/* Starts a process that makes `count' connections to thread 0, sends nothing or a part of a greeting on each,
 * sometimes byte by byte, and keeps them until it is ended. */
static pid_t crowd(int count) {
    int ready[2];
    char byte;
    CHECK(pipe(ready) == 0);
    fflush(NULL);
    pid_t pid = fork();
    CHECK(pid >= 0);
    if (pid == 0) {
        uint32_t kind = MER_TCP_HELLO;
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        for (int i = 0; i < count; i++) {
            int fd = call_anywhere();
            for (unsigned j = 0; j < sizeof kind && i % 4 == 0; j++)
                send(fd, (char *)&kind + j, 1, MSG_NOSIGNAL);
            if (i % 4 == 1)
                send(fd, &kind, sizeof kind, MSG_NOSIGNAL);
        }
        CHECK(write(ready[1], "r", 1) == 1);
        for (;;)
            pause();
    }
    close(ready[1]);
    CHECK(read(ready[0], &byte, 1) == 1);
    close(ready[0]);
    return pid;
}

static void disperse(pid_t pid) {
    kill(pid, SIGKILL);
    CHECK(waitpid(pid, NULL, 0) == pid);
}

/* Returns the seconds for which a stranger that says nothing may stay. */
static double patience(void) {
    int before = descriptors(), fd = call_anywhere();
    double start = mer_clock_seconds();
    while (descriptors() == before + 1)
        poll_sides(); /* until it is accepted */
    while (descriptors() > before + 1)
        poll_sides();
    close(fd);
    return mer_clock_seconds() - start;
}

/* Strangers that stay do not keep a peer out, and cost few descriptors, however many they are. */
static void a_crowd_keeps_nobody_out(void) {
    enum { CROWD = 500 };
    open_sides();
    double most = patience() * CROWD / MER_TCP_STRANGERS /
                  3; /* a third of the time that all of them may stay */
    int before = descriptors();
    pid_t strangers = crowd(CROWD); /* before the peer's call */
    double start = mer_clock_seconds();
    CHECK(conduit->send(sides[1].end, 0, &(struct iovec){&sides[1].sent, sizeof sides[1].sent}, 1));
    for (sides[1].sent++; sides[0].received < sides[1].sent;)
        poll_sides();
    CHECK(mer_clock_seconds() - start < most);
    talk(100);
    CHECK(descriptors() <= before + MER_TCP_STRANGERS + 3); /* the peers' connection has two ends here */
    disperse(strangers);
    while (descriptors() > before + 2)
        talk(1);
    close_sides();
}

/* With no descriptor left except the one in reserve, strangers come and go, and those who talk go on. */
static void a_crowd_at_the_limit_ends_nothing(void) {
    struct rlimit limit;
    open_sides();
    talk(10);
    pid_t strangers = crowd(100);
    CHECK(getrlimit(RLIMIT_NOFILE, &limit) == 0);
    limit.rlim_cur = (rlim_t)descriptors() + 4;
    CHECK(setrlimit(RLIMIT_NOFILE, &limit) == 0);
    while (dup(0) >= 0)
        continue;
    CHECK(errno == EMFILE);
    for (double start = mer_clock_seconds(); mer_clock_seconds() - start < 1;)
        talk(10);
    disperse(strangers);
    talk(10);
    CHECK(dup(0) < 0 && errno == EMFILE); /* the program's own limit is unchanged */
    close_sides();
}

static void in_a_child(void (*trial)(void)) {
    int status;
    fflush(NULL);
    pid_t pid = fork();
    CHECK(pid >= 0);
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        alarm(60);
        trial();
        exit(0);
    }
    CHECK(waitpid(pid, &status, 0) == pid && status == 0);
}

/* Both threads are on this host, so that the endpoint listens at the loopback interface alone. */
static void only_loopback_is_listened_at(void) {
    int others = 0, loopback = 0;
    open_sides();
    for (int i = 0; i < sides[0].address.host.count; i++) {
        bool is_loopback = mer_address_is_loopback(&sides[0].address.host.addresses[i]);
        int fd = call(i);
        CHECK((fd >= 0) == is_loopback);
        if (fd >= 0)
            close(fd);
        *(is_loopback ? &loopback : &others) += 1;
    }
    talk(10);
    close_sides();
    CHECK(loopback > 0);
    if (others == 0)
        printf("only_loopback_is_listened_at: this host has no other interface, so little was tried\n");
}

/* ---- somebody in between ---- */

static struct {
    int listener;
    in_port_t port;
    int direction; /* of the bytes: 0 from the caller, 1 to it */
    long spoilt;   /* the byte of that direction in which a bit is flipped; -1: none */
    long passed[2];
} relay;

/* Passes on the bytes that have come from one end. Returns false if an end is closed. */
static bool pass_on(int from, int to, int direction) {
    unsigned char bytes[20000];
    ssize_t n = recv(from, bytes, sizeof bytes, 0);
    if (n <= 0)
        return false;
    long at = relay.spoilt - relay.passed[direction];
    if (direction == relay.direction && at >= 0 && at < n)
        bytes[at] ^= 4;
    relay.passed[direction] += n;
    return send(to, bytes, (size_t)n, MSG_NOSIGNAL) == n;
}

static void *pass_all_on(void *unused) {
    for (;;) {
        struct pollfd ends[2] = {{.events = POLLIN}, {.events = POLLIN}};
        ends[0].fd = accept(relay.listener, NULL, NULL);
        ends[1].fd = call_anywhere();
        CHECK(ends[0].fd >= 0);
        for (bool open = true; open && poll(ends, 2, -1) > 0;)
            for (int i = 0; i < 2; i++)
                if (ends[i].revents)
                    open = open && pass_on(ends[i].fd, ends[1 - i].fd, i);
        close(ends[0].fd);
        close(ends[1].fd);
    }
    return unused;
}

/* The exit codes of a job in which a bit was changed; from byte RECORDS on there are records. */
enum { TOLD = 42, ENDED, RECORDS = 500 };

static void lost_by_change(void *user, int peer, const char *cause) {
    (void)user;
    (void)peer;
    exit(strstr(cause, "changed them on the way") ? TOLD : relay.spoilt < RECORDS ? ENDED : 1);
}

/* Thread 1 calls thread 0 through the relay; both send and receive 300 packets. */
static void talk_by_relay(void) {
    pthread_t thread;
    relay.listener = listen_at(INADDR_LOOPBACK, 10, &relay.port);
    CHECK(fcntl(relay.listener, F_SETFL, 0) == 0);
    open_sides_by(relay.port);
    sides[0].client.lost = sides[1].client.lost = lost_by_change;
    CHECK(pthread_create(&thread, NULL, pass_all_on, NULL) == 0);
    CHECK(conduit->send(sides[1].end, 0, &(struct iovec){&sides[1].sent, sizeof sides[1].sent}, 1));
    for (sides[1].sent++; sides[0].received < sides[1].sent;)
        poll_sides();
    talk(300);
    exit(0);
}

/* A flipped bit in challenge or hello costs another call; later it ends the job. Nothing is ever delivered
 * that was not sent (deliver checks). */
static void what_is_changed_ends_the_job(void) {
    int ended = 0, status;
    for (relay.direction = 0; relay.direction < 2; relay.direction++)
        for (relay.spoilt = -1; relay.spoilt < 4000; relay.spoilt += relay.spoilt < RECORDS ? 23 : 350) {
            /* Up to this byte a change costs the call alone. A spoilt welcome or confirmation ends the job,
             * too. */
            size_t free = relay.direction ? sizeof(struct mer_tcp_challenge) + sizeof(struct mer_tcp_proof)
                                          : sizeof(struct mer_tcp_hello);
            fflush(NULL);
            pid_t pid = fork();
            CHECK(pid >= 0);
            if (pid == 0) {
                prctl(PR_SET_PDEATHSIG, SIGKILL);
                alarm(60);
                talk_by_relay();
            }
            CHECK(waitpid(pid, &status, 0) == pid && WIFEXITED(status));
            int code = WEXITSTATUS(status);
            CHECK(code == 0 || code == TOLD || code == ENDED);
            CHECK(relay.spoilt >= (long)free || code == 0);
            CHECK(relay.spoilt < RECORDS || code == TOLD);
            ended += code == TOLD;
        }
    CHECK(ended > 20);
}

int main(void) {
    alarm(240);
    unsetenv("MERIDIAN_INTERFACE");
    garbage_does_no_harm();
    a_crowd_keeps_nobody_out();
    in_a_child(a_crowd_at_the_limit_ends_nothing);
    only_loopback_is_listened_at();
    if (encrypts())
        what_is_changed_ends_the_job();
    return 0;
}
