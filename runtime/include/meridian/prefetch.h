/* What loops that ask for remote memory in advance are made of: a part of abi.h, which includes it.
 *
 * Only the optimiser (crates/opt) makes such loops: they begin the reads of many iterations, keep in this
 * process what a nest of loops reads again, and note where they write, so that what was read before is not
 * taken for what is there.  Single accesses are in access.h.
 */
#ifndef MERIDIAN_PREFETCH_H
#define MERIDIAN_PREFETCH_H

/* ---- prefetched reads --------------------------------------------------------------------------------- */

/* A loop that prefetches (crates/opt, prefetch.rs) starts the reads of at most so many iterations, each into
 * an element of a buffer, waits for them, and has the values from there.  What is on this host is read by the
 * iteration.  Where nothing was remote the next iterations, so many at most, are not prefetched, until they
 * have `met' a remote read, which waits for its value.  The depth is MERIDIAN_PREFETCH, constant after
 * start-up; the buffers are arrays of variable length. */
#ifndef MER_RUNTIME
extern const unsigned mer_prefetch_depth;
#else
extern unsigned mer_prefetch_depth;
#endif
#define MER_PREFETCH_DEPTH mer_prefetch_depth
/* The same of a loop that reads large objects: its buffers stand on the stack. */
#define MER_PREFETCH_FEW (mer_prefetch_depth / 16 + 1)
/* A buffer for as many of two parts.  No warning of -Wvla: the array is not the user's. */
#define MER_PREFETCH_BUFFER(T, buffer, depth)                                                                \
    _Pragma("GCC diagnostic push")                                                                           \
        _Pragma("GCC diagnostic ignored \"-Wvla\"") __typeof__(T) buffer[2 * (depth)];                       \
    _Pragma("GCC diagnostic pop")
#define MER_PREFETCH_PAUSE 4096
#define MER_PREFETCH_START(S, bits, path, slot, waiting, met)                                                \
    MER_PREFETCH_ISSUE(S, bits, path, slot, waiting, met, (void)0)
/* The same, but what is local is read at once. */
#define MER_PREFETCH_HOLD(S, bits, path, slot, waiting, met)                                                 \
    MER_PREFETCH_ISSUE(S, bits, path, slot, waiting, met, slot = *mer_at_)
/* The same where addresses are in no order: no branch asks where objects are (rows.h). */
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
/* local: what is done with an object on this host, which is *mer_at_. */
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
/* The same where the buffer has the values of objects on this host too. */
#define MER_PREFETCH_TAKE(T, S, bits, path, slot, fetched, met)                                              \
    __extension__({                                                                                          \
        __typeof__(T) mer_t_;                                                                                \
        if (fetched)                                                                                         \
            mer_t_ = slot;                                                                                   \
        else                                                                                                 \
            mer_t_ = MER_PREFETCH_GET(T, S, bits, path, slot, 0, met);                                       \
        mer_t_;                                                                                              \
    })
/* For n remote bytes: begin to read them.  And where they are found: at `copy', into which they are read, and
 * *met set, unless met is null. */
void mer_prefetch_start(void *to, mer_u64 bits, mer_size n, int *waiting) MER_COLD;
void *mer_prefetched(mer_u64 bits, void *copy, mer_size n, int *met) MER_COLD;

/* ---- the cache of a nest ------------------------------------------------------------------------------ */

/* Nests of loops that read the same remote memory, or what lies beside it, again and again (crates/opt,
 * caching.rs) keep it in this process: lines of MER_CACHE_LINE bytes, of which some pieces have been asked
 * for.  Slots are found by the number of the line; 0 is none, since nothing lies at address 0 of thread 0. */
enum { MER_CACHE_LINE = 1024, MER_CACHE_PIECE = 64, MER_CACHE_SLOTS = 1 << 13 };
struct mer_cache_slot {
    mer_u64 line;   /* bits / MER_CACHE_LINE */
    char *copy;     /* its bytes */
    mer_u64 pieces; /* bit i: piece i has been asked for, and is there unless its loop has yet to wait */
};
extern struct mer_cache_slot mer_cache_slots[MER_CACHE_SLOTS];
extern int mer_cache_used; /* lines */
/* Where a line is, or the first place at which to look for it. */
MER_INLINE mer_u64 mer_cache_hash(mer_u64 line) { return line * 0x9E3779B97F4A7C15u >> (64 - 13); }
/* Whether n bytes are the size of a number, and are one, which lies in one piece of a line.  Other objects
 * may begin in one and end in another. */
