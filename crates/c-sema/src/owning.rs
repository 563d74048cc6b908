//! Objects of distributed arrays that are certain to lie on the processor itself.
//!
//! AC's paper writes `int *p = &x[MYPROC]` without a cast. That is right if the element's processor is MYPROC
//! for every value of the variables in its subscripts. Element n, counted row by row over all dimensions,
//! lies on processor n mod PROCS. So the subscripts and the lengths of the dimensions are added up modulo
//! PROCS ([`crate::residues`]), and the object is local if the sum is MYPROC.
//!
//! The value of a variable modulo PROCS is known if the variable is automatic, its address is not taken, and
//! all assignments in the function give the same value: `int me = MYPROC`, `for (i = MYPROC; …; i += PROCS)`.
//! So conversions are judged at the end of the function.

use crate::residues::{Sum, comes_round, fits, sum};
use crate::typed::{SymId, SymKind, Typed};
use crate::types::{Len, QTy, Ty};
use crate::visit::{self, Use, Visitor};
use base::Diagnostic;
use c_syntax::ast::*;
use rustc_hash::FxHashMap;
use std::cell::Cell;

/// The conversions and assignments in the outermost function around this point.
#[derive(Default)]
pub(crate) struct Owning {
    /// Conversions to local pointers, with the message if the object is not known to be local.
    conversions: Vec<(ExprId, Diagnostic)>,
    /// Assignments to automatic variables.
    assignments: Vec<(SymId, Assigned)>,
}

/// An assignment to a variable.
#[derive(Clone, Copy)]
enum Assigned {
    /// A value; `Step` is `op=` (true: `-=`), which adds this value to the variable's.
    Value(ExprId),
    Step(ExprId, bool),
    /// Any other change: `++`, a place that another function may write to.
    Any,
}

/// The value of a variable modulo PROCS, as far as the assignments have been evaluated.
#[derive(Clone, Copy, PartialEq)]
enum Fact {
    Unassigned,
    Always(Sum),
    Unknown,
}

impl Owning {
    /// Notes a conversion, and the message for an object that is not known to be local.
    pub fn note_conversion(&mut self, e: ExprId, otherwise: Diagnostic) {
        self.conversions.push((e, otherwise));
    }

    /// Notes the assignments in the body of a function.
    pub fn note_assignments(&mut self, unit: &Unit, typed: &Typed, body: StmtId) {
        let mut walk = Assignments { unit, typed, found: Vec::new() };
        walk.stmt(body);
        self.assignments.extend(walk.found);
    }

    /// Judges the conversions, when all assignments are known. Returns the messages for objects that are not
    /// known to be local.
    pub fn judge(self, unit: &Unit, typed: &Typed) -> Vec<Diagnostic> {
        let Owning { conversions, assignments } = self;
        if conversions.is_empty() {
            return Vec::new();
        }
        let facts = facts(unit, typed, &assignments);
        let wrong = conversions.into_iter().filter(|(e, _)| !is_own_with(unit, typed, *e, &facts));
        wrong.map(|(_, otherwise)| otherwise).collect()
    }
}

/// Whether an expression is the address of an element of an array, or of a part of one.
pub(crate) fn is_element(unit: &Unit, e: ExprId) -> bool {
    element_of(unit, e).is_some()
}

/// Whether the object whose address is `e` is certain to be this processor's, without knowledge of variables.
pub(crate) fn is_own(unit: &Unit, typed: &Typed, e: ExprId) -> bool {
    is_own_with(unit, typed, e, &FxHashMap::default())
}

/// Whether the object whose address is `e` is certain to be this processor's.
fn is_own_with(unit: &Unit, typed: &Typed, e: ExprId, facts: &FxHashMap<SymId, Fact>) -> bool {
    let known = |sym| match facts.get(&sym) {
        Some(Fact::Always(sum)) => Some(*sum),
        _ => None,
    };
    let Some(place) = element_of(unit, e) else { return false };
    let found = Numbering { unit, typed, known: &known };
    found.leads_to_one(e, place) && found.number(place).is_some_and(|n| n.is_own(typed.static_threads))
}

/// The element, or array, whose address an expression is.
fn element_of(unit: &Unit, e: ExprId) -> Option<ExprId> {
    match unit.exprs[unit.bare(e)].kind {
        ExprKind::Unary(UnOp::Addr, x) => element_of(unit, x),
        ExprKind::Index(..) | ExprKind::Member { arrow: false, .. } => Some(unit.bare(e)),
        _ => None,
    }
}

