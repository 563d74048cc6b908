//! The functions and values of the runtime that passes use. Lowering alone knows their names in C.

macro_rules! primitives {
    ($($name:ident, $text:literal, $does:literal;)*) => {
        /// A function or a value of the runtime.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Primitive {
            $(#[doc = $does] $name,)*
        }

        impl Primitive {
            /// The primitive's word in trees as text.
            pub fn word(self) -> &'static str {
                match self {
                    $(Primitive::$name => $text,)*
                }
            }
        }
    };
}

impl Primitive {
    /// The number of pointers that one [`Primitive::Distinct`] takes at most. `MER_DISTINCT_MOST` in the
    /// runtime's `meridian/abi/prefetch.h` is the same number.
    pub const MOST_DISTINCT: usize = 8;
}

primitives! {
    AddBlocked, "add_blocked", "A pointer and elements, in blocks.";
    AddCyclic, "add_cyclic", "A pointer and elements, dealt out one by one.";
    AddIndefinite, "add_indefinite", "A pointer and elements of one thread.";
    At, "at", "The local pointer for the bits of a pointer-to-shared.";
    AtOrigin, "at_origin", "Whether a pointer is at thread 0.";
    AtOriginBlocked, "at_origin_blocked", "Whether a pointer is at thread 0, phase 0.";
    Bits, "bits", "The bits of a pointer to a thread and a native address.";
    CacheBegin, "cache_begin", "A nest begins: the cache forgets everything.";
    CacheCold, "cache_cold", "Whether something has been asked for since the nest or the last part began.";
    CacheDepth, "cache_depth", "Iterations of a part whose reads are all cached, at most.";
    CachePart, "cache_part", "A part begins whose reads are cached.";
    CachePartFull, "cache_part_full", "Whether as much has been asked for as may be under way at a time.";
    CacheRow, "cache_row", "Asks for a row of bytes, which the cache keeps.";
    CacheRowsFull, "cache_rows_full",
        "Whether as many rows have been asked for as may be under way at a time.";
    CacheRowsSent, "cache_rows_sent", "Sends the requests for rows.";
    CeilDivThreads, "ceil_div_threads", "Division by THREADS, upwards.";
    CountsStores, "counts_stores", "Whether the program counts signalling stores.";
    DiffBlocked, "diff_blocked", "The elements from one pointer to another, in blocks.";
    DiffCyclic, "diff_cyclic", "The elements from one pointer to another, dealt out one by one.";
    Distinct, "distinct", "Whether pointers lead to different objects, in pairs.";
    DistinctPrivate, "distinct_private", "The bits of a private pointer, if it leads to shared memory, or 0.";
    ElementCyclic, "element_cyclic", "A pointer to an element of a static array, by its number.";
    ExtentAdd, "extent_add", "Adds an object to an extent.";
    ExtentMeets, "extent_meets", "Whether an object may be in an extent.";
    ExtentNext, "extent_next", "A part begins: its extent, and that of the part before.";
    ExtentNone, "extent_none", "An extent of nothing.";
    ExtentRange, "extent_range", "An extent of nothing, of which all between its ends will count.";
    FloorDiv, "floor_div", "Division, downwards.";
    FloorDivThreads, "floor_div_threads", "Division by THREADS, downwards.";
    HasRemote, "has_remote", "Whether some memory of the job is remote.";
    InputsStill, "inputs_still",
        "Whether a private object will not be written by the part, so that the fetched values stand.";
    MinePointer, "mine_pointer", "Whether a global pointer leads to this processor's memory.";
    MyThread, "MYTHREAD", "The number of this thread.";
    NearCyclic, "near_cyclic",
        "A local pointer to an element that is dealt out one by one, counted from a pointer.";
    NotBelowZero, "not_below_zero", "A number, or 0 if it is less.";
    Note, "note", "Notes that an object will be written.";
    NoteValue, "note_value", "Notes that an object will be written, and the value.";
    NotesEnd, "notes_end", "The stages end.";
    NotesNone, "notes_none", "No notes.";
    NotesPart, "notes_part", "A part of stages begins.";
    NotesStill, "notes_still",
        "Whether the parts of a bound have not been written, so that the fetched values stand.";
    Own, "own", "A local pointer to this thread's part of an array.";
    OwnElementBlocked, "own_element_blocked", "The same in blocks.";
    OwnElementCyclic, "own_element_cyclic", "A pointer to an own element, by its number among these.";
    OwnRows, "own_rows", "How many of this thread's rows lie below a row.";
    Part, "part", "A local pointer to a thread's part of an array.";
    PartBits, "part_bits", "The bits of a pointer to a thread's part of an array.";
    PrefetchDepth, "prefetch_depth", "Iterations that are read ahead at a time, at most.";
    PrefetchFew, "prefetch_few", "The same if an iteration reads a large object.";
    PrefetchFirst, "prefetch_first", "Iterations of the first part of stages.";
    PrefetchMore, "prefetch_more", "The iterations of the next pause, after one without room.";
    PrefetchNext, "prefetch_next", "The iterations of the next part.";
    PrefetchPause, "prefetch_pause", "Iterations that run before reading ahead is tried again.";
    PrefetchSame, "prefetch_same", "Whether a condition comes out as it did when the values were fetched.";
    RemoteGlobal, "remote_global", "Whether a global pointer of Split-C leads to remote memory.";
    RoundBlocked, "round_blocked", "The same of a pointer with a phase.";
    RoundCyclic, "round_cyclic",
        "The bits of this thread's first element of the round of blocks that a pointer is in.";
    RoundsAgain, "rounds_again", "A round ends: whether another one follows.";
    RoundsGoes, "rounds_goes", "Whether iterations of the part run now.";
    RoundsNext, "rounds_next", "The iterations of a part have run.";
    RoundsNone, "rounds_none", "The state of rounds before the first.";
    RoundsOf, "rounds_of", "Computes a value for a trial, which does not use it.";
    RoundsPart, "rounds_part", "A part begins: whether it is tried first.";
    RoundsRoom, "rounds_room", "Whether a part takes another iteration.";
    RoundsTurn, "rounds_turn", "Another turn of a loop in a trial; ends the trial after too many.";
    RoundsUndone, "rounds_undone", "Whether an iteration is to be tried in this round.";
    RowBlocked, "row_blocked", "The same of a pointer with a phase.";
    RowCyclic, "row_cyclic",
        "The number of the element that a pointer is at, counted from the first of its round of blocks.";
    SectionCopy, "section_copy", "The copy of a section.";
    SectionDim, "section_dim", "Describes a section: a subscript.";
    SectionFirst, "section_first", "The first subscript in a copy.";
    SectionGet, "section_get", "Begins to copy a section.";
    SectionOf, "section_of", "Describes a section: its array.";
    SectionPart, "section_part", "How many iterations a copy takes of a subscript that counts own rows.";
    SectionPut, "section_put", "Puts a copy where it belongs.";
    SectionRoom, "section_room", "Makes room for a copy that the nest writes as a whole.";
    SectionStride, "section_stride", "Elements of a copy between neighbours by a subscript.";
    SectionsThere, "sections_there", "Waits for all copies.";
    StepsApart, "steps_apart", "The distance of such values.";
    StepsMeet, "steps_meet", "The first of the values of a counter that steps which is own.";
    Threads, "THREADS", "The number of threads.";
    TurnCyclic, "turn_cyclic", "A pointer and whole turns over the threads.";
}
