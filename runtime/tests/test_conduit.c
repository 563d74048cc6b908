/* Conformance of a conduit to conduit/conduit.h; the argument names the conduit.
 *
 *   test_conduit tcp
 *   test_conduit tcp flood       this trial alone
 *   test_conduit -s 8 ofi        where death is known by silence alone, of this many seconds
 *
 * Each trial is a job of 2 to 16 processes on this machine (conduit_job.h), or several endpoints in one
 * process (conduit_ends.h).
 */
#include "conduit/conduit.h"

#include "base/clock.h"
#include "conduit_ends.h"
#include "conduit_job.h"
#include "job.h"

#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define TOLD_SECONDS 60 /* within which a death must be reported */

/* ---- trials: each runs in all processes, between connect and close ------------------------------------- */

/* Packets of all kinds of lengths from everybody to everybody. Few of them are long if there are many
 * threads, which would send gigabytes. */
static void everybody(void) {
    unsigned state = 12345u + (unsigned)me;
    const long count = threads > 8 ? 60 : 400;
    const unsigned share = threads > 2 ? 16 : 4;
    for (long k = 0; k < count; k++)
        for (int i = 1; i < threads; i++) {
            unsigned r = job_random(&state);
            size_t length = 1 + r / share % (r % share == 0 ? endpoint->packet_most : 200);
            send_it((me + i) % threads, length, 2 + (int)(r / 64 % (MER_CONDUIT_PARTS - 1)));
        }
    for (int i = 1; i < threads; i++)
        receive_until((me + i) % threads, count);
}

static void one_size(size_t length) {
    if (length < 1 || length > endpoint->packet_most)
        return;
    for (int nparts = 2; nparts <= MER_CONDUIT_PARTS; nparts += 3)
        send_it(1 - me, length, nparts);
}

/* Every small length, lengths about powers of two and of the longest, and some between. */
static void sizes(void) {
    for (size_t length = 1; length <= 1100; length++)
        one_size(length);
    for (size_t power = 2048; power <= endpoint->packet_most; power *= 2)
        for (size_t d = 0; d < 40; d++)
            one_size(power + d - 20);
    for (size_t d = 0; d < 20; d++)
        one_size(endpoint->packet_most - d);
    for (size_t length = 1200; length < endpoint->packet_most; length += 977 + endpoint->packet_most / 128)
        one_size(length);
    receive_until(1 - me, (long)sent[1 - me]);
}

static void many_small(void) {
    for (int k = 0; k < 100000; k++)
        send_it(1 - me, 8, 2);
    receive_until(1 - me, 100000);
}

/* All send the longest packets, and poll only when there is no capacity. */
static void flood(void) {
    const long count = (64l << 20) / threads / (threads - 1) / (long)endpoint->packet_most + 1;
    for (long k = 0; k < count; k++)
        for (int i = 1; i < threads; i++)
            send_it((me + i) % threads, endpoint->packet_most, 2);
    for (int i = 1; i < threads; i++)
        receive_until((me + i) % threads, count);
}

/* A receiver that does not poll: the sender is told that there is no capacity, and nothing is lost. */
static void bounded(void) {
    if (me == 0) {
        double start = mer_clock_seconds();
        long refused = 0;
        while (refused < 1000 && mer_clock_seconds() - start < 60) {
            CHECK(sent[1] < (1u << 30) / endpoint->packet_most);
            if (!try_send(1, endpoint->packet_most, 2)) {
                refused++;
                conduit->poll(endpoint);
            }
        }
        CHECK(refused == 1000);
        atomic_store(&shared->counts[0], (long)sent[1]);
        atomic_store(&shared->flags[0], 1); /* pairs with the load below */
    } else {
        while (!atomic_load(&shared->flags[0]))
            nap(1);
        receive_until(0, atomic_load(&shared->counts[0]));
    }
}

/* A receiver that is stopped for a while takes nothing, and is not given up: afterwards it gets all
 * packets. */
static void stopped(void) {
    send_it(1 - me, 8, 2);
    receive_until(1 - me, 1);
    meet(); /* a packet that has not left yet would stay */
    if (me == 0) {
        pid_t other;
        while ((other = atomic_load(&shared->flags[1])) == 0) /* pairs with the store below */
            nap(1);
        for (double refused = mer_clock_seconds(); mer_clock_seconds() - refused < 2.5;) {
            CHECK(sent[1] < (1u << 30) / endpoint->packet_most);
            if (try_send(1, endpoint->packet_most, 2))
                refused = mer_clock_seconds();
            else if (conduit->poll(endpoint) == 0)
                nap(1);
        }
        kill(other, SIGCONT);
        atomic_store(&shared->counts[0], (long)sent[1]);
        atomic_store(&shared->flags[0], 1); /* pairs with the load below */
        receive_until(1, 2);
    } else {
        atomic_store(&shared->flags[1], getpid());
        raise(SIGSTOP);
        while (!atomic_load(&shared->flags[0]))
            nap(1);
        receive_until(0, atomic_load(&shared->counts[0]));
        send_it(0, 8, 2);
    }
}

