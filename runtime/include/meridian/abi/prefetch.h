/* Parts of loops that request remote memory in advance: a part of abi.h, which includes it.
 *
 * Only the optimiser (crates/opt) makes such loops.  They begin the reads of many iterations, keep in this
 * process the memory that a nest of loops reads again, and note where they write, so that values read earlier
 * are not used if they are stale.  Single accesses are in access.h.
 */
#ifndef MERIDIAN_PREFETCH_H
#define MERIDIAN_PREFETCH_H

/* ---- prefetched reads --------------------------------------------------------------------------------- */

/* A loop that prefetches (crates/opt, prefetch.rs) starts the reads of at most MER_PREFETCH_DEPTH iterations,
 * each into an element of a buffer, waits for them, and uses the values in the buffer.  Objects on this host
 * are read by the iteration.  If nothing was remote, the next iterations, MER_PREFETCH_PAUSE at most, are not
 * prefetched until they have `met' a remote read, which waits for its value.  The depth is MERIDIAN_PREFETCH,
 * constant after start-up; the buffers are arrays of variable length. */
#ifndef MER_RUNTIME
extern const unsigned mer_prefetch_depth;
#else
extern unsigned mer_prefetch_depth;
#endif
#define MER_PREFETCH_DEPTH mer_prefetch_depth
/* The depth of a loop that reads large objects: its buffers stand on the stack. */
#define MER_PREFETCH_FEW (mer_prefetch_depth / 16 + 1)
/* A buffer for two parts of `depth' iterations.  No warning of -Wvla: the array is not the user's. */
#define MER_PREFETCH_BUFFER(T, buffer, depth)                                                                \
    _Pragma("GCC diagnostic push")                                                                           \
        _Pragma("GCC diagnostic ignored \"-Wvla\"") __typeof__(T) buffer[2 * (depth)];                       \
    _Pragma("GCC diagnostic pop")
#define MER_PREFETCH_PAUSE 4096
#define MER_PREFETCH_START(S, bits, path, slot, waiting, met)                                                \
    MER_PREFETCH_ISSUE(S, bits, path, slot, waiting, met, (void)0)
/* As MER_PREFETCH_START, but local objects are read into the slot at once. */
#define MER_PREFETCH_HOLD(S, bits, path, slot, waiting, met)                                                 \
    MER_PREFETCH_ISSUE(S, bits, path, slot, waiting, met, slot = *mer_at_)
/* As MER_PREFETCH_HOLD, for addresses in no order: there is no branch on where objects are (rows.h). */
#define MER_PREFETCH_SCATTERED(S, bits, path, slot, waiting, met)                                            \
    {                                                                                                        \
        mer_u64 mer_b_ = (bits), mer_r_ = mer_remote_mask(mer_b_);                                           \
        __auto_type mer_at_ = &(((__typeof__(S) *)mer_at(mer_b_))path);                                      \
        __typeof__(slot) mer_beside_ = {0};                                                                  \
        slot = *(__typeof__(mer_at_))mer_by_mask(mer_r_, &mer_beside_, mer_at_);                             \
        if (sizeof(slot) <= sizeof(mer_u64) &&                                                               \
            mer_rows_scatter(mer_within(mer_b_, mer_at_), mer_r_, MER_PAIR_GETS,                             \
                             mer_row_tagged(&(slot), sizeof(slot)), mer_row_tagged(mer_at_, sizeof(slot)),   \
                             &(waiting)))                                                                    \
            waiting -= (int)mer_r_; /* no answer comes within the call */                                    \
        else if (mer_r_)                                                                                     \
            mer_prefetch_start((void *)&(slot), mer_within(mer_b_, mer_at_), sizeof(slot), &(waiting));      \
        met |= (int)mer_r_ & 1;                                                                              \
    }
/* local: the statement for an object on this host, which is *mer_at_. */
#define MER_PREFETCH_ISSUE(S, bits, path, slot, waiting, met, local)                                         \
    {                                                                                                        \
        mer_u64 mer_b_ = (bits);                                                                             \
        __auto_type mer_at_ = &(((__typeof__(S) *)mer_at(mer_b_))path);                                      \
        if (mer_remote(mer_b_)) {                                                                            \
            mer_prefetch_start((void *)&(slot), mer_within(mer_b_, mer_at_), sizeof(slot), &(waiting));      \
            met = 1;                                                                                         \
        } else {                                                                                             \
            local;                                                                                           \
        }                                                                                                    \
    }
