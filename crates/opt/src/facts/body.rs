//! A loop's body and its facts: the questions that optimisations ask about its names and values.

use crate::facts::affine::name;
use crate::facts::effects::Effects;
use crate::facts::places::subscripted;
use crate::facts::rows::Root;
use crate::facts::shapes::{Condition, Head, Step, Stride, mentions};
use crate::ir::reason::Reason;
use crate::ir::tree::Tree;
use c_sema::Typed;
use c_sema::typed::{SymId, SymKind};
use c_sema::types::Ty;
use c_syntax::ast::*;
use c_syntax::visit::{Node, each_expr, exists};
use std::collections::HashSet;
use std::rc::Rc;

/// Whether a variable of a function is read and written by its name alone.
pub(crate) fn named_alone(typed: &Typed, sym: SymId) -> bool {
    let symbol = typed.sym(sym);
    matches!(symbol.kind, SymKind::Auto | SymKind::Param)
        && !symbol.address_taken
        && !symbol.ty.quals.is_volatile
        && !typed.types.is_shared(symbol.ty)
}

impl Tree {
    /// The head of a loop that counts up by one to a bound, by a variable that nothing else changes.
    pub(crate) fn counts_up(&self, s: StmtId) -> Option<Head> {
        let shape = self.shape(s)?;
        let (first, step) = (shape.first?, shape.step?);
        let (bound, inclusive) = shape.bound(&self.typed)?;
        let alone = step.var == first.var && Body::new(self, shape.body).leaves(first.var);
        (alone && step.by == Stride::Up).then_some(Head { first, bound, inclusive })
    }

    /// The step of a loop that ends because of it: nothing else changes its variable, and the bound and the
    /// stride keep their values according to `stays`.
    pub(crate) fn ends_by_step(&self, s: StmtId, stays: fn(&Body, ExprId, SymId) -> bool) -> Option<Step> {
        let shape = self.shape(s)?;
        let (step, (_, condition)) = (shape.step?, shape.condition?);
        let body = Body::new(self, shape.body);
        let by = if let Stride::By(by) = step.by { Some(by) } else { None };
        let bound = if let Condition::Compare(_, bound) = condition { Some(bound) } else { None };
        let known = by.into_iter().chain(bound).all(|e| stays(&body, e, step.var));
        (known && body.leaves(step.var)).then_some(step)
    }
}

/// A loop's body.
pub(crate) struct Body<'a> {
    pub(crate) tree: &'a Tree,
    pub(crate) unit: &'a Unit,
    pub(crate) typed: &'a Typed,
    pub(crate) stmt: StmtId,
    pub(crate) effects: Rc<Effects>,
}

