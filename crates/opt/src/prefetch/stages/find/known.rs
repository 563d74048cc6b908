//! When values, objects and addresses are known: before which stage what they are made of has been read.

use super::Find;
use crate::functions::{self, Summary};
use crate::places::is_bit_field;
use c_sema::typed::{SymId, SymKind};
use c_syntax::ast::*;
use c_syntax::visit::{Node as Any, each_expr};

impl Find<'_> {
    /// The stage from which on a value is known; none if it cannot be before its iteration runs.
    pub(super) fn known(&mut self, e: ExprId) -> Option<usize> {
        let (unit, typed) = (self.body.unit, self.body.typed);
        if typed.constant(e).is_some() {
            return Some(0);
        }
        if self.body.is_array(e) {
            return self.known_place(e);
        }
        match &unit.exprs[e].kind {
            &ExprKind::Paren(a) | &ExprKind::Extension(a) | &ExprKind::Cast(_, a) => self.known(a),
            &ExprKind::Unary(UnOp::Plus | UnOp::Minus | UnOp::Not | UnOp::BitNot, a) => self.known(a),
            &ExprKind::Unary(UnOp::Addr, place) => self.known_place(place),
            &ExprKind::Binary(op, a, b) if op != BinOp::Comma => {
                let a = self.known(a)?;
                let inputs = self.inputs.len();
                let b = self.known(b)?;
                let under = matches!(op, BinOp::And | BinOp::Or);
                (!under || inputs == self.inputs.len()).then_some(a.max(b))
            }
            &ExprKind::Cond(c, a, b) => {
                let mut stage = self.known(c)?;
                let inputs = self.inputs.len();
                for e in a.into_iter().chain([b]) {
                    stage = stage.max(self.known(e)?);
                }
                (inputs == self.inputs.len()).then_some(stage)
            }
            ExprKind::Number | ExprKind::Char | ExprKind::Threads | ExprKind::MyThread => Some(0),
            ExprKind::Call(f, args) if functions::of_call(self.tree, *f) == Summary::Arguments => {
                let mut stage = 0;
                for &a in args {
                    stage = stage.max(self.known(a)?);
                }
                Some(stage)
            }
            ExprKind::Ident(_) if !typed.types.is_shared(typed.ty(e)) => self.known_variable(e),
            ExprKind::Ident(_)
            | ExprKind::Index(..)
            | ExprKind::Unary(UnOp::Deref, _)
            | ExprKind::Member { .. } => self.known_object(e),
            _ => None,
        }
    }

    fn known_variable(&mut self, e: ExprId) -> Option<usize> {
        let sym = self.body.typed.symbol(e)?;
        if self.vars.contains(&sym) {
            return Some(0);
        }
        if let Some(&(_, stage)) = self.locals.get(&sym) {
            return Some(stage);
        }
        let kept = self.body.effects.keeps(self.body.typed, sym) && self.body.in_front(sym);
        // A pointer may lead to what other files can name.
        let external = matches!(self.body.typed.sym(sym).kind, SymKind::Static { external: true, .. });
        (kept && !(external && self.dependences.may_write(e))).then_some(0)
    }

    fn known_object(&mut self, e: ExprId) -> Option<usize> {
        if self.body.typed.types.is_shared(self.body.typed.ty(e)) {
            let slot = self.slot_of(e)?;
            return Some(self.plan.slots[slot].stage + 1);
        }
        let stage = self.known_place(e)?;
        if self.dependences.may_write(e) {
            // What is written by the same name is not likely to stay, unless it is appended to.
            let root = self.root(e);
            let stays = self
                .dependences
                .writes
                .iter()
                .all(|write| self.root(write.place) != root || self.appends(write.place));
            if is_bit_field(self.tree, e) || !stays {
                return None;
            }
            self.inputs.push(e);
        }
        Some(stage)
    }

    /// The stage from which on an address is known.
    pub(super) fn known_place(&mut self, e: ExprId) -> Option<usize> {
        match self.body.unit.exprs[e].kind {
            ExprKind::Ident(_) => {
                let sym = self.body.typed.symbol(e)?;
                let kept = !self.body.effects.assigned.contains(&sym);
                let known = match self.body.typed.sym(sym).kind {
                    SymKind::Static { external: true, .. } => true,
                    SymKind::Static { .. } | SymKind::Auto | SymKind::Param => kept,
                    _ => false,
                };
                (known && self.body.in_front(sym)).then_some(0)
            }
            ExprKind::Paren(a) | ExprKind::Extension(a) => self.known_place(a),
            ExprKind::Index(a, b) => Some(self.known(a)?.max(self.known(b)?)),
            ExprKind::Unary(UnOp::Deref, p) => self.known(p),
            ExprKind::Member { base, arrow: true, .. } => self.known(base),
            ExprKind::Member { base, .. } => self.known_place(base),
            _ => None,
        }
    }

    /// Whether an object is `list[n++]`.
    fn appends(&self, place: ExprId) -> bool {
        let unit = self.body.unit;
        let ExprKind::Index(_, n) = unit.exprs[unit.bare(place)].kind else { return false };
        matches!(unit.exprs[unit.bare(n)].kind, ExprKind::Post(IncDec::Inc, _))
    }

    /// What an object is reached by.
    fn root(&self, e: ExprId) -> Option<SymId> {
        let mut root = None;
        each_expr(self.body.unit, Any::Expr(e), |e| {
            if matches!(self.body.unit.exprs[e].kind, ExprKind::Ident(_)) && root.is_none() {
                root = self.body.typed.symbol(e);
            }
            root.is_none()
        });
        root
    }
}
