/* The harness of job.h: a launcher of a few lines. */
#include "job.h"

#include "base/clock.h"
#include "host/control.h"

#include <meridian/abi/abi.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* A job is ended when its threads have used less than 1/IDLE_PART of a processor for LIMIT_SECONDS: they wait
 * for each other. On a busy machine they may take many times as long, but not for ever. */
#define LIMIT_SECONDS 120
#define IDLE_PART 200
#define MOST_LIMITS 8

const char *job_program = "/proc/self/exe";
unsigned long job_address_limit;

int job_hosts = 1;

static struct job_result result;

static int memory_file(const char *name, unsigned long long size) {
    int fd = memfd_create(name, 0);
    CHECK(fd >= 0);
    CHECK(ftruncate(fd, (off_t)size) == 0);
    return fd;
}

static void set_number(const char *name, long value) {
    char text[32];
    snprintf(text, sizeof text, "%ld", value);
    setenv(name, text, 1);
}

/* Counters start at zero, or near their wrap, from run to run. */
static void set_wrap(void) {
    static const int steps[] = {0, 3, 40, 700};
    static unsigned runs;
    set_number("MERIDIAN_WRAP", steps[runs++ % (sizeof steps / sizeof *steps)]);
}

static void set_all(const char *const *settings) {
    for (; settings && *settings; settings++)
        putenv((char *)*settings);
}

static void read_back(int fd, char *text, size_t size) {
    ssize_t n = pread(fd, text, size - 1, 0);
    text[n < 0 ? 0 : n] = 0;
    close(fd);
}

/* An output file that all threads append to. */
static int output_file(const char *name) {
    int fd = memory_file(name, 0);
    CHECK(fcntl(fd, F_SETFL, O_APPEND) == 0);
    return fd;
}

/* ---- several hosts: the threads' exchange of bytes, as the launcher serves it -------------------------- */

#define MOST_EXCHANGED 65536

static struct {
    int fd, theirs;
    size_t have;
    unsigned char bytes[4 + MOST_EXCHANGED];
} * exchange;

static void exchange_open(int threads) {
    exchange = calloc((size_t)threads, sizeof *exchange);
    CHECK(exchange);
    for (int t = 0; t < threads; t++) {
        int pair[2];
        CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
        CHECK(fcntl(pair[0], F_SETFD, FD_CLOEXEC) == 0);
        exchange[t].fd = pair[0];
        exchange[t].theirs = pair[1];
    }
}

static void exchange_close(int threads) {
    for (int t = 0; t < threads; t++)
        close(exchange[t].fd);
    free(exchange);
    exchange = NULL;
}

/* Takes the bytes that have come; once all threads have given theirs, sends them to all. Dead threads are
 * ignored. */
static void exchange_serve(int threads) {
    bool whole = true;
    uint32_t length = 0;
    for (int t = 0; t < threads; t++) {
        ssize_t n = recv(exchange[t].fd, exchange[t].bytes + exchange[t].have,
                         sizeof exchange[t].bytes - exchange[t].have, MSG_DONTWAIT);
        if (n > 0)
            exchange[t].have += (size_t)n;
        memcpy(&length, exchange[t].bytes, sizeof length);
        whole = whole && exchange[t].have >= 4 && exchange[t].have >= 4 + (size_t)length;
    }
    for (int to = 0; whole && to < threads; to++)
        for (int t = 0; t < threads; t++)
            if (send(exchange[to].fd, exchange[t].bytes + 4, length, MSG_NOSIGNAL) < 0)
                break;
    for (int t = 0; whole && t < threads; t++)
        exchange[t].have = 0;
}

/* The first thread of host h, of job_hosts. */
static int first_of(int h, int threads) { return (h * threads + job_hosts - 1) / job_hosts; }

static void set_place(int h, int t, int threads) {
    set_number("MERIDIAN_HOSTS", job_hosts);
    set_number("MERIDIAN_HOST", h);
    set_number("MERIDIAN_FIRST", first_of(h, threads));
    set_number("MERIDIAN_HERE", first_of(h + 1, threads) - first_of(h, threads));
    set_number("MERIDIAN_EXCHANGE_FD", exchange[t].theirs);
}

static pid_t start(const char *body, int out, int err, const char *const *settings) {
    pid_t pid = fork();
    CHECK(pid >= 0);
    if (pid)
        return pid;
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    set_all(settings);
    struct rlimit limit = {job_address_limit, job_address_limit};
    if (job_address_limit && setrlimit(RLIMIT_AS, &limit) != 0)
        _exit(96);
    execl(job_program, "test", "--body", body, (char *)NULL);
    _exit(98);
}

static void kill_all(const pid_t *pids, int count, int signal) {
    for (int i = 0; i < count; i++)
        if (pids[i] > 0)
            kill(pids[i], signal);
}

/* Seconds that processes have computed. */
static double computed(const pid_t *pids, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++) {
        clockid_t clock;
        struct timespec t;
        if (pids[i] > 0 && clock_getcpuclockid(pids[i], &clock) == 0 && clock_gettime(clock, &t) == 0)
            sum += (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
    }
    return sum;
}

