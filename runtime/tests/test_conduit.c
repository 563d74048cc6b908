/* Conformance of a conduit: what conduit/conduit.h promises, tried on the conduit that the argument names.
 *
 *   test_conduit tcp
 *   test_conduit tcp flood       this trial alone
 *   test_conduit -s 8 ofi        where death is known by silence alone, of this many seconds
 *
 * Each trial is a job of 2 to 16 processes on this machine, every one of which counts as a host of its own
 * (conduit_ends.c: a trial of several endpoints in one process).
 * They know the conduit through conduit.h alone, and each other's addresses through memory that they share.
 * A packet tells its sender, its number and its length, and its bytes follow from these, so that whatever is
 * lost, doubled, torn or out of order is seen.
 */
#include "conduit/conduit.h"

#include "base/clock.h"
#include "conduit_ends.h"
#include "job.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MOST 16                  /* processes of a job */
#define LIMIT_SECONDS 120        /* for a trial */
#define SILENCE 60               /* seconds: longer than a loaded machine keeps a process waiting */
#define TOLD_SECONDS 60          /* in which death has to be told */
#define SPAN (64ul << 20)        /* memory that others may name */
enum { LOST = 42, FAILED = 97 }; /* exit codes */

/* What the processes of a trial share. */
static struct shared {
    struct mer_conduit_address addresses[MOST];
    atomic_int arrived, generation; /* of the barrier */
    atomic_int flags[MOST];
    atomic_long counts[MOST];
} * shared;

static const char *conduit_name, *only; /* this trial alone; null: all */
static int silence_of_death = 2 * TOLD_SECONDS;
static const struct mer_conduit *conduit;
static struct mer_conduit_client client;
static struct mer_conduit_endpoint *end;
static int threads, me;
static bool connected, ran_any;

static void nap(long milliseconds) {
    struct timespec t = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    nanosleep(&t, NULL);
}

/* ---- packets ------------------------------------------------------------------------------------------- */

struct head {
    uint32_t from, number;
};

static long received[MOST]; /* packets, by sender */
static long received_bytes;
static bool lost_expected;
static void (*on_packet)(int from, const void *packet, size_t length); /* a trial's own; may be null */

/* Byte i of a packet is that of a sequence that starts at a place of the packet's own. */
static const unsigned char *pattern(uint32_t from, uint32_t number) {
    static unsigned char bytes[2 << 20];
    if (!bytes[1])
        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = (unsigned char)(i * 2654435761u >> 13);
    return bytes + (from * 7919u + number * 104729u) % 65521u;
}

/* The end of every second long packet belongs into this buffer; deliver looks at it there. */
static unsigned char landing[2 << 20];
static size_t lands_from[MOST], lands[MOST]; /* by sender: the bytes of the packet under way that do */

static void *land(void *user, int from, const void *packet, size_t have, size_t length, size_t *at) {
    CHECK(user == &client);
    CHECK(from >= 0 && from < threads && from != me && (uintptr_t)packet % 8 == 0 && have <= length);
    CHECK(lands[from] == 0);
    *at = sizeof(struct head) + 16;
    if (received[from] % 2 == 0 || have < *at || threads > 2) /* one buffer, one sender */
        return NULL;
    lands_from[from] = *at;
    lands[from] = length - *at;
    return landing;
}

static void deliver(void *user, int from, const void *packet, size_t length) {
    CHECK(user == &client);
    CHECK(from >= 0 && from < threads && from != me);
    CHECK(length >= 1 && length <= end->packet_most);
    CHECK((uintptr_t)packet % 8 == 0);
    uint32_t number = (uint32_t)received[from];
    if (lands[from]) {
        CHECK(length == lands_from[from]);
        CHECK(memcmp(landing, pattern((uint32_t)from, number) + length - sizeof(struct head), lands[from]) ==
              0);
        received_bytes += (long)lands[from];
        lands[from] = 0;
    }
    if (length >= sizeof(struct head)) {
        struct head head;
        memcpy(&head, packet, sizeof head);
        CHECK(head.from == (uint32_t)from);
        CHECK(head.number == number);
        CHECK(memcmp((const char *)packet + sizeof head, pattern((uint32_t)from, number),
                     length - sizeof head) == 0);
    } else {
        CHECK(memcmp(packet, pattern((uint32_t)from, number), length) == 0);
    }
    received[from]++;
    received_bytes += (long)length;
    if (on_packet)
        on_packet(from, packet, length);
}