/* One process receives from all others, and they are all served. */
static void all_to_one(void) {
    const long count = 300;
    if (me != 0)
        for (long k = 0; k < count; k++)
            send_it(0, k % 3 ? 40 : endpoint->packet_most, 2);
    for (int i = 1; me == 0 && i < threads; i++)
        receive_until(i, count);
}

static int owed[MOST];

/* Replies are sent while a packet is delivered, if there is capacity. */
static void answer(int from, const void *packet, size_t length) {
    (void)packet;
    if (owed[from] || !try_send(from, length, 2))
        owed[from]++;
}

static void replies(void) {
    const long count = 3000;
    if (me == 0) {
        for (long k = 0; k < count; k++)
            send_it(1 + (int)(k % (threads - 1)), 1 + (size_t)k * 11 % 3000, 2);
        for (int i = 1; i < threads; i++)
            receive_until(i, (long)sent[i]);
        atomic_store(&shared->flags[0], 1); /* pairs with the load below */
        return;
    }
    on_packet = answer;
    while (!atomic_load(&shared->flags[0])) {
        conduit->poll(endpoint);
        while (owed[0]) {
            send_it(0, 16, 2);
            owed[0]--;
        }
    }
    on_packet = NULL;
}

/* Sleeps as the progress thread does, until a packet comes. Returns the number of wake-ups. */
static long sleep_for(int from, long count) {
    long turns = 0;
    while (received[from] < count) {
        struct pollfd wait = {.fd = conduit->wait_fd(endpoint), .events = POLLIN};
        if (conduit->may_sleep(endpoint)) {
            int n = poll(&wait, 1, LIMIT_SECONDS * 1000);
            CHECK(n == 1);
            turns++;
        }
        conduit->poll(endpoint);
    }
    return turns;
}

/* A sleeper is woken by each packet, also after a flood, and by nothing else. */
static void sleeping(void) {
    if (me == 0) {
        for (int k = 1; k <= 20; k++) {
            nap(k % 4 ? 5 : 60);
            send_it(1, 24, 2);
            receive_until(1, k);
        }
        for (int k = 0; k < 500; k++)
            send_it(1, endpoint->packet_most, 2);
        send_it(1, 8, 2);
        receive_until(1, 21);
        return;
    }
    long turns = 0;
    for (int k = 1; k <= 20; k++) {
        turns += sleep_for(0, k);
        send_it(0, 24, 2);
    }
    CHECK(turns < 20 * 50);
    sleep_for(0, 521);
    send_it(0, 8, 2);
}

/* Once there is nothing to do, the descriptor is quiet: a process that waits uses no processor time. */
static void quiet(void) {
    for (int i = 1; i < threads; i++)
        send_it((me + i) % threads, 5000, 2);
    for (int i = 1; i < threads; i++)
        receive_until((me + i) % threads, 1);
    meet();
    struct pollfd wait = {.fd = conduit->wait_fd(endpoint), .events = POLLIN};
    for (int turns = 0;; turns++) {
        CHECK(turns < 1000);
        bool may = conduit->may_sleep(endpoint);
        if (may && poll(&wait, 1, 300) == 0)
            return;
        conduit->poll(endpoint);
    }
}

static int completed; /* gets and puts that have ended */

static void fill(unsigned char *bytes, size_t n, unsigned seed) {
    for (size_t i = 0; i < n; i++)
        bytes[i] = (unsigned char)((i + seed) * 2654435761u >> 11);
}

static bool filled(const unsigned char *bytes, size_t n, unsigned seed) {
    for (size_t i = 0; i < n; i++)
        if (bytes[i] != (unsigned char)((i + seed) * 2654435761u >> 11))
            return false;
    return true;
}

/* Begins a transfer, and returns the number of transfers begun: 0 if the conduit refuses it for good, as it
 * may refuse short ones. */
static int transfer(bool put, int peer, uint64_t address, unsigned char *here, size_t n) {
    for (int tries = 0; tries < 200; tries++) {
        if (put ? conduit->put(endpoint, peer, address, here, n, &completed)
                : conduit->get(endpoint, here, peer, address, n, &completed))
            return 1;
        conduit->poll(endpoint);
    }
    CHECK(n < 1 << 20); /* a long transfer has to be accepted: else the operation is to be null */
    return 0;
}

