/* Copies between threads' memory.  Local memory is copied by the C library, at its speed.  Remote memory
 * takes messages (rma/get_put.c).
 *
 * If both sides are shared, memmove is used.  The objects may not overlap (restrict), but programs that copy
 * an object onto itself are common enough to be supported. */
#include "rma/copy.h"

#include "am/am.h"
#include "am/call.h"
#include "rma/get_put.h"
#include "rma/pieces.h"
#include "host/job.h"
#include "base/fatal.h"
#include "base/record.h"

#include <meridian/everything.h>
#include <stdlib.h>
#include <string.h>

#define FEW (16UL << 10)     /* between two remote threads: bytes on the caller's stack, */
#define PART (256UL << 10)   /* and of each half of a longer buffer */
#define WITHIN (256UL << 10) /* bytes that an owner moves for another in one handler */

static void check(mer_u64 bits, size_t n, const char *name) {
    if (__builtin_expect(!bits, 0))
        mer_fatal("%s: the pointer-to-shared is null", name);
    if (__builtin_expect(mer_procof(bits) >= (mer_u64)mer_job.threads, 0))
        mer_fatal("%s: the pointer-to-shared is to thread %d, but there are %d", name, mer_named_proc(bits),
                  mer_job.threads);
    mer_copy_check(bits, n, name);
}

/* ---- between two remote threads ------------------------------------------------------------------------ */

struct within {
    void *to;
    const void *from;
    size_t n;
};

static size_t move_within(int caller, const void *in, void *out) {
    const struct within *w = in;
    (void)caller;
    (void)out;
    mer_bytes_move(w->to, w->from, w->n);
    return 0;
}

/* Copies within the memory of one remote thread, which moves the bytes itself, in an order in which no part
 * overwrites another that is still to be read. */
static void copy_within(mer_u64 to, mer_u64 from, size_t n) {
    for (size_t done = 0, part; done < n; done += part) {
        part = n - done < WITHIN ? n - done : WITHIN;
        size_t at = to <= from ? done : n - done - part;
        struct within w = {mer_at(to + at), mer_at(from + at), part};
        mer_am_call((int)mer_procof(to), move_within, &w, sizeof w, NULL, 0);
    }
}

/* Copies by way of a buffer on this host, in two halves: while one part leaves, the next one arrives. */
static void copy_across(mer_u64 to, mer_u64 from, size_t n) {
    char few[FEW], *buffer = n <= FEW ? few : malloc(2 * PART);
    size_t most = n <= FEW ? n : buffer ? PART : FEW / 2;
    int coming = 0, going[2] = {0, 0};
    if (!buffer)
        buffer = few;
    for (size_t done = 0, turn = 0, part; done < n; done += part, turn ^= 1) {
        char *half = buffer + turn * most;
        part = n - done < most ? n - done : most;
        mer_am_wait_counter(&going[turn]);
        mer_rma_get_remote(half, from + done, part, &coming);
        mer_am_wait_counter(&coming);
        mer_rma_put_remote(to + done, half, part, &going[turn]);
    }
    mer_am_wait_counter(&going[0]);
    mer_am_wait_counter(&going[1]);
    if (buffer != few)
        free(buffer);
}

/* ---- recording ----------------------------------------------------------------------------------------- */

/* Records the end of a copy: a get if `from' has affinity to another thread, else a put. */
static void record_copy(mer_u64 to, mer_u64 from, size_t n, enum mer_record_kind put,
                        enum mer_record_kind get) {
    bool gets = (int)mer_threadof(from) != MER_MYTHREAD;
    mer_record_end(gets ? get : put, (int)mer_threadof(gets ? from : to), n);
}

/* ---- begin --------------------------------------------------------------------------------------------- */

