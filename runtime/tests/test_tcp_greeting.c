/* The greeting of the conduit `tcp' (conduit/tcp/address.h), and who calls whom (conduit/tcp/calls.c). A
 * caller that cannot show that it knows the endpoint's key gets no packet in and none out. A call that has
 * given way to the peer's is over, and a dropped call is made again.
 *
 * Strangers, and the peers that are played here, are plain sockets.
 */
#include "tcp_sides.h"

#include "base/clock.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

/* Sends a frame, and ignores errors: the other side may have closed. */
static void send_frame(int fd, uint32_t kind, const void *bytes, uint32_t n) {
    uint32_t header[2] = {kind, n};
    unsigned char frame[sizeof header + 64] = {0};
    memcpy(frame, header, sizeof header);
    memcpy(frame + sizeof header, bytes, n);
    send(fd, frame, sizeof header + (n + 7) / 8 * 8, MSG_NOSIGNAL);
}

/* A greeting as thread 1 would send it, and how it is spoilt. */
struct greeting {
    unsigned char key[MER_TCP_KEY];
    int32_t from, to;
    int flipped; /* the wrong bit in the proofs of hello and confirmation, numbered through; -1: none */
    const char *hello, *confirmation;
    bool again; /* hello and confirmation are repeated from the previous connection */
};
#define RIGHT                                                                                                \
    { .from = 1, .flipped = -1, .hello = "hello", .confirmation = "confirmation" }

/* Computes the proof of a word. Its bits are numbered from `first'; the wrong bit is flipped if it is among
 * them. */
static void prove(const struct greeting *how, const char *word, const struct mer_tcp_parties *parties,
                  int first, unsigned char proof[MER_SHA256_BYTES]) {
    int bit = how->flipped - first;
    mer_tcp_prove(how->key, word, parties, proof);
    if (how->flipped >= 0 && bit >= 0 && bit < 8 * MER_SHA256_BYTES)
        proof[bit / 8] ^= (unsigned char)(1 << bit % 8);
}

/* Calls thread 0, greets it, and sends a packet. Returns the connection if thread 0 sends its welcome, else
 * -1. Whether it accepts the confirmation, too, shows in the fate of the packet. */
static int greet(const struct greeting *how, void (*poll_ends)(void)) {
    static struct mer_tcp_hello hello;
    static struct mer_tcp_challenge challenge;
    static struct mer_tcp_proof confirmation;
    struct mer_tcp_challenge before = challenge;
    struct mer_tcp_proof welcome;
    struct mer_tcp_parties parties = {.from = how->from, .to = how->to};
    unsigned char proof[MER_SHA256_BYTES];
    int fd = call_anywhere();
    if (!how->again) {
        hello = (struct mer_tcp_hello){.kind = MER_TCP_HELLO, .from = how->from, .to = how->to};
        hello.number[0]++;
        memcpy(parties.number, hello.number, sizeof hello.number);
        prove(how, how->hello, &parties, 0, hello.proof);
    }
    CHECK(send(fd, &hello, sizeof hello, MSG_NOSIGNAL) == sizeof hello);
    CHECK(receive_whole(fd, &challenge, sizeof challenge, poll_ends) && challenge.kind == MER_TCP_CHALLENGE);
    CHECK(memcmp(challenge.number, before.number, sizeof before.number) != 0);
    if (!receive_whole(fd, &welcome, sizeof welcome, poll_ends)) {
        close(fd);
        return -1;
    }
    memcpy(parties.challenge, challenge.number, sizeof challenge.number);
    if (!how->again) {
        mer_tcp_prove(how->key, "welcome", &parties, proof);
        CHECK(welcome.kind == MER_TCP_WELCOME && memcmp(welcome.proof, proof, sizeof proof) == 0);
        confirmation.kind = MER_TCP_CONFIRMATION;
        prove(how, how->confirmation, &parties, 8 * MER_SHA256_BYTES, confirmation.proof);
    }
    CHECK(send(fd, &confirmation, sizeof confirmation, MSG_NOSIGNAL) == sizeof confirmation);
    send_frame(fd, MER_FRAME_PACKET, "a packet of a stranger's", 24);
    return fd;
}

