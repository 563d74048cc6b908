/* The shared heap among processes: allocations do not overlap, memory freed by any thread is reused and
 * returned to the system, and errors are reported (UPC 7.2.2). */
#include "job.h"

#include "host/resources.h"
#include "host/job.h"
#include "dialect/upc/upc.h"
#include "heap/arena.h"
#include "heap/heap.h"
#include "sync/barrier.h"

#include <sys/stat.h>

#define ME mer_job.mythread
#define THREADS mer_job.threads
#define SLOTS 64
#define ROUNDS 3000

struct held {
    mer_u64 bits;
    size_t bytes;
    unsigned char mark;
};

static void fill(const struct held *h) { memset(mer_at(h->bits), h->mark, h->bytes); }

static void verify(const struct held *h) {
    const unsigned char *p = mer_at(h->bits);
    for (size_t i = 0; i < h->bytes; i += 1 + h->bytes / 50)
        CHECK(p[i] == h->mark);
    CHECK(p[h->bytes - 1] == h->mark);
}

/* Mostly small, now and then large. */
static size_t random_size(unsigned *seed) {
    unsigned r = job_random(seed);
    switch (r % 8) {
    case 0:
        return 1 + job_random(seed) % 300000;
    case 1:
    case 2:
        return 1 + job_random(seed) % 20000;
    default:
        return 1 + job_random(seed) % 700;
    }
}

/* Threads allocate, and put their allocations in a common table from which any thread takes and frees. */
static int stress(void) {
    mer_ptr lock = upc_all_lock_alloc();
    mer_pptr memory = upc_all_alloc(1, SLOTS * sizeof(struct held));
    struct held *table = mer_at(memory.bits);
    if (ME == 0)
        memset(table, 0, SLOTS * sizeof *table);
    mer_barrier(0, 0, "x");
    unsigned seed = 4711u + 31u * (unsigned)ME;
    for (int i = 0; i < ROUNDS; i++) {
        struct held h = {.bytes = random_size(&seed), .mark = (unsigned char)job_random(&seed)};
        mer_pptr p = i % 3 ? upc_alloc(h.bytes) : upc_global_alloc(1, h.bytes);
        CHECK(p.bits && p.phase == 0);
        CHECK(mer_native(p.bits) % 64 == 0);
        CHECK((int)upc_threadof(p) == (i % 3 ? ME : 0));
        h.bits = p.bits;
        fill(&h);
        upc_lock(lock);
        unsigned slot = job_random(&seed) % SLOTS;
        struct held old = table[slot];
        table[slot] = h;
        upc_unlock(lock);
        if (old.bits) {
            verify(&old);
            upc_free(mer_mkp(old.bits, 0));
        }
    }
    mer_barrier(0, 0, "x");
    for (int i = ME; i < SLOTS; i += THREADS)
        if (table[i].bits) {
            verify(&table[i]);
            upc_free(mer_mkp(table[i].bits, 0));
        }
    return 0;
}

/* A collective allocation is one object, with a part on every thread. */
static int collective(void) {
    for (int round = 0; round < 200; round++) {
        size_t blocks = 1 + (size_t)round % 7, bytes = 8 + (size_t)round * 40;
        mer_pptr p = upc_all_alloc(blocks, bytes);
        mer_barrier_exchange("upc_all_test", p.bits);
        for (int t = 0; t < THREADS; t++)
            CHECK(mer_barrier_payload(t) == p.bits);
        CHECK(p.bits && upc_threadof(p) == 0);
        size_t rows = (blocks + (size_t)THREADS - 1) / (size_t)THREADS;
        memset(mer_view(ME, mer_native(p.bits)), ME + 1, rows * bytes);
        mer_barrier(0, 0, "x");
        unsigned char *next = mer_view((ME + 1) % THREADS, mer_native(p.bits));
        CHECK(next[0] == (ME + 1) % THREADS + 1 && next[rows * bytes - 1] == next[0]);
        mer_barrier(0, 0, "x");
        if (round % 2)
            upc_all_free(p);
        else if (ME == round % THREADS)
            upc_free(p);
    }
    return 0;
}

