/* The layers above active messages in jobs on several hosts: barriers and their payloads, locks, the heap.
 * Each job runs over 2 and 3 hosts, which are processes of this machine with memory of their own that talk by
 * the loopback interface. */
#include "job.h"

#include "am/am.h"
#include "rma/get_put.h"
#include "host/hosts.h"
#include "host/layout.h"
#include "host/job.h"
#include "sync/semaphore.h"
#include "dialect/upc/upc.h"
#include "heap/heap.h"
#include "rma/copy.h"
#include "sync/barrier.h"
#include "transport/receive_ring.h"
#include "transport/transport.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define ME mer_job.mythread
#define THREADS mer_job.threads

/* ---- barriers ------------------------------------------------------------------------------------------ */

/* Every thread stores a number of the round; after the barrier each must find all others' numbers. */
static int rounds(void) {
    unsigned seed = 12345u + (unsigned)ME * 977u;
    for (uint64_t round = 1; round <= 300; round++) {
        mer_barrier_exchange("rounds", round * 1000 + (uint64_t)ME);
        for (int t = 0; t < THREADS; t++)
            CHECK(mer_barrier_payload(t) == round * 1000 + (uint64_t)t);
        job_delay(&seed, 2000);
        mer_barrier(round % 3 == 0, (int)round, "a.upc:2");
        mer_notify(ME % 2, (int)round, "a.upc:3");
        job_delay(&seed, 2000);
        mer_wait(ME % 3 == 0, (int)round, "a.upc:4");
    }
    return 0;
}

/* Bytes that do not repeat at the distances at which transfers are cut. */
static unsigned char byte_of(int round, int t, size_t i) {
    return (unsigned char)((uint32_t)(round * 7 + t * 31 + (int)i) * 2654435761U >> 24);
}

/* Blocks of all lengths; none from some threads. */
static int allgathers(void) {
    static unsigned char own[MER_SCRATCH_SIZE / 4096];
    CHECK(sizeof own >= 4096);
    for (int round = 0; round < 200; round++) {
        size_t n = ((size_t)round * 137 + (size_t)ME * 59) % (mer_barrier_allgather_most() + 1);
        if ((round + ME) % 5 == 0)
            n = 0;
        for (size_t i = 0; i < n; i++)
            own[i] = byte_of(round, ME, i);
        mer_barrier_allgather("allgathers", own, n);
        for (int t = 0; t < THREADS; t++) {
            size_t m = ((size_t)round * 137 + (size_t)t * 59) % (mer_barrier_allgather_most() + 1);
            const unsigned char *theirs = mer_barrier_gathered(t);
            for (size_t i = 0; (round + t) % 5 && i < m; i++)
                CHECK(theirs[i] == byte_of(round, t, i));
        }
    }
    return 0;
}

/* A wait completes when all have notified, even if they do not wait: thread 0 waits alone, while the others
 * compute without a call of the runtime until it has done so. */
static int wait_needs_no_wait(void) {
    mer_ptr words = mer_mk(0);
    if (ME == 0)
        words = mer_mk(mer_bits(0, mer_heap_symmetric(64, 64 * (size_t)THREADS, "test")));
    mer_barrier_exchange("words", words.bits);
    mer_u64 at = mer_barrier_payload(0), mine = at + (mer_u64)ME * mer_stride();
    volatile int *flag = mer_at(mine);
    *flag = 0;
    mer_barrier(0, 0, "a.upc:1");
    for (int round = 1; round <= 5; round++) {
        mer_notify(0, 0, "a.upc:2");
        if (ME == 0) {
            mer_wait(0, 0, "a.upc:3");
            for (int t = 1; t < THREADS; t++)
                mer_rma_put(at + (mer_u64)t * mer_stride(), &round, sizeof round, "test");
        } else {
            while (*flag < round)
                usleep(50);
            mer_wait(0, 0, "a.upc:3");
        }
    }
    return 0;
}

