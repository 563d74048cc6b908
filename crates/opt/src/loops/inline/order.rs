//! The places of expressions and statements in the order of the program ([`Unit`]), computed after copies
//! of functions' bodies have been put in it.
//!
//! A node whose text lies in the text of its parent has its place there. Any other node has been moved or
//! copied from elsewhere: it comes after the part of the parent's text that precedes it, and the rest is
//! moved on by its length.

use base::Span;
use c_syntax::ast::*;
use c_syntax::visit::{Visitor, walk_expr, walk_stmt};

/// Finds the places of all expressions and statements.
pub(super) fn renumber(unit: &mut Unit) {
    let text = Span::new(0, u32::MAX);
    let mut order = Order { unit, text, ahead: 0, exprs: Vec::new(), stmts: Vec::new() };
    unit.items.iter().for_each(|&d| order.decl(d));
    let Order { exprs, stmts, .. } = order;
    exprs.into_iter().for_each(|(e, at)| unit.exprs[e].at = at);
    stmts.into_iter().for_each(|(s, at)| unit.stmts[s].at = at);
}

struct Order<'a> {
    unit: &'a Unit,
    /// The text of the node at hand.
    text: Span,
    /// The offset from positions in that text to places in the order of the program, modulo 2^32.
    ahead: u32,
    exprs: Vec<(ExprId, Span)>,
    stmts: Vec<(StmtId, Span)>,
}

impl Order<'_> {
    /// The place of a node with this text; `inner` goes through its parts.
    fn place(&mut self, text: Span, inner: impl FnOnce(&mut Self)) -> Span {
        let (around, ahead) = (self.text, self.ahead);
        let is_within = around.lo <= text.lo && text.hi <= around.hi;
        if !is_within {
            self.ahead = around.hi.wrapping_add(ahead).wrapping_sub(text.lo);
        }
        let lo = text.lo.wrapping_add(self.ahead);
        self.text = text;
        inner(self);
        self.text = around;
        let hi = text.hi.wrapping_add(self.ahead);
        if !is_within {
            self.ahead = ahead.wrapping_add(hi - lo);
        }
        Span::new(lo, hi)
    }
}

impl<'a> Visitor<'a> for Order<'a> {
    fn unit(&self) -> &'a Unit {
        self.unit
    }

    fn expr(&mut self, e: ExprId) {
        let at = self.place(self.unit.exprs[e].span, |order| walk_expr(order, e));
        self.exprs.push((e, at));
    }

    fn stmt(&mut self, s: StmtId) {
        let at = self.place(self.unit.stmts[s].span, |order| walk_stmt(order, s));
        self.stmts.push((s, at));
    }
}
