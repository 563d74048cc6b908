//! Why a pass leaves a loop or an access as it is: one line of the table for each reason.

use std::fmt;

macro_rules! reasons {
    ($($name:ident, $text:literal, $help:expr;)*) => {
        /// Why a pass leaves a loop or an access as it is.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Reason {
            /// The loop is of another kind than the pass is for: the user is told nothing.
            OtherKind,
            $(#[doc = $text] $name,)*
        }

        impl Reason {
            /// The reason in words, about the loop (`it`); empty for a loop of another kind.
            pub fn text(self) -> &'static str {
                match self {
                    Reason::OtherKind => "",
                    $(Reason::$name => $text,)*
                }
            }

            /// A change of the program that removes the reason.
            pub fn help(self) -> Option<&'static str> {
                match self {
                    Reason::OtherKind => None,
                    $(Reason::$name => $help,)*
                }
            }
        }
    };
}

reasons! {
    AddressMoves, "the address of what it reads may change before the iteration", Some(help::KNOWN_ADDRESS);
    AffinityNotByIndex, "its affinity does not follow from `i` alone", None;
    AffinityNotByPointer, "its affinity is not the pointer's", None;
    Atomic, "it has atomic accesses", None;
    AtomicDecides, "its outcome decides how far the loop goes", None;
    AtomicMeets, "the loop may access the object that it changes otherwise, too", Some(help::OTHER_ARRAYS);
    BodyAssignsPointer, "its body assigns the pointer, or its address is taken", None;
    BodyAssignsVariable, "its body assigns the variable", None;
    BodyEmpty, "its body is empty: it waits", None;
    BodyEntered, "its body may be entered from outside, or is not followed", None;
    BodyLong, "its body is long", Some(help::LOOP_FOR_READS);
    BodyOnceOrLeaves, "its body cannot be written twice, or leaves the loop", None;
    BodyOnceOrLong, "its body cannot be written twice, or is long", None;
    BodySynchronises, "its body synchronises, leaves the loop, or is not followed", Some(help::OWN_LOOP);
    BodyUsesCounter, "its body uses the variable that counts down or steps", None;
    BoundChanges, "its bound may change", None;
    CallDepends, "it calls a function that may depend on more than its arguments", Some(help::READ_BEFORE_CALLS);
    CallDoesAnything, "it calls a function that may do anything", Some(help::READ_BEFORE_CALLS);
    CallReadsByPointer, "it calls a function that reads by a pointer", Some(help::READ_BEFORE_CALLS);
    ConditionChanges, "its condition reads what may change", Some(help::COPY_BOUND);
    ConditionNotByIndex, "its condition is not `i < hi`, or downwards `i >= lo`", Some(help::COPY_BOUND);
    ConditionNotByPointer, "its condition is not `p < end`", Some(help::COPY_BOUND);
    FirstClause, "its first clause is not `i = lo`", None;
    FirstValueChanges, "its first value may change", None;
    HeadUnknown, "its head is of no known kind", None;
    InnerMayWait, "something in it may wait, or go on without end", None;
    InnerVersioned, "it synchronises: the loops in it are versioned instead", None;
    IterationGoesOn, "an iteration goes on from where the one before has come to", Some(help::SET_FIRST);
    IterationsShare, "an iteration may assign what another one uses", None;
    IterationsUnknown, "its number of iterations is not known", None;
    Long, "it is long", None;
    ManyRows, "it has many rows", None;
    ManySections, "it reads more sections than there are places for copies", None;
    MayNotEnd, "it is not sure to count to an end", None;
    MayWait, "it may wait, or go on without end", None;
    MoreReadsThanBuffers, "it has more reads than buffers are worth", Some(help::TWO_LOOPS);
    MoreReadsThanTrials, "it has more reads than trials are worth", Some(help::TWO_LOOPS);
    MoreThanReductions, "it does more than assign its elements and form reductions", None;
    WouldBreak, "left as it is: rewritten it would not mean what it means to the program", None;
    NestNotFollowed, "its nest is not followed", None;
    NoAffinity, "it has no affinity", None;
    NoElements, "it goes over no elements", None;
    NoReadCached, "no read of it is worth a cache", None;
    NoRowsByVariable, "it has no accesses to rows that its variable names", None;
    NoSection, "no access in it is worth a copy of a section", None;
    NoSingleNest, "its body is no single nest", None;
    NoSureRead, "no iteration is sure to read shared memory", Some(help::READ_FIRST);
    NoVersionForRows, "its nest has no version for rows on this host", None;
    NotCached, "it reads what is kept in no cache", None;
    NotDealtOut, "it does not go through elements that are dealt out", None;
    NotFollowed, "what it does is not followed", None;
    NotInRows, "not all that it reads and writes is in rows that stay", None;
    NothingFollowed, "no loop in it goes on by what it reads", None;
    NothingAsks, "no access in it has to ask", None;
    PointerBoundChanges, "its bound may change, or is a pointer of another type", None;
    PointerChanges, "what points to its elements changes in it, or may", None;
    PointerStepsTwice, "a pointer does more than step once an iteration", None;
    PointersUsed, "its pointers are used for more than accesses and steps", None;
    ReadDepends, "whether it is read depends on what the iteration computes", Some(help::KNOWN_CONDITION);
    ReadsBitField, "it reads a bit-field, or a struct that is long or has qualified members", None;
    ReadsOtherIterations, "it may read what another iteration writes", None;
    ReadsTypeOfBody, "it reads an object of a type that the body defines", None;
    RowBelowUnsigned, "its row is below an unsigned variable", None;
    RowsCountedOtherwise, "its rows are counted in a way of their own", None;
    SameObject, "it reads the same object each time", Some(help::COPY_OBJECT);
    SameObjectWritten, "it reads the same object each time, which the loop may write", Some(help::COPY_OBJECT);
    Single, "there is something in it of which there can be only one", None;
    SplitPhase, "it has split-phase accesses", None;
    StagesReadNoMore, "stages would read no more than one part, and the loops in it, do", None;
    StepChanges, "its step may change", Some(help::CONSTANT_STEP);
    StepNotByPointer, "its step is not `p++`", Some(help::CONSTANT_STEP);
    StepNotSmall, "its step is not a small constant", Some(help::CONSTANT_STEP);
    StepNotThreads, "its step is not THREADS", Some(help::CONSTANT_STEP);
    StepUnknown, "its step is of no known kind", Some(help::CONSTANT_STEP);
    StepsArray, "it steps a pointer that serves as an array", None;
    StepsChanged, "it steps a variable that its body or its condition changes", None;
    StoreSizeUnknown, "the size of its stores is not known", None;
    StoresOfSizes, "its stores are of different sizes", None;
    Strict, "it has strict accesses", Some(help::RELAX);
    SumInOrder, "a sum is formed by operators that cannot change places", None;
    Synchronises, "it synchronises, is left from inside, or is not followed", None;
    SynchronisesOrSingle, "it synchronises, or there is something in it of which there can be only one", None;
    VariableChanges, "its variable or bound may change", None;
    VariableNoInteger, "its variable is no automatic integer, or its address is taken", None;
    VariableNotAutomatic, "its variable is not automatic, or its address is taken", None;
    VariableSteppedTwice, "more than its step changes the variable", Some(help::STEP_ALONE);
    VariablesOutlast, "it assigns variables that outlast an iteration", None;
    Volatile, "it has volatile accesses", Some(help::COPY_VOLATILE);
    WritesAndMoves, "it may write what it reads, and the address of that may change before the iteration", Some(help::KNOWN_WRITE);
    WritesInManyPlaces, "it may write what it reads, in more places than tests are worth", Some(help::KNOWN_WRITE);
    WritesItsWay, "it may write what it goes on by", Some(help::COPY_PRIVATE);
    WritesOtherRows, "it may write to other rows than its own", Some(help::KNOWN_WRITE);
    WritesSeveralRows, "it writes to several rows of an array", None;
    WrittenOnce, "it cannot be written twice", None;
}

