//! The walk over a function that finds the values of its variables.

use super::Across::{Entangled, Unrelated};
use super::evaluate::{Evaluation, joined};
use super::{Iterations, Share, Value, Values};
use crate::spmd::calls::{Callee, Program};
use crate::spmd::form::Form;
use crate::typed::{SymId, SymKind, Typed};
use crate::types::Ty;
use crate::visit::{self, Use, Visitor};
use c_syntax::ast::*;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Follows the body of a function.
pub(super) fn follow(program: Program, body: StmtId) -> Values {
    let mut assigned = Assigned { program, found: Vec::new(), loops: FxHashMap::default(), wild: false };
    assigned.stmt(body);
    let mut follow = Follow {
        program,
        assigned,
        env: FxHashMap::default(),
        trail: Vec::new(),
        values: Values::default(),
        left: false,
        switches: Vec::new(),
    };
    follow.stmt(body);
    follow.values
}

/// The assignments of a function, in the order of the text.
struct Assigned<'a> {
    program: Program<'a>,
    found: Vec<SymId>,
    /// For each loop and switch: the assignments in it, and those in the third clause of a loop.
    loops: FxHashMap<StmtId, (Range<usize>, Range<usize>)>,
    /// Jumps of the function lead to anywhere.
    wild: bool,
}

impl<'a> Visitor<'a> for Assigned<'a> {
    fn unit(&self) -> &'a Unit {
        self.program.unit
    }

    fn typed(&self) -> &'a Typed {
        self.program.typed
    }

    fn stmt(&mut self, s: StmtId) {
        let start = self.found.len();
        match self.program.unit.stmts[s].kind {
            StmtKind::For { init, cond, step, body } | StmtKind::Forall { init, cond, step, body, .. } => {
                match init {
                    ForInit::Expr(e) => self.value(e),
                    ForInit::Decl(d) => self.decl(d),
                    ForInit::None => {}
                }
                let start = self.found.len();
                cond.iter().for_each(|&e| self.value(e));
                self.stmt(body);
                let middle = self.found.len();
                step.iter().for_each(|&e| self.value(e));
                self.loops.insert(s, (start..middle, middle..self.found.len()));
            }
            StmtKind::While(..) | StmtKind::Do(..) | StmtKind::Switch(..) => {
                visit::walk_stmt(self, s);
                let end = self.found.len();
                self.loops.insert(s, (start..end, end..end));
            }
            StmtKind::Label(..) | StmtKind::GotoExpr(_) => {
                self.wild = true;
                visit::walk_stmt(self, s);
            }
            _ => visit::walk_stmt(self, s),
        }
    }

    fn decl(&mut self, d: DeclId) {
        self.wild |= matches!(self.program.unit.decls[d].kind, DeclKind::Function { .. });
        if let DeclKind::Vars { items, .. } = &self.program.unit.decls[d].kind {
            self.found.extend(items.iter().filter_map(|item| self.program.typed.declared(item.declarator)));
        }
        visit::walk_decl(self, d);
    }

    fn place(&mut self, e: ExprId, how: Use) {
        if matches!(how, Use::Write | Use::Update)
            && matches!(self.program.unit.exprs[e].kind, ExprKind::Ident(_))
        {
            self.found.extend(self.program.typed.symbol(e));
        }
        visit::walk_place(self, e);
    }
}

/// The walk over a function.
struct Follow<'a> {
    program: Program<'a>,
    assigned: Assigned<'a>,
    /// The variables with a value.
    env: FxHashMap<SymId, Value>,
    /// The changes of `env`, with the value before each.
    trail: Vec<(SymId, Option<Value>)>,
    values: Values,
    /// The place is not reached: it follows a jump.
    left: bool,
    /// The switches around the place.
    switches: Vec<StmtId>,
}

