/* Stencils of distributed arrays: one or many time steps over the subgrids in place, halos exchanged while
 * the interior is computed.  No element moves within a process.  (TR-18-93, section 7, asks for this: it
 * speaks of avoiding local memory moves.)
 *
 * A step computes, for every element i of a new time level,
 *
 *     new(i) = sum of the terms: coefficient * u(i + offset), or coefficient * old(i)
 *
 * or calls a function of the user's for a row of elements.  u is the newest level, old the one before it,
 * whose memory the new level overwrites: schemes of one level (heat) and of two (waves) need two arrays,
 * never three.  The terms are added in the order in which they stand, those of old first, so that results do
 * not depend on the number of processes.  (With `reassociate', the order is any that does not depend on this
 * number.)
 */
#ifndef MERIDIAN_STENCIL_H
#define MERIDIAN_STENCIL_H

#include <meridian/array.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The values beyond an end of an axis. */
enum mer_face_kind {
    MER_PERIODIC,   /* those of the other end; then both faces of the axis are periodic */
    MER_VALUE,      /* `value' */
    MER_REFLECTING, /* the mirror image: u(-1 - i) = u(i) */
    MER_ABSORBING   /* absorbs waves: Mur's first-order condition, value = the Courant number c dt / dx */
};
struct mer_face {
    enum mer_face_kind kind;
    double value;
};

struct mer_term {
    double coefficient;
    int offset[MER_ARRAY_RANK];
    int old; /* 1: an element of the level before u; offset 0 */
};

/* Computes n elements that follow each other in memory: out[0 ... n-1].  in: u at the first of them; old is
 * in out's memory; step[k]: elements of memory from one to the next along axis k; index: of the first
 * element.  MER_STENCIL defines such a function. */
typedef void mer_stencil_rows(void *out, const void *in, const ptrdiff_t *step, long n, const long *index,
                              void *context);

/* A part of the subgrid, in two dimensions: `rows' rows of n elements that follow each other in memory. */
struct mer_tile {
    long n, rows;
    ptrdiff_t next;    /* elements of memory from a row to the next */
    const long *index; /* of the first element */
    int axis;          /* along which the elements of a row lie */
    int row_axis;      /* along which the rows lie; -1: there is one row */
    /* The array's extent along each axis.  If several steps share an exchange, indices along periodic axes
     * may be beyond it, by less than an extent: these are elements of the other end. */
    const long *extent;
};
typedef void mer_stencil_tile(void *out, const void *in, const ptrdiff_t *step, const struct mer_tile *tile,
                              void *context);

/* A routine that computes a tile, and its properties.  MER_STENCIL_FUNCTION makes a kernel of a function for
 * one element, `meridian stencil' of such a function in Fortran. */
struct mer_kernel {
    const char *name;
    mer_stencil_tile *tile;
    enum mer_type type;
    int rank;
    int radius[MER_ARRAY_RANK]; /* its reach along each axis, including diagonals */
    int old;                    /* 1: it reads the element's own value at the level before u */
};

struct mer_stencil_spec {
    int terms;
    const struct mer_term *term;
    mer_stencil_rows *rows;                  /* instead of terms */
    void *context;                           /* the last argument of rows, or of the kernel's routine */
    int radius[MER_ARRAY_RANK];              /* with rows: its reach along each axis, including diagonals */
    struct mer_face face[MER_ARRAY_RANK][2]; /* of each axis: at its first index, at its last index */
    /* The greatest number of time steps for one exchange of halos.  0: as many as pay, but one with rows or
     * a context.  More than one step needs a halo of as many radii along axes that are divided or periodic,
     * and no absorbing faces.  Then neighbours' elements are computed too: their indices are beyond the part,
     * and along periodic axes `rows' may get indices beyond the array. */
    int steps;
    const struct mer_kernel *kernel; /* instead of terms and rows */
    /* 1: the terms may be added in any order, and with fused multiplications and additions, which is faster
     * with many terms.  Then rounding differs from that of the terms' order, and depends on the processor,
     * but not on the number of processes.  Ignored with rows and kernels, whose compiler decides. */
    int reassociate;
};

typedef struct mer_stencil mer_stencil;

/* Collective.  Returns a stencil for arrays with the prototype's layout, with a halo at least as wide as the
 * stencil reaches, of any type, which a kernel has to have too.  Terms are fastest with MER_FLOAT32 and
 * MER_FLOAT64; those of integers have whole coefficients, and sums that wrap around.  The type has to have
 * the values of faces; absorbing faces are for MER_FLOAT32 and MER_FLOAT64.  The spec is not needed after the
 * call; the caller frees the stencil. */
mer_stencil *mer_stencil_create(const mer_array *prototype, const struct mer_stencil_spec *spec);
void mer_stencil_free(mer_stencil *stencil);

/* Collective.  Computes `steps' steps: u is the newest level, old the one before (stencils of one level
 * ignore its content).  Returns the one of the two arrays that holds the newest level; the other one holds
 * the level before it.  A thread returns when its part is complete. */