static uint64_t committed(void) { return mer_memory_committed(mer_here.memory_fd); }

/* Large memory is reused, and goes back to the system when it is freed. */
static int given_back(void) {
    if (ME == 0) {
        uint64_t before = committed();
        mer_u64 first = 0;
        for (int i = 0; i < 5; i++) {
            mer_pptr p = upc_alloc(64 << 20);
            CHECK(p.bits);
            if (i == 0)
                first = p.bits;
            CHECK(p.bits == first);
            memset(mer_at(p.bits), 1, 64 << 20);
            CHECK(committed() >= before + (64 << 20));
            upc_free(p);
            CHECK(committed() <= before + (1 << 20));
        }
        mer_pptr parts[64]; /* neighbours are merged */
        for (int i = 0; i < 64; i++)
            parts[i] = upc_alloc(1 << 20);
        for (int i = 0; i < 64; i++)
            upc_free(parts[i * 27 % 64]);
        mer_pptr whole = upc_alloc(64 << 20);
        CHECK(whole.bits == first);
        upc_free(whole);
    }
    mer_barrier(0, 0, "x");
    return 0;
}

static int nothing(void) {
    CHECK(!upc_alloc(0).bits && !upc_all_alloc(0, 8).bits && !upc_all_alloc(8, 0).bits &&
          !upc_global_alloc(0, 0).bits);
    upc_free(mer_mkp(0, 0));
    upc_all_free(mer_mkp(0, 0));
    return 0;
}

static int too_large(void) {
    if (ME == 0) {
        CHECK(!upc_alloc(1ULL << 41).bits);
        CHECK(!upc_global_alloc(1ULL << 20, 1ULL << 22).bits);
        CHECK(!upc_global_alloc(SIZE_MAX / 2, 3).bits);
    }
    CHECK(!upc_all_alloc(1ULL << 22, 1ULL << 22).bits);
    mer_pptr p = upc_all_alloc(10, 10); /* smaller requests still succeed */
    CHECK(p.bits);
    return 0;
}

/* Memory that is handed out but not touched yet counts as used. */
static int until_full(void) {
    if (ME == 0) {
        int n = 0;
        while (upc_alloc(1ULL << 30).bits)
            CHECK(++n < 1 << 20);
    }
    return 0;
}

static int free_twice_small(void) {
    mer_pptr p = upc_alloc(100), q = upc_alloc(100);
    CHECK(q.bits);
    upc_free(p);
    upc_free(p);
    return 0;
}

static int free_twice_large(void) {
    mer_pptr p = upc_alloc(1 << 20);
    upc_free(p);
    upc_free(p);
    return 0;
}

static int free_inside(void) {
    mer_pptr p = upc_alloc(1000);
    upc_free(mer_mkp(p.bits + 64, 0));
    return 0;
}

/* Returns whether two pointers lead to different objects. */
static int distinct(mer_u64 a, mer_u64 b) { return mer_distinct(1ULL << 1, 2, (const mer_u64[]){a, b}); }

