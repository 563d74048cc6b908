/* The bodies of test_split_c: everything addressable, and Split-C's library from plain C. A program with
 * splitc_main, so that it runs on the stack that all processors can address. */
#include "job.h"

#include <meridian/am.h>
#include <meridian/meridian.h>
#include <split-c/control.h>
#include <split-c/counter.h>
#include <split-c/split-c.h>

#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define RIGHT ((MYPROC + 1) % PROCS)
#define LEFT ((MYPROC + PROCS - 1) % PROCS)

static int initialised[3] = {7, 8, 9};
static long zero_at_start[5000];
/* Static shared objects, as UPC files of the same program have them. */
MER_SHARED_BEGIN
static int shared_part[3000] MER_SHARED_DATA;
MER_SHARED_END
static const char constant[] = "the same everywhere";

/* ---- memory ------------------------------------------------------------------------------------------- */

static int read_int(mer_ptr g) { return MER_GLOBAL_GET(int, g.bits); }
static void write_int(mer_ptr g, int value) { MER_GLOBAL_PUT(int, g.bits, value); }

static void all_bodies_done(void) { barrier(); }

/* Each processor's neighbour reads and writes the int at the local address p. */
static void exchange_with_neighbours(int *p) {
    *p = 100 + MYPROC;
    barrier();
    mer_ptr theirs = mer_mk(0);
    mer_ptr *table = tolocal(toglobal(MYPROC, &theirs));
    CHECK(table == &theirs);
    /* Addresses may differ between processors: they tell each other. */
    static mer_ptr told;
    told = mer_to_global(p);
    barrier();
    mer_ptr right;
    bulk_read(&right, toglobal(RIGHT, &told), sizeof right);
    CHECK(toproc(right) == RIGHT);
    CHECK(read_int(right) == 100 + RIGHT);
    barrier();
    write_int(right, 200 + MYPROC);
    barrier();
    CHECK(*p == 200 + LEFT);
    barrier();
}

static int places(void) {
    int automatic, *heap = malloc(sizeof *heap), *raw;
    CHECK(initialised[0] == 7 && initialised[1] == 8 && initialised[2] == 9);
    for (int i = 0; i < 5000; i++)
        CHECK(zero_at_start[i] == 0);
    raw = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    static _Thread_local int of_thread;
    exchange_with_neighbours(&initialised[1]);
    exchange_with_neighbours(&automatic);
    exchange_with_neighbours(heap);
    exchange_with_neighbours(raw);
    exchange_with_neighbours(&of_thread);
    CHECK(initialised[0] == 7 && initialised[2] == 9);
#if !JOB_SANITIZED
    if (!getenv("MERIDIAN_REFERENCE"))
        CHECK(!mer_remote_global(mer_to_global(&automatic).bits) &&
              !mer_remote_global(mer_to_global(heap).bits));
#endif
    CHECK(mer_remote_global(mer_to_global(raw).bits));
    /* A static shared object has its place as in UPC programs, and its neighbours in memory are unchanged. */
    int *right = mer_at(mer_bits((mer_u64)RIGHT, MER_SYM(shared_part)));
    for (int i = 0; i < 3000; i++)
        CHECK(right[i] == 0);
    barrier();
    right[17] = 5 + MYPROC;
    barrier();
    CHECK(shared_part[17] == 5 + LEFT && shared_part[16] == 0);
    CHECK(initialised[0] == 7 && zero_at_start[4999] == 0);
    char text[sizeof constant];
    bulk_read(text, toglobal(RIGHT, constant), sizeof constant);
    CHECK(strcmp(text, constant) == 0);
    free(heap);
    return 0;
}

