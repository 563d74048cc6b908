/* Extents: where the iterations of a loop write, and whether an object lies there (meridian/abi/prefetch.h;
 * their purpose is described in crates/opt, dependences.rs).
 *
 * Most loops write from front to back, into a range of addresses.  Other writes are noted in a table, in
 * pieces of 8 bytes.  Several pieces share an entry, which says which of them was written last, and when.
 * Times only grow, so that nothing has to be cleared: an entry older than an extent's own time is not of that
 * extent.
 *
 * If several pieces of live extents have been noted in an entry, it stands for all pieces that may share it.
 * A read of any of these then counts as a read of a written object, which costs the loop the rest of a part
 * and no more.  An extent lives for two parts, and a loop has at most MER_MOST_EXTENTS extents, each of which
 * takes one time for a part.  So an entry older than LIVE times is of no live extent.  In a loop with inner
 * loops, whose parts would take times too, all extents are ranges. */
#include <meridian/abi/abi.h>

#include "base/fatal.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#define ENTRIES_BITS 15 /* four entries for each iteration of two parts, by default */
#define LIVE (4 * MER_MOST_EXTENTS)
#define SEVERAL 0xffff /* which: any */

/* `when' does not run out: it has 48 bits. */
struct entry {
    uint64_t which : 16, when : 48;
};

/* Each POSIX thread has its own. */
static _Thread_local struct entry *table;
static _Thread_local uint64_t now;

/* Returns the entry of a piece; *which distinguishes the piece from most others of that entry. */
static struct entry *entry_of(mer_u64 piece, uint64_t *which) {
    uint64_t hash = piece * 0x9e3779b97f4a7c15ULL;
    *which = (hash >> 32) % SEVERAL;
    return &table[hash >> (64 - ENTRIES_BITS)];
}

static void note(mer_u64 piece) {
    uint64_t which;
    struct entry *entry = entry_of(piece, &which);
    bool dead = entry->when + LIVE < now;
    entry->which = (dead || entry->which == which ? which : SEVERAL) & SEVERAL;
    entry->when = now & ((uint64_t)-1 >> 16);
}

void mer_extent_more(struct mer_extent *extent, mer_u64 at, mer_size n) {
    if (extent->hi == 0 && !extent->range) {
        extent->lo = extent->first = at;
        extent->hi = extent->last = at + n;
        return;
    }
    if (at < extent->lo)
        extent->lo = at;
    if (at + n > extent->hi)
        extent->hi = at + n;
    if (extent->range || (at >= extent->first && at + n <= extent->last))
        return;
    if (n > 8) { /* a struct: from now on a range */
        extent->range = 1;
        return;
    }
    if (!extent->since) {
        if (!table && !(table = calloc((size_t)1 << ENTRIES_BITS, sizeof *table)))
            mer_fatal("no memory for the table of a loop's writes: %zu bytes", sizeof *table << ENTRIES_BITS);
        extent->since = ++now;
    }
    note(at / 8);
    if ((at + n - 1) / 8 != at / 8)
        note((at + n - 1) / 8);
}

static bool is_noted(mer_u64 since, mer_u64 piece) {
    uint64_t which;
    const struct entry *entry = entry_of(piece, &which);
    return entry->when >= since && (entry->which == which || entry->which == SEVERAL);
}

int mer_extent_has(const struct mer_extent *extent, mer_u64 at, mer_size n) {
    if (extent->range || (at < extent->last && at + n > extent->first))
        return 1;
    if (!extent->since)
        return 0;
    for (mer_u64 piece = at / 8; piece <= (at + n - 1) / 8; piece++)
        if (is_noted(extent->since, piece))
            return 1;
    return 0;
}
