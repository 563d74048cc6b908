//! Guards in the verifier: a read that is started in advance stands after the branches that decide whether
//! its iteration does the read.
//!
//! The original program shows which expressions an `if`, `&&`, `||` or `?:` decides. Before a read is
//! started, copies of the same conditions are evaluated: around it, in a [`Node::Leave`] before it, or into a
//! variable that is tested around it, since later stages look up the results of earlier ones. The direction
//! of a branch is not checked. Neither are loops, whose iterations a part counts by variables of its own.
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
    /// The innermost condition that decides whether an expression of the program's is evaluated; none until a
    /// read is started in advance.
    decide: Option<FxHashMap<ExprId, ExprId>>,
    /// The conditions that have been evaluated around the place at hand.
    known: Vec<AccessId>,
    /// The conditions that went into the values of made variables, by the variable's number.
    noted: FxHashMap<u32, Vec<AccessId>>,
}

/// Finds the conditions that decide whether expressions are evaluated.
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
    /// The conditions that are known once a term has been tested.
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

    /// Notes that a term is tested before the rest of the list.
    pub(super) fn tested(&mut self, term: &Term) {
        let conditions = self.conditions(term);
        self.guards.known.extend(conditions);
    }

    /// Walks over a part whose tests are forgotten after it.
    pub(super) fn guarded(&mut self, inner: impl FnOnce(&mut Self)) {
        let known = self.guards.known.len();
        inner(self);
        self.guards.known.truncate(known);
    }

    /// Walks over an `if` of the program's.
    pub(super) fn decided(&mut self, condition: ExprId, inner: impl FnOnce(&mut Self)) {
        let id = self.tree.id(condition);
        self.guarded(|walk| {
            walk.guards.known.push(id);
            inner(walk);
        });
    }

    /// Notes the conditions in a value that a variable gets.
    pub(super) fn noted(&mut self, to: Slot, value: &Term) {
        let (Slot::Made(var) | Slot::Element(var, _)) = to else { return };
        let conditions = self.conditions(value);
        self.guards.noted.entry(var.number).or_default().extend(conditions);
    }

    /// Checks that all conditions that decide about a read have been evaluated when it is started in advance.
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