#define MER_PREFETCH_GET(T, S, bits, path, slot, fetched, met)                                               \
    __extension__({                                                                                          \
        mer_u64 mer_b_ = (bits);                                                                             \
        __auto_type mer_at_ = &(((__typeof__(S) *)mer_at(mer_b_))path);                                      \
        __typeof__(T) mer_v_;                                                                                \
        if (mer_remote(mer_b_))                                                                              \
            mer_at_ = mer_prefetched(mer_within(mer_b_, mer_at_),                                            \
                                     fetched ? (void *)&(slot) : (void *)&mer_v_, sizeof(T),                 \
                                     fetched ? (int *)0 : &(met));                                           \
        *mer_at_;                                                                                            \
    })
/* As MER_PREFETCH_GET, if the buffer has the values of objects on this host too. */
#define MER_PREFETCH_TAKE(T, S, bits, path, slot, fetched, met)                                              \
    __extension__({                                                                                          \
        __typeof__(T) mer_t_;                                                                                \
        if (fetched)                                                                                         \
            mer_t_ = slot;                                                                                   \
        else                                                                                                 \
            mer_t_ = MER_PREFETCH_GET(T, S, bits, path, slot, 0, met);                                       \
        mer_t_;                                                                                              \
    })
/* mer_prefetch_start begins to read n remote bytes.  mer_prefetched returns their address, which is `copy';
 * unless met is null, it reads them into `copy' and sets *met. */
void mer_prefetch_start(void *to, mer_u64 bits, mer_size n, int *waiting) MER_COLD;
void *mer_prefetched(mer_u64 bits, void *copy, mer_size n, int *met) MER_COLD;

/* ---- the cache of a nest ------------------------------------------------------------------------------ */

/* Nests of loops that read the same remote memory, or its neighbourhood, again and again (crates/opt,
 * caching.rs) keep it in this process: lines of MER_CACHE_LINE bytes, of which some pieces have been
 * requested.  Slots are found by the number of the line; 0 is none, since nothing lies at address 0 of thread
 * 0. */
enum { MER_CACHE_LINE = 1024, MER_CACHE_PIECE = 64, MER_CACHE_SLOTS = 1 << 13 };
struct mer_cache_slot {
    mer_u64 line;   /* bits / MER_CACHE_LINE */
    char *copy;     /* the bytes of the line */
    mer_u64 pieces; /* bit i: piece i has been requested, and is there unless its loop has yet to wait */
};
extern struct mer_cache_slot mer_cache_slots[MER_CACHE_SLOTS];
extern int mer_cache_used; /* lines */
/* Returns the index of the slot of a line, or of the first slot at which to look for it. */
MER_INLINE mer_u64 mer_cache_hash(mer_u64 line) { return line * 0x9E3779B97F4A7C15u >> (64 - 13); }
/* True if n bytes are the size of a number; and if they are one, which lies in one piece of a line.  Other
 * objects may begin in one piece and end in another. */
#define mer_cache_number_size(n) ((n) <= sizeof(mer_u64) && ((n) & ((n)-1)) == 0)
#define mer_cache_number(bits, n) (mer_cache_number_size(n) && (bits) % (n) == 0)
/* Returns n remote bytes in the cache.  Returns null if they are not there or not in the first slot, or if
 * they are no number and lie in more than two pieces or in two lines. */
MER_INLINE void *mer_cache_find(mer_u64 bits, mer_size n) {
    struct mer_cache_slot *slot = &mer_cache_slots[mer_cache_hash(bits / MER_CACHE_LINE)];
    mer_u64 at = bits % MER_CACHE_LINE, last = at + n - 1;
    int here = slot->line == bits / MER_CACHE_LINE && slot->pieces >> at / MER_CACHE_PIECE & 1;
    if (mer_cache_number_size(n)) /* constant */
        here = here && at % n == 0;
    else
        here = here && n <= MER_CACHE_PIECE && last < MER_CACHE_LINE &&
               slot->pieces >> last / MER_CACHE_PIECE & 1;
    return here ? slot->copy + at : (void *)0;
}
/* True if something has been requested since the last part of a loop, or the nest, began: the next loop will
 * probably miss something as well, and begins by requesting all its reads. */
