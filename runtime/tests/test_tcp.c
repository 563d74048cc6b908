/* What the conduit `tcp' promises beyond conduit.h: strangers are turned away, whatever they send, and keep
 * nobody else out; a call that has given way to the peer's is over; nobody is listened to where no peer calls.
 *
 * Two endpoints of one job in one process talk to each other; strangers are plain sockets.
 */
#include "job.h"

#include "base/clock.h"
#include "conduit/conduits.h"
#include "conduit/frames.h"
#include "conduit/tcp/tcp.h"

#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct mer_conduit *const conduit = &mer_conduit_tcp;

static struct side {
    struct mer_conduit_client client;
    struct mer_conduit_endpoint *end;
    struct mer_tcp_address address;
    long sent, received;
} sides[2];

/* ---- two endpoints ---- */

static void deliver(void *user, int from, const void *bytes, size_t length) {
    struct side *side = user;
    long number;
    CHECK(from == 1 - side->client.thread && length == sizeof number);
    memcpy(&number, bytes, length);
    CHECK(number == side->received);
    side->received++;
}

static void lost(void *user, int peer, const char *cause) {
    (void)user;
    fprintf(stderr, "thread %d is lost: %s\n", peer, cause);
    exit(1);
}

__attribute__((noreturn, format(printf, 2, 3))) static void fail(void *user, const char *format, ...) {
    va_list arguments;
    (void)user;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    exit(1);
}

static void open_side(int i, int silence, struct mer_conduit_address *own) {
    sides[i] = (struct side){.client = {.user = &sides[i],
                                        .thread = i,
                                        .threads = 2,
                                        .here_first = i,
                                        .here = 1,
                                        .silence = silence,
                                        .deliver = deliver,
                                        .lost = lost,
                                        .fail = fail}};
    sides[i].end = conduit->open(&sides[i].client, own);
    memcpy(&sides[i].address, own->bytes, sizeof sides[i].address);
}

static void open_sides(void) {
    struct mer_conduit_address addresses[2];
    for (int i = 0; i < 2; i++)
        open_side(i, 60, &addresses[i]);
    for (int i = 0; i < 2; i++)
        conduit->connect(sides[i].end, addresses);
}

static void poll_sides(void) {
    conduit->poll(sides[0].end);
    conduit->poll(sides[1].end);
}

/* Both send so many more packets, and take the other's. */
static void talk(long count) {
    long until = sides[0].sent + count;
    while (sides[0].received < until || sides[1].received < until) {
        for (int i = 0; i < 2; i++) {
            struct iovec part = {&sides[i].sent, sizeof sides[i].sent};
            if (sides[i].sent < until && conduit->send(sides[i].end, 1 - i, &part, 1))
                sides[i].sent++;
        }
        poll_sides();
    }
}

static void *close_side(void *side) {
    conduit->close(((struct side *)side)->end);
    return NULL;
}

static void close_sides(void) {
    pthread_t other; /* each waits for the other's goodbye */
    CHECK(pthread_create(&other, NULL, close_side, &sides[1]) == 0);
    close_side(&sides[0]);
    CHECK(pthread_join(other, NULL) == 0);
}

/* ---- strangers ---- */

