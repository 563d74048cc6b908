/* Large jobs and small machines: a thousand threads on a few cores, and a limit on address space. */
#include "job.h"

#include "host/job.h"
#include "host/layout.h"
#include "dialect/upc/upc.h"
#include "sync/barrier.h"

#define ME mer_job.mythread
#define THREADS mer_job.threads

/* Each kind of operation once, among many threads. */
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

/* Half of the limit, in equal parts: mapped to its last byte, and no more of it handed out. */
static int limited(void) {
    mer_u64 each = mer_layout.mapped - MER_HEAP_OFFSET;
    CHECK(each > (3ULL << 30) && each <= (4ULL << 30));
    volatile char *end = mer_view((ME + 1) % THREADS, mer_layout.mapped - 1);
    *end = (char)(ME + 1);
    mer_barrier(0, 0, "x");
    CHECK(*(volatile char *)mer_view(ME, mer_layout.mapped - 1) == (ME + 1) % THREADS + 1);
    mer_pptr some = upc_alloc(1 << 20);
    CHECK(some.bits);
    upc_free(some);
    CHECK(!upc_alloc(each).bits);
    return 0;
}

static const struct job_body bodies[] = {
    {"everything", everything}, {"nothing", nothing}, {"limited", limited}, {0}};

static void checks(void) {
    static const int counts[] = {16, 33, 100, 1024};
    int most = JOB_SANITIZED ? 2 : 4;
    for (int i = 0; i < most; i++)
        job_expect_good("everything", counts[i]);
    if (!JOB_SANITIZED) {
        job_address_limit = 1UL << 34;
        job_expect_good("everything", 8);
        job_expect_good("limited", 2);
        job_address_limit = 1UL << 28;
        job_expect_message("nothing", 16,
                           "because of the limit on address space (ulimit -v), but needs more");
    }
}

int main(int argc, char **argv) { return job_main(argc, argv, bodies, checks); }