static int values_differ(void) {
    mer_barrier(1, ME == THREADS - 1 ? 8 : 7, ME == THREADS - 1 ? "a.upc:20" : "a.upc:10");
    return 0;
}

static int kinds_differ(void) {
    if (ME == THREADS - 1)
        return 0;
    mer_barrier(0, 0, "a.upc:10");
    return 0;
}

static int wait_differs(void) {
    mer_notify(ME == 0, 3, "a.upc:10");
    mer_wait(ME == THREADS - 1, 4, "a.upc:11");
    mer_barrier(0, 0, "a.upc:12");
    return 0;
}

/* ---- locks --------------------------------------------------------------------------------------------- */

/* A counter that is read and written apart, under a lock of the last thread's. */
static int exclusion(void) {
    mer_ptr lock = mer_mk(0);
    uint64_t counter = 0;
    unsigned seed = 5u + (unsigned)ME;
    if (ME == THREADS - 1) {
        lock = upc_global_lock_alloc();
        counter = mer_bits((mer_u64)ME, mer_heap_local(64, "test"));
        *(long *)mer_at(counter) = 0;
    }
    mer_barrier_exchange("lock", lock.bits);
    lock = mer_mk(mer_barrier_payload(THREADS - 1));
    mer_barrier_exchange("counter", counter);
    counter = mer_barrier_payload(THREADS - 1);
    long seen, won = 0;
    for (int round = 0; round < 150; round++) {
        if (round % 3 == 0) {
            if (!upc_lock_attempt(lock))
                continue;
        } else {
            upc_lock(lock);
        }
        won++;
        mer_rma_get(&seen, counter, sizeof seen, "test");
        job_delay(&seed, 500);
        seen++;
        mer_rma_put(counter, &seen, sizeof seen, "test");
        upc_unlock(lock);
    }
    mer_barrier_exchange("won", (uint64_t)won);
    long sum = 0;
    for (int t = 0; t < THREADS; t++)
        sum += (long)mer_barrier_payload(t);
    mer_rma_get(&seen, counter, sizeof seen, "test");
    CHECK(seen == sum);
    mer_barrier(0, 0, "a.upc:1");
    if (ME == 0)
        upc_lock_free(lock);
    return 0;
}

static mer_ptr lock_of_last(void) {
    mer_barrier_exchange("lock", ME == THREADS - 1 ? upc_global_lock_alloc().bits : 0);
    return mer_mk(mer_barrier_payload(THREADS - 1));
}

static int lock_twice(void) {
    mer_ptr lock = lock_of_last();
    if (ME == 0) {
        upc_lock(lock);
        upc_lock(lock);
    }
    mer_barrier(0, 0, "a.upc:1");
    return 0;
}

static int unlock_anothers(void) {
    mer_ptr lock = lock_of_last();
    if (ME == THREADS - 1)
        upc_lock(lock);
    mer_barrier(0, 0, "a.upc:1");
    if (ME == 0)
        upc_unlock(lock);
    mer_barrier(0, 0, "a.upc:2");
    return 0;
}

static int lock_freed(void) {
    mer_ptr lock = lock_of_last();
    if (ME == 0) {
        upc_lock_free(lock);
        upc_lock(lock);
    }
    mer_barrier(0, 0, "a.upc:1");
    return 0;
}

/* `n' words in the last thread's memory, 0 at first. */
static mer_u64 words_of_last(size_t n) {
    uint64_t at = 0;
    if (ME == THREADS - 1) {
        at = mer_bits((mer_u64)ME, mer_heap_local(n * sizeof(long), "test"));
        memset(mer_at(at), 0, n * sizeof(long));
    }
    mer_barrier_exchange("words", at);
    return mer_barrier_payload(THREADS - 1);
}

static mer_ptr turn_of_last(enum mer_semaphore_kind kind, uint32_t left) {
    mer_barrier_exchange("turn", ME == THREADS - 1 ? mer_semaphore_new(kind, left, "test").bits : 0);
    return mer_mk(mer_barrier_payload(THREADS - 1));
}

