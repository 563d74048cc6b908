/* Copies between shared memory, under the names of sanitize.h.
 *
 * A non-blocking transfer is an actor of its own (clock.h): it begins after all that its thread has done, and
 * all after its completion is after it.  Nothing else orders it: an access to its bytes by any thread,
 * the calling one included, races with it.  The real transfers within a host are complete at once and have no
 * handle; the handles that programs get here have the transfer's interval. */
#include "dialect/upc/bupc.h"
#include "dialect/upc/nb.h"
#include "dialect/upc/upc.h"
#include "sanitize/access.h"
#include "sanitize/clock.h"
#include "sanitize/race.h"

#define HANDLE (1UL << 63)

/* ---- blocking copies ----------------------------------------------------------------------------------- */

#define BLOCKING(name, dst_type, dst_at, src_type, src_at)                                                   \
    void mer_san_##name(dst_type dst, src_type src, size_t n);                                               \
    void mer_san_##name(dst_type dst, src_type src, size_t n) {                                              \
        mer_sanitize_read(src_at, n, MER_CALLER);                                                            \
        mer_sanitize_write(dst_at, n, MER_CALLER);                                                           \
        name(dst, src, n);                                                                                   \
    }
/* The copies of code without optimisation; optimised code has them in line, over memmove and memset. */
BLOCKING(mer_memcpy, mer_u64, mer_at(dst), mer_u64, mer_at(src))
BLOCKING(mer_memget, void *, dst, mer_u64, mer_at(src))
BLOCKING(mer_memput, mer_u64, mer_at(dst), const void *, src)
/* The same through pointers to the functions. */
BLOCKING(upc_memcpy, mer_pptr, mer_at(dst.bits), mer_pptr, mer_at(src.bits))
BLOCKING(upc_memget, void *, dst, mer_pptr, mer_at(src.bits))
BLOCKING(upc_memput, mer_pptr, mer_at(dst.bits), const void *, src)
/* Transfers of the older interface, which are taken as complete when they are begun. */
BLOCKING(bupc_memcpy_asynci, mer_pptr, mer_at(dst.bits), mer_pptr, mer_at(src.bits))
BLOCKING(bupc_memget_asynci, void *, dst, mer_pptr, mer_at(src.bits))
BLOCKING(bupc_memput_asynci, mer_pptr, mer_at(dst.bits), const void *, src)

#define BEGUN(name, dst_type, dst_at, src_type, src_at)                                                      \
    upc_handle_t mer_san_##name(dst_type dst, src_type src, size_t n);                                       \
    upc_handle_t mer_san_##name(dst_type dst, src_type src, size_t n) {                                      \
        mer_sanitize_read(src_at, n, MER_CALLER);                                                            \
        mer_sanitize_write(dst_at, n, MER_CALLER);                                                           \
        return name(dst, src, n);                                                                            \
    }
BEGUN(bupc_memcpy_async, mer_pptr, mer_at(dst.bits), mer_pptr, mer_at(src.bits))
BEGUN(bupc_memget_async, void *, dst, mer_pptr, mer_at(src.bits))
BEGUN(bupc_memput_async, mer_pptr, mer_at(dst.bits), const void *, src)

void mer_san_mer_memset(mer_u64 dst, int c, size_t n);
void mer_san_upc_memset(mer_pptr dst, int c, size_t n);
upc_handle_t mer_san_bupc_memset_async(mer_pptr dst, int c, size_t n);
void mer_san_bupc_memset_asynci(mer_pptr dst, int c, size_t n);

void mer_san_mer_memset(mer_u64 dst, int c, size_t n) {
    mer_sanitize_write(mer_at(dst), n, MER_CALLER);
    mer_memset(dst, c, n);
}

void mer_san_upc_memset(mer_pptr dst, int c, size_t n) {
    mer_sanitize_write(mer_at(dst.bits), n, MER_CALLER);
    upc_memset(dst, c, n);
}

