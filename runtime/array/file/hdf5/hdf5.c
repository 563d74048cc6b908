/* The module for HDF5 files, see hdf5.h.  Needs HDF5 1.10 or newer.
 *
 * A new dataset is contiguous and has its place in the file at once, so that all threads can write their
 * parts there without the library, which knows nothing of several writers. */
#include "array/file/hdf5/hdf5.h"

#include <errno.h>
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RANK MER_ARRAY_RANK

/* ---- errors -------------------------------------------------------------------------------------------- */

/* Takes the innermost entry of the library's stack of errors, which says most. */
static herr_t take_words(unsigned n, const H5E_error2_t *error, void *why) {
    if (n == 0)
        snprintf(why, MER_HDF5_WHY, "HDF5 says: %s", error->desc ? error->desc : "nothing");
    return 0;
}

static int failed(char *why) {
    snprintf(why, MER_HDF5_WHY, "HDF5 does not say why");
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_words, why);
    H5Eclear2(H5E_DEFAULT);
    return EINVAL;
}

/* Describes the error of a name that cannot be opened or made: HDF5's words do not tell that a part of the
 * name is no group. */
static int failed_at(hid_t file, const char *name, char *why) {
    int error = failed(why);
    char *part = strdup(name);
    for (char *end = part && *part ? strchr(part + 1, '/') : NULL; end; end = strchr(end + 1, '/')) {
        *end = '\0';
        hid_t there = H5Oopen(file, part, H5P_DEFAULT);
        if (there >= 0 && H5Iget_type(there) != H5I_GROUP)
            snprintf(why, MER_HDF5_WHY, "in this file %.200s is not a group", part);
        if (there >= 0)
            H5Oclose(there);
        *end = '/';
    }
    H5Eclear2(H5E_DEFAULT);
    free(part);
    return error;
}

/* ---- types --------------------------------------------------------------------------------------------- */

/* Returns IEEE's quad in this machine's byte order. */
static hid_t quad(void) {
    hid_t t = H5Tcopy(H5T_NATIVE_DOUBLE);
    H5Tset_size(t, 16);
    H5Tset_precision(t, 128);
    H5Tset_fields(t, 127, 112, 15, 0, 112);
    H5Tset_ebias(t, 16383);
    return t;
}

/* Returns the type of complex numbers that h5py uses; closes the type of their parts. */
static hid_t complex_of(hid_t part) {
    size_t size = H5Tget_size(part);
    hid_t t = H5Tcreate(H5T_COMPOUND, 2 * size);
    H5Tinsert(t, "r", 0, part);
    H5Tinsert(t, "i", size, part);
    H5Tclose(part);
    return t;
}

/* Returns a type that the caller closes; negative if there is no such type. */
static hid_t type_of(enum mer_type type) {
    switch (type) {
    case MER_INT8:
        return H5Tcopy(H5T_NATIVE_INT8);
    case MER_INT16:
        return H5Tcopy(H5T_NATIVE_INT16);
    case MER_INT32:
        return H5Tcopy(H5T_NATIVE_INT32);
    case MER_INT64:
        return H5Tcopy(H5T_NATIVE_INT64);
    case MER_UINT8:
        return H5Tcopy(H5T_NATIVE_UINT8);
    case MER_UINT16:
        return H5Tcopy(H5T_NATIVE_UINT16);
    case MER_UINT32:
        return H5Tcopy(H5T_NATIVE_UINT32);
    case MER_UINT64:
        return H5Tcopy(H5T_NATIVE_UINT64);
    case MER_FLOAT32:
        return H5Tcopy(H5T_NATIVE_FLOAT);
    case MER_FLOAT64:
        return H5Tcopy(H5T_NATIVE_DOUBLE);
    case MER_LONG_DOUBLE:
        return H5Tcopy(H5T_NATIVE_LDOUBLE);
    case MER_FLOAT128:
        return quad();
    case MER_COMPLEX64:
    case MER_COMPLEX128:
    case MER_COMPLEX_LONG_DOUBLE:
    case MER_COMPLEX256:
        return complex_of(type_of((enum mer_type)(type - MER_COMPLEX64 + MER_FLOAT32)));
    }
    return H5I_INVALID_HID;
}

