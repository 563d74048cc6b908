//! Which values and addresses of a loop's iterations can be computed before these run.
//!
//! They are made of the loop's variable, of what keeps its value while the body runs ([`Effects::keeps`]),
//! and of private memory that the body does not write, or writes by another type of value only (C 6.5p7;
//! objects of one byte may alias all).
//!
//! [`Effects::keeps`]: crate::effects::Effects::keeps

use crate::body::Body;
use crate::shapes::mentions;
use c_sema::Typed;
use c_sema::typed::{SymId, SymKind};
use c_sema::types::{QTy, Ty};
use c_syntax::ast::*;
use c_syntax::visit::{Node as Any, each_expr};

/// What is asked of the addresses in a loop's body.
pub(crate) struct Addresses<'a> {
    body: &'a Body<'a>,
    var: SymId,
    /// Private objects that the body assigns, other than those whose names alone reach them.
    written: Vec<ExprId>,
    /// Static shared objects that the body writes to.
    shared_written: Vec<SymId>,
}

impl<'a> Addresses<'a> {
    /// Those of a loop that counts by `var`; a reason if the body writes shared memory by pointers, or has
    /// accesses that stay where they are.
    pub(crate) fn new(body: &'a Body<'a>, var: SymId) -> Result<Addresses<'a>, &'static str> {
        let (written, shared_written) = written(body)?;
        Ok(Addresses { body, var, written, shared_written })
    }

    /// A condition or a step: of the variable and invariants, without memory.
    pub(crate) fn plain(&self, e: ExprId) -> bool {
        if self.body.name(e) == Some(self.var) {
            return true;
        }
        match self.body.unit.exprs[e].kind {
            ExprKind::Paren(a) | ExprKind::Extension(a) | ExprKind::Cast(_, a) => self.plain(a),
            ExprKind::Ident(_) => {
                let (types, q) = (&self.body.typed.types, self.body.typed.ty(e));
                !(types.is_shared(q) && types.is_scalar(q)) && self.steady(e)
            }
            ExprKind::Unary(op, a) => !matches!(op, UnOp::Addr | UnOp::Deref) && self.plain(a),
            ExprKind::Binary(op, a, b) => op != BinOp::Comma && self.plain(a) && self.plain(b),
            _ => self.body.effects.invariant(self.body.unit, self.body.typed, e),
        }
    }

    /// Whether the shared object `e` is a scalar whose address can be computed before the iteration.
    pub(crate) fn fetchable(&self, e: ExprId) -> Result<(), &'static str> {
        let (types, q) = (&self.body.typed.types, self.body.typed.ty(e));
        if !types.is_scalar(q) || crate::places::is_bit_field(self.body.tree, e) {
            return Err("it reads no scalar, or a bit-field");
        }
        if !self.place(e) {
            return Err("the address of what it reads may change before the iteration");
        }
        if self.unshared(e) { Ok(()) } else { Err("it writes what it reads") }
    }

    /// Whether no assignment of the body is to the shared object `e`. A pointer may lead to any.
    fn unshared(&self, e: ExprId) -> bool {
        let read = whole(self.body.unit, self.body.typed, e);
        self.shared_written.is_empty() || read.is_some_and(|sym| !self.shared_written.contains(&sym))
    }

    /// Whether the address of an object is the same whenever it is computed, in its iteration or before.
    fn place(&self, e: ExprId) -> bool {
        match self.body.unit.exprs[e].kind {
            ExprKind::Ident(_) => self.body.typed.symbol(e).is_some_and(|sym| {
                self.body.in_front(sym)
                    && !self.body.effects.assigned.contains(&sym)
                    && matches!(
                        self.body.typed.sym(sym).kind,
                        SymKind::Static { .. } | SymKind::Auto | SymKind::Param
                    )
            }),
            ExprKind::Paren(a) | ExprKind::Extension(a) => self.place(a),
            ExprKind::Index(a, b) => self.steady(a) && self.steady(b),
            ExprKind::Unary(UnOp::Deref, p) => self.steady(p),
            ExprKind::Member { base, arrow, .. } => {
                if arrow {
                    self.steady(base)
                } else {
                    self.place(base)
                }
            }
            _ => false,
        }
    }

    /// The same of a value.
    fn steady(&self, e: ExprId) -> bool {
        let (unit, typed) = (self.body.unit, self.body.typed);
        let array = self.body.is_array(e);
        if typed.constant(e).is_some() || (array && self.place(e)) {
            return true;
        }
        match unit.exprs[e].kind {
            ExprKind::Paren(a) | ExprKind::Extension(a) | ExprKind::Cast(_, a) => self.steady(a),
            ExprKind::Unary(UnOp::Plus | UnOp::Minus | UnOp::Not | UnOp::BitNot, a) => self.steady(a),
            ExprKind::Binary(op, a, b) => op != BinOp::Comma && self.steady(a) && self.steady(b),
            ExprKind::Cond(c, a, b) => a.is_none_or(|a| self.steady(a)) && self.steady(c) && self.steady(b),
            ExprKind::Ident(_) => {
                if typed.types.is_shared(typed.ty(e)) {
                    return self.place(e) && self.constant(e);
                }
                typed.symbol(e).is_some_and(|sym| {
                    // A pointer may lead to what other files can name.
                    let hidden = !matches!(typed.sym(sym).kind, SymKind::Static { external: true, .. });
                    let keeps = self.body.effects.keeps(typed, sym) && self.body.in_front(sym);
                    sym == self.var || (keeps && (hidden || self.unwritten(e)))
                })
            }
            ExprKind::Number | ExprKind::Char | ExprKind::Threads | ExprKind::MyThread => true,
            ExprKind::Index(..) | ExprKind::Unary(UnOp::Deref, _) | ExprKind::Member { .. } => {
                // Of shared memory, only what is read once for all iterations: its reads would wait for each
                // other.
                let shared = typed.types.is_shared(typed.ty(e));
                self.place(e) && if shared { self.constant(e) } else { self.unwritten(e) }
            }
            _ => false,
        }
    }

    /// Whether the shared object `e`, which may be on this host, is the same one in all iterations, and none
    /// assigns it.
    pub(crate) fn constant(&self, e: ExprId) -> bool {
        !self.varies(e) && self.unshared(e) && self.unwritten(e)
    }

    /// Whether no assignment of the body by private names and pointers is to the object `e`.
    fn unwritten(&self, e: ExprId) -> bool {
        let read = self.body.typed.ty(e);
        let root = self.root(e);
        self.written.iter().all(|&target| {
            let other = root.is_some() && self.root(target).is_some_and(|sym| Some(sym) != root);
            other || self.differ(read, self.body.typed.ty(target))
        })
    }

    /// The array that `e` is an element of, where it is named.
    fn root(&self, e: ExprId) -> Option<SymId> {
        let ExprKind::Index(a, _) = self.body.unit.exprs[e].kind else { return None };
        match self.body.typed.types.of(self.body.typed.ty(a)) {
            Ty::Array(..) => self.body.name(a).or_else(|| self.root(self.body.unit.bare(a))),
            _ => None,
        }
    }

    /// Whether an assignment to an object of the one type leaves those of the other as they are (C 6.5p7).
    fn differ(&self, a: QTy, b: QTy) -> bool {
        let types = &self.body.typed.types;
        let kind = |q: QTy| match types.of(q) {
            Ty::Int(_) | Ty::Enum(_) => Some(0),
            Ty::Float(_) => Some(1),
            Ty::Pointer(_) => Some(2),
            _ => None,
        };
        let (Some(ka), Some(kb)) = (kind(a), kind(b)) else { return false };
        let (sa, sb) = (types.size_of(a), types.size_of(b));
        sa != Some(1) && sb != Some(1) && (ka != kb || sa != sb)
    }

    /// Whether the variable is part of the address of `e`.
    pub(crate) fn varies(&self, e: ExprId) -> bool {
        mentions(self.body.unit, self.body.typed, e, self.var)
    }
}