impl<'a> Visitor<'a> for Follow<'a> {
    fn unit(&self) -> &'a Unit {
        self.program.unit
    }

    fn typed(&self) -> &'a Typed {
        self.program.typed
    }

    fn stmt(&mut self, s: StmtId) {
        match self.program.unit.stmts[s].kind {
            StmtKind::If(c, then, otherwise) => self.branch(c, then, otherwise),
            StmtKind::For { init, cond, step, body } => {
                self.first_clause(init);
                self.counted(s, cond, step, None, body);
            }
            StmtKind::Forall { init, cond, step, affinity, body } => {
                self.first_clause(init);
                self.counted(s, cond, step, Some(affinity), body);
            }
            StmtKind::While(..) | StmtKind::Do(..) => {
                self.forget(s);
                visit::walk_stmt(self, s);
                self.forget(s);
                self.left = false;
            }
            StmtKind::Switch(c, body) => {
                self.value(c);
                self.forget(s);
                self.switches.push(s);
                self.stmt(body);
                self.switches.pop();
                self.forget(s);
                self.left = false;
            }
            StmtKind::Case(..) | StmtKind::Default(_) => {
                self.switches.last().copied().into_iter().for_each(|s| self.forget(s));
                self.left = false;
                visit::walk_stmt(self, s);
            }
            StmtKind::Return(_) | StmtKind::Break | StmtKind::Continue | StmtKind::Goto(_) => {
                visit::walk_stmt(self, s);
                self.left = true;
            }
            _ => visit::walk_stmt(self, s),
        }
    }

    fn decl(&mut self, d: DeclId) {
        visit::walk_decl(self, d);
        let DeclKind::Vars { items, .. } = &self.program.unit.decls[d].kind else { return };
        for item in items {
            let Some(sym) = self.program.typed.declared(item.declarator) else { continue };
            let value = match item.init.and_then(|init| self.program.unit.only_expression(init)) {
                Some(e) => self.eval(e),
                None => Value::only(if item.init.is_some() { Entangled } else { Unrelated }),
            };
            self.assign(sym, value);
        }
    }

    fn value(&mut self, e: ExprId) {
        let unit = self.program.unit;
        match unit.exprs[e].kind {
            ExprKind::Assign(op, a, b) => {
                self.value(b);
                let Some(sym) = self.named(a) else { return self.place_of(a, op.is_some()) };
                let value = match op {
                    None => self.eval(b),
                    Some(op) => {
                        self.place(unit.bare(a), Use::Read);
                        let evaluation = Evaluation { program: self.program, values: &self.values };
                        evaluation.binary(e, op, evaluation.of(a, 0), evaluation.of(b, 0))
                    }
                };
                self.assign(sym, value);
            }
            ExprKind::Pre(op, a) | ExprKind::Post(op, a) => {
                let Some(sym) = self.named(a) else { return self.place_of(a, true) };
                self.place(unit.bare(a), Use::Read);
                let by = Value::constant(if op == IncDec::Inc { 1 } else { -1 });
                let evaluation = Evaluation { program: self.program, values: &self.values };
                let value = evaluation.binary(e, BinOp::Add, evaluation.of(a, 0), by);
                self.assign(sym, value);
            }
            ExprKind::Call(f, _) => {
                visit::walk_value(self, e);
                self.left |= self.program.callee(f) == Callee::Ends;
            }
            _ => visit::walk_value(self, e),
        }
    }

    fn maybe(&mut self, exprs: &[ExprId]) {
        let (mark, left) = (self.trail.len(), self.left);
        exprs.iter().for_each(|&e| self.value(e));
        self.left = left;
        for sym in self.undo(mark).into_keys() {
            self.assign(sym, Value::only(Entangled));
        }
    }

    fn place(&mut self, e: ExprId, how: Use) {
        let Some(sym) = self.named(e) else { return visit::walk_place(self, e) };
        match how {
            Use::Read | Use::Part => {
                let value = match self.env.get(&sym) {
                    _ if self.assigned.wild => Value::only(Entangled),
                    Some(value) => value.clone(),
                    None => return,
                };
                self.values.at.insert(e, value);
            }
            Use::Write | Use::Update | Use::Address => self.assign(sym, Value::only(Entangled)),
        }
    }
}