static int conversions(void) {
    int automatic;
    int *heap = malloc(100);
    int *each[] = {&initialised[2], &automatic, heap, NULL};
    for (unsigned i = 0; i < 4; i++)
        for (int p = 0; p < PROCS; p++) {
            mer_ptr g = toglobal(p, each[i]);
            CHECK(each[i] ? toproc(g) == p : g.bits == 0);
            CHECK(tolocal(g) == each[i]);
        }
    CHECK(mer_native(mer_to_global(initialised).bits) == (mer_u64)(uintptr_t)initialised);
    CHECK(mer_to_global(initialised + 1).bits == mer_add_i(mer_to_global(initialised), 1, sizeof(int)).bits);
    /* A pointer to another's memory, as C sees it, keeps its owner. */
    mer_ptr g = toglobal(RIGHT, initialised);
    CHECK(mer_to_global(mer_at(g.bits)).bits == g.bits);
    CHECK(PROCSLOG == (PROCS == 1 ? 0 : PROCS == 2 ? 1 : PROCS == 4 ? 2 : PROCS == 8 ? 3 : -1));
    free(heap);
    return 0;
}

/* malloc and its kin keep their promises, and others see the memory that they return. */
static int heap(void) {
    unsigned seed = 99u + (unsigned)MYPROC;
    enum { BLOCKS = 300 };
    static unsigned char *block[BLOCKS];
    static size_t size[BLOCKS];
    for (int round = 0; round < 6000; round++) {
        unsigned i = job_random(&seed) % BLOCKS, how = job_random(&seed) % 4;
        size_t n = job_random(&seed) % (job_random(&seed) % 50 == 0 ? 300000 : 400);
        for (size_t k = 0; block[i] && k < size[i]; k++)
            CHECK(block[i][k] == (unsigned char)(i + k));
        if (how == 3 && block[i]) {
            block[i] = realloc(block[i], n + 1);
            for (size_t k = 0; k < size[i] && k <= n; k++)
                CHECK(block[i][k] == (unsigned char)(i + k));
        } else {
            free(block[i]);
            block[i] = how == 0 ? malloc(n + 1) : how == 1 ? calloc(n + 1, 1) : memalign(1u << n % 12, n + 1);
            for (size_t k = 0; how == 1 && k <= n; k++)
                CHECK(block[i][k] == 0);
            CHECK(how != 2 || (uintptr_t)block[i] % (1u << n % 12) == 0);
        }
        CHECK(block[i] && malloc_usable_size(block[i]) >= n + 1);
        size[i] = n + 1;
        for (size_t k = 0; k <= n; k++)
            block[i][k] = (unsigned char)(i + k);
    }
    void *wide = NULL;
    CHECK(posix_memalign(&wide, 1 << 20, 10) == 0 && (uintptr_t)wide % (1 << 20) == 0);
    free(wide);
    char *copy = strdup("a text"), *large = calloc(3 << 20, 1);
    CHECK(strcmp(copy, "a text") == 0);
    for (int i = 0; i < 3 << 20; i += 4096)
        CHECK(large[i] == 0);
#if !JOB_SANITIZED /* which ends the program */
    volatile size_t half = SIZE_MAX / 2;
    CHECK(calloc(half, 4) == NULL);
#endif
    free(copy);
    free(large);
    FILE *f = popen("echo child", "r"); /* the child runs on its own stack */
    char text[32] = "";
    CHECK(f && fgets(text, sizeof text, f) && strcmp(text, "child\n") == 0 && pclose(f) == 0);
    return 0;
}

/* Blocks aligned to more than a chunk, in several POSIX threads at once. */
static pthread_barrier_t all_there;

static void *wide_blocks(void *argument) {
    /* The sanitizer has an allocator of its own, which maps each such block. */
    enum { KEPT = 64, BLOCKS = JOB_SANITIZED ? 500 : 20000 };
    static _Thread_local unsigned char *kept[KEPT];
    unsigned seed = 7u + (unsigned)(long)argument;
    pthread_barrier_wait(&all_there);
    for (int i = 0; i < BLOCKS; i++) {
        unsigned char **at = &kept[job_random(&seed) % KEPT];
        if (*at)
            CHECK(**at == (unsigned char)(long)argument && malloc_usable_size(*at) >= 10);
        free(*at);
        *at = memalign(256 << 10, 10);
        CHECK(*at && (uintptr_t)*at % (256 << 10) == 0);
        **at = (unsigned char)(long)argument;
    }
    for (int i = 0; i < KEPT; i++)
        free(kept[i]);
    return NULL;
}

