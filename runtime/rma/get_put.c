/* Memory by message: get, put and store with counters, as libsplit-c has them (figures 6-7 and 6-8), for
 * memory outside of the views, and for all memory with MERIDIAN_REFERENCE=1.
 *
 * A get is a request that carries the addresses of the counter and of the destination; the reply brings them
 * back with the value.  Consecutive gets of up to a word from one thread of another host share one request
 * and one reply, and their destinations stay here.  A put is acknowledged by a reply that names the counter.
 * A store is not acknowledged, and raises a counter where it arrives.  Up to a word travels in the message's
 * words; more bytes, of any number, travel in consecutive medium payloads.
 *
 * Blocking reads and writes are gets and puts with a counter of their own.  The program's own text and
 * constant data are the same in every process and are read here.
 */
#include "rma/get_put.h"

#include "am/am.h"
#include "am/handlers.h"
#include "rma/atomic.h"
#include "rma/fence.h"

#include "transport/transport.h"
#include "host/everything.h"
#include "host/job.h"
#include "base/fatal.h"
#include "base/record.h"

#include <meridian/everything.h>
#include <stdlib.h>
#include <string.h>

#define ME mer_job.mythread
#define FILL_MOST (256UL << 10) /* bytes that one handler sets; other messages are handled in between */

extern char __executable_start[] __attribute__((weak));
extern char data_begins[] __asm__("__data_start") __attribute__((weak));

int mer_outstanding;
struct mer_store_totals mer_store_totals;

static void *local_of(mer_u64 word) { return (void *)(uintptr_t)word; }
static mer_u64 word_of(const void *p) { return (mer_u64)(uintptr_t)p; }

/* Returns the address of the object in its owner's process: views have the same addresses everywhere. */
static mer_u64 address_of(mer_u64 bits) { return bits & MER_ADDR_MASK; }

bool mer_rma_is_direct(mer_u64 bits, bool write) {
    if (mer_is_local(bits))
        return true;
    return !write && __executable_start && address_of(bits) >= word_of(__executable_start) &&
           address_of(bits) < word_of(data_begins);
}

void mer_rma_check(mer_u64 bits, const char *what) {
    if (__builtin_expect(!bits, 0))
        mer_fatal("%s through a null global pointer", what);
    if (__builtin_expect(mer_procof(bits) >= (mer_u64)mer_job.threads, 0))
        mer_fatal("%s through a global pointer to processor %d, but there are %d", what, mer_named_proc(bits),
                  mer_job.threads);
}

/* Returns the end of the transport for messages to the owner of bits, or null if it is on this host. */
static struct mer_transport *end_of(mer_u64 bits) { return mer_transport_to((int)mer_procof(bits)); }

/* Returns how many of n bytes go in one message to or from the owner of bits. */
static size_t part_of(size_t n, mer_u64 bits) {
    return mer_transport_part(n, mer_transport_medium(end_of(bits)));
}

/* ---- handlers ------------------------------------------------------------------------------------------ */

/* Adds to a count of arrived bytes, which this thread alone reads.  Relaxed: the count is read between
 * barriers, or again and again.  Between hosts the progress thread adds to it concurrently; on one host a
 * POSIX thread that handles a message has the rings for itself (am/progress.c). */
static inline void count(mer_i64 *sum, mer_i64 n) {
    if (__builtin_expect(mer_transport != NULL, 0))
        __atomic_fetch_add(sum, n, __ATOMIC_RELAXED);
    else
        __atomic_store_n(sum, *sum + n, __ATOMIC_RELAXED);
}

/* Copies an object of n bytes that travels in a word of a message.  The message also says n, so n is
 * checked. */
static void copy_word(const struct mer_am_message *m, void *to, const void *from, size_t n) {
    if (__builtin_expect(n > sizeof(mer_u64), 0))
        mer_message_garbled(m->source, "the length of an object exceeds a word");
    mer_am_copy(to, from, n);
}

/* words: destination, counter, source's address, bytes */
static void on_get(struct mer_am_message *m) {
    const void *from = local_of(m->args[2]);
    size_t n = m->args[3];
    if (n > sizeof(mer_u64)) {
        mer_am_reply_medium(m, MER_AM_GOT, from, n, m->args, 2);
        return;
    }
    mer_u64 words[4] = {m->args[0], m->args[1], n, 0};
    mer_am_copy(&words[3], from, n);
    mer_am_reply(m, MER_AM_GOT, words, 4);
}

/* words: struct mer_asked; payload: addresses of the sources, with the number of bytes */
static void on_gets(struct mer_am_message *m) {
    const mer_u64 *from = m->payload;
    mer_u64 answer[MER_TRANSPORT_LONG / sizeof(mer_u64)];
    if (m->length > sizeof answer)
        mer_message_garbled(m->source, "a get asks for more words than a reply can hold");
    for (size_t i = 0; i < m->length / sizeof *from; i++) {
        answer[i] = 0;
        copy_word(m, &answer[i], mer_at(from[i]), mer_am_tag(from[i]));
    }
    mer_am_reply_medium(m, MER_AM_GOTS, answer, m->length, m->args, 1);
}

