#include "tam/frame.h"

#include "tam/count.h"
#include "tam/memory.h"

#include <stdlib.h>

#define CHUNK (256 << 10) /* bytes that a bin takes at once */

struct tam_frame_chunk {
    struct tam_frame_chunk *next;
    size_t size, count;
    _Alignas(16) char frames[];
};

static void count_live(struct tam_frame *frame) {
    uint32_t number = frame->codeblock->number;
    if (number < tam.program->count && tam.program->codeblocks[number] == frame->codeblock)
        tam.frames.live_of[number]++;
}

/* Ends the program for want of memory for another activation.  Names the function with the most activations:
 * one that calls itself without end has nearly all. */
static _Noreturn void exhausted(const struct tam_codeblock *codeblock) {
    unsigned long long all = tam.frames.live;
    uint32_t most = 0;
    tam.frames.live_of = calloc(tam.program->count, sizeof *tam.frames.live_of);
    if (tam.frames.live_of)
        tam_frames_visit(count_live);
    for (uint32_t n = 0; tam.frames.live_of && n < tam.program->count; n++)
        if (tam.frames.live_of[n] > tam.frames.live_of[most])
            most = n;
    if (!tam.frames.live_of || tam.frames.live_of[most] < all / 4)
        tam_fail(codeblock->site, "memory is exhausted: %llu activations are live on processor %d", all,
                 tam.me);
    const struct tam_codeblock *found = tam.program->codeblocks[most];
    tam_fail(found->site,
             "memory is exhausted: %llu activations are live on processor %d, %llu of them of `%s': does it "
             "call itself without end?",
             all, tam.me, (unsigned long long)tam.frames.live_of[most], found->name);
}

/* Allocates a chunk of frames of one size, or a single frame that is larger than those of bins.  Returns
 * the first frame; the others go into the bin. */
static struct tam_frame *more(size_t grains, const struct tam_codeblock *codeblock) {
    size_t size = grains * TAM_FRAME_GRAIN, count = grains <= TAM_FRAME_BINS ? CHUNK / size : 1;
    size_t bytes = sizeof(struct tam_frame_chunk) + size * count;
    struct tam_frame_chunk *chunk = tam_memory_grant(bytes) ? malloc(bytes) : NULL;
    if (!chunk)
        exhausted(codeblock);
    chunk->next = tam.frames.chunks;
    chunk->size = size;
    chunk->count = count;
    tam.frames.chunks = chunk;
    for (size_t i = 0; i < count; i++) {
        struct tam_frame *frame = (struct tam_frame *)(void *)(chunk->frames + i * size);
        frame->live = 0;
        if (i > 0) {
            frame->next = tam.frames.bins[grains <= TAM_FRAME_BINS ? grains : 0];
            tam.frames.bins[grains] = frame;
        }
    }
    return (struct tam_frame *)(void *)chunk->frames;
}

struct tam_frame *tam_frame_new(const struct tam_codeblock *codeblock) {
    size_t grains = tam_frame_grains(codeblock);
    struct tam_frame **bin = grains <= TAM_FRAME_BINS ? &tam.frames.bins[grains] : &tam.frames.bins[0];
    while (*bin && grains > TAM_FRAME_BINS && tam_frame_grains((*bin)->codeblock) != grains)
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
    tam.frames.live++;
    tam_note_many(TAM_N_INIT, codeblock->counters);
    return frame;
}

void tam_frames_visit(void (*visit)(struct tam_frame *frame)) {
    for (struct tam_frame_chunk *chunk = tam.frames.chunks; chunk; chunk = chunk->next)
        for (size_t i = 0; i < chunk->count; i++) {
            struct tam_frame *frame = (struct tam_frame *)(void *)(chunk->frames + i * chunk->size);
            if (frame->live)
                visit(frame);
        }
}
