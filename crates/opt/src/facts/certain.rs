//! Expressions that every iteration of a loop evaluates, independently of the conditions in it.

use c_syntax::ast::*;
use c_syntax::visit::{Visitor, walk_stmt};
use std::collections::HashSet;

/// Expressions that every iteration evaluates, if it runs to its end.
#[derive(Clone, Debug, Default)]
pub(crate) struct Certain {
    /// All such expressions, places that are assigned included.
    pub(crate) evaluated: HashSet<ExprId>,
    /// The expressions whose objects are read, inner ones first.
    pub(crate) reads: Vec<ExprId>,
    /// The `for` loops that every iteration reaches.
    pub(crate) loops: Vec<StmtId>,
}

/// Finds the expressions that a loop's body always evaluates.
pub(crate) fn of_body(unit: &Unit, body: StmtId) -> Certain {
    let mut finder = Finder { unit, found: Certain::default() };
    finder.stmt(body);
    finder.found
}

/// Finds the expressions that an expression always evaluates.
pub(crate) fn of_value(unit: &Unit, e: ExprId) -> Certain {
    let mut finder = Finder { unit, found: Certain::default() };
    finder.value(e);
    finder.found
}

struct Finder<'a> {
    unit: &'a Unit,
    found: Certain,
}

impl Finder<'_> {
    /// Adds the expressions that the statement evaluates whenever it runs to its end. Returns false if the
    /// statements after it may be skipped.
    fn stmt(&mut self, s: StmtId) -> bool {
        let unit = self.unit;
        match &unit.stmts[s].kind {
            StmtKind::Compound(items) => return items.iter().all(|&item| self.stmt(item)),
            StmtKind::Expr(e) => e.iter().for_each(|&e| self.value(e)),
            StmtKind::Decl(d) => {
                if let DeclKind::Vars { items, .. } = &unit.decls[*d].kind {
                    let inits = items.iter().filter_map(|item| item.init);
                    inits.for_each(|init| {
                        if let InitKind::Expr(e) = unit.inits[init].kind {
                            self.value(e);
                        }
                    });
                }
            }
            StmtKind::If(c, ..) => self.value(*c),
            StmtKind::For { .. } => self.found.loops.push(s),
            _ => {}
        }
        !continues(unit, s)
    }

    /// Adds the values that the expression reads whenever it is evaluated.
    fn value(&mut self, e: ExprId) {
        self.found.evaluated.insert(e);
        match &self.unit.exprs[e].kind {
            ExprKind::Paren(a) | ExprKind::Extension(a) | ExprKind::Cast(_, a) => self.value(*a),
            ExprKind::Binary(BinOp::And | BinOp::Or, a, _) | ExprKind::Cond(a, _, _) => self.value(*a),
            ExprKind::Binary(_, a, b) => {
                self.value(*a);
                self.value(*b);
            }
            ExprKind::Assign(_, target, value) => {
                self.place(*target);
                self.value(*value);
            }
            ExprKind::Pre(_, target) | ExprKind::Post(_, target) => self.place(*target),
            ExprKind::Call(_, args) => args.iter().for_each(|&a| self.value(a)),
            ExprKind::Unary(UnOp::Addr, place) => self.place(self.unit.bare(*place)),
            _ => {
                self.place(e);
                self.found.reads.push(e);
            }
        }
    }

    /// Adds the values that are read to find the place `e`.
    fn place(&mut self, e: ExprId) {
        self.found.evaluated.insert(e);
        match self.unit.exprs[e].kind {
            ExprKind::Paren(a) | ExprKind::Extension(a) => self.place(a),
            ExprKind::Index(a, b) => {
                self.value(a);
                self.value(b);
            }
            ExprKind::Unary(_, a) | ExprKind::Member { base: a, arrow: true, .. } => self.value(a),
            ExprKind::Member { base, .. } => self.place(base),
            _ => {}
        }
    }
}

/// Whether a statement may `continue` a loop, even if only one inside of it.
pub(crate) fn continues(unit: &Unit, s: StmtId) -> bool {
    struct Continues<'a>(&'a Unit, bool);
    impl<'a> Visitor<'a> for Continues<'a> {
        fn unit(&self) -> &'a Unit {
            self.0
        }
        fn stmt(&mut self, s: StmtId) {
            self.1 |= matches!(self.0.stmts[s].kind, StmtKind::Continue);
            walk_stmt(self, s);
        }
    }
    let mut finder = Continues(unit, false);
    finder.stmt(s);
    finder.1
}
