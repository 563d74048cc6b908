/* The collectives below the dialects: copies of every kind and reductions over every layout, in every manner
 * of waiting, against the required results; under the address sanitizer too, for which UPC programs are not
 * built. tests/upc/run/collective holds the functions of UPC against the standard. */
#include "job.h"

#include "coll/coll.h"
#include "coll/kernel.h"
#include "coll/ring.h"
#include "host/job.h"
#include "heap/heap.h"
#include "sync/barrier.h"

#include <time.h>

#define ME mer_job.mythread
#define THREADS mer_job.threads
#define MOST_THREADS 20
#define MOST_BYTES 5000
#define AREA ((size_t)MOST_THREADS * MOST_BYTES)

/* Symmetric memory of every thread, by pointers to thread 0's part. */
static mer_u64 area(size_t bytes) {
    uint64_t mine = ME == 0 ? mer_heap_symmetric(bytes, bytes * (size_t)THREADS, "area") : 0;
    mer_barrier_exchange("area", mine);
    return mer_bits(0, mer_barrier_payload(0));
}

static unsigned char byte_of(int round, int giver, int block, size_t i) {
    return (unsigned char)(round * 31 + giver * 7 + block * 13 + (int)(i * 3 + i / 256));
}

static bool all_blocks(enum mer_move_kind kind) { return kind == MER_GATHER_ALL || kind == MER_EXCHANGE; }

/* Checks the contents of block b, which thread ME received. */
static void check_block(const struct mer_move *m, int round, int root, int b) {
    int giver = m->kind == MER_BROADCAST || m->kind == MER_SCATTER ? root
                : m->kind == MER_PERMUTE                           ? (ME + THREADS - 1) % THREADS
                                                                   : b;
    int given = m->kind == MER_SCATTER || m->kind == MER_EXCHANGE ? ME : 0;
    const unsigned char *got = (unsigned char *)mer_coll_on(m->dst, ME) + (size_t)b * m->nbytes;
    for (size_t i = 0; i < m->nbytes; i++)
        CHECK(got[i] == byte_of(round, giver, given, i));
}

static void one_move(struct mer_move m, int round, int root) {
    int given = m.kind == MER_SCATTER || m.kind == MER_EXCHANGE ? THREADS : 1;
    int got = all_blocks(m.kind) || (m.kind == MER_GATHER && ME == root) ? THREADS : m.kind != MER_GATHER;
    unsigned char *src = mer_coll_on(m.src, ME), *dst = mer_coll_on(m.dst, ME);
    for (int b = 0; b < given; b++)
        for (size_t i = 0; i < m.nbytes; i++)
            src[(size_t)b * m.nbytes + i] = byte_of(round, ME, b, i);
    memset(dst, 0xa5, AREA);
    *(int *)mer_coll_on(m.perm, ME) = (ME + 1) % THREADS;
    if (m.kind == MER_GATHER)
        m.dst = mer_bits((mer_u64)root, mer_native(m.dst));
    if (m.kind == MER_BROADCAST || m.kind == MER_SCATTER)
        m.src = mer_bits((mer_u64)root, mer_native(m.src));
    mer_barrier_collective("test");
    mer_coll_move(&m);
    mer_barrier_collective("test");
    for (int b = 0; b < got; b++)
        check_block(&m, round, root, b);
    for (size_t i = (size_t)got * m.nbytes; i < AREA; i += 97)
        CHECK(dst[i] == 0xa5);
}

static int moves(void) {
    static const size_t sizes[] = {1, 48, 49, 300, 2000, 4097};
    mer_u64 dst = area(AREA), src = area(AREA), perm = area(sizeof(int));
    int round = 0;
    for (int kind = MER_BROADCAST; kind <= MER_PERMUTE; kind++)
        for (int sync = 0; sync < 9; sync++)
            for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++, round++)
                one_move((struct mer_move){.kind = kind,
                                           .in = sync / 3,
                                           .out = sync % 3,
                                           .name = "move",
                                           .dst = dst,
                                           .src = src,
                                           .perm = perm,
                                           .nbytes = sizes[s]},
                         round, round % THREADS);
    return 0;
}

/* Returns the address of element i of an array of block size `block' that begins on thread `first' with
 * `phase'. */
