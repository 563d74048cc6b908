//! Finds the reads that a loop does in rounds: a walk over its body that finds the reads, the writes, and the
//! values on which the path of a trial depends.

use super::super::iterations::Iterations;
use super::{Plan, Write};
use crate::facts::body::Body;
use crate::facts::dependences::Dependences;
use crate::facts::early;
use crate::facts::equality;
use crate::facts::functions::{self, Summary};
use crate::facts::places::{is_bit_field, is_part_of_own, may_be_copied, not_read};
use crate::facts::shapes::mentions;
use crate::ir::reason::Reason;
use crate::ir::tree::{Access, Early, Node as Made, Tree};
use c_sema::typed::{SymId, SymKind};
use c_sema::types::Ty;
use c_syntax::ast::*;
use c_syntax::visit::{Node as Any, Visitor, each_expr, exists, walk_stmt};
use std::collections::HashSet;

/// The most reads in rounds: each is rendered a second time, in the trial.
const MOST_READS: usize = 16;

/// Returns the statement that stands in the place of `s` now, or none if other nodes do.
fn become_of(tree: &Tree, s: StmtId) -> Option<StmtId> {
    match tree.nodes(s) {
        None => Some(s),
        Some(&[Made::Stmt(other)]) => become_of(tree, other),
        Some(_) => None,
    }
}

/// Returns the reads in the loops of a body that follow the values they read. Loops inside of a counting loop
/// are left out, since that loop is read ahead by itself.
pub(in super::super) fn followed(tree: &Tree, body: StmtId) -> Vec<ExprId> {
    struct Followed<'a>(&'a Tree, Vec<ExprId>);
    impl<'a> Visitor<'a> for Followed<'a> {
        fn unit(&self) -> &'a Unit {
            &self.0.unit
        }
        fn stmt(&mut self, s: StmtId) {
            let Some(s) = become_of(self.0, s) else { return };
            match self.0.unit.stmts[s].kind {
                StmtKind::Forall { .. } => {}
                StmtKind::For { .. } if counts(self.0, s) => {}
                StmtKind::For { .. } | StmtKind::While(..) | StmtKind::Do(..) => {
                    let others = not_read(&self.0.unit, s);
                    each_expr(&self.0.unit, Any::Stmt(s), |e| {
                        self.1.extend((is_read(self.0, e) && !others.contains(&e)).then_some(e));
                        true
                    });
                }
                _ => walk_stmt(self, s),
            }
        }
    }
    let mut found = Followed(tree, Vec::new());
    found.stmt(body);
    found.1
}

/// Returns true if a loop counts, and is left by its condition alone.
fn counts(tree: &Tree, s: StmtId) -> bool {
    let Some(shape) = tree.shape(s) else { return false };
    shape.first.is_some()
        && shape.step.is_some()
        && shape.condition.is_some()
        && !tree.effects(shape.body).rigid
}

/// Returns true if an expression is a shared object that may be remote.
fn is_read(tree: &Tree, e: ExprId) -> bool {
    let (types, q) = (&tree.typed.types, tree.typed.ty(e));
    types.is_shared(q) && may_be_copied(types, q) && !is_part_of_own(tree, e)
}

/// A value that a variable of the function gets.
struct Set {
    sym: SymId,
    value: ExprId,
    /// Set by an assignment, not by a declaration.
    assigned: bool,
}

pub(super) struct Find<'a> {
    tree: &'a Tree,
    body: &'a Body<'a>,
    dependences: &'a Dependences<'a>,
    sets: Vec<Set>,
    /// Expressions by which a trial finds shared objects, and the conditions of its loops.
    control: Vec<ExprId>,
    /// All conditions of a trial.
    decisions: Vec<ExprId>,
    /// Expressions that could end the program if they had another value: those that find private objects, and
    /// arguments of functions that need not return.
    strict: Vec<ExprId>,
    /// Some of `strict` is evaluated only under conditions, which have to be right as well.
    guarded: bool,
    /// The number of conditions and loops around the current expression, and whether a `break` or `continue`
    /// that may skip the expression has been passed.
    under: usize,
    left_out: bool,
    /// Objects that every iteration reads.
    certain: &'a [ExprId],
    plan: Plan,
}

type Found = Result<(), Reason>;

