#include "conduit_job.h"

#include "base/clock.h"
#include "base/settings.h"
#include "job.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SILENCE 60 /* seconds: longer than a loaded machine keeps a process waiting */

struct shared *shared;
const struct mer_conduit *conduit;
struct mer_conduit_endpoint *endpoint;
int threads, me;
unsigned char *memory_of_me;
long received[MOST];
uint32_t sent[MOST];
bool lost_expected;
void (*on_packet)(int from, const void *packet, size_t length);

static const char *conduit_name, *only;
static int silence_of_death;
static struct mer_conduit_client client;
static bool connected, ran_any;

void nap(long milliseconds) {
    struct timespec t = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    nanosleep(&t, NULL);
}

/* ---- packets ------------------------------------------------------------------------------------------- */

struct head {
    uint32_t from, number;
};

/* Byte i of a packet is that of a sequence that starts at a place of the packet's own. */
static const unsigned char *pattern(uint32_t from, uint32_t number) {
    static unsigned char bytes[2 << 20];
    if (!bytes[1])
        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = (unsigned char)(i * 2654435761u >> 13);
    return bytes + (from * 7919u + number * 104729u) % 65521u;
}

/* The end of every second long packet belongs into this buffer, in one part or in several with gaps between
 * them; deliver checks it there. */
static unsigned char landing[2 << 20];
static size_t lands_from[MOST], lands[MOST]; /* by sender: bytes of the packet under way that land there */
static struct iovec lands_in[MER_CONDUIT_PARTS];
static int lands_parts;

static int land(void *user, int from, const void *packet, size_t have, size_t length, size_t *at,
                struct iovec *parts) {
    CHECK(user == &client);
    CHECK(from >= 0 && from < threads && from != me && (uintptr_t)packet % 8 == 0 && have <= length);
    CHECK(lands[from] == 0);
    *at = sizeof(struct head) + 16;
    if (received[from] % 2 == 0 || have < *at || threads > 2) /* one buffer, one sender */
        return 0;
    lands_from[from] = *at;
    lands[from] = length - *at;
    memset(landing, 0, sizeof landing);
    size_t left = lands[from], each = left / (1 + (size_t)received[from] % MER_CONDUIT_PARTS) + 1;
    unsigned char *place = landing;
    for (lands_parts = 0; left; lands_parts++, place += each + 8) {
        size_t n = left < each ? left : each;
        parts[lands_parts] = lands_in[lands_parts] = (struct iovec){place, n};
        left -= n;
    }
    return lands_parts;
}

static void check_landed(const unsigned char *bytes) {
    for (int i = 0; i < lands_parts; i++) {
        const unsigned char *place = lands_in[i].iov_base;
        CHECK(memcmp(place, bytes, lands_in[i].iov_len) == 0);
        CHECK(i + 1 == lands_parts || memcmp(place + lands_in[i].iov_len, "\0\0\0\0\0\0\0", 8) == 0);
        bytes += lands_in[i].iov_len;
    }
}

static void deliver(void *user, int from, const void *packet, size_t length) {
    CHECK(user == &client);
    CHECK(from >= 0 && from < threads && from != me);
    CHECK(length >= 1 && length <= endpoint->packet_most);
    CHECK((uintptr_t)packet % 8 == 0);
    uint32_t number = (uint32_t)received[from];
    if (lands[from]) {
        CHECK(length == lands_from[from]);
        check_landed(pattern((uint32_t)from, number) + length - sizeof(struct head));
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
    if (on_packet)
        on_packet(from, packet, length);
}

bool try_send(int to, size_t length, int nparts) {
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
    if (!conduit->send(endpoint, to, parts, n))
        return false;
    head.number = ~0u; /* the bytes may be reused */
    sent[to]++;
    return true;
}

void send_it(int to, size_t length, int nparts) {
    while (!try_send(to, length, nparts))
        if (conduit->poll(endpoint) == 0)
            sched_yield();
}

void receive_until(int from, long count) {
    while (received[from] < count)
        if (conduit->poll(endpoint) == 0)
            sched_yield();
}

void meet(void) {
    int generation = atomic_load(&shared->generation);
    if (atomic_fetch_add(&shared->arrived, 1) == threads - 1) {
        atomic_store(&shared->arrived, 0);
        atomic_fetch_add(&shared->generation, 1); /* pairs with the loads below */
        return;
    }
    while (atomic_load(&shared->generation) == generation) {
        if (!connected)
            nap(1);
        else if (conduit->poll(endpoint) == 0)
            sched_yield();
    }
}

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

static void run_thread(void (*trial)(void), bool may_die, bool last_barrier) {
    void *memory = mmap(NULL, SPAN, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1,
                        0);
    CHECK(memory != MAP_FAILED);
    memory_of_me = memory;
    struct mer_conduit_client own = {.user = &client,
                                     .thread = me,
                                     .threads = threads,
                                     .here_first = me,
                                     .here = 1,
                                     .memory = memory,
                                     .memory_length = SPAN,
                                     .silence = may_die ? silence_of_death : SILENCE,
                                     .encrypt = mer_setting_early(MER_SETTING_ENCRYPT),
                                     .deliver = deliver,
                                     .land = land,
                                     .done = done};
    client = own;
    *(void **)&client.lost = (void *)lost;
    *(void **)&client.fail = (void *)fail;
    CHECK(conduit->send && conduit->poll && conduit->wait_fd && conduit->may_sleep && conduit->close);
    endpoint = conduit->open(&client, &shared->addresses[me]);
    CHECK(endpoint->conduit == conduit && endpoint->client == &client);
    CHECK(shared->addresses[me].length <= MER_CONDUIT_ADDRESS);
    CHECK(endpoint->packet_most >= MER_CONDUIT_PACKET_LEAST && endpoint->packet_most <= (1 << 20) + 4096);
    meet();
    conduit->connect(endpoint, shared->addresses);
    connected = true;
    meet();
    trial();
    if (last_barrier)
        meet();
    conduit->close(endpoint);
}

void conduit_job(const char *name, int n, void (*trial)(void), int code, bool last_barrier) {
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
            run_thread(trial, code == LOST, last_barrier);
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

void conduit_in_one_process(const char *name, void (*trial)(const struct mer_conduit *)) {
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

void conduit_jobs(const char *name, const char *only_trial, int silence) {
    conduit_name = name;
    only = only_trial;
    silence_of_death = silence;
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CHECK(shared != MAP_FAILED);
    conduit = mer_conduit_find(conduit_name); /* before all trials: a network's libraries may load slowly */
    CHECK(conduit->abi == MER_CONDUIT_ABI && strcmp(conduit->name, conduit_name) == 0);
}

bool conduit_any_ran(void) { return ran_any; }
