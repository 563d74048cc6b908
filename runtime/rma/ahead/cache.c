/* Remote memory that a nest of loops has read (prefetch.h; crates/opt, caching.rs says why it may be kept).
 *
 * A table of lines with open addressing, which is emptied when a nest begins and when the table is full.  The
 * first miss in a line requests some pieces around the object; the next one requests the whole line.  So a
 * loop that never comes back to a line pays for few bytes that it does not use.  A nest that goes from one
 * line to the next does not wait for each: the following lines are requested in advance.  It may read these
 * as it may read the neighbours of an object (caching.rs), and only if the owner has memory there.
 *
 * One thread of this process runs the program, and only that thread uses the table.  Handlers write the
 * copies that are under way; the thread reads them after it has waited for them. */
#include "rma/ahead/cache.h"

#include "am/am.h"
#include "am/state.h"
#include "rma/get_put.h"
#include "base/fatal.h"
#include "base/record.h"
#include "host/layout.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
    PIECES = MER_CACHE_LINE / MER_CACHE_PIECE,
    MOST = MER_CACHE_SLOTS * 3 / 4, /* lines, so that a search is short */
    ITERATION = 2 * MER_MOST_READS, /* lines of an iteration: an object may lie in two */
    FIRST = 2,                      /* pieces of a new line */
    FAR = 64,                       /* lines: a longer write empties the table */
    AHEAD = 16,                     /* lines in advance */
    ROW_LINES = 1024                /* lines of rows under way */
};
#define ALL ((1ULL << PIECES) - 1)

struct mer_cache_slot mer_cache_slots[MER_CACHE_SLOTS];
int mer_cache_used, mer_cache_asked, mer_cache_cold;

static char *copies; /* MOST lines */
static struct mer_cache_slot *used[MOST];

/* Lines that have been requested in advance, because the nest went from one line to the next (ask_ahead).
 * None of their pieces is found until all have arrived, so that no write of the thread in between is lost: an
 * access to such a line waits for all of them (ahead_there). */
static struct {
    mer_u64 line[AHEAD];
    struct mer_cache_slot *slot[AHEAD];
    int count, waiting;
    int many; /* lines to request next time */
} ahead;

/* Returns the slot of a line, or a free one if it has none. */
static struct mer_cache_slot *slot_of(mer_u64 line) {
    mer_u64 at = mer_cache_hash(line);
    while (mer_cache_slots[at].line && mer_cache_slots[at].line != line)
        at = (at + 1) % MER_CACHE_SLOTS;
    return &mer_cache_slots[at];
}

/* Waits for the lines that have been requested in advance. */
static void ahead_there(void) {
    mer_am_wait_counter(&ahead.waiting);
    for (int i = 0; i < ahead.count; i++)
        ahead.slot[i]->pieces = ALL;
    ahead.count = 0;
}

/* Pieces of rows that a nest has requested on entry (mer_cache_row), by the slots of their lines, and pieces
 * that trials have requested (mer_cache_ask).  They too are not found until all have arrived: an access to a
 * line with such a piece waits for all (rows_there), so that no write of the thread in between is lost. */
static struct {
    mer_u64 coming[MER_CACHE_SLOTS]; /* as mer_cache_slot.pieces */
    struct mer_cache_slot *slot[ROW_LINES];
    int count, waiting;
} rows;

int mer_cache_rows_full;

static mer_u64 *coming(const struct mer_cache_slot *slot) { return &rows.coming[slot - mer_cache_slots]; }

/* Waits for the pieces of `rows'. */
static void rows_there(void) {
    mer_am_wait_counter(&rows.waiting);
    for (int i = 0; i < rows.count; i++) {
        rows.slot[i]->pieces |= *coming(rows.slot[i]);
        *coming(rows.slot[i]) = 0;
    }
    rows.count = mer_cache_rows_full = 0;
}

/* Returns true if pieces of the line are under way in `rows'. */
static bool is_coming(mer_u64 line) {
    const struct mer_cache_slot *slot = slot_of(line);
    return rows.count && slot->line && *coming(slot);
}

/* Returns true if the piece of this byte is under way in `rows'. */
static bool piece_comes(mer_u64 bits) {
    mer_u64 line = bits / MER_CACHE_LINE;
    return is_coming(line) && *coming(slot_of(line)) >> bits % MER_CACHE_LINE / MER_CACHE_PIECE & 1;
}