static long *element(mer_u64 base, size_t i, size_t first, size_t phase, size_t block) {
    size_t at = phase + i, turn = block ? first + at / block : first, threads = (size_t)THREADS;
    size_t place = block ? turn / threads * block + at % block : at;
    return (long *)mer_coll_on(base, (int)(turn % threads)) + place;
}

static long least(long a, long b) { return a < b ? a : b; }

static int reductions(void) {
    static const size_t blocks[] = {0, 1, 7, 64}, counts[] = {0, 1, 5, 100, 3000};
    mer_u64 dst = area(AREA), src = area(AREA), result = area(sizeof(long));
    for (int n = 0; n < 9 * 4 * 5 * 2; n++) {
        size_t block = blocks[n / 9 % 4], nelems = counts[n / 36 % 5], first = (size_t)(n % THREADS);
        size_t phase = block > 1 ? (size_t)n % block : 0;
        bool adds = n / 180;
        long wanted = 0;
        mer_pptr start = mer_mkp(mer_bits(first, mer_native(src)) + phase * sizeof(long), phase);
        mer_pptr prefixes = mer_mkp(mer_bits(first, mer_native(dst)) + phase * sizeof(long), phase);
        for (size_t i = 0; ME == 0 && i < nelems; i++)
            *element(src, i, first, phase, block) = (long)((i * 7 + (size_t)n) % 1000);
        *(long *)mer_coll_on(result, ME) = -1;
        struct mer_reduction r = {.kernel = &mer_kernel_L,
                                  .op = adds ? MER_OP_ADD : MER_OP_FUNC,
                                  .func = adds ? NULL : (mer_function *)least,
                                  .commutes = adds || n % 2,
                                  .in = n % 9 / 3,
                                  .out = n % 3,
                                  .name = "reduce",
                                  .dst = mer_mkp(mer_bits(first, mer_native(result)), 0),
                                  .src = start,
                                  .nelems = nelems,
                                  .block = block};
        mer_barrier_collective("test");
        mer_coll_reduce(&r);
        r.dst = prefixes;
        mer_coll_prefix(&r);
        mer_barrier_collective("test");
        for (size_t i = 0; i < nelems; i++) {
            long own = *element(src, i, first, phase, block);
            wanted = i == 0 ? own : adds ? wanted + own : least(wanted, own);
            CHECK(*element(dst, i, first, phase, block) == wanted);
        }
        CHECK(*(long *)mer_coll_on(result, (int)first) == (nelems ? wanted : -1));
        mer_barrier_collective("test");
    }
    return 0;
}

/* Slots in which nobody has posted for more steps than numbers can be distinguished. */
static int long_unposted(void) {
    enum { ENTERED, POSTED };
    uint32_t step = 0, *said = mer_coll_on(area(2 * sizeof *said), 0);
    said[ENTERED] = said[POSTED] = 0;
    mer_barrier_collective("test");
    for (uint32_t i = 0; i < (1U << 30) + 100; i++)
        step = mer_ring_begin();
    if (ME == 0) {
        struct timespec moment = {0, 20000000};
        mer_ring_fill(step, "test")->tag = step;
        while (!__atomic_load_n(&said[ENTERED], __ATOMIC_ACQUIRE))
            nanosleep(&moment, NULL);
        nanosleep(&moment, NULL);
        __atomic_store_n(&said[POSTED], 1, __ATOMIC_RELEASE);
        mer_ring_post(step);
    } else {
        __atomic_store_n(&said[ENTERED], 1, __ATOMIC_RELEASE);
        CHECK(mer_ring_wait(0, step, "test")->tag == step);
        CHECK(__atomic_load_n(&said[POSTED], __ATOMIC_ACQUIRE));
    }
    mer_barrier_collective("test");
    return 0;
}

static const struct job_body bodies[] = {
    {"moves", moves}, {"reductions", reductions}, {"long_unposted", long_unposted}, {0}};

static void checks(void) {
    static const int counts[] = {1, 2, 3, 4, 9, MOST_THREADS};
    for (unsigned i = 0; i < sizeof counts / sizeof *counts; i++) {
        job_expect_good("moves", counts[i]);
        job_expect_good("reductions", counts[i]);
    }
    if (!JOB_SANITIZED) /* seconds, and many times as long */
        job_expect_good("long_unposted", 2);
}

int main(int argc, char **argv) { return job_main(argc, argv, bodies, checks); }