/* A thread that waits for a part of a semaphore is not overtaken by one that wants less. */
static int queue_is_kept(void) {
    mer_ptr turn = turn_of_last(MER_SEMAPHORE_COUNT, 1);
    if (ME == 0)
        CHECK(mer_semaphore_take(turn, 3, "test") == MER_SEMAPHORE_DONE);
    if (ME == THREADS - 1) {
        struct mer_semaphore *t = mer_at(turn.bits);
        while (!__atomic_load_n(&t->first, __ATOMIC_RELAXED))
            usleep(50);
        CHECK(mer_semaphore_try(turn, 1) == MER_SEMAPHORE_NOT_NOW);
        CHECK(mer_semaphore_give(turn, 2, NULL) == MER_SEMAPHORE_DONE);
    }
    mer_barrier(0, 0, "a.upc:1");
    CHECK(mer_semaphore_try(turn, 1) == MER_SEMAPHORE_NOT_NOW);
    return 0;
}

/* Threads get a lock in the order in which they have asked for it: each asks when the one before it is in the
 * queue, and notes its number when it has the lock. */
static int queue_order(void) {
    mer_ptr lock = turn_of_last(MER_SEMAPHORE_LOCK, 1);
    mer_u64 words = words_of_last((size_t)THREADS + 2), noted = words, asks = words + sizeof(long);
    long count, own = ME, turn_to_ask = -1;
    if (ME == THREADS - 1) {
        struct mer_semaphore *t = mer_at(lock.bits);
        CHECK(mer_semaphore_take(lock, 1, "test") == MER_SEMAPHORE_DONE);
        for (long thread = 0; thread < ME; thread++) {
            *(volatile long *)mer_at(asks) = thread + 1;
            while (__atomic_load_n(&t->last, __ATOMIC_RELAXED) != thread + 1)
                usleep(50);
        }
        CHECK(mer_semaphore_give(lock, 1, NULL) == MER_SEMAPHORE_DONE);
    } else {
        while (turn_to_ask != ME + 1)
            mer_rma_get(&turn_to_ask, asks, sizeof turn_to_ask, "test");
        CHECK(mer_semaphore_take(lock, 1, "test") == MER_SEMAPHORE_DONE);
        mer_rma_get(&count, noted, sizeof count, "test");
        mer_rma_put(words + (2 + (mer_u64)count) * sizeof own, &own, sizeof own, "test");
        count++;
        mer_rma_put(noted, &count, sizeof count, "test");
        CHECK(mer_semaphore_give(lock, 1, NULL) == MER_SEMAPHORE_DONE);
    }
    mer_barrier(0, 0, "a.upc:1");
    if (ME == THREADS - 1)
        for (long i = 0; i < ME; i++)
            CHECK(((long *)mer_at(words))[2 + i] == i);
    mer_barrier(0, 0, "a.upc:2");
    return 0;
}

/* ---- the heap ------------------------------------------------------------------------------------------ */

/* Symmetric allocations by any thread do not overlap, and every thread has its part; another thread frees
 * them. */
static int symmetric(void) {
    enum { COUNT = 12 };
    static const size_t sizes[] = {8, 4000, 70000, 3 << 20};
    for (int round = 0; round < 6; round++) {
        size_t n = sizes[round % 4];
        uint64_t mine = mer_heap_symmetric(n, n * (size_t)THREADS, "test"), at[64];
        CHECK(mine);
        mer_barrier_exchange("place", mine);
        for (int t = 0; t < THREADS; t++)
            at[t] = mer_barrier_payload(t);
        for (int t = 0; t < THREADS; t++) { /* this thread's part of t's */
            memset(mer_view(ME, at[t]), t * 16 + ME, n);
            CHECK(*(unsigned char *)mer_view(ME, at[t]) == t * 16 + ME);
        }
        mer_barrier(0, 0, "a.upc:1");
        for (int t = 0; t < THREADS; t++)
            for (size_t i = 0; i < n; i++)
                CHECK(((unsigned char *)mer_view(ME, at[t]))[i] == (unsigned char)(t * 16 + ME));
        mer_barrier(0, 0, "a.upc:2");
        mer_heap_free(0, at[(ME + 1) % THREADS], "upc_free");
    }
    return 0;
}