/* Returns true if one of these lines is under way in `ahead'. */
static bool is_ahead(mer_u64 first, mer_u64 last) {
    for (int i = 0; i < ahead.count; i++)
        if (first <= ahead.line[i] && ahead.line[i] <= last)
            return true;
    return false;
}

/* Empties the table.  A handler of an active message may run a nest too, while copies for the waiting nest
 * are under way.  A handler reads no remote memory, and so has nothing to forget. */
static void forget_all(void) {
    if (mer_am.handlers.running)
        return;
    ahead_there();
    rows_there();
    while (mer_cache_used)
        used[--mer_cache_used]->line = 0;
}

void mer_cache_forget_all(void) {
    mer_record_begin();
    bool waits = ahead.waiting || rows.waiting;
    forget_all();
    mer_record_end(waits ? MER_RECORD_SYNC : MER_RECORD_NOTHING, 0, 0);
}

void mer_cache_part(void) {
    mer_cache_asked = mer_cache_cold = 0;
    if (mer_cache_used > MOST - MER_CACHE_PART - ITERATION)
        mer_cache_forget_all();
}

static struct mer_cache_slot *add(mer_u64 line) {
    struct mer_cache_slot *slot = slot_of(line);
    if (slot->line)
        return slot;
    if (!copies && !(copies = aligned_alloc(MER_CACHE_LINE, (size_t)MOST * MER_CACHE_LINE)))
        mer_fatal("no memory for the data that loops read from other hosts");
    slot->line = line;
    slot->copy = copies + (size_t)mer_cache_used * MER_CACHE_LINE;
    slot->pieces = 0;
    used[mer_cache_used++] = slot;
    return slot;
}

/* Returns true if the owner of the line `behind' also has memory at `line', which follows it. */
static bool is_mapped(mer_u64 line, mer_u64 behind) {
    mer_u64 at = line * MER_CACHE_LINE;
    return mer_native(at) > mer_native(behind * MER_CACHE_LINE) && mer_there(at, MER_CACHE_LINE, 1);
}

/* Requests the lines after this one, up to the first that is in the table, and as long as there is space for
 * the lines that a part may add.  Their number doubles each time, so that no more lines are requested in vain
 * than were used. */
static void ask_ahead(mer_u64 line) {
    for (int i = 1; i <= ahead.many && mer_cache_used < MOST - MER_CACHE_PART - AHEAD; i++) {
        if (!is_mapped(line + (mer_u64)i, line) || slot_of(line + (mer_u64)i)->line)
            break;
        struct mer_cache_slot *slot = add(line + (mer_u64)i);
        ahead.line[ahead.count] = slot->line;
        ahead.slot[ahead.count++] = slot;
        mer_remote_get_start(slot->copy, slot->line * MER_CACHE_LINE, MER_CACHE_LINE, &ahead.waiting);
    }
    ahead.many = ahead.many * 2 < AHEAD ? ahead.many * 2 : AHEAD;
}

/* Called when the nest reads from a line.  If the line was requested in advance, waits for it, requests the
 * lines after the last such line, and returns true. */
static bool came_to(mer_u64 line) {
    if (!is_ahead(line, line))
        return false;
    mer_u64 last = ahead.line[ahead.count - 1];
    ahead_there();
    ask_ahead(last);
    return true;
}

/* Requests a missing piece with its neighbour, or its whole line.  There is space for a line.  Returns true
 * if this line is new and all of its predecessor has been requested: expect a sequential walk. */
static bool ask(mer_u64 bits, int *waiting) {
    mer_u64 line = bits / MER_CACHE_LINE;
    struct mer_cache_slot *slot = add(line), *before = slot_of(line - 1);
    unsigned piece = bits % MER_CACHE_LINE / MER_CACHE_PIECE;
    bool goes_on = !slot->pieces && before->line && before->pieces == ALL, all = slot->pieces || goes_on;
    unsigned first = all ? 0 : piece / FIRST * FIRST, many = all ? PIECES : FIRST;
    size_t at = (size_t)first * MER_CACHE_PIECE;
    slot->pieces |= ((1ULL << many) - 1) << first;
    mer_cache_asked++;
    mer_cache_cold = 1;
    mer_remote_get_start(slot->copy + at, slot->line * MER_CACHE_LINE + at, (size_t)many * MER_CACHE_PIECE,
                         waiting);
    return goes_on;
}

