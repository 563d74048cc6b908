/* The cost of a packet between two hosts: over a bare TCP socket, over libfabric written by hand, and over
 * the conduits `tcp', plain and encrypted, and `ofi'. All run in turn in one pair of processes, so that a
 * disturbance affects all of them.
 *
 *   measure [ROUNDS]
 *
 * The two processes are hosts in network namespaces of their own, joined by a veth pair; the namespaces end
 * with the processes. If namespaces are not permitted, the loopback interface is used, and the table says so.
 * All poll without sleeping. The figures are medians of the rounds.
 */
#include "net.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS_MOST 1001

struct net_shared *net;
int net_me;

static const struct way *const ways[] = {&way_socket, &way_fabric, &way_tcp, &way_ofi, &way_encrypted};
enum { WAYS = sizeof ways / sizeof *ways };

static const struct test {
    const char *name, *unit;
    size_t bytes;
    int count; /* of packets in a round */
    enum { ROUND_TRIP, STREAM, PUT } kind;
} tests[] = {
    {"round trip, 8 bytes", "us", 8, 100, ROUND_TRIP},
    {"round trip, 4 KB", "us", 4096, 50, ROUND_TRIP},
    {"stream of 8-byte packets", "million/s", 8, 1000, STREAM},
    {"stream of 4 KB packets", "MB/s", 4096, 400, STREAM},
    {"stream of 64 KB packets", "MB/s", 65536, 60, STREAM},
    {"stream of 1 MB packets", "MB/s", 1 << 20, 12, STREAM},
    {"put of 64 KB", "MB/s", 65536, 60, PUT},
    {"put of 1 MB", "MB/s", 1 << 20, 6, PUT},
};
enum { TESTS = sizeof tests / sizeof *tests };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

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

static char bytes[1 << 20];

/* Does one round. Returns seconds, on process 0. */
static double run(const struct way *way, const struct test *test) {
    net_meet();
    double start = now();
    switch (test->kind) {
    case ROUND_TRIP:
        for (int i = 0; i < test->count; i++) {
            if (net_me == 0)
                way->send(bytes, test->bytes);
            way->receive(1);
            if (net_me == 1)
                way->send(bytes, test->bytes);
        }
        break;
    case STREAM:
        if (net_me == 0) {
            for (int i = 0; i < test->count; i++)
                way->send(bytes, test->bytes);
            way->receive(1);
        } else {
            way->receive(test->count);
            way->send(bytes, 8);
        }
        break;
    case PUT:
        if (net_me == 0) {
            way->put(bytes, test->bytes, test->count);
            way->send(bytes, 8);
        } else {
            way->receive(1);
        }
    }
    double seconds = now() - start;
    net_meet();
    return seconds;
}

static double figure(const struct test *test, double seconds) {
    double each = seconds / test->count;
    return test->kind == ROUND_TRIP ? each * 1e6
           : test->bytes == 8       ? 1e-6 / each
                                    : (double)test->bytes / each * 1e-6;
}

/* Compares figures in descending order, so that the best comes first. */
static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

static void print_ratio(double a, double b) {
    if (a > 0 && b > 0)
        printf("%15.2f", a / b);
    else
        printf("%15s", "");
}

static void work(int rounds) {
    static double figures[TESTS][WAYS][ROUNDS_MOST];
    for (int w = 0; w < WAYS; w++)
        ways[w]->open();
    for (int r = -1; r < rounds; r++) /* the first is to warm up */
        for (int t = 0; t < TESTS; t++)
            for (int w = 0; w < WAYS; w++) {
                if (tests[t].kind == PUT ? !ways[w]->put : tests[t].bytes > ways[w]->most)
                    continue;
                double seconds = run(ways[w], &tests[t]);
                if (r >= 0)
                    figures[t][w][r] = figure(&tests[t], seconds);
            }
    if (net_me == 0) {
        printf("%-26s", "");
        for (int w = 0; w < WAYS; w++)
            printf("%14s", ways[w]->name);
        printf("     tcp/socket  ofi/libfabric  encrypted/tcp\n");
        for (int t = 0; t < TESTS; t++) {
            double typical[WAYS] = {0};
            printf("%-26s", tests[t].name);
            for (int w = 0; w < WAYS; w++) {
                qsort(figures[t][w], (size_t)rounds, sizeof(double), by_size);
                typical[w] =
                    figures[t][w][tests[t].kind == ROUND_TRIP ? rounds - 1 - rounds / 20 : rounds / 20];
                if (typical[w] > 0)
                    printf("%14.2f", typical[w]);
                else
                    printf("%14s", "");
            }
            print_ratio(typical[2], typical[0]);
            print_ratio(typical[3], typical[1]);
            print_ratio(typical[4], typical[2]);
            printf("  %s\n", tests[t].unit);
        }
        fflush(stdout);
    }
    for (int w = 0; w < WAYS; w++)
        ways[w]->close();
    net_meet();
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
        for (double start = now(); system("ip -o link show mer0 | grep -q 'state UP'") != 0;)
            if (now() - start > 10)
                net_die("veth", "the link does not come up");
    }
    setenv("MERIDIAN_INTERFACE", net->host[net_me], 1);
    net_meet();
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 40;
    if (rounds < 1 || rounds > ROUNDS_MOST)
        net_die("rounds", "1 to 1001");
    net = mmap(NULL, sizeof *net, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (net == MAP_FAILED)
        net_die("mmap", strerror(errno));
    pid_t pids[2];
    for (net_me = 0; net_me < 2; net_me++)
        if ((pids[net_me] = fork()) == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            alarm(600);
            enter_namespace();
            if (net_me == 0)
                puts(atomic_load(&net->loopback) ? "loopback interface (namespaces are not permitted here)"
                                                 : "two network namespaces, veth");
            work(rounds);
            exit(0);
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
