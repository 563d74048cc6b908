/* Remote memory that a nest of loops has read (access.h; crates/opt, caching.rs says why it may be kept).
 *
 * A table of lines by open addressing, which is emptied when a nest begins and when it has become full.  Of a
 * line that is new some pieces around the object are asked for; of one that is met again, all of it: so a
 * loop that never comes back to a line pays for little that it does not use.
 *
 * One thread of this process runs the program, and only it looks here; the copies that are under way are
 * written by handlers, and read when it has waited for them. */
#include "rma/cache.h"

#include "am/am.h"
#include "am/state.h"
#include "base/fatal.h"
#include "base/record.h"
#include "rma/remote.h"

#include <stdlib.h>
#include <string.h>

enum {
    PIECES = MER_CACHE_LINE / MER_CACHE_PIECE,
    MOST = MER_CACHE_SLOTS * 3 / 4, /* lines, so that a search is short */
    PART = 2048, /* lines that a part of a loop may add: mer_cache_part_full, and 8 reads */
    FIRST = 2,   /* pieces of a new line */
    FAR = 64     /* lines: a longer write forgets all */
};
#define ALL ((1ULL << PIECES) - 1)

struct mer_cache_slot mer_cache_slots[MER_CACHE_SLOTS];
int mer_cache_used, mer_cache_asked, mer_cache_cold;

static char *copies; /* MOST lines */
static struct mer_cache_slot *used[MOST];

/* The slot of a line; a free one where it is not there. */
static struct mer_cache_slot *slot_of(mer_u64 line) {
    mer_u64 at = mer_cache_hash(line);
    while (mer_cache_slots[at].line && mer_cache_slots[at].line != line)
        at = (at + 1) % MER_CACHE_SLOTS;
    return &mer_cache_slots[at];
}

/* A handler of an active message may run a nest too, while copies for the nest that waits are under way.  It
 * reads no remote memory, and so has nothing to forget. */
void mer_cache_forget_all(void) {
    if (mer_am.handlers.running)
        return;
    while (mer_cache_used)
        used[--mer_cache_used]->line = 0;
}

void mer_cache_part(void) {
    mer_cache_asked = mer_cache_cold = 0;
    if (mer_cache_used > MOST - PART - 8)
        mer_cache_forget_all();
}

static struct mer_cache_slot *add(mer_u64 line) {
    struct mer_cache_slot *slot = slot_of(line);
    if (slot->line)
        return slot;
    if (!copies && !(copies = aligned_alloc(MER_CACHE_LINE, (size_t)MOST * MER_CACHE_LINE)))
        mer_fatal("no memory for what loops read from other hosts");
    slot->line = line;
    slot->copy = copies + (size_t)mer_cache_used * MER_CACHE_LINE;
    slot->pieces = 0;
    used[mer_cache_used++] = slot;
    return slot;
}

/* Asks for a piece that is not there and for what goes with it.  There is place for a line. */
static void ask(mer_u64 bits, int *waiting) {
    struct mer_cache_slot *slot = add(bits / MER_CACHE_LINE);
    unsigned piece = bits % MER_CACHE_LINE / MER_CACHE_PIECE;
    unsigned first = slot->pieces ? 0 : piece / FIRST * FIRST, many = slot->pieces ? PIECES : FIRST;
    size_t at = (size_t)first * MER_CACHE_PIECE;
    slot->pieces |= ((1ULL << many) - 1) << first;
    mer_cache_asked++;
    mer_cache_cold = 1;
    mer_remote_get_start(slot->copy + at, slot->line * MER_CACHE_LINE + at, (size_t)many * MER_CACHE_PIECE,
                         waiting);
}

/* The bytes in the cache, wherever their line is; null where they are not there. */
static char *find(mer_u64 bits) {
    struct mer_cache_slot *slot = slot_of(bits / MER_CACHE_LINE);
    mer_u64 at = bits % MER_CACHE_LINE;
    return slot->line && slot->pieces >> at / MER_CACHE_PIECE & 1 ? slot->copy + at : NULL;
}

int mer_cache_start(mer_u64 bits, mer_size n, int *waiting) {
    if (bits % n || find(bits) || mer_cache_used == MOST)
        return 0;
    mer_record_begin();
    ask(bits, waiting);
    mer_record_end(MER_RECORD_INNER, 0, 0);
    return 1;
}

void *mer_cache_read(mer_u64 bits, void *copy, mer_size n, int *met) {
    if (bits % n)
        return mer_remote_get(copy, bits, n);
    char *found = find(bits);
    if (found)
        return found;
    int waiting = 0;
    mer_record_begin();
    if (mer_cache_used == MOST)
        mer_cache_forget_all();
    if (met)
        *met = 1;
    ask(bits, &waiting);
    mer_remote_get_wait(&waiting);
    found = find(bits);
    mer_record_end(MER_RECORD_INNER, 0, 0);
    return found;
}

void mer_cache_write(mer_u64 bits, const void *from, size_t n) {
    char *found = find(bits);
    if (bits % n == 0 && n <= sizeof(mer_u64)) {
        if (found)
            memcpy(found, from, n);
    } else {
        mer_cache_forget(bits, n);
    }
}

void mer_cache_forget(mer_u64 bits, size_t n) {
    mer_u64 first = bits / MER_CACHE_LINE, last = (bits + n - 1) / MER_CACHE_LINE;
    if (last - first > FAR)
        mer_cache_forget_all();
    for (mer_u64 line = first; mer_cache_used && line <= last; line++) {
        struct mer_cache_slot *slot = slot_of(line);
        if (slot->line)
            slot->pieces = 0;
    }
}