/* Collects all processes; at the first bad end, ends the others. */
static void mind(pid_t *pids, int count, const struct mer_control *control) {
    double limit = mer_clock_seconds() + LIMIT_SECONDS, before = 0;
    int limits = 1;
    for (int left = count; left > 0;) {
        int status;
        pid_t pid = waitpid(-1, &status, WNOHANG);
        if (pid == 0) {
            if (exchange)
                exchange_serve(count);
            if (mer_clock_seconds() > limit && !result.timed_out) {
                double now = computed(pids, count);
                result.timed_out = now - before < (double)LIMIT_SECONDS / IDLE_PART ||
                                   limits++ == MOST_LIMITS;
                before = now;
                limit += LIMIT_SECONDS;
                if (result.timed_out)
                    kill_all(pids, count, SIGKILL);
            }
            poll(NULL, 0, 1);
            continue;
        }
        CHECK(pid > 0);
        int t = 0;
        while (t < count && pids[t] != pid)
            t++;
        CHECK(t < count);
        pids[t] = 0;
        left--;
        bool global = control && control->global_exit_flag == 1;
        if ((status || global) && result.thread < 0) {
            result.thread = t;
            result.code = global ? control->global_exit_code : WIFEXITED(status) ? WEXITSTATUS(status) : 0;
            result.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
            kill_all(pids, count, global ? SIGTERM : SIGKILL);
        }
    }
}

const struct job_result *job_run(const char *body, int threads, const char *const *settings) {
    result = (struct job_result){.thread = -1};
    int hosts = threads < job_hosts ? 1 : job_hosts;
    int out = output_file("out"), err = output_file("err"), memory[8], control[8] = {0};
    struct mer_control *c = NULL;
    pid_t *pids = calloc((size_t)threads, sizeof *pids);
    char contract[16];
    snprintf(contract, sizeof contract, "%08x", MER_CONTRACT);
    setenv("MERIDIAN_CONTRACT", contract, 1);
    set_number("MERIDIAN_THREADS", threads);
    set_number("MERIDIAN_LAUNCHER", getpid());
    set_wrap();
    if (hosts > 1)
        exchange_open(threads);
    else
        unsetenv("MERIDIAN_HOSTS");
    for (int h = 0, t = 0; h < hosts; h++) {
        memory[h] = memory_file("memory", MER_VIEW_SIZE);
        control[h] = memory_file("control", MER_CONTROL_SIZE);
        set_number("MERIDIAN_MEMORY_FD", memory[h]);
        set_number("MERIDIAN_CONTROL_FD", control[h]);
        for (int end = hosts > 1 ? first_of(h + 1, threads) : threads; t < end; t++) {
            set_number("MERIDIAN_THREAD", t);
            if (hosts > 1)
                set_place(h, t, threads);
            pids[t] = start(body, out, err, settings);
            if (hosts > 1)
                close(exchange[t].theirs);
        }
    }
    c = mmap(NULL, MER_CONTROL_SIZE, PROT_READ, MAP_SHARED, control[0], 0);
    CHECK(c != MAP_FAILED);
    mind(pids, threads, c);
    free(pids);
    munmap(c, MER_CONTROL_SIZE);
    for (int h = 0; h < hosts; h++) {
        close(memory[h]);
        close(control[h]);
    }
    if (hosts > 1)
        exchange_close(threads);
    read_back(out, result.out, sizeof result.out);
    read_back(err, result.text, sizeof result.text);
    return &result;
}

const struct job_result *job_run_bare(const char *body, const char *const *settings) {
    result = (struct job_result){.thread = -1};
    static const char *const own[] = {"MERIDIAN_THREAD",     "MERIDIAN_THREADS",  "MERIDIAN_MEMORY_FD",
                                      "MERIDIAN_CONTROL_FD", "MERIDIAN_LAUNCHER", "MERIDIAN_HOSTS"};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        unsetenv(own[i]);
    int out = output_file("out"), err = output_file("err");
    pid_t pid = start(body, out, err, settings);
    mind(&pid, 1, NULL);
    read_back(out, result.out, sizeof result.out);
    read_back(err, result.text, sizeof result.text);
    return &result;
}

static void fail(const char *body, int threads, const char *why) {
    fprintf(stderr, "%s with %d threads: %s\n  thread %d, exit code %d, signal %d%s; it wrote:\n%s\n", body,
            threads, why, result.thread, result.code, result.signal, result.timed_out ? ", out of time" : "",
            result.text);
    exit(1);
}

void job_expect_good_with(const char *body, int threads, const char *const *settings) {
    job_run(body, threads, settings);
    if (result.thread < 0 && !result.timed_out)
        return;
    for (; settings && *settings; settings++)
        fprintf(stderr, "%s ", *settings);
    fail(body, threads, "should have ended well");
}

void job_expect_good(const char *body, int threads) { job_expect_good_with(body, threads, NULL); }

void job_expect_message(const char *body, int threads, const char *message) {
    int hosts = job_hosts;
    job_hosts = 1; /* "once" is once a host */
    job_run(body, threads, NULL);
    job_hosts = hosts;
    const char *at = strstr(result.text, message), *head = strstr(result.text, "meridian: ");
    if (result.timed_out || result.thread < 0)
        fail(body, threads, "should have failed");
    if (!at) {
        fprintf(stderr, "expected: %s\n", message);
        fail(body, threads, "should have said something else");
    }
    if (strstr(head + 1, "meridian: "))
        fail(body, threads, "should have said it once");
}

int job_main(int argc, char **argv, const struct job_body *bodies, void (*checks)(void)) {
    if (argc == 3 && strcmp(argv[1], "--body") == 0) {
        for (const struct job_body *b = bodies; b->name; b++)
            if (strcmp(b->name, argv[2]) == 0)
                return b->run();
        return 97;
    }
    const char *hosts = getenv("JOB_HOSTS");
    if (hosts)
        job_hosts = atoi(hosts);
    CHECK(job_hosts >= 1 && job_hosts <= 8);
    checks();
    return 0;
}

unsigned job_random(unsigned *state) {
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

void job_delay(unsigned *state, unsigned most) {
    unsigned r = job_random(state);
    if (r % 64 == 0) {
        struct timespec t = {0, (long)(r % 200) * 1000};
        nanosleep(&t, NULL);
        return;
    }
    for (volatile unsigned i = r % (most + 1); i > 0; i--)
        ;
}
