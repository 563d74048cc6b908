/* Rings of active messages in shared memory: many senders, one receiver, bounded.
 *
 * Each thread receives into two rings of MER_AM_DEPTH slots, of requests and of replies, in its own span.  A
 * slot is two lines: the header and six words in the first, so that a small message moves as one line.  Each
 * slot has a buffer for a medium payload, whose pages are committed when the first payload is written there.
 *
 * Places are numbered 0, 1, 2, ...; place n is slot n mod DEPTH.
 *
 *   sender     reads `tail`; if tail - taken < DEPTH it claims the place by a compare-exchange of tail + 1,
 *              fills the slot, and publishes it by writing n + 1 to its `ready`
 *   receiver   polls the slot of its next place, n, until ready is n + 1; runs the handler; every DEPTH / 4
 *              places it publishes its progress in `taken`
 *
 * After the write of ready comes a full fence; then the sender checks whether the receiver is asleep:
 *
 *   sender     ready = n + 1;  fence;  if (asleep) { asleep = 0; wake }
 *   receiver   asleep = 1;     fence;  if (ready == n + 1) go on, else sleep while asleep is 1
 *
 * One of the two sees the other's write, so the receiver never sleeps while a message waits.  The sender's
 * fence is an exchange of ready.  If the kernel can make all cores that run the job execute a fence
 * (membarrier), the receiver has it do so before it sleeps, which is rare.  The sender then needs a fence for
 * the compiler alone: either its write of ready is before the kernel's fence, and the receiver sees it, or
 * its read of asleep is after that fence.  The receiver announces this by `global_fence'; the sender must be
 * registered with the kernel for it.  It is not used with more threads than cores, when sleep is frequent.
 *
 * A slot is overwritten only by the sender of place n + DEPTH, which has seen taken > n.  The receiver wrote
 * this (release) after the handler of n had returned.  The number in ready distinguishes the laps, and zero
 * memory is an empty ring.  A sender that loses its CPU between claim and publication delays the senders
 * after it until it runs again; it waits for nothing in between.  Modelled in tests/model/am_ring.pml.
 *
 * Why one ring serves all senders: the memory of each receiver is bounded for any number of senders, and a
 * poll reads two lines for any THREADS.  Why taken is written rarely: it shares a line with asleep that all
 * senders read at each message.  So the line stays in their caches, and a round trip costs no more lines than
 * a bare ping-pong.
 */
#ifndef MER_TRANSPORT_RECEIVE_RING_H
#define MER_TRANSPORT_RECEIVE_RING_H

#include "base/wait.h"
#include "host/job.h"
#include "host/layout.h"
#include "transport/handlers.h"
#include "transport/message.h"

#include <meridian/am.h>
#include <stdbool.h>

#define MER_AM_DEPTH 128U
#define MER_AM_REPORT (MER_AM_DEPTH / 4)

struct mer_am_slot {
    _Alignas(128) uint32_t ready; /* place + 1 once filled */
    uint16_t source;
    uint16_t handler;
    uint8_t size; /* enum mer_am_size */
    uint8_t nargs;
    uint16_t unused;
    uint32_t length; /* of a medium payload */
    uint64_t args[MER_AM_ARGS];
    uint64_t address; /* of a long payload */
    uint64_t extent;
};

struct mer_receive_ring {
    _Alignas(128) uint32_t tail; /* places claimed */
    _Alignas(128) struct mer_am_slot slot[MER_AM_DEPTH];
    _Alignas(128) unsigned char payload[MER_AM_DEPTH][MER_AM_MEDIUM];
};

/* The receive rings of a thread. */
struct mer_receive_rings {
    _Alignas(128) uint32_t asleep; /* futex: not 0 while the receiver sleeps or is about to (enum mer_bell) */
    uint32_t taken[2];             /* by way: places whose handlers have returned, published now and then */
    uint32_t global_fence;         /* 1 if the receiver's fence before sleep is for all cores */
    _Alignas(4096) struct mer_receive_ring ring[2]; /* by way */
};

static_assert(sizeof(struct mer_receive_rings) <= MER_AM_SIZE, "the rings have their place in the span");
static_assert(offsetof(struct mer_am_slot, args) + 6 * 8 == 64, "six words lie in the first line");
static_assert(MER_AM_MEDIUM % 64 == 0, "buffers are aligned to lines");

static inline struct mer_receive_rings *mer_receive_rings_of(int t) { return mer_view(t, mer_layout.am); }

/* ---- the protocol, without the content of messages; tests/test_ring.c runs it alone ------------------ */

/* Empty the rings, as if all places before the first had been taken.  Called by the receiver, before any
 * thread sends. */
static inline void mer_receive_rings_begin(struct mer_receive_rings *rings) {
    for (int way = 0; mer_wrap_start && way < 2; way++) {
        rings->ring[way].tail = rings->taken[way] = mer_wrap_start;
        for (uint32_t place = mer_wrap_start - MER_AM_DEPTH; place != mer_wrap_start; place++)
            rings->ring[way].slot[place % MER_AM_DEPTH].ready = place + 1;
    }
}