/* Returns true if thread 0 closes the connection and sends nothing over it. */
static bool is_closed(int fd, void (*poll_ends)(void)) {
    char byte;
    bool closed = !receive_whole(fd, &byte, 1, poll_ends);
    close(fd);
    return closed;
}

/* A caller that does not know the key, which only the endpoint's address contains, or is no thread that may
 * call, is turned away; its packets are never delivered (deliver checks). */
static void the_key_is_asked_for(void) {
    struct greeting right = RIGHT, wrong;
    open_sides();
    memcpy(right.key, sides[0].address.key, sizeof right.key);
    for (int i = 0; i < 8 * MER_TCP_KEY; i += 5) {
        wrong = right;
        wrong.key[i / 8] ^= (unsigned char)(1 << i % 8);
        CHECK(greet(&wrong, poll_sides) < 0);
    }
    for (int i = 0; i < 2 * 8 * MER_SHA256_BYTES; i += 7) {
        wrong = right;
        wrong.flipped = i;
        int fd = greet(&wrong, poll_sides);
        CHECK((fd >= 0) == (i >= 8 * MER_SHA256_BYTES));
        CHECK(fd < 0 || is_closed(fd, poll_sides));
    }
    wrong = right;
    wrong.hello = "welcome"; /* a proof that endpoints give themselves */
    CHECK(greet(&wrong, poll_sides) < 0);
    wrong = right;
    wrong.confirmation = "welcome";
    CHECK(is_closed(greet(&wrong, poll_sides), poll_sides));
    wrong = right;
    wrong.again = true; /* as heard on another connection */
    CHECK(is_closed(greet(&wrong, poll_sides), poll_sides));
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

/* The greetings above are refused for their content: a correct one is accepted, once. */
static void the_right_greeting_is_welcome_once(void) {
    struct greeting right = RIGHT;
    open_sides();
    memcpy(right.key, sides[0].address.key, sizeof right.key);
    sides[0].client.lost = NULL; /* nobody is there to be lost: thread 1 of this job is the stranger */
    sides[0].client.deliver = deliver_anything;
    int fd = greet(&right, poll_sides);
    CHECK(fd >= 0);
    while (sides[0].received < 1)
        poll_sides();
    CHECK(greet(&right, poll_sides) < 0); /* there is a connection already */
    right.again = true;
    CHECK(greet(&right, poll_sides) < 0);
    CHECK(sides[0].received == 1);
    send_frame(fd, MER_FRAME_GOODBYE, "", 0);
    close(fd);
    close_sides();
}

/* A stranger that repeats a hello it has heard is welcomed, and gains nothing: without a confirmation no
 * packet goes either way, and the peer whose hello it is gets in. */
static void a_repeated_hello_keeps_nobody_out(void) {
    struct mer_tcp_hello hello = {.kind = MER_TCP_HELLO, .from = 1};
    struct mer_tcp_parties parties = {.from = 1};
    unsigned char greeting[sizeof(struct mer_tcp_challenge) + sizeof(struct mer_tcp_proof)];
    for (int closes = 0; closes < 2; closes++) {
        open_sides();
        mer_tcp_prove(sides[0].address.key, "hello", &parties, hello.proof);
        int fd = call_anywhere();
        CHECK(send(fd, &hello, sizeof hello, MSG_NOSIGNAL) == sizeof hello);
        CHECK(receive_whole(fd, greeting, sizeof greeting, poll_sides)); /* it is welcome */
        CHECK(conduit->send(sides[0].end, 1, &(struct iovec){&sides[0].sent, sizeof sides[0].sent}, 1));
        sides[0].sent++;
        if (closes)
            CHECK(shutdown(fd, SHUT_WR) == 0);
        else
            talk(1); /* thread 1 calls, too */
        while (sides[1].received < sides[0].sent)
            poll_sides();
        CHECK(is_closed(fd, poll_sides)); /* and has not been sent the packet */
        talk(10);
        close_sides();
    }
}

/* ---- a call that gives way ---- */

/* Connects without waiting: more of these than the queue holds keep later calls out. */
static int knock(uint32_t address, in_port_t port) {
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_addr = {htonl(address)}, .sin_port = htons(port)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    CHECK(fd >= 0 && (connect(fd, (struct sockaddr *)&to, sizeof to) == 0 || errno == EINPROGRESS));
    return fd;
}

/* Opens thread 0 alone, and a thread 1 that is played here: at 127.0.0.1, with a queue of this length, and at
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

/* Thread 0 calls an address that does not answer; meanwhile thread 1 calls. The call of thread 0 then gives
 * way: its deadline passes without a call to the next address, its packets go over the other connection, and
 * poll has nothing to do. */
static void a_call_that_gave_way_is_over(void) {
    enum { QUEUE = 1, KNOCKS = 4, SILENCE = 2 };
    struct greeting right = RIGHT;
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

/* Accepts the next call of thread 0, challenges it, and returns the connection after its hello. */
static int challenge_caller(int listener, struct mer_tcp_challenge *challenge, struct mer_tcp_hello *hello) {
    struct pollfd called = {.fd = listener, .events = POLLIN};
    while (poll(&called, 1, 1) == 0)
        poll_first();
    int fd = accept(listener, NULL, NULL);
    CHECK(fd >= 0 && send(fd, challenge, sizeof *challenge, MSG_NOSIGNAL) == sizeof *challenge);
    CHECK(receive_whole(fd, hello, sizeof *hello, poll_first) && hello->kind == MER_TCP_HELLO);
    return fd;
}

/* A call that the peer drops as a stranger's, or that is answered without the key, is made again. */
static void a_dropped_call_is_made_again(void) {
    enum { DROPS = 5 };
    struct mer_tcp_challenge challenge = {.kind = MER_TCP_CHALLENGE, .number = {9}};
    struct mer_tcp_proof welcome = {.kind = MER_TCP_WELCOME}, confirmation;
    struct mer_tcp_parties parties = {.from = 0, .to = 1};
    struct mer_tcp_hello hello;
    unsigned char proof[MER_SHA256_BYTES];
    int listeners[2], fd;
    const struct mer_tcp_address *peer = play_thread_1(60, 10, listeners);
    send_number(4712);
    for (int i = 0; i < DROPS; i++) {
        fd = challenge_caller(listeners[0], &challenge, &hello);
        if (i % 2)
            CHECK(send(fd, &welcome, sizeof welcome, MSG_NOSIGNAL) == sizeof welcome);
        CHECK(i % 2 == 0 || !carries(fd, 4712)); /* closed */
        for (int j = 0; j < 10; j++)
            poll_first(); /* the challenge has been taken */
        close(fd);
    }
    fd = challenge_caller(listeners[0], &challenge, &hello);
    memcpy(parties.number, hello.number, sizeof parties.number);
    mer_tcp_prove(peer->key, "hello", &parties, proof);
    CHECK(memcmp(proof, hello.proof, sizeof proof) == 0);
    memcpy(parties.challenge, challenge.number, sizeof parties.challenge);
    mer_tcp_prove(peer->key, "welcome", &parties, welcome.proof);
    mer_tcp_prove(peer->key, "confirmation", &parties, proof);
    CHECK(send(fd, &welcome, sizeof welcome, MSG_NOSIGNAL) == sizeof welcome);
    CHECK(receive_whole(fd, &confirmation, sizeof confirmation, poll_first));
    CHECK(memcmp(proof, confirmation.proof, sizeof proof) == 0 && carries(fd, 4712));
    end_thread_1(fd, listeners);
}

int main(void) {
    alarm(120);
    unsetenv("MERIDIAN_INTERFACE");
    the_key_is_asked_for();
    a_repeated_hello_keeps_nobody_out();
    if (encrypts()) /* the peers that are played speak no other language than the plain one */
        return 0;
    the_right_greeting_is_welcome_once();
    a_call_that_gave_way_is_over();
    a_dropped_call_is_made_again();
    return 0;
}
