/* The algorithms of barrier and mutex among POSIX threads of one process, so that the thread sanitizer can
 * watch them: it reports every access below that the algorithms do not order as a race. Delays and small
 * limits of spinning make threads sleep often. */
#include "job.h"

#include "base/mutex.h"
#include "sync/phase.h"
#include "base/wait.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MOST 12
#define ROUNDS 400

static struct mer_phase_shared *shared;
static struct mer_mutex mutex;
static int threads;
static bool flags;
static int words[MOST]; /* plain: ordered by the barrier alone */
static long count;      /* plain: ordered by the mutex alone */
static pthread_barrier_t aged;

static void delay(unsigned *seed) {
    *seed = *seed * 1103515245u + 12345u;
    if (*seed >> 16 & 7)
        return;
    struct timespec t = {0, (long)(*seed >> 20) % 60 * 1000};
    nanosleep(&t, NULL);
}

static void barrier(struct mer_phase *p, uint32_t tag, uint64_t payload, unsigned *seed) {
    struct mer_phase_entry entry = {.tag = tag, .payload = payload};
    CHECK(mer_phase_announce(p, &entry));
    delay(seed);
    mer_phase_wait(p, "test");
}

static void *barriers(void *argument) {
    int me = (int)(long)argument;
    unsigned seed = 7u + (unsigned)me;
    struct mer_phase p;
    mer_phase_init(&p, shared, threads, me);
    barrier(&p, MER_PHASE_COLLECTIVE, 0, &seed);
    p.flags = flags;
    for (int round = 1; round <= ROUNDS; round++) {
        words[me] = round;
        delay(&seed);
        barrier(&p, MER_PHASE_STATEMENT, (uint64_t)(round * MOST + me), &seed);
        for (int t = 0; t < threads; t++) {
            CHECK(words[t] == round);
            CHECK(mer_phase_entry(&p, t)->payload == (uint64_t)(round * MOST + t));
        }
        barrier(&p, MER_PHASE_COLLECTIVE, 0, &seed);
    }
    return NULL;
}

/* Work that one thread does for all: it sees all earlier writes, and all see its writes. */
static int sum; /* plain: written by the work alone */

static void add_up(void *context) {
    int round = *(int *)context;
    sum = 0;
    for (int t = 0; t < threads; t++) {
        CHECK(words[t] == round * MOST + t);
        sum += words[t];
    }
}

static void act(struct mer_phase *p, int lead, int round, unsigned *seed) {
    struct mer_phase_entry entry = {.tag = MER_PHASE_COLLECTIVE};
    CHECK(mer_phase_announce_act(p, &entry, add_up, &round));
    delay(seed);
    if (p->flags && p->me == lead) {
        mer_phase_gather(p, "test");
        add_up(&round);
        mer_phase_release(p);
    } else {
        mer_phase_wait_release(p, "test");
    }
}

/* Advances the state by `phases' barriers, between two barriers of the test's own. */
static void age(struct mer_phase *p, uint32_t phases) {
    pthread_barrier_wait(&aged);
    p->number += phases;
    mer_event_post((struct mer_event *)&shared->slot[p->me].event, p->number);
    if (!p->flags) {
        p->releases += phases;
        if (p->me == 0)
            mer_event_post((struct mer_event *)&shared->release, p->releases);
    }
    pthread_barrier_wait(&aged);
    for (int t = 0; t < threads; t++)
        CHECK(mer_phase_ahead(p, t) >= 0 && mer_phase_ahead(p, t) <= 1);
}

static void *acts(void *argument) {
    int me = (int)(long)argument;
    unsigned seed = 17u + (unsigned)me;
    struct mer_phase p;
    mer_phase_init(&p, shared, threads, me);
    barrier(&p, MER_PHASE_COLLECTIVE, 0, &seed);
    p.flags = flags;
    for (int round = 1; round <= ROUNDS; round++) {
        words[me] = round * MOST + me;
        delay(&seed);
        if (round % 16 == 0)
            age(&p, 1U << 30);
        act(&p, round % threads, round, &seed);
        CHECK(sum == threads * round * MOST + threads * (threads - 1) / 2);
        delay(&seed);
        if (round % 2) /* the next round's work may not begin before all have read */
            barrier(&p, MER_PHASE_STATEMENT, 0, &seed);
        else
            act(&p, 0, round, &seed);
    }
    return NULL;
}

