/* Reading and writing without waiting (UPC 7.8.7).
 *
 * A transfer is done by another POSIX thread of the process, its worker, which touches nothing but memory of
 * this host and the file; if there can be no such thread, it is done when it is started, as 7.8.7 allows.
 *
 * Memory of other hosts is reached by the process's first POSIX thread alone.  So a transfer that touches
 * such memory goes in rounds, by way of a buffer: this thread fills it and the worker writes it to the file,
 * or the worker reads and this thread empties it.  The first round begins at the start, a following one when
 * the program tests or waits: of each thread's share ROUND bytes are read or written while the program
 * computes.
 *
 * Transfers with strong semantics that take turns among hosts are done when they are started: a turn kept
 * until the program waits would block another thread in its start, for which others wait in another call.
 */
#include "dialect/upc/io.h"

#include "host/job.h"
#include "base/fatal.h"
#include "dialect/upc/single.h"
#include "sync/barrier.h"
#include "base/system.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>

#define ROUND (16UL << 20) /* bytes of a buffer, at most */

/* ---- workers ------------------------------------------------------------------------------------------- */

/* Has a worker do work(t), or does it here if there can be no worker; work sets t->done at its end. */
static void employ(struct mer_io_transfer *t, void *(*work)(void *)) {
    sigset_t before;
    t->done = false;
    mer_block_signals(&before);
    t->with_worker = pthread_create(&t->worker, NULL, work, t) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!t->with_worker)
        work(t);
}

/* Release, partner: the acquire in `is_done'. */
static void *finished(struct mer_io_transfer *t) {
    __atomic_store_n(&t->done, true, __ATOMIC_RELEASE);
    return NULL;
}

static bool is_done(const struct mer_io_transfer *t) { return __atomic_load_n(&t->done, __ATOMIC_ACQUIRE); }

static void *do_all(void *transfer) {
    mer_io_transfer_run(transfer);
    return finished(transfer);
}

void mer_io_join(struct mer_io_transfer *t) {
    if (t->with_worker)
        pthread_join(t->worker, NULL);
    t->with_worker = false;
}

/* ---- rounds -------------------------------------------------------------------------------------------- */

/* Returns how many bytes of the file are left, or `most' if there are more. */
static size_t left_of(const struct mer_io_transfer *t, size_t most) {
    size_t sum = 0;
    for (size_t i = t->round.extent; i < t->extents && sum < most; i++)
        sum += t->extent[i].len - (i == t->round.extent ? t->round.done_of_extent : 0);
    return sum < most ? sum : most;
}

/* The worker's part: between the buffer and the file. */
static void *do_round(void *transfer) {
    struct mer_io_transfer *t = transfer;
    struct mer_io_round *r = &t->round;
    for (size_t n, moved; r->moved < r->wanted; r->moved += moved) {
        const struct upc_filevec *extent = &t->extent[r->extent];
        n = extent->len - r->done_of_extent;
        if (n > r->wanted - r->moved)
            n = r->wanted - r->moved;
        moved = mer_io_move(t, r->bytes + r->moved, n, extent->offset + (upc_off_t)r->done_of_extent);
        r->done_of_extent += moved;
        if (moved < n) {
            r->moved += moved;
            break;
        }
        if (r->done_of_extent == extent->len) {
            r->extent++;
            r->done_of_extent = 0;
        }
    }
    return finished(t);
}

static void begin_round(struct mer_io_transfer *t) {
    struct mer_io_round *r = &t->round;
    r->wanted = left_of(t, ROUND);
    r->moved = 0;
    if (t->write)
        mer_io_gather(t, &r->memory, r->bytes, r->wanted);
    employ(t, do_round);
}

/* Ends a round.  Returns true if it was the last one. */
static bool end_round(struct mer_io_transfer *t) {
    struct mer_io_round *r = &t->round;
    mer_io_join(t);
    if (!t->write)
        mer_io_gather(t, &r->memory, r->bytes, r->moved);
    t->moved += r->moved;
    return r->moved < r->wanted || left_of(t, 1) == 0;
}

/* Goes on with a transfer whose worker is done.  Returns true if the transfer is over. */
static bool go_on(struct mer_io_transfer *t) {
    if (t->over)
        return true;
    t->over = !t->round.bytes || end_round(t);
    if (!t->over)
        begin_round(t);
    return t->over;
}

/* ---- start and completion ------------------------------------------------------------------------------ */

struct mer_io_file *mer_io_free_file(mer_ptr fd, const char *name) {
    struct mer_io_file *file = mer_io_find(fd, true);
    if (file && file->async)
        mer_fatal("%s: on this file %s is still under way; complete it first, by upc_all_fwait_async or "
                  "upc_all_ftest_async (UPC 7.8.7)",
                  name, file->async->name);
    return file;
}

void mer_io_start(struct mer_io_file *file, struct mer_io_transfer *t) {
    mer_io_begin(t);
    file->async = t;
    if (t->error || !t->extents) {
        t->done = t->over = true;
        return;
    }
    if (!mer_job.has_remote || (!t->turn.bits && mer_io_is_near(t))) {
        employ(t, do_all);
        return;
    }
    if (!t->turn.bits)
        t->round.bytes = malloc(left_of(t, ROUND));
    if (!t->round.bytes) {
        do_all(t);
        return;
    }
    t->round.memory = (struct mer_io_cursor){t->region, 0};
    begin_round(t);
}

/* Returns the file, on which a transfer is under way; null, and sets errno, if none is. */
static struct mer_io_file *waiting_file(mer_ptr fd) {
    struct mer_io_file *file = mer_io_find(fd, true);
    if (file && !file->async) {
        errno = EINVAL;
        return NULL;
    }
    return file;
}

static upc_off_t complete(struct mer_io_file *file) {
    struct mer_io_transfer *t = file->async;
    do
        mer_io_join(t);
    while (!go_on(t));
    file->async = NULL;
    return mer_io_end(file, t);
}

upc_off_t upc_all_fwait_async(mer_ptr fd) {
    mer_check_single_valued("upc_all_fwait_async", fd.bits);
    struct mer_io_file *file = waiting_file(fd);
    return file ? complete(file) : -1;
}

upc_off_t upc_all_ftest_async(mer_ptr fd, int *flag) {
    static const char name[] = "upc_all_ftest_async";
    mer_check_single_valued(name, fd.bits);
    struct mer_io_file *file = waiting_file(fd);
    *flag = 1;
    if (!file)
        return -1;
    /* All threads' transfers are over, or none is (7.8.7.10 p2). */
    mer_barrier_exchange(name, is_done(file->async) && go_on(file->async));
    for (int t = 0; t < mer_job.threads; t++)
        if (!mer_barrier_payload(t)) {
            *flag = 0;
            return 0;
        }
    return complete(file);
}