mer_array *mer_stencil_run(mer_stencil *stencil, mer_array *u, mer_array *old, long steps);

/* Collective.  Fetches the halo of u, and sets the values beyond faces that are not absorbing, as a step does
 * before it computes: for programs that compute on the array themselves. */
void mer_stencil_fetch(mer_stencil *stencil, mer_array *u);

/* Collective.  The same in two calls, between which the caller may compute elements that need no halo, into
 * other arrays: mer_stencil_fetch_start sends data to others, mer_stencil_fetch_finish waits for theirs, and
 * sets the values beyond faces.  Between the two the program may not change u.  A stencil fetches one halo at
 * a time. */
void mer_stencil_fetch_start(mer_stencil *stencil, mer_array *u);
void mer_stencil_fetch_finish(mer_stencil *stencil);

/* Returns the number of time steps for each exchange of halos. */
int mer_stencil_steps(const mer_stencil *stencil);

/* Defines a function for `rows', of element type T, from an expression of the neighbours:
 *
 *     MER_STENCIL(life, float, rule(MER_AT2(-1, -1) + MER_AT2(-1, 0) + ..., MER_AT2(0, 0)))
 *
 * MER_ATn: u at an offset, for arrays of rank n, 1 to 7; MER_OLD: the element at the level before u. */
#define MER_STENCIL(name, T, ...)                                                                            \
    MER_STENCIL_BEGIN_                                                                                       \
    static void name(void *mer_out_, const void *mer_in_, const ptrdiff_t *mer_step_, long mer_n_,           \
                     const long *mer_index_, void *mer_context_) {                                           \
        T *mer_o_ = (T *)mer_out_;                                                                           \
        const T *mer_u_ = (const T *)mer_in_;                                                                \
        (void)mer_step_, (void)mer_index_, (void)mer_context_;                                               \
        MER_STENCIL_LOOP_                                                                                    \
        for (long mer_i_ = 0; mer_i_ < mer_n_; mer_i_++)                                                     \
            mer_o_[mer_i_] = (__VA_ARGS__);                                                                  \
    }                                                                                                        \
    MER_STENCIL_END_
#define MER_AT1(a) mer_u_[mer_i_ + (a)*mer_step_[0]]
#define MER_AT2(a, b) mer_u_[mer_i_ + (a)*mer_step_[0] + (b)*mer_step_[1]]
#define MER_AT3(a, b, c) mer_u_[mer_i_ + (a)*mer_step_[0] + (b)*mer_step_[1] + (c)*mer_step_[2]]
#define MER_AT4(a, b, c, d)                                                                                  \
    mer_u_[mer_i_ + (a)*mer_step_[0] + (b)*mer_step_[1] + (c)*mer_step_[2] + (d)*mer_step_[3]]
#define MER_AT5(a, b, c, d, e)                                                                               \
    mer_u_[mer_i_ + (a)*mer_step_[0] + (b)*mer_step_[1] + (c)*mer_step_[2] + (d)*mer_step_[3] +              \
           (e)*mer_step_[4]]
#define MER_AT6(a, b, c, d, e, f)                                                                            \
    mer_u_[mer_i_ + (a)*mer_step_[0] + (b)*mer_step_[1] + (c)*mer_step_[2] + (d)*mer_step_[3] +              \
           (e)*mer_step_[4] + (f)*mer_step_[5]]
#define MER_AT7(a, b, c, d, e, f, g)                                                                         \
    mer_u_[mer_i_ + (a)*mer_step_[0] + (b)*mer_step_[1] + (c)*mer_step_[2] + (d)*mer_step_[3] +              \
           (e)*mer_step_[4] + (f)*mer_step_[5] + (g)*mer_step_[6]]
#define MER_OLD mer_o_[mer_i_]

#ifndef __cplusplus
/* Defines a kernel from a function for one element, whose body follows the macro and returns the element's
 * new value.  Arguments: the kernel's name, the element type, and members of struct mer_kernel:
 *
 *     MER_STENCIL_FUNCTION(heat, double, .rank = 2, .radius = {1, 1}) {
 *         double around = MER_AT2(-1, 0) + MER_AT2(1, 0) + MER_AT2(0, -1) + MER_AT2(0, 1);
 *         return MER_AT2(0, 0) + 0.1 * (around - 4 * MER_AT2(0, 0));
 *     }
 *     ... mer_stencil_create(u, &(struct mer_stencil_spec){.kernel = &heat});
 *
 * In the body there are MER_ATn; MER_OLD, with .old = 1; MER_INDEX(k), the element's index along axis k; and
 * MER_CONTEXT, the spec's.  The function is inlined into loops over a tile, which the C compiler vectorises
 * (-O3, and -march=native for all instructions of the processor). */