static int wide_threads(void) {
    pthread_t id[4];
    pthread_barrier_init(&all_there, NULL, 4);
    for (long t = 0; t < 4; t++)
        CHECK(pthread_create(&id[t], NULL, wide_blocks, (void *)t) == 0);
    for (int t = 0; t < 4; t++)
        CHECK(pthread_join(id[t], NULL) == 0);
#if !JOB_SANITIZED /* which ends the program */
    volatile size_t most = SIZE_MAX;
    CHECK(pvalloc(most - 10) == NULL);
#endif
    return 0;
}

/* A child has memory of its own. */
static int forked(void) {
    int automatic = 1;
    int *block = malloc(sizeof *block);
    *block = 2;
    initialised[1] = 3;
    printf("before %d\n", MYPROC);
    for (int round = 0; round < 5; round++) {
        pid_t pid = fork();
        CHECK(pid >= 0);
        if (pid == 0) {
            CHECK(automatic == 1 && *block == 2 && initialised[1] == 3);
            automatic = *block = initialised[1] = 50;
            for (int i = 0; i < 1000; i++)
                free(malloc((size_t)i * 100));
            free(block);
            printf("child of %d\n", MYPROC);
            exit(7);
        }
        void *more = malloc(5000);
        memset(more, 1, 5000);
        int status = 0;
        CHECK(waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 7);
        CHECK(automatic == 1 && *block == 2 && initialised[1] == 3);
        free(more);
    }
    free(block);
    return 0;
}

static volatile int depth_reached;
static int overflow(int n) {
    volatile char frame[4096];
    frame[0] = (char)n;
    depth_reached = n;
    return n < 0 ? 0 : overflow(n + 1) + frame[0];
}
static int stack_full(void) { return overflow(0); }

/* The processor after the last one: its number in a pointer makes an address in the view of no thread. */
static int missing_read(void) { return read_int(toglobal(PROCS, &initialised[0])); }

/* Memory outside of the views, which is reached by messages. */
static int missing_private(void) {
    void *outside = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mer_ptr g = toglobal(-3, outside);
    CHECK(outside != MAP_FAILED && toproc(g) == -3);
    return read_int(g);
}

static int null_read(void) { return read_int(mer_mk(0)); }

/* ---- bulk, stores, counters ---------------------------------------------------------------------------- */

static unsigned char area[70000], expect[70000], image[70000];

static void fill(unsigned char *p, size_t n, unsigned seed) {
    for (size_t i = 0; i < n; i++)
        p[i] = (unsigned char)job_random(&seed);
}

static int bulk(void) {
    unsigned seed = 5u + (unsigned)MYPROC;
    for (int round = 0; round < 120; round++) {
        size_t n = job_random(&seed) % (round % 10 == 0 ? 60000 : 300);
        size_t a = job_random(&seed) % 5000, b = job_random(&seed) % 5000;
        fill(area, sizeof area, 1u + (unsigned)(round * PROCS + MYPROC));
        barrier();
        fill(expect, sizeof expect, 1u + (unsigned)(round * PROCS + RIGHT));
        if (round % 2)
            bulk_read(image, toglobal(RIGHT, area + a), n);
        else {
            bulk_get(image, toglobal(RIGHT, area + a), n);
            sync();
        }
        CHECK(memcmp(image, expect + a, n) == 0);
        barrier();
        fill(image, sizeof image, 77u + (unsigned)round);
        if (round % 3 == 0)
            bulk_write(toglobal(RIGHT, area + b), image + a % 64, n);
        else if (round % 3 == 1) {
            bulk_put(toglobal(RIGHT, area + b), image + a % 64, n);
            sync();
            CHECK(is_sync());
        } else
            bulk_store(toglobal(RIGHT, area + b), image + a % 64, n);
        all_store_sync();
        /* The left neighbour's bytes: its numbers come from its own seed. */
        static size_t told[3];
        size_t mine[3] = {n, a, b}, theirs[3];
        memcpy(told, mine, sizeof told);
        barrier();
        bulk_read(theirs, toglobal(LEFT, told), sizeof theirs);
        CHECK(memcmp(area + theirs[2], image + theirs[1] % 64, theirs[0]) == 0);
        barrier();
    }
    /* Overlap, as memmove. */
    for (int i = 0; i < 1000; i++)
        area[i] = (unsigned char)i;
    bulk_write(toglobal(MYPROC, area + 3), area, 500);
    for (int i = 0; i < 500; i++)
        CHECK(area[i + 3] == (unsigned char)i);
    return 0;
}