static uint32_t sent[MOST];

/* Try to send the next packet to `to', in `nparts' parts; false: no capacity now. */
static bool try_send(int to, size_t length, int nparts) {
    struct head head = {(uint32_t)me, sent[to]};
    struct iovec parts[MER_CONDUIT_PARTS];
    size_t first = length >= sizeof head ? sizeof head : 0, rest = length - first;
    int n = 0;
    if (first)
        parts[n++] = (struct iovec){&head, sizeof head};
    const unsigned char *bytes = pattern((uint32_t)me, sent[to]);
    for (; n < nparts - 1; n++) {
        size_t some = rest / 3;
        parts[n] = (struct iovec){(void *)bytes, some};
        bytes += some;
        rest -= some;
    }
    parts[n++] = (struct iovec){(void *)bytes, rest};
    if (!conduit->send(end, to, parts, n))
        return false;
    head.number = ~0u; /* the bytes may be reused */
    sent[to]++;
    return true;
}

static void send_it(int to, size_t length, int nparts) {
    while (!try_send(to, length, nparts))
        if (conduit->poll(end) == 0)
            sched_yield();
}

static void receive_until(int from, long count) {
    while (received[from] < count)
        if (conduit->poll(end) == 0)
            sched_yield();
}

/* Nobody goes on before all are here; the conduit is polled, as a runtime that waits would do, if it stands.
 */
static void meet(void) {
    int generation = atomic_load(&shared->generation);
    if (atomic_fetch_add(&shared->arrived, 1) == threads - 1) {
        atomic_store(&shared->arrived, 0);
        atomic_fetch_add(&shared->generation, 1); /* pairs with the loads below */
        return;
    }
    while (atomic_load(&shared->generation) == generation) {
        if (!connected)
            nap(1);
        else if (conduit->poll(end) == 0)
            sched_yield();
    }
}

/* ---- trials: each runs in all processes, between connect and close ------------------------------------- */

/* Packets of all kinds of lengths from everybody to everybody. */
static void everybody(void) {
    unsigned state = 12345u + (unsigned)me;
    const long count = threads > 8 ? 60 : 400;
    for (long k = 0; k < count; k++)
        for (int i = 1; i < threads; i++) {
            unsigned r = job_random(&state);
            size_t length = r % 4 == 0 ? 1 + r / 4 % end->packet_most : 1 + r / 4 % 200;
            send_it((me + i) % threads, length, 2 + (int)(r / 64 % (MER_CONDUIT_PARTS - 1)));
        }
    for (int i = 1; i < threads; i++)
        receive_until((me + i) % threads, count);
}

static void one_size(size_t length) {
    if (length < 1 || length > end->packet_most)
        return;
    for (int nparts = 2; nparts <= MER_CONDUIT_PARTS; nparts += 3)
        send_it(1 - me, length, nparts);
}

/* Every small length, lengths about powers of two and of the longest, and some between. */
static void sizes(void) {
    for (size_t length = 1; length <= 1100; length++)
        one_size(length);
    for (size_t power = 2048; power <= end->packet_most; power *= 2)
        for (size_t d = 0; d < 40; d++)
            one_size(power + d - 20);
    for (size_t d = 0; d < 20; d++)
        one_size(end->packet_most - d);
    for (size_t length = 1200; length < end->packet_most; length += 977 + end->packet_most / 128)
        one_size(length);
    receive_until(1 - me, (long)sent[1 - me]);
}

static void many_small(void) {
    for (int k = 0; k < 100000; k++)
        send_it(1 - me, 8, 2);
    receive_until(1 - me, 100000);
}

/* All send what is longest, and poll only when there is no capacity. */
static void flood(void) {
    const long count = (64l << 20) / threads / (threads - 1) / (long)end->packet_most + 1;
    for (long k = 0; k < count; k++)
        for (int i = 1; i < threads; i++)
            send_it((me + i) % threads, end->packet_most, 2);
    for (int i = 1; i < threads; i++)
        receive_until((me + i) % threads, count);
}