impl<'a> Find<'a> {
    /// Returns the plan of a loop.
    pub(super) fn plan(of: &Iterations<'a>) -> Result<Plan, Reason> {
        let &Iterations { body, dependences, .. } = of;
        let tree = body.tree;
        let mut find = Find {
            tree,
            body,
            dependences,
            sets: Vec::new(),
            control: Vec::new(),
            decisions: Vec::new(),
            strict: Vec::new(),
            guarded: false,
            under: 0,
            left_out: false,
            certain: &of.certain.reads,
            plan: Plan::default(),
        };
        find.stmt(body.stmt)?;
        find.decides()?;
        let mut assigned: Vec<SymId> = Vec::new();
        for set in find.sets.iter().filter(|set| set.assigned && body.in_front(set.sym)) {
            if !assigned.contains(&set.sym) {
                assigned.push(set.sym);
            }
        }
        let plan = Plan { assigned, ..find.plan };
        match plan.reads.len() {
            0 => Err(Reason::NothingFollowed),
            1..=MOST_READS => Ok(plan),
            _ => Err(Reason::MoreReadsThanTrials),
        }
    }

    // ---- statements ------------------------------------------------------------------------------

    fn stmt(&mut self, s: StmtId) -> Found {
        let unit = self.body.unit;
        // Another pass has moved the statement to the head of its loop.
        if matches!(self.tree.nodes(s), Some([])) {
            return Ok(());
        }
        let s = become_of(self.tree, s).ok_or(Reason::NotFollowed)?;
        match &unit.stmts[s].kind {
            StmtKind::Compound(items) => items.iter().try_for_each(|&item| self.stmt(item)),
            &StmtKind::Decl(d) => self.declaration(d),
            StmtKind::Expr(None) => Ok(()),
            StmtKind::Continue | StmtKind::Break => {
                self.left_out = true;
                Ok(())
            }
            &StmtKind::Expr(Some(e)) => self.whole(s, e),
            &StmtKind::If(c, then, otherwise) => {
                self.decision(c)?;
                self.conditional(|find| {
                    find.stmt(then)?;
                    otherwise.map_or(Ok(()), |s| find.stmt(s))
                })
            }
            &StmtKind::While(c, body) | &StmtKind::Do(body, c) => {
                self.plan.loops.push(body);
                self.conditional(|find| {
                    find.goes_on(c)?;
                    find.stmt(body)
                })
            }
            &StmtKind::For { init, cond, step, body } => {
                match init {
                    ForInit::None => {}
                    ForInit::Expr(e) => self.value(e)?,
                    ForInit::Decl(d) => self.declaration(d)?,
                }
                self.plan.loops.push(body);
                self.conditional(|find| {
                    cond.map_or(Ok(()), |c| find.goes_on(c))?;
                    step.map_or(Ok(()), |e| find.value(e))?;
                    find.stmt(body)
                })
            }
            _ => Err(Reason::NotFollowed),
        }
    }

    fn declaration(&mut self, d: DeclId) -> Found {
        let unit = self.body.unit;
        let DeclKind::Vars { items, .. } = &unit.decls[d].kind else { return Err(Reason::NotFollowed) };
        for item in items {
            let Some(sym) = self.body.typed.declared(item.declarator) else {
                return Err(Reason::NotFollowed);
            };
            if !may_be_copied(&self.body.typed.types, self.body.typed.sym(sym).ty) {
                return Err(Reason::NotFollowed);
            }
            match item.init.map(|init| &unit.inits[init].kind) {
                None => {}
                Some(&InitKind::Expr(value)) => {
                    self.value(value)?;
                    self.sets.push(Set { sym, value, assigned: false });
                }
                Some(_) => return Err(Reason::NotFollowed),
            }
        }
        Ok(())
    }

    /// Visits a part that is evaluated under a condition, or repeatedly.
    fn conditional(&mut self, inner: impl FnOnce(&mut Self) -> Found) -> Found {
        self.under += 1;
        let found = inner(self);
        self.under -= 1;
        found
    }

    /// Visits a condition.
    fn decision(&mut self, e: ExprId) -> Found {
        self.decisions.push(e);
        self.value(e)
    }

    /// Visits the condition of a loop.
    fn goes_on(&mut self, e: ExprId) -> Found {
        self.control.push(e);
        self.decision(e)
    }

