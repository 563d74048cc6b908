/* Start-up and end: static shared objects and their first values, the job's description, settings, exit
 * codes, deaths, and the messages of a program that cannot start. */
#include "job.h"

#include "base/fatal.h"
#include "host/resources.h"
#include "host/job.h"
#include "dialect/upc/upc.h"
#include "sync/barrier.h"

#include <meridian/meridian.h>
#include <signal.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#define ME mer_job.mythread
#define THREADS mer_job.threads

/* ---- the records of a compiled file of these declarations (abi.h) -------------------------------------- 
 *
 *   int before = 11, after;                                private, beside the section
 *   shared [3] int table[20] = {100, 101, ...};            initialised
 *   shared int cyclic[4 * THREADS];                        zero
 *   shared [3] int *p = &table[7];  shared int *q = &cyclic[5];
 *   shared [] double big[1 << 26 doubles];                 too large for the image
 */
#define TABLE 20
static const char unit_file[] = "test_start.upc";
static const struct mer_unit unit MER_RECORD("mer_unit") = {MER_CONTRACT, 0, unit_file};

int before = 11;
MER_SHARED_BEGIN
static int table[TABLE] MER_SHARED_DATA; /* a thread's part at most */
static int cyclic[4] MER_SHARED_DATA;
MER_SHARED_END
int after;

static const int table_image[TABLE] = {100, 101, 102, 103, 104, 105, 106, 107, 108, 109,
                                       110, 111, 112, 113, 114, 115, 116, 117, 118, 119};
static const struct mer_init_data init_table MER_RECORD("mer_init_data") = {
    .base = table, .image = table_image, .n = TABLE, .size = sizeof(int), .block = 3};

static mer_pptr p;
static mer_ptr q;
static const struct mer_init_ptr init_p MER_RECORD("mer_init_ptr") = {&p, table, 7, sizeof(int), 3, 0, 1, 0};
static const struct mer_init_ptr init_q MER_RECORD("mer_init_ptr") = {&q, cyclic, 5, sizeof(int), 1, 0, 0, 0};

static struct mer_big big1 MER_RECORD("mer_big") = {0, 8ULL << 26};
static struct mer_big big2 MER_RECORD("mer_big") = {0, 100};

static mer_u64 native(const void *object) { return (mer_u64)(uintptr_t)object; }

static int statics(void) {
    CHECK(before == 11 && after == 0);
    for (int i = 0; i < TABLE; i++) {
        mer_pptr e = mer_elem_b(native(table), i, sizeof(int), 3);
        CHECK(MER_GET(int, e.bits) == 100 + i);
    }
    for (int i = 0; i < 4 * THREADS; i++)
        CHECK(MER_GET(int, mer_elem_c(native(cyclic), i, sizeof(int)).bits) == 0);
    mer_pptr e = mer_elem_b(native(table), 7, sizeof(int), 3);
    CHECK(p.bits == e.bits && p.phase == e.phase && p.phase == 1);
    CHECK(q.bits == mer_elem_c(native(cyclic), 5, sizeof(int)).bits);
    CHECK(big1.native >= MER_HEAP_OFFSET && big2.native >= MER_HEAP_OFFSET);
    CHECK(big2.native >= big1.native + big1.size || big1.native >= big2.native + big2.size);
    mer_barrier(0, 0, "x");
    /* The object under its own name is this thread's part, which a debugger prints. */
    ((volatile int *)cyclic)[2] = 1000 + ME;
    after = ME;
    mer_barrier(0, 0, "x");
    for (int t = 0; t < THREADS; t++)
        CHECK(((int *)mer_view(t, native(cyclic)))[2] == 1000 + t);
    CHECK(after == ME); /* private objects on the same pages are private */
    int *other = mer_view((ME + 1) % THREADS, big1.native + big1.size - 64);
    *other = ME;
    mer_barrier(0, 0, "x");
    CHECK(*(int *)mer_view(ME, big1.native + big1.size - 64) == (ME + THREADS - 1) % THREADS);
    mer_pptr heap = upc_alloc(100);
    CHECK(mer_native(heap.bits) > big1.native + big1.size && mer_native(heap.bits) > big2.native + big2.size);
    return 0;
}

