/* Moving bytes between pieces of memory and pieces of a file, for all kinds of reads and writes (UPC 7.8.4 to
 * 7.8.6).
 *
 * Memory is a list of regions, each contiguous or dealt out in blocks over the threads' shared memory; a file
 * is a list of extents.  Both are walked side by side.  Since the whole shared memory of a host is in the
 * address space, a large contiguous piece goes straight between memory and file; small ones (elements of a
 * cyclic array) are gathered in a buffer first, so that the system is called once for many of them.  Memory
 * on another host always goes by way of the buffer, all pieces of it under way at a time.
 */
#include "dialect/upc/io.h"

#include "am/am.h"
#include "rma/pieces.h"
#include "sync/semaphore.h"
#include "host/job.h"
#include "rma/copy.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DIRECT (64UL << 10) /* a piece of so many bytes needs no gathering */

/* Returns the bits of the next contiguous piece of memory, not more than `most' bytes, and its length in *n,
 * which is not 0 as long as the regions hold more. */
static mer_u64 piece(struct mer_io_cursor *at, size_t most, size_t *n) {
    while (at->done == at->region->length) {
        at->region++;
        at->done = 0;
    }
    const struct mer_io_region *r = at->region;
    size_t left = r->length - at->done, position = r->skip + at->done;
    *n = left < most ? left : most;
    if (r->local)
        return mer_rma_private(r->local + position);
    if (r->block == 0)
        return r->bits + position;
    size_t block = position / r->block, inside = position % r->block;
    if (*n > r->block - inside)
        *n = r->block - inside;
    uint64_t first = mer_threadof(r->bits), t = first + block, threads = (uint64_t)mer_job.threads;
    return r->bits + (t % threads - first) * mer_stride() + t / threads * r->block + inside;
}

static bool region_is_near(const struct mer_io_region *r) {
    if (r->local)
        return true;
    if (r->block == 0)
        return mer_is_local(r->bits);
    size_t first = r->skip / r->block, last = (r->skip + r->length - 1) / r->block;
    for (size_t b = first; b <= last && b - first < (size_t)mer_job.threads; b++)
        if (!mer_on_host((int)((mer_threadof(r->bits) + b) % (uint64_t)mer_job.threads)))
            return false;
    return true;
}

bool mer_io_is_near(const struct mer_io_transfer *t) {
    for (size_t i = 0; i < t->regions; i++)
        if (!region_is_near(&t->region[i]))
            return false;
    return true;
}

size_t mer_io_move(struct mer_io_transfer *t, char *memory, size_t n, upc_off_t offset) {
    size_t done = 0;
    while (done < n) {
        ssize_t step = t->write ? pwrite(t->fd, memory + done, n - done, offset + (upc_off_t)done)
                                : pread(t->fd, memory + done, n - done, offset + (upc_off_t)done);
        if (step < 0 && errno == EINTR)
            continue;
        if (step < 0)
            t->error = errno;
        else if (step == 0 && t->write)
            t->error = EIO;
        if (step <= 0)
            break;
        done += (size_t)step;
    }
    return done;
}

static void copy(char *memory, char *buffer, size_t n, bool write) {
    if (write)
        memcpy(buffer, memory, n);
    else
        memcpy(memory, buffer, n);
}

/* Copies whole blocks, from the one of `thread' at `memory' on: a walk over the threads, without division.
 * The lengths of usual elements are spelt out, so that their copies are single instructions. */
static void copy_blocks(char *memory, uint64_t thread, char *buffer, size_t blocks, size_t length,
                        bool write) {
#define WALK(n)                                                                                              \
    for (; blocks; blocks--, buffer += (n)) {                                                                \
        copy(memory, buffer, (n), write);                                                                    \
        if (++thread == threads) {                                                                           \
            thread = 0;                                                                                      \
            memory -= (threads - 1) * mer_job.span - length;                                                 \
        } else                                                                                               \
            memory += mer_job.span;                                                                          \
    }                                                                                                        \
    break
    uint64_t threads = (uint64_t)mer_job.threads;
    switch (length) {
    case 1:
        WALK(1);
    case 2:
        WALK(2);
    case 4:
        WALK(4);
    case 8:
        WALK(8);
    case 16:
        WALK(16);
    default:
        WALK(length);
    }
#undef WALK
}