#define mer_cache_number_size(n) ((n) <= sizeof(mer_u64) && ((n) & ((n)-1)) == 0)
#define mer_cache_number(bits, n) (mer_cache_number_size(n) && (bits) % (n) == 0)
/* n remote bytes in the cache; null where they are not, or not in the first slot, or where they are no number
 * and in more than two pieces or one line. */
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
/* Something has been asked for since the last part of a loop began, or the nest: the next loop is likely to
 * miss something as well, and begins by asking for all that it reads. */
extern int mer_cache_cold;
/* A nest begins: forgets all.  A part of a loop, whose reads are asked for in advance, begins; has asked for
 * as much as may be under way at a time. */
#define mer_cache_begin() (mer_cache_cold = 1, mer_cache_used ? mer_cache_forget_all() : (void)0)
void mer_cache_forget_all(void);
void mer_cache_part(void);
extern int mer_cache_asked; /* in this part: messages */
#define mer_cache_part_full() (mer_cache_asked >= 2048)
#define MER_CACHE_DEPTH 4096 /* iterations in a part, at most */
/* Asks for n remote bytes, unless they are there: whether they have been asked for, now, so that ++*waiting,
 * or in advance.  And reads them: from the cache, or where this cannot hold them into `copy`; *met is set
 * where they were not there. */
int mer_cache_start(mer_u64 bits, mer_size n, int *waiting) MER_COLD;
void *mer_cache_read(mer_u64 bits, void *copy, mer_size n, int *met) MER_COLD;
/* Asks for a remote row of n bytes, at least one, of which the nest will probably read; nobody waits, and
 * what is there already stays.  Not where the owner has no memory, nor beyond what may be under way at a
 * time: then rows_full is not 0.  What has been asked for leaves this process at rows_sent. */
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
/* Reads into a slot that is looked at after a wait.  Nothing is under way to the cache meanwhile. */
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

/* The same by a call for all that is remote. */
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
 * which the nest has a copy in private memory while it runs (runtime/rma/section.c).  In the copy the
 * elements of the last subscript follow one another. */
enum { MER_SECTION_DIMS = 4 };
struct mer_section {
    mer_u64 bits; /* of the array's first element, which is on thread 0 */
    mer_size size;
    mer_u64 block; /* in elements; 0: all are on one thread */
    void *copy;    /* null: there is none */
    int dims;
    struct {
        mer_i64 from, count, step; /* subscripts: from, from + step, ... */
        mer_i64 elements;          /* that one subscript more steps over in the array */
        mer_i64 stride;            /* that one place more steps over in the copy */
    } dim[MER_SECTION_DIMS];
};
MER_INLINE void mer_section_of(struct mer_section *s, mer_u64 bits, mer_size size, mer_u64 block) {
    s->bits = bits;
    s->size = size;
    s->block = block;
    s->copy = (void *)0;
    s->dims = 0;
}
/* One more subscript, outer ones first. */
MER_INLINE void mer_section_dim(struct mer_section *s, mer_i64 from, mer_i64 count, mer_i64 step,
                                mer_i64 elements) {
    s->dim[s->dims].from = from;
    s->dim[s->dims].count = count;
    s->dim[s->dims].step = step;
    s->dim[s->dims++].elements = elements;
}
/* Takes of the subscripts `dim', of which there are `more' than the loop has iterations, and one at least of
 * these, no more than a copy should hold at a time: how many iterations that are. */
mer_i64 mer_section_part(struct mer_section *s, int dim, mer_i64 more) MER_COLD;
/* Begins to make copy number `which' of a nest's, which stays until the number is used again; none where
 * there is nothing to copy or too much. */
void mer_section_get(struct mer_section *s, int which) MER_COLD;
/* The same without the elements, for a nest that writes all of them; and puts what it has written to where it
 * belongs, complete as its writes would be. */