/* Claim a place in a ring.  Returns false if the ring is full. */
static inline bool mer_am_claim(struct mer_receive_rings *rings, enum mer_am_way way, uint32_t *place) {
    uint32_t *tail = &rings->ring[way].tail;
    for (;;) {
        *place = __atomic_load_n(tail, __ATOMIC_RELAXED);
        /* Before the exchange, which is a fence: a prefetch after it would not begin before it is
         * complete. */
        mer_fetch_to_write(&rings->ring[way].slot[*place % MER_AM_DEPTH]);
        /* Acquire, partner: the release in mer_am_handled.  A stale tail makes the difference negative, and
         * the exchange fail. */
        uint32_t taken = __atomic_load_n(&rings->taken[way], __ATOMIC_ACQUIRE);
        if (mer_wrap_ahead(*place, taken) >= (int32_t)MER_AM_DEPTH)
            return false;
        if (__atomic_compare_exchange_n(tail, place, *place + 1, true, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
            return true;
    }
}

/* Publish the filled slot of a claimed place.  Returns true if the receiver sleeps and the caller must wake
 * it.  Full fence, with `fenced' perhaps by another core; partners: the acquire in mer_am_pending, and the
 * exchange of asleep by the receiver before it sleeps. */
static inline bool mer_am_publish(struct mer_receive_rings *rings, struct mer_am_slot *slot, uint32_t place,
                                  bool fenced) {
    if (fenced && __atomic_load_n(&rings->global_fence, __ATOMIC_RELAXED)) {
        __atomic_store_n(&slot->ready, place + 1, __ATOMIC_RELEASE);
        __atomic_signal_fence(__ATOMIC_SEQ_CST); /* partner: membarrier in mer_bell_wait */
    } else {
        __atomic_exchange_n(&slot->ready, place + 1, __ATOMIC_SEQ_CST);
    }
    return __builtin_expect(__atomic_load_n(&rings->asleep, __ATOMIC_RELAXED), 0) &&
           __atomic_exchange_n(&rings->asleep, 0, __ATOMIC_SEQ_CST);
}

/* Returns true if the receiver's place `next' is filled.  Acquire, partner: mer_am_publish. */
static inline bool mer_am_pending(const struct mer_am_slot *slot, uint32_t next) {
    return __atomic_load_n(&slot->ready, __ATOMIC_ACQUIRE) == next + 1;
}

/* Report that the messages in the places before `next' have been handled; stored every MER_AM_REPORT places.
 * Release, partner: the acquire in mer_am_claim. */
static inline void mer_am_handled(struct mer_receive_rings *rings, enum mer_am_way way, uint32_t next) {
    if (next % MER_AM_REPORT == 0)
        __atomic_store_n(&rings->taken[way], next, __ATOMIC_RELEASE);
}

/* ---- receiving --------------------------------------------------------------------------------------- */

/* A thread's private state of receiving. */
struct mer_receiver {
    struct mer_receive_rings *rings;
    struct mer_handlers *handlers;
    uint32_t next[2]; /* by way: the place that the thread reads next */
    struct mer_am_slot *slot[2];
};

static inline void mer_receiver_open(struct mer_receiver *r, struct mer_receive_rings *rings,
                                     struct mer_handlers *handlers) {
    *r = (struct mer_receiver){
        .rings = rings, .handlers = handlers, .next = {mer_wrap_start, mer_wrap_start}};
    for (int way = 0; way < 2; way++)
        r->slot[way] = &rings->ring[way].slot[r->next[way] % MER_AM_DEPTH];
}

/* Returns the message in the slot that the thread reads next. */
static inline __attribute__((always_inline)) struct mer_am_message
mer_receiver_message(const struct mer_receiver *r, enum mer_am_way way) {
    struct mer_am_slot *slot = r->slot[way];
    struct mer_am_message message = {
        .source = slot->source, .nargs = slot->nargs, .args = slot->args, .request = way == MER_AM_REQUESTS};
    if (slot->size == MER_AM_IS_MEDIUM) {
        message.payload = r->rings->ring[way].payload[r->next[way] % MER_AM_DEPTH];
        message.length = slot->length;
    } else if (slot->size == MER_AM_IS_LONG) {
        message.payload = mer_at(slot->address);
        message.length = slot->extent;
    }
    return message;
}

/* Go on to the next slot. */
static inline __attribute__((always_inline)) void mer_receiver_next(struct mer_receiver *r,
                                                                    enum mer_am_way way) {
    r->next[way]++;
    r->slot[way] += r->next[way] % MER_AM_DEPTH ? 1 : 1 - (int)MER_AM_DEPTH;
    mer_am_handled(r->rings, way, r->next[way]);
}

static inline __attribute__((always_inline)) void mer_receiver_handle(struct mer_receiver *r,
                                                                      enum mer_am_way way) {
    struct mer_am_message message = mer_receiver_message(r, way);
    mer_handlers_run(r->handlers, &message, r->slot[way]->handler);
    mer_receiver_next(r, way);
}

/* Handle the messages that have come, at most one ring full, so that the caller returns however many come.
 * Returns their number. */
static inline __attribute__((always_inline)) int mer_receiver_drain(struct mer_receiver *r,
                                                                    enum mer_am_way way) {
    unsigned count = 0;
    for (; count < MER_AM_DEPTH && mer_am_pending(r->slot[way], r->next[way]); count++)
        mer_receiver_handle(r, way);
    return (int)count;
}

#endif
