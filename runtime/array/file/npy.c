/* NumPy's file format (.npy, version 1.0), each thread its own part of the array.
 *
 * The file is a head, one line with a Python dictionary, and all elements in row-major or, with
 * 'fortran_order': True, column-major order.  array/file/file.h passes the elements. */
#include "array/file/file.h"
#include "array/layout/type.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HEAD_BYTES                                                                                           \
    192 /* of the files that are written; a multiple of 64, and enough for seven long extents */
#define HEAD_MOST 65536

static const char magic[] = "\x93NUMPY";

/* ---- the head ------------------------------------------------------------------------------------------ */

static void make_head(const struct mer_geometry *g, char head[HEAD_BYTES + 1]) {
    int n = snprintf(head, HEAD_BYTES + 1, "%s%c%c%c%c{'descr': '%s', 'fortran_order': %s, 'shape': (", magic,
                     1, 1, 1, 1, mer_type_numpy(g->type), g->order == MER_COLUMN_MAJOR ? "True" : "False");
    for (int k = 0; k < g->rank; k++)
        n += snprintf(head + n, (size_t)(HEAD_BYTES + 1 - n), "%ld,%s", g->extent[k],
                      k + 1 < g->rank ? " " : "");
    n += snprintf(head + n, (size_t)(HEAD_BYTES + 1 - n), "), }");
    memset(head + n, ' ', (size_t)(HEAD_BYTES - n));
    head[HEAD_BYTES - 1] = '\n';
    head[7] = 0; /* version 1.0, and the length of the rest of the head */
    head[8] = (char)((HEAD_BYTES - 10) & 255);
    head[9] = (char)((HEAD_BYTES - 10) >> 8);
}

/* Returns the value of a key in the dictionary, or null. */
static const char *value_of(const char *head, const char *key) {
    const char *at = strstr(head, key);
    at = at ? strchr(at, ':') : NULL;
    if (!at)
        return NULL;
    for (at++; isspace((unsigned char)*at);)
        at++;
    return at;
}

static bool parse_shape(const char *shape, struct mer_array_spec *spec) {
    if (*shape++ != '(')
        return false;
    for (spec->rank = 0;; spec->rank++) {
        char *end;
        while (isspace((unsigned char)*shape) || *shape == ',')
            shape++;
        if (*shape == ')')
            return spec->rank > 0;
        long extent = strtol(shape, &end, 10);
        if (end == shape || spec->rank == RANK)
            return false;
        spec->extent[spec->rank] = extent;
        shape = *end == 'L' ? end + 1 : end;
    }
}

static bool parse_head(const char *head, struct mer_array_spec *spec) {
    const char *descr = value_of(head, "'descr'"), *order = value_of(head, "'fortran_order'");
    const char *shape = value_of(head, "'shape'"), *end;
    char name[16] = "";
    if (!descr || !order || !shape || *descr != '\'' || !(end = strchr(descr + 1, '\'')) ||
        end - descr > (long)sizeof name)
        return false;
    memcpy(name, descr + 1, (size_t)(end - descr - 1));
    spec->type = mer_type_of_numpy(name);
    spec->order = strncmp(order, "True", 4) == 0 ? MER_COLUMN_MAJOR : MER_ROW_MAJOR;
    return spec->type && parse_shape(shape, spec);
}

/* Reads the head.  Returns 0 and sets *data to the place of the first element, or returns an errno. */
static int read_head(int fd, struct mer_array_spec *spec, off_t *data) {
    unsigned char start[12];
    ssize_t n = pread(fd, start, sizeof start, 0);
    if (n < 0)
        return errno;
    if (n < (ssize_t)sizeof start || memcmp(start, magic, 6) != 0 || start[6] < 1 || start[6] > 3)
        return EINVAL;
    size_t from = start[6] == 1 ? 10 : 12;
    size_t length = start[8] | (size_t)start[9] << 8;
    if (start[6] > 1)
        length |= (size_t)start[10] << 16 | (size_t)start[11] << 24;
    char *head = length <= HEAD_MOST ? calloc(1, length + 1) : NULL;
    if (!head)
        return length <= HEAD_MOST ? ENOMEM : EINVAL;
    bool good = pread(fd, head, length, (off_t)from) == (ssize_t)length && parse_head(head, spec);
    free(head);
    *data = (off_t)(from + length);
    return good ? 0 : EINVAL;
}

