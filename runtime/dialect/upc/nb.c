/* Non-blocking transfers (UPC 7.9).
 *
 * A transfer between local memory is done when it is started: on one host no other engine could copy while
 * the thread computes, and a copy by a second POSIX thread would cost a hand-over each way and half of the
 * memory's bandwidth.  Its handle is UPC_COMPLETE_HANDLE.
 *
 * A transfer by message is under way until its counter is zero.  Explicit handles name a counter in a table
 * that grows as the program needs it, in parts that stay where they are since messages on their way hold the
 * counters' addresses.  The low half of a handle is its place + 1, the high half is the place's `turn', which
 * changes with each use.  So a handle that was never given, or is used a second time, is recognised, and the
 * program ends.
 */
#include "dialect/upc/nb.h"

#include "am/am.h"
#include "base/fatal.h"
#include "base/record.h"
#include "base/wrap.h"
#include "rma/copy.h"

#include <stdint.h>
#include <stdlib.h>

#define PART 256U
#define PARTS 4096U

struct transfer {
    int counter;
    uint32_t turn;  /* odd while a handle is out */
    uint32_t spare; /* the next free place + 1 */
};

static struct transfer *parts[PARTS];
static uint32_t places, spare; /* places there are; a free one + 1, or 0 */
static int implicit;           /* messages that upc_synci waits for */

static struct transfer *at(uint32_t place) { return &parts[place / PART][place % PART]; }

static void grow(const char *name) {
    uint32_t part = places / PART;
    struct transfer *added = part < PARTS ? calloc(PART, sizeof *added) : NULL;
    if (!added)
        mer_fatal("%s: no memory for more than %u transfers under way", name, places);
    parts[part] = added;
    for (uint32_t i = PART; i-- > 0;) {
        added[i].turn = mer_wrap_start & ~1U;
        added[i].spare = spare;
        spare = places + i + 1;
    }
    places += PART;
}

/* Returns the free place for a transfer to come. */
static struct transfer *take(const char *name) {
    if (!spare)
        grow(name);
    return at(spare - 1);
}

/* Returns the handle of a transfer that has begun; UPC_COMPLETE_HANDLE if it is complete. */
static upc_handle_t handle_of(struct transfer *t) {
    if (t->counter == 0)
        return UPC_COMPLETE_HANDLE;
    uint32_t number = spare;
    spare = t->spare;
    t->turn++;
    return (upc_handle_t)t->turn << 32 | number;
}

/* Returns the transfer of a handle, or null for UPC_COMPLETE_HANDLE, which has no place. */
static struct transfer *transfer_of(upc_handle_t handle, const char *name) {
    if (handle == UPC_COMPLETE_HANDLE)
        return NULL;
    uint32_t number = (uint32_t)handle, turn = (uint32_t)(handle >> 32);
    if (number == 0 || number > places || !(turn & 1) || at(number - 1)->turn != turn)
        mer_fatal("%s: 0x%lx is not the handle of a transfer that this thread has started and not yet "
                  "completed (UPC 7.9.3)",
                  name, handle);
    return at(number - 1);
}

static void release(struct transfer *t, upc_handle_t handle) {
    t->turn++;
    t->spare = spare;
    spare = (uint32_t)handle;
}

int *mer_nb_counter(const char *name) { return &take(name)->counter; }
upc_handle_t mer_nb_handle(void) { return handle_of(at(spare - 1)); }
int *mer_nb_implicit(void) { return &implicit; }

/* ---- transfers ----------------------------------------------------------------------------------------- */

#define EXPLICIT(name, begin, ...)                                                                           \
    struct transfer *t = take(name);                                                                         \
    mer_record_begin();                                                                                      \
    begin(__VA_ARGS__, &t->counter, name);                                                                   \
    mer_record_end(MER_RECORD_INNER, 0, 0);                                                                  \
    return handle_of(t);

upc_handle_t upc_memcpy_nb(mer_pptr dst, mer_pptr src,
                           size_t n){EXPLICIT("upc_memcpy_nb", mer_rma_copy_begin, dst.bits, src.bits, n)}

upc_handle_t upc_memget_nb(void *restrict dst, mer_pptr src,
                           size_t n){EXPLICIT("upc_memget_nb", mer_rma_get_begin, dst, src.bits, n)}

upc_handle_t upc_memput_nb(mer_pptr dst, const void *restrict src,
                           size_t n){EXPLICIT("upc_memput_nb", mer_rma_put_begin, dst.bits, src, n)}

upc_handle_t upc_memset_nb(mer_pptr dst, int c, size_t n) {
    EXPLICIT("upc_memset_nb", mer_rma_set_begin, dst.bits, c, n)
}

void upc_memcpy_nbi(mer_pptr dst, mer_pptr src, size_t n) {
    mer_rma_copy_begin(dst.bits, src.bits, n, &implicit, "upc_memcpy_nbi");
}

void upc_memget_nbi(void *restrict dst, mer_pptr src, size_t n) {
    mer_rma_get_begin(dst, src.bits, n, &implicit, "upc_memget_nbi");
}

void upc_memput_nbi(mer_pptr dst, const void *restrict src, size_t n) {
    mer_rma_put_begin(dst.bits, src, n, &implicit, "upc_memput_nbi");
}

void upc_memset_nbi(mer_pptr dst, int c, size_t n) {
    mer_rma_set_begin(dst.bits, c, n, &implicit, "upc_memset_nbi");
}

/* ---- completion ---------------------------------------------------------------------------------------- */

int upc_sync_attempt(upc_handle_t handle) {
    struct transfer *t = transfer_of(handle, "upc_sync_attempt");
    if (!t)
        return 1;
    if (t->counter)
        mer_am_poll();
    if (t->counter)
        return 0;
    release(t, handle);
    return 1;
}

void upc_sync(upc_handle_t handle) {
    struct transfer *t = transfer_of(handle, "upc_sync");
    if (!t)
        return;
    mer_record_begin();
    mer_am_wait_counter(&t->counter);
    release(t, handle);
    mer_record_end(MER_RECORD_SYNC, 0, 0);
}

int upc_synci_attempt(void) {
    if (implicit)
        mer_am_poll();
    return implicit == 0;
}

void upc_synci(void) {
    mer_record_begin();
    if (implicit)
        mer_am_wait_counter(&implicit);
    mer_record_end(MER_RECORD_SYNC, 0, 0);
}
