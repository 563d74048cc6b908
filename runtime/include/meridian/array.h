/* Polyshift: distributed arrays, their layouts, and shifts of them.
 *
 * An array of rank 1 to 7 is laid over a grid of processes, one axis of the grid for each axis of the array,
 * in consecutive blocks.  A geometry manager chooses the grid; weights, SERIAL axes, the order of blocks and
 * alignment with another array guide it.  Whole arrays are shifted by mer_cshift and mer_eoshift, and many
 * shifts at a time by mer_pshift.  Source: W. George, R. Brickner, S. L. Johnsson, "POLYSHIFT Communications
 * Software for the Connection Machine System CM-200", TR-18-93 (1993); sections are named below.
 * docs/polyshift.md is the chapter for users.
 *
 * Axes are numbered from 0.  Indices, extents and distances count elements.  A function marked `collective'
 * is called by all threads of the job, in the same order and with the same arguments; the rest any thread may
 * call alone.  All are called by the process's first POSIX thread.  Errors are fatal: one thread prints the
 * call and the arrays that it concerns, and the job ends.  Functions that read a file give an error code
 * instead where that is said.
 *
 * Who waits for whom.  A shift touches the caller's own part of the user's arrays and nothing else: data for
 * others goes by buffers of the set-up.  So a thread that returns from mer_cshift, mer_eoshift or mer_pshift
 * may change its part of the source, and has its part of the result; no barrier is needed before or after.
 */
#ifndef MERIDIAN_ARRAY_H
#define MERIDIAN_ARRAY_H

#include <stddef.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MER_ARRAY_RANK 7

/* ---- types -------------------------------------------------------------------------------------------- */

/* Those of C and Fortran.  LONG_DOUBLE is the C compiler's (Fortran's real(10) on x86); FLOAT128 is IEEE's
 * quad (Fortran's real(16)). */
enum mer_type {
    MER_INT8 = 1,
    MER_INT16,
    MER_INT32,
    MER_INT64,
    MER_UINT8,
    MER_UINT16,
    MER_UINT32,
    MER_UINT64,
    MER_FLOAT32,
    MER_FLOAT64,
    MER_LONG_DOUBLE,
    MER_FLOAT128,
    MER_COMPLEX64,
    MER_COMPLEX128,
    MER_COMPLEX_LONG_DOUBLE,
    MER_COMPLEX256
};

/* Bytes of an element, and the type's name as in the list above, in small letters; 0 and "?" for no type. */
size_t mer_type_size(enum mer_type type);
const char *mer_type_name(enum mer_type type);

/* ---- layouts (sections 2.1, LAYOUT and ALIGN) ---------------------------------------------------------- */

enum mer_axis_order {
    MER_NEWS, /* neighbouring blocks stay neighbours: binary-reflected Gray code (over any number of
                 processes) */
    MER_SEND  /* block i on process i of the axis */
};

enum mer_memory_order {
    MER_ROW_MAJOR,   /* C's: the last axis is contiguous */
    MER_COLUMN_MAJOR /* Fortran's: the first axis is contiguous */
};

/* What is wished for an axis.  All zero: the geometry manager decides. */
struct mer_axis {
    double weight; /* how often references go along this axis, against the others; 0: 1.  A high weight makes
                      the axis longer in each process, at the expense of the others */
    int serial;    /* 1: the axis lies wholly within a process */
    enum mer_axis_order order;
    int processes; /* over how many processes; 0: the geometry manager decides */
    long block;    /* elements a process; 0: ceil(extent / processes) */
    int halo;      /* elements kept free on both sides of the part, for stencils */
    int follows;   /* with align: 1 + the axis of that array that this one follows; 0: that of the same number
                    */
};

typedef struct mer_array mer_array;

/* What an array is to be.  Zero where nothing else is said. */
struct mer_array_spec {
    const char *name; /* for messages; at most 31 letters are kept; null: "array N" */
    enum mer_type type;
    int rank; /* 1 ... 7 */
    enum mer_memory_order order;
    long extent[MER_ARRAY_RANK]; /* at least 1 each */
    struct mer_axis axis[MER_ARRAY_RANK];
    const mer_array
        *align; /* lay the axes as those of this array are: same blocks on the same processes, so that
                   elements of equal index lie together.  Its axes that no axis follows: those of the
                   first block.  weight, serial, order, processes and block are not looked at */
};

/* Collective.  A new array, cleared if it has a halo, else not; in each process the same amount of memory,
 * that of a whole block with its halo.  Any thread may put elements into it at once.  The caller frees it by
 * mer_array_free. */
mer_array *mer_array_create(const struct mer_array_spec *spec);