/* Returns true if the file's type is exactly an array's. */
static bool same_type(hid_t in_file, enum mer_type type) {
    hid_t ours = type_of(type);
    bool same = H5Tequal(in_file, ours) > 0;
    H5Tclose(ours);
    return same;
}

static enum mer_type find_type(hid_t in_file) {
    for (int t = MER_INT8; t <= MER_COMPLEX256; t++)
        if (same_type(in_file, (enum mer_type)t))
            return (enum mer_type)t;
    return (enum mer_type)0;
}

/* Returns the array's type that equals the file's, at least except for the byte order, or 0; *exact: in the
 * byte order too. */
static enum mer_type type_in_file(hid_t in_file, bool *exact) {
    enum mer_type type = find_type(in_file);
    *exact = type != 0;
    if (type)
        return type;
    hid_t native = H5Tget_native_type(in_file, H5T_DIR_ASCEND);
    if (native < 0) {
        H5Eclear2(H5E_DEFAULT);
        return (enum mer_type)0;
    }
    if (H5Tget_size(native) == H5Tget_size(in_file))
        type = find_type(native);
    H5Tclose(native);
    return type;
}

/* ---- datasets ------------------------------------------------------------------------------------------ */

struct open_set {
    hid_t file, set, space, type;
};

static void close_set(struct open_set *o) {
    if (o->type >= 0)
        H5Tclose(o->type);
    if (o->space >= 0)
        H5Sclose(o->space);
    if (o->set >= 0)
        H5Dclose(o->set);
    if (o->file >= 0)
        H5Fclose(o->file);
}

/* Returns the place of the elements in the file, or -1 if they are not contiguous there. */
static int64_t place_of(const struct open_set *o) {
    hid_t made = H5Dget_create_plist(o->set);
    bool plain = H5Pget_layout(made) == H5D_CONTIGUOUS && H5Pget_external_count(made) == 0;
    H5Pclose(made);
    haddr_t at = plain ? H5Dget_offset(o->set) : HADDR_UNDEF;
    H5Eclear2(H5E_DEFAULT);
    return at == HADDR_UNDEF ? -1 : (int64_t)at;
}

/* Opens the dataset of this name in o->file and describes it.  Returns EINVAL if there is no such dataset, or
 * its rank is none that arrays have. */
static int open_named(struct open_set *o, const char *name, struct mer_hdf5_set *set, char *why) {
    hsize_t extent[H5S_MAX_RANK];
    bool exact;
    if ((o->set = H5Dopen2(o->file, name, H5P_DEFAULT)) < 0 || (o->space = H5Dget_space(o->set)) < 0 ||
        (o->type = H5Dget_type(o->set)) < 0)
        return failed_at(o->file, name, why);
    int rank = H5Sget_simple_extent_dims(o->space, extent, NULL);
    if (rank < 1 || rank > RANK) {
        snprintf(why, MER_HDF5_WHY, "the dataset has rank %d, but arrays have 1 to %d", rank, RANK);
        return EINVAL;
    }
    *set = (struct mer_hdf5_set){.type = type_in_file(o->type, &exact), .rank = rank};
    for (int k = 0; k < rank; k++)
        set->extent[k] = extent[k];
    set->place = exact ? place_of(o) : -1;
    return 0;
}

static const struct open_set closed = {H5I_INVALID_HID, H5I_INVALID_HID, H5I_INVALID_HID, H5I_INVALID_HID};

static int inspect(const char *path, const char *name, struct mer_hdf5_set *set, char *why) {
    struct open_set o = closed;
    int error = (o.file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT)) < 0 ? failed(why)
                                                                          : open_named(&o, name, set, why);
    close_set(&o);
    return error;
}

