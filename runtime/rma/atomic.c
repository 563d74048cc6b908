/* Atomics on remote objects.
 *
 * Each owner has one mutex, under which this file accesses the owner's objects.  So an operation by another
 * thread of the host and a function that the owner runs for another thread exclude each other.  For remote
 * objects the owner is sent a message, whose handler acts as a thread of the owner's host would.
 *
 * A handler may wait for that mutex, since its holder waits for nothing while it has it.  A function that the
 * owner runs holds the mutex, and may therefore use no atomics itself.
 */
#include "rma/atomic.h"

#include "am/am.h"
#include "am/handlers.h"
#include "rma/get_put.h"
#include "rma/fence.h"

#include "transport/receive_ring.h"
#include "host/job.h"
#include "base/fatal.h"
#include "base/mutex.h"
#include "base/rva.h"

#include <meridian/everything.h>
#include <string.h>

#define ME mer_job.mythread

/* Each thread's mutex lies in the unused rest of the first page of its receive rings. */
static struct mer_mutex *mutex_of(int t) {
    return (struct mer_mutex *)((char *)mer_receive_rings_of(t) + 2048);
}

static _Thread_local bool running; /* a function on behalf of another thread; not in the progress thread */

bool mer_remote_call_runs(void) { return running; }

static void enter(int owner) {
    if (running)
        mer_fatal("a function that atomic() runs calls an atomic operation");
    mer_mutex_lock(mutex_of(owner), (uint32_t)ME + 1, "an atomic operation");
}

static void leave(int owner) { mer_mutex_unlock(mutex_of(owner)); }

static void check(mer_u64 bits) {
    if (!bits)
        mer_fatal("an atomic operation on a null global pointer");
    mer_rma_check(bits, "an atomic operation");
}

/* ---- the operations, by a thread of the owner's host --------------------------------------------------- */

/* Each operation is one instruction of the processor, although the mutex is held.  A plain write beside it,
 * such as the 0 by which a program releases a test_and_set lock, would be lost between a load and a store.
 * Partners: such writes, by the owner, another thread of its host, or a handler. */
