/* Random layouts of arrays, the same on all threads: weights, SERIAL axes, both orders of blocks, numbers of
 * processes, blocks longer than they need be, and axes that follow another array's in any order. */
#ifndef MERIDIAN_RANDOM_LAYOUT_H
#define MERIDIAN_RANDOM_LAYOUT_H

#include "job.h"

#include <meridian/array.h>

/* Chooses the layout of the axes of spec at random; keeps rank, extents and halos. */
static inline void random_axes(struct mer_array_spec *spec, unsigned *state, int threads) {
    for (int k = 0; k < spec->rank; k++) {
        struct mer_axis *axis = &spec->axis[k];
        axis->processes = 0;
        axis->block = 0;
        axis->weight = job_random(state) % 3 ? 0 : 1 + job_random(state) % 5;
        axis->serial = job_random(state) % 6 == 0;
        axis->order = job_random(state) % 2 ? MER_SEND : MER_NEWS;
    }
    struct mer_axis *fixed = &spec->axis[job_random(state) % (unsigned)spec->rank];
    int processes = 1 + (int)(job_random(state) % (unsigned)threads);
    if (job_random(state) % 3 || fixed->serial || threads % processes)
        return;
    long extent = spec->extent[fixed - spec->axis];
    fixed->processes = processes;
    fixed->block = (extent + processes - 1) / processes + (long)(job_random(state) % 3);
}

/* Sometimes makes an array and lets the axes of spec follow its axes, in any order. Returns that array, which
 * the caller frees once the array of this spec is there, or null. */
static inline mer_array *random_align(struct mer_array_spec *spec, unsigned *state, int threads) {
    struct mer_array_spec other = {.name = "other", .type = MER_INT8, .rank = spec->rank};
    unsigned turn = job_random(state) % (unsigned)spec->rank;
    if (job_random(state) % 4)
        return NULL;
    for (int k = 0; k < spec->rank; k++) {
        int to = (int)(((unsigned)k + turn) % (unsigned)spec->rank);
        spec->axis[k].follows = 1 + to;
        other.extent[to] = spec->extent[k] + (long)(job_random(state) % 4);
    }
    random_axes(&other, state, threads);
    mer_array *made = mer_array_create(&other);
    spec->align = made;
    return made;
}

#endif