/// What the statement assigns in private memory other than by name, and the static shared objects that it
/// assigns, or assigns parts of; a reason if it writes other shared memory, or has accesses that stay where
/// they are.
fn written(body: &Body) -> Result<(Vec<ExprId>, Vec<SymId>), &'static str> {
    let (unit, typed) = (body.unit, body.typed);
    let (mut written, mut shared) = (Vec::new(), Vec::new());
    let mut stays = Ok(());
    each_expr(unit, Any::Stmt(body.stmt), |e| {
        let quals = typed.types.object_quals(typed.ty(e));
        let strict = quals.is_strict || (!quals.is_relaxed && unit.strict_at(unit.exprs[e].span.lo));
        if quals.shared.is_some() && strict {
            stays = Err("it has strict accesses");
        } else if quals.is_volatile {
            stays = Err("it has volatile accesses");
        } else if quals.is_atomic {
            stays = Err("it has atomic accesses");
        }
        let target = match unit.exprs[e].kind {
            ExprKind::Assign(_, target, _) | ExprKind::Pre(_, target) | ExprKind::Post(_, target) => target,
            ExprKind::Split(..) => {
                stays = Err("it has split-phase accesses");
                return true;
            }
            _ => return true,
        };
        if typed.types.is_shared(typed.ty(target)) {
            match whole(unit, typed, target) {
                Some(sym) => shared.push(sym),
                None => stays = Err("it writes shared memory by pointers"),
            }
        } else if body.name(target).is_none_or(|sym| typed.sym(sym).address_taken) {
            written.push(unit.bare(target));
        }
        true
    });
    stays.map(|()| (written, shared))
}

/// The object of static storage duration that `e` is, or is a part of.
fn whole(unit: &Unit, typed: &Typed, e: ExprId) -> Option<SymId> {
    match unit.exprs[e].kind {
        ExprKind::Ident(_) => {
            typed.symbol(e).filter(|&s| matches!(typed.sym(s).kind, SymKind::Static { .. }))
        }
        ExprKind::Paren(a) | ExprKind::Extension(a) => whole(unit, typed, a),
        ExprKind::Member { base, arrow: false, .. } => whole(unit, typed, base),
        ExprKind::Index(a, _) if matches!(typed.types.of(typed.ty(a)), Ty::Array(..)) => {
            whole(unit, typed, a)
        }
        _ => None,
    }
}