void mer_rma_get_begin(void *to, mer_u64 from, size_t n, int *counter, const char *name) {
    if (n == 0)
        return;
    check(from, n, name);
    mer_record_begin();
    if (mer_is_local(from))
        mer_bytes_copy(to, mer_at(from), n);
    else
        mer_rma_get_remote(to, from, n, counter);
    mer_record_end(MER_RECORD_GET_BEGIN, (int)mer_threadof(from), n);
}

void mer_rma_put_begin(mer_u64 to, const void *from, size_t n, int *counter, const char *name) {
    if (n == 0)
        return;
    check(to, n, name);
    mer_record_begin();
    if (mer_is_local(to))
        mer_bytes_copy(mer_at(to), from, n);
    else
        mer_rma_put_remote(to, from, n, counter);
    mer_record_end(MER_RECORD_PUT_BEGIN, (int)mer_threadof(to), n);
}

void mer_rma_copy_begin(mer_u64 to, mer_u64 from, size_t n, int *counter, const char *name) {
    if (n == 0)
        return;
    check(to, n, name);
    check(from, n, name);
    mer_record_begin();
    if (mer_is_local(to) && mer_is_local(from))
        mer_bytes_move(mer_at(to), mer_at(from), n);
    else if (mer_is_local(to))
        mer_rma_get_remote(mer_at(to), from, n, counter);
    else if (mer_is_local(from))
        mer_rma_put_remote(to, mer_at(from), n, counter);
    else if (mer_procof(to) == mer_procof(from))
        copy_within(to, from, n);
    else
        copy_across(to, from, n);
    record_copy(to, from, n, MER_RECORD_PUT_BEGIN, MER_RECORD_GET_BEGIN);
}

void mer_rma_set_begin(mer_u64 to, int c, size_t n, int *counter, const char *name) {
    if (n == 0)
        return;
    check(to, n, name);
    mer_record_begin();
    if (mer_is_local(to))
        memset(mer_at(to), c, n);
    else
        mer_rma_fill_remote(to, c, n, counter);
    mer_record_end(MER_RECORD_PUT_BEGIN, (int)mer_threadof(to), n);
}

void mer_rma_get_piece(struct mer_pieces *pieces, void *to, mer_u64 from, size_t n) {
    if (mer_is_local(from))
        mer_bytes_copy(to, mer_at(from), n);
    else
        mer_pieces_get(pieces, to, from, n);
}

void mer_rma_put_piece(struct mer_pieces *pieces, mer_u64 to, const void *from, size_t n) {
    if (mer_is_local(to))
        mer_bytes_copy(mer_at(to), from, n);
    else
        mer_pieces_put(pieces, to, from, n);
}

/* ---- begin and wait ------------------------------------------------------------------------------------ */

static void finish(const int *counter) {
    if (__builtin_expect(*counter, 0))
        mer_am_wait_counter(counter);
}

void mer_rma_get(void *to, mer_u64 from, size_t n, const char *name) {
    int counter = 0;
    mer_record_begin();
    mer_rma_get_begin(to, from, n, &counter, name);
    finish(&counter);
    mer_record_end(MER_RECORD_GET, (int)mer_threadof(from), n);
}

void mer_rma_put(mer_u64 to, const void *from, size_t n, const char *name) {
    int counter = 0;
    mer_record_begin();
    mer_rma_put_begin(to, from, n, &counter, name);
    finish(&counter);
    mer_record_end(MER_RECORD_PUT, (int)mer_threadof(to), n);
}

void mer_rma_copy(mer_u64 to, mer_u64 from, size_t n, const char *name) {
    int counter = 0;
    mer_record_begin();
    mer_rma_copy_begin(to, from, n, &counter, name);
    finish(&counter);
    record_copy(to, from, n, MER_RECORD_PUT, MER_RECORD_GET);
}

void mer_rma_set(mer_u64 to, int c, size_t n, const char *name) {
    int counter = 0;
    mer_record_begin();
    mer_rma_set_begin(to, c, n, &counter, name);
    finish(&counter);
    mer_record_end(MER_RECORD_PUT, (int)mer_threadof(to), n);
}