/* All write to the next process's memory at once, check the previous process's writes, and read their own
 * back. */
static void memory(void) {
    static const size_t sizes[] = {8, 4096, 65536, 100001, 1 << 20, (5 << 20) + 13};
    enum { SIZES = sizeof sizes / sizeof *sizes };
    if (!conduit->put || !conduit->get)
        return;
    unsigned char *mine = memory_of_me, *here = malloc(SPAN);
    CHECK(here);
    int next = (me + 1) % threads, before = (me + threads - 1) % threads;
    send_it(next, 8, 2);
    receive_until(before, 1);
    uint64_t at = 0;
    for (int i = 0; i < SIZES; at += sizes[i++] + 4096) {
        fill(here, sizes[i], (unsigned)(me * 100 + i));
        completed = 0;
        int begun = transfer(true, next, at, here, sizes[i]);
        while (completed < begun)
            conduit->poll(endpoint);
        atomic_store(&shared->flags[me], begun); /* the barrier stands between this and the load */
        meet();
        if (atomic_load(&shared->flags[before]))
            CHECK(filled(mine + at, sizes[i], (unsigned)(before * 100 + i)));
        memset(here, 0, sizes[i]);
        completed = 0;
        int read = begun ? transfer(false, next, at, here, sizes[i]) : 0;
        while (completed < read)
            conduit->poll(endpoint);
        CHECK(!read || filled(here, sizes[i], (unsigned)(me * 100 + i)));
        meet();
    }
    CHECK(at < SPAN);
    CHECK(!conduit->put(endpoint, next, SPAN - 65536, here, 65537, &completed)); /* beyond the named memory */
    CHECK(!conduit->get(endpoint, here, next, UINT64_MAX - 65535, 65536, &completed));
    free(here);
}

/* Transfers that follow each other (`more') may share operations; they begin at the next poll at the latest,
 * even if more are still to follow. */
static void many_transfers(void) {
    enum { ROWS = 48, ROW = 40000, APART = 70000 };
    if (!conduit->put || !conduit->get)
        return;
    unsigned char *mine = memory_of_me, *here = malloc(2UL * ROWS * APART);
    CHECK(here);
    int next = (me + 1) % threads, before = (me + threads - 1) % threads;
    send_it(next, 8, 2);
    receive_until(before, 1);
    for (int round = 0; round < 4; round++) {
        int begun = 0, rows = round == 3 ? 3 : ROWS;
        fill(here, (size_t)ROWS * ROW, (unsigned)(me * 1000 + round));
        completed = 0;
        endpoint->more = true;
        for (int i = 0; i < rows; i++) {
            size_t at = (size_t)i * APART, n = i % 5 == 4 ? ROW + 9000 : ROW;
            begun += transfer(true, next, at, here + (size_t)i * ROW, n);
        }
        endpoint->more = round % 2;
        while (completed < begun)
            conduit->poll(endpoint);
        endpoint->more = false;
        atomic_store(&shared->flags[me], begun); /* the barrier stands between this and the load */
        meet();
        fill(here, (size_t)ROWS * ROW, (unsigned)(before * 1000 + round));
        for (int i = 0; i < rows && atomic_load(&shared->flags[before]) == rows; i++) {
            size_t n = i % 5 == 4 ? ROW + 9000 : ROW;
            CHECK(memcmp(mine + (size_t)i * APART, here + (size_t)i * ROW, n) == 0);
        }
        meet();
    }
    free(here);
}

static long happened(void) {
    long sum = completed;
    for (int i = 0; i < threads; i++)
        sum += received[i];
    return sum;
}

/* Sleeps, if the conduit allows it, until there is something to do; the other process has something for this
 * one. With `meanwhile' the thread itself polls after its progress thread has asked whether it may sleep. */
static void rest(bool meanwhile) {
    struct pollfd wait = {.fd = conduit->wait_fd(endpoint), .events = POLLIN};
    if (conduit->may_sleep(endpoint)) {
        long before = happened();
        if (meanwhile) {
            int told = conduit->poll(endpoint);
            CHECK((happened() == before) == (told == 0));
        }
        if (happened() == before && poll(&wait, 1, 20000) == 0) {
            fprintf(stderr, "thread %d: asleep for 20 s, although there is something to do\n", me);
            exit(FAILED);
        }
    }
    conduit->poll(endpoint);
}