/* Local memory freed by a thread of another host. */
static int freed_by_another_host(void) {
    for (int round = 0; round < 40; round++) {
        uint64_t at = mer_heap_local(round % 2 ? 100 : 200000, "test");
        CHECK(at);
        mer_barrier_exchange("place", at);
        int other = (ME + 1) % THREADS;
        mer_heap_free(other, mer_barrier_payload(other), "upc_free");
        mer_barrier(0, 0, "a.upc:1");
    }
    return 0;
}

static int freed_twice(void) {
    mer_barrier_exchange("place", mer_heap_local(100, "test"));
    if (ME == 0) {
        int other = THREADS - 1;
        mer_heap_free(other, mer_barrier_payload(other), "upc_free");
        mer_heap_free(other, mer_barrier_payload(other), "upc_free");
    }
    mer_barrier(0, 0, "a.upc:1");
    return 0;
}

static int too_much(void) {
    if (ME == THREADS - 1)
        CHECK(!mer_heap_symmetric(1ULL << 42, (1ULL << 42) * (size_t)THREADS, "upc_global_alloc"));
    mer_barrier(0, 0, "a.upc:1");
    exit(7);
}

/* Long transfers, which may go by a conduit's get and put, and short ones to and from the same places: each
 * sees the effect of the one before. */
static int long_and_short(void) {
    const size_t n = (5 << 20) + 77;
    int next = (ME + 1) % THREADS;
    mer_barrier_exchange("place", mer_bits((mer_u64)ME, mer_heap_local(n, "test")));
    mer_u64 theirs = mer_barrier_payload(next), mine = mer_barrier_payload(ME);
    unsigned char *bytes = malloc(n), *back = malloc(n);
    CHECK(bytes && back);
    for (int round = 0; round < 4; round++) {
        for (size_t i = 0; i < n; i++)
            bytes[i] = byte_of(round, ME, i);
        unsigned char first = (unsigned char)(round + 100), last = (unsigned char)(round + 200);
        mer_memput(theirs + 1000, &first, 1); /* is covered by the long one */
        mer_memput(theirs, bytes, n);
        mer_memput(theirs + n - 1, &last, 1); /* covers a byte of it */
        bytes[n - 1] = last;
        mer_memget(back, theirs, n);
        CHECK(memcmp(back, bytes, n) == 0);
        mer_barrier(0, 0, "a.upc:1");
        CHECK(((unsigned char *)mer_at(mine))[n / 2] == byte_of(round, (ME + THREADS - 1) % THREADS, n / 2));
        mer_barrier(0, 0, "a.upc:2");
    }
    free(bytes);
    free(back);
    return 0;
}

/* A long copy between two threads, which may both be others than the caller: in parts, and within the memory
 * of one other thread. */
static int copies_of_others(void) {
    const size_t n = (600 << 10) + 5;
    int from = (ME + 1) % THREADS;
    uint64_t own = mer_heap_local(3 * n, "test");
    mer_barrier_exchange("place", mer_bits((mer_u64)ME, own));
    mer_u64 source = mer_barrier_payload(from), destination = mer_barrier_payload((ME + 2) % THREADS);
    unsigned char *mine = mer_view(ME, own), *back = malloc(n);
    CHECK(back);
    for (size_t i = 0; i < n; i++)
        mine[i] = byte_of(0, ME, i);
    mer_barrier(0, 0, "a.upc:1");
    mer_rma_copy(destination + n, source, n, "upc_memcpy");
    mer_memget(back, destination + n, n);
    for (size_t i = 0; i < n; i++)
        CHECK(back[i] == byte_of(0, from, i));
    mer_rma_copy(source + 2 * n, source, n, "upc_memcpy");
    mer_memget(back, source + 2 * n, n);
    for (size_t i = 0; i < n; i++)
        CHECK(back[i] == byte_of(0, from, i));
    free(back);
    mer_barrier(0, 0, "a.upc:2");
    return 0;
}