impl Follow<'_> {
    fn first_clause(&mut self, init: ForInit) {
        match init {
            ForInit::Expr(e) => self.value(e),
            ForInit::Decl(d) => self.decl(d),
            ForInit::None => {}
        }
    }

    fn place_of(&mut self, a: ExprId, update: bool) {
        let a = self.program.unit.bare(a);
        self.place(a, if update { Use::Update } else { Use::Write });
    }

    fn eval(&self, e: ExprId) -> Value {
        self.values.of(self.program, e)
    }

    /// The variable that an expression names, if its value is followed.
    fn named(&self, e: ExprId) -> Option<SymId> {
        let e = self.program.unit.bare(e);
        let ExprKind::Ident(_) = self.program.unit.exprs[e].kind else { return None };
        self.program.typed.symbol(e).filter(|&sym| is_followed(self.program.typed, sym))
    }

    fn assign(&mut self, sym: SymId, value: Value) {
        if is_followed(self.program.typed, sym) {
            let before = self.env.insert(sym, value);
            self.trail.push((sym, before));
        }
    }

    /// Undoes the changes after `mark`, and returns the values that they had given.
    fn undo(&mut self, mark: usize) -> FxHashMap<SymId, Value> {
        let mut changed = FxHashMap::default();
        for (sym, before) in self.trail.drain(mark..).rev() {
            let value = match before {
                Some(before) => self.env.insert(sym, before),
                None => self.env.remove(&sym),
            };
            if let Some(value) = value {
                changed.entry(sym).or_insert(value);
            }
        }
        changed
    }

    fn branch(&mut self, c: ExprId, then: StmtId, otherwise: Option<StmtId>) {
        self.value(c);
        let across = self.eval(c).across;
        let (mark, before) = (self.trail.len(), self.left);
        self.stmt(then);
        let then_left = std::mem::replace(&mut self.left, before);
        let mut one = self.undo(mark);
        otherwise.iter().for_each(|&s| self.stmt(s));
        let other_left = self.left;
        let mut other = self.undo(mark);
        self.left = then_left && other_left;
        match (then_left, other_left) {
            (true, _) => one.clear(),
            (_, true) => other.clear(),
            _ => {}
        }
        let mut all: Vec<SymId> = one.keys().chain(other.keys()).copied().collect();
        all.sort_unstable();
        all.dedup();
        for sym in all {
            let value = match (one.remove(&sym), other.remove(&sym)) {
                (Some(a), Some(b)) => joined(across, a, b),
                (Some(a), None) if other_left => a,
                (None, Some(b)) if then_left => b,
                (Some(a), None) | (None, Some(a)) => match self.env.get(&sym) {
                    Some(b) => joined(across, a, b.clone()),
                    None => joined(across, a, Value::only(Unrelated)),
                },
                (None, None) => continue,
            };
            self.assign(sym, value);
        }
    }

    /// Forgets the variables that a loop or switch assigns.
    fn forget(&mut self, s: StmtId) {
        let Some((body, step)) = self.assigned.loops.get(&s).cloned() else { return };
        for n in body.start..step.end {
            let sym = self.assigned.found[n];
            if self.env.get(&sym) != Some(&Value::only(Entangled)) {
                self.assign(sym, Value::only(Entangled));
            }
        }
    }

    /// Walks a `for` or a `upc_forall` after its first clause.
    fn counted(
        &mut self,
        s: StmtId,
        cond: Option<ExprId>,
        step: Option<ExprId>,
        affinity: Option<Affinity>,
        body: StmtId,
    ) {
        let counter = self.counter(s, cond, step);
        self.forget(s);
        let dealt = affinity.is_some_and(|a| matches!(a, Affinity::Expr(_)));
        if let Some((sym, first, by)) = &counter {
            let (value, _) = counted_value(s, first, by, dealt);
            self.assign(*sym, value);
        }
        cond.iter().for_each(|&e| self.value(e));
        if let (Some((sym, first, by)), Some(cond)) = (&counter, cond) {
            let (_, cyclic) = counted_value(s, first, by, dealt);
            let share = if dealt || cyclic { Share::Dealt } else { Share::All };
            let last = if cyclic {
                self.last(cond, *sym, &Value::constant(0), &Form::constant(1))
            } else {
                by.form.as_ref().and_then(|by| self.last(cond, *sym, first, by))
            };
            if share == Share::All || cyclic || first.form.is_some() {
                self.values.loops.insert(s, Iterations { last, share });
            }
        }
        if let Some(Affinity::Expr(e)) = affinity {
            self.value(e);
        }
        self.stmt(body);
        step.iter().for_each(|&e| self.value(e));
        self.forget(s);
        self.left = false;
    }

    /// The variable that a loop counts with, its first value and its step.
    fn counter(
        &self,
        s: StmtId,
        cond: Option<ExprId>,
        step: Option<ExprId>,
    ) -> Option<(SymId, Value, Value)> {
        let unit = self.program.unit;
        let ExprKind::Binary(_, a, b) = unit.exprs[unit.bare(cond?)].kind else { return None };
        let (body, steps) = self.assigned.loops.get(&s)?;
        let found = &self.assigned.found;
        let mut list = vec![step?];
        while let Some(e) = list.pop() {
            let e = unit.bare(e);
            let (target, by) = match unit.exprs[e].kind {
                ExprKind::Binary(BinOp::Comma, a, b) => {
                    list.extend([a, b]);
                    continue;
                }
                ExprKind::Pre(op, a) | ExprKind::Post(op, a) => {
                    (a, Value::constant(if op == IncDec::Inc { 1 } else { -1 }))
                }
                ExprKind::Assign(Some(BinOp::Add), a, b) => (a, self.step(b)),
                ExprKind::Assign(Some(BinOp::Sub), a, b) => {
                    let by = self.step(b);
                    let form = by.form.as_ref().and_then(|form| form.times(-1));
                    (a, Value { form, ..by })
                }
                _ => continue,
            };
            let Some(sym) = self.named(target) else { continue };
            let once = found[steps.clone()].iter().filter(|&&other| other == sym).count() == 1;
            let alone = once && !found[body.clone()].contains(&sym);
            if alone && [a, b].iter().any(|&side| self.named(side) == Some(sym)) {
                let first = self.env.get(&sym).cloned().filter(|_| !self.assigned.wild)?;
                return Some((sym, first, by));
            }
        }
        None
    }

    /// The value of a step, which has not been walked yet: a constant, or THREADS.
    fn step(&self, e: ExprId) -> Value {
        let simple = self.program.typed.constant(e).is_some()
            || matches!(self.program.unit.exprs[self.program.unit.bare(e)].kind, ExprKind::Threads);
        if simple { self.eval(e) } else { Value::only(Entangled) }
    }

    /// The number of the last iteration of a loop whose variable begins with `first` and steps by `by`.
    fn last(&self, cond: ExprId, sym: SymId, first: &Value, by: &Form) -> Option<Form> {
        let unit = self.program.unit;
        let ExprKind::Binary(op, a, b) = unit.exprs[unit.bare(cond)].kind else { return None };
        let (bound, op) = match self.named(a) == Some(sym) {
            true => (b, op),
            false => (a, mirrored(op)),
        };
        let bound = self.eval(bound).form?;
        let by = by.number()?;
        let away = match by > 0 {
            true => bound.minus(first.form.as_ref()?)?,
            false => first.form.as_ref()?.minus(&bound)?,
        };
        let excluded = match (op, by > 0) {
            (BinOp::Lt, true) | (BinOp::Gt, false) => 1,
            (BinOp::Ne, _) if by.abs() == 1 => 1,
            (BinOp::Le, true) | (BinOp::Ge, false) => 0,
            _ => return None,
        };
        let steps = away.minus(&Form::constant(excluded))?;
        match by.abs() {
            1 => Some(steps),
            by => Some(Form::constant(steps.number()?.div_euclid(by))),
        }
    }
}

