/* Accesses of compiled code to memory of other hosts (abi.h).
 *
 * Reads wait for their value.  Writes are under way until mer_remote_fence has asked whether they are done
 * (fence.c).  Messages between two threads stay in order, so a read that follows a write finds it done.
 * Bit-fields are written by their owner, since the bits beside them must not change.
 */
#include "rma/remote.h"

#include "am/am.h"
#include "am/call.h"
#include "am/handlers.h"
#include "am/state.h"
#include "rma/get_put.h"
#include "rma/fence.h"
#include "rma/write.h"
#include "base/fatal.h"
#include "base/record.h"
#include "rma/ahead/cache.h"
#include "rma/copy.h"

#include <meridian/everything.h>
#include <string.h>

static void check(mer_u64 bits, const char *what) {
    if (mer_here.everything) {
        mer_rma_check(bits, what);
        return;
    }
    if (__builtin_expect(!bits, 0))
        mer_fatal("%s through a null pointer-to-shared", what);
    if (__builtin_expect(mer_threadof(bits) >= (mer_u64)mer_job.threads, 0))
        mer_fatal("%s through a pointer-to-shared to thread %d, but there are %d", what, mer_named_proc(bits),
                  mer_job.threads);
}

/* Each function that compiled code calls begins a record itself, since its return address gives the line.
 * Functions that share code have a part without a record, such as this one. */
static void get(void *to, mer_u64 bits, mer_size n) {
    int counter = 0;
    check(bits, "a read");
    mer_copy_check(bits, n, "upc_memget");
    if (mer_is_local(bits)) { /* private memory of this processor, MERIDIAN_REFERENCE=1 */
        memcpy(to, mer_at(bits), n);
        return;
    }
    mer_rma_get_remote(to, bits, n, &counter);
    mer_am_wait_counter(&counter);
}

void *mer_remote_get(void *to, mer_u64 bits, mer_size n) {
    if (n == 0)
        return to;
    mer_record_begin();
    get(to, bits, n);
    mer_record_end(MER_RECORD_GET, (int)mer_threadof(bits), n);
    return to;
}

void mer_remote_get_start(void *to, mer_u64 bits, mer_size n, int *waiting) {
    check(bits, "a read");
    mer_record_begin();
    mer_rma_get_remote(to, bits, n, waiting);
    mer_record_end(MER_RECORD_GET_BEGIN, (int)mer_threadof(bits), n);
}

/* A loop computes for a while after this.  So the requests of all reads that it has begun, also for its next
 * part, are sent first. */
void mer_remote_get_wait(const int *waiting) {
    mer_record_begin();
    mer_rma_send_gets();
    mer_am_wait_counter(waiting);
    mer_record_end(MER_RECORD_SYNC, 0, 0);
}

void mer_remote_put(mer_u64 bits, const void *from, mer_size n) {
    if (n == 0)
        return;
    check(bits, "a write");
    mer_copy_check(bits, n, "upc_memput");
    if (mer_is_local(bits)) {
        memcpy(mer_at(bits), from, n);
        return;
    }
    mer_record_begin();
    if (mer_cache_used)
        mer_cache_write(bits, from, n);
    mer_rma_write(bits, from, n);
    mer_record_end(MER_RECORD_PUT_BEGIN, (int)mer_threadof(bits), n);
}

mer_u64 mer_remote_read(mer_u64 bits, mer_size n) {
    mer_u64 value = 0;
    mer_record_begin();
    get(&value, bits, n);
    mer_record_end(MER_RECORD_GET, (int)mer_threadof(bits), n);
    return value;
}

/* mer_remote_write and mer_remote_accumulate are called in loops, and all but the first few calls find an
 * open row of pairs.  Their slow paths are functions of their own, so that the quick path saves no registers.
 */
static __attribute__((noinline)) void write_closely(mer_u64 bits, mer_u64 value, mer_size n) {
    check(bits, "a write");
    mer_record_begin();
    if (mer_cache_used)
        mer_cache_write(bits, &value, n);
    mer_rma_write(bits, &value, n);
    mer_record_end(MER_RECORD_PUT_BEGIN, (int)mer_threadof(bits), n);
}

void mer_remote_write(mer_u64 bits, mer_u64 value, mer_size n) {
    if (!bits || (mer_cache_used && !mer_cache_write_word(bits, value, n)) ||
        !mer_am_pair_quick((int)mer_threadof(bits), MER_AM_WRITES, mer_am_tagged(bits & MER_ADDR_MASK, n),
                           value, NULL))
        write_closely(bits, value, n);
}

void mer_remote_write_strict(mer_u64 bits, mer_u64 value, mer_size n) {
    check(bits, "a write");
    mer_record_begin();
    if (mer_cache_used)
        mer_cache_write(bits, &value, n);
    mer_rma_write_strict(bits, value, n);
    mer_record_end(MER_RECORD_PUT, (int)mer_threadof(bits), n);
}