/* ---- flow control -------------------------------------------------------------------------------------- */

static long begun;         /* reads that have been begun */
static long most_begun;    /* before the other host took any */
static pid_t stopped_host; /* its process */

/* Lets the stopped process go on when no more reads are begun. */
static void *watch(void *unused) {
    const struct timespec while_away = {0, 300000000};
    for (long seen = -1; seen != most_begun || seen == 0;) {
        seen = most_begun;
        nanosleep(&while_away, NULL);
        most_begun = __atomic_load_n(&begun, __ATOMIC_RELAXED);
    }
    kill(stopped_host, SIGCONT);
    return unused;
}

/* Stops the process; on return none of its threads runs. */
static void stop(pid_t pid) {
    char path[64], text[256], state = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    kill(pid, SIGSTOP);
    while (state != 'T') {
        FILE *file = fopen(path, "r");
        CHECK(file && fgets(text, sizeof text, file));
        fclose(file);
        const char *behind = strrchr(text, ')'); /* the name of the program */
        CHECK(behind && sscanf(behind, ") %c", &state) == 1);
    }
}

/* A read takes the length of its reply from the window: a process that is stopped, and answers nothing, is
 * asked for no more than a window. */
static int window(void) {
    enum { READS = 1000, LENGTH = 8192 };
    mer_barrier_exchange("place", mer_bits((mer_u64)ME, mer_heap_local(LENGTH, "test")));
    mer_u64 theirs = mer_barrier_payload(1);
    mer_barrier_exchange("process", (uint64_t)getpid());
    if (ME == 0) {
        unsigned char *into = malloc((size_t)READS * LENGTH), byte = 7;
        pthread_t watcher;
        int counter = 0;
        CHECK(into);
        mer_memset(theirs, byte, LENGTH);
        stopped_host = (pid_t)mer_barrier_payload(1);
        stop(stopped_host);
        CHECK(pthread_create(&watcher, NULL, watch, NULL) == 0);
        for (int i = 0; i < READS; i++) {
            mer_rma_get_remote(into + (size_t)i * LENGTH, theirs, LENGTH, &counter);
            __atomic_fetch_add(&begun, 1, __ATOMIC_RELAXED); /* partner: watch; a count alone */
        }
        mer_am_wait_counter(&counter);
        CHECK(pthread_join(watcher, NULL) == 0);
        CHECK(most_begun >= 1 && most_begun * LENGTH <= MER_TRANSPORT_WINDOW);
        for (size_t i = 0; i < (size_t)READS * LENGTH; i++)
            CHECK(into[i] == byte);
        free(into);
    }
    mer_barrier(0, 0, "a.upc:1");
    return 0;
}

/* ---- sleeping ------------------------------------------------------------------------------------------ */

/* With more threads than cores, a thread about to sleep interrupts no other thread: senders execute
 * fences. */
static int crowded(void) {
    CHECK(mer_here.oversubscribed);
    CHECK(!mer_receive_rings_of(ME)->global_fence);
    return rounds();
}

/* As if there were more threads than cores: no thread spins, or yields. */
static const char *const asleep[] = {"MERIDIAN_SPIN=0", "MERIDIAN_YIELDS=0", NULL};

/* A thread that sleeps in a barrier is not woken by others' writes to its memory meanwhile. */
static int sleeps_through_writes(void) {
    enum { WRITES = 200 };
    struct rusage before, after;
    mer_barrier_exchange("place", mer_bits((mer_u64)ME, mer_heap_local(8, "test")));
    mer_u64 to = mer_barrier_payload(THREADS - 1);
    getrusage(RUSAGE_THREAD, &before);
    for (int i = 0; ME == 0 && i < WRITES; i++)
        mer_rma_put(to, &i, sizeof i, "test");
    mer_barrier(0, 0, "a.upc:1");
    getrusage(RUSAGE_THREAD, &after);
    if (ME == THREADS - 1) {
        CHECK(*(int *)mer_at(to) == WRITES - 1);
        CHECK(after.ru_nvcsw - before.ru_nvcsw < WRITES / 4);
    }
    return 0;
}

