/* Large jobs and small machines: a thousand threads on a few cores, and a limit on address space. */
#include "job.h"

#include "host/job.h"
#include "dialect/upc/upc.h"
#include "sync/barrier.h"

#define ME mer_job.mythread
#define THREADS mer_job.threads

/* Everything once, among many. */
static int everything(void) {
    mer_pptr sum = upc_all_alloc(1, sizeof(long));
    mer_ptr lock = upc_all_lock_alloc();
    volatile long *total = mer_at(sum.bits);
    if (ME == 0)
        *total = 0;
    for (int round = 1; round <= 3; round++) {
        mer_barrier(1, round, "x");
        upc_lock(lock);
        *total += ME;
        upc_unlock(lock);
        mer_barrier(0, 0, "x");
        CHECK(*total == (long)round * THREADS * (THREADS - 1) / 2);
    }
    mer_pptr all = upc_all_alloc((size_t)THREADS, 8);
    mer_u64 own = mer_native(all.bits);
    *(long *)mer_view((ME + 1) % THREADS, own) = ME;
    mer_barrier(0, 0, "x");
    CHECK(*(long *)mer_view(ME, own) == (ME + THREADS - 1) % THREADS);
    upc_all_free(all);
    upc_free(upc_alloc(1000));
    return 0;
}

static int nothing(void) { return 0; }

static const struct job_body bodies[] = {{"everything", everything}, {"nothing", nothing}, {0}};

static void checks(void) {
    static const int counts[] = {16, 33, 100, 1024};
    int most = JOB_SANITIZED ? 2 : 4;
    for (int i = 0; i < most; i++)
        job_expect_good("everything", counts[i]);
    if (!JOB_SANITIZED) {
        job_address_limit = 1UL << 34;
        job_expect_message("nothing", 2, "this process is limited to 16.0 GB (ulimit -v)");
    }
}

int main(int argc, char **argv) { return job_main(argc, argv, bodies, checks); }