#define MER_STENCIL_FUNCTION(name, T, ...)                                                                   \
    MER_STENCIL_ELEMENT_(name, T);                                                                           \
    MER_STENCIL_BEGIN_                                                                                       \
    static void name##_tile_(void *mer_out_, const void *mer_in_, const ptrdiff_t *mer_steps_,               \
                             const struct mer_tile *mer_at_, void *mer_context_) {                           \
        T *mer_o_ = (T *)mer_out_;                                                                           \
        const T *mer_u_ = (const T *)mer_in_;                                                                \
        const struct mer_tile mer_tile_ = *mer_at_;                                                          \
        ptrdiff_t mer_step_[MER_ARRAY_RANK];                                                                 \
        for (int mer_k_ = 0; mer_k_ < MER_ARRAY_RANK; mer_k_++)                                              \
            mer_step_[mer_k_] = mer_steps_[mer_k_];                                                          \
        for (long mer_j_ = 0; mer_j_ < mer_tile_.rows; mer_j_++) {                                           \
            MER_STENCIL_LOOP_                                                                                \
            for (long mer_i_ = 0; mer_i_ < mer_tile_.n; mer_i_++)                                            \
                mer_o_[mer_i_] = name##_element_(mer_u_, mer_o_, mer_step_, &mer_tile_, mer_i_, mer_j_,      \
                                                 mer_context_);                                              \
            mer_o_ += mer_tile_.next;                                                                        \
            mer_u_ += mer_tile_.next;                                                                        \
        }                                                                                                    \
    }                                                                                                        \
    MER_STENCIL_END_                                                                                         \
    static const struct mer_kernel name = {#name, name##_tile_, MER_TYPE_OF(T), __VA_ARGS__};                \
    MER_STENCIL_ELEMENT_(name, T)
#define MER_STENCIL_ELEMENT_(name, T)                                                                        \
    static inline __attribute__((always_inline))                                                             \
    T name##_element_(const T *mer_u_ MER_UNUSED_, const T *mer_o_ MER_UNUSED_,                              \
                      const ptrdiff_t *mer_step_ MER_UNUSED_, const struct mer_tile *mer_tile_ MER_UNUSED_,  \
                      long mer_i_ MER_UNUSED_, long mer_j_ MER_UNUSED_, void *mer_context_ MER_UNUSED_)
#define MER_UNUSED_ __attribute__((unused))
#define MER_INDEX(k) mer_index_(mer_tile_, k, mer_i_, mer_j_)
static inline __attribute__((always_inline)) MER_UNUSED_ long mer_index_(const struct mer_tile *tile, int k,
                                                                         long i, long j) {
    long index = tile->index[k] + (k == tile->axis ? i : 0) + (k == tile->row_axis ? j : 0);
    long extent = tile->extent[k];
    return index + (index < 0 ? extent : 0) - (index >= extent ? extent : 0);
}
#define MER_CONTEXT mer_context_

/* IEEE's quads, if they are distinct types (on x86). */
#if defined(__SIZEOF_FLOAT128__) && (defined(__x86_64__) || defined(__i386__))
typedef _Complex float mer_complex_quad_ __attribute__((mode(TC)));
#define MER_QUADS_ , __float128 : MER_FLOAT128, mer_complex_quad_ : MER_COMPLEX256
#else
#define MER_QUADS_
#endif

/* The enum mer_type for a C type. */
#define MER_TYPE_OF(T)                                                                                       \
    _Generic((T)0, signed char                                                                               \
             : MER_INT8, char                                                                                \
             : MER_INT8, _Bool                                                                               \
             : MER_UINT8, short                                                                              \
             : MER_INT16, int                                                                                \
             : MER_INT32, long                                                                               \
             : MER_INT64, long long                                                                          \
             : MER_INT64, unsigned char                                                                      \
             : MER_UINT8, unsigned short                                                                     \
             : MER_UINT16, unsigned                                                                          \
             : MER_UINT32, unsigned long                                                                     \
             : MER_UINT64, unsigned long long                                                                \
             : MER_UINT64, float                                                                             \
             : MER_FLOAT32, double                                                                           \
             : MER_FLOAT64, long double                                                                      \
             : MER_LONG_DOUBLE, float _Complex                                                               \
             : MER_COMPLEX64, double _Complex                                                                \
             : MER_COMPLEX128, long double _Complex                                                          \
             : MER_COMPLEX_LONG_DOUBLE MER_QUADS_)
#endif

/* Each iteration reads and writes only its own element of the level before u. */
#if defined(__clang__)
#define MER_STENCIL_LOOP_ _Pragma("clang loop vectorize(assume_safety)")
/* There are no vectors of long double and quad, so the warning about such a loop would be useless. */
#define MER_STENCIL_BEGIN_                                                                                   \
    _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wpass-failed\"")
#define MER_STENCIL_END_ _Pragma("clang diagnostic pop")
#elif defined(__GNUC__)
#define MER_STENCIL_LOOP_ _Pragma("GCC ivdep")
#else
#define MER_STENCIL_LOOP_
#endif
#ifndef MER_STENCIL_BEGIN_
#define MER_STENCIL_BEGIN_
#define MER_STENCIL_END_
#endif

#ifdef __cplusplus
}
#endif

#endif