extern int mer_cache_cold;
/* mer_cache_begin: a nest begins, and forgets all lines.  mer_cache_part: a part of a loop begins, whose
 * reads are requested in advance.  mer_cache_part_full: the part has requested as much as may be under way at
 * a time. */
#define mer_cache_begin() (mer_cache_cold = 1, mer_cache_used ? mer_cache_forget_all() : (void)0)
void mer_cache_forget_all(void);
void mer_cache_part(void);
extern int mer_cache_asked; /* messages of this part */
#define mer_cache_part_full() (mer_cache_asked >= MER_CACHE_PART)
/* mer_cache_start requests n remote bytes, unless they are there.  Returns true if they have been requested,
 * either now, which raises *waiting, or in advance.  mer_cache_read returns them: a number in the cache,
 * other objects in `copy`; *met is set if they were not there. */
int mer_cache_start(mer_u64 bits, mer_size n, int *waiting) MER_COLD;
void *mer_cache_read(mer_u64 bits, void *copy, mer_size n, int *met) MER_COLD;
/* Requests a remote row of n bytes, at least one, which the nest will probably read.  Nobody waits for it,
 * and pieces that are there already stay.  If the owner has no memory there, nothing is requested.  If as
 * much is under way as may be at a time, the rest is not requested, and mer_cache_rows_full is not 0.  The
 * requests leave this process at mer_cache_rows_sent. */
void mer_cache_row(mer_u64 bits, mer_size n) MER_COLD;
void mer_cache_rows_sent(void);
extern int mer_cache_rows_full;
#define MER_CACHE_START(T, S, bits, path, waiting, met)                                                      \
    {                                                                                                        \
        mer_u64 mer_b_ = (bits);                                                                             \
        __auto_type mer_at_ = &(((__typeof__(S) *)mer_at(mer_b_))path);                                      \
        if (mer_remote(mer_b_))                                                                              \
            met |= mer_cache_start(mer_within(mer_b_, mer_at_), sizeof(T), &(waiting));                      \
    }
/* Reads into a slot, which is used after a wait.  Nothing is under way to the cache meanwhile. */
#define MER_CACHE_HOLD(S, bits, path, slot, waiting, met)                                                    \
    {                                                                                                        \
        mer_u64 mer_b_ = (bits);                                                                             \
        __auto_type mer_at_ = &(((__typeof__(S) *)mer_at(mer_b_))path);                                      \
        if (mer_remote(mer_b_)) {                                                                            \
            void *mer_c_ = mer_cache_find(mer_within(mer_b_, mer_at_), sizeof(slot));                        \
            if (mer_c_) {                                                                                    \
                mer_at_ = mer_c_;                                                                            \
                slot = *mer_at_;                                                                             \
            } else {                                                                                         \
                mer_prefetch_start((void *)&(slot), mer_within(mer_b_, mer_at_), sizeof(slot), &(waiting));  \
                met = 1;                                                                                     \
            }                                                                                                \
        } else {                                                                                             \
            slot = *mer_at_;                                                                                 \
        }                                                                                                    \
    }
#define MER_CACHE_GET(T, S, bits, path, met)                                                                 \
    __extension__({                                                                                          \
        mer_u64 mer_b_ = (bits);                                                                             \
        __auto_type mer_at_ = &(((__typeof__(S) *)mer_at(mer_b_))path);                                      \
        __typeof__(T) mer_v_;                                                                                \
        if (mer_remote(mer_b_)) {                                                                            \
            void *mer_c_ = mer_cache_find(mer_within(mer_b_, mer_at_), sizeof(T));                           \
            mer_at_ = mer_c_ ? mer_c_                                                                        \
                             : mer_cache_read(mer_within(mer_b_, mer_at_), (void *)&mer_v_, sizeof(T), met); \
        }                                                                                                    \
        *mer_at_;                                                                                            \
    })