void mer_section_room(struct mer_section *s, int which) MER_COLD;
void mer_section_put(const struct mer_section *s);
/* The copy; the first subscript `dim' in it, and how far apart neighbours by that are. */
MER_INLINE void *mer_section_copy(const struct mer_section *s) { return s->copy; }
MER_INLINE mer_i64 mer_section_first(const struct mer_section *s, int dim) { return s->dim[dim].from; }
MER_INLINE mer_i64 mer_section_stride(const struct mer_section *s, int dim) { return s->dim[dim].stride; }
/* Waits until all copies are there. */
void mer_sections_there(void);

/* ---- where loops write -------------------------------------------------------------------------------- */

/* Where the iterations of such a loop write (crates/opt, dependences.rs): all of it lies in [lo, hi); what
 * of it lies in [first, last) was written from front to back, and the rest is in a table (runtime/rma), from
 * time `since' on.  An object has one number, be it reached by a pointer-to-shared or by a private pointer:
 * of what is shared, the owner's native address.  A cyclic array so has a compact extent; others may have the
 * same numbers, which costs a prefetch and no more.  range: it is all of [lo, hi). */
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
/* The next part's extent begins; that of the part in front of it counts if it is yet to run. */
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

/* How many iterations of an outer loop a part takes: at first; then, of `most' asked for, so many had room
 * in the buffers, and so many have run, the last of them without what was fetched if that was lost.  And how
 * many run by themselves where one has no room. */
#define MER_PREFETCH_FIRST MER_PREFETCH_FEW
MER_INLINE unsigned mer_prefetch_next(unsigned most, unsigned room, unsigned run, int fetched) {
    unsigned some = fetched ? room : run < most ? run : most;
    if (some < most)
        return some + some / 8 + 1;
    return most < mer_prefetch_depth / 2 ? 2 * most : mer_prefetch_depth;
}
MER_INLINE unsigned mer_prefetch_more(unsigned n) { return n < mer_prefetch_depth / 2 ? 2 * n : n; }
/* What the iterations of a part have written (crates/opt, prefetch/stages.rs), where that may be what was
 * read in advance: a table (runtime/rma/notes.c), by the address in the view. */
struct mer_notes_table;
struct mer_notes {
    struct mer_notes_table *table; /* null: nothing has been noted in this loop */
    unsigned count;                /* pieces of 8 bytes in this part */
};
#define MER_NOTES_NONE                                                                                       \
    { (struct mer_notes_table *)0, 0 }
enum mer_noted { MER_NOT_WRITTEN, MER_WRITTEN_KNOWN, MER_WRITTEN };
/* A part begins; the loop has ended. */
void mer_notes_part(struct mer_notes *notes);
void mer_notes_end(struct mer_notes *notes);
/* n bytes at an address will be written: with this value, unless it is null.  And whether they have been, and
 * the value, if all of it is known. */
void mer_note(struct mer_notes *notes, mer_u64 at, mer_size n, const void *value);
enum mer_noted mer_noted(const struct mer_notes *notes, mer_u64 at, mer_size n, void *value);
#define MER_PLACE_PRIVATE(at) ((mer_u64)(at))
#define MER_PLACE_SHARED(S, bits, path) ((mer_u64)mer_at(MER_PART(S, bits, path)))
#define MER_NOTE_VALUE(notes, at, value)                                                                     \
    __extension__({                                                                                          \
        __auto_type mer_n_ = (value);                                                                        \
        mer_note(notes, at, sizeof(mer_n_), (const void *)&mer_n_);                                          \
    })
/* The value of a read in advance: what the loop has written since, where that is known; else the object, and
 * what was made of it is `lost'. */