static int stores(void) {
    static long inbox[64];
    for (int round = 0; round < 200; round++) {
        for (int i = 0; i < 64; i++)
            MER_STORE(long, toglobal(RIGHT, &inbox[i]).bits, round * 1000 + i + MYPROC * 100000);
        store_sync(64 * sizeof(long));
        for (int i = 0; i < 64; i++)
            CHECK(inbox[i] == round * 1000 + i + LEFT * 100000);
        if (round % 3 == 0)
            all_store_sync();
        else
            barrier();
    }
    /* Everybody to processor 0, then counted in all. */
    static int slots[64];
    MER_STORE(int, toglobal(0, &slots[MYPROC]).bits, MYPROC + 1);
    all_store_sync();
    for (int p = 0; MYPROC == 0 && p < PROCS; p++)
        CHECK(slots[p] == p + 1);
    barrier();
    /* reset_store_sync forgets the bytes that have come, and nothing else. */
    MER_STORE(int, toglobal(RIGHT, &slots[0]).bits, 1);
    store_sync(sizeof(int));
    barrier();
    MER_STORE(int, toglobal(RIGHT, &slots[2]).bits, 1);
    /* Messages between two processors are handled in order, so after this write the store is counted too; a
     * processor that has seen its value alone may be ahead of the count. */
    write_int(toglobal(RIGHT, &slots[3]), 1);
    barrier();
    CHECK(slots[2] == 1);
    reset_store_sync();
    barrier();
    MER_STORE(int, toglobal(RIGHT, &slots[1]).bits, 2);
    store_sync(sizeof(int));
    CHECK(slots[1] == 2);
    all_store_sync();
    return 0;
}

static int counters(void) {
    static int value, inbox[2][32];
    static StCtr north, south;
    value = 40 + MYPROC;
    barrier();
    int got[2] = {0, 0};
    Ctr a = 0, b = 0;
    get_ctr(&got[0], toglobal(RIGHT, &value), sizeof(int), &a);
    get_ctr(&got[1], toglobal(LEFT, &value), sizeof(int), &b);
    sync_ctr(&b);
    sync_ctr(&a);
    CHECK(is_sync_ctr(&a) && got[0] == 40 + RIGHT && got[1] == 40 + LEFT);
    for (int round = 0; round < 50; round++) {
        for (int i = 0; i < 32; i++) {
            int x = round * 100 + i;
            store_ctr(toglobal(RIGHT, &inbox[0][i]), &x, sizeof x, &north);
            x = -x;
            store_ctr(toglobal(LEFT, &inbox[1][i]), &x, sizeof x, &south);
        }
        store_sync_ctr(&north, 32 * sizeof(int));
        for (int i = 0; i < 32; i++)
            CHECK(inbox[0][i] == round * 100 + i);
        store_sync_ctr(&south, 32 * sizeof(int));
        for (int i = 0; i < 32; i++)
            CHECK(inbox[1][i] == -(round * 100 + i));
        barrier();
    }
    int x = 5;
    store_ctr(toglobal(RIGHT, &inbox[0][0]), &x, sizeof x, &north);
    all_store_sync_ctr(&north);
    CHECK(inbox[0][0] == 5 && north.send == 0 && north.recv == 0);
    Ctr c = 0;
    put_ctr(toglobal(RIGHT, &inbox[1][MYPROC % 32]), &x, sizeof x, &c);
    sync_ctr(&c);
    CHECK(c == 0);
    return 0;
}

