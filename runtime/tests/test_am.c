/* Active messages: sizes, order, replies, bounded rings under floods, waits that handle messages, misuse. */
#include "job.h"

#include "host/job.h"
#include "dialect/upc/upc.h"
#include "sync/barrier.h"

#include <meridian/am.h>
#include <time.h>

#define ME mer_job.mythread
#define THREADS mer_job.threads

static void barrier(void) { mer_barrier_collective("test"); }

static void pause_ms(long ms) {
    struct timespec t = {0, ms * 1000000};
    nanosleep(&t, NULL);
}

static unsigned char byte_of(size_t i, mer_u64 seed) { return (unsigned char)(i * 31 + seed * 7); }

static void fill(unsigned char *p, size_t n, mer_u64 seed) {
    for (size_t i = 0; i < n; i++)
        p[i] = byte_of(i, seed);
}

static void check_filled(const unsigned char *p, size_t n, mer_u64 seed) {
    for (size_t i = 0; i < n; i++)
        CHECK(p[i] == byte_of(i, seed));
}

/* ---- every form ---------------------------------------------------------------------------------------- */

enum { ON_SHORT, ON_MEDIUM, ON_LONG, ON_BACK, HANDLERS };
static int number[HANDLERS];
static mer_u64 answered; /* replies that have come */
static size_t back_length;
static mer_u64 landing; /* bits of this thread's shared area */

static void check_words(struct mer_am_message *m) {
    for (int i = 1; i < m->nargs; i++)
        CHECK(m->args[i] == m->args[0] * 10 + (mer_u64)i);
}

static void on_short(struct mer_am_message *m) {
    check_words(m);
    CHECK(m->request && !m->payload && m->length == 0);
    mer_am_reply(m, number[ON_BACK], m->args, m->nargs);
}

static void on_medium(struct mer_am_message *m) {
    check_words(m);
    CHECK((uintptr_t)m->payload % 64 == 0);
    check_filled(m->payload, m->length, (mer_u64)m->source);
    mer_am_reply_medium(m, number[ON_BACK], m->payload, m->length, m->args, m->nargs);
}

/* words: seed, bits of the requester's area */
static void on_long(struct mer_am_message *m) {
    CHECK(m->payload == mer_at(landing));
    check_filled(m->payload, m->length, m->args[0]);
    mer_am_reply_long(m, mer_mk(m->args[1]), number[ON_BACK], m->payload, m->length, m->args, 1);
}

static void on_back(struct mer_am_message *m) {
    CHECK(!m->request);
    if (m->nargs > 1)
        check_words(m);
    back_length = m->length;
    if (m->payload && m->payload != mer_at(landing))
        check_filled(m->payload, m->length, (mer_u64)ME);
    answered++;
}

static void set_up(void) {
    number[ON_SHORT] = mer_am_register(on_short);
    number[ON_MEDIUM] = mer_am_register(on_medium);
    number[ON_LONG] = mer_am_register(on_long);
    number[ON_BACK] = 200;
    mer_am_register_as(200, on_back);
    landing = mer_narrow(upc_alloc(1 << 20)).bits;
    barrier();
}

static int forms(void) {
    static unsigned char bytes[600000];
    set_up();
    mer_u64 sent = 0;
    for (int to = 0; to < THREADS; to++) {
        for (int n = 0; n <= MER_AM_ARGS; n++) {
            mer_u64 w[MER_AM_ARGS];
            w[0] = (mer_u64)(n + ME);
            for (int i = 1; i < MER_AM_ARGS; i++)
                w[i] = w[0] * 10 + (mer_u64)i;
            mer_am_request(to, number[ON_SHORT], w, n);
            sent++;
            MER_AM_WAIT_UNTIL(answered == sent);
            CHECK(back_length == 0);
        }
        fill(bytes, sizeof bytes, (mer_u64)ME);
        for (size_t length = 0; length <= MER_AM_MEDIUM; length += length < 70 ? 1 : 409) {
            mer_am_request_medium(to, number[ON_MEDIUM], bytes, length, NULL, 0);
            sent++;
            MER_AM_WAIT_UNTIL(answered == sent);
            CHECK(back_length == length);
        }
    }
    barrier();
    /* Long messages to the right, whose area only this thread writes to. */
    static mer_u64 areas[64];
    mer_barrier_exchange("test", landing);
    for (int t = 0; t < THREADS && t < 64; t++)
        areas[t] = mer_barrier_payload(t);
    int right = (ME + 1) % THREADS;
    static const size_t lengths[] = {1, 100, 5000, 600000};
    for (int i = 0; i < 4; i++) {
        /* The reply lands in the second half of the area, and requests in the first. */
        mer_am_request_long(mer_mk(areas[right]), number[ON_LONG], bytes, lengths[i] / 2,
                            (const mer_u64[]){(mer_u64)ME, areas[ME] + (512 << 10)}, 2);
        sent++;
        MER_AM_WAIT_UNTIL(answered == sent);
        CHECK(back_length == lengths[i] / 2);
        check_filled(mer_at(areas[ME] + (512 << 10)), lengths[i] / 2, (mer_u64)ME);
    }
    barrier();
    return 0;
}