#define MER_PREFETCH_FRESH(T, S, bits, path, slot, fetched, met, lost, notes)                                \
    __extension__({                                                                                          \
        __typeof__(T) mer_t_;                                                                                \
        enum mer_noted mer_w_ = MER_WRITTEN;                                                                 \
        /* It may be that the address is lost. */                                                            \
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
/* The value of an object on this host that was read in advance, too: where it is another one now, what was
 * made of it is lost. */
#define MER_PREFETCH_AGAIN(T, value, slot, fetched)                                                          \
    __extension__({                                                                                          \
        __typeof__(T) mer_a_ = (value);                                                                      \
        if (fetched && __builtin_memcmp(&mer_a_, &(slot), sizeof(mer_a_)))                                   \
            fetched = 0;                                                                                     \
        mer_a_;                                                                                              \
    })
/* Whether what was fetched stands: what a bound is made of has not been written; a private object that
 * something was made of will not be.  A condition, which comes out as it did when others were fetched, or
 * they are lost: if `lost' has bit 0 and it does not hold, or bit 1 and it does. */
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

/* Whether n pointers lead to different objects, in pairs: bit MER_DISTINCT_MOST * i + j, i < j, asks it of
 * roots i and j.  A root is the bits of a pointer-to-shared, or 0: no shared object. */
enum { MER_DISTINCT_MOST = 8 };
int mer_distinct(mer_u64 pairs, int n, const mer_u64 *roots) MER_COLD;
#define MER_DISTINCT(pairs, ...)                                                                             \
    mer_distinct(pairs, (int)(sizeof((const mer_u64[]){__VA_ARGS__}) / sizeof(mer_u64)),                     \
                 (const mer_u64[]){__VA_ARGS__})
/* The root that a private pointer is: it may lead to shared memory of this host. */
MER_INLINE mer_u64 mer_distinct_private(const volatile void *at) {
    mer_u64 offset = (mer_u64)at - MER_VIEW_BASE;
    return offset < MER_VIEW_SIZE ? mer_bits(offset / MER_SPAN, offset % MER_SPAN) : 0;
}

/* ---- loops that are read in rounds -------------------------------------------------------------------- */

/* A loop whose iterations follow what they read (crates/opt, prefetch/rounds.rs): they are tried until all
 * that they need has been asked for, and then run. */
struct mer_rounds {
    unsigned most;  /* iterations that a part takes */
    unsigned round; /* of this part */
    unsigned left;  /* objects that the part may take from the cache: so many have trials read */
    unsigned steps; /* reads, and turns of loops, of a trial */
    int fetched;    /* this part is tried first */
    int met;        /* something in it is remote */
    int kept;       /* the cache holds what its trials have asked for, and nothing else */
    int asked;      /* objects that this round has asked for */
    int full;       /* there was no place for all that the part needs */
    int dear;       /* rounds, one behind the other, in which trying took longer than it saved */
    mer_u64 since;  /* the round began, ns */
};
#define MER_ROUNDS_NONE                                                                                      \
    { MER_PREFETCH_FIRST, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0 }
/* A part begins: whether it is tried first. */
int mer_rounds_part(struct mer_rounds *rounds);
/* Whether the part takes an iteration more; whether it is to be tried. */
#define mer_rounds_room(rounds, n) ((n) < (rounds)->most)
#define MER_ROUNDS_UNDONE(rounds, done) ((rounds)->steps = 0, (rounds)->round ? !(done) : ((done) = 0, 1))
/* A turn of a loop in a trial: so many are enough. */
#define MER_ROUNDS_STEPS 4096
#define MER_ROUNDS_TURN(rounds, stop)                                                                        \
    if (++(rounds)->steps > MER_ROUNDS_STEPS)                                                                \
    goto stop
/* A variable of a trial's own. */
#define MER_ROUNDS_OWN(name)                                                                                 \
    _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wshadow\"") __typeof__(name) name      \
        __attribute__((unused)) = {0};                                                                       \
    _Pragma("GCC diagnostic pop")
/* A round ends: waits for what has been asked for; whether there is to be another one. */
int mer_rounds_again(struct mer_rounds *rounds);
/* Whether the iterations go on, of which n of the part's `rows' have run.  They have. */
#define MER_ROUNDS_DEAR 3
#define mer_rounds_goes(rounds, n, rows)                                                                     \
    ((rounds)->fetched ? (n) < (rows)                                                                        \
                       : (!(rounds)->met || (rounds)->dear >= MER_ROUNDS_DEAR) && (n) < MER_PREFETCH_PAUSE)
void mer_rounds_next(struct mer_rounds *rounds, unsigned rows);
/* The shared object of n bytes at bits, where there is memory, `at' if it is on this host, in a trial: null
 * if it has not come, or not to be looked at.  And in an iteration, of one on another host: in the cache, or
 * read into `copy', where both find what lies in several pieces of the cache. */
void *mer_rounds_try(struct mer_rounds *rounds, mer_u64 bits, const volatile void *at, void *copy,
                     mer_size n);
void *mer_rounds_get(struct mer_rounds *rounds, mer_u64 bits, void *copy, mer_size n) MER_COLD;
/* What a trial computes and does not use. */
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
