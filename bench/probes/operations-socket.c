/* The lower bound of operations between hosts: a round trip of 8 bytes over a bare TCP connection, both sides
 * polling. */
#define MEASURE_THREAD 0
#define MEASURE_BARRIER() ((void)0)
#define MEASURE_FIRST(value) (value)
#include "operations.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static int line;

static void fail(const char *what) {
    fprintf(stderr, "socket: %s: %s\n", what, strerror(errno));
    exit(1);
}

static void receive(char *at) {
    for (size_t have = 0; have < 8;) {
        ssize_t n = recv(line, at + have, 8 - have, MSG_DONTWAIT);
        if (n == 0)
            exit(0);
        if (n < 0 && errno != EAGAIN)
            fail("recv");
        if (n > 0)
            have += (size_t)n;
    }
}

static void trip_once(void) {
    char word[8] = {0};
    if (send(line, word, 8, 0) != 8)
        fail("send");
    receive(word);
}
ALONE(trip, trip_once())

static void add_all(void) {
    processes_here = 2;
    add_operation("put of 8 bytes", trip, 1);
    add_operation("get of 8 bytes", trip, 1);
    add_operation("fetch-and-add", trip, 1);
    probe_longer = OPERATIONS_LONGER;
}

int main(int argc, char **argv) {
    static const struct part parts[] = {{"operations", add_all}};
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int listening = socket(AF_INET, SOCK_STREAM, 0), on = 1;
    if (bind(listening, (struct sockaddr *)&address, length) || listen(listening, 1) ||
        getsockname(listening, (struct sockaddr *)&address, &length))
        fail("listen");
    pid_t child = fork();
    if (child < 0)
        fail("fork");
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        line = accept(listening, NULL, NULL);
        setsockopt(line, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        for (char word[8];;) {
            receive(word);
            if (send(line, word, 8, MSG_NOSIGNAL) != 8)
                exit(0);
        }
    }
    line = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(line, (struct sockaddr *)&address, length))
        fail("connect");
    setsockopt(line, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    int code = PROBE_MAIN(argc, argv, parts);
    close(line);
    waitpid(child, NULL, 0);
    return code;
}