/* A connection to one of the addresses of thread 0; -1: it is refused. */
static int call(int address) {
    struct sockaddr_storage to;
    socklen_t length = mer_socket_address(&sides[0].address.host.addresses[address],
                                          sides[0].address.host.ports[address], &to);
    int fd = socket(to.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK(fd >= 0);
    if (connect(fd, (struct sockaddr *)&to, length) == 0)
        return fd;
    CHECK(errno == ECONNREFUSED);
    close(fd);
    return -1;
}

/* A connection where thread 1 would call too. */
static int call_anywhere(void) {
    for (int i = 0; i < sides[0].address.host.count; i++) {
        int fd = call(i);
        if (fd >= 0)
            return fd;
    }
    CHECK(!"thread 0 listens");
    return -1;
}

/* Send a frame; what becomes of it is the other side's matter. */
static void send_frame(int fd, uint32_t kind, const void *bytes, uint32_t n) {
    uint32_t header[2] = {kind, n};
    unsigned char frame[sizeof header + 64] = {0};
    memcpy(frame, header, sizeof header);
    memcpy(frame + sizeof header, bytes, n);
    send(fd, frame, sizeof header + (n + 7) / 8 * 8, MSG_NOSIGNAL);
}

static void poll_first(void) { conduit->poll(sides[0].end); }

/* n bytes, while the endpoints are polled; false: the connection is closed before. */
static bool receive_whole(int fd, void *bytes, size_t n, void (*poll_ends)(void)) {
    for (size_t done = 0; done < n;) {
        struct pollfd news = {.fd = fd, .events = POLLIN};
        while (poll(&news, 1, 1) == 0)
            poll_ends();
        ssize_t got = recv(fd, (char *)bytes + done, n - done, 0);
        if (got <= 0)
            return false;
        done += (size_t)got;
    }
    return true;
}

/* A greeting as thread 1 would send it, and how it is spoilt. */
struct greeting {
    unsigned char key[MER_TCP_KEY];
    int32_t from, to;
    int flipped; /* the bit of the proof that is wrong; -1: none */
    const char *word;
    bool old; /* the proof is that of the connection before */
};

/* Call thread 0 and greet it; the connection if it is welcome, else -1. */
static int greet(const struct greeting *how, void (*poll_ends)(void)) {
    static struct mer_tcp_hello hello;
    static struct mer_tcp_challenge challenge;
    struct mer_tcp_challenge before = challenge;
    struct mer_tcp_welcome welcome;
    struct mer_tcp_parties parties = {.from = how->from, .to = how->to};
    unsigned char proof[MER_SHA256_BYTES];
    int fd = call_anywhere();
    CHECK(receive_whole(fd, &challenge, sizeof challenge, poll_ends) && challenge.kind == MER_TCP_CHALLENGE);
    CHECK(memcmp(challenge.number, before.number, sizeof before.number) != 0);
    if (!how->old) {
        hello = (struct mer_tcp_hello){.kind = MER_TCP_HELLO, .from = how->from, .to = how->to};
        memcpy(parties.challenge, challenge.number, sizeof challenge.number);
        memcpy(parties.number, hello.number, sizeof hello.number);
        mer_tcp_prove(how->key, how->word, &parties, hello.proof);
    }
    if (how->flipped >= 0)
        hello.proof[how->flipped / 8] ^= (unsigned char)(1 << how->flipped % 8);
    CHECK(send(fd, &hello, sizeof hello, MSG_NOSIGNAL) == sizeof hello);
    send_frame(fd, MER_FRAME_PACKET, "a packet of a stranger's", 24);
    if (!receive_whole(fd, &welcome, sizeof welcome, poll_ends)) {
        close(fd);
        return -1;
    }
    mer_tcp_prove(how->key, "welcome", &parties, proof);
    CHECK(welcome.kind == MER_TCP_WELCOME && memcmp(welcome.proof, proof, sizeof proof) == 0);
    return fd;
}

/* Who does not know the key that only the endpoint's address tells, or is nobody who might call, is turned
 * away; what it sends is never delivered (deliver checks). */
static void the_key_is_asked_for(void) {
    struct greeting right = {.from = 1, .flipped = -1, .word = "hello"}, wrong;
    open_sides();
    memcpy(right.key, sides[0].address.key, sizeof right.key);
    for (int i = 0; i < 8 * MER_TCP_KEY; i += 5) {
        wrong = right;
        wrong.key[i / 8] ^= (unsigned char)(1 << i % 8);
        CHECK(greet(&wrong, poll_sides) < 0);
    }
    for (int i = 0; i < 8 * MER_SHA256_BYTES; i += 7) {
        wrong = right;
        wrong.flipped = i;
        CHECK(greet(&wrong, poll_sides) < 0);
    }
    wrong = right;
    wrong.word = "welcome"; /* a proof that endpoints give themselves */
    CHECK(greet(&wrong, poll_sides) < 0);
    const int32_t numbers[][2] = {{1, 1}, {0, 0}, {2, 0}, {-1, 0}, {1, -1}}; /* from, to */
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        wrong = right;
        wrong.from = numbers[i][0];
        wrong.to = numbers[i][1];
        CHECK(greet(&wrong, poll_sides) < 0);
    }
    talk(100);
    close_sides();
}

static void deliver_anything(void *user, int from, const void *bytes, size_t length) {
    (void)from;
    CHECK(length == 24 && memcmp(bytes, "a packet of a stranger's", 24) == 0);
    ((struct side *)user)->received++;
}

/* What is refused above is refused for what it says: said rightly it is welcome, once. */
static void the_right_greeting_is_welcome_once(void) {
    struct greeting right = {.from = 1, .flipped = -1, .word = "hello"}, again;
    open_sides();
    memcpy(right.key, sides[0].address.key, sizeof right.key);
    sides[0].client.lost = NULL; /* nobody is there to be lost: thread 1 of this job is the stranger */
    sides[0].client.deliver = deliver_anything;
    int fd = greet(&right, poll_sides);
    CHECK(fd >= 0);
    while (sides[0].received < 1)
        poll_sides();
    again = right;
    again.old = true; /* what has been heard on another connection */
    CHECK(greet(&again, poll_sides) < 0);
    CHECK(greet(&right, poll_sides) < 0); /* there is a connection already */
    CHECK(sides[0].received == 1);
    send_frame(fd, MER_FRAME_GOODBYE, "", 0);
    close(fd);
    close_sides();
}

