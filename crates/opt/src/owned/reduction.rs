//! Reduction recognition: loop bodies whose iterations may run in any order, as
//! [`crate::owned::strip_mining`] requires.
//!
//! A body qualifies if it does only the following, under conditions or without:
//!
//! - It assigns elements that the loop goes over.
//! - It forms reductions, `s op= e` and `s++` of automatic integers that are not used otherwise, and largest
//!   and smallest values.
//! - It uses objects of its own.
//!
//! An object that the body reads must keep its value during the whole loop, or be the element that this same
//! iteration alone assigns.
//!
//! Operators of one group commute: `+=`, `-=`, `++` and `--`; `*=`; `&=`; `|=`; `^=`; a largest value; a
//! smallest. `s += a; s ^= a` depends on the order.

use crate::facts::affine::name;
use crate::facts::body::{Body, named_alone};
use crate::facts::effects::Effects;
use crate::facts::functions::{self, Summary};
use crate::facts::statements::{assignment, only};
use crate::facts::streams::Stream;
use crate::ir::reason::Reason;
use c_sema::Typed;
use c_sema::typed::{SymId, SymKind};
use c_sema::types::{IntKind, QTy, Ty};
use c_syntax::ast::*;
use c_syntax::visit::{Node as Any, exists};
use std::collections::{HashMap, HashSet};

/// Returns the reductions of integers, `s op= e`, of a body that may run in any order; or why it may not.
pub(crate) fn sums(
    body: &Body,
    var: SymId,
    streams: &[Stream],
    places: &HashMap<ExprId, usize>,
) -> Result<HashSet<ExprId>, Reason> {
    let mut check = Check {
        unit: body.unit,
        typed: body.typed,
        effects: &body.effects,
        var,
        streams,
        places,
        own: body.effects.declared.clone(),
        sums: HashMap::new(),
        mixed: false,
        signed: HashSet::new(),
        stored: HashSet::new(),
        reads_objects: false,
        reads_memory: false,
    };
    check.find_sums();
    match check.stmt(body.stmt) {
        Some(()) if check.apart() => Ok(check.signed),
        Some(()) => Err(Reason::IterationsShare),
        None if check.mixed => Err(Reason::SumInOrder),
        None => Err(Reason::MoreThanReductions),
    }
}

/// The operators that may be mixed in the updates of one reduction.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Group {
    Add,
    Mul,
    And,
    Or,
    Xor,
    Most,
    Least,
}

fn group(op: BinOp) -> Option<Group> {
    Some(match op {
        BinOp::Add | BinOp::Sub => Group::Add,
        BinOp::Mul => Group::Mul,
        BinOp::BitAnd => Group::And,
        BinOp::BitOr => Group::Or,
        BinOp::BitXor => Group::Xor,
        _ => return None,
    })
}

struct Check<'a> {
    unit: &'a Unit,
    typed: &'a Typed,
    effects: &'a Effects,
    var: SymId,
    streams: &'a [Stream],
    places: &'a HashMap<ExprId, usize>,
    /// Objects that are private to each iteration.
    own: HashSet<SymId>,
    sums: HashMap<SymId, Option<Group>>,
    /// A reduction has operators of several groups.
    mixed: bool,
    signed: HashSet<ExprId>,
    stored: HashSet<usize>,
    /// The body reads objects of static storage duration, or arrays, by their names.
    reads_objects: bool,
    /// The body reads by private pointers.
    reads_memory: bool,
}

