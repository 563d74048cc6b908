/* Locks among processes: mutual exclusion, visibility, attempts, and the messages for misuse (UPC 7.2.4). */
#include "job.h"

#include "host/job.h"
#include "dialect/upc/upc.h"
#include "sync/barrier.h"

#include <unistd.h>

#define ME mer_job.mythread
#define THREADS mer_job.threads
#define ROUNDS 3000

/* An unprotected counter, kept right by the lock alone. */
static int exclusion(void) {
    mer_ptr lock = upc_all_lock_alloc();
    mer_pptr memory = upc_all_alloc(1, 64);
    volatile long *count = mer_at(memory.bits);
    if (ME == 0)
        *count = 0;
    mer_barrier(0, 0, "x");
    unsigned seed = 17u + (unsigned)ME;
    for (int i = 0; i < ROUNDS; i++) {
        if (i % 4 == 3) {
            while (!upc_lock_attempt(lock))
                job_delay(&seed, 100);
        } else {
            upc_lock(lock);
        }
        long seen = *count;
        if (i % 50 == 0)
            job_delay(&seed, 500);
        *count = seen + 1;
        upc_unlock(lock);
    }
    mer_barrier(0, 0, "x");
    CHECK(*count == (long)ROUNDS * THREADS);
    upc_all_lock_free(lock);
    return 0;
}

/* Each thread's lock, taken by all; locks that one thread makes are distinct from others'. */
static int many_locks(void) {
    mer_pptr table = upc_all_alloc((size_t)THREADS, 64);
    mer_ptr own = upc_global_lock_alloc();
    CHECK(own.bits);
    *(mer_ptr *)mer_view(ME, mer_native(table.bits)) = own;
    mer_barrier(0, 0, "x");
    for (int round = 0; round < 20; round++)
        for (int t = 0; t < THREADS; t++) {
            mer_ptr lock = *(mer_ptr *)mer_view(t, mer_native(table.bits));
            for (int u = 0; u < t; u++)
                CHECK(lock.bits != ((mer_ptr *)mer_view(u, mer_native(table.bits)))->bits);
            upc_lock(lock);
            upc_unlock(lock);
        }
    mer_barrier(0, 0, "x");
    upc_lock(own);
    upc_lock_free(own); /* locked: allowed */
    upc_lock_free(mer_mk(0));
    return 0;
}

static int attempt_fails(void) {
    mer_ptr lock = upc_all_lock_alloc();
    if (ME == 0)
        CHECK(upc_lock_attempt(lock) == 1);
    mer_barrier(0, 0, "x");
    if (ME != 0)
        CHECK(upc_lock_attempt(lock) == 0);
    mer_barrier(0, 0, "x");
    if (ME == 0)
        upc_unlock(lock);
    upc_all_lock_free(lock);
    return 0;
}

static int lock_twice(void) {
    mer_ptr lock = upc_global_lock_alloc();
    upc_lock(lock);
    upc_lock(lock);
    return 0;
}

static int unlock_free(void) {
    upc_unlock(upc_global_lock_alloc());
    return 0;
}

static int unlock_others(void) {
    mer_ptr lock = upc_all_lock_alloc();
    if (ME == 0)
        upc_lock(lock);
    mer_barrier(0, 0, "x");
    if (ME == 1)
        upc_unlock(lock);
    mer_barrier(0, 0, "x");
    return 0;
}

static int lock_null(void) {
    upc_lock(mer_mk(0));
    return 0;
}

static int lock_freed(void) {
    mer_ptr lock = upc_global_lock_alloc();
    upc_lock_free(lock);
    upc_lock(lock);
    return 0;
}

static int lock_stray(void) {
    upc_lock(mer_narrow(upc_alloc(64)));
    return 0;
}

/* Thread 1 sleeps: the lock is thread 0's, which could not grant it while asleep if locks go by message. */
static int stalled(void) {
    mer_ptr lock = upc_all_lock_alloc();
    if (ME == 1)
        upc_lock(lock);
    mer_barrier(0, 0, "x");
    if (ME == 1)
        sleep(3);
    else
        upc_lock(lock);
    upc_unlock(lock);
    return 0;
}

static const struct job_body bodies[] = {
    {"exclusion", exclusion},
    {"many_locks", many_locks},
    {"attempt_fails", attempt_fails},
    {"lock_twice", lock_twice},
    {"unlock_free", unlock_free},
    {"unlock_others", unlock_others},
    {"stalled", stalled},
    {"lock_null", lock_null},
    {"lock_freed", lock_freed},
    {"lock_stray", lock_stray},
    {0},
};

static void checks(void) {
    static const int counts[] = {1, 2, 3, 4, 8};
    for (unsigned i = 0; i < sizeof counts / sizeof *counts; i++) {
        int threads = counts[i];
        job_expect_good("exclusion", threads);
        job_expect_good("many_locks", threads);
        job_expect_good("attempt_fails", threads);
        job_expect_message("lock_twice", threads, "upc_lock: this thread holds the lock");
        job_expect_message("unlock_free", threads, "is not locked");
        job_expect_message("lock_null", threads, "upc_lock: the lock is a null pointer");
        job_expect_message("lock_freed", threads, "has been freed");
        job_expect_message("lock_stray", threads, "is no lock");
        if (threads > 1)
            job_expect_message("unlock_others", threads, "is held by thread 0, not by this one");
    }
    static const char *const check[] = {"MERIDIAN_CHECK=1", "MERIDIAN_STALL_SECONDS=1", NULL};
    const struct job_result *r = job_run("stalled", 2, check);
    CHECK(r->thread == -1 && strstr(r->text, "s in upc_lock for an object that thread 1 holds"));
}

int main(int argc, char **argv) { return job_main(argc, argv, bodies, checks); }
