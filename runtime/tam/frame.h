/* The storage of frames: bins by size, which take storage in chunks, so that an activation takes the head of
 * a list. */
#ifndef MER_TAM_FRAME_H
#define MER_TAM_FRAME_H

#include "tam/machine.h"

#define TAM_FRAME_GRAIN 64 /* frames' sizes are multiples of this */

static inline size_t tam_frame_grains(const struct tam_codeblock *codeblock) {
    size_t bytes = sizeof(struct tam_frame) + codeblock->slots * sizeof(tam_word) +
                   (codeblock->counters + (size_t)codeblock->threads) * sizeof(uint16_t);
    return (bytes + TAM_FRAME_GRAIN - 1) / TAM_FRAME_GRAIN;
}

/* Returns a frame of an activation that has not begun: its slots are not set.  Ends the program if there is
 * no memory. */
struct tam_frame *tam_frame_new(const struct tam_codeblock *codeblock);

/* Frees a frame of which nothing runs, and at which nothing will arrive. */
static inline void tam_frame_free(struct tam_frame *frame) {
    size_t grains = tam_frame_grains(frame->codeblock);
    struct tam_frame **bin = &tam.frames.bins[grains <= TAM_FRAME_BINS ? grains : 0];
    frame->live = 0;
    frame->next = *bin;
    *bin = frame;
    tam.frames.live--;
}

/* Calls `visit' for each live frame. */
void tam_frames_visit(void (*visit)(struct tam_frame *frame));

#endif
