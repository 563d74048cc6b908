//! Guards, as the verifier sees them: a read that is started in advance stands behind the branches that
//! decide whether its iteration comes to it.
//!
//! What an `if`, `&&`, `||` or `?:` decides is found on the program as it is written. Where a read is
//! started, copies of the same conditions have been evaluated: around it, in a [`Node::Leave`] in front of
//! it, or into a variable that is tested around it, since what a stage has found out later stages look up.
//! Which way a branch goes is not looked at, nor are loops, whose iterations a part counts by variables of
//! its own.
//!
//! [`Node::Leave`]: crate::ir::tree::Node::Leave

use super::{Fault, Walk};
use crate::ir::tree::{AccessId, Slot, Term, Tree};
use c_syntax::ast::*;
use c_syntax::visit::{Visitor, walk_expr, walk_stmt};
use rustc_hash::FxHashMap;

/// The conditions of a function.
#[derive(Default)]
pub(super) struct Guards {
    /// The innermost condition that decides whether an expression of the program's is evaluated; none until
    /// a read is started in advance.
    decide: Option<FxHashMap<ExprId, ExprId>>,
    /// Those that have been evaluated around the place at hand.
    known: Vec<AccessId>,
    /// Those that the values of made variables are made of, by the variable's number.
    noted: FxHashMap<u32, Vec<AccessId>>,
}

/// Finds what decides whether expressions are evaluated.
struct Decide<'a> {
    unit: &'a Unit,
    by: Option<ExprId>,
    found: FxHashMap<ExprId, ExprId>,
}

impl Decide<'_> {
    fn under(&mut self, by: ExprId, inner: impl FnOnce(&mut Self)) {
        let outer = self.by.replace(by);
        inner(self);
        self.by = outer;
    }
}

impl<'a> Visitor<'a> for Decide<'a> {
    fn unit(&self) -> &'a Unit {
        self.unit
    }

    fn stmt(&mut self, s: StmtId) {
        let StmtKind::If(c, then, otherwise) = self.unit.stmts[s].kind else { return walk_stmt(self, s) };
        self.expr(c);
        self.under(c, |find| [Some(then), otherwise].into_iter().flatten().for_each(|s| find.stmt(s)));
    }

    fn expr(&mut self, e: ExprId) {
        self.found.extend(self.by.map(|by| (e, by)));
        match self.unit.exprs[e].kind {
            ExprKind::Binary(BinOp::And | BinOp::Or, a, b) => {
                self.expr(a);
                self.under(a, |find| find.expr(b));
            }
            ExprKind::Cond(c, a, b) => {
                self.expr(c);
                self.under(c, |find| a.into_iter().chain([b]).for_each(|e| find.expr(e)));
            }
            _ => walk_expr(self, e),
        }
    }

    fn unevaluated(&mut self, _: ExprId) {}
}

impl Walk<'_> {
    /// What is known where a term has been tested.
    fn conditions(&self, term: &Term) -> Vec<AccessId> {
        let mut found = Vec::new();
        term.each(&mut |term| match *term {
            Term::Value(e) | Term::Holds(e) => found.push(self.tree.id(e)),
            Term::Var(var) | Term::Element(var, _) => {
                found.extend(self.guards.noted.get(&var.number).into_iter().flatten());
            }
            _ => {}
        });
        found
    }

    /// A term is tested, in front of the rest of the list.
    pub(super) fn tested(&mut self, term: &Term) {
        let conditions = self.conditions(term);
        self.guards.known.extend(conditions);
    }

    /// What is tested inside holds no longer behind it.
    pub(super) fn guarded(&mut self, inner: impl FnOnce(&mut Self)) {
        let known = self.guards.known.len();
        inner(self);
        self.guards.known.truncate(known);
    }

    /// An `if` of the program's.
    pub(super) fn decided(&mut self, condition: ExprId, inner: impl FnOnce(&mut Self)) {
        let id = self.tree.id(condition);
        self.guarded(|walk| {
            walk.guards.known.push(id);
            inner(walk);
        });
    }

    /// A variable gets a value.
    pub(super) fn noted(&mut self, to: Slot, value: &Term) {
        let (Slot::Made(var) | Slot::Element(var, _)) = to else { return };
        let conditions = self.conditions(value);
        self.guards.noted.entry(var.number).or_default().extend(conditions);
    }

    /// A read is started in advance.
    pub(super) fn comes_to(&mut self, read: ExprId) {
        let tree: &Tree = self.tree;
        let (function, known) = (self.function, &self.guards.known);
        let decide = self.guards.decide.get_or_insert_with(|| {
            let mut find = Decide { unit: &tree.unit, by: None, found: FxHashMap::default() };
            find.stmt(function);
            find.found
        });
        let mut of = tree.origin(read);
        while let Some(&by) = decide.get(&of) {
            if !known.contains(&tree.id(by)) {
                return self.broken_at(Fault::Unguarded, String::new(), tree.unit.exprs[read].span);
            }
            of = by;
        }
    }
}