/* A receiver that does not poll: the sender is told that there is no capacity, and nothing is lost. */
static void bounded(void) {
    if (me == 0) {
        double start = mer_clock_seconds();
        long refused = 0;
        while (refused < 1000 && mer_clock_seconds() - start < 60) {
            CHECK(sent[1] < (1u << 30) / end->packet_most);
            if (!try_send(1, end->packet_most, 2)) {
                refused++;
                conduit->poll(end);
            }
        }
        CHECK(refused == 1000);
        atomic_store(&shared->counts[0], (long)sent[1]);
        atomic_store(&shared->flags[0], 1); /* pairs with the load below */
    } else {
        while (!atomic_load(&shared->flags[0]))
            nap(1);
        receive_until(0, atomic_load(&shared->counts[0]));
    }
}

/* A receiver that is stopped for a while takes nothing, and is not given up: it gets all of it afterwards. */
static void stopped(void) {
    send_it(1 - me, 8, 2);
    receive_until(1 - me, 1);
    meet(); /* what has not left yet would stay */
    if (me == 0) {
        pid_t other;
        while ((other = atomic_load(&shared->flags[1])) == 0) /* pairs with the store below */
            nap(1);
        for (double refused = mer_clock_seconds(); mer_clock_seconds() - refused < 2.5;) {
            CHECK(sent[1] < (1u << 30) / end->packet_most);
            if (try_send(1, end->packet_most, 2))
                refused = mer_clock_seconds();
            else if (conduit->poll(end) == 0)
                nap(1);
        }
        kill(other, SIGCONT);
        atomic_store(&shared->counts[0], (long)sent[1]);
        atomic_store(&shared->flags[0], 1); /* pairs with the load below */
        receive_until(1, 2);
    } else {
        atomic_store(&shared->flags[1], getpid());
        raise(SIGSTOP);
        while (!atomic_load(&shared->flags[0]))
            nap(1);
        receive_until(0, atomic_load(&shared->counts[0]));
        send_it(0, 8, 2);
    }
}

/* One process receives from all others, and they are all served. */
static void all_to_one(void) {
    const long count = 300;
    if (me != 0)
        for (long k = 0; k < count; k++)
            send_it(0, k % 3 ? 40 : end->packet_most, 2);
    for (int i = 1; me == 0 && i < threads; i++)
        receive_until(i, count);
}

static int owed[MOST];

/* Replies are sent while a packet is delivered, if there is capacity. */
static void answer(int from, const void *packet, size_t length) {
    (void)packet;
    if (owed[from] || !try_send(from, length, 2))
        owed[from]++;
}

static void replies(void) {
    const long count = 3000;
    if (me == 0) {
        for (long k = 0; k < count; k++)
            send_it(1 + (int)(k % (threads - 1)), 1 + (size_t)k * 11 % 3000, 2);
        for (int i = 1; i < threads; i++)
            receive_until(i, (long)sent[i]);
        atomic_store(&shared->flags[0], 1); /* pairs with the load below */
        return;
    }
    on_packet = answer;
    while (!atomic_load(&shared->flags[0])) {
        conduit->poll(end);
        while (owed[0]) {
            send_it(0, 16, 2);
            owed[0]--;
        }
    }
    on_packet = NULL;
}

/* Sleep as the progress thread does, until a packet comes; how often one had to wake up. */
static long sleep_for(int from, long count) {
    long turns = 0;
    while (received[from] < count) {
        struct pollfd wait = {.fd = conduit->wait_fd(end), .events = POLLIN};
        if (conduit->may_sleep(end)) {
            int n = poll(&wait, 1, LIMIT_SECONDS * 1000);
            CHECK(n == 1);
            turns++;
        }
        conduit->poll(end);
    }
    return turns;
}

/* A sleeper is woken by each packet, also after a flood, and by nothing else. */
static void sleeping(void) {
    if (me == 0) {
        for (int k = 1; k <= 20; k++) {
            nap(k % 4 ? 5 : 60);
            send_it(1, 24, 2);
            receive_until(1, k);
        }
        for (int k = 0; k < 500; k++)
            send_it(1, end->packet_most, 2);
        send_it(1, 8, 2);
        receive_until(1, 21);
        return;
    }
    long turns = 0;
    for (int k = 1; k <= 20; k++) {
        turns += sleep_for(0, k);
        send_it(0, 24, 2);
    }
    CHECK(turns < 20 * 50);
    sleep_for(0, 521);
    send_it(0, 8, 2);
}