/* Collective.  An array over memory that exists, without copying: each thread that has a block, if only of
 * padding, gives where it begins, in its own shared memory (a UPC or Split-C array's, mer_shared_alloc's),
 * the others null.  The block is whole, and contiguous in the given order.  With a halo the memory has that
 * too, on both sides of each axis, and begins with it: block + 2 * halo elements along the axis.  UPC's block
 * i lies on thread i: order MER_SEND.  mer_array_free leaves the memory alone. */
mer_array *mer_array_over(const struct mer_array_spec *spec, void *local);

/* Collective.  A new array of the same type, shape and layout. */
mer_array *mer_array_like(const mer_array *array, const char *name);

/* Collective.  Null is left alone.  Waits for all threads. */
void mer_array_free(mer_array *array);

/* ---- what an array is ---------------------------------------------------------------------------------- */

/* The whole array, and the part of one thread. Strides in bytes. */
struct mer_array_info {
    const char *name; /* as long as the array lives */
    enum mer_type type;
    size_t size; /* bytes of an element */
    int rank;
    enum mer_memory_order order;
    long extent[MER_ARRAY_RANK];
    int serial[MER_ARRAY_RANK];
    enum mer_axis_order axis_order[MER_ARRAY_RANK];
    int processes[MER_ARRAY_RANK];
    long block[MER_ARRAY_RANK]; /* elements a process, the last one padded */
    int halo[MER_ARRAY_RANK];
    ptrdiff_t stride[MER_ARRAY_RANK];
    size_t bytes; /* of memory in each process */
    /* of the thread asked about */
    int thread;
    int place[MER_ARRAY_RANK];  /* which block along each axis; -1: the thread has no block */
    long first[MER_ARRAY_RANK]; /* index of its first element */
    long count[MER_ARRAY_RANK]; /* its valid elements along each axis; 0 along one: it has no element */
    void *
        local; /* its first element, if the thread runs on this host; null if it has none or runs elsewhere */
};
void mer_array_describe(const mer_array *array, int thread, struct mer_array_info *info);

/* The type of its elements alone, which takes less time. */
enum mer_type mer_array_type(const mer_array *array);

/* The thread that has the element; index: rank numbers, in range. */
int mer_array_owner(const mer_array *array, const long *index);

/* Where this process sees the element; null if it is on another host. */
void *mer_array_at(const mer_array *array, const long *index);

/* Read or write one element, wherever it is; relaxed as UPC's plain accesses.  Between them and what the
 * element's thread does with its part, in calls of this library too, stands a barrier. */
void mer_array_get(const mer_array *array, const long *index, void *value);
void mer_array_put(mer_array *array, const long *index, const void *value);

/* The garbage mask (section 2.1): for each element of the caller's block, in its order, halo left out, 1 if
 * it is an element of the array, 0 if it is padding.  mask: as many bytes as a block has elements. */
void mer_array_mask(const mer_array *array, unsigned char *mask);

/* Print the descriptor, a few lines of text; and draw who owns what: as text (ranks above 2: of the first two
 * axes that are divided), as SVG.  By one thread. */
void mer_array_print(const mer_array *array, FILE *to);
void mer_array_draw(const mer_array *array, FILE *to);
void mer_array_svg(const mer_array *array, FILE *to);

/* ---- whole arrays -------------------------------------------------------------------------------------- */

/* Collective.  Every element of this thread's part becomes *value.  Does not wait for others. */
void mer_array_fill(mer_array *array, const void *value);

/* Collective.  The sum of all elements, the least or the largest one, for every thread.  *result: long
 * long for arrays of signed integers, unsigned long long for unsigned ones, double for MER_FLOAT32 and
 * MER_FLOAT64, double _Complex (MER_SUM only) for MER_COMPLEX64 and MER_COMPLEX128; for the wider types the
 * element's own. All threads get the same bits, but rounding depends on the layout.  Least and largest are
 * a NaN if there is one. */
enum mer_reduction { MER_SUM, MER_MIN, MER_MAX };
void mer_array_reduce(const mer_array *array, enum mer_reduction how, void *result);

/* Collective.  The whole array from, or to, private memory of one thread: all elements without padding, in
 * the array's own memory order.  `all' is looked at on thread root only.  scatter returns when the caller's
 * part is there, gather when its part has been read. */
void mer_array_scatter(mer_array *array, const void *all, int root);
void mer_array_gather(const mer_array *array, void *all, int root);

/* Collective.  to = from, of the same type and extents, whatever the two layouts: redistribution. */
void mer_array_copy(mer_array *to, const mer_array *from);

/* Collective.  Write a file in NumPy's format (.npy, version 1.0), each thread its own part; 0, or on every
 * thread the same errno.  Column-major arrays are written in Fortran order. */
int mer_array_save(const mer_array *array, const char *path);

/* Collective.  Read such a file, of either order, into an array of its type and extents, each thread its own
 * part. 0, or on every thread the same errno: EINVAL, and one message, if the file holds something else. */
int mer_array_load(mer_array *array, const char *path);

