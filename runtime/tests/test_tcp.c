/* What the conduit `tcp' promises beyond conduit.h: who is a stranger is turned away, whatever it sends, and
 * nobody is listened to where no peer calls.
 *
 * Two endpoints of one job in one process talk to each other; strangers are plain sockets.
 */
#include "job.h"

#include "conduit/conduits.h"
#include "conduit/frames.h"
#include "conduit/tcp/address.h"

#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
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

static void open_sides(void) {
    struct mer_conduit_address addresses[2];
    for (int i = 0; i < 2; i++) {
        sides[i] = (struct side){.client = {.user = &sides[i],
                                            .thread = i,
                                            .threads = 2,
                                            .here_first = i,
                                            .here = 1,
                                            .silence = 60,
                                            .deliver = deliver,
                                            .lost = lost,
                                            .fail = fail}};
        sides[i].end = conduit->open(&sides[i].client, &addresses[i]);
        memcpy(&sides[i].address, addresses[i].bytes, sizeof sides[i].address);
    }
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

/* A stranger who says hello, and sends a packet: is it welcome? */
static bool is_welcome(const struct mer_tcp_hello *hello) {
    static const char packet[] = "a packet of a stranger's";
    struct pollfd answer = {.fd = call_anywhere(), .events = POLLIN};
    uint32_t header[2] = {0};
    send_frame(answer.fd, MER_FRAME_HELLO, hello, sizeof *hello);
    send_frame(answer.fd, MER_FRAME_PACKET, packet, sizeof packet);
    while (poll(&answer, 1, 1) == 0)
        poll_sides(); /* the connection is answered, or closed */
    ssize_t n = recv(answer.fd, header, sizeof header, 0);
    close(answer.fd);
    poll_sides();
    CHECK(n <= 0 || header[0] == MER_FRAME_WELCOME);
    return n > 0;
}

/* Who does not know the key that only the endpoint's address tells, or is nobody who might call, is turned
 * away; what it sends is never delivered (deliver checks). */
static void the_key_is_asked_for(void) {
    struct mer_tcp_hello right = {.from = 1, .to = 0}, wrong;
    open_sides();
    memcpy(right.key, sides[0].address.key, sizeof right.key);
    for (size_t i = 0; i < sizeof right.key; i++) {
        wrong = right;
        wrong.key[i] ^= 1;
        CHECK(!is_welcome(&wrong));
    }
    const int32_t numbers[][2] = {{1, 1}, {0, 0}, {2, 0}, {-1, 0}, {1, -1}}; /* from, to */
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        wrong = right;
        wrong.from = numbers[i][0];
        wrong.to = numbers[i][1];
        CHECK(!is_welcome(&wrong));
    }
    talk(100);
    close_sides();
    open_sides(); /* so that what is refused above is refused for what it says */
    memcpy(right.key, sides[0].address.key, sizeof right.key);
    sides[0].client.lost = NULL; /* nobody is there to be lost: thread 1 of this job is the stranger */
    struct pollfd answer = {.fd = call_anywhere(), .events = POLLIN};
    send_frame(answer.fd, MER_FRAME_HELLO, &right, sizeof right);
    while (poll(&answer, 1, 1) == 0)
        poll_sides();
    uint32_t header[2];
    CHECK(recv(answer.fd, header, sizeof header, 0) == sizeof header && header[0] == MER_FRAME_WELCOME);
    send_frame(answer.fd, MER_FRAME_GOODBYE, "", 0);
    close(answer.fd);
    close_sides();
}

enum { GARBAGE = 2000, KEPT = 50 }; /* connections; those that stay */
static int kept[KEPT], kept_count;
static int garbage_left = GARBAGE; /* atomic */

static void *send_garbage(void *unused) {
    static unsigned char bytes[5000];
    unsigned state = 7;
    for (; garbage_left > 0; __atomic_fetch_sub(&garbage_left, 1, __ATOMIC_RELEASE)) { /* partner: garbage */
        int fd = call_anywhere();
        unsigned r = job_random(&state);
        uint32_t header[2] = {MER_FRAME_HELLO + r / 8 % 5, r / 64 % 3 ? r / 512 % 200 : r << 4};
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
    garbage_does_no_harm();
    only_loopback_is_listened_at();
    return 0;
}
