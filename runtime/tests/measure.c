/* Figures of the runtime's primitives, in nanoseconds; not a test.  `measure [threads]', default 2. */
#include "job.h"

#include "host/job.h"
#include "dialect/upc/upc.h"
#include "sync/barrier.h"

#include <time.h>

#define ME mer_job.mythread

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* The best of five rounds of n turns. */
#define TIME(name, n, code)                                                                                  \
    do {                                                                                                     \
        double best = 1e30;                                                                                  \
        for (int round = 0; round < 5; round++) {                                                            \
            mer_barrier(0, 0, "measure");                                                                    \
            double start = now();                                                                            \
            for (long turn = 0; turn < (n); turn++) {                                                        \
                code;                                                                                        \
            }                                                                                                \
            double each = (now() - start) / (double)(n);                                                     \
            if (each < best)                                                                                 \
                best = each;                                                                                 \
        }                                                                                                    \
        mer_barrier(0, 0, "measure");                                                                        \
        if (ME == 0)                                                                                         \
            printf("%-44s %10.1f\n", name, best);                                                            \
    } while (0)

static int figures(void) {
    long n = mer_here.oversubscribed ? 100 : 20000;
    TIME("barrier", n, mer_barrier(0, 0, "measure"));
    TIME("notify, wait with value", n, mer_notify(1, 3, "m"); mer_wait(1, 3, "m"));
    mer_ptr own = upc_global_lock_alloc(), common = upc_all_lock_alloc();
    TIME("lock, unlock, own", 1000000, upc_lock(own); upc_unlock(own));
    mer_pptr counter = upc_all_alloc(1, 64);
    volatile long *count = mer_at(counter.bits);
    TIME("lock, increment, unlock, contended", n, upc_lock(common); ++*count; upc_unlock(common));
    TIME("upc_alloc, upc_free, 100 bytes", 1000000, upc_free(upc_alloc(100)));
    TIME("upc_alloc, upc_free, 1 MB", 1000000, upc_free(upc_alloc(1 << 20)));
    TIME("upc_all_alloc, upc_all_free", n, upc_all_free(upc_all_alloc(16, 100)));
    static char to[1 << 20];
    mer_pptr block = upc_all_alloc((size_t)mer_job.threads, 1 << 20);
    mer_u64 theirs = mer_bits((mer_u64)((ME + 1) % mer_job.threads), mer_native(block.bits));
    char *copy = malloc(1 << 20);
    memset(mer_view(ME, mer_native(block.bits)), 1, 1 << 20);
    memset(copy, 1, 1 << 20);
    memset(to, 1, sizeof to);
    static const size_t sizes[] = {8, 1024, 16384, 65536, 1 << 20};
    for (int i = 0; i < 5; i++) {
        char name[64];
        long many = (long)(40000000 / (sizes[i] + 400)) + 10;
        snprintf(name, sizeof name, "upc_memget %zu bytes", sizes[i]);
        TIME(name, many, upc_memget(to, mer_mkp(theirs, 0), sizes[i]); __asm__ volatile("" ::: "memory"));
        snprintf(name, sizeof name, "memcpy %zu bytes", sizes[i]);
        TIME(name, many, memcpy(to, copy, sizes[i]); __asm__ volatile("" ::: "memory"));
    }
    return 0;
}

static const struct job_body bodies[] = {{"figures", figures}, {0}};
static int threads = 2;

static void checks(void) {
    const struct job_result *r = job_run("figures", threads, NULL);
    printf("%d threads, ns\n%s%s", threads, r->out, r->text);
}

int main(int argc, char **argv) {
    if (argc == 2)
        threads = atoi(argv[1]);
    return job_main(argc, argv, bodies, checks);
}
