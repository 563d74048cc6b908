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
 * is called by all threads of the job, in the same order and with the same arguments; any thread may call the
 * others alone.  Only the process's first POSIX thread may call any of them.  Errors are fatal: one thread
 * prints the call and the arrays that it concerns, and the job ends.  Functions for files return an error
 * code instead if their comments say so.
 *
 * Synchronisation.  A shift accesses only the caller's own part of the user's arrays: data for others goes
 * through buffers of the set-up.  So a thread that returns from mer_cshift, mer_eoshift or mer_pshift may
 * change its part of the source, and has its part of the result; no barrier is needed before or after.
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

/* The element types, which are C's and Fortran's.  LONG_DOUBLE is the C compiler's (Fortran's real(10) on
 * x86); FLOAT128 is IEEE's quad (Fortran's real(16)). */
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

/* Return the bytes of an element, and the type's name as in the list above, in small letters; 0 and "?" for
 * any other number. */
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

/* Wishes for an axis.  If all are zero the geometry manager decides. */
struct mer_axis {
    double weight; /* the relative frequency of references along this axis; 0 means 1.  A high weight makes
                      the axis longer in each process, at the expense of the others */
    int serial;    /* 1: the axis lies wholly within a process */
    enum mer_axis_order order;
    int processes; /* number of processes along the axis; 0: the geometry manager decides */
    long block;    /* elements for each process; 0: ceil(extent / processes) */
    int halo;      /* elements kept free on both sides of the part, for stencils */
    int follows;   /* with align: 1 + the axis of the other array that this one follows; 0: the axis with
                      the same number */
};

typedef struct mer_array mer_array;

/* The specification of an array.  Members may be zero unless their comments say otherwise. */
struct mer_array_spec {
    const char *name; /* for messages; at most 31 letters are kept; null: "array N" */
    enum mer_type type;
    int rank; /* 1 ... 7 */
    enum mer_memory_order order;
    long extent[MER_ARRAY_RANK]; /* at least 1 each */
    struct mer_axis axis[MER_ARRAY_RANK];
    const mer_array
        *align; /* lay out the axes like this array's: same blocks on the same processes, so that elements
                   of equal index lie together.  Along axes of that array that no axis follows, the array
                   is on the processes of the first block.  weight, serial, order, processes and block are
                   ignored */
};

/* Collective.  Returns a new array, which is cleared only if it has a halo.  It takes the same amount of
 * memory in each process, a whole block with its halo.  Any thread may put elements into it at once.  The
 * caller frees it by mer_array_free. */
mer_array *mer_array_create(const struct mer_array_spec *spec);

/* Collective.  Returns an array over existing memory, without copying.  Each thread that has a block, even
 * one of padding only, passes the block's address, in its own shared memory (of a UPC or Split-C array, or
 * from mer_shared_alloc); the others pass null.  The block is whole, and contiguous in the given order.  With
 * a halo the memory includes the halo, on both sides of each axis, and begins with it: block + 2 * halo
 * elements along the axis.  UPC's block i lies on thread i: order MER_SEND.  mer_array_free does not free the
 * memory. */
mer_array *mer_array_over(const struct mer_array_spec *spec, void *local);

/* Collective.  Returns a new array of the same type, shape and layout. */
mer_array *mer_array_like(const mer_array *array, const char *name);

/* Collective.  Frees an array; null is ignored.  Waits for all threads. */
void mer_array_free(mer_array *array);

/* ---- descriptions of arrays ---------------------------------------------------------------------------- */

/* The whole array, and the part of one thread. Strides in bytes. */
struct mer_array_info {
    const char *name; /* valid as long as the array lives */
    enum mer_type type;
    size_t size; /* bytes of an element */
    int rank;
    enum mer_memory_order order;
    long extent[MER_ARRAY_RANK];
    int serial[MER_ARRAY_RANK];
    enum mer_axis_order axis_order[MER_ARRAY_RANK];
    int processes[MER_ARRAY_RANK];
    long block[MER_ARRAY_RANK]; /* elements for each process, the last one padded */
    int halo[MER_ARRAY_RANK];
    ptrdiff_t stride[MER_ARRAY_RANK];
    size_t bytes; /* of memory in each process */
    /* the part of one thread: */
    int thread;
    int place[MER_ARRAY_RANK];  /* its block's number along each axis; -1: the thread has no block */
    long first[MER_ARRAY_RANK]; /* index of its first element */
    long count[MER_ARRAY_RANK]; /* its valid elements along each axis; 0 along one: it has no element */
    void *
        local; /* its first element, if the thread runs on this host; null if it has none or runs elsewhere */
};
void mer_array_describe(const mer_array *array, int thread, struct mer_array_info *info);