/* Long transfers and floods go on while both sides sleep whenever they may. */
static void asleep(void) {
    size_t n = 20 << 20;
    unsigned char *here = malloc(n);
    CHECK(here);
    send_it(1 - me, 8, 2);
    while (received[1 - me] < 1)
        rest(true);
    for (int round = 0; round < 4; round++) {
        if (me == 0) {
            completed = 0;
            if (conduit->put && conduit->get) {
                fill(here, n, (unsigned)round);
                CHECK(transfer(round % 2 == 0, 1, 0, here, n));
                while (!completed)
                    rest(true);
            }
            for (int k = 0; k < 300; k++)
                while (!try_send(1, endpoint->packet_most, 2))
                    rest(false);
            while (received[1] < 2 + round)
                rest(true);
        } else {
            while (received[0] < 1 + 300 * (round + 1))
                rest(true);
            send_it(0, 8, 2);
        }
    }
    free(here);
}

/* ---- trials of the end --------------------------------------------------------------------------------- */

/* Packets sent before the close arrive, though the sender closes at once and the receiver is slow. */
static void close_unsent(void) {
    send_it(1 - me, 100, 2);
    receive_until(1 - me, 1);
    meet(); /* from here on thread 1 does not poll, so its packets must have left */
    if (me == 0) {
        long left = 400;
        while (left && try_send(1, endpoint->packet_most, 2))
            left--;
        CHECK(sent[1] > 1);
        atomic_store(&shared->counts[0], (long)sent[1]);
        atomic_store(&shared->flags[0], 1); /* pairs with the load below */
    } else {
        while (!atomic_load(&shared->flags[0]))
            nap(1);
        nap(300);
        receive_until(0, atomic_load(&shared->counts[0]));
    }
}

/* The last thread dies, after talk with all or some. With `busy' the others keep sending to it. They learn of
 * the death in another way than by the limit of silence, which is too far away. */
static void death(bool talk, bool busy) {
    int victim = threads - 1;
    if (talk) {
        for (int i = 1; i < threads; i++)
            send_it((me + i) % threads, 3000, 2);
        for (int i = 1; i < threads; i++)
            receive_until((me + i) % threads, 1);
    }
    meet();
    if (me == victim)
        raise(SIGKILL);
    lost_expected = true;
    for (double start = mer_clock_seconds(); mer_clock_seconds() - start < TOLD_SECONDS;) {
        if (busy && (me == 0 || talk))
            try_send(victim, 64, 2);
        conduit->poll(endpoint);
        if (busy && !talk && me != 0)
            exit(LOST); /* has never met the victim, and has nothing to say to it */
        nap(1);
    }
    fprintf(stderr, "thread %d has not been told of the death of thread %d\n", me, victim);
    exit(FAILED);
}

static void death_while_sending(void) { death(true, true); }
static void death_before_contact(void) { death(false, true); }
static void death_while_idle(void) { death(true, false); }

#define RUN(trial, n) conduit_job(#trial, n, trial, 0, true)

int main(int argc, char **argv) {
    int option, silence_of_death = 2 * TOLD_SECONDS;
    while ((option = getopt(argc, argv, "s:")) == 's')
        silence_of_death = atoi(optarg);
    if (option != -1 || silence_of_death < 1 || optind >= argc || argc - optind > 2) {
        fprintf(stderr, "usage: test_conduit [-s SECONDS] CONDUIT [TRIAL]\n");
        return 2;
    }
    const char *only = argv[optind + 1]; /* null if it is not there */
    conduit_jobs(argv[optind], only, silence_of_death);
    RUN(everybody, 2);
    RUN(everybody, 5);
    RUN(everybody, 16);
    RUN(sizes, 2);
    RUN(many_small, 2);
    RUN(flood, 2);
    RUN(flood, 4);
    RUN(flood, 8);
    RUN(bounded, 2);
    RUN(stopped, 2);
    RUN(all_to_one, 8);
    RUN(replies, 2);
    RUN(replies, 4);
    RUN(sleeping, 2);
    RUN(quiet, 3);
    RUN(memory, 2);
    RUN(memory, 3);
    RUN(many_transfers, 2);
    RUN(many_transfers, 3);
    RUN(asleep, 2);
    conduit_job("close_unsent", 2, close_unsent, 0, false);
    conduit_in_one_process("ends", conduit_ends);
    conduit_job("death_while_sending", 3, death_while_sending, LOST, true);
    conduit_job("death_before_contact", 3, death_before_contact, LOST, true);
    conduit_job("death_while_idle", 3, death_while_idle, LOST, true);
    if (!conduit_any_ran())
        fprintf(stderr, "test_conduit: there is no trial `%s'\n", only);
    return conduit_any_ran() ? 0 : 2;
}