/* Once all has been done, the descriptor is quiet: a process that waits costs no processor. */
static void quiet(void) {
    for (int i = 1; i < threads; i++)
        send_it((me + i) % threads, 5000, 2);
    for (int i = 1; i < threads; i++)
        receive_until((me + i) % threads, 1);
    meet();
    struct pollfd wait = {.fd = conduit->wait_fd(end), .events = POLLIN};
    for (int turns = 0;; turns++) {
        CHECK(turns < 1000);
        bool may = conduit->may_sleep(end);
        if (may && poll(&wait, 1, 300) == 0)
            return;
        conduit->poll(end);
    }
}

static int completed;

static void fill(unsigned char *bytes, size_t n, unsigned seed) {
    for (size_t i = 0; i < n; i++)
        bytes[i] = (unsigned char)((i + seed) * 2654435761u >> 11);
}

static bool filled(const unsigned char *bytes, size_t n, unsigned seed) {
    for (size_t i = 0; i < n; i++)
        if (bytes[i] != (unsigned char)((i + seed) * 2654435761u >> 11))
            return false;
    return true;
}

/* Begin a transfer; one that is refused for good is none of the conduit's, as those that are short may be.
 * How many have begun. */
static int transfer(bool put, int peer, uint64_t address, unsigned char *here, size_t n) {
    for (int tries = 0; tries < 200; tries++) {
        if (put ? conduit->put(end, peer, address, here, n, &completed)
                : conduit->get(end, here, peer, address, n, &completed))
            return 1;
        conduit->poll(end);
    }
    CHECK(n < 1 << 20); /* what is long has to be taken: else the operation is to be null */
    return 0;
}

/* All write to the next one's memory at once, see what the one before has written, and read it back. */
static void memory(void) {
    static const size_t sizes[] = {8, 4096, 65536, 100001, 1 << 20, (5 << 20) + 13};
    enum { SIZES = sizeof sizes / sizeof *sizes };
    if (!conduit->put || !conduit->get)
        return;
    unsigned char *mine = client.memory, *here = malloc(SPAN);
    CHECK(here);
    int next = (me + 1) % threads, before = (me + threads - 1) % threads;
    send_it(next, 8, 2);
    receive_until(before, 1);
    uint64_t at = 0;
    for (int i = 0; i < SIZES; at += sizes[i++] + 4096) {
        fill(here, sizes[i], (unsigned)(me * 100 + i));
        completed = 0;
        int begun = transfer(true, next, at, here, sizes[i]);
        while (completed < begun)
            conduit->poll(end);
        atomic_store(&shared->flags[me], begun); /* the barrier stands between this and the load */
        meet();
        if (atomic_load(&shared->flags[before]))
            CHECK(filled(mine + at, sizes[i], (unsigned)(before * 100 + i)));
        memset(here, 0, sizes[i]);
        completed = 0;
        int read = begun ? transfer(false, next, at, here, sizes[i]) : 0;
        while (completed < read)
            conduit->poll(end);
        CHECK(!read || filled(here, sizes[i], (unsigned)(me * 100 + i)));
        meet();
    }
    CHECK(at < SPAN);
    CHECK(!conduit->put(end, next, SPAN - 65536, here, 65537, &completed)); /* beyond what was named */
    CHECK(!conduit->get(end, here, next, UINT64_MAX - 65535, 65536, &completed));
    free(here);
}

static long happened(void) {
    long sum = completed;
    for (int i = 0; i < threads; i++)
        sum += received[i];
    return sum;
}

/* Sleep, if one may, until there is something to do; the other process has something for this one.
 * `meanwhile': the thread itself polls after its progress thread has asked whether it may sleep. */
static void rest(bool meanwhile) {
    struct pollfd wait = {.fd = conduit->wait_fd(end), .events = POLLIN};
    if (conduit->may_sleep(end)) {
        long before = happened();
        if (meanwhile) {
            int told = conduit->poll(end);
            CHECK((happened() == before) == (told == 0));
        }
        if (happened() == before && poll(&wait, 1, 20000) == 0) {
            fprintf(stderr, "thread %d: asleep for 20 s, although there is something to do\n", me);
            exit(FAILED);
        }
    }
    conduit->poll(end);
}