/* Returns the type of the elements, faster than mer_array_describe. */
enum mer_type mer_array_type(const mer_array *array);

/* Returns the thread that has the element; index: rank numbers, in range. */
int mer_array_owner(const mer_array *array, const long *index);

/* Returns the element's address in this process, or null if the element is on another host. */
void *mer_array_at(const mer_array *array, const long *index);

/* Read or write one element on any thread; relaxed like UPC's plain accesses.  The program needs a barrier
 * between them and the accesses of the element's thread to its part, including those in calls of this
 * library. */
void mer_array_get(const mer_array *array, const long *index, void *value);
void mer_array_put(mer_array *array, const long *index, const void *value);

/* Computes the garbage mask (section 2.1): for each element of the caller's block, in its order, without the
 * halo, 1 if it is an element of the array, 0 if it is padding.  mask has a byte for each element of a
 * block. */
void mer_array_mask(const mer_array *array, unsigned char *mask);

/* Print the descriptor, a few lines of text; and draw the owners of elements: as text (for ranks above 2,
 * along the first two divided axes), as SVG.  Called by one thread. */
void mer_array_print(const mer_array *array, FILE *to);
void mer_array_draw(const mer_array *array, FILE *to);
void mer_array_svg(const mer_array *array, FILE *to);

/* ---- whole arrays -------------------------------------------------------------------------------------- */

/* Collective.  Sets every element of this thread's part to *value.  Does not wait for others. */
void mer_array_fill(mer_array *array, const void *value);

/* Collective.  Computes the sum of all elements, the least or the largest one, for every thread.  *result is
 * a long long for arrays of signed integers, unsigned long long for unsigned ones, double for MER_FLOAT32 and
 * MER_FLOAT64, double _Complex (MER_SUM only) for MER_COMPLEX64 and MER_COMPLEX128; for the wider types it
 * has the element's type.  All threads get the same bits, but rounding depends on the layout.  Least and
 * largest are a NaN if any element is. */
enum mer_reduction { MER_SUM, MER_MIN, MER_MAX };
void mer_array_reduce(const mer_array *array, enum mer_reduction how, void *result);

/* Collective.  Copy the whole array from, or to, private memory of one thread: all elements without padding,
 * in the array's own memory order.  Only thread root uses `all'.  mer_array_scatter returns when the caller's
 * part has its values, mer_array_gather when the caller's part has been read. */
void mer_array_scatter(mer_array *array, const void *all, int root);
void mer_array_gather(const mer_array *array, void *all, int root);

/* Collective.  Copies `from' to `to', of the same type and extents and any two layouts: redistribution. */
void mer_array_copy(mer_array *to, const mer_array *from);

/* Collective.  Writes a file in NumPy's format (.npy, version 1.0), each thread its own part.  Returns 0, or
 * on every thread the same errno.  Column-major arrays are written in Fortran order. */
int mer_array_save(const mer_array *array, const char *path);

/* Collective.  Reads such a file, of either order, into an array of its type and extents, each thread its own
 * part.  Returns 0, or on every thread the same errno: EINVAL, with one message, if the file holds something
 * else. */
int mer_array_load(mer_array *array, const char *path);

/* Sets type, rank, extent and order of spec to those of a .npy file.  Returns 0, or an errno.  Any thread may
 * call it. */
int mer_npy_describe(const char *path, struct mer_array_spec *spec);

/* Collective.  Writes the array as the dataset `name' ("u", "run/u"; groups are created) of an HDF5 file,
 * each thread its own part.  A missing file or dataset is created, a dataset of this name is replaced, and
 * all other contents of the file stay.  order: with MER_ROW_MAJOR, dimension i of the dataset is axis i, as
 * in h5py; with MER_COLUMN_MAJOR, the dimensions are the axes from the last to the first, as in HDF5's
 * Fortran interface.  Complex numbers are h5py's.  Returns 0, or on every thread the same errno, with a
 * message if the number says too little: EINVAL if the file is no HDF5 file or is damaged, ENOTSUP if
 * Meridian has been built without HDF5. */
