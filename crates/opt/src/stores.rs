//! Counting a loop's signalling stores (`:-`) in a register.
//!
//! A store in reach is complete when it is done, but its bytes are to be counted for its receiver, where the program
//! waits for bytes (`store_sync`). The count is a write of its own, and of scattered stores a core has then half as
//! many under way. So a loop counts for itself, in a word with a field for each receiver, and adds that to the
//! counts when a field may be full and when the loop is left, however it is left (`struct mer_stores` in
//! `everything.h`).
//!
//! *Why it is allowed.* A receiver learns of bytes later than they come, which it may at any time: nothing tells when a
//! store arrives. Only it must not be for ever, while the loop waits for something that the receiver would do then. So
//! a plan is for loops that end by themselves: `for` and `while` with an automatic counter on its way to a bound that
//! keeps its value, loops inside likewise; that call nothing but functions of the C library which do not wait;
//! and all of whose stores are of one size, so that stores can be counted instead of bytes.
//!
//! Whether the program waits for bytes anywhere is known when it is linked. The loop is written twice, so that without
//! such waits it is the loop that it would be with plain stores.

use crate::affine::name;
use crate::effects::{Effects, of_body};
use crate::forall::LONGEST_BODY;
use c_sema::Typed;
use c_sema::typed::{SymId, SymKind};
use c_sema::types::Ty;
use c_syntax::ast::*;

/// How many bytes each of a loop's stores has, if its stores can be counted so.
pub fn counted(unit: &Unit, typed: &Typed, id: StmtId) -> Option<u64> {
    let mut ends = Ends { unit, typed };
    let body = ends.head(id)?;
    let span = unit.stmts[body].span;
    let mut sizes = unit.exprs.ids().filter_map(|e| match unit.exprs[e].kind {
        ExprKind::Split(SplitOp::Store, target, _) => {
            let at = unit.exprs[e].span;
            (span.lo <= at.lo && at.hi <= span.hi).then(|| typed.types.size_of(typed.ty(target)))
        }
        _ => None,
    });
    // The loop is written twice.
    if span.hi - span.lo > LONGEST_BODY || of_body(unit, typed, body).single {
        return None;
    }
    let size = sizes.next()??;
    if !sizes.all(|other| other == Some(size)) {
        return None;
    }
    ends.stmt(body).then_some(size)
}

/// Whether statements come to their end by themselves.
struct Ends<'a> {
    unit: &'a Unit,
    typed: &'a Typed,
}

impl Ends<'_> {
    /// The body of a loop that goes round a number of times known at entry.
    fn head(&mut self, id: StmtId) -> Option<StmtId> {
        let unit = self.unit;
        let (var, bound, body) = match unit.stmts[id].kind {
            StmtKind::For { cond: Some(cond), step: Some(step), body, .. } => {
                let (var, by) = self.step(step)?;
                if by.is_some_and(|by| !self.keeps(by, body)) {
                    return None;
                }
                match unit.exprs[unit.bare(cond)].kind {
                    ExprKind::Binary(BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge | BinOp::Ne, a, b) => {
                        let is_var = |e| name(unit, self.typed, e) == Some(var);
                        let bound = if is_var(a) { b } else { is_var(b).then_some(a)? };
                        (var, Some(bound), body)
                    }
                    _ => (name(unit, self.typed, cond).filter(|&n| n == var)?, None, body),
                }
            }
            StmtKind::While(cond, body) => {
                let lowered = match unit.exprs[unit.bare(cond)].kind {
                    ExprKind::Binary(BinOp::Gt, a, zero) if self.typed.constant(zero) == Some(0) => a,
                    _ => cond,
                };
                let ExprKind::Post(IncDec::Dec, n) = unit.exprs[unit.bare(lowered)].kind else { return None };
                (name(unit, self.typed, n)?, None, body)
            }
            _ => return None,
        };
        let symbol = self.typed.sym(var);
        let effects = of_body(unit, self.typed, body);
        let counts = matches!(symbol.kind, SymKind::Auto | SymKind::Param)
            && !symbol.address_taken
            && !symbol.ty.quals.is_volatile
            && !effects.assigned.contains(&var);
        let ends = counts && !effects.calls && !effects.opaque && bound.is_none_or(|b| self.keeps(b, body));
        ends.then_some(body)
    }

    /// What a third clause steps, and by what, if not by one.
    fn step(&self, step: ExprId) -> Option<(SymId, Option<ExprId>)> {
        match self.unit.exprs[self.unit.bare(step)].kind {
            ExprKind::Post(_, e) | ExprKind::Pre(_, e) => Some((name(self.unit, self.typed, e)?, None)),
            ExprKind::Assign(Some(BinOp::Add | BinOp::Sub), e, by) => {
                Some((name(self.unit, self.typed, e)?, Some(by)))
            }
            _ => None,
        }
    }

    /// Whether an expression has the same value each time, pointers and arrays included.
    fn keeps(&self, e: ExprId, body: StmtId) -> bool {
        let effects: Effects = of_body(self.unit, self.typed, body);
        let unit = self.unit;
        if let ExprKind::Binary(BinOp::Add | BinOp::Sub, a, b) = unit.exprs[unit.bare(e)].kind {
            return self.keeps(a, body) && self.keeps(b, body);
        }
        let array = name(unit, self.typed, e)
            .is_some_and(|s| matches!(self.typed.types.of(self.typed.sym(s).ty), Ty::Array(..)));
        array || effects.invariant(unit, self.typed, e)
    }

    fn stmt(&mut self, id: StmtId) -> bool {
        let unit = self.unit;
        match &unit.stmts[id].kind {
            StmtKind::Compound(items) => items.iter().all(|&s| self.stmt(s)),
            StmtKind::If(_, a, b) => self.stmt(*a) && b.is_none_or(|b| self.stmt(b)),
            StmtKind::For { .. } | StmtKind::While(..) => self.head(id).is_some_and(|body| self.stmt(body)),
            StmtKind::Switch(_, body) => self.stmt(*body),
            StmtKind::Case(_, _, s) | StmtKind::Default(s) => self.stmt(*s),
            StmtKind::Expr(_)
            | StmtKind::Decl(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(_)
            | StmtKind::Opaque => true,
            _ => false,
        }
    }
}
