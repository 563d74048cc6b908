/* HDF5 files, each thread its own part of the array (by the module of hdf5/hdf5.h).
 *
 * Thread 0 makes the dataset; when the file is closed again, all threads write their elements at its place.
 * To read, each thread asks for the place of the dataset and reads its elements there.  If the elements in
 * the file differ from those in memory (chunks, compression, another byte order), the library reads them, a
 * slab at a time. */
#include "array/move/copy.h"
#include "array/file/file.h"
#include "array/file/hdf5/hdf5.h"
#include "array/layout/pieces.h"

#include "conduit/find.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SLAB (32UL << 20) /* bytes that the library reads at a time */

/* ---- the module ---------------------------------------------------------------------------------------- */

/* Returns the module, or null with the reason in `why'. */
static const struct mer_hdf5 *module(char why[MER_HDF5_WHY]) {
    static const struct mer_hdf5 *have;
    const char *words = "";
    if (have)
        return have;
    void *opened = mer_module_open ? mer_module_open(MER_HDF5_MODULE, &words) : NULL;
    const struct mer_hdf5 *(*entry)(void) = NULL;
    if (opened)
        *(void **)&entry = dlsym(opened, "mer_hdf5_module");
    const struct mer_hdf5 *found = entry ? entry() : NULL;
    if (found && found->abi == MER_HDF5_ABI)
        return have = found;
    if (found)
        words = MER_HDF5_MODULE " belongs to another version of Meridian";
    else if (!mer_module_open)
        words = "the program is linked with -static";
    snprintf(why, MER_HDF5_WHY,
             "Meridian has been built without HDF5 (%.120s). Install libhdf5-dev (packaging/setup hdf5) and "
             "build it again",
             words);
    return NULL;
}

/* ---- descriptions -------------------------------------------------------------------------------------- */

/* Returns the axis of the array for dimension d of the dataset, or the dimension for an axis. */
static int axis_of(int rank, enum mer_memory_order order, int d) {
    return order == MER_ROW_MAJOR ? d : rank - 1 - d;
}

static void to_spec(const struct mer_hdf5_set *set, enum mer_memory_order order,
                    struct mer_array_spec *spec) {
    memset(spec, 0, sizeof *spec);
    spec->type = set->type;
    spec->rank = set->rank;
    spec->order = order;
    for (int d = 0; d < set->rank; d++)
        spec->extent[axis_of(set->rank, order, d)] = (long)set->extent[d];
}

static int inspect(const char *path, const char *name, struct mer_hdf5_set *set, char *why) {
    const struct mer_hdf5 *m = module(why);
    int fd = m ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (!m)
        return ENOTSUP;
    if (fd < 0)
        return errno;
    close(fd);
    return m->inspect(path, name, set, why);
}

int mer_hdf5_describe(const char *path, const char *name, enum mer_memory_order order,
                      struct mer_array_spec *spec) {
    struct mer_hdf5_set set;
    char why[MER_HDF5_WHY] = "";
    if (!spec)
        mer_fatal("mer_hdf5_describe: the description is a null pointer");
    memset(spec, 0, sizeof *spec);
    int error = path && name ? inspect(path, name, &set, why) : EINVAL;
    if (!error)
        to_spec(&set, order, spec);
    return error || spec->type ? error : EINVAL;
}

/* ---- saving -------------------------------------------------------------------------------------------- */

/* Makes the dataset, on thread 0.  If that fails, a file that has been created for it is removed again. */
static int make_file(const mer_array *array, const char *path, const char *name, enum mer_memory_order order,
                     struct mer_hdf5_set *set, char *why) {
    const struct mer_hdf5 *m = module(why);
    const struct mer_geometry *g = array->g;
    struct stat status;
    if (!m)
        return ENOTSUP;
    int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    bool new = fd >= 0;
    if (!new &&errno == EEXIST)
        fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &status) != 0)
        return errno;
    close(fd);
    *set = (struct mer_hdf5_set){.type = g->type, .rank = g->rank};
    for (int d = 0; d < g->rank; d++)
        set->extent[d] = (uint64_t)g->extent[axis_of(g->rank, order, d)];
    int error = m->make(path, status.st_size == 0, name, set, why);
    if (error && new)
        unlink(path);
    return error;
}

static void warn(const mer_array *array, enum mer_call call, const char *path, const char *name,
                 const char *why) {
    mer_warn("%s of `%s': %s, dataset %s: %s", mer_call_text(call), mer_call_array(array->number), path, name,
             why);
}

