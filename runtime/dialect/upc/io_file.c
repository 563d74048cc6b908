/* Opening and closing files (UPC 7.8.3.1, 7.8.3.2), and closing open ones when the program ends. */
#include "dialect/upc/io.h"

#include "sync/semaphore.h"
#include "start/finish.h"
#include "host/job.h"
#include "dialect/upc/single.h"
#include "heap/heap.h"
#include "rma/copy.h"
#include "sync/barrier.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct mer_io_file *open_files; /* this thread's */

int mer_io_fail(int error) {
    errno = error;
    return -1;
}

int mer_io_agree(const char *name, int error) {
    mer_barrier_exchange(name, (uint64_t)error);
    for (int t = 0; t < mer_job.threads; t++)
        if (mer_barrier_payload(t))
            return (int)mer_barrier_payload(t); /* the same one on all threads */
    return 0;
}

uint64_t mer_io_from_first(const char *name, uint64_t value) {
    mer_barrier_exchange(name, value);
    return mer_barrier_payload(0);
}

struct mer_io_file *mer_io_find(mer_ptr handle, bool async_welcome) {
    struct mer_io_file *file = open_files;
    while (file && file->handle != handle.bits)
        file = file->next;
    if (!file)
        errno = EBADF;
    else if (file->async && !async_welcome) {
        errno = EBUSY;
        return NULL;
    }
    return file;
}

int mer_io_sync(struct mer_io_file *file, const char *name) {
    mer_barrier_collective(name); /* all have done their writes */
    int error = 0;
    /* Only one thread a host: the descriptors of a host are of one file, of which each host may have written
     * parts that it alone holds.  A device that has nothing to flush says EINVAL. */
    if (mer_job.mythread == mer_job.here_first && mer_io_writable(file) && fsync(file->fd) && errno != EINVAL)
        error = errno;
    return mer_io_agree(name, error);
}

static void file_free(struct mer_io_file *file) {
    if (file->fd >= 0)
        close(file->fd);
    mer_io_hints_free(&file->hints);
    free(file->name);
    free(file);
}

/* ---- the end of the program ---------------------------------------------------------------------------- */

/* Closes files that are still open (7.8 p4).  `all': this thread is the only one that gets to do it. */
static void close_all(bool all) {
    while (open_files) {
        struct mer_io_file *file = open_files;
        open_files = file->next;
        if (file->async) {
            mer_io_join(file->async);
            mer_io_transfer_free(file->async);
        }
        if (mer_io_writable(file))
            fsync(file->fd);
        if (file->flags & UPC_DELETE_ON_CLOSE && (all || mer_job.mythread == 0))
            unlink(file->name);
        file_free(file);
    }
}

static void at_exit(int status, void *unused) {
    (void)unused;
    if (mer_is_thread())
        close_all((status & 0xff) != 0);
}

static void at_global_exit(void) { close_all(true); }

static void watch_end(void) {
    static bool watching;
    if (watching)
        return;
    watching = true;
    on_exit(at_exit, NULL);
    mer_finish_before(at_global_exit);
}

/* ---- opening ------------------------------------------------------------------------------------------- */

static bool one_of(int flags, int set) {
    int chosen = flags & set;
    return chosen && !(chosen & (chosen - 1));
}

static int check_flags(int flags) {
    bool good = one_of(flags, UPC_RDONLY | UPC_WRONLY | UPC_RDWR) &&
                one_of(flags, UPC_COMMON_FP | UPC_INDIVIDUAL_FP) &&
                (!(flags & UPC_EXCL) || flags & UPC_CREATE) &&
                (!(flags & UPC_TRUNC) || !(flags & UPC_RDONLY)) && !(flags & ~0x7ff);
    return good ? 0 : EINVAL;
}

static int open_mode(int flags) {
    return O_CLOEXEC | (flags & UPC_RDONLY ? O_RDONLY : flags & UPC_WRONLY ? O_WRONLY : O_RDWR);
}