/* Long transfers and floods go on while both sides sleep whenever they may. */
static void asleep(void) {
    size_t n = 20 << 20;
    unsigned char *here = malloc(n);
    CHECK(here);
    send_it(1 - me, 8, 2);
    while (received[1 - me] < 1)
        rest(true);
    for (int round = 0; round < 4; round++) {
        if (me == 0) {
            completed = 0;
            if (conduit->put && conduit->get) {
                fill(here, n, (unsigned)round);
                CHECK(transfer(round % 2 == 0, 1, 0, here, n));
                while (!completed)
                    rest(true);
            }
            for (int k = 0; k < 300; k++)
                while (!try_send(1, end->packet_most, 2))
                    rest(false);
            while (received[1] < 2 + round)
                rest(true);
        } else {
            while (received[0] < 1 + 300 * (round + 1))
                rest(true);
            send_it(0, 8, 2);
        }
    }
    free(here);
}

/* ---- trials of the end --------------------------------------------------------------------------------- */

/* What has been sent arrives, though the sender closes at once and the receiver is slow. */
static void close_unsent(void) {
    send_it(1 - me, 100, 2);
    receive_until(1 - me, 1);
    if (me == 0) {
        long left = 400;
        while (left && try_send(1, end->packet_most, 2))
            left--;
        CHECK(sent[1] > 1);
        atomic_store(&shared->counts[0], (long)sent[1]);
        atomic_store(&shared->flags[0], 1); /* pairs with the load below */
    } else {
        while (!atomic_load(&shared->flags[0]))
            nap(1);
        nap(300);
        receive_until(0, atomic_load(&shared->counts[0]));
    }
}

/* The last thread dies, after talk with all or some; `busy': the others keep sending to it.  They are told by
 * something else than the limit of silence, which is too far away. */
static void death(bool talk, bool busy) {
    int victim = threads - 1;
    if (talk) {
        for (int i = 1; i < threads; i++)
            send_it((me + i) % threads, 3000, 2);
        for (int i = 1; i < threads; i++)
            receive_until((me + i) % threads, 1);
    }
    meet();
    if (me == victim)
        raise(SIGKILL);
    lost_expected = true;
    for (double start = mer_clock_seconds(); mer_clock_seconds() - start < TOLD_SECONDS;) {
        if (busy && (me == 0 || talk))
            try_send(victim, 64, 2);
        conduit->poll(end);
        if (busy && !talk && me != 0)
            exit(LOST); /* has never met the victim, and has nothing to say to it */
        nap(1);
    }
    fprintf(stderr, "thread %d has not been told of the death of thread %d\n", me, victim);
    exit(FAILED);
}

static void death_while_sending(void) { death(true, true); }
static void death_before_contact(void) { death(false, true); }
static void death_while_idle(void) { death(true, false); }

/* ---- jobs ---------------------------------------------------------------------------------------------- */

static void lost(void *user, int peer, const char *cause) {
    CHECK(user == &client);
    CHECK(cause && *cause);
    if (lost_expected && peer == threads - 1)
        exit(LOST);
    fprintf(stderr, "thread %d: thread %d is lost: %s\n", me, peer, cause);
    exit(FAILED);
}

static void done(void *user, void *context) {
    (void)user;
    (*(int *)context)++;
}

__attribute__((format(printf, 2, 3))) static void fail(void *user, const char *format, ...) {
    va_list arguments;
    (void)user;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(FAILED);
}

static void run_thread(void (*trial)(void), bool may_die) {
    void *memory = mmap(NULL, SPAN, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1,
                        0);
    CHECK(memory != MAP_FAILED);
    struct mer_conduit_client own = {.user = &client,
                                     .thread = me,
                                     .threads = threads,
                                     .here_first = me,
                                     .here = 1,
                                     .memory = memory,
                                     .memory_length = SPAN,
                                     .silence = may_die ? silence_of_death : SILENCE,
                                     .deliver = deliver,
                                     .land = land,
                                     .done = done};
    client = own;
    *(void **)&client.lost = (void *)lost;
    *(void **)&client.fail = (void *)fail;
    CHECK(conduit->send && conduit->poll && conduit->wait_fd && conduit->may_sleep && conduit->close);
    end = conduit->open(&client, &shared->addresses[me]);
    CHECK(end->conduit == conduit && end->client == &client);
    CHECK(shared->addresses[me].length <= MER_CONDUIT_ADDRESS);
    CHECK(end->packet_most >= MER_CONDUIT_PACKET_LEAST && end->packet_most <= (1 << 20) + 4096);
    meet();
    conduit->connect(end, shared->addresses);
    connected = true;
    meet();
    trial();
    if (trial != close_unsent)
        meet(); /* the last barrier */
    conduit->close(end);
}