/* ---- a call that gives way ---- */

/* A socket that listens at this loopback address, with a queue of this length. */
static int listen_at(uint32_t address, int queue, in_port_t *port) {
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr = {htonl(address)}};
    socklen_t length = sizeof at;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    CHECK(fd >= 0 && bind(fd, (struct sockaddr *)&at, length) == 0 && listen(fd, queue) == 0);
    CHECK(getsockname(fd, (struct sockaddr *)&at, &length) == 0);
    *port = ntohs(at.sin_port);
    return fd;
}

/* Connect without waiting: more of these than the queue holds keep what follows out. */
static int knock(uint32_t address, in_port_t port) {
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_addr = {htonl(address)}, .sin_port = htons(port)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    CHECK(fd >= 0 && (connect(fd, (struct sockaddr *)&to, sizeof to) == 0 || errno == EINPROGRESS));
    return fd;
}

/* Thread 0 alone, and a thread 1 that is played here: at 127.0.0.1, where so many connections may wait, and at
 * 127.0.0.2. */
static const struct mer_tcp_address *play_thread_1(int silence, int queue, int listeners[2]) {
    static struct mer_tcp_address peer;
    struct mer_conduit_address addresses[2] = {0};
    open_side(0, silence, &addresses[0]);
    sides[0].client.lost = NULL;
    sides[0].client.deliver = deliver_anything;
    peer = (struct mer_tcp_address){.key = {7}, .host.count = 2};
    memcpy(peer.host.identity, sides[0].address.host.identity, sizeof peer.host.identity);
    for (int i = 0; i < 2; i++) {
        const unsigned char mapped[16] = {[10] = 0xff, 0xff, 127, 0, 0, (unsigned char)(1 + i)};
        memcpy(&peer.host.addresses[i], mapped, sizeof mapped);
        listeners[i] = listen_at(INADDR_LOOPBACK + (uint32_t)i, i ? 10 : queue, &peer.host.ports[i]);
    }
    addresses[1].length = sizeof peer;
    memcpy(addresses[1].bytes, &peer, sizeof peer);
    conduit->connect(sides[0].end, addresses);
    return &peer;
}

/* The played thread 1 ends. */
static void end_thread_1(int fd, const int listeners[2]) {
    send_frame(fd, MER_FRAME_GOODBYE, "", 0);
    close(fd);
    close_side(&sides[0]);
    close(listeners[0]);
    close(listeners[1]);
}

static void send_number(uint64_t number) {
    CHECK(conduit->send(sides[0].end, 1, &(struct iovec){&number, sizeof number}, 1));
    poll_first();
}

static bool carries(int fd, uint64_t number) {
    uint64_t frame[2];
    return receive_whole(fd, frame, sizeof frame, poll_first) && frame[1] == number;
}

/* Thread 0 calls where nothing is answered; meanwhile thread 1 calls.  The call of thread 0 has given way
 * then: its deadline passes without a call to the next address, what it was to carry goes over the other
 * connection, and poll has nothing to do. */
static void a_call_that_gave_way_is_over(void) {
    enum { QUEUE = 1, KNOCKS = 4, SILENCE = 2 };
    struct greeting right = {.from = 1, .flipped = -1, .word = "hello"};
    int knocks[KNOCKS], listeners[2];
    const struct mer_tcp_address *peer = play_thread_1(SILENCE, QUEUE, listeners);
    memcpy(right.key, sides[0].address.key, sizeof right.key);
    for (int i = 0; i < KNOCKS; i++)
        knocks[i] = knock(INADDR_LOOPBACK, peer->host.ports[0]);
    send_number(4711);
    int fd = greet(&right, poll_first);
    CHECK(fd >= 0 && carries(fd, 4711));
    for (double start = mer_clock_seconds(); mer_clock_seconds() - start < 0.75 * SILENCE;) {
        struct pollfd news = {.fd = conduit->wait_fd(sides[0].end), .events = POLLIN};
        poll(&news, 1, 20);
        poll_first();
    }
    struct pollfd called = {.fd = listeners[1], .events = POLLIN},
                  quiet = {.fd = conduit->wait_fd(sides[0].end), .events = POLLIN};
    CHECK(poll(&called, 1, 0) == 0);
    CHECK(poll(&quiet, 1, 0) == 0);
    for (int i = 0; i < KNOCKS; i++)
        close(knocks[i]);
    end_thread_1(fd, listeners);
}

