/* The interface between the library and its module for HDF5, array-hdf5.so, which alone is linked with
 * libhdf5.
 *
 * The module knows files and datasets; it knows nothing of distributed arrays, nor of other threads.  Each
 * function opens the file and closes it again.  The functions return 0, or EINVAL, ENOTSUP or ENOMEM with a
 * description of the error in `why'. */
#ifndef MER_ARRAY_HDF5_H
#define MER_ARRAY_HDF5_H

#include <meridian/array.h>
#include <stdbool.h>
#include <stdint.h>

#define MER_HDF5_ABI 1
#define MER_HDF5_MODULE "array-hdf5.so"
#define MER_HDF5_WHY 256

/* A dataset.  Its dimensions are in the order of the file; the last one is contiguous. */
struct mer_hdf5_set {
    enum mer_type type; /* 0 for a type that arrays do not have */
    int rank;
    uint64_t extent[MER_ARRAY_RANK];
    int64_t place; /* of the elements in the file, if they are the same there as in memory; else -1 */
};

struct mer_hdf5 {
    uint32_t abi;
    /* Make the dataset, with the groups that it needs, in a file (fresh: which is empty).  A dataset that has
     * this name, type and these extents already is used as it is; any other one of this name is replaced.
     * Sets set->place. */
    int (*make)(const char *path, bool fresh, const char *name, struct mer_hdf5_set *set, char *why);
    int (*inspect)(const char *path, const char *name, struct mer_hdf5_set *set, char *why);
    /* Read a box of elements, converted to set->type, densely into memory. */
    int (*read)(const char *path, const char *name, const struct mer_hdf5_set *set, const uint64_t *first,
                const uint64_t *count, void *memory, char *why);
};

/* The exported entry of the module. */
const struct mer_hdf5 *mer_hdf5_module(void);

#endif
