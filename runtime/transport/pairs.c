/* See pairs.h. */
#include "transport/pairs.h"

#include "base/fatal.h"
#include "transport/end.h"

#include <linux/membarrier.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

struct mer_row mer_no_row = {.to = -1};
_Thread_local struct mer_rows *mer_open_rows;

static int membarrier(int command) { return (int)syscall(SYS_membarrier, command, 0, 0); }

void mer_rows_open(struct mer_rows *rows) {
    for (unsigned i = 0; i < MER_ROWS; i++)
        rows->row[i] = &mer_no_row;
    rows->fence = membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) != 0;
}

void mer_rows_close(struct mer_rows *rows) {
    if (mer_open_rows == rows)
        mer_open_rows = NULL;
    for (unsigned i = 0; i < MER_ROWS; i++)
        if (rows->row[i] != &mer_no_row)
            free(rows->row[i]);
}

/* ---- taking ------------------------------------------------------------------------------------------ */

/* Returns the number of pairs that are in no packet.  Acquire, partner: mer_rows_add; the words are there. */
static uint32_t left_in(const struct mer_row *row) {
    return __atomic_load_n(&row->count, __ATOMIC_ACQUIRE) - __atomic_load_n(&row->taken, __ATOMIC_RELAXED);
}

bool mer_rows_wait(const struct mer_rows *rows) {
    for (unsigned i = 0; i < MER_ROWS; i++)
        if (left_in(rows->row[i]))
            return true;
    return false;
}

bool mer_rows_ask(const struct mer_rows *rows) {
    for (unsigned i = 0; i < MER_ROWS; i++)
        if (rows->row[i]->counter && left_in(rows->row[i]))
            return true;
    return false;
}

/* Returns the words of a pair.  A single word counts as a pair. */
static uint32_t words_of(const struct mer_row *row) { return row->single ? 1 : 2; }

/* The bytes of a pair that travel in the request; and all its bytes, which the window counts. */
static uint32_t bytes_of(const struct mer_row *row) {
    return (row->counter ? 1 : words_of(row)) * (uint32_t)sizeof(mer_u64);
}
static uint32_t cost_of(const struct mer_row *row) { return words_of(row) * (uint32_t)sizeof(mer_u64); }

/* Returns the head of the message of n pairs.  With a counter the message asks for as many bytes as it
 * holds. */
static struct mer_message_head head_of(const struct mer_row *row, uint32_t n, mer_u64 *args) {
    memset(args, 0, 4 * sizeof *args);
    args[3] = n * bytes_of(row);
    return (struct mer_message_head){.handler = (uint16_t)row->handler,
                                     .kind = MER_AM_IS_MEDIUM | MER_REQUEST_BIT,
                                     .nargs = row->counter ? 4 : 0,
                                     .length = n * bytes_of(row)};
}

/* Returns how many of n pairs one message may hold: as many as fit into a packet and the window permits. */
static uint32_t permitted(const struct mer_transport *end, const struct mer_row *row, uint32_t n) {
    mer_u64 args[4];
    struct mer_message_head none = head_of(row, 0, args);
    uint32_t cost = mer_transport_cost(end, &none, args), credit = end->peers[row->to].credit;
    size_t most = end->packet_most - sizeof(struct mer_packet_head) - mer_bytes_of(&none);
    most = (most < MER_TRANSPORT_LONG ? most : MER_TRANSPORT_LONG - 1) / bytes_of(row);
    if (credit < cost)
        return 0;
    most = most < (credit - cost) / cost_of(row) ? most : (credit - cost) / cost_of(row);
    return n < most ? n : (uint32_t)most;
}

/* Returns the list that stays here for n pairs that ask for a reply, whose first words these are. */
static struct mer_asked *asked_of(const mer_u64 *first, uint32_t n, int *counter) {
    struct mer_asked *asked = malloc(sizeof *asked + n * sizeof *asked->first);
    if (!asked)
        mer_fatal("no memory for %u reads", n);
    asked->counter = counter;
    asked->count = n;
    memcpy(asked->first, first, n * sizeof *asked->first);
    return asked;
}