/* mer_divt against division, over the range where it has to be exact. */
static int divisions(void) {
    unsigned seed = 5u;
    for (int i = 0; i < 200000; i++) {
        mer_u64 n = ((mer_u64)job_random(&seed) << 32 | job_random(&seed)) >> (1 + job_random(&seed) % 62);
        CHECK(mer_divt(n) == n / (mer_u64)THREADS);
        mer_u64 k = n / (mer_u64)THREADS * (mer_u64)THREADS;
        CHECK(mer_divt(k) == k / (mer_u64)THREADS);
        CHECK(k == 0 || mer_divt(k - 1) == (k - 1) / (mer_u64)THREADS);
    }
    CHECK(mer_divt(INT64_MAX) == (mer_u64)INT64_MAX / (mer_u64)THREADS);
    return 0;
}

/* The parts of an object on all threads add up to the object. */
static int affinity_sizes(void) {
    for (size_t block = 0; block < 6; block++)
        for (size_t total = 0; total < 80; total++) {
            size_t sum = 0, walked[64] = {0};
            for (size_t i = 0; i < total; i++)
                walked[block ? i / block % (size_t)THREADS : 0]++;
            for (int t = 0; t < THREADS; t++) {
                CHECK(upc_affinitysize(total, block, (size_t)t) == walked[t]);
                sum += walked[t];
            }
            CHECK(sum == total);
        }
    return 0;
}

static int strings(void) {
    static char from[5000], to[5000];
    for (int i = 0; i < 5000; i++)
        from[i] = (char)(i * 7 + ME);
    mer_pptr memory = upc_all_alloc((size_t)THREADS, 5000);
    mer_u64 a = mer_native(memory.bits);
    int next = (ME + 1) % THREADS;
    upc_memput(mer_mkp(mer_bits((mer_u64)next, a), 0), from, 5000);
    mer_barrier(0, 0, "x");
    upc_memget(to, mer_mkp(mer_bits((mer_u64)next, a), 0), 5000);
    CHECK(memcmp(from, to, 5000) == 0);
    mer_pptr own = upc_alloc(5000);
    upc_memcpy(own, mer_mkp(mer_bits((mer_u64)next, a), 0), 5000);
    CHECK(memcmp(mer_at(own.bits), from, 5000) == 0);
    upc_memset(own, 300, 100);
    CHECK(((unsigned char *)mer_at(own.bits))[99] == 300 % 256 &&
          ((char *)mer_at(own.bits))[100] == from[100]);
    upc_memget(to, mer_mkp(0, 0), 0);
    return 0;
}

static int plain_c(void) {
    CHECK(mer_threads() == THREADS && mer_mythread() == ME);
    char *memory = mer_shared_alloc(100);
    CHECK(memory && mer_shared_thread(memory) == ME && mer_shared_thread(&memory) == -1);
    mer_barrier_all();
    mer_shared_free(memory);
    return 0;
}

/* A child that user code forks is no thread: its end does not end the job. */
static int forks(void) {
    pid_t pid = fork();
    if (pid == 0)
        exit(0);
    int status;
    CHECK(waitpid(pid, &status, 0) == pid && status == 0);
    CHECK(getenv("MERIDIAN_THREAD") == NULL && getenv("MERIDIAN_CONTROL_FD") == NULL);
    mer_barrier(0, 0, "x");
    return 0;
}

static int finished;
static void at_exit(void) { finished = 1; }

/* A forked child has its own private objects, wherever they lie. */
static int fork_private(void) {
    pid_t pid = fork();
    if (pid == 0) {
        before = after = 5;
        _exit(0);
    }
    int status;
    CHECK(waitpid(pid, &status, 0) == pid && status == 0 && before == 11 && after == 0);
    CHECK(native(table) % 64 == 0 && native(cyclic) % 64 == 0);
    return 0;
}

static int full_disk(void) {
    CHECK(freopen("/dev/full", "w", stdout) != NULL);
    printf("lost");
    return 0;
}

