//! The steps of a C function, in their order, and how each is done.

use crate::core::language::{Atom, Bind, FuncId, Var};
use base::Span;

/// A step of a C function.
pub enum Step {
    /// An operation, and how it is done.
    Do(Bind, Way),
    /// A conditional. `span`: its position, unless it gives the function's results. `gives`: the variables
    /// that have values after it, none if control does not come there.
    If { span: Option<Span>, test: Atom, then: Vec<Step>, other: Vec<Step>, gives: Vec<Var> },
    /// At the end of an arm: the results of the conditional get their values.
    Give(Vec<Var>, Vec<Atom>),
    /// Gives the function's results.
    Return(Vec<Atom>),
    /// Gives the results of another C function.
    TailCall(FuncId, Vec<Atom>),
    /// Calls the function itself at its end. `storage`: by parameter whose arrays take turns in the same
    /// storage, the array that it becomes, if this function has made that.
    Turn { args: Vec<Atom>, storage: Vec<(Var, Option<Var>)> },
    /// Leaves the rest of the function to threads.
    Leave(Rest),
}

/// How an operation is done.
pub enum Way {
    /// Without a choice: it waits for nothing.
    Plain,
    /// An array of few elements, made in line; `reuses`: the parameter whose storage it may take.
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
    /// Not here: threads do it, and everything after it.
    Leave(Rest),
}

/// What a C function does if an operation has to wait.
pub enum Wait {
    /// It leaves the whole call to threads: everything that it has done can be repeated.
    Repeat,
    /// It leaves the remainder to threads, which wait.
    Rest(Rest),
}

/// The remainder of a function, from one of its operations on.
pub struct Rest {
    /// Its code-block.
    pub block: usize,
    /// How many of its parameters come late; these are the first.
    pub missing: usize,
    /// The variables that the other parameters get.
    pub live: Vec<Var>,
}

/// How an element is read.
pub struct Fetch {
    /// First a look at a box of elements that begins with this one.
    pub look: Option<Look>,
    /// What happens if the element is not there; none: it is, and no test is needed.
    pub wait: Option<Wait>,
}

/// A test whether all elements of a box are there.
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
    /// Into an array that nobody else knows: element number `at` of `count`.
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