/* ---- floods: far more messages than the rings hold ----------------------------------------------------- */

static mer_u64 expected_of[64], handled;
static int flood_handler, ack_handler;

/* words: number; from each source in order */
static void on_flood(struct mer_am_message *m) {
    CHECK(m->args[0] == expected_of[m->source]++);
    if (m->length)
        check_filled(m->payload, m->length, m->args[0]);
    handled++;
    if (m->args[0] % 2)
        MER_AM_REPLY(m, ack_handler, m->args[0]);
}

static void on_ack(struct mer_am_message *m) {
    (void)m;
    answered++;
}

#define MESSAGES 3000

static void flood(int first, int last) {
    flood_handler = mer_am_register(on_flood);
    ack_handler = mer_am_register(on_ack);
    barrier();
    unsigned char bytes[500];
    for (mer_u64 i = 0; i < MESSAGES; i++)
        for (int to = first; to <= last; to++) {
            size_t n = i % 5 ? 0 : i % 500;
            fill(bytes, n, i);
            if (n)
                mer_am_request_medium(to, flood_handler, bytes, n, &i, 1);
            else
                mer_am_request(to, flood_handler, &i, 1);
        }
    mer_u64 receivers = (mer_u64)(last - first + 1);
    MER_AM_WAIT_UNTIL(answered == MESSAGES / 2 * receivers);
    if (ME >= first && ME <= last)
        MER_AM_WAIT_UNTIL(handled == (mer_u64)MESSAGES * (mer_u64)THREADS);
    barrier();
    CHECK(answered == MESSAGES / 2 * receivers);
}

static int flood_one(void) {
    flood(0, 0);
    return 0;
}

static int flood_all(void) {
    flood(0, THREADS - 1);
    return 0;
}

/* ---- waits handle messages ----------------------------------------------------------------------------- */

static int in_barrier(void) {
    flood_handler = mer_am_register(on_flood);
    ack_handler = mer_am_register(on_ack);
    barrier();
    if (ME == 0) {
        for (mer_u64 i = 0; i < 20; i++) {
            pause_ms(i % 4); /* the others sleep by now */
            for (int to = 1; to < THREADS; to++)
                mer_am_request(to, flood_handler, &i, 1);
        }
        MER_AM_WAIT_UNTIL(answered == 10 * (mer_u64)(THREADS - 1));
    }
    barrier();
    return 0;
}

static int in_lock(void) {
    flood_handler = mer_am_register(on_flood);
    ack_handler = mer_am_register(on_ack);
    mer_ptr lock = upc_all_lock_alloc();
    if (ME == 0)
        upc_lock(lock);
    barrier();
    if (ME == 0) {
        for (mer_u64 i = 0; i < 10; i++) {
            pause_ms(2);
            for (int to = 1; to < THREADS; to++)
                mer_am_request(to, flood_handler, &i, 1);
        }
        MER_AM_WAIT_UNTIL(answered == 5 * (mer_u64)(THREADS - 1));
    } else {
        upc_lock(lock);
    }
    upc_unlock(lock);
    barrier();
    return 0;
}

