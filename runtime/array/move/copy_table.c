/* Short copies, see copy_table.h.
 *
 * Each contiguous run is cut into steps of 1, 2, 4, ... 64 bytes, the last of which may overlap the one
 * before it; a long run is one step.  Steps of the same length between the same two memories are a batch: a
 * loop of one load and one store, with the places of the steps in a table. */
#include "array/move/copy_table.h"

#include <meridian/abi/bytes.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MOST 256 /* steps */
#define SIZES 7  /* 1, 2, ... 64 bytes */
#define LONGEST 64
#define LONG 256 /* bytes of a run that is left whole */

struct step {
    int32_t to, from;
};

struct batch {
    int to_slot, from_slot, size, count;
};

struct mer_copy_table {
    int batches;
    struct batch batch[MOST];
    struct step step[MOST]; /* of the batches, one after the other */
};

/* The state while a plan is made: the steps of moves between two memories, by size. */
struct maker {
    struct mer_copy_table *plan;
    int steps; /* in the plan */
    bool full;
    struct step step[SIZES][MOST];
    int count[SIZES];
    const struct mer_table_move *move;
};

/* Returns a step; the plan counts as full if its places do not fit. */
static struct step step_of(struct maker *m, ptrdiff_t to, ptrdiff_t from) {
    m->full = m->full || to != (int32_t)to || from != (int32_t)from;
    return (struct step){(int32_t)to, (int32_t)from};
}

static void add(struct maker *m, int size, ptrdiff_t to, ptrdiff_t from) {
    int which = 0;
    while (1 << which < size)
        which++;
    if (m->count[which] == MOST)
        m->full = true;
    else
        m->step[which][m->count[which]++] = step_of(m, to, from);
}

static void add_batch(struct maker *m, int size, int count, const struct step *step) {
    if (m->steps + count > MOST) {
        m->full = true;
        return;
    }
    memcpy(&m->plan->step[m->steps], step, (size_t)count * sizeof *step);
    m->plan->batch[m->plan->batches++] = (struct batch){m->move->to_slot, m->move->from_slot, size, count};
    m->steps += count;
}

static void cut_run(void *context, ptrdiff_t to, ptrdiff_t from) {
    struct maker *m = context;
    size_t run = m->move->copy->run, at = 0;
    to += m->move->to;
    from += m->move->from;
    if (run >= LONG) {
        const struct step whole = step_of(m, to, from);
        add_batch(m, (int)run, 1, &whole);
        return;
    }
    int size = LONGEST;
    while ((size_t)size > run)
        size /= 2;
    for (; at + (size_t)size <= run; at += (size_t)size)
        add(m, size, to + (ptrdiff_t)at, from + (ptrdiff_t)at);
    if (at == run)
        return;
    while ((size_t)size / 2 >= run - at)
        size /= 2;
    at = run - (size_t)size;
    add(m, size, to + (ptrdiff_t)at, from + (ptrdiff_t)at);
}

static void take_batches(struct maker *m) {
    for (int which = 0; which < SIZES; which++)
        if (m->count[which])
            add_batch(m, 1 << which, m->count[which], m->step[which]);
}

static bool batched(const struct mer_table_move *a, const struct mer_table_move *b) {
    return a->to_slot == b->to_slot && a->from_slot == b->from_slot && a->late == b->late;
}

struct mer_copy_table *mer_copy_table_new(const struct mer_table_move *move, int n) {
    struct maker *m = calloc(1, sizeof *m);
    struct mer_copy_table *plan = calloc(1, sizeof *plan);
    if (m && plan) {
        m->plan = plan;
        for (int i = 0; i < n && !m->full;) {
            memset(m->count, 0, sizeof m->count);
            for (int first = i; i < n && batched(&move[first], &move[i]); i++) {
                m->move = &move[i];
                mer_copy_each(move[i].copy, cut_run, m);
            }
            take_batches(m);
        }
    }
    bool made = m && plan && !m->full;
    free(m);
    if (!made) {
        free(plan);
        return NULL;
    }
    return plan;
}

#define BATCH(bytes)                                                                                         \
    case bytes:                                                                                              \
        for (; step < end; step++)                                                                           \
            memcpy(to + step->to, from + step->from, bytes);                                                 \
        break;

void mer_copy_table_run(const struct mer_copy_table *plan, char *const *memory) {
    const struct step *step = plan->step;
    for (const struct batch *b = plan->batch, *last = b + plan->batches; b < last; b++) {
        const struct step *end = step + b->count;
        char *to = memory[b->to_slot];
        const char *from = memory[b->from_slot];
        switch (b->size) {
            BATCH(1)
            BATCH(2)
            BATCH(4)
            BATCH(8)
            BATCH(16)
            BATCH(32)
            BATCH(64)
        default:
            mer_bytes_copy(to + step->to, from + step->from, (size_t)b->size);
            step++;
        }
    }
}