/* As MER_CACHE_GET, by a call for every remote object. */
#define MER_CACHE_READ(T, S, bits, path, met)                                                                \
    __extension__({                                                                                          \
        mer_u64 mer_b_ = (bits);                                                                             \
        __auto_type mer_at_ = &(((__typeof__(S) *)mer_at(mer_b_))path);                                      \
        __typeof__(T) mer_v_;                                                                                \
        if (mer_remote(mer_b_))                                                                              \
            mer_at_ = mer_cache_read(mer_within(mer_b_, mer_at_), (void *)&mer_v_, sizeof(T), met);          \
        *mer_at_;                                                                                            \
    })

/* ---- sections ----------------------------------------------------------------------------------------- */

/* A section of a shared array that a nest of loops reads (crates/opt, sections.rs): a box of elements, of
 * which the nest has a copy in private memory while it runs (runtime/rma/ahead/section.c).  In the copy the
 * elements of the last subscript are contiguous. */
enum { MER_SECTION_DIMS = 4 };
struct mer_section {
    mer_u64 bits; /* of the array's first element, which is on thread 0 */
    mer_size size;
    mer_u64 block; /* in elements; 0 if all are on one thread */
    void *copy;    /* null if there is none */
    int dims;
    struct {
        mer_i64 from, count, step; /* subscripts: from, from + step, ... */
        mer_i64 elements;          /* elements from one subscript to the next, in the array */
        mer_i64 stride;            /* elements from one place to the next, in the copy */
    } dim[MER_SECTION_DIMS];
};
MER_INLINE void mer_section_of(struct mer_section *s, mer_u64 bits, mer_size size, mer_u64 block) {
    s->bits = bits;
    s->size = size;
    s->block = block;
    s->copy = (void *)0;
    s->dims = 0;
}
/* Adds a subscript; outer ones first. */
MER_INLINE void mer_section_dim(struct mer_section *s, mer_i64 from, mer_i64 count, mer_i64 step,
                                mer_i64 elements) {
    s->dim[s->dims].from = from;
    s->dim[s->dims].count = count;
    s->dim[s->dims].step = step;
    s->dim[s->dims++].elements = elements;
}
/* Limits the subscripts `dim' to as many as a copy should hold at a time, but at least to those of one
 * iteration.  There are `more' of them than the loop has iterations.  Returns the number of iterations that
 * the copy serves. */
mer_i64 mer_section_part(struct mer_section *s, int dim, mer_i64 more) MER_COLD;
/* Begins to make copy number `which' of a nest, which stays until the number is used again.  Makes none if
 * there is nothing to copy or too much. */
void mer_section_get(struct mer_section *s, int which) MER_COLD;
/* mer_section_room makes a copy without the elements, for a nest that writes all of them.  mer_section_put
 * then writes the elements of the copy to the array; they are complete when writes of the nest would be. */
void mer_section_room(struct mer_section *s, int which) MER_COLD;
void mer_section_put(const struct mer_section *s);
/* Return the copy; the first subscript `dim' in it; the distance between neighbours by that subscript. */
MER_INLINE void *mer_section_copy(const struct mer_section *s) { return s->copy; }
MER_INLINE mer_i64 mer_section_first(const struct mer_section *s, int dim) { return s->dim[dim].from; }
MER_INLINE mer_i64 mer_section_stride(const struct mer_section *s, int dim) { return s->dim[dim].stride; }
/* Waits until all copies are complete. */
void mer_sections_there(void);

/* ---- where loops write -------------------------------------------------------------------------------- */

/* The memory that iterations of such a loop write (crates/opt, dependences.rs): all of it lies in [lo, hi).
 * The part of it in [first, last) was written from front to back, and the rest is in a table (runtime/rma),
 * from time `since' on.  An object has one number, whether it is reached by a pointer-to-shared or by a
 * private pointer: for shared objects, the owner's native address.  So a cyclic array has a compact extent;
 * other objects may have the same numbers, which costs a prefetch and no more.  range: the extent is all of
 * [lo, hi). */
struct mer_extent {
    mer_u64 lo, hi, first, last, since;
    int range;
};
#define MER_EXTENT_NONE                                                                                      \
    { ~(mer_u64)0, 0, 0, 0, 0, 0 }
#define MER_EXTENT_RANGE                                                                                     \
    { ~(mer_u64)0, 0, 0, 0, 0, 1 }