    /// Visits an expression that could end the program if it had another value. `surely`: the iteration
    /// evaluates it in any case.
    fn exact(&mut self, e: ExprId, surely: bool) -> Found {
        if exists(self.body.unit, Any::Expr(e), |e| self.body.is_object(e)) {
            self.guarded |= !surely && (self.under > 0 || self.left_out);
            self.strict.push(e);
        }
        self.value(e)
    }

    /// Visits an expression that is a statement: it may write memory.
    fn whole(&mut self, s: StmtId, e: ExprId) -> Found {
        let unit = self.body.unit;
        let (target, value) = match unit.exprs[unit.bare(e)].kind {
            ExprKind::Assign(_, target, value) => (unit.bare(target), Some(value)),
            ExprKind::Pre(_, target) | ExprKind::Post(_, target) => (unit.bare(target), None),
            _ => return self.value(e),
        };
        if !self.writes(target) {
            return self.value(e);
        }
        if self.is_automatic(target) {
            return Err(Reason::NotFollowed);
        }
        value.map_or(Ok(()), |value| self.value(value))?;
        let types = &self.body.typed.types;
        let found = exists(unit, Any::Expr(target), |e| {
            e != target && types.is_shared(self.body.typed.ty(e)) && types.is_scalar(self.body.typed.ty(e))
        });
        let effects = exists(unit, Any::Expr(target), |e| {
            matches!(
                unit.exprs[e].kind,
                ExprKind::Assign(..) | ExprKind::Pre(..) | ExprKind::Post(..) | ExprKind::Call(..)
            )
        });
        if effects {
            return Err(Reason::NotFollowed);
        }
        if found {
            self.place(target)?;
        }
        let mut names = Vec::new();
        each_expr(unit, Any::Expr(target), |e| {
            if let Some(sym) =
                self.variable(e).filter(|&sym| !self.body.in_front(sym) && !names.contains(&sym))
            {
                names.push(sym);
            }
            true
        });
        self.plan.writes.push(Write { stmt: s, place: found.then_some(target), value, names });
        Ok(())
    }

    /// Returns true if an assignment to this object writes memory.
    fn writes(&self, target: ExprId) -> bool {
        self.variable(target).is_none() || self.dependences.writes.contains(&target)
    }

    /// Returns true if an object is a variable of the function, or a part of one. A trial leaves out the
    /// write, and would read an older value.
    fn is_automatic(&self, e: ExprId) -> bool {
        match self.body.unit.exprs[e].kind {
            ExprKind::Ident(_) => {
                self.body.typed.symbol(e).is_some_and(|sym| {
                    matches!(self.body.typed.sym(sym).kind, SymKind::Auto | SymKind::Param)
                })
            }
            ExprKind::Paren(a) | ExprKind::Extension(a) => self.is_automatic(a),
            ExprKind::Member { base, arrow: false, .. } => self.is_automatic(base),
            ExprKind::Index(a, _) => self.body.is_array(a) && self.is_automatic(a),
            _ => false,
        }
    }

    /// Returns the private variable that an expression names.
    fn variable(&self, e: ExprId) -> Option<SymId> {
        let named = matches!(self.body.unit.exprs[e].kind, ExprKind::Ident(_))
            && !self.body.typed.types.is_shared(self.body.typed.ty(e))
            && !matches!(self.body.typed.types.of(self.body.typed.ty(e)), Ty::Function(_));
        named.then(|| self.body.typed.symbol(e)).flatten()
    }

    // ---- expressions -----------------------------------------------------------------------------

