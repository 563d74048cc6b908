#include "tam/owner.h"

#include "host/job.h"
#include "sync/barrier.h"
#include "tam/storage.h"

#include <stdlib.h>

#define BATCH 512 /* words of a message */

struct tam_batch {
    unsigned count;
    tam_word words[BATCH];
};

/* A collective call: all learn where the others' objects lie. */
void tam_owners_exchange(const char *what) {
    mer_barrier_exchange(what, tam.storage.base | (unsigned)__builtin_ctz(tam.storage.reserved));
    tam.owners.ranges = malloc((size_t)tam.processors * sizeof *tam.owners.ranges);
    tam.owners.batches = calloc((size_t)tam.processors, sizeof *tam.owners.batches);
    if (!tam.owners.ranges || !tam.owners.batches)
        tam_fail(0, "there is no memory left");
    tam.owners.all = (struct tam_range){UINT64_MAX, 0};
    for (int p = 0; p < tam.processors; p++) {
        uint64_t word = mer_barrier_payload(p), begin = word & ~(uint64_t)(TAM_BLOCK - 1);
        tam.owners.ranges[p] = (struct tam_range){begin, begin + (TAM_BLOCK << (word - begin))};
        bool here = p >= mer_job.here_first && p < mer_job.here_first + mer_job.here;
        if (p == tam.me || (p != 0 && !here))
            continue;
        tam.owners.all.begin = tam.owners.ranges[p].begin < tam.owners.all.begin ? tam.owners.ranges[p].begin
                                                                                 : tam.owners.all.begin;
        tam.owners.all.end = tam.owners.ranges[p].end > tam.owners.all.end ? tam.owners.ranges[p].end
                                                                           : tam.owners.all.end;
    }
}

static bool within(const struct tam_range *range, uint64_t address) {
    return address >= range->begin && address < range->end;
}

static void send(int to) {
    struct tam_batch *batch = tam.owners.batches[to];
    if (!batch || batch->count == 0)
        return;
    tam.owners.sent++;
    mer_am_request_medium(to, tam.owners.h_objects, batch->words, batch->count * sizeof(tam_word), NULL, 0);
    batch->count = 0;
}

static void tell(int to, uint64_t address) {
    address &= ~(uint64_t)(TAM_GRAIN - 1);
    tam_word key = (tam_word)to << 48 | address;
    tam_word *last = &tam.owners.recent[(key / TAM_GRAIN ^ key >> 20) % TAM_RECENT];
    if (*last == key)
        return;
    *last = key;
    if (!tam.owners.batches[to] && !(tam.owners.batches[to] = calloc(1, sizeof *tam.owners.batches[to])))
        tam_fail(0, "memory is exhausted on processor %d", tam.me);
    tam.owners.batches[to]->words[tam.owners.batches[to]->count++] = address;
    if (tam.owners.batches[to]->count == BATCH)
        send(to);
}

void tam_owner_tell(tam_word word) {
    uint64_t address = word & MER_ADDR_MASK;
    int owner = (int)(word >> 48);
    if (owner != 0) {
        if (owner < tam.processors && owner != tam.me && within(&tam.owners.ranges[owner], address))
            tell(owner, address);
        return;
    }
    if (!within(&tam.owners.all, address))
        return;
    if (tam.me != 0 && within(&tam.owners.ranges[0], address))
        tell(0, address);
    for (int p = mer_job.here_first; p < mer_job.here_first + mer_job.here; p++)
        if (p != tam.me && p != 0 && within(&tam.owners.ranges[p], address))
            tell(p, address);
}

void tam_owners_send(void) {
    for (int p = 0; p < tam.processors; p++)
        send(p);
}

void tam_owners_forget(void) { memset(tam.owners.recent, 0, sizeof tam.owners.recent); }

/* Notes objects of this processor that others have.  The processor goes on from them after its current work.
 */
static void on_objects(struct mer_am_message *m) {
    const tam_word *words = m->payload;
    tam.owners.received++;
    for (size_t n = 0; n < m->length / sizeof *words; n++) {
        struct tam_place place;
        if (!tam_find(words[n], &place) || tam_bit(tam.storage.told, place.bit))
            continue;
        tam_set_bit(tam.storage.told, place.bit);
        place.block->told = TAM_TOLD_NEW;
        tam.owners.fresh = true;
    }
}

void tam_owners_register(void) { tam.owners.h_objects = mer_am_register(on_objects); }
