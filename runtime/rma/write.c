/* Writes, updates and one-way calls.  Each is a message that is not acknowledged by itself; a fence waits for
 * all of them (fence.h).  A program that writes a word to a million places waits once.
 *
 * Consecutive writes to a
 * thread of another host are pairs of one request, and so are updates; they are handled in the order in which
 * they were begun, as with a request for each.  The dialects' atomics without a result are pairs too
 * (mer_rma_change).  A message for another handler in between begins a new request.
 */
#include "rma/write.h"

#include "am/am.h"
#include "am/call.h"
#include "am/handlers.h"
#include "am/state.h"
#include "rma/fence.h"
#include "rma/get_put.h"
#include "transport/transport.h"
#include "host/job.h"
#include "base/fatal.h"
#include "base/rva.h"
#include "base/wait.h"

#include <stdlib.h>
#include <string.h>

/* Returns n, the bytes of an object that travels in a word; another word or a tag says n, so n is checked. */
static inline size_t word_bytes(const struct mer_am_message *m, size_t n) {
    if (__builtin_expect(n > sizeof(mer_u64), 0))
        mer_message_garbled(m->source, "the length of an object exceeds a word");
    return n;
}

/* Returns the end of the pairs of a message. */
static inline const mer_u64 *pairs_end(const struct mer_am_message *m) {
    return (const mer_u64 *)m->payload + m->length / (2 * sizeof(mer_u64)) * 2;
}

/* words: destination's address; if there is no payload, the value, and its bytes if they are not 8.  The
 * write may be strict: a thread that sees it sees the earlier ones.  Release, partners: the strict reads of
 * this host's threads, and the lock of handlers that read for others. */
static void on_write(struct mer_am_message *m) {
    void *to = mer_at(m->args[0]);
    __atomic_thread_fence(__ATOMIC_RELEASE);
    if (m->payload)
        mer_am_copy(to, m->payload, m->length);
    else
        mer_am_copy(to, &m->args[1], word_bytes(m, m->nargs == 2 ? sizeof(mer_u64) : m->args[2]));
}

/* words: destination's address, an event's, and the number to post there.  One post may be done by the
 * progress thread and the next by this thread, under the lock of memory handlers. */
static void on_write_post(struct mer_am_message *m) {
    mer_am_copy(mer_at(m->args[0]), m->payload, m->length);
    mer_event_post(mer_at(m->args[1]), (uint32_t)m->args[2]);
}

/* pairs: destination's address with the number of bytes, and the value */
static void on_writes(struct mer_am_message *m) {
    const mer_u64 *pair = m->payload, *end = pairs_end(m);
    for (; pair < end; pair += 2)
        mer_am_copy(mer_at(pair[0]), &pair[1], word_bytes(m, mer_am_tag(pair[0])));
}

/* An update is one load and one store of the object's size, as the owner's own update would be; adjacent
 * memory is left alone.  By memcpy, since the object may have been declared with any type. */
#define CHANGE(T, APPLY)                                                                                     \
    {                                                                                                        \
        T value, by;                                                                                         \
        memcpy(&value, at, sizeof value);                                                                    \
        memcpy(&by, word, sizeof by);                                                                        \
        value = APPLY(T, value, by);                                                                         \
        memcpy(at, &value, sizeof value);                                                                    \
        return;                                                                                              \
    }
#define SUM(T, value, by) (op == MER_ACCUMULATE_ADD ? (T)(value + by) : (T)(value - by))
#define WHOLE(T, value, by)                                                                                  \
    (op == MER_ACCUMULATE_AND   ? (T)(value & by)                                                            \
     : op == MER_ACCUMULATE_OR  ? (T)(value | by)                                                            \
     : op == MER_ACCUMULATE_XOR ? (T)(value ^ by)                                                            \
                                : SUM(T, value, by))

static _Noreturn void unknown_update(void) {
    mer_fatal("an atomic update of an unknown type: parts of the program were compiled by another version of "
              "Meridian; compile all files again");
}

static void accumulate(void *at, const mer_u64 *word, unsigned op, unsigned type) {
    switch (type) {
    case 1:
        CHANGE(uint8_t, WHOLE)
    case 2:
        CHANGE(uint16_t, WHOLE)
    case 4:
        CHANGE(uint32_t, WHOLE)
    case 8:
        CHANGE(uint64_t, WHOLE)
    case MER_ACCUMULATE_FLOAT:
        CHANGE(float, SUM)
    case MER_ACCUMULATE_DOUBLE:
        CHANGE(double, SUM)
    default:
        unknown_update();
    }
}

/* An extremum is one load, and a store if the test holds.  The comparison is that of the program, also for
 * NaN. */
#define EXTREMUM(T)                                                                                          \
    {                                                                                                        \
        T value, by;                                                                                         \
        memcpy(&value, at, sizeof value);                                                                    \
        memcpy(&by, word, sizeof by);                                                                        \
        if (HOLDS(by, value) != (test >= MER_TEST_NOT))                                                      \
            memcpy(at, &by, sizeof by);                                                                      \
        return;                                                                                              \
    }
