/* Stencils of distributed arrays: one or many time steps over the subgrids in place, halos exchanged while
 * the interior is computed.  No element moves within a process.  (TR-18-93, section 7, asks for this where it
 * speaks of avoiding local memory moves.)
 *
 * A step computes, for every element i of a new time level,
 *
 *     new(i) = sum of the terms: coefficient * u(i + offset), or coefficient * old(i)
 *
 * or calls a function of the user's for a row of elements.  u is the newest level, old the one before, whose
 * memory the new level takes: schemes of one level (heat) and of two (waves) need two arrays, never three.
 * The terms are added in the order in which they stand, those of old first, so that results do not depend on
 * the number of processes.
 */
#ifndef MERIDIAN_STENCIL_H
#define MERIDIAN_STENCIL_H

#include <meridian/array.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What lies beyond an end of an axis. */
enum mer_face_kind {
    MER_PERIODIC,   /* the other end; then both faces of the axis are periodic */
    MER_VALUE,      /* `value' */
    MER_REFLECTING, /* the mirror image: u(-1 - i) = u(i) */
    MER_ABSORBING   /* what lets a wave out: Mur's first-order condition, value = the Courant number c dt / dx
                     */
};
struct mer_face {
    enum mer_face_kind kind;
    double value;
};

struct mer_term {
    double coefficient;
    int offset[MER_ARRAY_RANK];
    int old; /* 1: of the level before; offset 0 */
};

/* Computes n elements that follow each other in memory: out[0 ... n-1].  in: u at the first of them, old:
 * likewise (it is out's memory); step[k]: elements of memory from one to the next along axis k; index: of the
 * first element. MER_STENCIL writes such a function. */
typedef void mer_stencil_rows(void *out, const void *in, const ptrdiff_t *step, long n, const long *index,
                              void *context);

struct mer_stencil_spec {
    int terms;
    const struct mer_term *term;
    mer_stencil_rows *rows;     /* instead of terms */
    void *context;              /* rows' last argument */
    int radius[MER_ARRAY_RANK]; /* with rows: how far it reaches along each axis; diagonals included */
    struct mer_face face[MER_ARRAY_RANK][2]; /* of each axis: where its indices begin, where they end */
    int steps; /* time steps that one exchange of halos serves, at most; 0: as many as pay.  More than one
                  needs a halo of as many radii, and neither `old' nor absorbing faces */
};

typedef struct mer_stencil mer_stencil;

/* Collective.  A stencil for arrays laid out as the prototype is: of MER_FLOAT32 or MER_FLOAT64 (with rows:
 * of any type but then faces of MER_VALUE are 0 or of these two types), with a halo at least as wide as the
 * stencil reaches. The spec may go; the caller frees the stencil. */
mer_stencil *mer_stencil_create(const mer_array *prototype, const struct mer_stencil_spec *spec);
void mer_stencil_free(mer_stencil *stencil);

/* Collective.  So many steps: u is the newest level, old the one before (for stencils of one level its
 * content does not matter).  Gives the one of the two that holds the newest level; the other one holds the
 * one before.  A thread returns when its part is done. */
mer_array *mer_stencil_run(mer_stencil *stencil, mer_array *u, mer_array *old, long steps);

/* How many time steps an exchange of halos serves. */
int mer_stencil_steps(const mer_stencil *stencil);

/* A function for `rows', of element type T, from an expression of the neighbours:
 *
 *     MER_STENCIL(life, float, rule(MER_AT2(-1, -1) + MER_AT2(-1, 0) + ..., MER_AT2(0, 0)))
 *
 * MER_ATn: u at an offset, for arrays of rank n; MER_OLD: the level before. */
#define MER_STENCIL(name, T, ...)                                                                            \
    static void name(void *mer_out_, const void *mer_in_, const ptrdiff_t *mer_step_, long mer_n_,           \
                     const long *mer_index_, void *mer_context_) {                                           \
        T *mer_o_ = (T *)mer_out_;                                                                           \
        const T *mer_u_ = (const T *)mer_in_;                                                                \
        (void)mer_step_, (void)mer_index_, (void)mer_context_;                                               \
        MER_STENCIL_LOOP_                                                                                    \
        for (long mer_i_ = 0; mer_i_ < mer_n_; mer_i_++)                                                     \
            mer_o_[mer_i_] = (__VA_ARGS__);                                                                  \
    }
#define MER_AT1(a) mer_u_[mer_i_ + (a)*mer_step_[0]]
#define MER_AT2(a, b) mer_u_[mer_i_ + (a)*mer_step_[0] + (b)*mer_step_[1]]
#define MER_AT3(a, b, c) mer_u_[mer_i_ + (a)*mer_step_[0] + (b)*mer_step_[1] + (c)*mer_step_[2]]
#define MER_AT4(a, b, c, d)                                                                                  \
    mer_u_[mer_i_ + (a)*mer_step_[0] + (b)*mer_step_[1] + (c)*mer_step_[2] + (d)*mer_step_[3]]
#define MER_OLD mer_o_[mer_i_]

/* The loop reads and writes one element of the level before, and nothing else of it. */
#if defined(__clang__)
#define MER_STENCIL_LOOP_ _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define MER_STENCIL_LOOP_ _Pragma("GCC ivdep")
#else
#define MER_STENCIL_LOOP_
#endif

#ifdef __cplusplus
}
#endif

#endif