static void begin_call(enum mer_call call, const mer_array *array, const char *path, const char *name,
                       enum mer_memory_order order) {
    mer_array_check(array, mer_call_text(call));
    mer_call_begin(call, array->number, 0,
                   mer_call_digest_text(mer_call_digest_text((uint64_t)order, path), name));
    if (!path || !name || !*name)
        mer_call_fatal("the %s is a null pointer or empty", path ? "name of the dataset" : "path");
    if (order != MER_ROW_MAJOR && order != MER_COLUMN_MAJOR)
        mer_call_fatal("the order %d is neither MER_ROW_MAJOR nor MER_COLUMN_MAJOR", (int)order);
}

int mer_array_save_hdf5(const mer_array *array, const char *path, const char *name,
                        enum mer_memory_order order) {
    struct mer_hdf5_set set = {.place = -1};
    char why[MER_HDF5_WHY] = "";
    begin_call(MER_CALL_SAVE_HDF5, array, path, name, order);
    int mine = ME == 0 ? make_file(array, path, name, order, &set, why) : 0, error = mer_file_agree(mine);
    if (mine && *why)
        warn(array, MER_CALL_SAVE_HDF5, path, name, why);
    if (error)
        return error;
    mer_call_share((uint64_t)set.place);
    off_t place = (off_t)mer_barrier_payload(0);
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    error = fd < 0 ? errno : mer_file_pass(array, fd, place, order, true);
    if (fd >= 0 && close(fd) != 0 && !error)
        error = errno;
    return mer_file_agree(error);
}

/* ---- loading ------------------------------------------------------------------------------------------- */

/* Reads the caller's part by the library, in slabs of the dataset's first dimension. */
static int read_slabs(mer_array *array, const char *path, const char *name, enum mer_memory_order order,
                      const struct mer_hdf5_set *set, char *why) {
    const struct mer_geometry *g = array->g;
    struct mer_region r;
    uint64_t first[RANK], count[RANK];
    ptrdiff_t dense[RANK], bytes = (ptrdiff_t)g->size;
    long box[RANK];
    if (!mer_region_of_block(&r, g, g, ME))
        return 0;
    for (int d = g->rank - 1; d >= 0; d--) {
        int k = axis_of(g->rank, order, d);
        first[d] = (uint64_t)r.low[k];
        box[k] = r.high[k] - r.low[k];
        count[d] = (uint64_t)box[k];
        dense[k] = bytes;
        bytes *= d > 0 ? box[k] : 1;
    }
    int slow = axis_of(g->rank, order, 0);
    long rows = (long)(SLAB / (size_t)bytes), all = box[slow];
    rows = rows < 1 ? 1 : rows > all ? all : rows;
    char *memory = malloc((size_t)(rows * bytes));
    int error = memory ? 0 : ENOMEM;
    for (long at = 0; at < all && !error; at += rows) {
        struct mer_copy copy;
        box[slow] = all - at < rows ? all - at : rows;
        first[0] = (uint64_t)(r.low[slow] + at);
        count[0] = (uint64_t)box[slow];
        error = module(why)->read(path, name, set, first, count, memory, why);
        mer_copy_prepare(&copy, g->size, g->rank, box, g->stride, dense);
        if (!error)
            mer_copy_run(&copy, array->local + at * g->stride[slow], memory);
    }
    free(memory);
    return error;
}

static int load_part(mer_array *array, const char *path, const char *name, enum mer_memory_order order,
                     char *why) {
    struct mer_hdf5_set set;
    struct mer_array_spec spec, want;
    char have[MER_FILE_TEXT], need[MER_FILE_TEXT];
    int error = inspect(path, name, &set, why);
    if (error)
        return error;
    to_spec(&set, order, &spec);
    if (!mer_file_fits(array->g, &spec)) {
        mer_file_wants(array->g, &want);
        snprintf(why, MER_HDF5_WHY, "the dataset is %.100s, but the array is %.100s",
                 mer_file_holds(&spec, have), mer_file_holds(&want, need));
        return EINVAL;
    }
    if (set.place < 0)
        return read_slabs(array, path, name, order, &set, why);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    error = fd < 0 ? errno : mer_file_pass(array, fd, (off_t)set.place, order, false);
    if (fd >= 0)
        close(fd);
    if (error == EINVAL)
        snprintf(why, MER_HDF5_WHY, "the file ends before the dataset does");
    return error;
}

int mer_array_load_hdf5(mer_array *array, const char *path, const char *name, enum mer_memory_order order) {
    char why[MER_HDF5_WHY] = "";
    begin_call(MER_CALL_LOAD_HDF5, array, path, name, order);
    int mine = load_part(array, path, name, order, why), error = mer_file_agree(mine);
    bool first = mine != 0; /* the first thread that has an error reports it */
    for (int t = 0; t < ME && first; t++)
        first = mer_barrier_payload(t) == 0;
    if (first && *why)
        warn(array, MER_CALL_LOAD_HDF5, path, name, why);
    return error;
}
