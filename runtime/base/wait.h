/* Waiting: the one way in which threads of a job wait for each other.
 *
 * An event is a 32-bit word in shared memory: a sequence number, shifted left by one, and in the lowest bit
 * "somebody sleeps here".  The owner of the event posts growing numbers; any thread may wait until a number
 * has been posted.  Number and sleeper's bit share a word, so that no order between two words has to be
 * argued:
 *
 *   post:  old = exchange(word, n << 1); if old has the bit, wake all who sleep on the word.
 *   wait:  read the word; reached: done.  Spin, yield; then set the bit by compare-exchange on the value read
 *          and sleep in the kernel, which looks once more that the word has that value before it sleeps.
 *
 * If the exchange comes before the compare-exchange, the latter fails and the waiter looks again; if the
 * exchange comes after, it sees the bit, and the poster wakes the waiter.  So no wake-up is lost.
 *
 * Numbers may wrap: they are compared by difference, so the number last posted and one that is waited for
 * have to be less than 2^30 apart.  Whoever leaves an event alone for longer posts in it now and then
 * (base/wrap.h).
 *
 * How long to spin depends on whether there are more threads than cores (mer_here.oversubscribed): then the
 * thread waited for may need this very core, and the waiter only yields, and sleeps soon.
 */
#ifndef MER_BASE_WAIT_H
#define MER_BASE_WAIT_H

#include "base/wrap.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An event.  In a word of zero, number 0 is posted and nobody sleeps. */
struct mer_event {
    uint32_t word;
};

/* Let a core's other hardware thread run, and do not fill the pipeline with loads of the word waited for. */
static inline void mer_pause(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb" ::: "memory");
#endif
}

/* Begin to bring a line into this core's cache for writing, without waiting. */
static inline void mer_fetch_to_write(const void *line) {
#if defined(__x86_64__)
    __asm__ volatile("prefetchw %0" : : "m"(*(const char *)line));
#else
    __builtin_prefetch(line, 1);
#endif
}

/* Sleep on a word of shared memory while it holds `value`; at most nanoseconds ns (0: no limit).  False on
 * timeout.  May return early: callers look again. */
bool mer_futex_wait(uint32_t *word, uint32_t value, uint64_t nanoseconds);
/* Wake at most count sleepers, of any process of the job. */
void mer_futex_wake(uint32_t *word, int count);

void mer_event_wake(struct mer_event *event);
void mer_event_wait_slow(struct mer_event *event, uint32_t number, const char *what);
/* Wait until `number' has been posted, but sleep for at most so long at a time (0: no limit).  Returns false
 * if a sleep has timed out and the number has not been posted. */
bool mer_event_wait_for(struct mer_event *event, uint32_t number, uint64_t nanoseconds);

/* Post `number`, and wake whoever sleeps.  Release, and a full fence (partner: the acquire in
 * mer_event_reached): a thread that has seen the number sees the poster's earlier writes.  One poster at a
 * time, with growing numbers. */
static inline void mer_event_post(struct mer_event *event, uint32_t number) {
    uint32_t old = __atomic_exchange_n(&event->word, number << 1, __ATOMIC_SEQ_CST);
    if (__builtin_expect(old & 1, 0))
        mer_event_wake(event);
}

/* Returns by how much the number in an event's word is ahead of another one.  The difference is that of
 * 32-bit words, so that the 31-bit numbers wrap as the words do. */
static inline int32_t mer_event_word_ahead(uint32_t word, uint32_t number) {
    return mer_wrap_ahead(word & ~1U, number << 1) / 2;
}

/* Has `number` (or a later one) been posted?  Acquire, partner: the exchange in mer_event_post. */
static inline bool mer_event_reached(const struct mer_event *event, uint32_t number) {
    return mer_event_word_ahead(__atomic_load_n(&event->word, __ATOMIC_ACQUIRE), number) >= 0;
}

/* Returns by how much the number last posted is ahead of this one.  Relaxed: for messages. */
static inline int32_t mer_event_ahead(const struct mer_event *event, uint32_t number) {
    return mer_event_word_ahead(__atomic_load_n(&event->word, __ATOMIC_RELAXED), number);
}