#define APPLY(name, T)                                                                                       \
    static T name(enum mer_remote_op op, T *object, T value, T compare) {                                    \
        switch (op) {                                                                                        \
        case MER_REMOTE_ADD:                                                                                 \
            return __atomic_fetch_add(object, value, __ATOMIC_SEQ_CST);                                      \
        case MER_REMOTE_OR:                                                                                  \
            return __atomic_fetch_or(object, value, __ATOMIC_SEQ_CST);                                       \
        case MER_REMOTE_CAS:                                                                                 \
            __atomic_compare_exchange_n(object, &compare, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
            return compare;                                                                                  \
        default:                                                                                             \
            return __atomic_exchange_n(object, value, __ATOMIC_SEQ_CST);                                     \
        }                                                                                                    \
    }
APPLY(apply_32, int32_t)
APPLY(apply_64, int64_t)

static mer_i64 apply(int owner, enum mer_remote_op op, int size, void *at, mer_i64 value, mer_i64 compare) {
    enter(owner);
    mer_i64 old = size == 4 ? apply_32(op, at, (int32_t)value, (int32_t)compare)
                            : apply_64(op, at, value, compare);
    leave(owner);
    return old;
}

/* A float is in the low half of the register that a double would be in. */
typedef double real_function(void *, mer_u64, mer_u64, mer_u64, mer_u64, mer_u64, double, double, double,
                             double, double);

static mer_u64 run(mer_remote_function *function, void *at, const mer_u64 *words, unsigned reals) {
    mer_u64 n[MER_REMOTE_WORDS] = {0};
    double x[MER_REMOTE_WORDS] = {0};
    for (int i = 0, integers = 0, floating = 0; i < MER_REMOTE_WORDS; i++) {
        if (reals >> i & 1)
            memcpy(&x[floating++], &words[i], sizeof x[0]);
        else
            n[integers++] = words[i];
    }
    enter(ME);
    running = true;
    mer_u64 result;
    if (reals >> MER_REMOTE_WORDS & 1) {
        double real = ((real_function *)(void (*)(void))function)(at, n[0], n[1], n[2], n[3], n[4], x[0],
                                                                  x[1], x[2], x[3], x[4]);
        memcpy(&result, &real, sizeof result);
    } else {
        result = function(at, n[0], n[1], n[2], n[3], n[4], x[0], x[1], x[2], x[3], x[4]);
    }
    running = false;
    leave(ME);
    return result;
}

static mer_u64 item_bits(const struct mer_queue *q, mer_u64 i) {
    return q->items + i % q->capacity * q->size;
}

static bool append(int owner, struct mer_queue *q, const void *item) {
    enter(owner);
    bool fits = q->count < q->capacity;
    if (fits)
        memcpy(mer_at(item_bits(q, q->first + q->count++)), item, q->size);
    leave(owner);
    return fits;
}

/* ---- by message ---------------------------------------------------------------------------------------- */

struct answer {
    mer_u64 value;
    int waiting;
};

static void reply(struct mer_am_message *m, mer_u64 answer, mer_u64 value) {
    MER_AM_REPLY(m, MER_AM_RESULT, answer, value);
}

static void on_result(struct mer_am_message *m) {
    struct answer *answer = (struct answer *)(uintptr_t)m->args[0];
    answer->value = m->args[1];
    answer->waiting = 0;
}

/* words: answer, op, size, address, value, compare */
static void on_atomic(struct mer_am_message *m) {
    const mer_u64 *w = m->args;
    reply(
        m, w[0],
        (mer_u64)apply(ME, (enum mer_remote_op)w[1], (int)w[2], mer_at(w[3]), (mer_i64)w[4], (mer_i64)w[5]));
}

/* Returns the local address of an object of this thread, from its address as this thread's program has it. */
static void *local(mer_u64 address) {
    return mer_to_local(mer_mk(address | (mer_u64)ME << MER_THREAD_SHIFT));
}

/* `reals' travels in the bits above an address. */
#define MER_REALS_SHIFT 56
static_assert(MER_ADDR_MASK >> MER_REALS_SHIFT == 0 && MER_REMOTE_WORDS + 1 <= 8, "both fit");

/* words: answer, function, address with the reals above it, the function's words */
static void on_call(struct mer_am_message *m) {
    mer_remote_function *function = (mer_remote_function *)mer_rva_to_code(m->args[1], m->source);
    unsigned reals = (unsigned)(m->args[2] >> MER_REALS_SHIFT);
    reply(m, m->args[0], run(function, local(m->args[2] & MER_ADDR_MASK), &m->args[3], reals));
}

/* words: answer, queue's address; payload: the item */
static void on_enqueue(struct mer_am_message *m) {
    reply(m, m->args[0], append(ME, mer_at(m->args[1]), m->payload));
}

void mer_atomic_handlers(void) {
    mer_am_set_handler(MER_AM_RESULT, on_result, 0);
    mer_am_set_handler(MER_AM_ATOMIC, on_atomic, MER_HANDLER_MEMORY);
    mer_am_set_handler(MER_AM_ATOMIC_CALL, on_call, 0);
    mer_am_set_handler(MER_AM_ENQUEUE, on_enqueue, MER_HANDLER_MEMORY);
}

static mer_u64 await(const struct answer *answer) {
    MER_AM_WAIT_UNTIL(*(const volatile int *)&answer->waiting == 0);
    return answer->value;
}

/* ---- the interface ------------------------------------------------------------------------------------- */

/* Called before an operation: a thread that sees its result also sees the earlier writes of this thread,
 * which in AC may be under way.  Cost if nothing goes by message: a load. */
static void begin(mer_u64 bits) {
    check(bits);
    if (mer_by_message())
        mer_rma_complete();
}

mer_i64 mer_remote_atomic(enum mer_remote_op op, int size, mer_u64 bits, mer_i64 value, mer_i64 compare) {
    begin(bits);
    int owner = (int)mer_procof(bits);
    if (mer_is_local(bits)) {
        /* A thread that waits for a lock in its own memory has to handle the message that opens it. */
        if (mer_remote_global(bits))
            mer_am_poll();
        return apply(owner, op, size, mer_at(bits), value, compare);
    }
    struct answer answer = {.waiting = 1};
    MER_AM_REQUEST(owner, MER_AM_ATOMIC, (mer_u64)(uintptr_t)&answer, (mer_u64)op, (mer_u64)size,
                   bits & MER_ADDR_MASK, (mer_u64)value, (mer_u64)compare);
    return (mer_i64)await(&answer);
}

mer_u64 mer_remote_call(mer_remote_function *function, mer_u64 bits, const mer_u64 *words, int nwords,
                        unsigned reals) {
    begin(bits);
    if (nwords > MER_REMOTE_WORDS)
        mer_fatal("atomic: %d arguments after the global pointer, but at most %d are possible", nwords,
                  MER_REMOTE_WORDS);
    struct answer answer = {.waiting = 1};
    mer_u64 w[3 + MER_REMOTE_WORDS] = {(mer_u64)(uintptr_t)&answer, mer_rva_of_code((mer_rva_code *)function),
                                       (bits & MER_ADDR_MASK) | (mer_u64)reals << MER_REALS_SHIFT};
    for (int i = 0; i < nwords; i++)
        w[3 + i] = words[i];
    if ((int)mer_procof(bits) == ME)
        return run(function, local(bits & MER_ADDR_MASK), w + 3, reals);
    mer_am_request((int)mer_procof(bits), MER_AM_ATOMIC_CALL, w, 3 + MER_REMOTE_WORDS);
    return await(&answer);
}

/* Returns the size of a queue's items, from its head, which may be remote.  The size does not change. */
static mer_u64 item_size(mer_u64 queue) {
    mer_u64 size;
    mer_global_get(&size, queue + offsetof(struct mer_queue, size), sizeof size);
    return size;
}

bool mer_remote_enqueue(mer_u64 queue, const void *item) {
    begin(queue);
    int owner = (int)mer_procof(queue);
    if (owner == ME ||
        (mer_is_local(queue) && mer_is_local(((const struct mer_queue *)mer_at(queue))->items)))
        return append(owner, mer_at(queue), item);
    struct answer answer = {.waiting = 1};
    mer_u64 words[2] = {(mer_u64)(uintptr_t)&answer, queue & MER_ADDR_MASK};
    mer_am_request_medium(owner, MER_AM_ENQUEUE, item, item_size(queue), words, 2);
    return await(&answer);
}

bool mer_remote_dequeue(mer_u64 queue, void *item) {
    check(queue);
    int owner = (int)mer_procof(queue);
    if (owner != ME)
        mer_fatal(
            "dequeue: the queue belongs to processor %d; only this processor can take items from the queue",
            owner);
    struct mer_queue *q = mer_at(queue);
    enter(owner);
    bool some = q->count > 0;
    if (some) {
        memcpy(item, mer_at(item_bits(q, q->first++)), q->size);
        q->count--;
    }
    leave(owner);
    return some;
}
