//! Finds which addresses of a loop's iterations can be computed before the iterations run, and which memory
//! the computation reads.
//!
//! Such an address is made of the loop's variable, of variables that keep their values while the body runs
//! ([`Effects::keeps`]), of variables that each iteration sets once ([`crate::facts::locals`]), and of
//! objects in memory, the *inputs*. [`crate::facts::dependences`] decides whether the loop may write to an
//! input.
//!
//! [`Effects::keeps`]: crate::facts::effects::Effects::keeps

use crate::facts::advance::Advance;
use crate::facts::body::Body;
use crate::facts::certain;
use crate::facts::dependences::{Dependences, moves};
use crate::facts::locals::Locals;
use crate::facts::places::is_bit_field;
use crate::facts::shapes::mentions;
use crate::ir::tree::Access;
use c_sema::typed::{SymId, SymKind};
use c_sema::types::{IntKind, Ty};
use c_syntax::ast::*;
use c_syntax::visit::{Node as Any, each_expr};

/// An analysis of the addresses in a loop's body.
pub(crate) struct Addresses<'a> {
    body: &'a Body<'a>,
    /// The variable of the loop, and of the loop inside of it if the iterations of that are analysed too.
    vars: &'a [SymId],
    dependences: &'a Dependences<'a>,
    locals: &'a Locals,
}

/// The objects read to compute an address, inner reads first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Inputs {
    /// Private objects that the loop may write to.
    pub(crate) private: Vec<ExprId>,
    /// Shared scalars that may be different objects, or have different values, in each iteration.
    pub(crate) shared: Vec<ExprId>,
    /// Some inputs are read only under a condition.
    pub(crate) conditional: bool,
    /// Some inputs are read where the address is computed. The others are read where the iteration sets a
    /// variable, which it does in any case.
    pub(crate) direct: bool,
}

impl Inputs {
    /// Whether the address needs no memory that may change.
    pub(crate) fn is_empty(&self) -> bool {
        self.private.is_empty() && self.shared.is_empty()
    }

    fn add_private(&mut self, e: ExprId) {
        self.private.push(e);
        self.direct = true;
    }
}

impl<'a> Addresses<'a> {
    /// Analyses a loop that counts by the first of `vars`, and the loop inside of it that counts by the
    /// second, if there is one.
    pub(crate) fn new(
        body: &'a Body<'a>,
        vars: &'a [SymId],
        dependences: &'a Dependences<'a>,
        locals: &'a Locals,
    ) -> Addresses<'a> {
        Addresses { body, vars, dependences, locals }
    }

    /// Whether a condition, a step or a bound can be evaluated in advance of iterations: it is made of the
    /// variables and invariants, and of private memory that the loop does not write.
    pub(crate) fn steady(&self, e: ExprId) -> bool {
        self.private_inputs(e).is_some_and(|inputs| inputs.is_empty())
    }

    /// The shared scalars in a condition, inner ones first, if the condition can be evaluated in advance once
    /// they have been read: each scalar is the same in all iterations, no iteration writes it, and the
    /// condition reads it whenever it is evaluated.
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
        let mut inputs = Inputs::default();
        (known && self.value(cond, &mut inputs) && !inputs.conditional && inputs.is_empty()).then_some(bounds)
    }

    /// Whether `e` names a variable that the body changes only by adding 1 or another positive constant, and
    /// whose type does not wrap: `int`, or one of 64 bits, which no count exhausts.
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

    /// The private objects in a condition, a step or a bound that the loop may write. Returns `None` if the
    /// expression cannot be evaluated in advance even without such writes.
    pub(crate) fn private_inputs(&self, e: ExprId) -> Option<Vec<ExprId>> {
        if self.plain(e) {
            return Some(Vec::new());
        }
        let mut private = true;
        each_expr(self.body.unit, Any::Expr(e), |e| {
            let quals = self.body.typed.types.object_quals(self.body.typed.ty(e));
            private &= quals.shared.is_none() && !quals.is_volatile && !quals.is_atomic;
            private
        });
        let mut inputs = Inputs::default();
        let known = private && self.value(e, &mut inputs) && !inputs.conditional && inputs.shared.is_empty();
        known.then_some(inputs.private)
    }

    /// Whether an expression consists of the loops' variables and of values that need no memory that may
    /// change.
    fn plain(&self, e: ExprId) -> bool {
        if self.body.name(e).is_some_and(|sym| self.vars.contains(&sym)) {
            return true;
        }
        match self.body.unit.exprs[e].kind {
            ExprKind::Paren(a) | ExprKind::Extension(a) => self.plain(a),
            ExprKind::Cast(_, a) => self.body.typed_in_front(e) && self.plain(a),
            ExprKind::Ident(_) => {
                let (types, q) = (&self.body.typed.types, self.body.typed.ty(e));
                let mut inputs = Inputs::default();
                !(types.is_shared(q) && types.is_scalar(q)) && self.value(e, &mut inputs) && inputs.is_empty()
            }
            ExprKind::Unary(op, a) => !matches!(op, UnOp::Addr | UnOp::Deref) && self.plain(a),
            ExprKind::Binary(op, a, b) => op != BinOp::Comma && self.plain(a) && self.plain(b),
            _ => self.body.effects.invariant(self.body.unit, self.body.typed, e),
        }
    }

    /// The inputs of the address of the object `e`. Returns `None` if the address cannot be computed before
    /// the iteration.
    pub(crate) fn inputs(&self, e: ExprId) -> Option<Inputs> {
        let mut inputs = Inputs::default();
        self.place(e, &mut inputs).then_some(inputs)
    }

    /// Whether the type of an object can be written out before the loop.
    pub(crate) fn typed_in_front(&self, e: ExprId) -> bool {
        self.body.typed_in_front(e)
    }

    /// Whether the shared object `e` is the same one in all iterations, and no iteration writes it.
    pub(crate) fn constant(&self, e: ExprId) -> bool {
        !self.varies(e) && !self.dependences.may_write(e)
    }

    /// Whether the address of `e` depends on the loops' variables, or on variables that an iteration sets.
    pub(crate) fn varies(&self, e: ExprId) -> bool {
        let named = |&var: &SymId| mentions(self.body.unit, self.body.typed, e, var);
        self.vars.iter().any(named) || !self.locals_in(e).is_empty()
    }

    /// The variables that `e` depends on and an iteration sets, in the order in which it sets them, each with
    /// its value.
    pub(crate) fn locals_in(&self, e: ExprId) -> Vec<(SymId, ExprId)> {
        let mut found = Vec::new();
        self.add_locals(e, &mut found);
        found
    }

    fn add_locals(&self, e: ExprId, found: &mut Vec<(SymId, ExprId)>) {
        let mut named = Vec::new();
        each_expr(self.body.unit, Any::Expr(e), |e| {
            if matches!(self.body.unit.exprs[e].kind, ExprKind::Ident(_)) {
                named.extend(self.local(e));
            }
            true
        });
        for (sym, value) in named {
            if !found.iter().any(|known| known.0 == sym) {
                self.add_locals(value, found);
                found.push((sym, value));
            }
        }
    }

    /// The variable that `e` names, with its value, if an iteration sets it before `e`.
    fn local(&self, e: ExprId) -> Option<(SymId, ExprId)> {
        let sym = self.body.typed.symbol(e)?;
        let value = *self.locals.get(&sym)?;
        let exprs = &self.body.unit.exprs;
        (exprs[value].at.hi <= exprs[e].at.lo).then_some((sym, value))
    }

    fn walk<'w>(&'w self, inputs: &'w mut Inputs) -> Walk<'w, 'a> {
        Walk { of: self, inputs }
    }

    fn place(&self, e: ExprId, inputs: &mut Inputs) -> bool {
        self.walk(inputs).place_of(e).is_some()
    }

    fn value(&self, e: ExprId, inputs: &mut Inputs) -> bool {
        self.walk(inputs).value_of(e).is_some()
    }
}