/* Requests the bytes [from, end) of pieces whose copies are contiguous from `to' on. */
static void ask_pieces(char *to, mer_u64 from, mer_u64 end) {
    if (from < end)
        mer_remote_get_start(to, from, end - from, &rows.waiting);
}

/* Marks a piece as coming.  Returns its copy, or null if it is there or coming already. */
static char *come(struct mer_cache_slot *slot, unsigned piece) {
    mer_u64 bit = 1ULL << piece;
    if ((slot->pieces | *coming(slot)) & bit)
        return NULL;
    if (!*coming(slot))
        rows.slot[rows.count++] = slot;
    *coming(slot) |= bit;
    return slot->copy + (size_t)piece * MER_CACHE_PIECE;
}

/* Requests the row in as few messages as the copies of its lines allow: those of new lines are contiguous. */
void mer_cache_row(mer_u64 bits, mer_size n) {
    mer_u64 at = bits / MER_CACHE_PIECE, end = (bits + n - 1) / MER_CACHE_PIECE + 1;
    mer_u64 from = at * MER_CACHE_PIECE;
    char *to = NULL, *behind = NULL;
    if (!mer_there(at * MER_CACHE_PIECE, (end - at) * MER_CACHE_PIECE, 1))
        return;
    mer_record_begin();
    for (; at < end; at++) {
        mer_u64 line = at / PIECES;
        if (rows.count == ROW_LINES || mer_cache_used >= MOST - MER_CACHE_PART - AHEAD) {
            mer_cache_rows_full = 1;
            break;
        }
        char *copy = is_ahead(line, line) ? NULL : come(add(line), (unsigned)(at % PIECES));
        if (!copy || copy != behind) {
            ask_pieces(to, from, at * MER_CACHE_PIECE);
            to = copy, from = copy ? at * MER_CACHE_PIECE : end * MER_CACHE_PIECE;
        }
        behind = copy ? copy + MER_CACHE_PIECE : NULL;
    }
    ask_pieces(to, from, at * MER_CACHE_PIECE);
    mer_record_end(MER_RECORD_INNER, 0, 0);
}

/* Returns the end of the piece that holds `at', or `end' if that comes first. */
static mer_u64 piece_end(mer_u64 at, mer_u64 end) {
    mer_u64 next = (at / MER_CACHE_PIECE + 1) * MER_CACHE_PIECE;
    return next < end ? next : end;
}

/* Requests the piece and its neighbour.  Returns false if there is no space for them. */
static bool ask_pair(mer_u64 bits) {
    mer_u64 line = bits / MER_CACHE_LINE, at = bits / MER_CACHE_PIECE / FIRST * FIRST;
    if (piece_comes(bits))
        return true;
    if (rows.count == ROW_LINES || (mer_cache_used >= MOST - AHEAD && !slot_of(line)->line))
        return false;
    if (is_ahead(line, line))
        ahead_there();
    struct mer_cache_slot *slot = add(line);
    char *to = come(slot, (unsigned)(at % PIECES)), *behind = come(slot, (unsigned)(at % PIECES) + 1);
    mer_u64 from = (to ? at : at + 1) * MER_CACHE_PIECE, end = (behind ? at + 2 : at + 1) * MER_CACHE_PIECE;
    ask_pieces(to ? to : behind, from, end);
    return true;
}

bool mer_cache_ask(mer_u64 bits, size_t n) {
    bool place = true;
    for (mer_u64 at = bits; at < bits + n; at = piece_end(at, bits + n))
        place = ask_pair(at) && place;
    return place;
}

void mer_cache_asked_there(void) {
    mer_rma_send_gets();
    rows_there();
}

/* The loops after the rows need not begin by requesting all that they read. */
void mer_cache_rows_sent(void) {
    mer_record_begin();
    if (rows.count && !mer_cache_rows_full)
        mer_cache_cold = 0;
    mer_rma_send_gets();
    mer_record_end(MER_RECORD_NOTHING, 0, 0);
}

static void begin_ahead(mer_u64 line) {
    if (ahead.count)
        return;
    ahead.many = FIRST;
    ask_ahead(line);
}

/* Returns the bytes in the cache, in whichever slot their line is, or null if they are not there. */
static char *find(mer_u64 bits) {
    struct mer_cache_slot *slot = slot_of(bits / MER_CACHE_LINE);
    mer_u64 at = bits % MER_CACHE_LINE;
    return slot->line && slot->pieces >> at / MER_CACHE_PIECE & 1 ? slot->copy + at : NULL;
}

