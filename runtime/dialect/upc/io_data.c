/* Reading and writing (UPC 7.8.4 to 7.8.7): from the arguments to a transfer, and from its end to the result.
 *
 * A transfer with the common file pointer is shared out among the threads by bytes of the file, in large
 * chunks: few large calls matter, and the affinity of the memory does not if all of it is in everybody's
 * address space.  The transfer's length is agreed in a barrier, since all threads move their copy of the
 * pointer.
 */
#include "dialect/upc/io.h"

#include "host/job.h"
#include "base/fatal.h"
#include "dialect/upc/single.h"
#include "sync/barrier.h"

#include <errno.h>
#include <stdlib.h>

#define CHUNK (64UL << 10) /* a thread's share of a common transfer is a multiple of this */

/* ---- making transfers --------------------------------------------------------------------------------- */

static struct mer_io_transfer *transfer_new(struct mer_io_file *file, const char *name, bool write,
                                            upc_flag_t flags) {
    struct mer_io_transfer *t = calloc(1, sizeof *t);
    if (!t)
        mer_fatal("%s: no memory for the description of a transfer", name);
    t->name = name;
    t->write = write;
    t->flags = flags;
    t->fd = file->fd;
    t->buffer = mer_io_hint_buffer(&file->hints);
    t->region = &t->one_region;
    t->extent = &t->one_extent;
    if (!(write ? mer_io_writable(file) : mer_io_readable(file)))
        t->error = EBADF;
    if (file->flags & UPC_STRONG_CA) {
        t->flags = UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC;
        if (mer_job.has_remote)
            t->turn = file->turn;
        else
            t->exclusive = &((struct mer_io_shared *)mer_at(file->handle))->exclusive;
    }
    return t;
}

void mer_io_transfer_free(struct mer_io_transfer *t) {
    if (t->region != &t->one_region)
        free(t->region);
    if (t->extent != &t->one_extent)
        free(t->extent);
    free(t->round.bytes);
    free(t);
}

/* Sets [*from, *to) to this thread's part of n bytes moved by all threads together. */
static void share_out(size_t n, size_t *from, size_t *to) {
    size_t threads = (size_t)mer_job.threads, me = (size_t)mer_job.mythread;
    size_t each = (n / threads + (n % threads != 0) + CHUNK - 1) / CHUNK * CHUNK;
    *from = me * each < n ? me * each : n;
    *to = n - *from < each ? n : *from + each;
}

/* Makes a transfer of size * nmemb bytes at the file pointer. */
static struct mer_io_transfer *plain(struct mer_io_file *file, const char *name, bool write, bool is_local,
                                     char *local, mer_pptr shared, size_t block, size_t size, size_t nmemb,
                                     upc_flag_t flags) {
    struct mer_io_transfer *t = transfer_new(file, name, write, flags);
    size_t n, bytes_of_block, from = 0, to;
    t->plain = true;
    t->common = file->flags & UPC_COMMON_FP;
    if (__builtin_mul_overflow(size, nmemb, &n) || n > (size_t)INT64_MAX - (size_t)file->position ||
        __builtin_mul_overflow(block, size, &bytes_of_block))
        t->error = EINVAL;
    else if (n && !local && !shared.bits)
        t->error = EFAULT;
    else if (t->common && is_local)
        t->error = EINVAL; /* the common file pointer is not for private memory (7.8.3 p3) */
    if (t->error || !n)
        return t;
    to = n;
    if (t->common) {
        share_out(n, &from, &to);
        t->exclusive = NULL; /* transfers with the common file pointer cannot meet each other */
        t->turn = mer_mk(0);
    }
    t->one_region = (struct mer_io_region){local, shared.bits, bytes_of_block, from, to - from};
    t->one_extent = (struct upc_filevec){file->position + (upc_off_t)from, to - from};
    t->regions = t->extents = to > from;
    return t;
}

/* Copies the file's side of a list, checked against the rules of 7.8.6.  Returns an errno or 0. */
static int take_extents(struct mer_io_transfer *t, size_t count, const struct upc_filevec *list,
                        size_t *total) {
    if (!count)
        return 0;
    if (!list)
        return EFAULT;
    t->extent = calloc(count, sizeof *t->extent);
    if (!t->extent) {
        t->extent = &t->one_extent;
        return ENOMEM;
    }
    upc_off_t last = 0, end = 0;
    for (size_t i = 0; i < count; i++) {
        if (list[i].len == 0)
            continue;
        if (list[i].offset < last || (t->write && list[i].offset < end) ||
            list[i].len > (size_t)(INT64_MAX - list[i].offset) ||
            __builtin_add_overflow(*total, list[i].len, total))
            return EINVAL;
        last = list[i].offset;
        end = last + (upc_off_t)list[i].len;
        t->extent[t->extents++] = list[i];
    }
    return 0;
}

/* Adds an entry of the memory's side, already in the form of a region.  Returns an errno or 0. */
static int take_region(struct mer_io_transfer *t, struct mer_io_region region, size_t *total) {
    if (region.length == 0)
        return 0;
    if (!region.local && !region.bits)
        return EFAULT;
    if (__builtin_add_overflow(*total, region.length, total))
        return EINVAL;
    t->region[t->regions++] = region;
    return 0;
}