/* words: struct mer_asked, whose pairs are destinations with the number of bytes; payload: a word for each */
static void on_gots(struct mer_am_message *m) {
    struct mer_asked *asked = local_of(m->args[0]);
    const mer_u64 *value = m->payload;
    if (m->length != asked->count * sizeof *value)
        mer_message_garbled(m->source, "a reply has another number of words than its get asked for");
    for (size_t i = 0; i < asked->count; i++)
        mer_am_copy(mer_at(asked->first[i]), &value[i], mer_am_tag(asked->first[i]));
    *asked->counter -= (int)asked->count;
    free(asked);
}

static void on_got(struct mer_am_message *m) {
    if (m->payload)
        mer_am_copy(local_of(m->args[0]), m->payload, m->length);
    else
        copy_word(m, local_of(m->args[0]), &m->args[3], m->args[2]);
    --*(int *)local_of(m->args[1]);
}

/* words: destination's address, counter, and if there is no payload bytes and value */
static void on_put(struct mer_am_message *m) {
    if (m->payload)
        mer_am_copy(local_of(m->args[0]), m->payload, m->length);
    else
        copy_word(m, local_of(m->args[0]), &m->args[3], m->args[2]);
    mer_am_reply(m, MER_AM_ACK, &m->args[1], 1);
}

static void on_ack(struct mer_am_message *m) { --*(int *)local_of(m->args[0]); }

/* words: destination's address, counter's address on the receiver or an epoch, and as for a put */
static void on_store(struct mer_am_message *m) {
    size_t n = m->payload ? m->length : m->args[2];
    if (m->payload)
        mer_am_copy(local_of(m->args[0]), m->payload, n);
    else
        copy_word(m, local_of(m->args[0]), &m->args[3], n);
    if (m->args[1] < 2) /* other threads of this host add to a counter of the program's too */
        count(&mer_store_totals.stored[m->args[1]], (mer_i64)n);
    else
        __atomic_fetch_add((mer_i64 *)local_of(m->args[1]), (mer_i64)n, __ATOMIC_RELAXED);
    count(&mer_store_totals.received, (mer_i64)n);
}

/* words: destination's address, counter, value, bytes */
static void on_fill(struct mer_am_message *m) {
    memset(local_of(m->args[0]), (int)m->args[2], m->args[3]);
    mer_am_reply(m, MER_AM_ACK, &m->args[1], 1);
}

void mer_get_put_handlers(void) {
    mer_am_set_handler(MER_AM_FILL, on_fill, MER_HANDLER_MEMORY);
    mer_am_set_handler(MER_AM_GET, on_get, MER_HANDLER_MEMORY | MER_HANDLER_READS | MER_HANDLER_LENGTH_WORD);
    mer_am_set_handler(MER_AM_GOT, on_got, MER_HANDLER_READS);
    mer_am_set_handler(MER_AM_GETS, on_gets,
                       MER_HANDLER_MEMORY | MER_HANDLER_READS | MER_HANDLER_LENGTH_WORD);
    mer_am_set_handler(MER_AM_GOTS, on_gots, MER_HANDLER_READS);
    mer_am_set_handler(MER_AM_PUT, on_put, MER_HANDLER_MEMORY);
    mer_am_set_handler(MER_AM_ACK, on_ack, 0);
    mer_am_set_handler(MER_AM_STORE, on_store, MER_HANDLER_MEMORY);
}

/* ---- split-phase --------------------------------------------------------------------------------------- */

bool mer_rma_by_conduit(mer_u64 bits, bool put, size_t n) {
    return n >= MER_RMA_BULK && mer_transport_has_rma(end_of(bits), put, n);
}

/* The conduit's get and put keep no order with messages.  So both functions first wait for all earlier
 * writes, those of copies and fills included, and put_bulk also waits for its own. */
static bool get_bulk(void *to, mer_u64 bits, size_t n, int *counter) {
    if (!mer_rma_by_conduit(bits, false, n))
        return false;
    mer_rma_complete();
    return mer_transport_get(end_of(bits), to, bits, n, counter);
}

static bool put_bulk(mer_u64 bits, const void *from, size_t n) {
    int waiting = 0;
    if (!mer_rma_by_conduit(bits, true, n))
        return false;
    mer_rma_complete();
    if (!mer_transport_put(end_of(bits), bits, from, n, &waiting))
        return false;
    mer_am_wait_counter(&waiting);
    return true;
}

