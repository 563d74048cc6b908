/* Frames: their storage, activations, and the joins that count them.
 *
 * Storage comes from bins by size, in chunks, so that an activation takes the head of a list.  A frame is
 * freed when its last value has arrived and no thread of it is enabled: threads that have not run by then
 * belong to arms that were not chosen.
 */
#include "tam/count.h"
#include "tam/machine.h"

#include <stdlib.h>

#define GRAIN 64          /* frames' sizes are multiples of this */
#define BINS 64           /* larger ones share a list */
#define CHUNK (256 << 10) /* bytes that a bin takes at once */

struct chunk {
    struct chunk *next;
    size_t size, count;
    _Alignas(16) char frames[];
};
static struct chunk *chunks;
static struct tam_frame *bins[BINS + 1];

static size_t size_of(const struct tam_codeblock *codeblock) {
    size_t bytes = sizeof(struct tam_frame) + codeblock->slots * sizeof(tam_word) +
                   (codeblock->counters + (size_t)codeblock->threads) * sizeof(uint16_t);
    return (bytes + GRAIN - 1) / GRAIN;
}

static uint64_t *live_of; /* by the number of the code block */

static void count_live(struct tam_frame *frame) {
    uint32_t number = frame->codeblock->number;
    if (number < tam.program->count && tam.program->codeblocks[number] == frame->codeblock)
        live_of[number]++;
}

/* Ends the program for want of memory for another activation.  Names the function with the most activations:
 * one that calls itself without end has nearly all. */
static _Noreturn void exhausted(const struct tam_codeblock *codeblock) {
    unsigned long long all = tam.frames;
    uint32_t most = 0;
    live_of = calloc(tam.program->count, sizeof *live_of);
    if (live_of)
        tam_each_frame(count_live);
    for (uint32_t n = 0; live_of && n < tam.program->count; n++)
        if (live_of[n] > live_of[most])
            most = n;
    if (!live_of || live_of[most] < all / 4)
        tam_fail(codeblock->site, "memory is exhausted: %llu activations are live on processor %d", all,
                 tam.me);
    const struct tam_codeblock *found = tam.program->codeblocks[most];
    tam_fail(found->site,
             "memory is exhausted: %llu activations are live on processor %d, %llu of them of `%s': does it "
             "call itself without end?",
             all, tam.me, (unsigned long long)live_of[most], found->name);
}

/* Allocates a chunk of frames of one size, or a single frame that is larger than those of bins.  Returns the
 * first frame; the others go into the bin. */
static struct tam_frame *more(size_t grains, const struct tam_codeblock *codeblock) {
    size_t size = grains * GRAIN, count = grains <= BINS ? CHUNK / size : 1;
    size_t bytes = sizeof(struct chunk) + size * count;
    struct chunk *chunk = tam_memory_for(bytes) ? malloc(bytes) : NULL;
    if (!chunk)
        exhausted(codeblock);
    chunk->next = chunks;
    chunk->size = size;
    chunk->count = count;
    chunks = chunk;
    for (size_t i = 0; i < count; i++) {
        struct tam_frame *frame = (struct tam_frame *)(void *)(chunk->frames + i * size);
        frame->live = 0;
        if (i > 0) {
            frame->next = bins[grains <= BINS ? grains : 0];
            bins[grains] = frame;
        }
    }
    return (struct tam_frame *)(void *)chunk->frames;
}

struct tam_frame *tam_frame_new(const struct tam_codeblock *codeblock) {
    size_t grains = size_of(codeblock);
    struct tam_frame **bin = grains <= BINS ? &bins[grains] : &bins[0];
    while (*bin && grains > BINS && size_of((*bin)->codeblock) != grains)
        bin = &(*bin)->next;
    struct tam_frame *frame = *bin;
    if (frame)
        *bin = frame->next;
    else
        frame = more(grains, codeblock);
    frame->codeblock = codeblock;
    frame->c = (uint16_t *)(frame->s + codeblock->slots);
    frame->rcv = frame->c + codeblock->counters;
    frame->top = 0;
    frame->state = TAM_IDLE;
    frame->begun = 0;
    frame->spare = 0;
    frame->direct = 1;
    frame->live = 1;
    frame->outstanding = codeblock->late;
    memcpy(frame->c, codeblock->counts, codeblock->counters * sizeof(uint16_t));
    tam.frames++;
    tam_note_many(TAM_N_INIT, codeblock->counters);
    return frame;
}

/* Frees a frame of which nothing runs, and at which nothing will arrive. */
void tam_frame_end(struct tam_frame *frame) {
    struct tam_join *join = frame->join;
    size_t grains = size_of(frame->codeblock);
    frame->live = 0;
    tam.frames--;
    if (grains <= BINS) {
        frame->next = bins[grains];
        bins[grains] = frame;
    } else {
        frame->next = bins[0];
        bins[0] = frame;
    }
    if (join)
        tam_join_end(join);
}