static const struct job_body bodies[] = {{"rounds", rounds},
                                         {"crowded", crowded},
                                         {"sleeps_through_writes", sleeps_through_writes},
                                         {"allgathers", allgathers},
                                         {"wait_needs_no_wait", wait_needs_no_wait},
                                         {"values_differ", values_differ},
                                         {"kinds_differ", kinds_differ},
                                         {"wait_differs", wait_differs},
                                         {"exclusion", exclusion},
                                         {"queue_is_kept", queue_is_kept},
                                         {"queue_order", queue_order},
                                         {"lock_twice", lock_twice},
                                         {"unlock_anothers", unlock_anothers},
                                         {"lock_freed", lock_freed},
                                         {"symmetric", symmetric},
                                         {"freed_by_another_host", freed_by_another_host},
                                         {"freed_twice", freed_twice},
                                         {"too_much", too_much},
                                         {"long_and_short", long_and_short},
                                         {"copies_of_others", copies_of_others},
                                         {"window", window},
                                         {0}};

/* Checks that the job fails with this message: once, or on some hosts if several find the error at a time. */
static void expect(const char *body, int threads, const char *message) {
    const struct job_result *result = job_run(body, threads, NULL);
    if (!result->timed_out && result->thread >= 0 && strstr(result->text, message))
        return;
    fprintf(stderr, "%s with %d threads should have said: %s\n  it ended with code %d and said:\n%s\n", body,
            threads, message, result->code, result->text);
    exit(1);
}

/* A job whose threads have one processor. */
static void on_one_cpu(const char *body, int threads) {
    cpu_set_t all, one;
    int cpu = 0;
    CHECK(sched_getaffinity(0, sizeof all, &all) == 0);
    while (!CPU_ISSET(cpu, &all))
        cpu++;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    CHECK(sched_setaffinity(0, sizeof one, &one) == 0);
    job_expect_good(body, threads);
    CHECK(sched_setaffinity(0, sizeof all, &all) == 0);
}

static void checks(void) {
    static const int counts[][2] = {{2, 2}, {2, 3}, {2, 8}, {3, 3}, {3, 5}}; /* hosts, threads */
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        job_hosts = counts[i][0];
        int n = counts[i][1];
        job_expect_good("rounds", n);
        job_expect_good("allgathers", n);
        job_expect_good("wait_needs_no_wait", n);
        job_expect_good("exclusion", n);
        job_expect_good("queue_is_kept", n);
        job_expect_good("queue_order", n);
        job_expect_good("symmetric", n);
        job_expect_good("freed_by_another_host", n);
        job_expect_good("long_and_short", n);
        job_expect_good("copies_of_others", n);
    }
    job_hosts = 2;
    job_expect_good("window", 2);
    job_expect_good_with("sleeps_through_writes", 2, asleep);
    job_expect_good_with("sleeps_through_writes", 4, asleep);
    for (int n = 2; n <= 8; n += n)
        job_expect_good_with("rounds", n, asleep);
    on_one_cpu("crowded", 4);
    expect("values_differ", 4, "(UPC 6.6.1.7)"); /* the first to find it names its own pair of threads */
    expect("kinds_differ", 4, "thread 3 has reached the end of the program");
    expect("wait_differs", 3, "thread 2 gave the value 4 to the upc_wait at a.upc:11, but thread 0 gave 3");
    expect("lock_twice", 2, "this thread holds the lock");
    expect("unlock_anothers", 3, "is held by thread 2, not by this one");
    expect("lock_freed", 2, "has been freed");
    expect("freed_twice", 2, "cannot be freed: it is free already");
    expect("too_much", 2, "upc_global_alloc: asked for 8.0 TB of shared memory (4.0 TB on each thread)");
}

int main(int argc, char **argv) { return job_main(argc, argv, bodies, checks); }
