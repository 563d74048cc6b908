/* The barrier among processes: nobody passes before all have come, writes before it are seen after it, and
 * threads whose barriers do not match are told so (UPC 6.6.1). */
#include "job.h"

#include "host/control.h"
#include "host/job.h"
#include "heap/heap.h"
#include "sync/barrier.h"

#include <unistd.h>

#define ME mer_job.mythread
#define THREADS mer_job.threads

/* A word of each thread, in its shared memory at one native address. */
static int *word(int t) { return mer_coll_words(t); }

/* Each thread writes its round before the barrier and must find all others' after it. */
static int rounds_full(void) {
    unsigned seed = 12345u + (unsigned)ME * 977u;
    for (int round = 1; round <= 400; round++) {
        *word(ME) = round;
        job_delay(&seed, 2000);
        mer_barrier(0, 0, "a.upc:1");
        for (int t = 0; t < THREADS; t++)
            CHECK(*word(t) == round);
        job_delay(&seed, 2000);
        mer_barrier(round % 3 == 0, round, "a.upc:2");
    }
    return 0;
}

/* Notify and wait apart, with work between; values on some threads only. */
static int rounds_split(void) {
    unsigned seed = 99u + (unsigned)ME;
    for (int round = 1; round <= 400; round++) {
        *word(ME) = round;
        mer_notify(ME % 2, round, "a.upc:1");
        job_delay(&seed, 3000);
        mer_wait(ME % 3 == 0, round, "a.upc:2");
        for (int t = 0; t < THREADS; t++)
            CHECK(*word(t) == round);
        mer_notify(0, 0, "a.upc:3");
        mer_wait(ME == 0, 7, "a.upc:4"); /* no value was given to notify: nothing to differ from */
    }
    return 0;
}

/* A wait completes when all have notified; it must not depend on the others' waits (6.6.1.3). */
static int wait_needs_no_wait(void) {
    volatile int *flag = (volatile int *)word(0) + 4;
    for (int round = 1; round <= 50; round++) {
        mer_notify(0, 0, "a.upc:1");
        if (ME == 0) {
            mer_wait(0, 0, "a.upc:2");
            *flag = round;
        } else {
            while (*flag < round)
                usleep(10);
            mer_wait(0, 0, "a.upc:2");
        }
        mer_barrier(0, 0, "a.upc:3");
    }
    return 0;
}

/* One thread does the work, between the last arrival and the first return. */
static void add_up(void *context) {
    int sum = 0;
    for (int t = 0; t < THREADS; t++) {
        CHECK(*word(t) == *(int *)context);
        sum += *word(t);
    }
    word(0)[4] = sum;
    word(0)[5]++; /* the number of calls */
}

static int acts(void) {
    unsigned seed = 5u + (unsigned)ME;
    for (int round = 1; round <= 300; round++) {
        *word(ME) = round;
        job_delay(&seed, 2000);
        mer_barrier_act("upc_all_test", round % THREADS, add_up, &round);
        CHECK(word(0)[4] == round * THREADS && word(0)[5] == round);
        job_delay(&seed, 2000);
        mer_barrier(0, 0, "a.upc:1");
    }
    return 0;
}

static int one_acts(void) {
    int round = 1;
    *word(ME) = round;
    if (ME == 0)
        mer_barrier_act("upc_all_test", 0, add_up, &round);
    else
        mer_barrier(0, 0, "a.upc:33");
    return 0;
}

static int payloads(void) {
    for (unsigned round = 0; round < 500; round++) {
        mer_barrier_exchange("upc_all_test", round * 100 + (unsigned)ME);
        for (int t = 0; t < THREADS; t++)
            CHECK(mer_barrier_payload(t) == round * 100 + (unsigned)t);
    }
    return 0;
}

static int values_differ(void) {
    mer_barrier(1, ME == THREADS - 1 ? 5 : 4, ME == THREADS - 1 ? "b.upc:20" : "a.upc:10");
    return 0;
}

static int wait_value_differs(void) {
    mer_notify(1, 3, "a.upc:1");
    mer_wait(1, ME == 0 ? 4 : 3, "a.upc:2");
    return 0;
}

static int notify_twice(void) {
    mer_notify(0, 0, "a.upc:1");
    mer_barrier(0, 0, "a.upc:2");
    return 0;
}