void mer_rma_get_remote(void *to, mer_u64 bits, size_t n, int *counter) {
    if (get_bulk(to, bits, n, counter))
        return;
    if (n > 0 && n <= sizeof(mer_u64)) {
        ++*counter; /* first: the answer may come within the call */
        if (mer_am_pair((int)mer_procof(bits), MER_AM_GETS, mer_am_tagged(word_of(to), n),
                        mer_am_tagged(address_of(bits), n), counter))
            return;
        --*counter;
    }
    for (size_t done = 0, part; done < n; done += part) {
        part = part_of(n - done, bits);
        ++*counter;
        MER_AM_REQUEST((int)mer_procof(bits), MER_AM_GET, word_of((char *)to + done), word_of(counter),
                       address_of(bits) + done, part);
    }
}

/* Sends one message that carries n <= MER_AM_MEDIUM bytes. */
static void send_bytes(enum mer_am_number handler, mer_u64 bits, mer_u64 counter, const void *from,
                       size_t n) {
    int to = (int)mer_procof(bits);
    mer_u64 words[4] = {address_of(bits), counter, n, 0};
    if (n > sizeof words[3]) {
        mer_am_request_medium(to, (int)handler, from, n, words, 2);
        return;
    }
    mer_am_copy(&words[3], from, n);
    mer_am_request(to, (int)handler, words, 4);
}

void mer_rma_send_gets(void) {
    if (mer_transport && mer_rows_ask(mer_transport_rows(mer_transport)))
        mer_am_poll();
}

void mer_rma_put_remote(mer_u64 bits, const void *from, size_t n, int *counter) {
    if (put_bulk(bits, from, n))
        return;
    for (size_t done = 0, part; done < n; done += part) {
        part = part_of(n - done, bits);
        ++*counter;
        send_bytes(MER_AM_PUT, bits + done, word_of(counter), (const char *)from + done, part);
    }
}

void mer_rma_fill_remote(mer_u64 bits, int c, size_t n, int *counter) {
    for (size_t done = 0, part; done < n; done += part) {
        part = n - done < FILL_MOST ? n - done : FILL_MOST;
        ++*counter;
        MER_AM_REQUEST((int)mer_procof(bits), MER_AM_FILL, address_of(bits) + done, word_of(counter),
                       (mer_u64)(unsigned char)c, part);
    }
}

void mer_rma_store(mer_u64 bits, const void *from, size_t n, mer_i64 *received) {
    mer_store_totals.sent += (mer_i64)n;
    for (size_t done = 0, part; done < n; done += part) {
        part = part_of(n - done, bits);
        send_bytes(MER_AM_STORE, bits + done, received ? word_of(received) : mer_store_totals.epoch,
                   (const char *)from + done, part);
    }
}

mer_i64 mer_rma_stores_in_flight(void) {
    return mer_store_totals.sent - __atomic_load_n(&mer_store_totals.received, __ATOMIC_RELAXED);
}

/* ---- calls of compiled code (everything.h) ------------------------------------------------------------- */

void *mer_global_get(void *to, mer_u64 bits, mer_size n) {
    mer_rma_check(bits, "a read");
    if (mer_rma_is_direct(bits, false)) {
        /* Poll here, since a program may read its own memory until another thread has written there, which
         * takes a message.  A function that atomic() runs does not wait, and another such function may not
         * run within it. */
        if (mer_remote_global(bits) && !mer_remote_call_runs())
            mer_am_poll();
        memmove(mer_everything_seen(to), mer_at(bits), n);
        return to;
    }
    int counter = 0;
    mer_record_begin();
    mer_rma_get_remote(to, bits, n, &counter);
    mer_am_wait_counter(&counter);
    mer_record_end(MER_RECORD_GET, (int)mer_procof(bits), n);
    return to;
}

void mer_global_put(mer_u64 bits, const void *from, mer_size n) {
    mer_rma_check(bits, "a write");
    if (mer_rma_is_direct(bits, true)) {
        memmove(mer_at(bits), mer_everything_seen(from), n);
        return;
    }
    int counter = 0;
    mer_record_begin();
    mer_rma_put_remote(bits, from, n, &counter);
    mer_am_wait_counter(&counter);
    mer_record_end(MER_RECORD_PUT, (int)mer_procof(bits), n);
}

void mer_global_get_start(void *to, mer_u64 bits, mer_size n) {
    mer_rma_check(bits, "a get");
    if (mer_rma_is_direct(bits, false)) {
        memmove(mer_everything_seen(to), mer_at(bits), n);
        return;
    }
    mer_record_begin();
    mer_rma_get_remote(to, bits, n, &mer_outstanding);
    mer_record_end(MER_RECORD_GET_BEGIN, (int)mer_procof(bits), n);
}

void mer_global_put_start(mer_u64 bits, const void *from, mer_size n) {
    mer_rma_check(bits, "a put");
    if (mer_rma_is_direct(bits, true)) {
        memmove(mer_at(bits), mer_everything_seen(from), n);
        return;
    }
    mer_record_begin();
    mer_rma_put_remote(bits, from, n, &mer_outstanding);
    mer_record_end(MER_RECORD_PUT_BEGIN, (int)mer_procof(bits), n);
}