/* ---- library ------------------------------------------------------------------------------------------- */

static int spread(void) {
    for (size_t blocks = 0; blocks < 20; blocks++) {
        mer_ptr p = all_spread_malloc(blocks, 24);
        CHECK((p.bits == 0) == (blocks == 0));
        int i;
        for_my_1d(i, (int)blocks) {
            mer_ptr b = mer_add_c(p, i, 24);
            CHECK(toproc(b) == MYPROC);
            memset(tolocal(b), i, 24);
        }
        barrier();
        for (int k = 0; k < (int)blocks; k++) {
            unsigned char bytes[24];
            bulk_read(bytes, mer_add_c(p, k, 24), 24);
            CHECK(bytes[0] == k && bytes[23] == k);
        }
        all_spread_free(p);
    }
    on_proc(PROCS - 1) {
        mer_ptr p = spread_malloc(5, 100);
        CHECK(p.bits && toproc(p) == 0);
        spread_free(p);
    }
    return 0;
}

static int loops(void) {
    int i, j, count = 0;
    static int seen[7][5];
    for_my_2d(i, j, 7, 5) {
        CHECK(i < 7 && j < 5 && (i * 5 + j) % PROCS == MYPROC);
        seen[i][j]++;
        count++;
    }
    CHECK(all_reduce_to_all_add(count) == 35);
    for (i = 0; i < 7; i++)
        for (j = 0; j < 5; j++)
            CHECK(all_reduce_to_all_add(seen[i][j]) == 1);
    volatile int none = 0;
    for_my_2d(i, j, 3, none) CHECK(0);
    int ones = 0;
    on_one ones = 1;
    CHECK(all_reduce_to_all_add(ones) == 1);
    return 0;
}

struct pair {
    int first, last, steps[3];
};
/* Associative, not commutative: intervals that join. */
static void join(void *into, const void *value) {
    struct pair *a = into;
    const struct pair *b = value;
    CHECK(a->last + 1 == b->first);
    a->last = b->last;
    a->steps[0] += b->steps[0];
}

static int collectives(void) {
    int p = PROCS, me = MYPROC, sum = 0, product = 1, bits = 0;
    for (int i = 0; i < p; i++) {
        sum += i + 1;
        product *= i % 3 + 1;
        bits ^= i * 37;
    }
    for (int round = 0; round < 10; round++) {
        CHECK(all_reduce_to_all_add(me + 1) == sum);
        CHECK(all_reduce_to_one_add(me + 1) == (me ? me + 1 : sum));
        CHECK(all_scan_add(1) == me + 1);
        CHECK(all_reduce_to_all_mult(me % 3 + 1) == product);
        CHECK(all_reduce_to_all_max(-me) == 0 && all_reduce_to_all_min(-me) == -(p - 1));
        CHECK(all_reduce_to_all_xor(me * 37) == bits);
        CHECK(all_reduce_to_all_or(1 << me) == (1 << p) - 1 &&
              all_reduce_to_all_and(~(1 << me)) == ~((1 << p) - 1));
        CHECK(all_reduce_to_all_umax(me == p - 1 ? 4000000000u : 1u) == 4000000000u);
        CHECK(all_reduce_to_all_ladd(1L << 40) == (long)p << 40);
        CHECK(all_scan_lmax(1L << (40 + me % 2)) == 1L << (me ? 41 : 40));
        CHECK(all_reduce_to_all_fadd(0.5f) == 0.5f * (float)p);
        CHECK(all_reduce_to_all_dmax(-1.5 - me) == -1.5 && all_scan_dadd(0.25) == 0.25 * (me + 1));
        CHECK(all_bcast(me + 3) == 3 && all_bcast_d(me + 0.5) == 0.5 && all_bcast_l(-1L - me) == -1L);
        struct pair x = {me, me, {1, 0, 0}}, y = x, z = x;
        all_reduce_to_all_func(&x, sizeof x, join);
        CHECK(x.first == 0 && x.last == p - 1 && x.steps[0] == p);
        all_scan_func(&y, sizeof y, join);
        CHECK(y.first == 0 && y.last == me && y.steps[0] == me + 1);
        all_reduce_to_one_func(&z, sizeof z, join);
        CHECK(me || z.last == p - 1);
        for (int root = 0; root < p; root++) {
            fill(area, 10000, 3u + (unsigned)me);
            fill(expect, 10000, 3u + (unsigned)root);
            all_bcast_bulk(area, 10000, root);
            CHECK(memcmp(area, expect, 10000) == 0);
        }
    }
    return 0;
}