/* Does the work of mer_io_gather among hosts. */
static void gather_from_hosts(const struct mer_io_transfer *t, struct mer_io_cursor *at, char *buffer,
                              size_t n) {
    int counter = 0;
    struct mer_pieces pieces = {.counter = &counter};
    for (size_t done = 0, step; done < n; done += step) {
        mer_u64 memory = piece(at, n - done, &step);
        if (t->write)
            mer_rma_get_piece(&pieces, buffer + done, memory, step);
        else
            mer_rma_put_piece(&pieces, memory, buffer + done, step);
        at->done += step;
    }
    mer_pieces_send(&pieces);
    if (counter) /* none, if this is not the process's first POSIX thread */
        mer_am_wait_counter(&counter);
}

void mer_io_gather(const struct mer_io_transfer *t, struct mer_io_cursor *at, char *buffer, size_t n) {
    if (mer_job.has_remote) {
        gather_from_hosts(t, at, buffer, n);
        return;
    }
    for (size_t done = 0, step; done < n; done += step) {
        char *memory = mer_at(piece(at, n - done, &step));
        const struct mer_io_region *r = at->region;
        size_t left = r->length - at->done < n - done ? r->length - at->done : n - done;
        if (r->block && step == r->block && left >= 2 * step) {
            uint64_t first = mer_threadof(r->bits) + (r->skip + at->done) / r->block;
            copy_blocks(memory, first % (uint64_t)mer_job.threads, buffer + done, left / step, step,
                        t->write);
            step = left / step * step;
        } else
            copy(memory, buffer + done, step, t->write);
        at->done += step;
    }
}

/* Makes a step through an extent that has `left' bytes to go.  Returns the bytes moved, fewer than *wanted at
 * the end. */
static size_t step(struct mer_io_transfer *t, struct mer_io_cursor *at, char *buffer, upc_off_t offset,
                   size_t left, size_t *wanted) {
    size_t n, moved;
    mer_u64 memory = piece(at, left, &n);
    if (mer_is_local(memory) && (n >= DIRECT || n == left || !buffer)) {
        moved = mer_io_move(t, mer_at(memory), n, offset);
        at->done += moved;
    } else {
        n = left < t->buffer ? left : t->buffer;
        if (t->write)
            mer_io_gather(t, at, buffer, n);
        moved = mer_io_move(t, buffer, n, offset);
        if (!t->write)
            mer_io_gather(t, at, buffer, moved);
    }
    *wanted = n;
    return moved;
}

static void run(struct mer_io_transfer *t) {
    struct mer_io_cursor at = {t->region, 0};
    char *buffer = malloc(t->buffer); /* without it the pieces go one by one, if they can */
    if (!buffer && mer_job.has_remote) {
        t->error = ENOMEM;
        return;
    }
    for (size_t i = 0; i < t->extents; i++)
        for (size_t done = 0, wanted; done < t->extent[i].len;) {
            size_t moved = step(t, &at, buffer, t->extent[i].offset + (upc_off_t)done,
                                t->extent[i].len - done, &wanted);
            t->moved += moved;
            done += moved;
            if (moved < wanted) {
                free(buffer);
                return;
            }
        }
    free(buffer);
}

void mer_io_transfer_run(struct mer_io_transfer *t) {
    if (t->error || !t->extents)
        return;
    if (t->exclusive)
        mer_mutex_lock(t->exclusive, (uint32_t)mer_job.mythread + 1, t->name);
    if (t->turn.bits)
        mer_semaphore_take(t->turn, 1, t->name);
    run(t);
    if (t->turn.bits)
        mer_semaphore_give(t->turn, 1, NULL);
    if (t->exclusive)
        mer_mutex_unlock(t->exclusive);
}