static void *mutexes(void *argument) {
    unsigned me = (unsigned)(long)argument + 1, seed = 11u + me;
    for (int round = 0; round < ROUNDS; round++) {
        mer_mutex_lock(&mutex, me, "test");
        long seen = count;
        delay(&seed);
        count = seen + 1;
        mer_mutex_unlock(&mutex);
        delay(&seed);
    }
    return NULL;
}

/* One poster, several waiters, each number awaited by some. */
static struct mer_event event;
static int posted[ROUNDS + 1];

static void *events(void *argument) {
    int me = (int)(long)argument;
    unsigned seed = 13u + (unsigned)me;
    for (int round = 1; round <= ROUNDS; round++) {
        if (me == 0) {
            posted[round] = round;
            mer_event_post(&event, mer_wrap_start + (uint32_t)round);
        } else {
            mer_event_wait(&event, mer_wrap_start + (uint32_t)round, "test");
            CHECK(posted[round] == round);
        }
        delay(&seed);
    }
    return NULL;
}

static void run(void *(*body)(void *)) {
    pthread_t id[MOST];
    for (long t = 0; t < threads; t++)
        CHECK(pthread_create(&id[t], NULL, body, (void *)t) == 0);
    for (int t = 0; t < threads; t++)
        pthread_join(id[t], NULL);
}

/* The thread that completes the tree finds that the kinds of barrier differ. */
static void mixed_kinds(void) {
    memset(shared, 0, sizeof *shared);
    struct mer_phase p[10];
    int found = 0;
    for (int t = 0; t < 10; t++) {
        mer_phase_init(&p[t], shared, 10, t);
        struct mer_phase_entry entry = {.tag = t == 3 ? MER_PHASE_FINISH : MER_PHASE_STATEMENT};
        found += !mer_phase_announce(&p[t], &entry);
    }
    CHECK(found == 1);
}

static int poll_nothing(void) { return 0; }

/* Returns true if a wait yields within 64 of the 1000 turns that it may spin, in the first waits of this
 * POSIX thread. */
static bool spins_with_yields(bool by_network) {
    struct mer_wait_hook hook = {.poll = poll_nothing, .by_network = by_network};
    struct mer_wait w;
    mer_wait_hook = &hook;
    mer_wait_configure(1000, 20, false);
    mer_wait_begin(&w);
    for (int turn = 0; turn < 64; turn++)
        CHECK(mer_wait_turn(&w));
    mer_wait_hook = NULL;
    return w.yielded > 0;
}

int main(void) {
    CHECK(!spins_with_yields(false));
    CHECK(spins_with_yields(true));
    shared = aligned_alloc(128, sizeof *shared);
    CHECK(shared);
    static const int counts[] = {1, 2, 3, 4, 9, MOST};
    static const long limits[][2] = {{0, 0}, {100, 0}, {0, 3}};
    for (unsigned i = 0; i < sizeof counts / sizeof *counts; i++)
        for (unsigned j = 0; j < sizeof limits / sizeof *limits; j++) {
            threads = counts[i];
            mer_wait_configure(limits[j][0], limits[j][1], false);
            mer_wrap_start = j == 1 ? 0 : -(ROUNDS / 3U);
            pthread_barrier_init(&aged, NULL, (unsigned)threads);
            for (int f = 0; f < 2; f++) {
                memset(shared, 0, sizeof *shared);
                flags = f;
                run(barriers);
                memset(shared, 0, sizeof *shared);
                run(acts);
            }
            count = 0;
            run(mutexes);
            CHECK(count == (long)threads * ROUNDS);
            memset(&event, 0, sizeof event);
            mer_event_begin(&event, mer_wrap_start);
            memset(posted, 0, sizeof posted);
            run(events);
            pthread_barrier_destroy(&aged);
        }
    mixed_kinds();
    free(shared);
    return 0;
}