static int read_box(const char *path, const char *name, const struct mer_hdf5_set *set, const uint64_t *first,
                    const uint64_t *count, void *memory, char *why) {
    struct open_set o = closed;
    struct mer_hdf5_set there;
    hsize_t from[RANK], n[RANK];
    int error = (o.file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT)) < 0 ? failed(why)
                                                                          : open_named(&o, name, &there, why);
    for (int k = 0; k < set->rank; k++)
        from[k] = first[k], n[k] = count[k];
    if (!error) {
        hid_t dense = H5Screate_simple(set->rank, n, NULL), type = type_of(set->type);
        if (H5Sselect_hyperslab(o.space, H5S_SELECT_SET, from, NULL, n, NULL) < 0 ||
            H5Dread(o.set, type, dense, o.space, H5P_DEFAULT, memory) < 0)
            error = failed(why);
        H5Tclose(type);
        H5Sclose(dense);
    }
    close_set(&o);
    return error;
}

/* ---- making -------------------------------------------------------------------------------------------- */

/* Opens the dataset of this name.  Returns true if it has the type and extents of *set, and a place. */
static bool there_already(struct open_set *o, const char *name, struct mer_hdf5_set *set) {
    struct mer_hdf5_set there;
    char why[MER_HDF5_WHY];
    if (open_named(o, name, &there, why) != 0 || there.place < 0 || there.type != set->type ||
        there.rank != set->rank || memcmp(there.extent, set->extent, sizeof there.extent) != 0)
        return false;
    set->place = there.place;
    return true;
}

/* Makes a dataset: contiguous, with its place at once, and not filled. */
static int make_set(struct open_set *o, const char *name, struct mer_hdf5_set *set, char *why) {
    hsize_t extent[RANK];
    for (int k = 0; k < set->rank; k++)
        extent[k] = set->extent[k];
    hid_t links = H5Pcreate(H5P_LINK_CREATE), made = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    H5Pset_layout(made, H5D_CONTIGUOUS);
    H5Pset_alloc_time(made, H5D_ALLOC_TIME_EARLY);
    H5Pset_fill_time(made, H5D_FILL_TIME_NEVER);
    o->type = type_of(set->type);
    o->space = H5Screate_simple(set->rank, extent, NULL);
    o->set = H5Dcreate2(o->file, name, o->type, o->space, links, made, H5P_DEFAULT);
    int error = o->type < 0 || o->space < 0 || o->set < 0 ? failed_at(o->file, name, why) : 0;
    H5Pclose(made);
    H5Pclose(links);
    if (error)
        return error;
    set->place = place_of(o);
    return set->place >= 0 ? 0 : failed(why);
}

/* Makes the name free: removes a dataset of this name; any other object of this name is an error. */
static int remove_set(hid_t file, const char *name, char *why) {
    hid_t there = H5Oopen(file, name, H5P_DEFAULT);
    H5Eclear2(H5E_DEFAULT);
    if (there < 0)
        return 0;
    bool set = H5Iget_type(there) == H5I_DATASET;
    H5Oclose(there);
    if (set)
        return H5Ldelete(file, name, H5P_DEFAULT) < 0 ? failed(why) : 0;
    snprintf(why, MER_HDF5_WHY, "in this file the name belongs to an object that is not a dataset");
    return EINVAL;
}

static int make(const char *path, bool fresh, const char *name, struct mer_hdf5_set *set, char *why) {
    struct open_set o = closed;
    o.file = fresh ? H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)
                   : H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    int error = o.file < 0 ? failed(why) : 0;
    if (!error && !there_already(&o, name, set)) {
        struct open_set whole = {o.file, H5I_INVALID_HID, H5I_INVALID_HID, H5I_INVALID_HID};
        o.file = H5I_INVALID_HID;
        close_set(&o);
        o = whole;
        H5Eclear2(H5E_DEFAULT);
        error = remove_set(o.file, name, why);
        error = error ? error : make_set(&o, name, set, why);
    }
    /* Elements are written to the file by its path once it is closed, when it has its full length. */
    if (!error && H5Fflush(o.file, H5F_SCOPE_GLOBAL) < 0)
        error = failed(why);
    close_set(&o);
    return error;
}

__attribute__((visibility("default"))) const struct mer_hdf5 *mer_hdf5_module(void) {
    static const struct mer_hdf5 module = {MER_HDF5_ABI, make, inspect, read_box};
    if (H5open() < 0)
        return NULL;
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* words go to the caller */
    return &module;
}