impl Check<'_> {
    /// Enters the variables that must be reductions for the body to qualify: those that are assigned by name
    /// and are not private to an iteration.
    fn find_sums(&mut self) {
        for &sym in &self.effects.assigned {
            if !self.own.contains(&sym) && !self.streams.iter().any(|s| s.sym == sym && s.shift.is_none()) {
                self.sums.insert(sym, None);
            }
        }
    }

    /// Returns whether no iteration assigns an object that another one reads or assigns.
    fn apart(&self) -> bool {
        self.stored.iter().all(|&s| {
            let stored = &self.streams[s];
            let other = |n: usize| {
                let o = &self.streams[n];
                n != s && (o.sym == stored.sym || o.pointer || stored.pointer)
            };
            let memory = self.reads_memory || (stored.pointer && self.reads_objects);
            !memory && !(0..self.streams.len()).any(other)
        })
    }

    fn stmt(&mut self, id: StmtId) -> Option<()> {
        let unit = self.unit;
        match &unit.stmts[id].kind {
            StmtKind::Compound(items) => items.iter().try_for_each(|&s| self.stmt(s)),
            StmtKind::Expr(None) => Some(()),
            StmtKind::Expr(Some(e)) => self.effect(*e),
            StmtKind::If(c, a, None) if self.extreme_of(*c, *a).is_some() => Some(()),
            StmtKind::If(c, a, b) => {
                self.value(*c)?;
                self.stmt(*a)?;
                b.iter().try_for_each(|&b| self.stmt(b))
            }
            StmtKind::Decl(d) => match &unit.decls[*d].kind {
                DeclKind::Vars { items, .. } => items.iter().try_for_each(|item| {
                    let sym = self.typed.declared(item.declarator)?;
                    self.is_number(self.typed.sym(sym).ty).then_some(())?;
                    match unit.inits[item.init?].kind {
                        InitKind::Expr(e) => self.value(e),
                        InitKind::List(_) => None,
                    }
                }),
                _ => None,
            },
            _ => None,
        }
    }

    /// Recognises `if (e > most) most = e;` and similar statements, with an element `e` that the loop goes
    /// over.
    fn extreme_of(&mut self, condition: ExprId, then: StmtId) -> Option<()> {
        let (target, value) = assignment(self.unit, only(self.unit, then))?;
        self.extreme(condition, target, value)
    }

    /// Recognises `most = e > most ? e : most` and similar assignments.
    fn chosen_extreme(&mut self, target: ExprId, value: ExprId) -> Option<()> {
        let (unit, typed) = (self.unit, self.typed);
        let ExprKind::Cond(c, Some(a), b) = unit.exprs[unit.bare(value)].kind else { return None };
        let kept = name(unit, typed, b)?;
        (Some(kept) == name(unit, typed, target)).then_some(())?;
        self.extreme(c, target, a)
    }

    /// Recognises an assignment of `value` to `target` under a `condition` that compares the two.
    fn extreme(&mut self, condition: ExprId, target: ExprId, value: ExprId) -> Option<()> {
        let (unit, typed) = (self.unit, self.typed);
        let sym = name(unit, typed, target)?;
        let ExprKind::Binary(op, a, b) = unit.exprs[unit.bare(condition)].kind else { return None };
        let is_value = |e: ExprId| {
            let (e, value) = (self.places.get(&unit.bare(e)), self.places.get(&unit.bare(value)));
            e.is_some() && e == value
        };
        let is_target = |e| name(unit, typed, e) == Some(sym);
        let most = match op {
            BinOp::Gt | BinOp::Ge if is_value(a) && is_target(b) => true,
            BinOp::Lt | BinOp::Le if is_target(a) && is_value(b) => true,
            BinOp::Lt | BinOp::Le if is_value(a) && is_target(b) => false,
            BinOp::Gt | BinOp::Ge if is_target(a) && is_value(b) => false,
            _ => return None,
        };
        // No conversion may intervene, in which different values could become equal.
        let (from, to) = (typed.types.of(typed.ty(value)), typed.types.of(typed.ty(target)));
        let same = matches!((from, to), (Ty::Int(v), Ty::Int(t)) if v == t);
        same.then_some(())?;
        self.sum(sym, if most { Group::Most } else { Group::Least })
    }

    fn effect(&mut self, e: ExprId) -> Option<()> {
        let unit = self.unit;
        match unit.exprs[e].kind {
            ExprKind::Paren(a) | ExprKind::Extension(a) => self.effect(a),
            ExprKind::Binary(BinOp::Comma, a, b) => {
                self.effect(a)?;
                self.effect(b)
            }
            ExprKind::Cast(_, a) if matches!(self.typed.types.of(self.typed.ty(e)), Ty::Void) => {
                self.value(a)
            }
            ExprKind::Pre(_, target) | ExprKind::Post(_, target) => match name(unit, self.typed, target) {
                Some(sym) if self.own.contains(&sym) => Some(()),
                Some(sym) => self.sum(sym, Group::Add),
                None => self.store(target),
            },
            ExprKind::Assign(None, target, value) if self.chosen_extreme(target, value).is_some() => Some(()),
            ExprKind::Assign(op, target, value) => {
                self.value(value)?;
                let Some(sym) = name(unit, self.typed, target) else { return self.store(target) };
                if self.own.contains(&sym) {
                    return Some(());
                }
                // A sum of floating values depends on the order.
                let whole = |q: QTy| matches!(self.typed.types.of(q), Ty::Int(_));
                let reads_element = exists(unit, Any::Expr(value), |e| self.places.contains_key(&e));
                if !whole(self.typed.ty(value)) || !reads_element {
                    return None;
                }
                self.signed.insert(e);
                self.sum(sym, group(op?)?)
            }
            _ => None,
        }
    }

    fn sum(&mut self, sym: SymId, group: Group) -> Option<()> {
        use IntKind::*;
        let s = self.typed.sym(sym);
        let plain =
            matches!(self.typed.types.of(s.ty), Ty::Int(Int | UInt | Long | ULong | LongLong | ULongLong));
        let known = self.sums.get_mut(&sym)?;
        self.mixed |= known.is_some_and(|g| g != group);
        if !named_alone(self.typed, sym) || !plain || known.is_some_and(|g| g != group) || sym == self.var {
            return None;
        }
        *known = Some(group);
        Some(())
    }

    /// Notes an assignment to an element, or to a member of one.
    fn store(&mut self, target: ExprId) -> Option<()> {
        if let Some(&n) = self.places.get(&target) {
            self.stored.insert(n);
            return Some(());
        }
        match self.unit.exprs[target].kind {
            ExprKind::Paren(a) | ExprKind::Member { base: a, arrow: false, .. } => self.store(a),
            _ => None,
        }
    }

    fn is_number(&self, q: QTy) -> bool {
        matches!(self.typed.types.of(q), Ty::Int(_) | Ty::Float(_) | Ty::Enum(_)) && !q.quals.is_volatile
    }

    /// Checks that an expression reads numbers only, and no object that another iteration may have changed.
    fn value(&mut self, e: ExprId) -> Option<()> {
        let (unit, typed) = (self.unit, self.typed);
        if self.places.contains_key(&e) || typed.constant(e).is_some() {
            return Some(());
        }
        match &unit.exprs[e].kind {
            ExprKind::Number | ExprKind::Char | ExprKind::Threads | ExprKind::MyThread => Some(()),
            ExprKind::SizeofType(..) => Some(()),
            ExprKind::Ident(_) => self.object(e),
            ExprKind::Paren(a) | ExprKind::Extension(a) => self.value(*a),
            ExprKind::Member { base, arrow: false, .. } => self.value(*base),
            ExprKind::Cast(_, a) if self.is_number(typed.ty(e)) => self.value(*a),
            ExprKind::Unary(UnOp::Plus | UnOp::Minus | UnOp::BitNot | UnOp::Not, a) => self.value(*a),
            ExprKind::Unary(UnOp::Deref, p) => self.by_pointer(e, *p),
            ExprKind::Binary(op, a, b) if *op != BinOp::Comma => {
                self.value(*a)?;
                self.value(*b)
            }
            ExprKind::Cond(c, a, b) => {
                self.value(*c)?;
                a.iter().try_for_each(|&a| self.value(a))?;
                self.value(*b)
            }
            ExprKind::Index(a, i) => {
                self.value(*i)?;
                self.by_pointer(e, *a)
            }
            ExprKind::Call(f, args) => {
                let row = typed.library(unit.bare(*f))?;
                if functions::of_library(row) != Summary::Arguments || self.effects.calls {
                    return None;
                }
                args.iter().try_for_each(|&a| self.value(a))
            }
            _ => None,
        }
    }

    fn object(&mut self, e: ExprId) -> Option<()> {
        let sym = self.typed.symbol(e)?;
        let s = self.typed.sym(sym);
        if self.own.contains(&sym) || sym == self.var {
            return Some(());
        }
        if !self.is_number(s.ty) || self.typed.types.is_shared(s.ty) || self.sums.contains_key(&sym) {
            return None;
        }
        match s.kind {
            SymKind::Enumerator(_) => Some(()),
            SymKind::Auto | SymKind::Param => {
                self.reads_objects |= s.address_taken;
                Some(())
            }
            SymKind::Static { .. } => {
                self.reads_objects = true;
                Some(())
            }
            _ => None,
        }
    }

    /// Checks a read of an element of a private array, or by a private pointer.
    fn by_pointer(&mut self, e: ExprId, base: ExprId) -> Option<()> {
        let (unit, typed) = (self.unit, self.typed);
        let sym = name(unit, typed, base)?;
        let q = typed.sym(sym).ty;
        let quals = typed.types.object_quals(typed.ty(e));
        if typed.types.is_shared(typed.ty(e))
            || !self.is_number(typed.ty(e))
            || quals.is_volatile
            || self.effects.assigned.contains(&sym)
        {
            return None;
        }
        match typed.types.of(q) {
            Ty::Array(..) => self.reads_objects = true,
            Ty::Pointer(_) => self.reads_memory = true,
            _ => return None,
        }
        Some(())
    }
}
