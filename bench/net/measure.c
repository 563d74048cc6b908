/* The cost of a packet between two hosts: over a bare TCP socket, over libfabric written by hand, and over
 * the conduits `tcp', plain and encrypted, and `ofi'. All run in turn in one pair of processes, so that a
 * disturbance affects all of them.
 *
 * The two processes are hosts in network namespaces of their own, joined by a veth pair; the namespaces end
 * with the processes. If namespaces are not permitted, the loopback interface is used, and the samples say
 * so. All poll without sleeping.
 */
#include "net.h"

#define MEASURE_THREAD net_me
#define MEASURE_BARRIER() net_meet()
#define MEASURE_FIRST net_first
static long net_first(long value);
#include "../measure.h"

#include <errno.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>

struct net_shared *net;
int net_me;

static const struct way *const ways[] = {&way_socket, &way_fabric, &way_tcp, &way_ofi, &way_encrypted};
enum { WAYS = sizeof ways / sizeof *ways };

static const struct test {
    const char *name;
    size_t bytes;
    enum { ROUND_TRIP, STREAM, PUT } kind;
} tests[] = {
    {"round trip, 8 bytes", 8, ROUND_TRIP},
    {"round trip, 4 KB", 4096, ROUND_TRIP},
    {"stream of 8-byte packets", 8, STREAM},
    {"stream of 4 KB packets", 4096, STREAM},
    {"stream of 64 KB packets", 65536, STREAM},
    {"stream of 1 MB packets", 1 << 20, STREAM},
    {"put of 64 KB", 65536, PUT},
    {"put of 1 MB", 1 << 20, PUT},
};
enum { TESTS = sizeof tests / sizeof *tests };

void net_die(const char *what, const char *why) {
    fprintf(stderr, "measure: %s: %s\n", what, why);
    exit(1);
}

void net_meet(void) {
    int generation = atomic_load(&net->generation);
    if (atomic_fetch_add(&net->arrived, 1) == 1) {
        atomic_store(&net->arrived, 0);
        atomic_fetch_add(&net->generation, 1); /* pairs with the load below */
        return;
    }
    while (atomic_load(&net->generation) == generation)
        sched_yield();
}

static long net_first(long value) {
    if (net_me == 0)
        net->first = value;
    net_meet();
    long first = net->first;
    net_meet();
    return first;
}

static char bytes[1 << 20];

/* Sends this many packets, of the test and by the way that the point names. */
static void packets(long turns) {
    const struct test *test = &tests[probe_now->at[2]];
    const struct way *way = ways[probe_now->at[3]];
    switch (test->kind) {
    case ROUND_TRIP:
        while (turns--) {
            if (net_me == 0)
                way->send(bytes, test->bytes);
            way->receive(1);
            if (net_me == 1)
                way->send(bytes, test->bytes);
        }
        break;
    case STREAM:
        if (net_me == 1)
            way->receive((int)turns);
        for (long i = 0; net_me == 0 && i < turns; i++)
            way->send(bytes, test->bytes);
        if (net_me == 0)
            way->receive(1);
        else
            way->send(bytes, 8);
        break;
    case PUT:
        if (net_me == 1) {
            way->receive(1);
        } else {
            way->put(bytes, test->bytes, (int)turns);
            way->send(bytes, 8);
        }
    }
}

/* Adds the tests by every way that offers them. */
static void add_packets(void) {
    for (int t = 0; t < TESTS; t++)
        for (int w = 0; w < WAYS; w++)
            if (tests[t].kind == PUT ? ways[w]->put != NULL : tests[t].bytes <= ways[w]->most)
                probe_add((struct point){.part = "packets",
                                         .series = tests[t].name,
                                         .what = ways[w]->name,
                                         .axis = {"processes", "namespaces"},
                                         .at = {2, !atomic_load(&net->loopback), t, w},
                                         .run = packets});
    probe_longer = 4; /* an answer ends each sample */
}

static int work(int argc, char **argv) {
    static const struct part parts[] = {{"packets", add_packets}};
    for (int w = 0; w < WAYS; w++)
        ways[w]->open();
    int code = PROBE_MAIN(argc, argv, parts);
    for (int w = 0; w < WAYS; w++)
        ways[w]->close();
    net_meet();
    return code;
}

static void command(const char *format, int a, int b) {
    char text[256];
    snprintf(text, sizeof text, format, a, b);
    if (system(text) != 0)
        net_die("this command has failed", text);
}

/* Makes this process a host of its own, if that is permitted. */
static void enter_namespace(void) {
    atomic_store(&net->pids[net_me], (int)getpid());
    bool own = unshare(CLONE_NEWNET) == 0;
    if (!own)
        atomic_store(&net->loopback, 1);
    net_meet();
    if (atomic_load(&net->loopback)) {
        if (own)
            net_die("namespaces", "one process may have one and the other may not");
        snprintf(net->host[net_me], sizeof net->host[0], "127.0.0.1");
    } else {
        if (net_me == 0)
            command("ip link add mer0 type veth peer name mer0 netns %d", atomic_load(&net->pids[1]), 0);
        net_meet();
        command("ip link set lo up && ip address add 10.77.0.%d/24 dev mer0 && ip link set mer0 up",
                net_me + 1, 0);
        snprintf(net->host[net_me], sizeof net->host[0], "10.77.0.%d", net_me + 1);
        for (double start = measure_clock(); system("ip -o link show mer0 | grep -q 'state UP'") != 0;)
            if (measure_clock() - start > 10e9)
                net_die("veth", "the link does not come up");
    }
    setenv("MERIDIAN_INTERFACE", net->host[net_me], 1);
    net_meet();
}

int main(int argc, char **argv) {
    net = mmap(NULL, sizeof *net, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (net == MAP_FAILED)
        net_die("mmap", strerror(errno));
    pid_t pids[2];
    for (net_me = 0; net_me < 2; net_me++)
        if ((pids[net_me] = fork()) == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            alarm(300);
            enter_namespace();
            exit(work(argc, argv));
        }
    int code = 0;
    for (int ended = 0; ended < 2; ended++) {
        int status;
        pid_t pid = wait(&status);
        if (status && !code) {
            fprintf(stderr, "measure: process %d has ended with status %#x\n", pid == pids[1],
                    (unsigned)status);
            code = 1;
            kill(pids[pid == pids[0] ? 1 : 0], SIGKILL);
        }
    }
    return code;
}
