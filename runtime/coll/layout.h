/* Arrays in shared memory as reductions see them: which elements a thread owns, and runs of elements that are
 * contiguous in memory. */
#ifndef MER_COLL_LAYOUT_H
#define MER_COLL_LAYOUT_H

#include <meridian/abi/abi.h>
#include <stddef.h>

/* Returns the phase as the standard defines it: less than the block size. */
static inline size_t mer_layout_phase(mer_pptr array, size_t block) {
    return array.phase < block ? array.phase : array.phase % block;
}

/* Returns how many of the positions 0 ... end - 1, counted from the start of a block on the first thread, lie
 * in the blocks of the thread that is `turn' threads after the first. */
static inline size_t mer_layout_before(size_t end, size_t block, size_t turn, size_t threads) {
    size_t row = block * threads, whole = 0, start = turn * block;
    if (end >= row) { /* rarely: the divisions are the cost of this function */
        whole = end / row * block;
        end %= row;
    }
    return whole + (end <= start ? 0 : end - start < block ? end - start : block);
}

/* Returns the number of elements of an array that thread t owns.  They are contiguous in its memory, because
 * its blocks of a block cyclic array follow each other there; *first is the first one, valid if the result is
 * not 0. */
static inline size_t mer_layout_own(mer_pptr array, size_t size, size_t nelems, size_t block, int t,
                                    mer_pptr *first) {
    int start = (int)mer_threadof(array.bits), threads = mer_job.threads;
    *first = array;
    if (block == 0 || threads == 1)
        return t == start ? nelems : 0;
    size_t turn = (size_t)(t >= start ? t - start : t - start + threads);
    size_t phase = mer_layout_phase(array, block);
    if (turn > 0) /* the start of its first block; a block later in memory if t is less than start */
        *first = mer_mkp(
            array.bits + (mer_u64)(t - start) * mer_stride() + ((t < start ? block : 0) - phase) * size, 0);
    return mer_layout_before(phase + nelems, block, turn, (size_t)threads) -
           mer_layout_before(phase, block, turn, (size_t)threads);
}

/* Returns the number of blocks, whole or not, over which the elements spread. */
static inline size_t mer_layout_blocks(mer_pptr array, size_t nelems, size_t block) {
    return block == 0 ? 1 : (mer_layout_phase(array, block) + nelems + block - 1) / block;
}

/* Returns the first element of part t, if nelems elements are divided into THREADS equal parts; nelems for
 * part THREADS. */
static inline size_t mer_layout_part(size_t nelems, int t) {
    size_t threads = (size_t)mer_job.threads, part = (size_t)t, more = nelems % threads;
    return part * (nelems / threads) + (part < more ? part : more);
}

/* A walk over an array in the order of its elements. */
struct mer_walk {
    mer_pptr at;
    size_t size, block; /* block 0: indefinite */
};

static inline struct mer_walk mer_walk_begin(mer_pptr array, size_t element, size_t size, size_t block) {
    struct mer_walk w = {mer_mkp(array.bits + element * size, 0), size, block};
    if (block) {
        array.phase = mer_layout_phase(array, block);
        w.at = element ? mer_add_b(array, (mer_i64)element, size, block) : array;
    }
    return w;
}

/* Returns the number of contiguous elements from here on, at most `most'. */
static inline size_t mer_walk_run(const struct mer_walk *w, size_t most) {
    size_t run = w->block ? w->block - w->at.phase : most;
    return run < most ? run : most;
}

/* Go on by n elements of the current run. */
static inline void mer_walk_on(struct mer_walk *w, size_t n) {
    if (w->block && w->at.phase + n == w->block)
        w->at = mer_inc_b(mer_mkp(w->at.bits + (n - 1) * w->size, w->block - 1), w->size, w->block);
    else
        w->at = mer_mkp(w->at.bits + n * w->size, w->at.phase + n);
}

#endif
