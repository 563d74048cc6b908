/* The file as a whole: sync, file pointers, sizes, fcntl (UPC 7.8.3.3 to 7.8.3.8).
 *
 * Thread 0 alone looks at sizes and changes them, between two barriers: all threads see the same size, and
 * every earlier write of any thread counts.
 */
#include "dialect/upc/io.h"

#include "host/job.h"
#include "dialect/upc/single.h"
#include "sync/barrier.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

int upc_all_fsync(mer_ptr fd) {
    mer_check_single_valued("upc_all_fsync", fd.bits);
    struct mer_io_file *file = mer_io_find(fd, false);
    if (!file)
        return -1;
    int error = mer_io_sync(file, "upc_all_fsync");
    return error ? mer_io_fail(error) : 0;
}

/* Returns the size, or an errno as a negative number. */
static int64_t size_now(const struct mer_io_file *file) {
    struct stat about;
    return fstat(file->fd, &about) ? -(int64_t)errno : (int64_t)about.st_size;
}

/* Returns thread 0's view of the size on all threads; or -1, and sets errno. */
static upc_off_t size_for_all(const struct mer_io_file *file, const char *name) {
    mer_barrier_collective(name);
    int64_t size = (int64_t)mer_io_from_first(name, mer_job.mythread == 0 ? (uint64_t)size_now(file) : 0);
    return size < 0 ? mer_io_fail((int)-size) : size;
}

upc_off_t upc_all_fseek(mer_ptr fd, upc_off_t offset, int origin) {
    static const char name[] = "upc_all_fseek";
    mer_check_single_valued(name, fd.bits);
    struct mer_io_file *file = mer_io_find(fd, false);
    if (!file)
        return -1;
    if (file->flags & UPC_COMMON_FP)
        mer_check_single_valued(name, mer_digest((uint64_t)offset, (uint64_t)origin));
    upc_off_t base = 0, position;
    if (origin == UPC_SEEK_CUR)
        base = file->position;
    else if (origin == UPC_SEEK_END) {
        base = file->flags & UPC_COMMON_FP ? size_for_all(file, name) : size_now(file);
        if (base < 0)
            return file->flags & UPC_COMMON_FP ? -1 : mer_io_fail((int)-base);
    } else if (origin != UPC_SEEK_SET)
        return mer_io_fail(EINVAL);
    if (__builtin_add_overflow(base, offset, &position) || position < 0)
        return mer_io_fail(EINVAL);
    file->position = position;
    return position;
}

upc_off_t upc_all_fget_size(mer_ptr fd) {
    mer_check_single_valued("upc_all_fget_size", fd.bits);
    struct mer_io_file *file = mer_io_find(fd, false);
    return file ? size_for_all(file, "upc_all_fget_size") : -1;
}

int upc_all_fset_size(mer_ptr fd, upc_off_t size) {
    static const char name[] = "upc_all_fset_size";
    mer_check_single_valued(name, mer_digest(fd.bits, (uint64_t)size));
    struct mer_io_file *file = mer_io_find(fd, false);
    if (!file)
        return -1;
    int error = !mer_io_writable(file) ? EBADF : size < 0 ? EINVAL : mer_io_sync(file, name);
    if (!error && mer_job.mythread == 0 && ftruncate(file->fd, size))
        error = errno;
    error = mer_io_agree(name, error);
    return error ? mer_io_fail(error) : 0;
}

int upc_all_fpreallocate(mer_ptr fd, upc_off_t size) {
    static const char name[] = "upc_all_fpreallocate";
    mer_check_single_valued(name, mer_digest(fd.bits, (uint64_t)size));
    struct mer_io_file *file = mer_io_find(fd, false);
    if (!file)
        return -1;
    mer_barrier_collective(name);
    int error = !mer_io_writable(file) ? EBADF : size < 0 ? EINVAL : 0;
    if (!error && size > 0 && mer_job.mythread == 0)
        error = posix_fallocate(file->fd, 0, size); /* extends the file, and gives the errno */
    error = mer_io_agree(name, error);
    return error ? mer_io_fail(error) : 0;
}

/* ---- fcntl --------------------------------------------------------------------------------------------- */

/* Commands that change the mode: a sync, then `set' in place of `cleared' among the flags. */
static int change(struct mer_io_file *file, int cleared, int set) {
    int error = mer_io_sync(file, "upc_all_fcntl");
    if (error)
        return mer_io_fail(error);
    file->flags = (file->flags & ~cleared) | set;
    if (cleared & (UPC_COMMON_FP | UPC_INDIVIDUAL_FP))
        file->position = 0;
    return 0;
}

static int set_hint(struct mer_io_file *file, const struct upc_hint *hint) {
    int error = mer_io_sync(file, "upc_all_fcntl");
    if (!error)
        error = mer_io_hint_set(&file->hints, hint);
    if (error)
        return mer_io_fail(error);
    mer_io_hint_advise(&file->hints, file->fd);
    return 0;
}

/* Stores a pointer where the user's argument points.  Returns `result', or -1 if the argument is null. */
static int give(void *arg, const void *what, int result) {
    if (!arg)
        return mer_io_fail(EINVAL);
    *(const void **)arg = what;
    return result;
}

int upc_all_fcntl(mer_ptr fd, int cmd, void *arg) {
    mer_check_single_valued("upc_all_fcntl", mer_digest(fd.bits, (uint64_t)cmd));
    struct mer_io_file *file = mer_io_find(fd, cmd == UPC_ASYNC_OUTSTANDING);
    if (!file)
        return -1;
    switch (cmd) {
    case UPC_GET_CA_SEMANTICS:
        return file->flags & UPC_STRONG_CA;
    case UPC_SET_WEAK_CA_SEMANTICS:
        return change(file, UPC_STRONG_CA, 0);
    case UPC_SET_STRONG_CA_SEMANTICS:
        return change(file, 0, UPC_STRONG_CA);
    case UPC_GET_FP:
        return file->flags & (UPC_COMMON_FP | UPC_INDIVIDUAL_FP);
    case UPC_SET_COMMON_FP:
        return change(file, UPC_INDIVIDUAL_FP | UPC_COMMON_FP, UPC_COMMON_FP);
    case UPC_SET_INDIVIDUAL_FP:
        return change(file, UPC_INDIVIDUAL_FP | UPC_COMMON_FP, UPC_INDIVIDUAL_FP);
    case UPC_GET_FL:
        return file->flags;
    case UPC_GET_FN:
        return give(arg, file->name, 0);
    case UPC_GET_HINTS:
        return give(arg, file->hints.items, (int)file->hints.count);
    case UPC_SET_HINT:
        return set_hint(file, arg);
    case UPC_ASYNC_OUTSTANDING:
        return file->async != NULL;
    default:
        return mer_io_fail(EINVAL);
    }
}
