/* The two conduits, as the runtime uses them. */
#include "conduit/conduit.h"
#include "net.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>

#define SPAN (4ul << 20)

enum { TCP, OFI, ENCRYPTED, CONDUITS };

static long received[CONDUITS];
static int completed;

static void deliver(void *user, int from, const void *packet, size_t n) {
    (void)from, (void)packet, (void)n;
    ++*(long *)user;
}
static void done(void *user, void *context) {
    (void)user, (void)context;
    completed++;
}
static void lost(void *user, int peer, const char *cause) {
    (void)user;
    (void)peer;
    net_die("the other process is lost", cause);
}
__attribute__((noreturn, format(printf, 2, 3))) static void fail(void *user, const char *format, ...) {
    va_list list;
    (void)user;
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
    net_die("", "");
}

static const struct mer_conduit *conduits[CONDUITS];
static struct mer_conduit_client clients[CONDUITS];
static struct mer_conduit_endpoint *ends[CONDUITS];

static void open_conduit(int which, const char *name) {
    struct mer_conduit_address addresses[2] = {0};
    void *memory = mmap(NULL, SPAN, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        net_die("memory", "none");
    clients[which] = (struct mer_conduit_client){.user = &received[which],
                                                 .thread = net_me,
                                                 .threads = 2,
                                                 .here_first = net_me,
                                                 .here = 1,
                                                 .memory = memory,
                                                 .memory_length = SPAN,
                                                 .encrypt = which == ENCRYPTED,
                                                 .deliver = deliver,
                                                 .done = done,
                                                 .lost = lost,
                                                 .fail = fail};
    const struct mer_conduit *conduit = conduits[which] = mer_conduit_find(name);
    ends[which] = conduit->open(&clients[which], &addresses[net_me]);
    memcpy(net->address[which][net_me], &addresses[net_me], sizeof addresses[0]);
    net_meet();
    memcpy(&addresses[!net_me], net->address[which][!net_me], sizeof addresses[0]);
    conduit->connect(ends[which], addresses);
    net_meet();
}

/* Sends as many of the n bytes as fit in one packet: of 64 KB, all but a few bytes. */
static void send_by(int which, const void *bytes, size_t n) {
    size_t most = ends[which]->packet_most;
    struct iovec part = {(void *)(size_t)bytes, n < most ? n : most};
    while (!conduits[which]->send(ends[which], !net_me, &part, 1))
        conduits[which]->poll(ends[which]);
}

static void receive_by(int which, int count) {
    while (received[which] < count)
        conduits[which]->poll(ends[which]);
    received[which] -= count;
}

static void put_by(int which, const void *bytes, size_t n, int count) {
    completed = 0;
    for (int begun = 0; begun < count;)
        if (begun - completed < 3 && conduits[which]->put(ends[which], !net_me, 0, bytes, n, NULL))
            begun++;
        else
            conduits[which]->poll(ends[which]);
    while (completed < count)
        conduits[which]->poll(ends[which]);
}

#define WAY(which, label, conduit, longest, put_or_null)                                                     \
    static void open_##label(void) { open_conduit(which, conduit); }                                         \
    static void close_##label(void) { conduits[which]->close(ends[which]); }                                 \
    static void send_##label(const void *bytes, size_t n) { send_by(which, bytes, n); }                      \
    static void receive_##label(int count) { receive_by(which, count); }                                     \
    const struct way way_##label = {.name = #label,                                                          \
                                    .most = longest,                                                         \
                                    .open = open_##label,                                                    \
                                    .close = close_##label,                                                  \
                                    .send = send_##label,                                                    \
                                    .receive = receive_##label,                                              \
                                    .put = put_or_null}

static void put_ofi(const void *bytes, size_t n, int count) { put_by(OFI, bytes, n, count); }

WAY(TCP, tcp, "tcp", 1 << 20, NULL);
WAY(OFI, ofi, "ofi", 1 << 16, put_ofi);
WAY(ENCRYPTED, encrypted, "tcp", 1 << 20, NULL);