static int take_regions(struct mer_io_transfer *t, size_t count, const struct upc_local_memvec *local,
                        const struct upc_shared_memvec *shared, size_t *total) {
    if (!count)
        return 0;
    if (!local && !shared)
        return EFAULT;
    t->region = calloc(count, sizeof *t->region);
    if (!t->region) {
        t->region = &t->one_region;
        return ENOMEM;
    }
    int error = 0;
    for (size_t i = 0; i < count && !error; i++)
        error = take_region(t,
                            local ? (struct mer_io_region){local[i].baseaddr, 0, 0, 0, local[i].len}
                                  : (struct mer_io_region){NULL, shared[i].baseaddr.bits, shared[i].blocksize,
                                                           0, shared[i].len},
                            total);
    return error;
}

static struct mer_io_transfer *list(struct mer_io_file *file, const char *name, bool write,
                                    size_t memory_count, const struct upc_local_memvec *local,
                                    const struct upc_shared_memvec *shared, size_t file_count,
                                    const struct upc_filevec *extents, upc_flag_t flags) {
    struct mer_io_transfer *t = transfer_new(file, name, write, flags);
    size_t of_memory = 0, of_file = 0;
    int error = take_extents(t, file_count, extents, &of_file);
    if (!error)
        error = take_regions(t, memory_count, local, shared, &of_memory);
    if (!error && of_memory != of_file)
        error = EINVAL;
    if (!t->error)
        t->error = error;
    return t;
}

/* ---- doing transfers ----------------------------------------------------------------------------------- */

#define FAILED (1ULL << 63)

/* Collective: returns the bytes that all threads have moved, or stores the first of their errors in t->error.
 */
static uint64_t moved_by_all(struct mer_io_transfer *t) {
    uint64_t sum = 0;
    mer_barrier_exchange(t->name, t->error ? FAILED | (uint64_t)t->error : t->moved);
    for (int i = 0; i < mer_job.threads; i++) {
        uint64_t theirs = mer_barrier_payload(i);
        if (theirs & FAILED) {
            t->error = (int)(theirs & ~FAILED);
            return 0;
        }
        sum += theirs;
    }
    return sum;
}

void mer_io_begin(const struct mer_io_transfer *t) {
    if (!(t->flags & UPC_IN_NOSYNC))
        mer_barrier_collective(t->name);
    else
        mer_barrier_check_outside(t->name);
}

upc_off_t mer_io_end(struct mer_io_file *file, struct mer_io_transfer *t) {
    uint64_t moved = t->moved;
    if (t->common)
        moved = moved_by_all(t);
    else if (!(t->flags & UPC_OUT_NOSYNC))
        mer_barrier_collective(t->name);
    int error = t->error;
    if (t->plain && !error)
        file->position += (upc_off_t)moved;
    mer_io_transfer_free(t);
    return error ? mer_io_fail(error) : (upc_off_t)moved;
}

static upc_off_t now(struct mer_io_file *file, struct mer_io_transfer *t) {
    mer_io_begin(t);
    mer_io_transfer_run(t);
    return mer_io_end(file, t);
}

/* ---- the library's functions --------------------------------------------------------------------------- */

#define NOT_SHARED mer_mkp(0, 0)
#define LOCAL(write, name) plain(file, name, write, true, buffer, NOT_SHARED, 0, size, nmemb, flags)
#define SHARED(write, name) plain(file, name, write, false, NULL, buffer, blocksize, size, nmemb, flags)
#define LIST_LOCAL(write, name)                                                                              \
    list(file, name, write, memvec_entries, memvec, NULL, filevec_entries, filevec, flags)
#define LIST_SHARED(write, name)                                                                             \
    list(file, name, write, memvec_entries, NULL, memvec, filevec_entries, filevec, flags)

/* A function and its asynchronous variant. */
#define FUNCTIONS(name, arguments, write, form)                                                              \
    upc_off_t name(arguments) {                                                                              \
        mer_check_single_valued(#name, fd.bits);                                                             \
        struct mer_io_file *file = mer_io_find(fd, false);                                                   \
        return file ? now(file, form(write, #name)) : -1;                                                    \
    }                                                                                                        \
    void name##_async(arguments) {                                                                           \
        mer_check_single_valued(#name "_async", fd.bits);                                                    \
        struct mer_io_file *file = mer_io_free_file(fd, #name "_async");                                     \
        if (file)                                                                                            \
            mer_io_start(file, form(write, #name "_async"));                                                 \
    }

FUNCTIONS(upc_all_fread_local, MER_IO_LOCAL_ARGUMENTS, false, LOCAL)
FUNCTIONS(upc_all_fread_shared, MER_IO_SHARED_ARGUMENTS, false, SHARED)
FUNCTIONS(upc_all_fwrite_local, MER_IO_LOCAL_ARGUMENTS, true, LOCAL)
FUNCTIONS(upc_all_fwrite_shared, MER_IO_SHARED_ARGUMENTS, true, SHARED)
FUNCTIONS(upc_all_fread_list_local, MER_IO_LIST_ARGUMENTS(local), false, LIST_LOCAL)
FUNCTIONS(upc_all_fread_list_shared, MER_IO_LIST_ARGUMENTS(shared), false, LIST_SHARED)
FUNCTIONS(upc_all_fwrite_list_local, MER_IO_LIST_ARGUMENTS(local), true, LIST_LOCAL)
FUNCTIONS(upc_all_fwrite_list_shared, MER_IO_LIST_ARGUMENTS(shared), true, LIST_SHARED)
