/* See tcp_sides.h. */
#include "tcp_sides.h"

#include "base/settings.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <sys/socket.h>
#include <unistd.h>

const struct mer_conduit *const conduit = &mer_conduit_tcp;
struct side sides[2];

bool encrypts(void) { return mer_setting_early(MER_SETTING_ENCRYPT); }

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

void open_side(int i, int silence, struct mer_conduit_address *own) {
    sides[i] = (struct side){.client = {.user = &sides[i],
                                        .thread = i,
                                        .threads = 2,
                                        .here_first = i,
                                        .here = 1,
                                        .silence = silence,
                                        .encrypt = encrypts(),
                                        .deliver = deliver,
                                        .lost = lost,
                                        .fail = fail}};
    sides[i].end = conduit->open(&sides[i].client, own);
    memcpy(&sides[i].address, own->bytes, sizeof sides[i].address);
}

void open_sides_by(in_port_t between) {
    struct mer_conduit_address addresses[2];
    for (int i = 0; i < 2; i++)
        open_side(i, between ? 5 : 60, &addresses[i]);
    conduit->connect(sides[0].end, addresses);
    if (between) {
        struct mer_tcp_address first = sides[0].address;
        const unsigned char mapped[16] = {[10] = 0xff, 0xff, 127, 0, 0, 1};
        memcpy(&first.host.addresses[0], mapped, sizeof mapped);
        first.host.ports[0] = between;
        first.host.count = 1;
        memcpy(addresses[0].bytes, &first, sizeof first);
    }
    conduit->connect(sides[1].end, addresses);
}

void open_sides(void) { open_sides_by(0); }

void poll_first(void) { conduit->poll(sides[0].end); }

void poll_sides(void) {
    conduit->poll(sides[0].end);
    conduit->poll(sides[1].end);
}

void talk(long count) {
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

void *close_side(void *side) {
    conduit->close(((struct side *)side)->end);
    return NULL;
}

void close_sides(void) {
    pthread_t other; /* each waits for the other's goodbye */
    CHECK(pthread_create(&other, NULL, close_side, &sides[1]) == 0);
    close_side(&sides[0]);
    CHECK(pthread_join(other, NULL) == 0);
}

/* ---- sockets ---- */

int call(int address) {
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

int call_anywhere(void) {
    for (int i = 0; i < sides[0].address.host.count; i++) {
        int fd = call(i);
        if (fd >= 0)
            return fd;
    }
    CHECK(!"thread 0 listens");
    return -1;
}

int listen_at(uint32_t address, int queue, in_port_t *port) {
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr = {htonl(address)}};
    socklen_t length = sizeof at;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    CHECK(fd >= 0 && bind(fd, (struct sockaddr *)&at, length) == 0 && listen(fd, queue) == 0);
    CHECK(getsockname(fd, (struct sockaddr *)&at, &length) == 0);
    *port = ntohs(at.sin_port);
    return fd;
}

bool receive_whole(int fd, void *bytes, size_t n, void (*poll_ends)(void)) {
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
