//! The steps of a C function, in their order, and how each is done.

use crate::core::language::{Atom, Bind, FuncId, Var};
use base::Span;

/// A step of a C function.
pub enum Step {
    /// An operation, and how it is done.
    Do(Bind, Way),
    /// A conditional. `span`: its position, unless its results are the function's. `gives`: the variables
    /// that have values after it, none if control does not reach its end.
    If { span: Option<Span>, test: Atom, then: Vec<Step>, other: Vec<Step>, gives: Vec<Var> },
    /// Assigns the results of the conditional, at the end of an arm.
    Give(Vec<Var>, Vec<Atom>),
    /// Returns the function's results.
    Return(Vec<Atom>),
    /// Returns the results of another C function.
    TailCall(FuncId, Vec<Atom>),
    /// Calls the function itself at its end. `storage`: for each parameter whose arrays alternate in the same
    /// storage, the array that becomes its value, if this function has made it.
    Turn { args: Vec<Atom>, storage: Vec<(Var, Option<Var>)> },
    /// Leaves the rest of the function to threads.
    Leave(Rest),
}

/// How an operation is done.
pub enum Way {
    /// In the only way: the operation waits for nothing.
    Plain,
    /// An array of few elements, made in line; `reuses`: the parameter whose storage it may reuse.
    SmallArray { count: i64, reuses: Option<Var> },
    /// A closure of this code-block.
    Closure(usize),
    /// A read of a field or a bound, which may have to wait.
    Wait(Wait),
    /// A read of an element.
    Fetch(Fetch),
    /// A store into a field or an element.
    Store(Store),
    /// A call. `rest`: the remainder, if the callee waits.
    Call { callee: Callee, rest: Option<Rest> },
    /// An application. `wait`: for the closure; `rest`: the remainder, if the applied function waits.
    Apply { wait: Wait, rest: Rest },
    /// Leaves the operation, and everything after it, to threads.
    Leave(Rest),
}

/// The action of a C function if an operation has to wait.
pub enum Wait {
    /// Leaves the whole call to threads: all its operations so far can be repeated.
    Repeat,
    /// Leaves the remainder to threads, which wait.
    Rest(Rest),
}

/// The remainder of a function, from one of its operations on.
pub struct Rest {
    /// The code-block of the remainder.
    pub block: usize,
    /// The number of late parameters; these are the first.
    pub missing: usize,
    /// The variables passed to the other parameters.
    pub live: Vec<Var>,
}

/// How an element is read.
pub struct Fetch {
    /// A test of a box of elements, made before this read, which is the first of them.
    pub look: Option<Look>,
    /// How the read waits if the element is empty; none if no test is needed.
    pub wait: Option<Wait>,
}

/// A test whether all elements of a box are full.
pub struct Look {
    pub first: Vec<i64>,
    pub last: Vec<i64>,
    pub wait: Wait,
}

/// How a store is done.
pub enum Store {
    /// With all tests.
    Tested,
    /// Into an element that is known to be empty.
    Sure,
    /// Into an array that has not escaped: element number `at` of `count`.
    New { at: i64, count: i64 },
}

/// How a function is called.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Callee {
    /// By its C function.
    Function,
    /// By this code-block.
    Block(usize),
}