/* Pointers to the inside and the end of allocations, as every thread sees them. */
static int objects(void) {
    static mer_u64 own;
    mer_pptr all[2] = {upc_all_alloc((size_t)THREADS, 100), upc_all_alloc((size_t)THREADS, 1 << 20)};
    mer_pptr mine = upc_alloc(3 * MER_CHUNK), beside = upc_alloc(MER_CHUNK);
    mer_pptr small = upc_alloc(64), middle = upc_alloc(4096), next = upc_alloc(4096);
    for (int t = 0; t < THREADS; t++) {
        mer_u64 here = mer_bits(t, mer_native(all[1].bits));
        CHECK(distinct(all[0].bits, here) && !distinct(all[1].bits, here));
        CHECK(!distinct(here, here + (1 << 20) - 8) && distinct(all[0].bits, here + (1 << 20) - 8));
        CHECK(distinct(mine.bits, here) && distinct(here, small.bits));
    }
    for (size_t at = 0; at < 3 * MER_CHUNK; at += MER_CHUNK / 2)
        CHECK(!distinct(mine.bits, mine.bits + at) && distinct(beside.bits, mine.bits + at + 8));
    CHECK(!distinct(small.bits + 8, small.bits + 56));
    /* The end of an object is a pointer to it, even if another one begins there. */
    CHECK(!distinct(small.bits, small.bits + 64) && !distinct(mine.bits + 3 * MER_CHUNK, mine.bits));
    CHECK(distinct(mine.bits + 3 * MER_CHUNK, beside.bits));
    int ends = 0;
    mer_pptr before = upc_alloc(64);
    for (int i = 0; i < 40; i++) {
        mer_pptr after = upc_alloc(64);
        if (after.bits == before.bits + 64) {
            CHECK(!distinct(before.bits, after.bits) && distinct(before.bits, after.bits + 8));
            ends++;
        }
        before = after;
    }
    CHECK(ends > 0);
    CHECK(distinct(middle.bits, next.bits) && !distinct(middle.bits, middle.bits + 4096));
    /* Null, private memory, static objects, and freed objects. */
    CHECK(distinct(0, mine.bits) && distinct(mer_distinct_private(&own), mine.bits));
    CHECK(!distinct(mer_distinct_private(mer_at(mine.bits)), mine.bits));
    CHECK(distinct(mer_bits(ME, 0x404000), mine.bits));
    CHECK(!distinct(mer_bits(ME, 0x404000), mer_bits(0, 0x404080)));
    upc_free(beside);
    CHECK(!distinct(beside.bits + 8, mine.bits) && !distinct(beside.bits + 8, small.bits));
    /* Only the pairs that are asked count. */
    mer_u64 roots[3] = {mine.bits, mine.bits + 8, small.bits};
    CHECK(mer_distinct(1ULL << 2 | 1ULL << (MER_DISTINCT_MOST + 2), 3, roots));
    CHECK(!mer_distinct(1ULL << 1 | 1ULL << 2, 3, roots));
    mer_barrier(0, 0, "x");
    return 0;
}

static int free_stray(void) {
    upc_free(mer_mkp(mer_bits(0, 0x404000), 0));
    return 0;
}

static const struct job_body bodies[] = {
    {"stress", stress},
    {"collective", collective},
    {"given_back", given_back},
    {"nothing", nothing},
    {"objects", objects},
    {"too_large", too_large},
    {"until_full", until_full},
    {"free_twice_small", free_twice_small},
    {"free_twice_large", free_twice_large},
    {"free_inside", free_inside},
    {"free_stray", free_stray},
    {0},
};

static int count(const char *text, const char *what) {
    int n = 0;
    for (; (text = strstr(text, what)); text++)
        n++;
    return n;
}

static void checks(void) {
    for (uint64_t bytes = 1; bytes <= MER_SMALL_MAX; bytes++) {
        uint64_t size = mer_arena_class_size(bytes);
        CHECK(size >= bytes && size % 64 == 0 && size < bytes + 64 + bytes / 4);
    }
    static const int counts[] = {1, 2, 3, 4, 8};
    for (unsigned i = 0; i < sizeof counts / sizeof *counts; i++) {
        int threads = counts[i];
        job_expect_good("stress", threads);
        job_expect_good("collective", threads);
        job_expect_good("given_back", threads);
        job_expect_good("nothing", threads);
        job_expect_good("objects", threads);
        job_expect_good("until_full", threads);
        job_expect_good("too_large", threads);
        const struct job_result *r = job_run("too_large", threads, NULL);
        CHECK(r->thread == -1 && count(r->text, "returns a null pointer-to-shared") == 4);
        CHECK(strstr(r->text, "upc_alloc: asked for 2.0 TB of shared memory, but"));
        job_expect_message("free_twice_small", threads, "cannot be freed: it is free already");
        job_expect_message("free_twice_large", threads, "cannot be freed: it is free already");
        job_expect_message("free_inside", threads, "cannot be freed: it points into an allocation");
        job_expect_message("free_stray", threads, "cannot be freed: it points to no allocation");
    }
}

int main(int argc, char **argv) { return job_main(argc, argv, bodies, checks); }