/* A thread that waits for a message sleeps, and is woken. */
static int asleep(void) {
    set_up();
    mer_u64 word = 1;
    for (int i = 0; i < 10; i++) {
        int to = (ME + 1) % THREADS;
        if (ME == i % THREADS)
            pause_ms(30);
        mer_am_request(to, number[ON_SHORT], &word, 1);
        MER_AM_WAIT_UNTIL(answered == (mer_u64)i + 1);
    }
    barrier();
    return 0;
}

static void on_count(struct mer_am_message *m) {
    CHECK(m->nargs == 0);
    CHECK(mer_am_poll() == 0); /* handlers do not nest */
    handled++;
}

/* No handler runs outside of polls and waits. One poll runs all; with a progress thread, which may hold some
 * of the messages, several polls do. */
static int only_in_polls(void) {
    int count = mer_am_register(on_count), taken = 0;
    barrier();
    for (int i = 0; i < 50; i++)
        mer_am_request(ME, count, NULL, 0);
    CHECK(handled == 0);
    do
        taken += mer_am_poll();
    while (getenv("MERIDIAN_REFERENCE") && handled < 50);
    CHECK(taken >= 50 && handled == 50); /* the runtime's own messages count too */
    barrier();
    return 0;
}

/* ---- misuse -------------------------------------------------------------------------------------------- */

static void on_request_again(struct mer_am_message *m) { mer_am_request(m->source, ack_handler, NULL, 0); }
static void on_wait(struct mer_am_message *m) {
    (void)m;
    MER_AM_WAIT_UNTIL(answered == 77);
}
static void on_reply_twice(struct mer_am_message *m) {
    mer_am_reply(m, ack_handler, NULL, 0);
    mer_am_reply(m, ack_handler, NULL, 0);
}

static int misuse(mer_am_handler *handler) {
    int bad = mer_am_register(handler);
    ack_handler = mer_am_register(on_ack);
    barrier();
    mer_am_request(ME, bad, NULL, 0);
    mer_am_poll();
    return 0;
}
static int request_again(void) { return misuse(on_request_again); }
static int wait_in_handler(void) { return misuse(on_wait); }
static int reply_twice(void) { return misuse(on_reply_twice); }
static int no_handler(void) {
    mer_am_request(0, 5, NULL, 0);
    return 0;
}
static int no_thread(void) {
    mer_am_request(THREADS, mer_am_register(on_ack), NULL, 0);
    return 0;
}
static int too_large(void) {
    static char bytes[MER_AM_MEDIUM + 1];
    mer_am_request_medium(0, mer_am_register(on_ack), bytes, sizeof bytes, NULL, 0);
    return 0;
}

static const struct job_body bodies[] = {{"forms", forms},
                                         {"flood_one", flood_one},
                                         {"flood_all", flood_all},
                                         {"in_barrier", in_barrier},
                                         {"in_lock", in_lock},
                                         {"asleep", asleep},
                                         {"only_in_polls", only_in_polls},
                                         {"request_again", request_again},
                                         {"wait_in_handler", wait_in_handler},
                                         {"reply_twice", reply_twice},
                                         {"no_handler", no_handler},
                                         {"no_thread", no_thread},
                                         {"too_large", too_large},
                                         {0}};

static void checks(void) {
    static const int counts[] = {1, 2, 3, 4, 8, 16};
    for (unsigned i = 0; i < sizeof counts / sizeof *counts; i++) {
        job_expect_good("forms", counts[i]);
        job_expect_good("flood_one", counts[i]);
        job_expect_good("in_barrier", counts[i]);
        job_expect_good("in_lock", counts[i]);
        job_expect_good("asleep", counts[i]);
        job_expect_good("only_in_polls", counts[i]);
        if (counts[i] <= 8)
            job_expect_good("flood_all", counts[i]);
    }
    job_expect_message("request_again", 2, "mer_am_request: a handler of active messages may only reply");
    job_expect_message("wait_in_handler", 2, "a handler of active messages waits for another message");
    job_expect_message("reply_twice", 2, "mer_am_reply: the handler has replied to this request already");
    job_expect_message("no_handler", 2, "mer_am_request: handler 5 is not registered");
    job_expect_message("no_thread", 2, "mer_am_request: there is no thread 2");
    job_expect_message("too_large", 2, "but a medium payload has at most 4160");
}

int main(int argc, char **argv) { return job_main(argc, argv, bodies, checks); }
