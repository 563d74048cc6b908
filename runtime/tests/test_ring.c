/* The rings of active messages among POSIX threads of one process, so that the thread sanitizer can watch
 * them: the protocol of transport/receive_ring.h alone orders accesses to the slots. Several senders flood
 * one receiver, which often sleeps: nothing is lost, doubled or overwritten, and each sender's messages stay
 * in order. */
#include "job.h"

#include "transport/receive_ring.h"
#include "base/wait.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MOST 6
#define MESSAGES 3000
#define BYTES 40

static struct mer_receive_rings *rings;
static int senders;

static void delay(unsigned *seed, unsigned seldom) {
    *seed = *seed * 1103515245u + 12345u;
    if ((*seed >> 16) % seldom)
        return;
    struct timespec t = {0, (long)(*seed >> 20) % 50 * 1000};
    nanosleep(&t, NULL);
}

static void *send_all(void *argument) {
    int me = (int)(long)argument;
    unsigned seed = 11u + (unsigned)me;
    for (uint32_t i = 0; i < MESSAGES; i++) {
        uint32_t place;
        struct mer_backoff backoff = {0};
        while (!mer_am_claim(rings, MER_AM_REQUESTS, &place))
            mer_backoff_turn(&backoff);
        struct mer_receive_ring *ring = &rings->ring[MER_AM_REQUESTS];
        struct mer_am_slot *slot = &ring->slot[place % MER_AM_DEPTH];
        slot->source = (uint16_t)me;
        slot->nargs = 2;
        slot->args[0] = i;
        slot->args[1] = i * 3 + (uint32_t)me;
        slot->length = i % 2 ? BYTES : 0;
        if (slot->length)
            memset(ring->payload[place % MER_AM_DEPTH], (int)(i + (uint32_t)me) & 0xff, BYTES);
        delay(&seed, 97); /* between claim and publication */
        if (mer_am_publish(rings, slot, place, false))
            mer_futex_wake(&rings->asleep, 1);
        delay(&seed, 201);
    }
    return NULL;
}

static void check(const struct mer_am_slot *slot, uint32_t place, uint32_t expected[MOST]) {
    int from = slot->source;
    CHECK(from < senders && slot->nargs == 2);
    uint32_t i = expected[from]++;
    CHECK(slot->args[0] == i && slot->args[1] == i * 3 + (uint32_t)from);
    CHECK(slot->length == (i % 2 ? BYTES : 0));
    const unsigned char *bytes = rings->ring[MER_AM_REQUESTS].payload[place % MER_AM_DEPTH];
    for (uint32_t k = 0; k < slot->length; k++)
        CHECK(bytes[k] == ((i + (uint32_t)from) & 0xff));
}

static void receive_all(void) {
    uint32_t next = mer_wrap_start, expected[MOST] = {0};
    unsigned seed = 5;
    while (next - mer_wrap_start < (uint32_t)senders * MESSAGES) {
        struct mer_am_slot *slot = &rings->ring[MER_AM_REQUESTS].slot[next % MER_AM_DEPTH];
        if (!mer_am_pending(slot, next)) {
            __atomic_exchange_n(&rings->asleep, 1, __ATOMIC_SEQ_CST); /* partner: mer_am_publish */
            if (!mer_am_pending(slot, next))
                CHECK(mer_futex_wait(&rings->asleep, 1, 20000000000ULL));
            __atomic_store_n(&rings->asleep, 0, __ATOMIC_RELAXED);
            continue;
        }
        check(slot, next, expected);
        next++;
        mer_am_handled(rings, MER_AM_REQUESTS, next);
        delay(&seed, 301);
    }
    for (int t = 0; t < senders; t++)
        CHECK(expected[t] == MESSAGES);
}

int main(void) {
    static const int counts[] = {1, 2, 3, MOST};
    for (unsigned i = 0; i < sizeof counts / sizeof *counts; i++) {
        pthread_t thread[MOST];
        rings = aligned_alloc(4096, (sizeof *rings + 4095) / 4096 * 4096);
        CHECK(rings);
        memset(rings, 0, sizeof *rings);
        mer_wrap_start = i % 2 ? -(senders * MESSAGES / 2U) : 0;
        mer_receive_rings_begin(rings);
        senders = counts[i];
        mer_wait_configure(i % 2 ? 100 : 0, i % 3, true);
        for (long t = 0; t < senders; t++)
            CHECK(pthread_create(&thread[t], NULL, send_all, (void *)t) == 0);
        receive_all();
        for (int t = 0; t < senders; t++)
            CHECK(pthread_join(thread[t], NULL) == 0);
        free(rings);
    }
    return 0;
}