void *mer_cache_find_any(mer_u64 bits, size_t n, void *copy) {
    if (mer_cache_number(bits, n))
        return find(bits);
    for (mer_u64 at = bits, end; at < bits + n; at = end) {
        end = piece_end(at, bits + n);
        char *found = find(at);
        if (!found)
            return NULL;
        memcpy((char *)copy + (at - bits), found, end - at);
    }
    return copy;
}

/* A part of a loop requests all that it reads; if that is many lines, it needs no others in advance.  So only
 * the first request of a part starts requests in advance. */
static bool start_piece(mer_u64 bits, int *waiting) {
    mer_u64 line = bits / MER_CACHE_LINE;
    if (find(bits) || mer_cache_used == MOST)
        return false;
    bool first = !mer_cache_asked;
    if (is_coming(line) && !piece_comes(bits))
        rows_there();
    if (!piece_comes(bits) && !is_ahead(line, line) && ask(bits, waiting) && first)
        begin_ahead(line);
    return true;
}

int mer_cache_start(mer_u64 bits, mer_size n, int *waiting) {
    bool asked = false;
    if (mer_cache_number(bits, n) && find(bits))
        return 0;
    mer_record_begin();
    for (mer_u64 at = bits; at < bits + n; at = piece_end(at, bits + n))
        asked = start_piece(at, waiting) || asked;
    mer_record_end(asked ? MER_RECORD_INNER : MER_RECORD_NOTHING, 0, 0);
    return asked;
}

/* Returns the byte in the cache, where the rest of its piece follows; waits for the piece if necessary. */
static char *read_piece(mer_u64 bits, int *met) {
    char *found = find(bits);
    if (found)
        return found;
    if (is_coming(bits / MER_CACHE_LINE)) {
        rows_there();
        if ((found = find(bits)))
            return found;
    }
    if (mer_cache_used == MOST)
        forget_all();
    if (!came_to(bits / MER_CACHE_LINE)) {
        int waiting = 0;
        if (met)
            *met = 1;
        if (ask(bits, &waiting))
            begin_ahead(bits / MER_CACHE_LINE);
        mer_remote_get_wait(&waiting);
    }
    return find(bits);
}

void *mer_cache_read(mer_u64 bits, void *copy, mer_size n, int *met) {
    void *found = mer_cache_find_any(bits, n, copy);
    if (found)
        return found;
    mer_record_begin();
    if (mer_cache_number(bits, n)) {
        found = read_piece(bits, met);
    } else {
        found = copy;
        for (mer_u64 at = bits, end; at < bits + n; at = end) {
            end = piece_end(at, bits + n);
            memcpy((char *)copy + (at - bits), read_piece(at, met), end - at);
        }
    }
    mer_record_end(MER_RECORD_INNER, 0, 0);
    return found;
}

/* The quick path for loops that write words next to their reads: no line or piece is under way. */
bool mer_cache_write_word(mer_u64 bits, mer_u64 word, size_t n) {
    if (ahead.count || rows.count || !mer_cache_number(bits, n))
        return false;
    char *found = find(bits);
    if (found)
        memcpy(found, &word, n);
    return true;
}

void mer_cache_write(mer_u64 bits, const void *from, size_t n) {
    mer_u64 low = bits / MER_CACHE_LINE, high = (bits + n - 1) / MER_CACHE_LINE;
    if (is_ahead(low, high))
        ahead_there();
    if (is_coming(low) || is_coming(high)) /* one or two lines; mer_cache_forget checks more */
        rows_there();
    char *found = find(bits);
    if (mer_cache_number(bits, n)) {
        if (found)
            memcpy(found, from, n);
    } else {
        mer_cache_forget(bits, n);
    }
}

void mer_cache_forget(mer_u64 bits, size_t n) {
    mer_u64 first = bits / MER_CACHE_LINE, last = (bits + n - 1) / MER_CACHE_LINE;
    if (last - first > FAR)
        forget_all();
    if (is_ahead(first, last))
        ahead_there();
    for (mer_u64 line = first; mer_cache_used && line <= last; line++) {
        struct mer_cache_slot *slot = slot_of(line);
        if (is_coming(line))
            rows_there();
        if (slot->line)
            slot->pieces = 0;
    }
}
