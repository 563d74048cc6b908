/* Secure channels (conduit/channel.h): bytes that go in at one end come out at the other, in pieces of all
 * sizes and over several keys. Records that are changed, repeated, left out or made up on the way are refused
 * before any of their bytes is given out.
 *
 * Both ends are in this process; the test carries the bytes of one to the other.
 */
#include "base/fatal.h"
#include "conduit/channel.h"
#include "job.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

enum { WIRE = 1 << 20 };

static const struct mer_cipher *cipher;

static struct side {
    struct mer_channel *channel;
    int fd, outside; /* the channel's socket, and its other end */
} sides[2];
static struct mer_channel_buffers buffers[2];

/* Bytes on their way from one side to the other. */
static unsigned char wire[WIRE];
static size_t wire_n;

static void open_channels(const char *secret_a, const char *secret_b) {
    for (int i = 0; i < 2; i++) {
        int pair[2];
        const char *secret = i ? secret_b : secret_a;
        CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair) == 0);
        sides[i].fd = pair[0];
        sides[i].outside = pair[1];
        sides[i].channel = mer_channel_new(cipher, &buffers[i], (const unsigned char *)secret, strlen(secret),
                                           i == 0);
        CHECK(sides[i].channel);
    }
}

static void close_channels(void) {
    for (int i = 0; i < 2; i++) {
        mer_channel_free(sides[i].channel);
        close(sides[i].fd);
        close(sides[i].outside);
    }
}

/* Take the bytes that side i has written, or hand it the bytes on their way. */
static void take_wire(int i) {
    ssize_t n = recv(sides[i].outside, wire, sizeof wire, 0);
    wire_n = n > 0 ? (size_t)n : 0;
}

static void give_wire(int i) {
    for (size_t done = 0; done < wire_n;) {
        ssize_t n = send(sides[i].outside, wire + done, wire_n - done, MSG_NOSIGNAL);
        CHECK(n > 0);
        done += (size_t)n;
    }
}

/* Shakes hands, and returns true if there is a channel at both ends. `spoil': the bit that is flipped,
 * numbered through all messages; -1: none. */
static bool shake_hands(long spoil) {
    int done[2] = {0};
    long at = 0;
    for (int turn = 0; turn < 10 && (done[0] == 0 || done[1] == 0); turn++) {
        int i = turn % 2;
        if (done[i] == 0)
            done[i] = mer_channel_agree(sides[i].channel, sides[i].fd);
        if (done[i] < 0)
            return false;
        take_wire(i);
        if (spoil >= at && spoil < at + 8 * (long)wire_n)
            wire[(spoil - at) / 8] ^= (unsigned char)(1 << (spoil - at) % 8);
        at += 8 * (long)wire_n;
        give_wire(1 - i);
    }
    return done[0] == 1 && done[1] == 1;
}

static void put(int i, const void *bytes, size_t n) {
    struct iovec part = {(void *)(uintptr_t)bytes, n};
    CHECK(mer_channel_send(sides[i].channel, sides[i].fd, &part, 1, MSG_NOSIGNAL) == (ssize_t)n);
    CHECK(!mer_channel_waits(sides[i].channel));
}

/* Reads all available bytes, at most n. Returns -1 if they are refused. */
static ssize_t get(int i, void *bytes, size_t n) {
    struct iovec part = {bytes, n};
    ssize_t got = mer_channel_receive(sides[i].channel, sides[i].fd, &part, 1);
    CHECK(got > 0 || errno == EAGAIN || errno == EBADMSG || errno == ECONNRESET);
    return got < 0 && errno == EAGAIN ? 0 : got;
}

static void only_who_knows_the_secret_gets_a_channel(void) {
    open_channels("one secret", "one secret");
    CHECK(shake_hands(-1));
    close_channels();
    open_channels("one secret", "another secret");
    CHECK(!shake_hands(-1));
    close_channels();
    for (long bit = 0; bit < 8 * 400; bit += 61) {
        open_channels("one secret", "one secret");
        CHECK(!shake_hands(bit));
        close_channels();
    }
}

/* Random pieces both ways through a socket that takes and gives as it likes, over many keys. */
static void what_goes_in_comes_out(void) {
    static unsigned char bytes[100000], got[100000];
    unsigned state = 11;
    mer_channel_rekey = 3;
    open_channels("secret", "secret");
    CHECK(shake_hands(-1));
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)job_random(&state);
    for (int round = 0; round < 300; round++) {
        int from = round % 2;
        size_t n = 1 + job_random(&state) % (round % 3 ? 300 : sizeof bytes), sent = 0, come = 0;
        while (come < n) {
            struct iovec parts[3] = {{bytes + sent, (n - sent) / 2},
                                     {bytes, 0},
                                     {bytes + sent + (n - sent) / 2, n - sent - (n - sent) / 2}};
            ssize_t some = sent < n
                               ? mer_channel_send(sides[from].channel, sides[from].fd, parts, 3, MSG_NOSIGNAL)
                               : 0;
            CHECK(some >= 0 || errno == EAGAIN);
            sent += some > 0 ? (size_t)some : 0;
            CHECK(mer_channel_flush(sides[from].channel, sides[from].fd));
            ssize_t carried = recv(sides[from].outside, wire,
                                   1 + job_random(&state) % (round % 5 ? 60000 : 9), 0);
            wire_n = carried > 0 ? (size_t)carried : 0;
            give_wire(1 - from);
            do {
                ssize_t part = get(1 - from, got + come,
                                   1 + job_random(&state) % sizeof got < n - come
                                       ? 1 + job_random(&state) % (n - come)
                                       : n - come);
                CHECK(part >= 0);
                come += (size_t)part;
            } while (come < n && mer_channel_ready(sides[1 - from].channel));
        }
        CHECK(memcmp(bytes, got, n) == 0);
    }
    close_channels();
    mer_channel_rekey = MER_CHANNEL_REKEY;
}