/// Collects the inputs of addresses.
struct Walk<'w, 'a> {
    of: &'w Addresses<'a>,
    inputs: &'w mut Inputs,
}

impl Walk<'_, '_> {
    /// Adds the inputs of a value that is computed elsewhere than the address that uses it. Returns whether
    /// some of these inputs are read directly there.
    fn elsewhere(&mut self, e: ExprId) -> Option<bool> {
        let mut own = Inputs::default();
        let known = self.of.value(e, &mut own);
        self.inputs.conditional |= own.conditional;
        self.inputs.private.extend(own.private);
        self.inputs.shared.extend(own.shared);
        known.then_some(own.direct)
    }
}

impl<'a> Advance<'a> for Walk<'_, 'a> {
    type Known = ();

    fn body(&self) -> &'a Body<'a> {
        self.of.body
    }

    fn variable_of(&mut self, e: ExprId) -> Option<()> {
        let (of, body) = (self.of, self.of.body);
        let sym = body.typed.symbol(e)?;
        if of.vars.contains(&sym) {
            return Some(());
        }
        if !body.effects.keeps(body.typed, sym) {
            let (_, value) = of.local(e)?;
            return self.elsewhere(value).map(|_| ());
        }
        // A pointer may lead to a variable that other files can name.
        if matches!(body.typed.sym(sym).kind, SymKind::Static { external: true, .. })
            && of.dependences.may_write(e)
        {
            self.inputs.add_private(e);
        }
        Some(())
    }

    fn object_of(&mut self, e: ExprId) -> Option<()> {
        self.place_of(e)?;
        let (of, body) = (self.of, self.of.body);
        let types = &body.typed.types;
        if !types.is_shared(body.typed.ty(e)) {
            if of.dependences.may_write(e) {
                self.inputs.add_private(e);
            }
            return Some(());
        }
        if of.constant(e) && !matches!(body.tree.access(e), Some(Access::Element { .. })) {
            return Some(());
        }
        self.inputs.shared.push(e);
        self.inputs.direct = true;
        (types.is_scalar(body.typed.ty(e)) && !is_bit_field(body.tree, e)).then_some(())
    }

    fn branch_of(&mut self, (): (), e: ExprId) -> Option<()> {
        self.inputs.conditional |= self.elsewhere(e)?;
        Some(())
    }
}