/* The user's atexit functions run while the thread still is one of the job. */
static void barrier_at_exit(void) { mer_barrier(0, 0, "atexit.upc:1"); }

static int exits(void) {
    atexit(at_exit);
    atexit(barrier_at_exit);
    exit(0);
}

static int exit_code(void) {
    if (ME == THREADS - 1)
        return 3;
    mer_barrier(0, 0, "x");
    return 0;
}

static int global_exit(void) {
    printf("partial %d", ME); /* no newline: exit has to flush it */
    mer_barrier(0, 0, "x");
    if (ME == THREADS - 1)
        upc_global_exit(42);
    for (;;)
        pause();
}

/* Another thread has begun upc_global_exit, but has not stored its code yet. */
static int told_to_end_before_code(void) {
    mer_barrier(0, 0, "x");
    if (ME == 0) {
        mer_here.control->global_exit_flag = MER_GLOBAL_EXIT_BEGUN;
        raise(SIGTERM);
    }
    pause(); /* until it is ended */
    return 0;
}

static int segfault(void) {
    mer_barrier(0, 0, "x");
    if (ME == THREADS - 1)
        *(volatile int *)mer_at(0) = 1;
    mer_barrier(0, 0, "x");
    return 0;
}

static int stray_shared(void) {
    if (ME == 0)
        *(volatile int *)mer_at(mer_bits((mer_u64)THREADS, 64)) = 1;
    mer_barrier(0, 0, "x");
    return 0;
}

static int overflow(int n) {
    volatile char buffer[4096];
    if (n == INT32_MAX)
        return 0;
    buffer[n % 4096] = (char)n;
    return overflow(n + 1) + buffer[n % 4096];
}
static int stack_overflow(void) { return overflow(0); }

static int aborts(void) {
    abort();
    return 0;
}

/* SIGTERM comes between the claim of the message and the message. */
static const struct mer_fatal_callbacks *runtimes;
static int name_after_signal(char *text, size_t size) {
    raise(SIGTERM);
    return runtimes->name(text, size);
}

static int told_to_end_while_it_prints(void) {
    if (ME)
        for (;;)
            pause();
    struct mer_fatal_callbacks own = *mer_fatal_callbacks;
    runtimes = mer_fatal_callbacks;
    own.name = name_after_signal;
    mer_fatal_callbacks = &own;
    mer_fatal("the whole message");
}

static int nothing(void) { return 0; }

static const struct job_body bodies[] = {
    {"statics", statics},
    {"divisions", divisions},
    {"affinity_sizes", affinity_sizes},
    {"strings", strings},
    {"plain_c", plain_c},
    {"forks", forks},
    {"fork_private", fork_private},
    {"full_disk", full_disk},
    {"exits", exits},
    {"exit_code", exit_code},
    {"global_exit", global_exit},
    {"told_to_end_before_code", told_to_end_before_code},
    {"segfault", segfault},
    {"stray_shared", stray_shared},
    {"stack_overflow", stack_overflow},
    {"aborts", aborts},
    {"told_to_end_while_it_prints", told_to_end_while_it_prints},
    {"nothing", nothing},
    {0},
};

static void deaths(int threads) {
    job_expect_message("segfault", threads,
                       "segmentation fault (SIGSEGV) writing address 0x0; the address is a null");
    const struct job_result *r = job_run("segfault", threads, NULL);
    CHECK(r->signal == SIGSEGV && r->thread == threads - 1);
    job_expect_message("stack_overflow", threads, "SIGSEGV");
    r = job_run("aborts", threads, NULL);
    CHECK(r->signal == SIGABRT && strstr(r->text, "aborted (SIGABRT)"));
    if (threads == 3)
        job_expect_message("stray_shared", threads, "after the shared memory of the last thread");
}