/// The numbers of elements of distributed arrays, modulo PROCS.
struct Numbering<'n> {
    unit: &'n Unit,
    typed: &'n Typed,
    known: &'n dyn Fn(SymId) -> Option<Sum>,
}

impl Numbering<'_> {
    /// Whether a pointer leads to one element or a part of it, rather than to a row of elements.
    fn leads_to_one(&self, pointer: ExprId, place: ExprId) -> bool {
        let types = &self.typed.types;
        let ty = self.typed.ty(self.unit.bare(pointer));
        let to = types.pointee(ty).or_else(|| types.as_array(ty).map(|(of, _)| of));
        self.is_inside(place) || to.is_some_and(|to| !types.is_array(to))
    }

    /// Whether a place is a part of a structure, which lies on one processor as a whole.
    fn is_inside(&self, place: ExprId) -> bool {
        match self.unit.exprs[self.unit.bare(place)].kind {
            ExprKind::Member { .. } => true,
            ExprKind::Index(a, i) => self.is_inside(self.indexed(a, i).0),
            _ => false,
        }
    }

    /// The array and the subscript of `a[i]` or `i[a]`.
    fn indexed(&self, a: ExprId, i: ExprId) -> (ExprId, ExprId) {
        if self.typed.types.is_array(self.typed.ty(self.unit.bare(i))) { (i, a) } else { (a, i) }
    }

    /// The number of the element that a place is, is in, or begins with; `None` if it is not known modulo
    /// PROCS.
    fn number(&self, place: ExprId) -> Option<Sum> {
        let (unit, typed, place) = (self.unit, self.typed, self.unit.bare(place));
        match unit.exprs[place].kind {
            ExprKind::Ident(_) => {
                let sym = typed.sym(typed.symbol(place)?);
                let array = typed.types.is_array(sym.ty) && typed.types.is_shared(sym.ty);
                (array && sym.kind != SymKind::Param).then(|| Sum::of_turns(Some(0)))
            }
            ExprKind::Member { base, arrow: false, .. } => self.number(base),
            ExprKind::Index(a, i) => {
                let (array, subscript) = self.indexed(a, i);
                let before = self.number(array)?;
                if self.is_inside(array) {
                    return Some(before);
                }
                let by = sum(unit, typed, subscript, self.known);
                let step = Sum::product(by, self.elements(typed.ty(place)), typed.static_threads)?;
                before.residue().plus(step, typed.static_threads)
            }
            _ => None,
        }
    }

    /// The number of elements in an object of this type.
    fn elements(&self, ty: QTy) -> Option<Sum> {
        let threads = self.typed.static_threads;
        let mut all = Sum::of_constant(1, threads);
        let mut at = ty;
        while let Some((of, len)) = self.typed.types.as_array(at) {
            let here = match len {
                Len::Const(n) => Sum::of_constant(n.into(), threads),
                Len::Threads(_) => Some(Sum::of_turns(None)),
                Len::Runtime(e) => sum(self.unit, self.typed, e, self.known),
                Len::Incomplete | Len::Variable => None,
            };
            all = Sum::product(all, here, threads);
            at = of;
        }
        all
    }
}

/// A walk over a function that collects its assignments.
struct Assignments<'a> {
    unit: &'a Unit,
    typed: &'a Typed,
    found: Vec<(SymId, Assigned)>,
}

impl Assignments<'_> {
    fn note(&mut self, place: ExprId, what: Assigned) {
        if let ExprKind::Ident(_) = self.unit.exprs[self.unit.bare(place)].kind {
            self.found.extend(self.typed.symbol(self.unit.bare(place)).map(|sym| (sym, what)));
        }
    }
}