impl<'a> Body<'a> {
    pub(crate) fn new(tree: &'a Tree, stmt: StmtId) -> Body<'a> {
        Body { tree, unit: &tree.unit, typed: &tree.typed, stmt, effects: tree.effects(stmt) }
    }

    /// Checks that all effects of the body are known, and that it neither synchronises nor is left from
    /// inside. Returns the reason if not.
    pub(crate) fn followed(&self) -> Result<(), Reason> {
        if self.effects.rigid || self.effects.opaque {
            return Err(Reason::Synchronises);
        }
        if self.effects.calls {
            return Err(Reason::CallDoesAnything);
        }
        if self.effects.atomics {
            return Err(Reason::Atomic);
        }
        Ok(())
    }

    /// The symbol of a bare name.
    pub(crate) fn name(&self, e: ExprId) -> Option<SymId> {
        name(self.unit, self.typed, e)
    }

    pub(crate) fn is_array(&self, e: ExprId) -> bool {
        matches!(self.typed.types.of(self.typed.ty(e)), Ty::Array(..))
    }

    /// Whether a name means the same in the body and before the loop.
    pub(crate) fn in_front(&self, sym: SymId) -> bool {
        self.effects.in_front(sym)
    }

    /// Whether an expression may be placed before the loop, where the variables `own` are declared
    /// ([`Effects::named_in_front`]).
    pub(crate) fn named_in_front(&self, e: ExprId, own: &[SymId]) -> bool {
        self.effects.named_in_front(self.unit, self.typed, e, own)
    }

    /// Whether an array, or a pointer that serves as one, is the same throughout the loop and before it.
    pub(crate) fn serves(&self, root: &Root) -> bool {
        self.effects.serves(self.typed, root)
    }

    /// Whether the type of an expression can be written out before the loop.
    pub(crate) fn typed_in_front(&self, e: ExprId) -> bool {
        self.effects.type_in_front(self.typed, self.typed.ty(e))
    }

    /// Whether a variable of the function, declared before the loop, is read and written by its name alone.
    pub(crate) fn automatic(&self, sym: SymId) -> bool {
        named_alone(self.typed, sym) && self.in_front(sym)
    }

    /// Whether a variable of the function keeps its value while the body runs.
    pub(crate) fn leaves(&self, sym: SymId) -> bool {
        self.automatic(sym) && !self.effects.assigned.contains(&sym)
    }

    /// Whether an expression has the same value, and no effect, each time the body runs
    /// ([`Effects::invariant`]). This includes addresses of arrays and of their elements, and
    /// pointers-to-shared at an invariant distance from them.
    pub(crate) fn invariant(&self, e: ExprId) -> bool {
        let e = self.unit.bare(e);
        match self.unit.exprs[e].kind {
            ExprKind::Binary(BinOp::Add | BinOp::Sub, a, b) => self.invariant(a) && self.invariant(b),
            ExprKind::Unary(UnOp::Addr, place) => self.stays(place),
            _ => self.is_array_in_front(e) || self.effects.invariant(self.unit, self.typed, e),
        }
    }

    /// Whether `array[i]…` is the same object each time the body runs.
    fn stays(&self, place: ExprId) -> bool {
        match self.unit.exprs[self.unit.bare(place)].kind {
            ExprKind::Index(base, i) if self.is_array(base) => self.stays(base) && self.invariant(i),
            ExprKind::Index(base, i) => self.invariant(base) && self.invariant(i),
            _ => self.is_array_in_front(place),
        }
    }

    fn is_array_in_front(&self, e: ExprId) -> bool {
        self.is_array(e) && self.name(e).is_some_and(|s| self.in_front(s))
    }

    /// Whether a bound keeps its value while the body runs and `var` changes.
    pub(crate) fn keeps_bound(&self, bound: ExprId, var: SymId) -> bool {
        self.invariant(bound) && !mentions(self.unit, self.typed, bound, var)
    }

    /// Whether the body names a variable outside of the expressions `but`.
    pub(crate) fn names_otherwise(&self, sym: SymId, but: &HashSet<ExprId>) -> bool {
        let mut found = false;
        each_expr(self.unit, Node::Stmt(self.stmt), |e| {
            let named =
                matches!(self.unit.exprs[e].kind, ExprKind::Ident(_)) && self.typed.symbol(e) == Some(sym);
            found |= named && !but.contains(&e);
            !found && !but.contains(&e)
        });
        found
    }

    /// Whether an expression may read an object. Arrays and functions do not count: they become pointers.
    pub(crate) fn is_object(&self, e: ExprId) -> bool {
        let named = |sym: SymId| {
            matches!(self.typed.sym(sym).kind, SymKind::Static { .. } | SymKind::Auto | SymKind::Param)
        };
        let object = match self.unit.exprs[e].kind {
            ExprKind::Ident(_) => self.typed.symbol(e).is_some_and(named),
            ExprKind::Index(..) | ExprKind::Unary(UnOp::Deref, _) | ExprKind::Member { .. } => true,
            _ => false,
        };
        object && !matches!(self.typed.types.of(self.typed.ty(e)), Ty::Array(..) | Ty::Function(_))
    }

    /// Whether a subscript of the object may change irregularly: it reads memory, calls a function, or names
    /// a variable, other than a counter, that the body sets.
    pub(crate) fn in_no_order(&self, counters: &HashSet<SymId>, e: ExprId) -> bool {
        let sets = |sym: SymId| {
            let set = !self.in_front(sym) || self.effects.assigned.contains(&sym);
            set && !counters.contains(&sym) && !self.typed.types.is_shared(self.typed.sym(sym).ty)
        };
        let varies = |index: ExprId| {
            exists(self.unit, Node::Expr(index), |e| match self.unit.exprs[e].kind {
                ExprKind::Index(..) | ExprKind::Call(..) | ExprKind::Unary(UnOp::Deref, _) => true,
                ExprKind::Member { arrow, .. } => arrow,
                ExprKind::Ident(_) => self.name(e).is_some_and(sets),
                _ => false,
            })
        };
        exists(self.unit, Node::Expr(e), |e| match self.unit.exprs[e].kind {
            ExprKind::Index(a, b) => varies(subscripted(self.tree, a, b).1),
            _ => false,
        })
    }
}
