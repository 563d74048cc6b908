//! The values of a loop's head, its condition and step, before the iterations run.
//!
//! Such a value is made of the loop's variable, of variables that keep their values while the body runs
//! ([`Effects::keeps`]), and of objects in memory that the loop does not write
//! ([`crate::facts::dependences`]).
//!
//! [`Effects::keeps`]: crate::facts::effects::Effects::keeps

use crate::facts::advance::Advance;
use crate::facts::body::Body;
use crate::facts::certain;
use crate::facts::dependences::{Dependences, moves};
use crate::facts::places::is_bit_field;
use crate::facts::shapes::mentions;
use crate::ir::tree::Access;
use c_sema::typed::{SymId, SymKind};
use c_sema::types::{IntKind, Ty};
use c_syntax::ast::*;
use c_syntax::visit::{Node as Any, each_expr};

/// An analysis of the head of a loop.
pub(crate) struct Heads<'a> {
    pub(crate) body: &'a Body<'a>,
    /// The variable of the loop.
    pub(crate) var: SymId,
    pub(crate) dependences: &'a Dependences<'a>,
}

impl<'a> Heads<'a> {
    /// Returns true if a condition, a step or a bound can be evaluated in advance of iterations: it is made
    /// of the variable and invariants, and of private memory that the loop does not write.
    pub(crate) fn steady(&self, e: ExprId) -> bool {
        if self.plain(e) {
            return true;
        }
        let mut private = true;
        each_expr(self.body.unit, Any::Expr(e), |e| {
            let quals = self.body.typed.types.object_quals(self.body.typed.ty(e));
            private &= quals.shared.is_none() && !quals.is_volatile && !quals.is_atomic;
            private
        });
        private && self.is_known(e)
    }

    /// Returns the shared scalars in a condition, inner ones first, if the condition can be evaluated in
    /// advance once they have been read: each scalar is the same in all iterations, no iteration writes it,
    /// and the condition reads it whenever it is evaluated.
    pub(crate) fn bounds(&self, cond: ExprId) -> Option<Vec<ExprId>> {
        let (unit, typed) = (self.body.unit, self.body.typed);
        let is_bound = |e: ExprId| {
            let q = typed.ty(e);
            typed.types.is_shared(q) && typed.types.is_scalar(q)
        };
        let mut bounds = certain::of_value(unit, cond).reads;
        bounds.retain(|&e| is_bound(e) && self.constant(e) && !is_bit_field(self.body.tree, e));
        let mut known = !bounds.is_empty();
        each_expr(unit, Any::Expr(cond), |e| {
            known &= moves(unit, typed, e).is_ok() && (!is_bound(e) || bounds.contains(&e));
            known
        });
        (known && self.is_known(cond)).then_some(bounds)
    }

    /// Returns true if `e` names a variable that the body changes only by adding 1 or another positive
    /// constant, and whose type does not wrap: `int`, or one of 64 bits, which no count exhausts.
    pub(crate) fn rises(&self, e: ExprId) -> bool {
        let (unit, typed) = (self.body.unit, self.body.typed);
        let Some(sym) = self.body.name(e).filter(|&sym| self.body.automatic(sym)) else { return false };
        let mut rises = match typed.types.of(typed.sym(sym).ty) {
            Ty::Int(kind) => *kind == IntKind::Int || kind.size() == 8,
            _ => false,
        };
        each_expr(unit, Any::Stmt(self.body.stmt), |e| {
            if let ExprKind::Assign(_, target, _) | ExprKind::Pre(_, target) | ExprKind::Post(_, target) =
                unit.exprs[e].kind
                && self.body.name(target) == Some(sym)
            {
                rises &= match unit.exprs[e].kind {
                    ExprKind::Assign(Some(BinOp::Add), _, by) => typed.constant(by).is_some_and(|by| by > 0),
                    ExprKind::Pre(IncDec::Inc, _) | ExprKind::Post(IncDec::Inc, _) => true,
                    _ => false,
                };
            }
            rises
        });
        rises
    }

    /// Returns true if an expression consists of the loop's variable and of values that need no memory that
    /// may change.
    fn plain(&self, e: ExprId) -> bool {
        if self.body.name(e) == Some(self.var) {
            return true;
        }
        match self.body.unit.exprs[e].kind {
            ExprKind::Paren(a) | ExprKind::Extension(a) => self.plain(a),
            ExprKind::Cast(_, a) => self.body.typed_in_front(e) && self.plain(a),
            ExprKind::Ident(_) => {
                let (types, q) = (&self.body.typed.types, self.body.typed.ty(e));
                !(types.is_shared(q) && types.is_scalar(q)) && self.is_known(e)
            }
            ExprKind::Unary(op, a) => !matches!(op, UnOp::Addr | UnOp::Deref) && self.plain(a),
            ExprKind::Binary(op, a, b) => op != BinOp::Comma && self.plain(a) && self.plain(b),
            _ => self.body.effects.invariant(self.body.unit, self.body.typed, e),
        }
    }

    /// Returns true if the shared object `e` is the same one in all iterations, and no iteration writes it.
    fn constant(&self, e: ExprId) -> bool {
        !mentions(self.body.unit, self.body.typed, e, self.var) && !self.dependences.may_write(e)
    }

    fn is_known(&self, e: ExprId) -> bool {
        Values(self).value_of(e).is_some()
    }
}

/// The values that are known before the iterations run.
struct Values<'w, 'a>(&'w Heads<'a>);

impl<'a> Advance<'a> for Values<'_, 'a> {
    type Known = ();

    fn body(&self) -> &'a Body<'a> {
        self.0.body
    }

    fn variable_of(&mut self, e: ExprId) -> Option<()> {
        let (head, typed) = (self.0, self.0.body.typed);
        let sym = typed.symbol(e)?;
        // A pointer may lead to a variable that other files can name.
        let external = matches!(typed.sym(sym).kind, SymKind::Static { external: true, .. });
        let kept = head.body.effects.keeps(typed, sym) && !(external && head.dependences.may_write(e));
        (sym == head.var || kept).then_some(())
    }

    fn object_of(&mut self, e: ExprId) -> Option<()> {
        self.place_of(e)?;
        let (head, body) = (self.0, self.0.body);
        let steady = match body.typed.types.is_shared(body.typed.ty(e)) {
            false => !head.dependences.may_write(e),
            true => head.constant(e) && !matches!(body.tree.access(e), Some(Access::Element { .. })),
        };
        steady.then_some(())
    }

    fn branch_of(&mut self, (): (), e: ExprId) -> Option<()> {
        self.value_of(e)
    }
}
