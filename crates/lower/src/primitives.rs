//! The names in C of the functions and values of the runtime that optimised trees use (`abi.h`).

use opt::tree::Primitive;

/// Returns a primitive's name.
pub(crate) fn name(of: Primitive) -> &'static str {
    use Primitive::*;
    match of {
        AddBlocked => "mer_add_b",
        AddCyclic => "mer_add_c",
        AddIndefinite => "mer_add_i",
        At => "mer_at",
        AtOrigin => "mer_at_origin",
        AtOriginBlocked => "mer_at_origin_b",
        Bits => "mer_bits",
        CacheBegin => "mer_cache_begin",
        CacheCold => "mer_cache_cold",
        CacheDepth => "MER_CACHE_DEPTH",
        CachePart => "mer_cache_part",
        CachePartFull => "mer_cache_part_full",
        CacheRow => "mer_cache_row",
        CacheRowsFull => "mer_cache_rows_full",
        CacheRowsSent => "mer_cache_rows_sent",
        CeilDivThreads => "mer_ceildivt",
        CountsStores => "&mer_counts_stores",
        DiffBlocked => "mer_diff_b",
        DiffCyclic => "mer_diff_c",
        Distinct => "MER_DISTINCT",
        DistinctPrivate => "mer_distinct_private",
        ElementCyclic => "mer_elem_c",
        ExtentAdd => "mer_extent_add",
        ExtentMeets => "mer_extent_meets",
        ExtentNext => "mer_extent_next",
        ExtentNone => "MER_EXTENT_NONE",
        ExtentRange => "MER_EXTENT_RANGE",
        FloorDiv => "mer_floordiv",
        FloorDivThreads => "mer_floordivt",
        HasRemote => "MER_HAS_REMOTE",
        InputsStill => "MER_INPUTS_STILL",
        MinePointer => "mer_mine_ptr",
        MyThread => "MER_MYTHREAD",
        NearCyclic => "mer_near_c",
        NotBelowZero => "mer_not_below_0",
        Note => "mer_note",
        NoteValue => "MER_NOTE_VALUE",
        NotesEnd => "mer_notes_end",
        NotesNone => "MER_NOTES_NONE",
        NotesPart => "mer_notes_part",
        NotesStill => "MER_NOTES_STILL",
        Own => "mer_own",
        OwnElementBlocked => "mer_own_element_b",
        OwnElementCyclic => "mer_own_element_c",
        OwnRows => "mer_own_rows",
        Part => "mer_part",
        PartBits => "mer_part_bits",
        PrefetchDepth => "MER_PREFETCH_DEPTH",
        PrefetchFew => "MER_PREFETCH_FEW",
        PrefetchFirst => "MER_PREFETCH_FIRST",
        PrefetchMore => "mer_prefetch_more",
        PrefetchNext => "mer_prefetch_next",
        PrefetchPause => "MER_PREFETCH_PAUSE",
        PrefetchSame => "MER_PREFETCH_SAME",
        RemoteGlobal => "mer_remote_global",
        RoundBlocked => "mer_round_b",
        RoundCyclic => "mer_round_c",
        RoundsAgain => "mer_rounds_again",
        RoundsGoes => "mer_rounds_goes",
        RoundsNext => "mer_rounds_next",
        RoundsNone => "MER_ROUNDS_NONE",
        RoundsOf => "MER_ROUNDS_OF",
        RoundsPart => "mer_rounds_part",
        RoundsRoom => "mer_rounds_room",
        RoundsTurn => "MER_ROUNDS_TURN",
        RoundsUndone => "MER_ROUNDS_UNDONE",
        RowBlocked => "mer_row_b",
        RowCyclic => "mer_row_c",
        SectionCopy => "mer_section_copy",
        SectionDim => "mer_section_dim",
        SectionFirst => "mer_section_first",
        SectionGet => "mer_section_get",
        SectionOf => "mer_section_of",
        SectionPart => "mer_section_part",
        SectionPut => "mer_section_put",
        SectionRoom => "mer_section_room",
        SectionStride => "mer_section_stride",
        SectionsThere => "mer_sections_there",
        StepsApart => "mer_steps_apart",
        StepsMeet => "mer_steps_meet",
        Threads => "MER_THREADS",
        TurnCyclic => "mer_turn_c",
    }
}

#[cfg(test)]
mod tests {
    use super::Primitive;

    #[test]
    fn as_many_pointers_are_asked_of_as_the_runtime_takes() {
        let header = include_str!("../../../runtime/include/meridian/abi/prefetch.h");
        assert!(header.contains(&format!("enum {{ MER_DISTINCT_MOST = {} }};", Primitive::MOST_DISTINCT)));
    }
}