impl<'a> Visitor<'a> for Assignments<'a> {
    fn unit(&self) -> &'a Unit {
        self.unit
    }

    fn typed(&self) -> &'a Typed {
        self.typed
    }

    fn decl(&mut self, d: DeclId) {
        if let DeclKind::Vars { items, .. } = &self.unit.decls[d].kind {
            for item in items {
                if let (Some(sym), Some(init)) = (self.typed.declared(item.declarator), item.init) {
                    let value = self.unit.only_expression(init);
                    self.found.push((sym, value.map_or(Assigned::Any, Assigned::Value)));
                }
            }
        }
        visit::walk_decl(self, d);
    }

    fn value(&mut self, e: ExprId) {
        let what = match self.unit.exprs[e].kind {
            ExprKind::Assign(None, a, b) => Some((a, b, Assigned::Value(b))),
            ExprKind::Assign(Some(BinOp::Add), a, b) => Some((a, b, Assigned::Step(b, false))),
            ExprKind::Assign(Some(BinOp::Sub), a, b) => Some((a, b, Assigned::Step(b, true))),
            _ => None,
        };
        match what.filter(|(a, ..)| matches!(self.unit.exprs[self.unit.bare(*a)].kind, ExprKind::Ident(_))) {
            Some((place, value, what)) => {
                self.note(place, what);
                self.value(value);
            }
            None => visit::walk_value(self, e),
        }
    }

    fn place(&mut self, e: ExprId, how: Use) {
        if matches!(how, Use::Write | Use::Update | Use::Address) {
            self.note(e, Assigned::Any);
        }
        visit::walk_place(self, e);
    }
}

/// The values of variables modulo PROCS, of variables that always have the same one. Begins with all
/// variables that are assigned, and removes those to which another value is assigned, until nothing changes.
fn facts(unit: &Unit, typed: &Typed, assignments: &[(SymId, Assigned)]) -> FxHashMap<SymId, Fact> {
    let mut facts: FxHashMap<SymId, Fact> = FxHashMap::default();
    for &(sym, _) in assignments {
        let fact = if counts(typed, sym) { Fact::Unassigned } else { Fact::Unknown };
        facts.insert(sym, fact);
    }
    loop {
        let mut changed = false;
        for &(sym, assigned) in assignments {
            let before = facts[&sym];
            let after = joined(before, value(unit, typed, &facts, sym, assigned));
            changed |= after != before;
            facts.insert(sym, after);
        }
        if !changed {
            return facts;
        }
    }
}

/// Whether a variable's values are followed: an automatic integer that only its assignments change.
fn counts(typed: &Typed, sym: SymId) -> bool {
    let sym = typed.sym(sym);
    let quals = typed.types.object_quals(sym.ty);
    let plain = !quals.is_volatile && !quals.is_atomic && quals.shared.is_none();
    sym.kind == SymKind::Auto && plain && matches!(typed.types.of(sym.ty), Ty::Int(_))
}

/// The value of a variable after an assignment.
fn value(unit: &Unit, typed: &Typed, facts: &FxHashMap<SymId, Fact>, sym: SymId, assigned: Assigned) -> Fact {
    let early = Cell::new(false);
    let known = |sym| match facts.get(&sym) {
        Some(Fact::Always(sum)) => Some(*sum),
        Some(Fact::Unassigned) => {
            early.set(true);
            None
        }
        _ => None,
    };
    let ty = typed.sym(sym).ty;
    let of = |e| sum(unit, typed, e, &known);
    let found = match assigned {
        Assigned::Any => None,
        Assigned::Value(e) => of(e).filter(|&sum| fits(typed, sum, e, ty)),
        Assigned::Step(e, back) => {
            let times = if back { -1 } else { 1 };
            let step = of(e).and_then(|sum| sum.times(times, typed.static_threads));
            let step = step.filter(|_| ![ty, typed.ty(e)].iter().any(|&ty| comes_round(typed, ty)));
            let step = step.filter(|_| typed.types.size_of(ty) >= typed.types.size_of(typed.ty(e)));
            step.zip(known(sym)).and_then(|(step, sum)| sum.plus(step, typed.static_threads))
        }
    };
    match found {
        Some(sum) => Fact::Always(sum),
        None if early.get() => Fact::Unassigned,
        None => Fact::Unknown,
    }
}

/// The value of a variable that two assignments set.
fn joined(a: Fact, b: Fact) -> Fact {
    match (a, b) {
        (Fact::Unassigned, other) | (other, Fact::Unassigned) => other,
        (Fact::Always(x), Fact::Always(y)) if x == y => a,
        (Fact::Always(x), Fact::Always(y)) if x.residue() == y.residue() => Fact::Always(x.residue()),
        _ => Fact::Unknown,
    }
}