/* Take the next call of thread 0's, and challenge it; the connection, when it has answered. */
static int challenge_caller(int listener, struct mer_tcp_challenge *challenge, struct mer_tcp_hello *hello) {
    struct pollfd called = {.fd = listener, .events = POLLIN};
    while (poll(&called, 1, 1) == 0)
        poll_first();
    int fd = accept(listener, NULL, NULL);
    CHECK(fd >= 0 && send(fd, challenge, sizeof *challenge, MSG_NOSIGNAL) == sizeof *challenge);
    CHECK(receive_whole(fd, hello, sizeof *hello, poll_first) && hello->kind == MER_TCP_HELLO);
    return fd;
}

/* A call that is dropped as a stranger's, or answered by somebody who does not know the key, is made again. */
static void a_dropped_call_is_made_again(void) {
    enum { DROPS = 5 };
    struct mer_tcp_challenge challenge = {.kind = MER_TCP_CHALLENGE, .number = {9}};
    struct mer_tcp_welcome welcome = {.kind = MER_TCP_WELCOME};
    struct mer_tcp_hello hello;
    int listeners[2], fd;
    const struct mer_tcp_address *peer = play_thread_1(60, 10, listeners);
    send_number(4712);
    for (int i = 0; i < DROPS; i++) {
        fd = challenge_caller(listeners[0], &challenge, &hello);
        if (i % 2)
            CHECK(send(fd, &welcome, sizeof welcome, MSG_NOSIGNAL) == sizeof welcome);
        CHECK(i % 2 == 0 || !carries(fd, 4712)); /* closed */
        close(fd);
    }
    fd = challenge_caller(listeners[0], &challenge, &hello);
    struct mer_tcp_parties parties = {.from = 0, .to = 1};
    memcpy(parties.challenge, challenge.number, sizeof parties.challenge);
    memcpy(parties.number, hello.number, sizeof parties.number);
    mer_tcp_prove(peer->key, "welcome", &parties, welcome.proof);
    CHECK(send(fd, &welcome, sizeof welcome, MSG_NOSIGNAL) == sizeof welcome && carries(fd, 4712));
    end_thread_1(fd, listeners);
}

/* ---- many strangers ---- */

enum { GARBAGE = 2000, KEPT = 50 }; /* connections; those that stay */
static int kept[KEPT], kept_count;
static int garbage_left = GARBAGE; /* atomic */

static void *send_garbage(void *unused) {
    static unsigned char bytes[5000];
    unsigned state = 7;
    for (; garbage_left > 0; __atomic_fetch_sub(&garbage_left, 1, __ATOMIC_RELEASE)) { /* partner: garbage */
        int fd = call_anywhere();
        unsigned r = job_random(&state);
        uint32_t header[2] = {r & 4 ? MER_TCP_CHALLENGE + r / 8 % 4 : MER_FRAME_PACKET + r / 8 % 3,
                              r / 64 % 3 ? r / 512 % 200 : r << 4};
        size_t n = r / 16 % sizeof bytes;
        for (size_t i = 0; i < n; i++)
            bytes[i] = (unsigned char)job_random(&state);
        if (r % 4 > 0)
            memcpy(bytes, header, sizeof header); /* which is nearly right */
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
    while (descriptors() > before + 2 * kept_count) /* at most both ends of those that are kept */
        talk(10);
    for (int i = 0; i < kept_count; i++)
        close(kept[i]);
    while (descriptors() > before)
        talk(10);
    close_sides();
}

/* A process that makes so many connections to thread 0, says nothing or a part of a greeting on each, some of
 * it byte by byte, and keeps them until it is ended. */
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

/* Strangers that stay do not keep a peer out, and cost few descriptors, however many they are. */
static void a_crowd_keeps_nobody_out(void) {
    open_sides();
    int before = descriptors();
    pid_t strangers = crowd(500); /* in front of the peer's call */
    CHECK(conduit->send(sides[1].end, 0, &(struct iovec){&sides[1].sent, sizeof sides[1].sent}, 1));
    for (sides[1].sent++; sides[0].received < sides[1].sent;)
        poll_sides();
    talk(100);
    CHECK(descriptors() <= before + MER_TCP_STRANGERS + 3); /* the peers' connection has two ends here */
    disperse(strangers);
    while (descriptors() > before + 2)
        talk(1);
    close_sides();
}

/* With no descriptor left but the one in reserve, strangers come and go, and those who talk go on. */
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
    CHECK(dup(0) < 0 && errno == EMFILE); /* what the program may have is as it was */
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

/* Both threads are on this host: there is nobody to be listened to but by the loopback interface. */
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

int main(void) {
    alarm(120);
    unsetenv("MERIDIAN_INTERFACE");
    the_key_is_asked_for();
    the_right_greeting_is_welcome_once();
    a_call_that_gave_way_is_over();
    a_dropped_call_is_made_again();
    garbage_does_no_harm();
    a_crowd_keeps_nobody_out();
    in_a_child(a_crowd_at_the_limit_ends_nothing);
    only_loopback_is_listened_at();
    return 0;
}