static int plus(int *p, int n, long *where) {
    (void)where;
    int old = *p;
    for (volatile int i = 0; i < 20; i++)
        ;
    *p = old + n;
    return old + MYPROC * 1000000;
}

static int atomics(void) {
    static int count, flag;
    static long wide;
    enum { TURNS = 300 };
    for (int i = 0; i < TURNS; i++) {
        for (int p = 0; p < PROCS; p++) {
            fetch_and_add(toglobal(p, &count), 1);
            fetch_and_add_l(toglobal(p, &wide), 1L << 33);
        }
        int owner = i % PROCS;
        CHECK(atomic(plus, toglobal(owner, &count), 2, &wide) / 1000000 == owner);
    }
    barrier();
    CHECK(all_reduce_to_all_add(count) == TURNS * PROCS * PROCS + 2 * TURNS * PROCS);
    CHECK(wide == (long)TURNS * PROCS << 33);
    barrier();
    CHECK(all_reduce_to_all_add(test_and_set(toglobal(0, &flag))) == PROCS - 1);
    CHECK(flag == 1 || MYPROC);
    barrier();
    CHECK(all_reduce_to_all_add(cmp_and_swap(toglobal(0, &flag), 1, 5 + MYPROC) == 1) == 1);
    barrier();
    on_one {
        int before = flag;
        CHECK(before >= 5 && exchange(toglobal(0, &flag), 77) == before && flag == 77);
    }
    barrier();
    return 0;
}

static int queues(void) {
    enum { ITEMS = 200 };
    static splitc_queue queue;
    struct item {
        int from, number, pad[5];
    };
    struct item *buffer = malloc((size_t)PROCS * ITEMS * sizeof *buffer), item = {MYPROC, 0, {0}};
    queue_init(&queue, buffer, (size_t)PROCS * ITEMS, sizeof item);
    barrier();
    for (item.number = 0; item.number < ITEMS; item.number++)
        for (int p = 0; p < PROCS; p++)
            CHECK(enqueue(toglobal(p, &queue), &item));
    barrier();
    CHECK(!enqueue(toglobal(MYPROC, &queue), &item));
    int next[64] = {0};
    for (int i = 0; i < PROCS * ITEMS; i++) {
        CHECK(dequeue(&queue, &item));
        CHECK(item.number == next[item.from]++);
    }
    CHECK(!dequeue(&queue, &item));
    free(buffer);
    barrier();
    return 0;
}

static const struct job_body bodies[] = {{"places", places},
                                         {"conversions", conversions},
                                         {"heap", heap},
                                         {"wide_threads", wide_threads},
                                         {"forked", forked},
                                         {"stack_full", stack_full},
                                         {"null_read", null_read},
                                         {"missing_read", missing_read},
                                         {"missing_private", missing_private},
                                         {"bulk", bulk},
                                         {"stores", stores},
                                         {"counters", counters},
                                         {"spread", spread},
                                         {"loops", loops},
                                         {"collectives", collectives},
                                         {"atomics", atomics},
                                         {"queues", queues},
                                         {0}};

int splitc_main(int argc, char **argv);

int splitc_main(int argc, char **argv) {
    for (const struct job_body *b = bodies; argc == 3 && b->name; b++)
        if (strcmp(b->name, argv[2]) == 0) {
            int status = b->run();
            all_bodies_done();
            return status;
        }
    return 97;
}
