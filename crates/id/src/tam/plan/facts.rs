//! The facts about each function that plans need, found before anything is planned.

use super::views::{self, Views};
use super::{Plan, eligible, independent};
use crate::core::calls;
use crate::core::language::{Func, FuncId, Program};
use crate::tam::strict;
use base::contract::sharing;
use std::ops::Index;

/// The facts of all functions, remainders of others included.
pub struct Facts {
    /// By function and parameter: whether all its results and effects need the parameter.
    pub strict: Vec<Vec<bool>>,
    all: Vec<Fact>,
}

/// The facts of a function.
#[derive(Clone, Default)]
pub struct Fact {
    /// The function may have a C function.
    pub eligible: bool,
    /// The function calls itself by way of others.
    pub mutually_recursive: bool,
    /// The function, or the one whose remainder it is, calls itself other than by a loop.
    pub divides: bool,
    /// The function divides, and makes more than one call.
    pub forks: bool,
    /// The function is a remainder of another.
    pub rest: bool,
    /// The parameters that are passed with views.
    pub views: Views,
}

impl Facts {
    /// The facts of a program. `c_functions`: functions may have C functions.
    pub fn of(program: &Program, c_functions: bool) -> Facts {
        let mutually_recursive = eligible::mutually_recursive(program);
        let divides = eligible::divides(program);
        let views = if c_functions { views::views(program) } else { vec![Views::new(); program.funcs.len()] };
        let fact = |(n, views): (usize, Views)| Fact {
            eligible: c_functions && eligible::eligible(program, n),
            mutually_recursive: mutually_recursive[n],
            divides: divides[n],
            forks: divides[n] && calls::calls(&program.funcs[n]) > 1,
            rest: false,
            views,
        };
        let all = views.into_iter().enumerate().map(fact).collect();
        Facts { strict: strict::analyse(program), all }
    }

    /// Adds the facts of a remainder of the function `of`.
    pub fn add_rest(&mut self, rest: &Func, of: FuncId) {
        let divides = self.all[of].divides;
        let forks = divides && calls::calls(rest) > 1;
        self.all.push(Fact { divides, forks, rest: true, ..Fact::default() });
        self.strict.push(vec![false; rest.params.len()]);
    }

    /// Whether the code-blocks of a function rarely run, because a C function computes as much as possible at
    /// once.
    pub fn is_fallback(&self, func: FuncId) -> bool {
        self.all[func].rest || self.all[func].eligible
    }
}

impl Index<FuncId> for Facts {
    type Output = Fact;

    fn index(&self, func: FuncId) -> &Fact {
        &self.all[func]
    }
}

impl Plan {
    /// How the work of a code-block can be shared among processors: the bits of `struct tam_codeblock`.
    pub fn sharing(&self, func: FuncId) -> usize {
        let (f, fact) = (&self.program.funcs[func], &self.facts[func]);
        if !fact.rest {
            let halves = fact.eligible && independent::of(f, func).is_some();
            return bit(halves, sharing::PASSES) | bit(fact.forks, sharing::FORKS);
        }
        if !fact.divides {
            return 0;
        }
        let callees = calls::callees(f);
        let forks = callees.iter().any(|f| self.facts[*f].forks);
        bit(true, sharing::RECURSION) | bit(!callees.is_empty(), sharing::CALLS) | bit(forks, sharing::FORKS)
    }
}

/// The bit of the contract if it is set.
fn bit(set: bool, bit: u32) -> usize {
    if set { bit as usize } else { 0 }
}