static __attribute__((noinline)) void accumulate_closely(mer_u64 bits, mer_u64 value, unsigned how) {
    check(bits, "an update");
    mer_record_begin();
    if (mer_cache_used)
        mer_cache_forget(bits, 1);
    mer_rma_accumulate(bits, value, how);
    mer_record_end(MER_RECORD_PUT_BEGIN, (int)mer_threadof(bits), sizeof value);
}

void mer_remote_accumulate(mer_u64 bits, mer_u64 value, unsigned how) {
    if (!bits || mer_cache_used ||
        !mer_am_pair_quick((int)mer_threadof(bits), MER_AM_ACCUMULATES,
                           mer_am_tagged(bits & MER_ADDR_MASK, how), value, NULL))
        accumulate_closely(bits, value, how);
}

/* No fence occurs inside a nest (caching.rs), so the cache can be dropped here.  Later writes then need not
 * look for their objects in it. */
bool mer_rma_fence(void) {
    if (mer_cache_used)
        mer_cache_forget_all();
    return mer_rma_complete();
}

/* A thread that makes strict accesses in a loop waits for others, and so takes their messages too: only now
 * and then, since a poll of the network costs a hundred times the access. */
void mer_remote_fence(void) {
    static unsigned idle;
    mer_record_begin();
    bool waited = mer_rma_fence();
    if (!waited && ++idle % 16 == 0)
        mer_am_poll();
    mer_record_end(waited ? MER_RECORD_SYNC : MER_RECORD_NOTHING, 0, 0);
}

/* Returns the counter that a fence waits for, or, in another POSIX thread than the first, `waiting', which
 * the caller waits for at once. */
static int *counter_of_writes(int *waiting) { return mer_am_first_thread ? &mer_writes.counter : waiting; }

void mer_remote_copy(mer_u64 to, mer_u64 from, mer_size n) {
    mer_record_begin();
    if (mer_cache_used && n)
        mer_cache_forget(to, n);
    int waiting = 0, *counter = counter_of_writes(&waiting);
    mer_rma_copy_begin(to, from, n, counter, "upc_memcpy");
    /* A plain load may read a destination on this host at once. */
    if (!mer_remote(to) || counter == &waiting)
        mer_am_wait_counter(counter);
    mer_record_end(MER_RECORD_INNER, 0, 0);
}

void mer_remote_set(mer_u64 to, int byte, mer_size n) {
    if (mer_cache_used && n)
        mer_cache_forget(to, n);
    int waiting = 0;
    mer_rma_set_begin(to, byte, n, counter_of_writes(&waiting), "upc_memset");
    mer_am_wait_counter(&waiting);
}

/* ---- bit-fields ---------------------------------------------------------------------------------------- */

/* Bit i of a field is bit (bit + i) of the bytes; the first bit of a byte is its lowest.  A field of 64 bits
 * that begins anywhere in a byte lies in nine bytes. */
enum { FIELD_BYTES = 9 };

mer_u64 mer_remote_field_get(mer_u64 bits, unsigned bit, unsigned width) {
    unsigned char bytes[FIELD_BYTES];
    mer_u64 value = 0;
    mer_size n = (bit % 8 + width + 7) / 8;
    mer_record_begin();
    get(bytes, bits + bit / 8, n);
    mer_record_end(MER_RECORD_GET, (int)mer_procof(bits), n);
    for (unsigned i = 0; i < width; i++)
        value |= (mer_u64)(bytes[(bit % 8 + i) / 8] >> (bit + i) % 8 & 1) << i;
    return value;
}

struct field {
    unsigned char *bytes; /* on the owner */
    unsigned bit, width;
    mer_u64 value;
};

static size_t write_field(int caller, const void *in, void *out) {
    const struct field *f = in;
    (void)caller;
    (void)out;
    for (unsigned i = 0; i < f->width; i++) {
        unsigned char *byte = &f->bytes[(f->bit + i) / 8], mask = (unsigned char)(1U << (f->bit + i) % 8);
        *byte = (unsigned char)(f->value >> i & 1 ? *byte | mask : *byte & ~mask);
    }
    return 0;
}

void mer_remote_field_put(mer_u64 bits, unsigned bit, unsigned width, mer_u64 value) {
    check(bits, "a write");
    if (mer_cache_used)
        mer_cache_forget(bits, FIELD_BYTES);
    struct field f = {mer_at(bits), bit, width, value};
    if (mer_is_local(bits)) {
        write_field(mer_job.mythread, &f, NULL);
        return;
    }
    mer_record_begin();
    mer_am_call((int)mer_procof(bits), write_field, &f, sizeof f, NULL, 0);
    mer_record_end(MER_RECORD_PUT, (int)mer_procof(bits), (width + 7) / 8);
}