void mer_extent_more(struct mer_extent *extent, mer_u64 at, mer_size n);
int mer_extent_has(const struct mer_extent *extent, mer_u64 at, mer_size n);
MER_INLINE void mer_extent_add(struct mer_extent *extent, mer_u64 at, mer_size n) {
    if (at == extent->hi && at == extent->last)
        extent->hi = extent->last = at + n;
    else
        mer_extent_more(extent, at, n);
}
/* Begins the extent of the next part.  *before becomes the extent of the part before it, if that is still to
 * run. */
MER_INLINE void mer_extent_next(struct mer_extent *before, struct mer_extent *written, int pending) {
    struct mer_extent none = MER_EXTENT_NONE;
    none.range = written->range;
    *before = pending ? *written : none;
    *written = none;
}
MER_INLINE int mer_extent_meets(const struct mer_extent *extent, mer_u64 at, mer_size n) {
    return at < extent->hi && at + n > extent->lo && mer_extent_has(extent, at, n);
}
#define MER_EXTENT_SHARED(S, bits, path) mer_native(MER_PART(S, bits, path))
MER_INLINE mer_u64 mer_extent_private(const volatile void *at) {
    mer_u64 offset = (mer_u64)at - MER_VIEW_BASE;
    return offset < MER_VIEW_SIZE ? offset % MER_SPAN : (mer_u64)at;
}

/* ---- loops that are read in stages -------------------------------------------------------------------- */

/* How many iterations of an outer loop a part takes.  MER_PREFETCH_FIRST: the first part.  mer_prefetch_next:
 * the part after one of at most `most' iterations, of which `room' had room in the buffers and `run' have
 * run; the last of these ran without its prefetched values if they were lost (!fetched).  mer_prefetch_more:
 * how many iterations run by themselves, after n of them, if one has no room. */
#define MER_PREFETCH_FIRST MER_PREFETCH_FEW
MER_INLINE unsigned mer_prefetch_next(unsigned most, unsigned room, unsigned run, int fetched) {
    unsigned some = fetched ? room : run < most ? run : most;
    if (some < most)
        return some + some / 8 + 1;
    return most < mer_prefetch_depth / 2 ? 2 * most : mer_prefetch_depth;
}
MER_INLINE unsigned mer_prefetch_more(unsigned n) { return n < mer_prefetch_depth / 2 ? 2 * n : n; }
/* The writes of the iterations of a part (crates/opt, prefetch/stages.rs), if they may be to objects that
 * were read in advance: a table (runtime/rma/ahead/write_log.c), by the address in the view. */
struct mer_notes_table;
struct mer_notes {
    struct mer_notes_table *table; /* null if nothing has been noted in this loop */
    unsigned count;                /* pieces of 8 bytes in this part */
};
#define MER_NOTES_NONE                                                                                       \
    { (struct mer_notes_table *)0, 0 }
enum mer_noted { MER_NOT_WRITTEN, MER_WRITTEN_KNOWN, MER_WRITTEN };
/* mer_notes_part: a part begins.  mer_notes_end: the loop has ended. */
void mer_notes_part(struct mer_notes *notes);
void mer_notes_end(struct mer_notes *notes);
/* mer_note notes that n bytes at an address will be written, with this value, unless it is null.  mer_noted
 * returns whether bytes have been written, and sets the value if all of it is known. */
void mer_note(struct mer_notes *notes, mer_u64 at, mer_size n, const void *value);
enum mer_noted mer_noted(const struct mer_notes *notes, mer_u64 at, mer_size n, void *value);
#define MER_PLACE_PRIVATE(at) ((mer_u64)(at))
#define MER_PLACE_SHARED(S, bits, path) ((mer_u64)mer_at(MER_PART(S, bits, path)))
#define MER_NOTE_VALUE(notes, at, value)                                                                     \
    __extension__({                                                                                          \
        __auto_type mer_n_ = (value);                                                                        \
        mer_note(notes, at, sizeof(mer_n_), (const void *)&mer_n_);                                          \
    })
/* The value of a read in advance.  If the loop has written the object since, the value is the written one, if
 * that is known; else the object is read again.  In both cases the statement `lost' runs: values computed
 * from the read one are lost. */