static int wait_first(void) {
    mer_wait(0, 0, "a.upc:1");
    return 0;
}

static int collective_between(void) {
    mer_notify(0, 0, "a.upc:1");
    mer_barrier_collective("upc_all_test");
    return 0;
}

static int one_ends(void) {
    if (ME != 0)
        mer_barrier(0, 0, "a.upc:33");
    return 0;
}

static int one_calls_collective(void) {
    if (ME == 0)
        mer_barrier_collective("upc_all_test");
    else
        mer_barrier(0, 0, "a.upc:33");
    return 0;
}

static int one_calls_another(void) {
    mer_barrier_collective("upc_all_test");
    mer_barrier_collective(ME == THREADS - 1 ? "upc_all_other" : "upc_all_test");
    return 0;
}

/* Two collectives whose callers compare the calls themselves, and then one without. */
static int calls_compared(void) {
    mer_barrier_compared();
    mer_barrier_collective(ME == 0 ? "upc_all_test" : "upc_all_other");
    mer_barrier_compared();
    mer_barrier_exchange(ME == 0 ? "upc_all_other" : "upc_all_test", 0);
    mer_barrier_collective("upc_all_test");
    return 0;
}

static int ends_notified(void) {
    mer_notify(0, 0, "a.upc:1");
    return 0;
}

static int stalled(void) {
    if (ME == 0)
        sleep(3);
    mer_barrier(0, 0, "a.upc:5");
    return 0;
}

static const struct job_body bodies[] = {
    {"rounds_full", rounds_full},
    {"rounds_split", rounds_split},
    {"wait_needs_no_wait", wait_needs_no_wait},
    {"payloads", payloads},
    {"acts", acts},
    {"one_acts", one_acts},
    {"values_differ", values_differ},
    {"wait_value_differs", wait_value_differs},
    {"notify_twice", notify_twice},
    {"wait_first", wait_first},
    {"collective_between", collective_between},
    {"one_ends", one_ends},
    {"one_calls_collective", one_calls_collective},
    {"one_calls_another", one_calls_another},
    {"calls_compared", calls_compared},
    {"ends_notified", ends_notified},
    {"stalled", stalled},
    {0},
};

static void checks(void) {
    static const int counts[] = {1, 2, 3, 4, 8, 17};
    for (unsigned i = 0; i < sizeof counts / sizeof *counts; i++) {
        int threads = counts[i];
        job_expect_good("rounds_full", threads);
        job_expect_good("rounds_split", threads);
        job_expect_good("wait_needs_no_wait", threads);
        job_expect_good("payloads", threads);
        job_expect_good("acts", threads);
        job_expect_good("calls_compared", threads);
        job_expect_message("wait_value_differs", threads, "a.upc:2");
        job_expect_message("notify_twice", threads, "upc_barrier at a.upc:2, but the upc_notify at a.upc:1");
        job_expect_message("wait_first", threads, "upc_wait at a.upc:1 without an upc_notify");
        job_expect_message("collective_between", threads,
                           "upc_all_test is called between the upc_notify at a.upc:1");
        job_expect_message("ends_notified", threads, "upc_notify at a.upc:1");
        if (threads == 1)
            continue;
        job_expect_message("values_differ", threads, "a.upc:10");
        job_expect_message("values_differ", threads, "b.upc:20");
        job_expect_message("one_ends", threads, "thread 0 has reached the end of the program");
        job_expect_message("one_ends", threads, "is in the barrier at a.upc:33");
        job_expect_message("one_calls_collective", threads, "called upc_all_test");
        job_expect_message("one_acts", threads, "called upc_all_test");
        job_expect_message("one_calls_another", threads, "called upc_all_other");
        job_expect_message("one_calls_another", threads, "called upc_all_test");
    }
    static const char *const check[] = {"MERIDIAN_CHECK=1", "MERIDIAN_STALL_SECONDS=1", "MERIDIAN_WRAP=2",
                                        NULL};
    const struct job_result *r = job_run("stalled", 3, check);
    CHECK(r->thread == -1 && !r->timed_out);
    CHECK(strstr(r->text, "in the barrier at a.upc:5"));
    CHECK(strstr(r->text, "1 of 3 threads have not arrived: 0\n"));
}

int main(int argc, char **argv) { return job_main(argc, argv, bodies, checks); }