/* What a .npy file holds: type, rank, extent and order of spec.  0, or an errno.  By any thread. */
int mer_npy_describe(const char *path, struct mer_array_spec *spec);

/* Collective.  Write the array as the dataset `name' ("u", "run/u"; groups are made) of an HDF5 file, each
 * thread its own part.  A file or dataset that is not there is made, a dataset of this name is replaced, and
 * what else the file holds stays.  order: MER_ROW_MAJOR: dimension i of the dataset is axis i, as h5py shows
 * it; MER_COLUMN_MAJOR: the dimensions are the axes from the last to the first, as HDF5's Fortran interface
 * has them.  Complex numbers are h5py's.  0, or on every thread the same errno, and a message where that says
 * too little: EINVAL: the file is no HDF5 file, or is damaged; ENOTSUP: Meridian has been built without HDF5.
 */
int mer_array_save_hdf5(const mer_array *array, const char *path, const char *name,
                        enum mer_memory_order order);

/* Collective.  Read such a dataset, of the array's type (in any byte order) and extents, each thread its own
 * part; chunked and compressed ones too.  0, or an errno as above; EINVAL also: it holds something else. */
int mer_array_load_hdf5(mer_array *array, const char *path, const char *name, enum mer_memory_order order);

/* What a dataset holds: type, rank, extents in that order, and the order, of spec.  0, or an errno.  By any
 * thread. */
int mer_hdf5_describe(const char *path, const char *name, enum mer_memory_order order,
                      struct mer_array_spec *spec);

/* ---- shifts (sections 2.2 and 5) ----------------------------------------------------------------------- */

/* Kinds of shift.  An end-off shift fills in, at the end that becomes free, the kind's boundary. */
enum mer_shift_kind {
    MER_CSHIFT,
    MER_EOSHIFT_0,      /* zero */
    MER_EOSHIFT_1,      /* one */
    MER_EOSHIFT_SCALAR, /* a value that is given with each call */
    MER_EOSHIFT_ARRAY /* an array of one rank less, the shifted axis left out, that is given with each call */
};

/* The boundary of an end-off shift: for MER_EOSHIFT_SCALAR the value, which is read during the call, for
 * MER_EOSHIFT_ARRAY the array, of any layout. */
union mer_boundary {
    const void *scalar;
    const mer_array *array;
};

/* Collective.  result(i) = array(i + shift) along the axis, modulo its extent: Fortran's CSHIFT.  result:
 * same type, shape and layout; may be array.  Any distance. */
void mer_cshift(mer_array *result, const mer_array *array, long shift, int axis);

/* Collective.  The same end-off: Fortran's EOSHIFT.  boundary: as kind asks for; else not looked at. */
void mer_eoshift(mer_array *result, const mer_array *array, long shift, enum mer_shift_kind kind,
                 union mer_boundary boundary, int axis);

struct mer_shift {
    enum mer_shift_kind kind;
    int axis;
    long distance;
    const mer_array *boundary; /* MER_EOSHIFT_ARRAY: a prototype of the boundary; else not looked at */
};

/* Collective.  Prepare n shifts of arrays that are laid out as the prototype is: addresses, buffers, who
 * sends what to whom, a message for each neighbour.  Any number of shifts, several along an axis too.  Gives
 * the number by which the set-up is called, from 1 on; one set-up serves all arrays of that type, shape and
 * layout. */
int mer_pshift_setup(const mer_array *prototype, int n, const struct mer_shift *shifts);

/* Collective.  Do them: to[i] = shift i of from[i].  to and from: n arrays each; an array may stand several
 * times in from, and in both; to[i] differ from each other.  All sources are read as they are before the
 * call.  boundary: n of them, of which those of kinds 0 and 1 and of circular shifts are not looked at; null
 * if there are only such; values may go after the call. */
void mer_pshift(int id, mer_array *const *to, const mer_array *const *from,
                const union mer_boundary *boundary);

/* Collective.  The same in two calls, between which the caller may compute: start sends what others need,
 * finish does what waits for them.  Between the two the sources stay as they are and the results are
 * undefined. One set-up is started once at a time. */
void mer_pshift_start(int id, mer_array *const *to, const mer_array *const *from,
                      const union mer_boundary *boundary);
void mer_pshift_finish(int id);

/* How many shifts a set-up has; 0: there is no such set-up.  By any thread. */
int mer_pshift_count(int id);

/* Collective.  Free a set-up (DEALLOCATE_PSHIFT_SETUP).  Its number is not given again. */
void mer_pshift_free(int id);

/* ---- interfaces for other languages -------------------------------------------------------------------- */

/* End the job with a message, as the calls above do: `call' is wrong, and `what' says why.  For mistakes that
 * only the other language's interface sees. */
void mer_array_refuse(const char *call, const char *what) __attribute__((noreturn));

#ifdef __cplusplus
}
#endif

#endif