/* Three records on their way to side 1, each of which says its number. */
static size_t three_records(size_t ends[3]) {
    static unsigned char all[WIRE];
    size_t n = 0;
    char text[100];
    for (int i = 0; i < 3; i++) {
        memset(text, 'a' + i, sizeof text);
        put(0, text, sizeof text);
        take_wire(0);
        memcpy(all + n, wire, wire_n);
        ends[i] = n += wire_n;
    }
    memcpy(wire, all, n);
    CHECK(!memmem(wire, n, "aaaaaaaa", 8)); /* the bytes on their way are not the plain ones */
    return wire_n = n;
}

/* Checks that side 1 gets the first `right' of the three records, and nothing else. */
static void gets_only(int right) {
    char text[400];
    int count = 0;
    ssize_t n;
    give_wire(1);
    while ((n = get(1, text, sizeof text)) > 0) {
        CHECK(n == 100 && count < 3);
        for (ssize_t i = 0; i < n; i++)
            CHECK(text[i] == 'a' + count);
        count++;
    }
    CHECK(count == right);
    CHECK(right == 3 || n < 0);
    close_channels();
}

static void what_is_changed_is_refused(void) {
    size_t ends[3], whole = MER_CHANNEL_HEAD + 100 + MER_CHANNEL_TAG;
    static unsigned char other[WIRE];
    for (size_t bit = 0; bit < 8 * whole; bit++) { /* each bit of the second */
        open_channels("secret", "secret");
        CHECK(shake_hands(-1));
        three_records(ends);
        CHECK(ends[0] == whole && ends[1] == 2 * whole);
        wire[whole + bit / 8] ^= (unsigned char)(1 << bit % 8);
        if (bit / 8 < 2 && wire_n < 3 * whole + 60000) { /* a longer record: let as many bytes come */
            memset(wire + wire_n, 0, 70000);
            wire_n += 70000;
        }
        gets_only(1);
    }
    enum { REPEATED, LEFT_OUT, SWAPPED, BACK, OTHERS, WAYS };
    for (int way = 0; way < WAYS; way++) {
        open_channels("secret", "secret");
        CHECK(shake_hands(-1));
        if (way == OTHERS) { /* a record of another connection with the same secret */
            three_records(ends);
            memcpy(other, wire, whole);
            close_channels();
            open_channels("secret", "secret");
            CHECK(shake_hands(-1));
        }
        three_records(ends);
        if (way == REPEATED)
            memcpy(wire + whole, wire, whole);
        if (way == LEFT_OUT)
            memmove(wire + whole, wire + 2 * whole, wire_n -= whole);
        if (way == SWAPPED) {
            memcpy(other, wire + whole, whole);
            memcpy(wire + whole, wire + 2 * whole, whole);
            memcpy(wire + 2 * whole, other, whole);
        }
        if (way == OTHERS)
            memcpy(wire + whole, other, whole);
        if (way == BACK) { /* to the side that sent it */
            char text[100];
            give_wire(0);
            CHECK(get(0, text, sizeof text) < 0);
            close_channels();
            continue;
        }
        gets_only(1);
    }
    open_channels("secret", "secret");
    CHECK(shake_hands(-1));
    three_records(ends);
    gets_only(3);
}

/* Lengths that no record can have cost no memory. */
static void absurd_lengths_are_refused(void) {
    static const uint32_t lengths[] = {0, MER_CHANNEL_RECORD + 1, 1u << 20, 1u << 31, ~0u};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        for (int shaken = 0; shaken < 2; shaken++)
            for (size_t first = 1; first <= 8; first++) { /* the head comes whole, or in parts */
                char text[100];
                open_channels("secret", "secret");
                CHECK(!shaken || shake_hands(-1));
                memcpy(wire, (const uint32_t[2]){lengths[i], 7}, 8);
                bool refused = false;
                for (size_t at = 0; at < 8 && !refused; at += wire_n) {
                    wire_n = first < 8 - at ? first : 8 - at;
                    CHECK(send(sides[1].outside, wire + at, wire_n, MSG_NOSIGNAL) == (ssize_t)wire_n);
                    refused = shaken ? get(1, text, sizeof text) < 0
                                     : mer_channel_agree(sides[1].channel, sides[1].fd) < 0;
                }
                if (!refused) /* the length is checked before more is read */
                    refused = shaken ? get(1, text, sizeof text) < 0
                                     : mer_channel_agree(sides[1].channel, sides[1].fd) < 0;
                CHECK(refused);
                close_channels();
            }
}

int main(void) {
    const char *why;
    alarm(240);
    cipher = mer_cipher_load(&why);
    if (!cipher) {
        fprintf(stderr, "%s\n", why);
        return 1;
    }
    only_who_knows_the_secret_gets_a_channel();
    what_goes_in_comes_out();
    what_is_changed_is_refused();
    absurd_lengths_are_refused();
    return 0;
}