/* Makes `number` count as posted, before anybody posts (base/wrap.h). */
static inline void mer_event_begin(struct mer_event *event, uint32_t number) {
    mer_wrap_begin(&event->word, number << 1);
}

/* Wait until `number` has been posted.  `what` is for the message about long waits ("upc_barrier", a
 * collective's name); it lives as long as the program, and may be null. */
static inline void mer_event_wait(struct mer_event *event, uint32_t number, const char *what) {
    if (!mer_event_reached(event, number))
        mer_event_wait_slow(event, number, what);
}

/* The part of a wait before sleep, for waits with a protocol of their own (mutexes):
 *
 *     for (mer_wait_begin(&w); mer_wait_turn(&w);)
 *         if (condition) { mer_wait_won(&w); return; }
 *     sleep until the condition holds
 *
 * A turn spins or yields.  It returns false when it is time to sleep. */
struct mer_wait {
    long spins, yields; /* still to go */
    long yielded;       /* done */
    uint64_t yielded_ns;
};
void mer_wait_begin(struct mer_wait *w);
bool mer_wait_turn(struct mer_wait *w);
void mer_wait_won(const struct mer_wait *w);

/* A loop of waiting that no event covers (a strict flag polled by the library, a queue):
 *
 *     struct mer_backoff p = {0};
 *     while (!condition) mer_backoff_turn(&p);
 *
 * spins, then yields, then sleeps for growing times up to 1 ms; the condition is looked at between turns. */
struct mer_backoff {
    struct mer_wait wait;
    uint32_t sleeps;
    bool begun;
};
void mer_backoff_turn(struct mer_backoff *p);

/* The messages that wake a sleeping thread.  MESSAGES: those that only the thread itself may handle.  ALL:
 * also those that a memory handler has handled for it, since the thread may wait for their effect.  A thread
 * that sleeps on a word needs no ALL: whoever changes the word wakes it, a memory handler too.  Modelled in
 * tests/model/bell.pml. */
enum mer_bell { MER_BELL_AWAKE, MER_BELL_ALL, MER_BELL_MESSAGES };

/* The hook of a thread that takes active messages: every wait also polls for messages at each turn, and
 * sleeps on the thread's bell too.  Before it sleeps, the thread writes to the bell which messages wake it
 * (enum mer_bell); whoever has such a message for it sets the bell back to 0 and wakes it.
 *
 *   poll          returns how many messages it handled, or -1 if none may be handled here (in a handler; in
 *                 another POSIX thread)
 *   may_poll      may messages be handled here?
 *   global_fence  senders have no fence; the sleeper has the kernel execute one on all cores
 *   by_network    a poll calls the kernel, and takes as long as tens of pauses
 *   rest          told before and after a sleep; may be null
 *
 * If the hook is null, the thread takes no messages. */
struct mer_wait_hook {
    uint32_t *bell;
    int (*poll)(void);
    bool (*may_poll)(void);
    bool global_fence;
    bool by_network;
    void (*rest)(bool resting);
};
/* Set once, before there is a second POSIX thread, and not changed: a thread looks at it again after a sleep.
 */
extern const struct mer_wait_hook *mer_wait_hook;
/* True once this POSIX thread is about to die: its waits handle no messages any more.  may_poll reads it. */
extern _Thread_local bool mer_wait_alone;

/* Sleep until the bell is 0.  Messages that are there already are handled instead.  The hook must be set. */
void mer_bell_wait(const char *what);

/* Set the limits by settings and by whether the job is oversubscribed; start-up, and tests. */
void mer_wait_configure(long spin_limit, long yield_limit, bool oversubscribed);

/* Called about once a STALL_SECONDS by a thread that has slept long, if MERIDIAN_CHECK=1; set by start-up.
 * A pointer so that this file knows nothing about jobs. */
extern void (*mer_wait_stalled)(const void *word, const char *what);
extern uint64_t mer_wait_stall_ns;

#endif
