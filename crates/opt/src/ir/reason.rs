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
            /// The reason in words; empty for a loop of another kind.
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
    AddressMoves, "the address of an access may change before its iteration", Some(help::KNOWN_ADDRESS);
    AffinityNotByIndex, "the affinity does not follow from `i` alone", None;
    AffinityNotByPointer, "the affinity is not the loop's pointer", None;
    Atomic, "the loop has atomic accesses", None;
    AtomicDecides, "the result of the atomic operation decides how long the loop runs", None;
    AtomicMeets, "another access of the loop may reach the object of the atomic operation", Some(help::OTHER_ARRAYS);
    BodyAssignsPointer, "the body assigns the loop's pointer, or the pointer's address is taken", None;
    BodyAssignsVariable, "the body assigns the loop's variable", None;
    BodyEmpty, "the body is empty: the loop waits", None;
    BodyEntered, "the body may be entered from outside, or cannot be analysed", None;
    BodyLong, "the body is long", Some(help::LOOP_FOR_READS);
    BodyOnceOrLeaves, "the body cannot be duplicated, or leaves the loop", None;
    BodyOnceOrLong, "the body cannot be duplicated, or is long", None;
    BodySynchronises, "the body synchronises, leaves the loop, or cannot be analysed", Some(help::OWN_LOOP);
    BodyUsesCounter, "the body uses the variable that counts down or steps", None;
    BoundChanges, "the loop's bound may change", None;
    CallDepends, "the loop calls a function that may depend on more than its arguments", Some(help::READ_BEFORE_CALLS);
    CallDoesAnything, "the loop calls a function with unknown effects", Some(help::READ_BEFORE_CALLS);
    CallReadsByPointer, "the loop calls a function that reads through a pointer", Some(help::READ_BEFORE_CALLS);
    ConditionChanges, "the loop's condition reads objects that may change", Some(help::COPY_BOUND);
    ConditionNotByIndex, "the loop's condition is not `i < hi`, or downwards `i >= lo`", Some(help::COPY_BOUND);
    ConditionNotByPointer, "the loop's condition is not `p < end`", Some(help::COPY_BOUND);
    FirstClause, "the loop's first clause is not `i = lo`", None;
    FirstValueChanges, "the first value of the loop's variable may change", None;
    HeadUnknown, "the loop's head has an unknown form", None;
    InnerMayWait, "a statement in the loop may wait, or run for ever", None;
    InnerVersioned, "the loop synchronises: its inner loops are versioned instead", None;
    IterationGoesOn, "an iteration continues with values of the iteration before it", Some(help::SET_FIRST);
    IterationsShare, "an iteration may assign an object that another iteration uses", None;
    IterationsUnknown, "the number of iterations is not known", None;
    Long, "the loop is long", None;
    ManyRows, "the loop accesses too many rows", None;
    ManySections, "the loop accesses more sections than can be copied at a time", None;
    MayNotEnd, "the loop is not known to end by counting", None;
    MayWait, "the loop may wait, or run for ever", None;
    MoreReadsThanBuffers, "the loop has too many reads for buffers", Some(help::TWO_LOOPS);
    MoreReadsThanTrials, "the loop has too many reads for trials", Some(help::TWO_LOOPS);
    MoreThanReductions, "the loop does more than assign its elements and compute reductions", None;
    WouldBreak, "the rewritten loop would change the program's meaning", None;
    NestNotFollowed, "the inner loops cannot be analysed", None;
    NoAffinity, "the loop has no affinity", None;
    NoElements, "the loop traverses no elements of an array", None;
    NoReadCached, "no read in the loop is worth a cache", None;
    NoRowsByVariable, "the loop's variable is the subscript of no row", None;
    NoSection, "no access in the loop is worth a copy of a section", None;
    NoSingleNest, "the body is not a single nest of loops", None;
    NoSureRead, "no iteration is sure to read shared memory", Some(help::READ_FIRST);
    NoVersionForRows, "the inner loops have no version for rows on this host", None;
    NotCached, "the loop reads objects that cannot be cached", None;
    NotDealtOut, "the pointer's elements are not distributed over the threads", None;
    NotFollowed, "the loop has a statement or expression that cannot be analysed", None;
    NotInRows, "not all accesses of the loop are to rows that stay the same", None;
    NothingFollowed, "no inner loop continues by values that it reads", None;
    NothingAsks, "no access in the loop needs a locality test", None;
    PointerBoundChanges, "the loop's bound may change, or is a pointer of another type", None;
    PointerChanges, "the pointer to the elements may change in the loop", None;
    PointerStepsTwice, "a pointer does more than step once an iteration", None;
    PointersUsed, "the loop's pointers are used for more than accesses and steps", None;
    ReadDepends, "a value that the iteration computes decides whether the access is done", Some(help::KNOWN_CONDITION);
    ReadsBitField, "the loop reads a bit-field, or a struct that is long or has qualified members", None;
    ReadsOtherIterations, "an iteration may read an object that another iteration writes", None;
    ReadsTypeOfBody, "the loop reads an object of a type that its body defines", None;
    RowBelowUnsigned, "the affinity subtracts from an unsigned variable", None;
    RowsCountedOtherwise, "a section moves in a loop whose counter or end is not known", None;
    SameObject, "each iteration reads the same object", Some(help::COPY_OBJECT);
    SameObjectWritten, "each iteration reads the same object, which the loop may write", Some(help::COPY_OBJECT);
    Single, "the loop has a label, a static object or another construct that cannot be duplicated", None;
    SplitPhase, "the loop has split-phase accesses", None;
    StagesReadNoMore, "stages would prefetch no more reads than the simple form", None;
    StepChanges, "the loop's step may change", Some(help::CONSTANT_STEP);
    StepNotByPointer, "the loop's step is not `p++`", Some(help::CONSTANT_STEP);
    StepNotSmall, "the loop's step is not a small constant", Some(help::CONSTANT_STEP);
    StepNotThreads, "the loop's step is not THREADS", Some(help::CONSTANT_STEP);
    StepUnknown, "the loop's step has an unknown form", Some(help::CONSTANT_STEP);
    StepsArray, "the loop steps a pointer that it uses as an array", None;
    StepsChanged, "the loop steps a variable that its body or its condition changes", None;
    StoreSizeUnknown, "the size of the loop's stores is not known", None;
    StoresOfSizes, "the loop's stores have different sizes", None;
    Strict, "the loop has strict accesses", Some(help::RELAX);
    SumInOrder, "a sum has operators that cannot be reordered", None;
    Synchronises, "the loop synchronises, is left from inside, or cannot be analysed", None;
    SynchronisesOrSingle, "the loop synchronises, or has a label, a static object or another construct that cannot be duplicated", None;
    VariableChanges, "the loop's variable or bound may change", None;
    VariableNoInteger, "the loop's variable is not an automatic integer, or its address is taken", None;
    VariableNotAutomatic, "the loop's variable is not automatic, or its address is taken", None;
    VariableSteppedTwice, "the loop's variable is changed outside of its step, too", Some(help::STEP_ALONE);
    VariablesOutlast, "the loop assigns variables that outlive an iteration", None;
    Volatile, "the loop has volatile accesses", Some(help::COPY_VOLATILE);
    WritesAndMoves, "the loop may write an object that it reads, whose address may change before the iteration", Some(help::KNOWN_WRITE);
    WritesInManyPlaces, "the loop may write objects that it reads, in too many places to test", Some(help::KNOWN_WRITE);
    WritesItsWay, "the loop may write values that decide how it continues", Some(help::COPY_PRIVATE);
    WritesOtherRows, "an iteration may write to rows other than its own", Some(help::KNOWN_WRITE);
    WritesSeveralRows, "an iteration writes to several rows of an array", None;
    WrittenOnce, "the loop is long, or cannot be duplicated", None;
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
        "use named arrays or objects of other types for the other accesses of the loop";
    pub(super) const OWN_LOOP: &str =
        "put the reads into a loop of their own, without barrier, fence, `break` and `return`";
    pub(super) const READ_BEFORE_CALLS: &str =
        "read into a private array before the calls, in a loop of its own: that loop is prefetched";
    pub(super) const RELAX: &str = "make accesses strict only if other threads wait for them";
    pub(super) const COPY_VOLATILE: &str = "copy the volatile object into a variable before the loop";
    pub(super) const STEP_ALONE: &str = "change the loop's variable in the third clause alone";
    pub(super) const COPY_BOUND: &str = "copy the bound into a variable before the loop";
    pub(super) const CONSTANT_STEP: &str =
        "use a step that is constant, or a variable that the loop does not change";
    pub(super) const KNOWN_ADDRESS: &str =
        "compute addresses from the loop's variable, invariants, and reads of the same iteration";
    pub(super) const COPY_PRIVATE: &str =
        "copy the pointers to private objects into variables that the loop does not write";
    pub(super) const SET_FIRST: &str = "set variables in each iteration before they are read";
    pub(super) const KNOWN_WRITE: &str =
        "compute subscripts of the write from the loop's variable and invariants";
    pub(super) const READ_FIRST: &str =
        "read into a variable before the condition: such a read is prefetched";
    pub(super) const KNOWN_CONDITION: &str = "use a condition of the loop's variable, reads, and invariants";
    pub(super) const LOOP_FOR_READS: &str = "put the reads into a loop of their own";
    pub(super) const TWO_LOOPS: &str = "write two loops, each with a part of the reads";
    pub(super) const COPY_OBJECT: &str = "copy the object into a variable before the loop";
}