/* Opens a file to read.  Does not wait for a pipe, which gives an error when it is read. */
static int open_file(const char *path) { return open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC); }

int mer_npy_describe(const char *path, struct mer_array_spec *spec) {
    off_t data;
    if (!path || !spec)
        mer_fatal("mer_npy_describe: the %s is a null pointer", path ? "description" : "path");
    memset(spec, 0, sizeof *spec);
    int fd = open_file(path);
    if (fd < 0)
        return errno;
    int error = read_head(fd, spec, &data);
    close(fd);
    return error;
}

/* ---- the calls ----------------------------------------------------------------------------------------- */

/* Makes the file, of its full length, on thread 0. */
static int make_file(const mer_array *array, const char *path) {
    char head[HEAD_BYTES + 1];
    size_t bytes = array->g->size;
    for (int k = 0; k < array->g->rank; k++)
        bytes *= (size_t)array->g->extent[k];
    make_head(array->g, head);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0)
        return errno;
    int error = pwrite(fd, head, HEAD_BYTES, 0) == HEAD_BYTES ? 0 : errno ? errno : EIO;
    if (!error && ftruncate(fd, (off_t)(HEAD_BYTES + bytes)) != 0)
        error = errno;
    return close(fd) != 0 && !error ? errno : error;
}

int mer_array_save(const mer_array *array, const char *path) {
    mer_array_check(array, "mer_array_save");
    mer_call_begin(MER_CALL_SAVE, array->number, 0, mer_call_digest_text(0, path));
    if (!path)
        mer_call_fatal("the path is a null pointer");
    errno = 0;
    int error = mer_file_agree(ME == 0 ? make_file(array, path) : 0);
    if (error)
        return error;
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    error = fd < 0 ? errno : mer_file_pass(array, fd, HEAD_BYTES, array->g->order, true);
    if (fd >= 0 && close(fd) != 0 && !error)
        error = errno;
    return mer_file_agree(error);
}

/* Warns of a file that does not fit the array: other elements, if they are known, or no such file. */
static void warn(const mer_array *array, const char *path, const struct mer_array_spec *spec) {
    char have[MER_FILE_TEXT], need[MER_FILE_TEXT];
    struct mer_array_spec want;
    mer_file_wants(array->g, &want);
    if (spec && !mer_file_fits(array->g, spec))
        mer_warn("mer_array_load of `%s': %s holds %s, but the array is %s", mer_call_array(array->number),
                 path, mer_file_holds(spec, have), mer_file_holds(&want, need));
    else
        mer_warn("mer_array_load of `%s': %s is not a .npy file of numbers in this machine's byte order, or "
                 "is cut off; the array is %s",
                 mer_call_array(array->number), path, mer_file_holds(&want, need));
}

int mer_array_load(mer_array *array, const char *path) {
    mer_array_check(array, "mer_array_load");
    mer_call_begin(MER_CALL_LOAD, array->number, 0, mer_call_digest_text(0, path));
    if (!path)
        mer_call_fatal("the path is a null pointer");
    struct mer_array_spec spec = {0};
    off_t data = 0;
    int fd = open_file(path), error = fd < 0 ? errno : read_head(fd, &spec, &data);
    bool known = !error;
    if (!error && !mer_file_fits(array->g, &spec))
        error = EINVAL;
    if (!error)
        error = mer_file_pass(array, fd, data, spec.order, false);
    if (fd >= 0)
        close(fd);
    error = mer_file_agree(error);
    if (error == EINVAL && ME == 0)
        warn(array, path, known ? &spec : NULL);
    return error;
}