void tam_each_frame(void (*visit)(struct tam_frame *frame)) {
    for (struct chunk *chunk = chunks; chunk; chunk = chunk->next)
        for (size_t i = 0; i < chunk->count; i++) {
            struct tam_frame *frame = (struct tam_frame *)(void *)(chunk->frames + i * chunk->size);
            if (frame->live)
                visit(frame);
        }
}

/* ---- activations --------------------------------------------------------------------------------------- */

/* Begins an activation on this processor.  A late parameter's word is the cell from which the parameter
 * comes, or 0 if it is sent. */
struct tam_frame *tam_begin(struct tam_join *join, const struct tam_codeblock *codeblock,
                            const tam_word *args, tam_word ret, unsigned inlet) {
    struct tam_frame *frame = tam_frame_new(codeblock);
    if (__builtin_expect(tam_counting, 0))
        tam_count_activation(codeblock);
    frame->join = join;
    if (join)
        join->count++;
    frame->ret = ret;
    frame->ret_inlet = (uint16_t)inlet;
    memcpy(frame->s, args, codeblock->params * sizeof(tam_word));
    /* Stale words in the storage must not keep objects. */
    memset(frame->s + codeblock->params, 0, (codeblock->slots - codeblock->params) * sizeof(tam_word));
    tam_post(frame, &codeblock->entry);
    return frame;
}

/* Ends an activation that has nothing to do. */
void tam_end_if_empty(struct tam_frame *frame) {
    if (frame->state == TAM_IDLE && frame->outstanding == 0)
        tam_frame_end(frame);
}

tam_word tam_invoke(struct tam_join *join, const struct tam_codeblock *codeblock, const tam_word *args,
                    tam_word ret, unsigned inlet) {
    int to = tam.me;
    if (codeblock->io)
        to = 0;
    else if (tam.place && codeblock->late == 0)
        to = tam.turn = (tam.turn + 1) % tam.processors;
    if (to == tam.me) {
        TAM_NOTE(CALL_LOCAL);
        struct tam_frame *frame = tam_begin(join, codeblock, args, ret, inlet);
        tam_end_if_empty(frame);
        return (tam_word)(uintptr_t)frame;
    }
    TAM_NOTE(CALL_REMOTE);
    if (codeblock->late == 0) {
        if (codeblock->io)
            tam_send_invoke(to, join, codeblock, args, ret, inlet);
        else
            tam_deal(to, join, codeblock, args, ret, inlet);
        return 0;
    }
    /* Late parameters go by way of a cell on this processor, from which the activation reads them. */
    struct tam_object *cell = tam_cell(codeblock->params, codeblock->site);
    tam_word word = tam_object_word(cell, 0), all[codeblock->params];
    for (unsigned p = 0; p < codeblock->params; p++)
        all[p] = codeblock->is_late[p] ? word : args[p];
    tam_send_invoke(to, join, codeblock, all, ret, inlet);
    return word | 1;
}

void tam_send_arg(tam_word activation, const struct tam_codeblock *codeblock, unsigned param,
                  tam_word value) {
    if (activation & 1) {
        int64_t index[3] = {param, 0, 0};
        tam_write(activation & ~15ULL, TAM_I, 0, index, value, codeblock->site);
    } else {
        TAM_NOTE(VALUE_LOCAL);
        tam_arrive((struct tam_frame *)(uintptr_t)activation, param, value);
    }
}

/* ---- joins --------------------------------------------------------------------------------------------- */

/* Makes a join, whose one count is the caller's until tam_join_end. */
struct tam_join *tam_join_new(struct tam_frame *frame, unsigned inlet) {
    struct tam_join *join = calloc(1, sizeof *join);
    if (!join)
        tam_fail(0, "there is no memory left");
    join->count = 1;
    join->frame = frame;
    join->inlet = (uint16_t)inlet;
    return join;
}

static void send_done(struct tam_item *item) {
    tam_send_done((int)item->words[0], (struct tam_join *)item->data);
}

/* Notes the end of something that the join counts.  May run in a handler: a message to send is left to the
 * scheduler. */
void tam_join_end(struct tam_join *join) {
    if (--join->count)
        return;
    if (join->given) {
        struct tam_join *parent = join->parent;
        free(join);
        tam_given_ended();
        if (parent)
            tam_join_end(parent);
        return;
    }
    if (join->frame)
        tam_arrive(join->frame, join->inlet, 1);
    else {
        struct tam_item *item = tam_leave(send_done);
        item->words[0] = (tam_word)join->parent_processor;
        item->data = join->parent;
    }
    free(join);
}
