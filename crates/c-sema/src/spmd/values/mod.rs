//! The values of a function's integers: whether they are the same on all threads, and their forms.
//!
//! One walk follows a function's statements in their order, with the values of its automatic integers whose
//! address is not taken, and notes the value of each use of a variable. Afterwards [`Values::of`] returns the
//! value of any expression of the function. Where paths join, a variable keeps a value that it has on each of
//! them. A variable that a loop assigns has no known value in the loop before its assignment, except the
//! variable that the head of the loop counts.
//!
//! The time is linear in the size of the function, since a path records its changes only.

mod evaluate;
mod follow;

use super::calls::Program;
use super::form::Form;
use crate::typed::Typed;
use c_syntax::ast::*;
use evaluate::Evaluation;
use rustc_hash::FxHashMap;

/// Whether a value is the same on all threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Across {
    /// The same on all threads.
    Single,
    /// Not computed from MYTHREAD in this function.
    Unrelated,
    /// Computed from MYTHREAD and single values alone, and not the same on all threads.
    Differs,
    /// Computed from MYTHREAD and unrelated values: not the same on all threads if these are.
    Mixed,
    /// Depends on MYTHREAD in another way; may be the same on all threads.
    Entangled,
}

use Across::{Differs, Entangled, Mixed, Single, Unrelated};

impl Across {
    /// Whether threads have different values.
    pub fn varies(self) -> bool {
        matches!(self, Differs | Mixed)
    }

    /// Whether a value has nothing to do with MYTHREAD.
    fn is_clean(self) -> bool {
        matches!(self, Single | Unrelated)
    }

    /// The result of arithmetic with both.
    fn with(self, other: Across) -> Across {
        match (self, other) {
            (Entangled, _) | (_, Entangled) => Entangled,
            (a, b) if a.varies() && b.varies() => Entangled,
            (Single, x) | (x, Single) => x,
            (Unrelated, Unrelated) => Unrelated,
            _ => Mixed,
        }
    }
}

/// The value of an integer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Value {
    pub across: Across,
    pub form: Option<Form>,
    /// The value is (MYTHREAD + n) % THREADS.
    pub ring: Option<i128>,
}

impl Value {
    fn only(across: Across) -> Value {
        Value { across, form: None, ring: None }
    }

    fn formed(across: Across, form: Form) -> Value {
        Value { across, form: Some(form), ring: None }
    }

    fn constant(number: i128) -> Value {
        Value::formed(Single, Form::constant(number))
    }
}

/// Which iterations of a loop a thread runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Share {
    /// All.
    All,
    /// Some; each iteration is run by one thread.
    Dealt,
}

/// The iterations of a loop with a counter.
#[derive(Clone, Debug)]
pub(super) struct Iterations {
    /// The number of the last one, if it is known.
    pub last: Option<Form>,
    pub share: Share,
}

/// The values of one function.
#[derive(Default)]
pub(super) struct Values {
    /// Uses of variables.
    at: FxHashMap<ExprId, Value>,
    /// The loops that count.
    pub loops: FxHashMap<StmtId, Iterations>,
}

impl Values {
    /// Follows the body of a function.
    pub fn follow(program: Program, body: StmtId) -> Values {
        follow::follow(program, body)
    }

    /// Whether the threads certainly run different numbers of iterations of a loop.
    pub fn trips_differ(&self, program: Program, s: StmtId) -> bool {
        let last = self
            .loops
            .get(&s)
            .filter(|loops| loops.share == Share::All)
            .and_then(|loops| loops.last.as_ref());
        let Some(last) = last.filter(|last| last.me != 0 && last.loops.is_empty()) else { return false };
        let trips = |threads, me| last.at(threads, me).max(-1);
        sizes(program.typed).iter().all(|&threads| trips(threads, 0) != trips(threads, threads - 1))
    }

    /// The value of an expression of the function.
    pub fn of(&self, program: Program, e: ExprId) -> Value {
        Evaluation { program, values: self }.of(e, 0)
    }
}

/// The sizes of jobs for which a condition has to differ between the first and the last thread.
fn sizes(typed: &Typed) -> Vec<i128> {
    match typed.static_threads {
        Some(threads) => vec![threads.into()],
        None => vec![2, 3, 8, base::contract::MAX_THREADS as i128],
    }
}
