/* Allocation (tam_obtain, meridian/abi/tam.h): storage, with collections when they are due. */
#include "tam/collect.h"
#include "tam/order.h"
#include "tam/storage.h"

/* In the tests there is one collection in RUNS runs, plus one run for each BYTES_OF_RUN live bytes: the cost
 * of a collection is in proportion to the bytes allocated from one to the next, so that the tests' time is
 * linear in the size of a program's data. */
#define RUNS 64
#define BYTES_OF_RUN 1024

_Noreturn static void exhausted(size_t bytes, uint32_t site) {
    tam_fail(site, "memory is exhausted: no %zu bytes are left on processor %d", bytes, tam.me);
}

/* Collects, since there is no free block.  If that leaves hardly any, the next collections would follow each
 * other ever faster, for hours if the storage is large; then memory counts as exhausted. */
static void collect_or_end(size_t bytes, uint32_t site) {
    tam_collect();
    if (tam.storage.live / TAM_BLOCK >= tam.storage.used - tam.storage.used / 16)
        exhausted(bytes, site);
}

static void *large(size_t bytes, uint32_t site) {
    size_t count = (bytes + TAM_BLOCK - 1) / TAM_BLOCK;
    if (count > tam.storage.reserved)
        exhausted(bytes, site);
    if (tam.storage.since + count * TAM_BLOCK > tam.storage.budget)
        tam_collect();
    void *at = tam_storage_take_large((uint32_t)count);
    if (!at) {
        collect_or_end(bytes, site);
        at = tam_storage_take_large((uint32_t)count);
    }
    if (!at)
        exhausted(bytes, site);
    return at;
}

void *tam_obtain(size_t bytes, uint32_t site) {
    if (bytes > TAM_LARGEST_BIN)
        return large(bytes, site);
    unsigned bin = tam_storage_bin(bytes);
    struct tam_run *run = &tam_registers.runs[bin];
    if (tam.order.state && tam_order_random() % (RUNS + tam.storage.live / BYTES_OF_RUN) == 0)
        tam_collect();
    if (run->next == run->end && !tam_storage_next_run(bin)) {
        if (tam.storage.since >= tam.storage.budget)
            tam_collect();
        if (!tam_storage_next_run(bin) && !tam_storage_fresh_run(bin)) {
            collect_or_end(bytes, site);
            if (!tam_storage_next_run(bin) && !tam_storage_fresh_run(bin))
                exhausted(bytes, site);
        }
    }
    void *at = run->next;
    run->next += tam.storage.bin_bytes[bin];
    return at;
}