    fn value(&mut self, e: ExprId) -> Found {
        let unit = self.body.unit;
        match &unit.exprs[e].kind {
            ExprKind::Number | ExprKind::Char | ExprKind::String => Ok(()),
            ExprKind::Threads | ExprKind::MyThread => Ok(()),
            ExprKind::SizeofExpr(..) | ExprKind::SizeofType(..) => Ok(()),
            &ExprKind::Paren(a) | &ExprKind::Extension(a) | &ExprKind::Cast(_, a) => self.value(a),
            &ExprKind::Unary(UnOp::Addr, a) => self.place(a),
            &ExprKind::Unary(op, a) if op != UnOp::Deref => self.value(a),
            &ExprKind::Binary(op, a, b) => {
                if matches!(op, BinOp::And | BinOp::Or) {
                    self.decision(a)?;
                    return self.conditional(|find| find.value(b));
                }
                self.value(a)?;
                self.value(b)
            }
            &ExprKind::Cond(c, a, b) => {
                self.decision(c)?;
                self.conditional(|find| {
                    a.map_or(Ok(()), |a| find.value(a))?;
                    find.value(b)
                })
            }
            &ExprKind::Assign(_, target, value) => {
                self.assigned(target, value)?;
                self.value(value)
            }
            &ExprKind::Pre(_, target) | &ExprKind::Post(_, target) => self.assigned(target, target),
            ExprKind::Call(f, args) => {
                if functions::of_call(self.tree, *f) != Summary::Arguments {
                    return Err(Reason::CallDepends);
                }
                let returns = functions::returns(self.tree, *f);
                args.iter().try_for_each(|&a| if returns { self.value(a) } else { self.exact(a, false) })
            }
            ExprKind::Ident(_)
            | ExprKind::Index(..)
            | ExprKind::Unary(UnOp::Deref, _)
            | ExprKind::Member { .. } => {
                self.place(e)?;
                self.read(e)
            }
            _ => Err(Reason::NotFollowed),
        }
    }

    /// Visits the expressions that find an object.
    fn place(&mut self, e: ExprId) -> Found {
        match self.body.unit.exprs[e].kind {
            ExprKind::Ident(_) => Ok(()),
            ExprKind::Paren(a) | ExprKind::Extension(a) => self.place(a),
            ExprKind::Index(a, b) => {
                self.finds(e, a)?;
                self.finds(e, b)
            }
            ExprKind::Unary(UnOp::Deref, a) | ExprKind::Member { base: a, arrow: true, .. } => {
                self.finds(e, a)
            }
            ExprKind::Member { base, .. } => self.place(base),
            _ => Err(Reason::NotFollowed),
        }
    }

    /// Visits a part of an object's address. A trial tests first whether there is memory at a shared address.
    fn finds(&mut self, object: ExprId, part: ExprId) -> Found {
        let (unit, typed) = (self.body.unit, self.body.typed);
        let tried = matches!(self.tree.access(object), None | Some(Access::Cached(_)))
            && !is_part_of_own(self.tree, object);
        if typed.types.is_shared(typed.ty(object)) && tried {
            self.control.push(part);
            return self.value(part);
        }
        // The object may be read early if the iteration reads it in any case.
        let surely = self.stays(object)
            && self.certain.iter().any(|&e| e != object && equality::same(unit, typed, e, object));
        self.exact(part, surely)
    }

    /// Returns true if the address of an object has one value in an iteration.
    fn stays(&self, object: ExprId) -> bool {
        !exists(self.body.unit, Any::Expr(object), |e| {
            self.variable(e).is_some_and(|sym| self.body.effects.assigned.contains(&sym))
        })
    }

    /// Visits an assignment within an expression, to a variable of the function. An assignment to memory is
    /// refused: a trial leaves it out, and the rest of the expression would miss its value.
    fn assigned(&mut self, target: ExprId, value: ExprId) -> Found {
        let target = self.body.unit.bare(target);
        let sym = self.variable(target).filter(|_| !self.writes(target)).ok_or(Reason::NotFollowed)?;
        let types = &self.body.typed.types;
        if !may_be_copied(types, self.body.typed.ty(target)) {
            return Err(Reason::NotFollowed);
        }
        self.sets.push(Set { sym, value, assigned: true });
        Ok(())
    }

    fn read(&mut self, e: ExprId) -> Found {
        let (types, q) = (&self.body.typed.types, self.body.typed.ty(e));
        if !types.is_shared(q) || matches!(types.of(q), Ty::Array(..)) {
            return Ok(());
        }
        if !may_be_copied(types, q)
            || is_bit_field(self.tree, e)
            || self.dependences.by_owner.contains(&e)
            || self.tree.is_asked_early(Early::Halo, e)
            || self.tree.is_asked_early(Early::Directory, e)
        {
            return Err(Reason::NotCached);
        }
        match self.tree.access(e) {
            None | Some(Access::Cached(_)) if !is_part_of_own(self.tree, e) => self.plan.reads.push(e),
            None | Some(Access::Cached(_) | Access::Element { .. } | Access::Own | Access::Value(_)) => {}
            Some(_) => return Err(Reason::NotFollowed),
        }
        Ok(())
    }

