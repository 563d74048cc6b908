/* A stranger with plain sockets, who finds the ports of a job over the conduit `tcp', and tries to pass for
 * one of its threads: with guessable keys, with packets without a greeting, and with garbage. It prints the
 * number of answers: "2 endpoints, 16 calls, 0 answered". */
#include "listeners.h"

#include "base/sha256.c"
#include "conduit/tcp/greeting.c"

#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>

#define TRIES 8
#define PATIENCE_MS 3000 /* until the connection is closed, or answered */

enum { PACKET = 0x4d657203 }; /* of frames */

/* Makes a frame: kind, length, and n bytes. */
static size_t frame(unsigned char *to, uint32_t kind, const void *bytes, uint32_t n) {
    memcpy(to, &kind, 4);
    memcpy(to + 4, &n, 4);
    memcpy(to + 8, bytes, n);
    return 8 + n;
}

/* Makes a hello of thread `from' to `to' under a key (conduit/tcp/address.h). */
static size_t hello(unsigned char *into, const unsigned char key[MER_TCP_KEY], int32_t from, int32_t to) {
    struct mer_tcp_hello hello = {.kind = MER_TCP_HELLO, .from = from, .to = to};
    struct mer_tcp_parties parties = {.from = from, .to = to};
    mer_tcp_prove(key, "hello", &parties, hello.proof);
    memcpy(into, &hello, sizeof hello);
    return sizeof hello;
}

/* Makes the stranger's bytes for the try of this number. */
static size_t said(unsigned char *text, int number) {
    unsigned char packet[64] = {0}, key[MER_TCP_KEY];
    size_t n = 0;
    memset(packet + 8, 0xff, 2); /* a goodbye message */
    memset(key, number / 4 ? 0xff : 0, sizeof key);
    if (number % 4 == 3) {
        for (n = 0; n < 4096; n++)
            text[n] = (unsigned char)(n * 167 + 13);
        return n;
    }
    if (number % 4 != 2)
        n += hello(text, key, number % 2, 1 - number % 2);
    for (int i = 0; i < 32; i++)
        n += frame(text + n, PACKET, packet, sizeof packet);
    return n;
}

/* Returns 1 if anything comes back after the challenge, which everybody gets. */
static int is_answered(int fd) {
    char bytes[sizeof(struct mer_tcp_challenge) + 1];
    size_t n = 0;
    struct pollfd wait = {.fd = fd, .events = POLLIN};
    for (ssize_t some = 1; some > 0 && n < sizeof bytes && poll(&wait, 1, PATIENCE_MS) == 1;
         n += some > 0 ? some : 0)
        some = recv(fd, bytes + n, sizeof bytes - n, 0);
    return n == sizeof bytes;
}

int main(void) {
    struct sockaddr_in listeners[LISTENERS];
    unsigned char text[8192];
    int count = find_listeners(listeners), calls = 0, answered = 0;
    signal(SIGPIPE, SIG_IGN);
    for (int i = 0; i < count; i++)
        for (int number = 0; number < TRIES; number++) {
            int fd = socket(AF_INET, SOCK_STREAM, 0);
            if (fd < 0 || connect(fd, (struct sockaddr *)&listeners[i], sizeof listeners[i]) != 0)
                continue;
            calls++;
            size_t n = said(text, number);
            if (send(fd, text, n, 0) == (ssize_t)n)
                answered += is_answered(fd);
            close(fd);
        }
    printf("%d endpoints, %d calls, %d answered\n", count, calls, answered);
    return 0;
}