#define MER_PREFETCH_FRESH(T, S, bits, path, slot, fetched, met, lost, notes)                                \
    __extension__({                                                                                          \
        __typeof__(T) mer_t_;                                                                                \
        enum mer_noted mer_w_ = MER_WRITTEN;                                                                 \
        /* The address itself may be lost. */                                                                \
        mer_u64 mer_p_ = fetched && (notes).count ? MER_PLACE_SHARED(S, bits, path) : 0;                     \
        if (fetched) {                                                                                       \
            mer_t_ = slot;                                                                                   \
            mer_w_ = mer_p_ ? mer_noted(&(notes), mer_p_, sizeof(mer_t_), (void *)&mer_t_)                   \
                            : MER_NOT_WRITTEN;                                                               \
        }                                                                                                    \
        if (mer_w_ != MER_NOT_WRITTEN)                                                                       \
            lost;                                                                                            \
        if (mer_w_ == MER_WRITTEN)                                                                           \
            mer_t_ = MER_PREFETCH_GET(T, S, bits, path, slot, 0, met);                                       \
        mer_t_;                                                                                              \
    })
/* The value of an object on this host that was read in advance, too.  If the object has another value now,
 * values computed from the one read in advance are lost. */
#define MER_PREFETCH_AGAIN(T, value, slot, fetched)                                                          \
    __extension__({                                                                                          \
        __typeof__(T) mer_a_ = (value);                                                                      \
        if (fetched && __builtin_memcmp(&mer_a_, &(slot), sizeof(mer_a_)))                                   \
            fetched = 0;                                                                                     \
        mer_a_;                                                                                              \
    })
/* Clear `fetched' if prefetched values are lost.  MER_NOTES_STILL: an operand of a bound has been written.
 * MER_INPUTS_STILL: a private object from which something was computed will be written.  MER_PREFETCH_SAME,
 * which is the condition's value: the condition differs from `taken', its value at the prefetch, and `lost'
 * has bit 0 if it is false now, or bit 1 if it is true. */
#define MER_NOTES_STILL(fetched, notes, at, n)                                                               \
    ((fetched) && (mer_noted(notes, at, n, (void *)&(mer_u64){0}) == MER_NOT_WRITTEN || ((fetched) = 0)))
#define MER_INPUTS_STILL(fetched, extent, at, n) ((void)(mer_extent_meets(extent, at, n) && ((fetched) = 0)))
#define MER_PREFETCH_SAME(fetched, taken, condition, lost)                                                   \
    __extension__({                                                                                          \
        unsigned mer_holds_ = !!(condition);                                                                 \
        if (fetched && mer_holds_ != (taken) && ((lost) >> mer_holds_ & 1))                                  \
            fetched = 0;                                                                                     \
        mer_holds_;                                                                                          \
    })

/* mer_distinct returns 1 if n pointers lead to different objects, in pairs: bit MER_DISTINCT_MOST * i + j of
 * `pairs', i < j, asks for roots i and j.  A root is the bits of a pointer-to-shared, or 0 if there is no
 * shared object. */
enum { MER_DISTINCT_MOST = 8 };
int mer_distinct(mer_u64 pairs, int n, const mer_u64 *roots) MER_COLD;
#define MER_DISTINCT(pairs, ...)                                                                             \
    mer_distinct(pairs, (int)(sizeof((const mer_u64[]){__VA_ARGS__}) / sizeof(mer_u64)),                     \
                 (const mer_u64[]){__VA_ARGS__})
/* Returns the root for a private pointer, which may lead to shared memory of this host. */
MER_INLINE mer_u64 mer_distinct_private(const volatile void *at) {
    mer_u64 offset = (mer_u64)at - MER_VIEW_BASE;
    return offset < MER_VIEW_SIZE ? mer_bits(offset / MER_SPAN, offset % MER_SPAN) : 0;
}

/* ---- loops that are read in rounds -------------------------------------------------------------------- */

/* A loop whose iterations follow the values that they read (crates/opt, prefetch/rounds.rs): they are tried
 * until all the objects that they need have been requested, and then run. */
struct mer_rounds {
    unsigned most;  /* iterations that a part takes */
    unsigned round; /* number of the round in this part */
    unsigned left;  /* objects that the part may still take from the cache: as many as trials have read */
    unsigned steps; /* reads, and iterations of loops, of a trial */
    int fetched;    /* this part is tried first */
    int met;        /* some object of the part is remote */
    int kept;       /* the cache holds the objects that its trials have requested, and nothing else */
    int asked;      /* objects that this round has requested */
    int full;       /* there was no room for all that the part needs */
    int dear;       /* consecutive rounds in which trials took longer than they saved */
    mer_u64 since;  /* start of the round, ns */
};
#define MER_ROUNDS_NONE                                                                                      \
    { MER_PREFETCH_FIRST, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0 }
