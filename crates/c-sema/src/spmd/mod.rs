//! Mistakes of programs whose threads run the same text, as far as they show without running it.
//!
//! The checks belong here, at the end of c-sema: they need the typed tree of the whole unit, since a barrier
//! may be in a function that is called, and nothing that a later component finds out. They change nothing.
//! The optimiser has facts of its own, about a tree that it rewrites; those prove that a rewriting is right,
//! while these find programs that are wrong.
//!
//! | check | finds |
//! |---|---|
//! | [`divergence`] | barriers and collective calls that not all threads reach |
//! | [`locks`] | locks that are kept, taken twice, or taken in both orders |
//! | [`bounds`] | subscripts outside of a shared array, in loops and by thread |
//! | [`races`] | reads of an object after another thread's write, with no barrier between |
//!
//! Each works on one function, from the values of its integers ([`values`], [`form`]) and the effects of its
//! calls ([`calls`]). A warning is given only if the program is wrong whenever the place is reached; values
//! and functions that are not known never lead to one. The time is linear in the size of the unit.
//!
//! Precondition: the unit has been parsed and checked, without errors.

mod bounds;
mod calls;
mod divergence;
mod form;
mod locks;
mod races;
mod values;

use crate::typed::{SymId, Typed};
use base::{Diagnostic, Source};
use c_syntax::Language;
use c_syntax::ast::*;
use calls::Program;
use divergence::Divergence;
use rustc_hash::FxHashMap;
use values::Values;

/// Returns the warnings of mistakes between threads, for a unit that has been checked.
pub fn check(unit: &Unit, source: &Source, typed: &Typed) -> Vec<Diagnostic> {
    if typed.types.language == Language::C {
        return Vec::new();
    }
    let mut bodies = FxHashMap::default();
    let mut order: Vec<(SymId, StmtId)> = Vec::new();
    for &item in &unit.items {
        if let DeclKind::Function { declarator, body, .. } = unit.decls[item].kind
            && let Some(sym) = typed.declared(declarator)
            && !source.presumed(unit.stmts[body].span.lo).system
        {
            bodies.insert(sym, body);
            order.push((sym, body));
        }
    }
    let program = Program { unit, source, typed, bodies: &bodies };
    let all: FxHashMap<SymId, Values> =
        order.iter().map(|&(sym, body)| (sym, Values::follow(program, body))).collect();
    let mut found = Vec::new();
    let mut divergence = Divergence::new(program, &all);
    let threads = typed.static_threads != Some(1);
    let mut locks = locks::Locks::new(program);
    for (sym, body) in order {
        let values = &all[&sym];
        found.extend(bounds::check(program, values, sym, body));
        if threads {
            divergence.check(sym);
            found.extend(locks.check(sym, body, values));
            found.extend(races::check(program, values, sym, body));
        }
    }
    found.extend(divergence.found);
    found
}
