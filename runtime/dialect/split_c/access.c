/* Bulk transfers and split-phase accesses with their synchronisation.  On local memory they are moves of
 * bytes (meridian/abi/bytes.h), of any alignment and overlap, and complete at once; else messages
 * (rma/get_put.c). */
#include "am/am.h"
#include "rma/get_put.h"
#include "base/record.h"
#include "host/everything.h"
#include "host/job.h"

#include <meridian/everything.h>
#include <split-c/counter.h>
#include <split-c/split-c.h>
#include <string.h>

/* Returns whether a transfer is a move and is not recorded.  Cost: two loads, which hit the cache. */
static inline bool only_move(uint64_t remote) {
    return __builtin_expect(!mer_recording, 1) && !mer_remote_global(remote);
}

static inline void move_in(void *dst, mer_ptr src, size_t nbytes) {
    mer_bytes_move(mer_everything_seen(dst), mer_at(src.bits), nbytes);
}

static inline void move_out(mer_ptr dst, const void *src, size_t nbytes) {
    mer_bytes_move(mer_at(dst.bits), mer_everything_seen(src), nbytes);
}

/* A transfer by message, or one that is recorded; `place' is where the program calls it.  Not inlined, so
 * that a move alone saves no registers. */
static __attribute__((noinline)) void read_otherwise(enum mer_record_kind kind, void *dst, mer_ptr src,
                                                     size_t nbytes, const void *place) {
    mer_record_begin_at(place);
    if (!mer_remote_global(src.bits))
        move_in(dst, src, nbytes);
    else if (kind == MER_RECORD_GET)
        mer_global_get(dst, src.bits, nbytes);
    else
        mer_global_get_start(dst, src.bits, nbytes);
    mer_record_end(kind, (int)mer_procof(src.bits), nbytes);
}

static __attribute__((noinline)) void write_otherwise(enum mer_record_kind kind, mer_ptr dst, const void *src,
                                                      size_t nbytes, const void *place) {
    mer_record_begin_at(place);
    if (!mer_remote_global(dst.bits))
        move_out(dst, src, nbytes);
    else if (kind == MER_RECORD_PUT)
        mer_global_put(dst.bits, src, nbytes);
    else
        mer_global_put_start(dst.bits, src, nbytes);
    mer_record_end(kind, (int)mer_procof(dst.bits), nbytes);
}

void bulk_read(void *dst, mer_ptr src, size_t nbytes) {
    if (nbytes == 0)
        return;
    if (only_move(src.bits))
        move_in(dst, src, nbytes);
    else
        read_otherwise(MER_RECORD_GET, dst, src, nbytes, __builtin_return_address(0));
}

void bulk_write(mer_ptr dst, const void *src, size_t nbytes) {
    if (nbytes == 0)
        return;
    if (only_move(dst.bits))
        move_out(dst, src, nbytes);
    else
        write_otherwise(MER_RECORD_PUT, dst, src, nbytes, __builtin_return_address(0));
}

void bulk_get(void *dst, mer_ptr src, size_t nbytes) {
    if (nbytes == 0)
        return;
    if (only_move(src.bits))
        move_in(dst, src, nbytes);
    else
        read_otherwise(MER_RECORD_GET_BEGIN, dst, src, nbytes, __builtin_return_address(0));
}

void bulk_put(mer_ptr dst, const void *src, size_t nbytes) {
    if (nbytes == 0)
        return;
    if (only_move(dst.bits))
        move_out(dst, src, nbytes);
    else
        write_otherwise(MER_RECORD_PUT_BEGIN, dst, src, nbytes, __builtin_return_address(0));
}

void bulk_store(mer_ptr dst, const void *src, size_t nbytes) {
    if (nbytes == 0)
        return;
    mer_record_begin();
    if (!mer_remote_global(dst.bits)) {
        move_out(dst, src, nbytes);
        mer_store_count((int)mer_procof(dst.bits), nbytes);
    } else {
        mer_global_store(dst.bits, src, nbytes);
    }
    mer_record_end(MER_RECORD_PUT_BEGIN, (int)mer_procof(dst.bits), nbytes);
}

static __attribute__((noinline)) void sync_otherwise(const void *place) {
    mer_record_begin_at(place);
    if (mer_outstanding)
        mer_am_wait_counter(&mer_outstanding);
    mer_record_end(MER_RECORD_SYNC, 0, 0);
}

/* Cost if nothing is outstanding: two loads, which hit the cache. */
void sync(void) {
    if (__builtin_expect(mer_recording | (mer_outstanding != 0), 0))
        sync_otherwise(__builtin_return_address(0));
}

int is_sync(void) {
    if (mer_outstanding)
        mer_am_poll();
    return mer_outstanding == 0;
}

void get_ctr(void *dst, mer_ptr src, size_t nbytes, Ctr *counter) {
    mer_rma_check(src.bits, "a get");
    if (mer_is_local(src.bits))
        bulk_read(dst, src, nbytes);
    else
        mer_rma_get_remote(dst, src.bits, nbytes, counter);
}

void put_ctr(mer_ptr dst, const void *src, size_t nbytes, Ctr *counter) {
    mer_rma_check(dst.bits, "a put");
    if (mer_is_local(dst.bits))
        bulk_write(dst, src, nbytes);
    else
        mer_rma_put_remote(dst.bits, src, nbytes, counter);
}

void sync_ctr(Ctr *counter) {
    mer_record_begin();
    if (*counter)
        mer_am_wait_counter(counter);
    mer_record_end(MER_RECORD_SYNC, 0, 0);
}

int is_sync_ctr(Ctr *counter) {
    if (*counter)
        mer_am_poll();
    return *counter == 0;
}
