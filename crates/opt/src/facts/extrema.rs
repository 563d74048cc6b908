//! Extrema: statements that make an object the lesser or the greater of itself and a value.
//! [`crate::updates::extremum`] says which forms they have, and why.

use crate::facts::equality::same;
use crate::facts::statements::{assignment, only};
use crate::facts::strictness::is_relaxed;
use crate::ir::tree::{Relation, Test};
use c_sema::Typed;
use c_sema::types::{FloatKind, IntKind, Ty};
use c_syntax::ast::*;
use c_syntax::visit::{Visitor, walk_stmt};
use std::collections::HashMap;

/// A statement that makes an object the lesser or the greater of itself and a value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extremum {
    /// The object, where it is compared.
    pub(crate) object: ExprId,
    /// The object, where it is assigned.
    pub(crate) target: ExprId,
    /// The value, where it is compared.
    pub(crate) value: ExprId,
    /// The test under which the object becomes the value.
    pub(crate) test: Test,
    /// The object is assigned in any case, its own value if need be.
    pub(crate) always: bool,
}

/// Whether a statement is an extremum, by its form and its types.
pub(crate) fn of_stmt(unit: &Unit, typed: &Typed, s: StmtId) -> Option<Extremum> {
    match unit.stmts[s].kind {
        StmtKind::If(condition, then, None) => {
            let (target, value) = assignment(unit, only(unit, then))?;
            let (test, found) = comparison(unit, typed, condition, target)?;
            let same = same(unit, typed, value, found.value);
            (same && compares_alike(typed, target, found.value)).then_some(Extremum { test, ..found })
        }
        StmtKind::Expr(_) => {
            let (target, value) = assignment(unit, s)?;
            let ExprKind::Cond(condition, Some(yes), no) = unit.exprs[unit.bare(value)].kind else {
                return None;
            };
            let (test, found) = comparison(unit, typed, condition, target)?;
            let is = |e, other| same(unit, typed, e, other);
            let test = if is(yes, found.value) && is(no, target) {
                test
            } else if is(yes, target) && is(no, found.value) {
                Test { negated: true, ..test }
            } else {
                return None;
            };
            let right = compares_alike(typed, target, found.value);
            right.then_some(Extremum { test, always: true, ..found })
        }
        _ => None,
    }
}

/// The objects that extrema in a loop's body compare, by the expressions that assign them. The loop need not
/// read these objects.
pub(crate) fn objects(unit: &Unit, typed: &Typed, body: StmtId) -> HashMap<ExprId, ExprId> {
    struct Finder<'a> {
        unit: &'a Unit,
        typed: &'a Typed,
        found: HashMap<ExprId, ExprId>,
    }
    impl<'a> Visitor<'a> for Finder<'a> {
        fn unit(&self) -> &'a Unit {
            self.unit
        }
        fn stmt(&mut self, s: StmtId) {
            let found = of_stmt(self.unit, self.typed, s);
            self.found.extend(found.map(|e| (e.target, e.object)));
            walk_stmt(self, s);
        }
    }
    let mut finder = Finder { unit, typed, found: HashMap::new() };
    if !typed.types.language.everything() {
        finder.stmt(body);
    }
    finder.found
}

/// A comparison of the object `target` with a value, as if the value stood on the left.
fn comparison(unit: &Unit, typed: &Typed, e: ExprId, target: ExprId) -> Option<(Test, Extremum)> {
    use Relation::*;
    let ExprKind::Binary(op, left, right) = unit.exprs[unit.bare(e)].kind else { return None };
    let (relation, flipped) = match op {
        BinOp::Lt => (Less, Greater),
        BinOp::Gt => (Greater, Less),
        BinOp::Le => (LessEqual, GreaterEqual),
        BinOp::Ge => (GreaterEqual, LessEqual),
        _ => return None,
    };
    if !is_relaxed(unit, typed, target) {
        return None;
    }
    let (relation, object, value) = if same(unit, typed, right, target) {
        (relation, right, left)
    } else if same(unit, typed, left, target) {
        (flipped, left, right)
    } else {
        return None;
    };
    let test = Test { relation, negated: false };
    Some((test, Extremum { object: unit.bare(object), target, value, test, always: false }))
}

/// Whether the program's comparison has the result of one in the object's type.
fn compares_alike(typed: &Typed, object: ExprId, value: ExprId) -> bool {
    let types = &typed.types;
    let (q, v) = (typed.ty(object), typed.ty(value));
    let narrow = |kind: IntKind| kind.size() < 4;
    match (types.of(q), types.of(v)) {
        (Ty::Float(FloatKind::Double), Ty::Float(FloatKind::Float | FloatKind::Double)) => true,
        (Ty::Float(FloatKind::Float), Ty::Float(FloatKind::Float)) => true,
        (Ty::Float(FloatKind::Double | FloatKind::Float), &Ty::Int(kind)) => kind.size() <= 8,
        (Ty::Int(IntKind::Bool), _) => false,
        (&Ty::Int(object), &Ty::Int(_)) if typed.constant(value).is_some() => {
            let unsigned = object.is_unsigned(true) || object == IntKind::Char;
            let bits = 8 * object.size() as u32 - u32::from(!unsigned || object == IntKind::Char);
            let least = if unsigned { 0 } else { -(1i128 << bits) };
            let fits = typed.constant(value).is_some_and(|n| n >= least && n < 1i128 << bits);
            fits && (narrow(object) || by_rank(object, types.of(v)))
        }
        (&Ty::Int(object), &Ty::Int(value)) if narrow(object) => object == value,
        (&Ty::Int(object), value) => by_rank(object, value),
        _ => false,
    }
}

/// Whether C compares an integer of at least the rank of `int` with a value of this type in the integer's own
/// type.
fn by_rank(object: IntKind, value: &Ty) -> bool {
    let Ty::Int(value) = *value else { return false };
    let unsigned = |kind: IntKind| kind.size() >= 4 && kind.is_unsigned(true);
    match object.size() {
        4 | 8 if value.size() < object.size() => true,
        4 | 8 if value.size() == object.size() => unsigned(object) || !unsigned(value),
        _ => false,
    }
}