/* Run a trial as n processes; each has to end with this exit code, but for the last one if it is to die. */
static void job(const char *name, int n, void (*trial)(void), int code) {
    if (only && strcmp(only, name) != 0)
        return;
    ran_any = true;
    memset(shared, 0, sizeof *shared);
    threads = n;
    pid_t pids[MOST];
    fflush(NULL);
    for (me = 0; me < n; me++) {
        pids[me] = fork();
        CHECK(pids[me] >= 0);
        if (pids[me] == 0) {
            alarm(LIMIT_SECONDS);
            run_thread(trial, code == LOST);
            exit(0);
        }
    }
    bool good = true;
    double start = mer_clock_seconds();
    for (int i = 0; i < n; i++) {
        int status = 0;
        while (waitpid(pids[i], &status, 0) < 0 && errno == EINTR)
            ;
        bool dies = code == LOST && i == n - 1;
        if (dies ? !(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
                 : !(WIFEXITED(status) && WEXITSTATUS(status) == code)) {
            fprintf(stderr, "%s with %d processes, conduit %s: thread %d ended with status %#x\n", name, n,
                    conduit_name, i, status);
            for (int k = i + 1; k < n && good; k++)
                kill(pids[k], SIGKILL);
            good = false;
        }
    }
    if (!good)
        exit(1);
    printf("%s with %d processes: %.1f s\n", name, n, mer_clock_seconds() - start);
}

/* Run a trial that opens several endpoints, in one process. */
static void in_one_process(const char *name, void (*trial)(const struct mer_conduit *)) {
    double start = mer_clock_seconds();
    int status = 0;
    if (only && strcmp(only, name) != 0)
        return;
    ran_any = true;
    fflush(NULL);
    pid_t pid = fork();
    CHECK(pid >= 0);
    if (pid == 0) {
        alarm(LIMIT_SECONDS);
        trial(conduit);
        exit(0);
    }
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    if (status != 0) {
        fprintf(stderr, "%s, conduit %s: ended with status %#x\n", name, conduit_name, status);
        exit(1);
    }
    printf("%s in one process: %.1f s\n", name, mer_clock_seconds() - start);
}

#define RUN(trial, n) job(#trial, n, trial, 0)

int main(int argc, char **argv) {
    int option;
    while ((option = getopt(argc, argv, "s:")) == 's')
        silence_of_death = atoi(optarg);
    if (option != -1 || silence_of_death < 1 || optind >= argc || argc - optind > 2) {
        fprintf(stderr, "usage: test_conduit [-s SECONDS] CONDUIT [TRIAL]\n");
        return 2;
    }
    conduit_name = argv[optind];
    only = argv[optind + 1]; /* null if it is not there */
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CHECK(shared != MAP_FAILED);
    conduit = mer_conduit_find(conduit_name); /* before all trials: a network's libraries may load slowly */
    CHECK(conduit->abi == MER_CONDUIT_ABI && strcmp(conduit->name, conduit_name) == 0);
    RUN(everybody, 2);
    RUN(everybody, 5);
    RUN(everybody, 16);
    RUN(sizes, 2);
    RUN(many_small, 2);
    RUN(flood, 2);
    RUN(flood, 4);
    RUN(flood, 8);
    RUN(bounded, 2);
    RUN(stopped, 2);
    RUN(all_to_one, 8);
    RUN(replies, 2);
    RUN(replies, 4);
    RUN(sleeping, 2);
    RUN(quiet, 3);
    RUN(memory, 2);
    RUN(memory, 3);
    RUN(asleep, 2);
    RUN(close_unsent, 2);
    in_one_process("ends", conduit_ends);
    job("death_while_sending", 3, death_while_sending, LOST);
    job("death_before_contact", 3, death_before_contact, LOST);
    job("death_while_idle", 3, death_while_idle, LOST);
    if (!ran_any)
        fprintf(stderr, "test_conduit: there is no trial `%s'\n", only);
    return ran_any ? 0 : 2;
}