static bool take(struct mer_transport *end, struct mer_row *row) {
    for (uint32_t left; (left = left_in(row)) > 0;) {
        uint32_t n = permitted(end, row, left);
        if (!n)
            return false;
        mer_u64 args[4], *words = row->words + words_of(row) * row->taken;
        struct mer_message_head head = head_of(row, n, args);
        if (row->counter) {
            args[0] = (mer_u64)(uintptr_t)asked_of(row->words + row->taken, n, row->counter);
            words = row->words + MER_ROW_PAIRS + row->taken;
        }
        struct mer_am_body body = {.size = MER_AM_IS_MEDIUM, .payload = words, .length = head.length};
        end->peers[row->to].credit -= mer_transport_cost(end, &head, args);
        mer_transport_append(end, row->to, &head, &body, args);
        __atomic_store_n(&row->taken, row->taken + n, __ATOMIC_RELAXED);
    }
    return true;
}

void mer_pair_alone(struct mer_transport *end, int to, int handler, const mer_u64 pair[2], int *counter) {
    struct mer_row row = {.to = to, .handler = handler, .counter = counter};
    row.single = mer_handler_kind(end->config.handlers, handler) & MER_HANDLER_WORDS;
    mer_u64 args[4];
    struct mer_message_head head = head_of(&row, 1, args);
    if (counter)
        args[0] = (mer_u64)(uintptr_t)asked_of(pair, 1, counter);
    struct mer_am_body body = {
        .size = MER_AM_IS_MEDIUM, .payload = pair + (counter != NULL), .length = head.length};
    mer_transport_send(end, to, MER_AM_REQUESTS, handler, &body, args, head.nargs);
}

bool mer_rows_take(struct mer_transport *end, int to) {
    struct mer_row *row = end->rows.row[(unsigned)to % MER_ROWS];
    return row->to != to || take(end, row);
}

bool mer_rows_take_all(struct mer_transport *end) {
    bool all = true;
    for (unsigned i = 0; i < MER_ROWS; i++)
        all = take(end, end->rows.row[i]) && all;
    return all;
}

/* ---- adding ------------------------------------------------------------------------------------------ */

bool mer_rows_fits(const struct mer_rows *rows, int to, int handler, const int *counter) {
    const struct mer_row *row = rows->row[(unsigned)to % MER_ROWS];
    return row->to == to && row->handler == handler && row->counter == counter && !mer_rows_full(row);
}

void mer_rows_shut(struct mer_rows *rows) {
    for (unsigned i = 0; i < MER_ROWS; i++)
        if (rows->row[i]->open && !rows->row[i]->counter)
            rows->row[i]->open = 0;
}

void mer_rows_begin(struct mer_transport *end, int to, int handler, int *counter) {
    struct mer_row **place = &end->rows.row[(unsigned)to % MER_ROWS];
    if (*place == &mer_no_row)
        *place = mer_message_allocate(sizeof **place);
    struct mer_row *row = *place;
    row->to = to;
    row->handler = handler;
    row->counter = counter;
    row->single = mer_handler_kind(end->config.handlers, handler) & MER_HANDLER_WORDS;
    row->taken = 0;
    __atomic_store_n(&row->count, 0, __ATOMIC_RELAXED);
}

/* ---- the progress thread ------------------------------------------------------------------------------ */

bool mer_rows_fence_all(const struct mer_rows *rows) {
    return !rows->fence && membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED) == 0;
}

bool mer_rows_may_sleep(struct mer_rows *rows) {
    __atomic_store_n(&rows->asleep, true, __ATOMIC_RELAXED);
    if (!mer_rows_fence_all(rows))
        __atomic_thread_fence(__ATOMIC_SEQ_CST); /* partner: mer_rows_add */
    if (!mer_rows_wait(rows))
        return true;
    __atomic_store_n(&rows->asleep, false, __ATOMIC_RELAXED);
    return false;
}

void mer_rows_wake(struct mer_rows *rows) {
    struct mer_transport *end = (struct mer_transport *)rows;
    bool entered = mer_transport_enter(end);
    mer_transport_wake_progress(end);
    mer_transport_leave(end, entered);
}
