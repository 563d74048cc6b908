//! Functions of the unit, and the effects of calls on the other threads.

use crate::library::{self, Effects};
use crate::typed::{SymId, SymKind, Typed};
use base::{Source, Span};
use c_syntax::ast::*;
use rustc_hash::FxHashMap;

/// The program under the checks.
#[derive(Clone, Copy)]
pub(super) struct Program<'a> {
    pub unit: &'a Unit,
    pub source: &'a Source,
    pub typed: &'a Typed,
    pub bodies: &'a FxHashMap<SymId, StmtId>,
}

/// The effects of a call on the other threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Callee<'a> {
    /// A library function that all threads call together.
    Collective(&'a str),
    /// `upc_lock`, `upc_unlock` and `upc_lock_attempt`.
    Lock,
    Unlock,
    Attempt,
    /// A function of the library that may order accesses of several threads.
    Syncs,
    /// A function without effects on other threads.
    Quiet,
    /// A function that ends the thread or the job.
    Ends,
    /// A function of the unit.
    Body(SymId),
    /// A function that is not known.
    Unknown,
}

/// C's functions that do not return.
const ENDS: &[&str] = &["exit", "abort", "_exit", "_Exit", "quick_exit", "longjmp", "siglongjmp"];

/// Names of functions of system headers that may wait for other threads begin so.
const MAY_WAIT: &[&str] = &[
    "MPI_", "PMPI_", "shmem_", "gasnet", "pthread_", "sem_", "mq_", "msg", "wait", "recv", "send", "futex",
    "syscall",
];

impl<'a> Program<'a> {
    /// Whether a function is the one that all threads run from its beginning.
    pub fn is_main(&self, sym: SymId) -> bool {
        matches!(&*self.typed.sym(sym).name, "main" | "splitc_main")
    }

    /// The effects of a call of `f`.
    pub fn callee(&self, f: ExprId) -> Callee<'a> {
        let f = self.unit.bare(f);
        let ExprKind::Ident(name) = &self.unit.exprs[f].kind else { return Callee::Unknown };
        let Some(sym) = self.typed.symbol(f) else { return Callee::Quiet };
        let builtin = name.text.strip_prefix("__builtin_");
        if ENDS.contains(&builtin.unwrap_or(&name.text)) || matches!(builtin, Some("trap" | "unreachable")) {
            return Callee::Ends;
        }
        if let Some(row) = self.typed.library(f) {
            return match (row.name, row.effects) {
                ("upc_global_exit", _) | (_, Effects::Fails) => Callee::Ends,
                ("upc_lock", _) => Callee::Lock,
                ("upc_unlock", _) => Callee::Unlock,
                ("upc_lock_attempt", _) => Callee::Attempt,
                (_, Effects::Collective) => Callee::Collective(&name.text),
                (_, Effects::None) => Callee::Quiet,
                _ if library::header_of(row.name).is_some() => Callee::Syncs,
                _ => Callee::Quiet,
            };
        }
        let symbol = self.typed.sym(sym);
        match symbol.kind {
            SymKind::Builtin => Callee::Quiet,
            SymKind::Function if self.is_system(symbol.span) => {
                let waits = MAY_WAIT.iter().any(|begin| name.text.starts_with(begin));
                if waits { Callee::Unknown } else { Callee::Quiet }
            }
            SymKind::Function if self.bodies.contains_key(&sym) => Callee::Body(sym),
            _ => Callee::Unknown,
        }
    }

    /// Whether a place is in a system header, or in the text of a macro of one.
    pub fn is_system(&self, span: Span) -> bool {
        self.source.presumed(span.lo).system
    }

    /// The place of a call for messages: its function's name, or the first argument, if the name is part of a
    /// macro of a system header.
    pub fn place(&self, f: ExprId, args: &[ExprId]) -> Span {
        let of = |e: &ExprId| self.unit.exprs[*e].span;
        let all = [of(&self.unit.bare(f))].into_iter().chain(args.iter().map(of));
        all.clone().find(|&span| !self.is_system(span)).unwrap_or(of(&f))
    }

    /// The text of a span.
    pub fn text(&self, span: Span) -> &'a str {
        self.source.text.get(span.range()).unwrap_or("")
    }

    /// The text of an expression.
    pub fn text_of(&self, e: ExprId) -> &'a str {
        self.text(self.unit.exprs[e].span)
    }

    /// The array or pointer and the subscript of `a[i]` or `i[a]`.
    pub fn indexed(&self, a: ExprId, i: ExprId) -> (ExprId, ExprId) {
        let types = &self.typed.types;
        let integer = |e| types.is_integer(self.typed.ty(self.unit.bare(e)));
        if integer(a) && !integer(i) { (i, a) } else { (a, i) }
    }

    /// Whether an expression names a shared object.
    pub fn is_shared(&self, e: ExprId) -> bool {
        self.typed.types.object_quals(self.typed.ty(e)).shared.is_some()
    }

    /// Calls `found` for each name of an object in an expression, outermost first.
    pub fn names(&self, e: ExprId, found: &mut dyn FnMut(SymId)) {
        struct Names<'n, 'a>(Program<'a>, &'n mut dyn FnMut(SymId));
        impl<'a> crate::visit::Visitor<'a> for Names<'_, 'a> {
            fn unit(&self) -> &'a Unit {
                self.0.unit
            }
            fn typed(&self) -> &'a Typed {
                self.0.typed
            }
            fn place(&mut self, e: ExprId, _: crate::visit::Use) {
                if let (ExprKind::Ident(_), Some(sym)) = (&self.0.unit.exprs[e].kind, self.0.typed.symbol(e))
                {
                    (self.1)(sym);
                }
                crate::visit::walk_place(self, e);
            }
        }
        crate::visit::Visitor::value(&mut Names(*self, found), e);
    }
}