/* Opens on thread 0, which comes first, and alone creates and truncates; *handle is the object for all. */
static int open_first(struct mer_io_file *file, mer_u64 *handle) {
    int mode = open_mode(file->flags) | (file->flags & UPC_CREATE ? O_CREAT : 0) |
               (file->flags & UPC_EXCL ? O_EXCL : 0) | (file->flags & UPC_TRUNC ? O_TRUNC : 0);
    struct stat about;
    file->fd = open(file->name, mode, mer_io_hint_permissions(&file->hints));
    if (file->fd < 0 || fstat(file->fd, &about))
        return errno;
    uint64_t at = mer_heap_local(sizeof(struct mer_io_shared), "upc_all_fopen");
    if (!at)
        return ENOMEM;
    struct mer_io_shared *shared = mer_view(mer_job.mythread, at);
    shared->exclusive.word = 0;
    shared->turn = mer_job.has_remote ? mer_semaphore_new(MER_SEMAPHORE_LOCK, 1, "upc_all_fopen") : mer_mk(0);
    shared->size = about.st_size;
    if (mer_job.has_remote && !shared->turn.bits) {
        mer_heap_free(mer_job.mythread, at, "upc_all_fopen");
        return ENOMEM;
    }
    *handle = mer_bits((uint64_t)mer_job.mythread, at);
    return 0;
}

static int open_too(struct mer_io_file *file) {
    file->fd = open(file->name, open_mode(file->flags));
    return file->fd < 0 ? errno : 0;
}

/* Makes this thread's own record.  Returns null if there is no memory. */
static struct mer_io_file *file_new(const char *name, int flags) {
    struct mer_io_file *file = calloc(1, sizeof *file);
    if (!file)
        return NULL;
    file->fd = -1;
    file->flags = flags;
    file->name = strdup(name ? name : "");
    return file;
}

static int take_hints(struct mer_io_file *file, size_t count, const struct upc_hint *hints) {
    int error = count && !hints ? EINVAL : 0;
    for (size_t i = 0; i < count && !error; i++)
        error = mer_io_hint_set(&file->hints, &hints[i]);
    return error;
}

mer_ptr upc_all_fopen(const char *fname, int flags, size_t numhints, const struct upc_hint *hints) {
    static const char name[] = "upc_all_fopen";
    mer_check_single_valued(name, mer_digest((uint64_t)flags, numhints));
    struct mer_io_file *file = file_new(fname, flags);
    mer_u64 handle = 0;
    int error = !file || !file->name ? ENOMEM : !fname ? EINVAL : check_flags(flags);
    if (!error)
        error = take_hints(file, numhints, hints);
    if (!error && mer_job.mythread == 0)
        error = open_first(file, &handle);
    error = mer_io_agree(name, error);
    mer_u64 agreed = mer_io_from_first(name, handle);
    if (!error && mer_job.mythread != 0)
        error = open_too(file);
    error = mer_io_agree(name, error);
    if (error) {
        if (handle) {
            struct mer_io_shared *shared = mer_at(handle);
            if (shared->turn.bits)
                mer_semaphore_delete(shared->turn, name);
            mer_heap_free(mer_job.mythread, mer_native(handle), name);
        }
        if (file)
            file_free(file);
        errno = error;
        return mer_mk(0);
    }
    mer_io_hint_advise(&file->hints, file->fd);
    file->handle = agreed;
    struct mer_io_shared shared;
    mer_rma_get(&shared, agreed, sizeof shared, name);
    file->position = flags & UPC_APPEND ? shared.size : 0;
    file->turn = shared.turn;
    file->next = open_files;
    open_files = file;
    watch_end();
    return mer_mk(agreed);
}

int upc_all_fclose(mer_ptr fd) {
    static const char name[] = "upc_all_fclose";
    mer_check_single_valued(name, fd.bits);
    struct mer_io_file *file = mer_io_find(fd, false);
    if (!file)
        return -1;
    int error = mer_io_sync(file, name);
    struct mer_io_file **link = &open_files;
    while (*link != file)
        link = &(*link)->next;
    *link = file->next;
    if (close(file->fd) && !error)
        error = errno;
    file->fd = -1;
    if (mer_job.mythread == 0) {
        if (file->flags & UPC_DELETE_ON_CLOSE && unlink(file->name) && !error)
            error = errno;
        if (file->turn.bits)
            mer_semaphore_delete(file->turn, name);
        mer_heap_free((int)mer_threadof(fd.bits), mer_native(fd.bits), name);
    }
    file_free(file);
    error = mer_io_agree(name, error); /* nobody is back before the file is closed for all */
    return error ? mer_io_fail(error) : 0;
}
