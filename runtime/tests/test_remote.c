/* Jobs on one host in which all memory of others is remote (MERIDIAN_REMOTE=1): the progress thread beside
 * the thread, and messages to many threads at a time. */
#include "job.h"

#include "am/am.h"
#include "am/call.h"
#include "rma/pieces.h"
#include "base/wait.h"
#include "heap/heap.h"
#include "host/job.h"
#include "start/report.h"
#include "sync/barrier.h"

#include <time.h>
#include <unistd.h>

#define ME mer_job.mythread
#define THREADS mer_job.threads

static void pause_for(long milliseconds) {
    struct timespec t = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    nanosleep(&t, NULL);
}

/* ---- the progress thread dies while the thread sleeps -------------------------------------------------- */

static uint32_t told; /* atomic: 1 the service runs, 2 it has reported */

/* Runs in the progress thread: reports a fatal message as a dying process does. */
static size_t dies(int caller, const void *in, void *out) {
    (void)caller;
    (void)in;
    (void)out;
    __atomic_store_n(&told, 1, __ATOMIC_RELEASE);
    pause_for(300); /* until the thread sleeps */
    mer_report_done(mer_report_claim());
    __atomic_store_n(&told, 2, __ATOMIC_RELEASE);
    return 0;
}

static int sleeps_while_progress_dies(void) {
    static uint32_t word;
    if (ME == 1)
        mer_am_call(0, dies, NULL, 0, NULL, 0);
    while (ME == 0 && __atomic_load_n(&told, __ATOMIC_ACQUIRE) == 0)
        pause_for(1);
    while (ME == 0 && __atomic_load_n(&told, __ATOMIC_ACQUIRE) != 2)
        mer_futex_wait(&word, 0, 1000000000);
    if (ME == 0)
        mer_futex_wait(&word, 0, 1000000);
    while (ME != 0) /* until it is ended */
        pause_for(1000);
    _exit(7);
}

/* ---- pieces of many owners in turn --------------------------------------------------------------------- */

/* Pieces share messages, one to each owner, in any order of the pieces. */
static int pieces_of_many(void) {
    enum { PIECES = 40 };
    int waiting = 0;
    struct mer_pieces pieces = {.counter = &waiting};
    mer_u64 *all = calloc((size_t)THREADS * PIECES, sizeof *all);
    uint64_t at = ME == 0 ? mer_heap_symmetric(PIECES * sizeof(mer_u64), 1 << 20, "test") : 0;
    mer_barrier_exchange("place", at);
    at = mer_barrier_payload(0);
    mer_u64 *own = mer_view(ME, at);
    for (int i = 0; i < PIECES; i++)
        own[i] = (mer_u64)(ME * 1000 + i);
    mer_barrier_collective("filled");
    for (int i = 0; ME == 0 && i < PIECES; i += 2)
        for (int t = 1; t < THREADS; t++)
            mer_pieces_get(&pieces, &all[t * PIECES + i], mer_bits((mer_u64)t, at + (mer_u64)i * sizeof *all),
                           sizeof *all);
    CHECK(waiting == 0);
    mer_pieces_send(&pieces);
    CHECK(waiting <= THREADS - 1);
    mer_am_wait_counter(&waiting);
    for (int i = 0; ME == 0 && i < PIECES; i += 2)
        for (int t = 1; t < THREADS; t++)
            CHECK(all[t * PIECES + i] == (mer_u64)(t * 1000 + i));
    mer_barrier_collective("read");
    free(all);
    return 0;
}

static const struct job_body bodies[] = {
    {"sleeps_while_progress_dies", sleeps_while_progress_dies}, {"pieces_of_many", pieces_of_many}, {0}};

static void checks(void) {
    static const char *const remote[] = {"MERIDIAN_REMOTE=1", "MERIDIAN_CONDUIT=tcp", NULL};
    job_expect_good_with("pieces_of_many", 2, remote);
    job_expect_good_with("pieces_of_many", 17, remote);
    const struct job_result *r = job_run("sleeps_while_progress_dies", 2, remote);
    if (r->thread < 0 || r->code != 7 || r->signal)
        fprintf(stderr, "%s\n", r->text);
    CHECK(r->code == 7 && r->signal == 0);
}

int main(int argc, char **argv) { return job_main(argc, argv, bodies, checks); }