/* Settings of each kind: a value takes effect, under a former name too, and an impossible one is refused. */
static void settings(void) {
    const struct job_result *r;
    static const char *const good[] = {"MERIDIAN_SETTINGS=1", "MERIDIAN_ELSEWHERE=1",
                                       "MERIDIAN_STACK=3G",   "MERIDIAN_CONDUIT=template",
                                       "MERIDIAN_INTERFACE=", NULL};
    r = job_run("nothing", 2, good);
    CHECK(r->code == 0 && strstr(r->text, "MERIDIAN_REMOTE                   1"));
    CHECK(strstr(r->text, "MERIDIAN_STACK               3.0 GB") && strstr(r->text, "(default 64.0 MB)"));
    CHECK(strstr(r->text, "MERIDIAN_CONDUIT           template"));
    CHECK(strstr(r->text, "MERIDIAN_INTERFACE                -"));
    static const char *const newer[] = {"MERIDIAN_SETTINGS=1", "MERIDIAN_ELSEWHERE=1", "MERIDIAN_REMOTE=0",
                                        NULL};
    r = job_run("nothing", 2, newer);
    CHECK(r->code == 0 && strstr(r->text, "MERIDIAN_REMOTE                   0"));
    static const char *const large[] = {"MERIDIAN_STACK=65G", NULL};
    r = job_run("nothing", 2, large);
    CHECK(r->code == 1 && strstr(r->text, "MERIDIAN_STACK is `65G', but has to be from 2M to 65536M"));
    static const char *const unit[] = {"MERIDIAN_STACK=64X", NULL};
    r = job_run("nothing", 2, unit);
    CHECK(r->code == 1 && strstr(r->text, "MERIDIAN_STACK is `64X'"));
}

static void bad_starts(void) {
    const struct job_result *r;
    static const char *const no_number[] = {"MERIDIAN_SPIN=many", NULL};
    r = job_run("nothing", 2, no_number);
    CHECK(r->code == 1 && strstr(r->text, "MERIDIAN_SPIN is `many', but has to be a whole number"));
    static const char *const many[] = {"MERIDIAN_THREADS=100000", NULL};
    r = job_run_bare("nothing", many);
    CHECK(r->code == 1 &&
          strstr(r->text, "MERIDIAN_THREADS is `100000', but has to be a whole number from 1 to 8192"));
    static const char *const nowhere[] = {"MERIDIAN_THREADS=2", "PATH=/nowhere", NULL};
    r = job_run_bare("nothing", nowhere);
    CHECK(r->code == 1 && strstr(r->text, "the launcher `meridian' is not in PATH"));
    job_expect_message("full_disk", 2, "cannot write the program's output: No space left on device");
    r = job_run_bare("statics", NULL);
    CHECK(r->thread == -1 && !*r->text);
}

static void checks(void) {
    CHECK(unit.file && init_table.n && init_p.where && init_q.where);
    static const int counts[] = {1, 2, 3, 4, 8};
    for (unsigned i = 0; i < sizeof counts / sizeof *counts; i++) {
        int threads = counts[i];
        static const char *const good[] = {"statics", "divisions",    "affinity_sizes", "strings", "plain_c",
                                           "forks",   "fork_private", "exits",          "nothing"};
        for (unsigned j = 0; j < sizeof good / sizeof *good; j++)
            job_expect_good(good[j], threads);
        const struct job_result *r = job_run("exit_code", threads, NULL);
        CHECK(r->code == 3 && r->thread == threads - 1 && !*r->text);
        r = job_run("global_exit", threads, NULL);
        CHECK(r->code == 42 && !*r->text);
        for (int t = 0; t < threads; t++) {
            char expected[32];
            snprintf(expected, sizeof expected, "partial %d", t);
            CHECK(strstr(r->out, expected));
        }
        r = job_run("told_to_end_before_code", threads, NULL);
        CHECK(r->signal == SIGTERM && r->code == 0);
        job_expect_message("told_to_end_while_it_prints", threads, "the whole message\n");
        if (!JOB_SANITIZED)
            deaths(threads);
    }
    job_expect_good("divisions", 7);
    job_expect_good("divisions", 13);
    settings();
    bad_starts();
}

int main(int argc, char **argv) { return job_main(argc, argv, bodies, checks); }
