/* Raw active messages, and the least work that memory and kernel need for a round trip. The handlers do the
 * work of those in libsplit-c (von Eicken, figures 6-7 and 6-8), and no more. */
#include "messages.h"

#include <linux/futex.h>
#include <meridian/am.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int get_word, got_word, put_word, put_done, get_block, got_block, put_block, store_word, store_block,
    ping, pong;
static int outstanding;
static long pings, pongs;

static void *at(mer_u64 word) { return (void *)word; }
static mer_u64 word(const void *p) { return (mer_u64)p; }

/* words: destination, source */
static void on_get_word(struct mer_am_message *m) {
    MER_AM_REPLY(m, got_word, m->args[0], *(mer_u64 *)at(m->args[1]));
}
static void on_got_word(struct mer_am_message *m) {
    *(mer_u64 *)at(m->args[0]) = m->args[1];
    outstanding--;
}
/* words: destination, value */
static void on_put_word(struct mer_am_message *m) {
    *(mer_u64 *)at(m->args[0]) = m->args[1];
    MER_AM_REPLY(m, put_done, 0);
}
static void on_put_done(struct mer_am_message *m) {
    (void)m;
    outstanding--;
}
static void on_store_word(struct mer_am_message *m) { *(mer_u64 *)at(m->args[0]) = m->args[1]; }
/* words: destination, source, bytes */
static void on_get_block(struct mer_am_message *m) {
    mer_am_reply_medium(m, got_block, at(m->args[1]), m->args[2], m->args, 1);
}
static void on_got_block(struct mer_am_message *m) {
    memcpy(at(m->args[0]), m->payload, m->length);
    outstanding--;
}
static void on_put_block(struct mer_am_message *m) {
    memcpy(at(m->args[0]), m->payload, m->length);
    MER_AM_REPLY(m, put_done, 0);
}
static void on_store_block(struct mer_am_message *m) { memcpy(at(m->args[0]), m->payload, m->length); }
static void on_ping(struct mer_am_message *m) {
    pings++;
    MER_AM_REPLY(m, pong, 0);
}
static void on_pong(struct mer_am_message *m) {
    (void)m;
    pongs++;
}

void raw_start(void) {
    get_word = mer_am_register(on_get_word);
    got_word = mer_am_register(on_got_word);
    put_word = mer_am_register(on_put_word);
    put_done = mer_am_register(on_put_done);
    store_word = mer_am_register(on_store_word);
    get_block = mer_am_register(on_get_block);
    got_block = mer_am_register(on_got_block);
    put_block = mer_am_register(on_put_block);
    store_block = mer_am_register(on_store_block);
    ping = mer_am_register(on_ping);
    pong = mer_am_register(on_pong);
}

static void complete(void) { MER_AM_WAIT_UNTIL(outstanding == 0); }

void raw_get(int proc, long *to, const long *there, long n) {
    for (long i = 0; i < n; i++) {
        outstanding++;
        MER_AM_REQUEST(proc, get_word, word(&to[i]), word(&there[i]));
    }
    complete();
}
void raw_read(int proc, long *to, const long *there, long n) {
    for (long i = 0; i < n; i++)
        raw_get(proc, &to[i], &there[i], 1);
}
void raw_put(int proc, long *there, const long *from, long n) {
    for (long i = 0; i < n; i++) {
        outstanding++;
        MER_AM_REQUEST(proc, put_word, word(&there[i]), (mer_u64)from[i]);
    }
    complete();
}
void raw_write(int proc, long *there, const long *from, long n) {
    for (long i = 0; i < n; i++)
        raw_put(proc, &there[i], &from[i], 1);
}
void raw_store(int proc, long *there, const long *from, long n) {
    for (long i = 0; i < n; i++)
        MER_AM_REQUEST(proc, store_word, word(&there[i]), (mer_u64)from[i]);
}

void raw_get_block(int proc, void *to, const void *there, unsigned long bytes) {
    outstanding++;
    MER_AM_REQUEST(proc, get_block, word(to), word(there), bytes);
    complete();
}
void raw_put_block(int proc, void *there, const void *from, unsigned long bytes) {
    outstanding++;
    mer_am_request_medium(proc, put_block, from, bytes, &(mer_u64){word(there)}, 1);
    complete();
}
void raw_store_block(int proc, void *there, const void *from, unsigned long bytes) {
    mer_am_request_medium(proc, store_block, from, bytes, &(mer_u64){word(there)}, 1);
}

/* ---- round trips --------------------------------------------------------------------------------------- */

void round_trips(int partner, int first, long turns) {
    for (long i = 0; first && i < turns; i++) {
        long before = pongs;
        MER_AM_REQUEST(partner, ping, 0);
        MER_AM_WAIT_UNTIL(pongs != before);
    }
    if (!first) {
        static long expected;
        expected += turns;
        MER_AM_WAIT_UNTIL(pings == expected);
    }
}

void line_trips(unsigned *mine, unsigned *theirs, int first, long turns) {
    static unsigned number;
    for (long i = 0; i < turns; i++) {
        number++;
        if (first)
            __atomic_store_n(mine, number, __ATOMIC_RELEASE);
        while (__atomic_load_n(theirs, __ATOMIC_ACQUIRE) != number)
            ;
        if (!first)
            __atomic_store_n(mine, number, __ATOMIC_RELEASE);
    }
}

static void futex_raise(unsigned *flag) {
    __atomic_fetch_add(flag, 1, __ATOMIC_SEQ_CST);
    syscall(SYS_futex, flag, FUTEX_WAKE, 1, NULL, NULL, 0);
}

void futex_trips(unsigned *mine, unsigned *theirs, int first, long turns) {
    for (long i = 0; i < turns; i++) {
        if (first)
            futex_raise(theirs);
        while (__atomic_load_n(mine, __ATOMIC_ACQUIRE) == 0)
            syscall(SYS_futex, mine, FUTEX_WAIT, 0, NULL, NULL, 0);
        __atomic_fetch_sub(mine, 1, __ATOMIC_SEQ_CST);
        if (!first)
            futex_raise(theirs);
    }
}