int mer_array_save_hdf5(const mer_array *array, const char *path, const char *name,
                        enum mer_memory_order order);

/* Collective.  Reads such a dataset, of the array's type (in any byte order) and extents, each thread its own
 * part; chunked and compressed ones too.  Returns 0, or an errno as above; EINVAL also if the dataset holds
 * something else. */
int mer_array_load_hdf5(mer_array *array, const char *path, const char *name, enum mer_memory_order order);

/* Sets type, rank and order of spec to those of a dataset, and extent in that order.  Returns 0, or an errno.
 * Any thread may call it. */
int mer_hdf5_describe(const char *path, const char *name, enum mer_memory_order order,
                      struct mer_array_spec *spec);

/* ---- shifts (sections 2.2 and 5) ----------------------------------------------------------------------- */

/* Kinds of shift.  An end-off shift fills the end that becomes free with the kind's boundary. */
enum mer_shift_kind {
    MER_CSHIFT,
    MER_EOSHIFT_0,      /* zero */
    MER_EOSHIFT_1,      /* one */
    MER_EOSHIFT_SCALAR, /* a value that is given with each call */
    MER_EOSHIFT_ARRAY /* an array of one rank less, the shifted axis left out, that is given with each call */
};

/* The boundary of an end-off shift: for MER_EOSHIFT_SCALAR a value, which is read during the call; for
 * MER_EOSHIFT_ARRAY an array, of any layout. */
union mer_boundary {
    const void *scalar;
    const mer_array *array;
};

/* Collective.  result(i) = array(i + shift) along the axis, modulo its extent: Fortran's CSHIFT.  result has
 * the same type, shape and layout, and may be array itself.  Any distance is allowed. */
void mer_cshift(mer_array *result, const mer_array *array, long shift, int axis);

/* Collective.  The same as an end-off shift: Fortran's EOSHIFT.  boundary is ignored unless kind needs it. */
void mer_eoshift(mer_array *result, const mer_array *array, long shift, enum mer_shift_kind kind,
                 union mer_boundary boundary, int axis);

struct mer_shift {
    enum mer_shift_kind kind;
    int axis;
    long distance;
    const mer_array *boundary; /* MER_EOSHIFT_ARRAY: a prototype of the boundary; else ignored */
};

/* Collective.  Prepares n shifts of arrays with the prototype's layout: addresses, buffers, the plan of
 * transfers, a message for each neighbour.  Any number of shifts is allowed, also several along an axis.
 * Returns the number of the set-up, from 1 on; one set-up serves all arrays of that type, shape and
 * layout. */
int mer_pshift_setup(const mer_array *prototype, int n, const struct mer_shift *shifts);

/* Collective.  Performs the shifts: to[i] = shift i of from[i].  to and from have n arrays each; an array may
 * be in from several times, and in both; to[i] differ from each other.  All sources are read as they are
 * before the call.  boundary has n elements, of which those of kinds 0 and 1 and of circular shifts are
 * ignored; it may be null if all are ignored.  Values are not needed after the call. */
void mer_pshift(int id, mer_array *const *to, const mer_array *const *from,
                const union mer_boundary *boundary);

/* Collective.  The same in two calls, between which the caller may compute: mer_pshift_start sends data to
 * others, mer_pshift_finish waits for theirs and completes the shifts.  Between the two the program may not
 * change the sources, and the results are undefined.  A set-up can be started again only after its finish. */
void mer_pshift_start(int id, mer_array *const *to, const mer_array *const *from,
                      const union mer_boundary *boundary);
void mer_pshift_finish(int id);

/* Returns the number of shifts of a set-up, or 0 if there is no such set-up.  Any thread may call it. */
int mer_pshift_count(int id);

/* Collective.  Frees a set-up (DEALLOCATE_PSHIFT_SETUP).  Its number is not used again. */
void mer_pshift_free(int id);

/* ---- interfaces for other languages -------------------------------------------------------------------- */

/* Ends the job with a message, as the calls above do: `call' is wrong, and `what' says why.  For mistakes
 * that only the other language's interface detects. */
void mer_array_refuse(const char *call, const char *what) __attribute__((noreturn));

#ifdef __cplusplus
}
#endif

#endif
