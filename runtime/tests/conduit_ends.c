/* Several endpoints of one conduit in one process: each endpoint has its own state.
 *
 * Two jobs of two threads are opened side by side. First one POSIX thread uses all four endpoints in turns,
 * then four use one each at the same time, which is allowed, since a conduit's calls exclude each other for
 * one endpoint alone. A packet contains its job, its sender and its number, so that a packet at the wrong
 * endpoint is found.
 */
#include "conduit_ends.h"

#include "base/settings.h"
#include "job.h"

#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <sys/mman.h>

enum { JOBS = 2, SIDES = 2, PACKETS = 1500, MEMORY = 1 << 16 };

struct packet {
    int job, from;
    long number;
    unsigned char bytes[4000];
};

static struct side {
    int job, me;
    const struct mer_conduit *conduit;
    struct mer_conduit_client client;
    struct mer_conduit_endpoint *end;
    long sent, received;
    unsigned state;
} sides[JOBS][SIDES];

static void deliver(void *user, int from, const void *bytes, size_t length) {
    struct side *side = user;
    struct packet packet;
    CHECK(length >= offsetof(struct packet, bytes) && length <= sizeof packet);
    memcpy(&packet, bytes, length);
    CHECK(packet.job == side->job && packet.from == from && from == 1 - side->me);
    CHECK(packet.number == side->received);
    for (size_t i = 0; i < length - offsetof(struct packet, bytes); i++)
        CHECK(packet.bytes[i] == (unsigned char)(packet.number + (long)i));
    side->received++;
}

static void done(void *user, void *context) {
    (void)user;
    (void)context;
}

static void lost(void *user, int peer, const char *cause) {
    const struct side *side = user;
    fprintf(stderr, "job %d, thread %d: thread %d is lost: %s\n", side->job, side->me, peer, cause);
    exit(1);
}

__attribute__((noreturn, format(printf, 2, 3))) static void fail(void *user, const char *format, ...) {
    va_list arguments;
    (void)user;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(1);
}

static void open_side(struct side *side, const struct mer_conduit *conduit, struct mer_conduit_address *own) {
    void *memory = mmap(NULL, MEMORY, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CHECK(memory != MAP_FAILED);
    side->conduit = conduit;
    side->state = (unsigned)(2 * side->job + side->me + 1);
    side->client = (struct mer_conduit_client){.user = side,
                                               .thread = side->me,
                                               .threads = SIDES,
                                               .here_first = side->me,
                                               .here = 1,
                                               .memory = memory,
                                               .memory_length = MEMORY,
                                               .silence = 60,
                                               .encrypt = mer_setting_early(MER_SETTING_ENCRYPT),
                                               .deliver = deliver,
                                               .done = done,
                                               .lost = lost,
                                               .fail = fail};
    side->end = conduit->open(&side->client, own);
    CHECK(side->end->conduit == conduit && side->end->client == &side->client);
}

/* Sends the next packet, if the endpoint takes it, and handles packets that have come. */
static void turn(struct side *side, long most) {
    struct packet packet = {.job = side->job, .from = side->me, .number = side->sent};
    if (side->sent < most) {
        unsigned before = side->state;
        size_t n = job_random(&side->state) % sizeof packet.bytes;
        for (size_t i = 0; i < n; i++)
            packet.bytes[i] = (unsigned char)(packet.number + (long)i);
        struct iovec parts[2] = {{&packet, offsetof(struct packet, bytes)}, {packet.bytes, n}};
        if (side->conduit->send(side->end, 1 - side->me, parts, 2))
            side->sent++;
        else
            side->state = before;
    }
    side->conduit->poll(side->end);
}

static bool is_done(const struct side *side, long most) {
    return side->sent == most && side->received == most;
}

/* One POSIX thread's endpoint: the second half of its packets, and the end. */
static void *use(void *argument) {
    struct side *side = argument;
    while (!is_done(side, 2 * PACKETS)) {
        turn(side, 2 * PACKETS);
        sched_yield();
    }
    side->conduit->close(side->end); /* says goodbye after the packets, and waits for the peer's */
    return NULL;
}

void conduit_ends(const struct mer_conduit *conduit) {
    struct mer_conduit_address addresses[JOBS][SIDES] = {0};
    pthread_t threads[JOBS * SIDES];
    bool all = false;
    for (int job = 0; job < JOBS; job++)
        for (int me = 0; me < SIDES; me++) {
            sides[job][me] = (struct side){.job = job, .me = me};
            open_side(&sides[job][me], conduit, &addresses[job][me]);
        }
    for (int job = 0; job < JOBS; job++)
        for (int me = 0; me < SIDES; me++)
            conduit->connect(sides[job][me].end, addresses[job]);
    while (!all) {
        all = true;
        for (int i = 0; i < JOBS * SIDES; i++) {
            turn(&sides[i % JOBS][i / JOBS], PACKETS);
            all = all && is_done(&sides[i % JOBS][i / JOBS], PACKETS);
        }
    }
    for (int i = 0; i < JOBS * SIDES; i++)
        CHECK(pthread_create(&threads[i], NULL, use, &sides[i % JOBS][i / JOBS]) == 0);
    for (int i = 0; i < JOBS * SIDES; i++)
        CHECK(pthread_join(threads[i], NULL) == 0);
}