upc_handle_t mer_san_bupc_memset_async(mer_pptr dst, int c, size_t n) {
    mer_sanitize_write(mer_at(dst.bits), n, MER_CALLER);
    return bupc_memset_async(dst, c, n);
}

void mer_san_bupc_memset_asynci(mer_pptr dst, int c, size_t n) {
    mer_sanitize_write(mer_at(dst.bits), n, MER_CALLER);
    bupc_memset_asynci(dst, c, n);
}

/* ---- non-blocking transfers ---------------------------------------------------------------------------- */

static uint32_t implicit; /* the last transfer that upc_synci completes */

/* A transfer begins: its accesses, src null for none.  Returns its interval. */
static uint32_t begin(const void *dst, const void *src, size_t n, struct mer_caller caller) {
    struct mer_actor actor = {mer_transfer_thread(), mer_clock_transfer_begin()};
    if (src)
        mer_race_access_by(actor, (uint64_t)(uintptr_t)src, n, MER_ACCESS_READ, caller);
    mer_race_access_by(actor, (uint64_t)(uintptr_t)dst, n, MER_ACCESS_WRITE, caller);
    return actor.interval;
}

/* The real handle of a transfer within a host is that of a complete one. */
static upc_handle_t handle(upc_handle_t real, uint32_t interval) { return real ? real : HANDLE | interval; }

#define TRANSFER(kind, dst_type, dst_at, src_type, src_at)                                                   \
    upc_handle_t mer_san_upc_##kind##_nb(dst_type dst, src_type src, size_t n);                              \
    void mer_san_upc_##kind##_nbi(dst_type dst, src_type src, size_t n);                                     \
    upc_handle_t mer_san_upc_##kind##_nb(dst_type dst, src_type src, size_t n) {                             \
        uint32_t interval = begin(dst_at, src_at, n, MER_CALLER);                                            \
        return handle(upc_##kind##_nb(dst, src, n), interval);                                               \
    }                                                                                                        \
    void mer_san_upc_##kind##_nbi(dst_type dst, src_type src, size_t n) {                                    \
        implicit = begin(dst_at, src_at, n, MER_CALLER);                                                     \
        upc_##kind##_nbi(dst, src, n);                                                                       \
    }
TRANSFER(memcpy, mer_pptr, mer_at(dst.bits), mer_pptr, mer_at(src.bits))
TRANSFER(memget, void *, dst, mer_pptr, mer_at(src.bits))
TRANSFER(memput, mer_pptr, mer_at(dst.bits), const void *, src)

upc_handle_t mer_san_upc_memset_nb(mer_pptr dst, int c, size_t n);
void mer_san_upc_memset_nbi(mer_pptr dst, int c, size_t n);
void mer_san_upc_sync(upc_handle_t h);
int mer_san_upc_sync_attempt(upc_handle_t h);
void mer_san_upc_synci(void);
int mer_san_upc_synci_attempt(void);

upc_handle_t mer_san_upc_memset_nb(mer_pptr dst, int c, size_t n) {
    uint32_t interval = begin(mer_at(dst.bits), NULL, n, MER_CALLER);
    return handle(upc_memset_nb(dst, c, n), interval);
}

void mer_san_upc_memset_nbi(mer_pptr dst, int c, size_t n) {
    implicit = begin(mer_at(dst.bits), NULL, n, MER_CALLER);
    upc_memset_nbi(dst, c, n);
}

/* Ends a transfer by its handle, and returns the real handle. */
static upc_handle_t end(upc_handle_t h) {
    if (!(h & HANDLE))
        return h;
    mer_clock_transfer_end((uint32_t)h);
    return UPC_COMPLETE_HANDLE;
}

void mer_san_upc_sync(upc_handle_t h) { upc_sync(end(h)); }

int mer_san_upc_sync_attempt(upc_handle_t h) { return upc_sync_attempt(end(h)); }

void mer_san_upc_synci(void) {
    upc_synci();
    mer_clock_transfer_end(implicit);
}

int mer_san_upc_synci_attempt(void) {
    int done = upc_synci_attempt();
    if (done)
        mer_clock_transfer_end(implicit);
    return done;
}