impl Reason {
    /// Whether users are told the reason.
    pub fn is_told(self) -> bool {
        self != Reason::OtherKind
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.text())
    }
}

/// Changes of a program that remove a reason, for help that several reasons share.
mod help {
    pub(super) const OTHER_ARRAYS: &str =
        "arrays that are named, or objects of another type, which cannot be the one that it changes";
    pub(super) const OWN_LOOP: &str =
        "a loop of its own for the reads, without barrier, fence, `break` and `return`";
    pub(super) const READ_BEFORE_CALLS: &str =
        "a loop that reads into a private array, in front of the calls, is prefetched";
    pub(super) const RELAX: &str = "only accesses that other threads wait for need be strict";
    pub(super) const COPY_VOLATILE: &str = "a copy of the volatile object in front of the loop";
    pub(super) const STEP_ALONE: &str = "the loop's variable must be changed by its third clause alone";
    pub(super) const COPY_BOUND: &str = "a copy of the bound in front of the loop, in a variable";
    pub(super) const CONSTANT_STEP: &str =
        "a step that is constant or a variable that the loop does not change";
    pub(super) const KNOWN_ADDRESS: &str =
        "addresses made of the loop's variable, invariants, and at most one read";
    pub(super) const COPY_PRIVATE: &str =
        "copies of what private objects are found by, in variables that the loop does not write";
    pub(super) const SET_FIRST: &str = "variables that each iteration sets before it reads them";
    pub(super) const KNOWN_WRITE: &str = "subscripts of the write made of the loop's variable and invariants";
    pub(super) const READ_FIRST: &str = "a read in front of the condition, into a variable, is prefetched";
    pub(super) const KNOWN_CONDITION: &str =
        "a condition made of the loop's variable, of reads, and of what stays the same";
    pub(super) const LOOP_FOR_READS: &str = "a loop of its own for the reads";
    pub(super) const TWO_LOOPS: &str = "two loops, each with a part of the reads";
    pub(super) const COPY_OBJECT: &str = "a copy of the object in front of the loop, in a variable";
}
