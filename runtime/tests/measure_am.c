/* Round trips of active messages against the lower bounds of memory and kernel, in nanoseconds; not a test.
 * `measure_am [threads]', default 2; threads are paired. Each figure is the best of many short rounds, taken
 * in turn, so that other work on the machine falls out. */
#include "job.h"

#include "host/job.h"
#include "sync/barrier.h"
#include "base/wait.h"

#include <meridian/am.h>
#include <time.h>

#define ME mer_job.mythread
#define ROUNDS (mer_here.oversubscribed ? 9 : 60)

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int ping_handler, pong_handler;
static mer_u64 pongs;
static int other;

static mer_u64 pings;
static void on_ping(struct mer_am_message *m) {
    pings++;
    mer_am_reply(m, pong_handler, m->args, 1);
}
static void on_pong(struct mer_am_message *m) {
    (void)m;
    pongs++;
}

/* Each way's word, in the control block's words for collectives, which this program does not use. */
static uint32_t *word_of(int t) { return (uint32_t *)((char *)mer_coll_words(t) + 512); }

/* Two lines, one written by each; spinning. */
static void line(long turns) {
    static uint32_t number;
    for (long i = 0; i < turns; i++) {
        number++;
        if (ME % 2 == 0)
            __atomic_store_n(word_of(ME), number, __ATOMIC_RELEASE);
        while (__atomic_load_n(word_of(other), __ATOMIC_ACQUIRE) != number)
            ;
        if (ME % 2)
            __atomic_store_n(word_of(ME), number, __ATOMIC_RELEASE);
    }
}

/* Two lines, one written by each; sleeping each time. */
static void futex(long turns) {
    uint32_t *mine = word_of(ME) + 16, *theirs = word_of(other) + 16;
    for (long i = 0; i < turns; i++) {
        if (ME % 2 == 0) {
            __atomic_fetch_add(theirs, 1, __ATOMIC_SEQ_CST);
            mer_futex_wake(theirs, 1);
        }
        while (__atomic_load_n(mine, __ATOMIC_ACQUIRE) == 0)
            mer_futex_wait(mine, 0, 0);
        __atomic_fetch_sub(mine, 1, __ATOMIC_SEQ_CST);
        if (ME % 2) {
            __atomic_fetch_add(theirs, 1, __ATOMIC_SEQ_CST);
            mer_futex_wake(theirs, 1);
        }
    }
}

static void message(long turns) {
    mer_u64 word = 1;
    for (long i = 0; ME % 2 == 0 && i < turns; i++) {
        mer_u64 before = pongs;
        mer_am_request(other, ping_handler, &word, 1);
        MER_AM_WAIT_UNTIL(pongs != before);
    }
    if (ME % 2) {
        static mer_u64 expected;
        expected += (mer_u64)turns;
        MER_AM_WAIT_UNTIL(pings == expected);
    }
}

/* Requests without waiting for each: the cost of a message for its sender and receiver. */
static void stream(long turns) {
    mer_u64 word = 1, before = pongs;
    for (long i = 0; ME % 2 == 0 && i < turns; i++)
        mer_am_request(other, pong_handler, &word, 1);
    if (ME % 2)
        MER_AM_WAIT_UNTIL(pongs == before + (mer_u64)turns);
}

struct way {
    const char *name;
    void (*run)(long turns);
    double best;
};

static int figures(void) {
    struct way ways[] = {{"cache lines, round trip", line, 1e30},
                         {"futex, round trip", futex, 1e30},
                         {"active message, round trip", message, 1e30},
                         {"active message, one way, streaming", stream, 1e30}};
    long turns = mer_here.oversubscribed ? 2000 : 500;
    other = ME ^ 1;
    for (int round = 0; round < ROUNDS; round++)
        for (unsigned w = mer_here.oversubscribed; w < sizeof ways / sizeof *ways; w++) {
            if (w == 2 && round == 0) { /* without handlers, waits do not poll */
                ping_handler = mer_am_register(on_ping);
                pong_handler = mer_am_register(on_pong);
            }
            mer_barrier_collective("measure");
            double start = now();
            ways[w].run(turns);
            mer_barrier_collective("measure");
            double each = (now() - start) / (double)turns;
            ways[w].best = each < ways[w].best ? each : ways[w].best;
        }
    for (unsigned w = mer_here.oversubscribed; ME == 0 && w < sizeof ways / sizeof *ways; w++)
        printf("%-40s %10.1f ns\n", ways[w].name, ways[w].best);
    return 0;
}

static int threads = 2;
static void checks(void) {
    const struct job_result *r = job_run("figures", threads, NULL);
    printf("%s%s", r->out, r->text);
}

int main(int argc, char **argv) {
    static const struct job_body bodies[] = {{"figures", figures}, {0}};
    if (argc == 2 && (threads = atoi(argv[1])) % 2 == 0 && threads > 0)
        argc = 1;
    return job_main(argc, argv, bodies, checks);
}