/* Begins a part.  Returns 1 if it is tried first. */
int mer_rounds_part(struct mer_rounds *rounds);
/* True if the part takes another iteration; true if an iteration is to be tried. */
#define mer_rounds_room(rounds, n) ((n) < (rounds)->most)
#define MER_ROUNDS_UNDONE(rounds, done) ((rounds)->steps = 0, (rounds)->round ? !(done) : ((done) = 0, 1))
/* Counts an iteration of a loop in a trial, which ends after MER_ROUNDS_STEPS. */
#define MER_ROUNDS_STEPS 4096
#define MER_ROUNDS_TURN(rounds, stop)                                                                        \
    if (++(rounds)->steps > MER_ROUNDS_STEPS)                                                                \
    goto stop
/* Declares a trial's own variable, which hides the program's. */
#define MER_ROUNDS_OWN(name)                                                                                 \
    _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wshadow\"") __typeof__(name) name      \
        __attribute__((unused)) = {0};                                                                       \
    _Pragma("GCC diagnostic pop")
/* Ends a round: waits for the requested objects.  Returns 1 if there is to be another round. */
int mer_rounds_again(struct mer_rounds *rounds);
/* mer_rounds_goes: true if iterations go on, after n of the part's `rows' have run.  mer_rounds_next: all of
 * them have run. */
#define MER_ROUNDS_DEAR 3
#define mer_rounds_goes(rounds, n, rows)                                                                     \
    ((rounds)->fetched ? (n) < (rows)                                                                        \
                       : (!(rounds)->met || (rounds)->dear >= MER_ROUNDS_DEAR) && (n) < MER_PREFETCH_PAUSE)
void mer_rounds_next(struct mer_rounds *rounds, unsigned rows);
/* mer_rounds_try, in a trial: returns the shared object of n bytes at bits, where there is memory; it is `at'
 * if it is on this host.  Returns null if the object has not come, or is not to be read.  mer_rounds_get, in
 * an iteration: returns an object of another host, in the cache or read into `copy'.  Both return `copy' for
 * an object that lies in several pieces of the cache. */
void *mer_rounds_try(struct mer_rounds *rounds, mer_u64 bits, const volatile void *at, void *copy,
                     mer_size n);
void *mer_rounds_get(struct mer_rounds *rounds, mer_u64 bits, void *copy, mer_size n) MER_COLD;
/* A value that a trial computes and does not use. */
#define MER_ROUNDS_OF(value) ((void)(value))
#define MER_ROUNDS_TRY(T, S, bits, path, state, stop)                                                        \
    __extension__({                                                                                          \
        mer_u64 mer_b_ = (bits);                                                                             \
        __auto_type mer_at_ = &(((__typeof__(S) *)mer_at(mer_b_))path);                                      \
        __typeof__(T) mer_v_;                                                                                \
        mer_b_ = mer_within(mer_b_, mer_at_);                                                                \
        if (!mer_there(mer_b_, sizeof(T), __alignof__(*mer_at_)))                                            \
            goto stop;                                                                                       \
        mer_at_ = mer_rounds_try(&(state), mer_b_, mer_at_, (void *)&mer_v_, sizeof(T));                     \
        if (!mer_at_)                                                                                        \
            goto stop;                                                                                       \
        *mer_at_;                                                                                            \
    })
#define MER_ROUNDS_GET(T, S, bits, path, state)                                                              \
    __extension__({                                                                                          \
        mer_u64 mer_b_ = (bits);                                                                             \
        __auto_type mer_at_ = &(((__typeof__(S) *)mer_at(mer_b_))path);                                      \
        __typeof__(T) mer_v_;                                                                                \
        if (mer_remote(mer_b_))                                                                              \
            mer_at_ = mer_rounds_get(&(state), mer_within(mer_b_, mer_at_), (void *)&mer_v_, sizeof(T));     \
        *mer_at_;                                                                                            \
    })

#endif