#define HOLDS(x, value)                                                                                      \
    (test % MER_TEST_NOT == MER_TEST_LESS         ? x < value                                                \
     : test % MER_TEST_NOT == MER_TEST_GREATER    ? x > value                                                \
     : test % MER_TEST_NOT == MER_TEST_LESS_EQUAL ? x <= value                                               \
                                                  : x >= value)

static void extremum(void *at, const mer_u64 *word, unsigned test, unsigned type) {
    switch (type) {
    case 1:
        EXTREMUM(uint8_t)
    case 2:
        EXTREMUM(uint16_t)
    case 4:
        EXTREMUM(uint32_t)
    case 8:
        EXTREMUM(uint64_t)
    case 1 + MER_ACCUMULATE_SIGNED:
        EXTREMUM(int8_t)
    case 2 + MER_ACCUMULATE_SIGNED:
        EXTREMUM(int16_t)
    case 4 + MER_ACCUMULATE_SIGNED:
        EXTREMUM(int32_t)
    case 8 + MER_ACCUMULATE_SIGNED:
        EXTREMUM(int64_t)
    case MER_ACCUMULATE_FLOAT + MER_ACCUMULATE_SIGNED:
        EXTREMUM(float)
    case MER_ACCUMULATE_DOUBLE + MER_ACCUMULATE_SIGNED:
        EXTREMUM(double)
    default:
        unknown_update();
    }
}

static inline __attribute__((always_inline)) void change(mer_u64 address, const mer_u64 *operand,
                                                         unsigned how) {
    unsigned op = how % 8, type = how / 8 % 32;
    if (op == MER_ACCUMULATE_EXTREMUM)
        extremum(mer_at(address), operand, how / 256, type);
    else
        accumulate(mer_at(address), operand, op, type);
}

/* words: the object's address, the operand, and how to update (change) */
static void on_accumulate(struct mer_am_message *m) { change(m->args[0], &m->args[1], (unsigned)m->args[2]); }

/* Does the updates of the pairs up to the first with another `how', and returns that pair.  If `how' is a
 * constant, a pair takes a few instructions, so that the processor loads the objects of many pairs at a
 * time. */
static inline __attribute__((always_inline)) const mer_u64 *alike(const mer_u64 *pair, const mer_u64 *end,
                                                                  unsigned how) {
    for (; pair < end && mer_am_tag(pair[0]) == how; pair += 2)
        change(pair[0], &pair[1], how);
    return pair;
}
#define SUMS(type)                                                                                           \
    case MER_ACCUMULATE_ADD + 8 * type:                                                                      \
        pair = alike(pair, end, MER_ACCUMULATE_ADD + 8 * type);                                              \
        break;

/* pairs: the object's address with how to update, and the operand.  The pairs of a loop are mostly of one
 * kind. */
static void on_accumulates(struct mer_am_message *m) {
    const mer_u64 *pair = m->payload, *end = pair + m->length / sizeof *pair;
    while (pair < end) {
        unsigned how = (unsigned)mer_am_tag(pair[0]);
        switch (how) {
            SUMS(4)
            SUMS(8)
            SUMS(MER_ACCUMULATE_DOUBLE)
        case MER_ACCUMULATE_XOR + 8 * 8:
            pair = alike(pair, end, MER_ACCUMULATE_XOR + 8 * 8);
            break;
        default:
            pair = alike(pair, end, how);
        }
    }
}

/* words: service, and if there is no payload its argument */
static void on_one_way(struct mer_am_message *m) {
    mer_am_service *service = (mer_am_service *)mer_rva_to_code(m->args[0], m->source);
    mer_u64 answer[MER_AM_RESULT_MOST / sizeof(mer_u64)];
    mer_am_serve(service, m->source, m->payload ? m->payload : (const void *)&m->args[1], answer);
}

void mer_write_handlers(void) {
    mer_am_set_handler(MER_AM_WRITE, on_write, MER_HANDLER_MEMORY);
    mer_am_set_handler(MER_AM_WRITE_POST, on_write_post, MER_HANDLER_MEMORY);
    mer_am_set_handler(MER_AM_WRITES, on_writes, MER_HANDLER_MEMORY);
    mer_am_set_handler(MER_AM_ACCUMULATE, on_accumulate, MER_HANDLER_MEMORY);
    mer_am_set_handler(MER_AM_ACCUMULATES, on_accumulates, MER_HANDLER_MEMORY);
    mer_am_set_handler(MER_AM_CALL_ONE_WAY, on_one_way, MER_HANDLER_MEMORY);
}

bool mer_rma_change(int to, enum mer_am_number number, mer_u64 first, mer_u64 second) {
    if (mer_am_pair_quick(to, (int)number, first, second, NULL))
        return true;
    if (!mer_am_pair(to, number, first, second, NULL))
        return false;
    mer_rma_changed(to);
    return true;
}

