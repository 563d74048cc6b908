//! Extrema by the owner: `if (x < a[b[i]]) a[b[i]] = x;` sends x to the thread that has the element, which
//! compares and writes.
//!
//! *What is gained.* As it stands the thread waits for the element's value before it can compare. Done by
//! the owner it is one message, which nobody waits for, as an update `op=` is ([`crate::accumulate`]). So
//! shortest paths, labels of components and bounds over remote arrays need no buffers of the program's.
//!
//! *When it is right.* A statement of one of these forms, where `<` is any of `<`, `>`, `<=`, `>=`, either
//! operand may come first, and either branch of the conditional may be the object:
//!
//! ```c
//! if (x < a) a = x;
//! a = x < a ? x : a;
//! ```
//!
//! The object `a` is one that updates by the owner may have: relaxed, not volatile, of an integer type,
//! `float` or `double`, no bit-field. The two occurrences of x, and those of a, are the same text without
//! effect: names, constants, operators, casts, subscripts and members; no calls. The comparison is one
//! between values of the object's type: either x is converted to that by the usual arithmetic conversions
//! (C17 6.3.1.8), or, where the object is narrower than `int`, x has the same type or is a constant that
//! the type can hold.
//!
//! *Why.* Here x and the address of a are evaluated once. The program evaluates them a second time, after
//! the comparison, with nothing written between: relaxed reads in them may return the values that they
//! returned before. What is left is a relaxed read R of one object, a comparison that only the write
//! depends on, and a relaxed write W that may be left out. [`crate::accumulate`] argues why the owner may
//! do R and W when the message arrives. It compares as the program does: with the same operator, negated
//! where the program keeps the object if the comparison holds, so that NaN and the zeros do what they did.
//! The second form writes the old value back where x loses. The owner writes nothing then, which is what
//! other threads see if W follows R at once.
//!
//! *What it becomes.* [`Node::Extremum`]. In the version of a loop for one host, and where the object is
//! known to be local, the statement stays what it is.

use crate::accumulate::{is_relaxed, is_strict, remark, used_values};
use crate::places::is_bit_field;
use crate::tree::{Access, Node, Relation, Test, Tree};
use c_sema::Typed;
use c_sema::types::{FloatKind, IntKind, Ty};
use c_syntax::ast::*;
use c_syntax::visit::{Visitor, walk_stmt};
use std::collections::{HashMap, HashSet};

/// A statement that makes an object the lesser or the greater of itself and a value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extremum {
    /// The object, where it is compared.
    pub(crate) object: ExprId,
    /// The object, where it is assigned.
    pub(crate) target: ExprId,
    /// The value, where it is compared.
    value: ExprId,
    /// When the object becomes the value.
    test: Test,
    /// The object is assigned in any case, itself if need be.
    always: bool,
}

/// The optimisation.
pub(crate) fn run(tree: &mut Tree) {
    if tree.typed.types.language.everything() {
        return; // an update waits there until it is done
    }
    let values = used_values(&tree.unit);
    let mut found = Vec::new();
    for s in tree.unit.stmts.ids().filter(|s| !values.contains(s)) {
        if let Some(e) = of_stmt(&tree.unit, &tree.typed, s)
            && tree.nodes(s).is_none()
            && !tree.is_left(tree.unit.stmts[s].span)
            && [e.object, e.target].iter().all(|&e| tree.access(e).is_none() && !is_bit_field(tree, e))
        {
            found.push((s, e));
        }
    }
    let objects: HashSet<ExprId> = found.iter().map(|(_, e)| e.object).collect();
    remark(tree, "extremum", "extrema by the owner", &objects);
    for (s, Extremum { object, value, test, always, .. }) in found {
        let original = tree.copy(s).stmt;
        tree.mark(object, Access::Accumulated);
        tree.replace(s, vec![Node::Extremum { object, value, test, always, original }]);
    }
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

/// The objects that extrema in a loop's body compare, by where they assign them. They need not be read there.
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

/// The statement that a block consists of.
pub(crate) fn only(unit: &Unit, s: StmtId) -> StmtId {
    match &unit.stmts[s].kind {
        StmtKind::Compound(items) if items.len() == 1 => only(unit, items[0]),
        _ => s,
    }
}

/// `target = value;`
pub(crate) fn assignment(unit: &Unit, s: StmtId) -> Option<(ExprId, ExprId)> {
    let StmtKind::Expr(Some(e)) = unit.stmts[s].kind else { return None };
    let ExprKind::Assign(None, target, value) = unit.exprs[unit.bare(e)].kind else { return None };
    Some((unit.bare(target), value))
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

/// Whether two expressions are the same, and have no effect that could be seen if one of them were left out.
pub(crate) fn same(unit: &Unit, typed: &Typed, a: ExprId, b: ExprId) -> bool {
    use ExprKind::*;
    let (a, b) = (unit.bare(a), unit.bare(b));
    let (qa, qb) = (typed.ty(a), typed.ty(b));
    if qa != qb || typed.conversion(a) != typed.conversion(b) {
        return false;
    }
    if let (Some(a), Some(b)) = (typed.constant(a), typed.constant(b)) {
        return a == b;
    }
    let quals = typed.types.object_quals(qa);
    if quals.is_volatile || quals.is_atomic || (typed.types.is_shared(qa) && is_strict(unit, typed, a)) {
        return false;
    }
    let same = |a, b| same(unit, typed, a, b);
    match (&unit.exprs[a].kind, &unit.exprs[b].kind) {
        (Ident(_), Ident(_)) => typed.symbol(a).is_some() && typed.symbol(a) == typed.symbol(b),
        (Threads, Threads) | (MyThread, MyThread) => true,
        (&Index(a, i), &Index(b, j)) => same(a, b) && same(i, j),
        (Member { base: a, arrow: x, name: m }, Member { base: b, arrow: y, name: n }) => {
            x == y && m.text == n.text && same(*a, *b)
        }
        (&Unary(x, a), &Unary(y, b)) => x == y && same(a, b),
        (&Binary(x, a, c), &Binary(y, b, d)) => x == y && same(a, b) && same(c, d),
        (&Cast(_, a), &Cast(_, b)) => same(a, b),
        _ => false,
    }
}

/// Whether the program compares values of the object's type.
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

/// Whether an integer of no less rank than `int` is compared with such a value as its own type.
fn by_rank(object: IntKind, value: &Ty) -> bool {
    let Ty::Int(value) = *value else { return false };
    let unsigned = |kind: IntKind| kind.size() >= 4 && kind.is_unsigned(true);
    match object.size() {
        4 | 8 if value.size() < object.size() => true,
        4 | 8 if value.size() == object.size() => unsigned(object) || !unsigned(value),
        _ => false,
    }
}
