/* The write log of a loop that is read in stages: notes of its writes (meridian/abi/prefetch.h;
 * their purpose is described in crates/opt, prefetch/stages.rs).
 *
 * A table of pieces of 8 bytes with open addressing.  A piece says which of its bytes have been written, and
 * which of these have known values.  Each part of a loop has a time, so that nothing has to be cleared: a
 * piece noted at another time is free.  Pieces of one time are never removed, so a search may end at the
 * first free piece.
 *
 * A loop has its table from its first note to its end.  One free table is kept for the next loop. */
#include <meridian/abi/abi.h>

#include "base/fatal.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define PIECES_BITS 15 /* four for each iteration of a part, by default */
#define MOST (3u << (PIECES_BITS - 2))

struct piece {
    uint64_t at; /* its address / 8 */
    unsigned char bytes[8];
    uint64_t when;
    unsigned char written, known; /* a bit for each byte */
};
struct mer_notes_table {
    uint64_t now;
    struct piece pieces[1 << PIECES_BITS];
};

/* Each POSIX thread has its own. */
static _Thread_local struct mer_notes_table *spare;

/* Returns the piece at `at', or the free one in its place. */
static struct piece *find(const struct mer_notes *notes, uint64_t at) {
    struct mer_notes_table *table = notes->table;
    uint64_t i = at * 0x9e3779b97f4a7c15ULL >> (64 - PIECES_BITS);
    while (table->pieces[i].when == table->now && table->pieces[i].at != at)
        i = (i + 1) % (1 << PIECES_BITS);
    return &table->pieces[i];
}

void mer_notes_part(struct mer_notes *notes) {
    notes->count = 0;
    if (notes->table)
        notes->table->now++;
}

void mer_notes_end(struct mer_notes *notes) {
    if (!notes->table)
        return;
    if (!spare) {
        spare = notes->table;
        spare->now++;
    } else {
        free(notes->table);
    }
    notes->table = NULL;
}

static void begin(struct mer_notes *notes) {
    notes->table = spare;
    spare = NULL;
    if (notes->table)
        return;
    if (!(notes->table = calloc(1, sizeof *notes->table)))
        mer_fatal("no memory for the table of a loop's writes: %zu bytes", sizeof *notes->table);
    notes->table->now = 1;
}

void mer_note(struct mer_notes *notes, mer_u64 at, mer_size n, const void *value) {
    const unsigned char *from = value;
    if (!notes->table)
        begin(notes);
    while (n > 0 && notes->count < MOST) {
        unsigned first = (unsigned)(at % 8), here = n < 8 - first ? (unsigned)n : 8 - first;
        unsigned char mask = (unsigned char)(((1u << here) - 1) << first);
        struct piece *piece = find(notes, at / 8);
        if (piece->when != notes->table->now) {
            piece->at = at / 8;
            piece->when = notes->table->now;
            piece->written = piece->known = 0;
            notes->count++;
        }
        piece->written |= mask;
        if (from) {
            piece->known |= mask;
            memcpy(piece->bytes + first, from, here);
            from += here;
        } else {
            piece->known &= (unsigned char)~mask;
        }
        at += here;
        n -= here;
    }
}

enum mer_noted mer_noted(const struct mer_notes *notes, mer_u64 at, mer_size n, void *value) {
    enum mer_noted noted = MER_NOT_WRITTEN;
    bool whole = at % 8 + n <= 8;
    if (!notes->count)
        return MER_NOT_WRITTEN;
    if (notes->count >= MOST) /* later writes have not been noted */
        return MER_WRITTEN;
    while (n > 0) {
        unsigned first = (unsigned)(at % 8), here = n < 8 - first ? (unsigned)n : 8 - first;
        unsigned char mask = (unsigned char)(((1u << here) - 1) << first);
        const struct piece *piece = find(notes, at / 8);
        if (piece->when == notes->table->now && (piece->written & mask)) {
            if (!whole || (piece->known & mask) != mask)
                return MER_WRITTEN;
            memcpy(value, piece->bytes + first, here);
            noted = MER_WRITTEN_KNOWN;
        }
        at += here;
        n -= here;
    }
    return noted;
}