/// The value of the variable of loop `s` in an iteration, and whether the loop deals its iterations out:
/// begins at MYTHREAD and steps by THREADS.
fn counted_value(s: StmtId, first: &Value, by: &Value, dealt: bool) -> (Value, bool) {
    let cyclic = first.form.as_ref() == Some(&Form::me()) && by.form.as_ref() == Some(&Form::threads());
    let number = by.form.as_ref().and_then(Form::number).filter(|&by| by != 0);
    let counted = |by| first.form.as_ref().and_then(|form| form.plus(&Form::iteration(s, by)));
    let value = match (number, first.across) {
        _ if cyclic && !dealt => Value::formed(Entangled, Form::iteration(s, 1)),
        (Some(by), across) => {
            let across = if dealt { Entangled } else { across };
            Value { across, form: counted(by), ring: None }
        }
        (None, across) if across.is_clean() && by.across.is_clean() && !dealt => Value::only(Unrelated),
        _ => Value::only(Entangled),
    };
    (value, cyclic && !dealt)
}

fn mirrored(op: BinOp) -> BinOp {
    match op {
        BinOp::Lt => BinOp::Gt,
        BinOp::Le => BinOp::Ge,
        BinOp::Gt => BinOp::Lt,
        BinOp::Ge => BinOp::Le,
        other => other,
    }
}

/// Whether a variable's values are followed: an automatic integer that only its assignments change.
fn is_followed(typed: &Typed, sym: SymId) -> bool {
    let symbol = typed.sym(sym);
    let quals = typed.types.object_quals(symbol.ty);
    matches!(symbol.kind, SymKind::Auto | SymKind::Param)
        && !symbol.address_taken
        && !quals.is_volatile
        && quals.shared.is_none()
        && matches!(typed.types.of(symbol.ty), Ty::Int(_))
}
