/* Copies of sections of shared arrays for nests of loops (prefetch.h; crates/opt, sections.rs says why the
 * nest may read and write them in place of the array).
 *
 * Remote elements are requested first, in pieces that share messages.  While they travel, the elements on
 * this host are copied.  If the distance of rows would be a multiple of a large power of two, rows are a few
 * elements longer: a loop along a column would otherwise have all its elements in a few sets of the
 * processor's caches.  The memory of copies is kept for later nests.
 */
#include "am/am.h"
#include "am/state.h"
#include "rma/get_put.h"
#include "rma/fence.h"
#include "rma/pieces.h"
#include "base/record.h"
#include "host/layout.h"
#include "transport/transport.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
    COPIES = 16,      /* copies of a nest, by number */
    MOST = 32 << 20,  /* bytes of a copy */
    PART = 1 << 20,   /* bytes of a copy that is made while another is used */
    LINE = 64,        /* of the processor's caches */
    LEAST = 4 * LINE, /* bytes of an owner's memory in one piece, if there are more */
    APART = 256       /* rows that are a multiple of so many bytes apart collide */
};

static struct {
    char *memory;
    size_t size;
} copies[COPIES];

static int waiting; /* messages under way */

/* A walk through the elements of a section. */
struct walk {
    const struct mer_section *section;
    struct mer_pieces pieces;
    bool put;
    int group;     /* of owners whose memory is copied; -1: memory on this host */
    size_t remote; /* bytes of other hosts, and an owner of some of them */
    int owner;
    bool is_long; /* some are sent from where they lie, not in a message with others */
};

/* Copies a part of the section that lies in one piece, if the walk's group owns it. */
static void piece(struct walk *w, mer_u64 bits, char *copy, size_t n) {
    bool remote = mer_remote(bits);
    if (w->group < 0) {
        if (!remote)
            memcpy(w->put ? mer_at(bits) : copy, w->put ? copy : mer_at(bits), n);
        return;
    }
    if (!remote || (int)mer_threadof(bits) / mer_pieces_owners() != w->group)
        return;
    if (w->put)
        mer_pieces_put(&w->pieces, bits, copy, n);
    else
        mer_pieces_get(&w->pieces, copy, bits, n);
    w->remote += n;
    w->owner = (int)mer_threadof(bits);
    w->is_long |= n >= MER_TRANSPORT_LONG;
}

/* Copies n consecutive elements of the array, from element `at' on. */
static void elements(struct walk *w, mer_i64 at, mer_i64 n, char *to) {
    const struct mer_section *s = w->section;
    if (!s->block) {
        piece(w, s->bits + (mer_u64)at * s->size, to, (size_t)n * s->size);
        return;
    }
    for (mer_i64 part; n; n -= part, at += part, to += (mer_u64)part * s->size) {
        mer_i64 block = mer_floordiv(at, s->block), inside = at - block * (mer_i64)s->block;
        mer_u64 travel = mer_travel(block, mer_floordivt(block), s->block * s->size);
        part = (mer_i64)s->block - inside < n ? (mer_i64)s->block - inside : n;
        piece(w, s->bits + travel + (mer_u64)inside * s->size, to, (size_t)part * s->size);
    }
}

/* Copies the elements whose subscripts before `dim' make the offset `at'. */
static void go(struct walk *w, int dim, mer_i64 at, char *to) {
    const struct mer_section *s = w->section;
    mer_i64 step = s->dim[dim].step * s->dim[dim].elements, count = s->dim[dim].count;
    at += s->dim[dim].from * s->dim[dim].elements;
    if (dim == s->dims - 1 && step == 1) {
        elements(w, at, count, to);
        return;
    }
    for (mer_i64 i = 0; i < count; i++, at += step, to += (mer_u64)s->dim[dim].stride * s->size)
        if (dim == s->dims - 1)
            elements(w, at, 1, to);
        else
            go(w, dim + 1, at, to);
}