    // ---- control values of a trial ---------------------------------------------------------------

    /// Checks that a trial computes every control value as the program would, also before other iterations
    /// have run. Values that the loop may write are excepted if an older value does no harm.
    fn decides(&self) -> Found {
        let made_of = |roots: &[ExprId]| {
            let (mut exprs, mut next) = (roots.to_vec(), 0);
            let mut known: HashSet<SymId> = HashSet::new();
            while next < exprs.len() {
                each_expr(self.body.unit, Any::Expr(exprs[next]), |e| {
                    if let Some(sym) = self.variable(e).filter(|&sym| known.insert(sym)) {
                        exprs.extend(self.sets.iter().filter(|set| set.sym == sym).map(|set| set.value));
                    }
                    true
                });
                next += 1;
            }
            (exprs, known)
        };
        let (_, known) = made_of(&[&self.control[..], &self.strict].concat());
        known.iter().try_for_each(|&sym| self.sets_first(sym))?;
        let decisions = if self.guarded { &self.decisions[..] } else { &[] };
        let (exprs, known) = made_of(&[&self.strict[..], decisions].concat());
        known.iter().try_for_each(|&sym| self.sets_first(sym))?;
        let written = |e| self.body.is_object(e) && self.dependences.may_write(e);
        let has = |exprs: &[ExprId], is: &dyn Fn(ExprId) -> bool| {
            exprs.iter().any(|&of| exists(self.body.unit, Any::Expr(of), is))
        };
        // Floating-point operations may trap. If nothing is decided by them, nothing computes them.
        let (ways, _) = made_of(&[&self.control[..], &self.decisions].concat());
        let traps =
            has(&ways, &|e| early::may_trap(self.body.unit, self.body.typed, e)) && has(&ways, &written);
        if traps || has(&exprs, &written) { Err(Reason::WritesItsWay) } else { Ok(()) }
    }

    /// Checks that each iteration sets a variable before it reads the variable, or that none sets it.
    fn sets_first(&self, sym: SymId) -> Found {
        let assigned = self.sets.iter().any(|set| set.sym == sym && set.assigned);
        if !assigned || !self.body.in_front(sym) || self.first_in(self.body.stmt, sym) == Some(true) {
            return Ok(());
        }
        Err(Reason::IterationGoesOn)
    }

    /// Returns whether the first access of a statement to a variable sets it, on every path. Returns none if
    /// the statement does not name the variable.
    fn first_in(&self, s: StmtId, sym: SymId) -> Option<bool> {
        let unit = self.body.unit;
        let named = |of: Any| {
            exists(unit, of, |e| {
                matches!(unit.exprs[e].kind, ExprKind::Ident(_)) && self.body.typed.symbol(e) == Some(sym)
            })
        };
        let s = become_of(self.tree, s)?;
        if !named(Any::Stmt(s)) {
            return None;
        }
        Some(match unit.stmts[s].kind {
            StmtKind::Compound(ref items) => {
                return items.iter().find_map(|&item| self.first_in(item, sym));
            }
            StmtKind::Expr(Some(e)) => self.sets_in(e, sym) == Some(true),
            StmtKind::For { init: ForInit::Expr(e), .. } => self.sets_in(e, sym) == Some(true),
            _ => false,
        })
    }

    /// Returns the same as `first_in`, for an expression whose value nobody uses.
    fn sets_in(&self, e: ExprId, sym: SymId) -> Option<bool> {
        let unit = self.body.unit;
        let e = unit.bare(e);
        if !mentions(unit, self.body.typed, e, sym) {
            return None;
        }
        Some(match unit.exprs[e].kind {
            ExprKind::Binary(BinOp::Comma, a, b) => {
                return self.sets_in(a, sym).or_else(|| self.sets_in(b, sym));
            }
            ExprKind::Assign(None, target, value) => {
                self.body.name(target) == Some(sym) && !mentions(unit, self.body.typed, value, sym)
            }
            _ => false,
        })
    }
}