/* Writes n bytes by medium messages.  The last one is for handler `last', with all the words; the others have
 * only the address. */
static void write_parts(mer_u64 bits, const char *from, size_t n, enum mer_am_number last, mer_u64 *words,
                        int nwords) {
    int to = (int)mer_threadof(bits);
    size_t most = mer_transport_medium(mer_transport_to(to));
    for (size_t done = 0, part; done < n; done += part) {
        part = mer_transport_part(n - done, most);
        bool more = done + part < n;
        words[0] = (bits & MER_ADDR_MASK) + done;
        mer_am_request_medium(to, more ? MER_AM_WRITE : last, from + done, part, words, more ? 1 : nwords);
    }
    mer_rma_changed(to);
}

/* The messages of write_parts are handled in the order in which they were sent.  The conduit's own put, which
 * moves many bytes without copying them, keeps no order with messages: it is waited for, and the post is
 * alone. */
void mer_rma_write_post(mer_u64 bits, const void *from, size_t n, mer_u64 event, uint32_t number) {
    int to = (int)mer_threadof(bits);
    mer_u64 words[3] = {bits & MER_ADDR_MASK, event & MER_ADDR_MASK, number};
    if (mer_rma_by_conduit(bits, true, n)) {
        mer_rma_write(bits, from, n);
        mer_am_request_medium(to, MER_AM_WRITE_POST, from, 0, words, 3);
        return;
    }
    write_parts(bits, from, n, MER_AM_WRITE_POST, words, 3);
}

void mer_rma_write(mer_u64 bits, const void *from, size_t n) {
    int to = (int)mer_threadof(bits);
    if (n >= MER_RMA_BULK) {
        int waiting = 0;
        mer_rma_put_remote(bits, from, n, &waiting);
        mer_am_wait_counter(&waiting);
        return;
    }
    mer_u64 words[3] = {bits & MER_ADDR_MASK, 0, n};
    if (n > sizeof(mer_u64)) {
        write_parts(bits, from, n, MER_AM_WRITE, words, 1);
        return;
    }
    memcpy(&words[1], from, n);
    if (!mer_am_pair(to, MER_AM_WRITES, mer_am_tagged(words[0], n), words[1], NULL))
        mer_am_request(to, MER_AM_WRITE, words, n == sizeof(mer_u64) ? 2 : 3);
    mer_rma_changed(to);
}

/* Returns true if all writes of this thread are complete or to thread `to'. */
static bool all_to(int to) {
    const struct mer_writes *w = &mer_writes;
    return mer_writes.counter == 0 && (w->count == 0 || (w->count == 1 && w->threads[0] == to));
}

/* If all writes that are under way go to the same thread, the strict one follows them without a wait.  The
 * memory model (UPC B.3) asks that nobody sees the strict write and then not an earlier one.  The earlier
 * writes are to memory of `to', whose host handles them, and then the strict write, in the order in which
 * they were sent.  A thread of that host that sees the strict write has the others in its memory by then
 * (on_write); a thread of another host asks by message, which is handled after them.  Writes to local memory
 * are in memory when the message leaves, since that takes a lock.  Reads are complete: each waits for its
 * value.  Writes to another thread, even of the same host, have no order with the strict one, and are waited
 * for first. */
void mer_rma_write_strict(mer_u64 bits, mer_u64 value, size_t n) {
    int to = (int)mer_threadof(bits);
    mer_u64 words[3] = {bits & MER_ADDR_MASK, value, n};
    if (!all_to(to))
        mer_rma_complete();
    __atomic_thread_fence(__ATOMIC_SEQ_CST); /* partners: those of other threads' strict accesses */
    mer_am_request(to, MER_AM_WRITE, words, 3);
    mer_rma_changed(to);
    mer_rma_complete();
    __atomic_thread_fence(__ATOMIC_SEQ_CST); /* likewise: later accesses come after the write */
}

void mer_rma_accumulate(mer_u64 bits, mer_u64 value, unsigned how) {
    int to = (int)mer_threadof(bits);
    mer_u64 address = bits & MER_ADDR_MASK;
    if (!mer_am_pair(to, MER_AM_ACCUMULATES, mer_am_tagged(address, how), value, NULL))
        MER_AM_REQUEST(to, MER_AM_ACCUMULATE, address, value, how);
    mer_rma_changed(to);
}

void mer_rma_call_one_way(int to, mer_am_service *service, const void *in, size_t n) {
    mer_u64 words[MER_AM_ARGS] = {mer_rva_of_code((mer_rva_code *)service)};
    if (n > sizeof words - sizeof *words) {
        mer_am_request_medium(to, MER_AM_CALL_ONE_WAY, in, n, words, 1);
    } else {
        memcpy(&words[1], in, n);
        mer_am_request(to, MER_AM_CALL_ONE_WAY, words, 1 + (int)((n + 7) / 8));
    }
    mer_rma_changed(to);
}