/* Lays out the copy.  Returns its bytes, or 0 if there are none or too many. */
static size_t lay_out(struct mer_section *s) {
    mer_u64 n = 1;
    for (int dim = s->dims; dim-- > 0;) {
        s->dim[dim].stride = (mer_i64)n;
        if (s->dim[dim].count <= 0 || __builtin_mul_overflow(n, (mer_u64)s->dim[dim].count, &n) ||
            n > MOST / s->size)
            return 0;
        if (dim == s->dims - 1 && dim && n * s->size % APART == 0 && LINE % s->size == 0)
            n += LINE / s->size;
    }
    return n * s->size <= MOST ? n * s->size : 0;
}

/* Returns `size' bytes for copy number `which', or null if there is no memory. */
static char *memory_for(int which, size_t size) {
    if (copies[which].size < size) {
        free(copies[which].memory);
        size = (size + LINE - 1) / LINE * LINE;
        copies[which].memory = aligned_alloc(LINE, size);
        copies[which].size = copies[which].memory ? size : 0;
    }
    return copies[which].memory;
}

/* Divides the iterations into parts of equal length. */
mer_i64 mer_section_part(struct mer_section *s, int dim, mer_i64 more) {
    mer_u64 each = s->size, least = dim == s->dims - 1 && LEAST > s->size ? LEAST / s->size : 1;
    for (int i = 0; i < s->dims; i++)
        if (i != dim && __builtin_mul_overflow(each, (mer_u64)s->dim[i].count, &each))
            each = PART;
    mer_u64 count = (mer_u64)(s->dim[dim].count - more), most = each && each < PART ? PART / each : 1;
    if (most < least)
        most = least;
    if (most > mer_prefetch_depth)
        most = mer_prefetch_depth;
    mer_u64 parts = (count + most - 1) / most, part = (count + parts - 1) / parts;
    s->dim[dim].count = (mer_i64)part + more;
    return (mer_i64)part;
}

/* Copies the whole section: remote elements first, which travel while the rest is copied.  In jobs of up to
 * MER_PIECES_MOST threads one walk copies all remote elements. */
static void all(struct walk *walk) {
    for (; walk->group * mer_pieces_owners() < mer_job.threads; walk->group++) {
        go(walk, 0, 0, walk->section->copy);
        mer_pieces_send(&walk->pieces);
    }
    mer_rma_send_gets();
    walk->group = -1;
    go(walk, 0, 0, walk->section->copy);
}

/* A handler gets no copy: it may run a nest while copies for the waiting nest are under way. */
void mer_section_room(struct mer_section *s, int which) {
    size_t size = lay_out(s);
    s->copy = size && !mer_am.handlers.running ? memory_for(which, size) : NULL;
}

void mer_section_get(struct mer_section *s, int which) {
    mer_section_room(s, which);
    if (!s->copy)
        return;
    mer_record_begin();
    struct walk walk = {.section = s, .pieces = {.counter = &waiting}};
    all(&walk);
    mer_record_end(walk.remote ? MER_RECORD_GET_BEGIN : MER_RECORD_NOTHING, walk.owner, walk.remote);
}

/* Short pieces are in messages when this returns.  Long ones are sent from the copy, which must not change
 * meanwhile, so they are waited for. */
void mer_section_put(const struct mer_section *s) {
    mer_record_begin();
    int own = 0, *counter = mer_am_first_thread ? &mer_writes.counter : &own;
    struct walk walk = {.section = s, .put = true, .pieces = {.counter = counter}};
    all(&walk);
    if (walk.is_long || counter == &own)
        mer_am_wait_counter(counter);
    mer_record_end(walk.remote ? MER_RECORD_PUT_BEGIN : MER_RECORD_NOTHING, walk.owner, walk.remote);
}

void mer_sections_there(void) {
    mer_record_begin();
    mer_am_wait_counter(&waiting);
    mer_record_end(MER_RECORD_SYNC, 0, 0);
}
