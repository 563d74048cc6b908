/* Operations that use active messages or a host's memory: copies against a model, locks and users' handlers
 * at the same time, collectives whose givers run ahead. Each runs directly and by message. */
#include "job.h"

#include "am/am.h"
#include "coll/tree.h"
#include "host/job.h"
#include "dialect/upc/upc.h"
#include "rma/copy.h"
#include "sync/barrier.h"

#include <meridian/am.h>
#include <time.h>

#define ME mer_job.mythread
#define THREADS mer_job.threads
#define AREA 50000

static void barrier(void) { mer_barrier_collective("test"); }

/* ---- copies -------------------------------------------------------------------------------------------- */

static mer_u64
    areas[64]; /* bits of each thread's two areas: a read-only one, and one that its left neighbour writes */

static void share_rooms(void) {
    mer_barrier_exchange("test", mer_narrow(upc_alloc(2 * AREA)).bits);
    for (int t = 0; t < THREADS; t++)
        areas[t] = mer_barrier_payload(t);
    unsigned char *own = mer_at(areas[ME]);
    for (size_t i = 0; i < AREA; i++)
        own[i] = (unsigned char)(i * 7 + i / 256 + (size_t)ME * 31);
    memset(own + AREA, 0, AREA);
    barrier();
}

/* Returns a length: often small, sometimes of many messages. */
static size_t some_length(unsigned *seed) {
    unsigned n = job_random(seed);
    return n % 8 == 0   ? job_random(seed) % 30000
           : n % 3 == 0 ? job_random(seed) % 5000
                        : job_random(seed) % 40;
}

static int copies(void) {
    static unsigned char model[AREA], bytes[AREA];
    unsigned seed = 3u + (unsigned)ME;
    int right = (ME + 1) % THREADS;
    share_rooms();
    for (int i = 0; i < 600; i++) {
        size_t n = some_length(&seed), to = job_random(&seed) % (AREA - n),
               from = job_random(&seed) % (AREA - n);
        int source = (int)(job_random(&seed) % (unsigned)THREADS);
        mer_u64 target = areas[right] + AREA + to;
        const unsigned char *read_only = mer_at(areas[source] + from); /* for the model, by plain loads */
        switch (job_random(&seed) % 5) {
        case 0:
            memset(model + to, i & 0xff, n);
            mer_rma_set(target, i & 0xff, n, "test");
            break;
        case 1:
            mer_rma_copy(target, areas[source] + from, n, "test");
            memcpy(model + to, read_only, n);
            break;
        case 2: /* within the area, where parts may overlap */
            mer_rma_copy(target, areas[right] + AREA + from, n, "test");
            memmove(model + to, model + from, n);
            break;
        case 3:
            mer_rma_get(bytes + from, areas[source] + from, n, "test");
            CHECK(!memcmp(bytes + from, read_only, n));
            mer_rma_put(target, bytes + from, n, "test");
            memcpy(model + to, read_only, n);
            break;
        default:
            mer_rma_get(bytes, areas[right] + AREA + to, n, "test");
            CHECK(!memcmp(bytes, model + to, n));
        }
    }
    CHECK(!memcmp(mer_at(areas[right] + AREA), model, AREA));
    barrier();
    return 0;
}

/* ---- locks, copies and users' handlers together -------------------------------------------------------- */

static mer_u64 asked, answered;
static int on_ask_number, on_answer_number;
static void on_two_way(struct mer_am_message *m) {
    asked++;
    mer_am_reply(m, on_answer_number, m->args, m->nargs);
}
static void on_called(struct mer_am_message *m) {
    CHECK(m->args[0] % 3 == 0);
    answered++;
}

static int mixed(void) {
    enum { ROUNDS = 300 };
    unsigned seed = 9u + (unsigned)ME;
    on_ask_number = mer_am_register(on_two_way);
    on_answer_number = mer_am_register(on_called);
    share_rooms();
    mer_ptr lock = upc_all_lock_alloc();
    mer_u64 counter = areas[THREADS - 1] + AREA;
    for (mer_u64 i = 0; i < ROUNDS; i++) {
        mer_u64 value, word = 3 * i;
        mer_am_request((int)(job_random(&seed) % (unsigned)THREADS), on_ask_number, &word, 1);
        upc_lock(lock);
        mer_rma_get(&value, counter, sizeof value, "test");
        value++;
        mer_rma_put(counter, &value, sizeof value, "test");
        upc_unlock(lock);
    }
    MER_AM_WAIT_UNTIL(answered == ROUNDS);
    barrier();
    mer_u64 total;
    mer_rma_get(&total, counter, sizeof total, "test");
    CHECK(total == (mer_u64)ROUNDS * (mer_u64)THREADS);
    barrier();
    return 0;
}

/* ---- collectives --------------------------------------------------------------------------------------- */

static void add(void *into, const void *value, const void *unused) {
    mer_u64 a, b;
    (void)unused;
    memcpy(&a, into, sizeof a);
    memcpy(&b, value, sizeof b);
    a += b;
    memcpy(into, &a, sizeof a);
}

/* Threads that only give would fill the memory of thread 0, which is late, if nothing held them back. */
static int run_ahead(void) {
    enum { ROUNDS = 2000, MOST_AHEAD = 64 };
    mer_am_start();
    barrier();
    if (ME == 0) {
        struct timespec pause = {0, 1000000};
        int handled = 0;
        for (int i = 0; i < 50; i++) {
            handled += mer_am_poll();
            nanosleep(&pause, NULL);
        }
        CHECK(handled <= MOST_AHEAD * THREADS);
    }
    for (mer_u64 i = 0; i < ROUNDS; i++) {
        mer_u64 value = i + (mer_u64)ME, from_last = i * (mer_u64)(ME + 1);
        mer_tree_reduce(&value, sizeof value, add, NULL, false);
        if (ME == 0)
            CHECK(value == i * (mer_u64)THREADS + (mer_u64)THREADS * (mer_u64)(THREADS - 1) / 2);
        mer_tree_broadcast(&from_last, sizeof from_last, THREADS - 1);
        CHECK(from_last == i * (mer_u64)THREADS);
    }
    static unsigned char large[100000];
    for (size_t i = 0; i < sizeof large; i++)
        large[i] = ME == 0 ? (unsigned char)(i * 3 + i / 256) : 0;
    mer_tree_broadcast(large, sizeof large, 0);
    for (size_t i = 0; i < sizeof large; i++)
        CHECK(large[i] == (unsigned char)(i * 3 + i / 256));
    barrier();
    return 0;
}

static const struct job_body bodies[] = {{"copies", copies}, {"mixed", mixed}, {"run_ahead", run_ahead}, {0}};

static void checks(void) {
    static const char *const by_message[] = {"MERIDIAN_REFERENCE=1", NULL};
    static const int counts[] = {1, 2, 3, 5, 8};
    for (unsigned i = 0; i < sizeof counts / sizeof *counts; i++)
        for (const struct job_body *b = bodies; b->name; b++) {
            job_expect_good(b->name, counts[i]);
            const struct job_result *r = job_run(b->name, counts[i], by_message);
            if (r->thread >= 0 || r->timed_out) {
                fprintf(stderr, "%s with %d threads by message: thread %d, code %d, signal %d:\n%s\n",
                        b->name, counts[i], r->thread, r->code, r->signal, r->text);
                exit(1);
            }
        }
}

int main(int argc, char **argv) { return job_main(argc, argv, bodies, checks); }
