//! Reading ahead what lies on other hosts.
//!
//! `for (i = 0; i < n; i++) sum += a[k[i]];` waits for each element in turn, and over a network that is a message there and
//! back each time. But what iteration i reads can be asked for while earlier iterations have not run: so the loop goes
//! in parts of some hundred iterations, whose addresses are computed first and whose reads are all under way at once; then
//! the part's iterations run, with what has come. What is on this host is read where it always was.
//!
//! *Why it is allowed.* A relaxed read may be done before others, and before private work, unless the program could
//! tell (UPC 5.1.2.3). A plan is for loops that have no strict accesses, call nothing that could, write no shared memory
//! but static arrays that they do not read, and are left by their condition alone. What private pointers reach is on this host and so is not read ahead, even
//! if the loop writes there. The addresses that are computed first are those that the iterations compute: they are
//! made of the loop's variable and of what keeps its value ([`Effects::keeps`]), and of private memory that the loop
//! does not write, or writes by another type of value only (C 6.5p7). Only what every iteration reads is read ahead, so that
//! no address is followed that the program would not follow. What is read at the same address in all iterations is read once for a part.
//!
//! A `upc_forall` that is run over a thread's own part is such a loop too ([`crate::forall`]).
//!
//! *Limits.* UPC, scalars, and addresses that are found without waiting for another read of the same iteration.

use crate::affine::name;
use crate::effects::{Effects, of_body};
use crate::forall::{LONGEST_BODY, Privatised, mentions};
use c_sema::Typed;
use c_sema::typed::{SymId, SymKind};
use c_sema::types::{QTy, Ty};
use c_syntax::Language;
use c_syntax::ast::*;

/// More accesses of a loop than these are not read ahead: they take memory.
const MOST_READS: usize = 8;

/// What of a loop is read ahead: accesses to shared scalars, without parentheses around them.
#[derive(Debug)]
pub struct Ahead {
    /// The loop's variable: its step alone changes it.
    pub var: SymId,
    /// To the same object in all iterations; inner ones, which the addresses of others are made of, come first.
    pub once: Vec<ExprId>,
    /// To others in each.
    pub reads: Vec<ExprId>,
}

/// The plan for a statement, if it is such a loop.
pub fn ahead(unit: &Unit, typed: &Typed, id: StmtId) -> Option<Ahead> {
    let StmtKind::For { cond: Some(cond), step: Some(step), body, .. } = unit.stmts[id].kind else {
        return None;
    };
    let (var, by) = stepped(unit, typed, step)?;
    plan(unit, typed, var, body, |finder| {
        let steady_step = by.is_none_or(|by| !mentions(unit, typed, by, var) && finder.plain(by));
        steady_step && finder.plain(cond)
    })
}

/// The plan for a shared-out loop that is run over the own part.
pub fn privatised(unit: &Unit, typed: &Typed, id: StmtId, forall: &Privatised) -> Option<Ahead> {
    let StmtKind::Forall { body, .. } = unit.stmts[id].kind else { return None };
    let mut ahead = plan(unit, typed, forall.var, body, |_| true)?;
    ahead.reads.retain(|e| !forall.local.contains_key(e));
    (!ahead.reads.is_empty()).then_some(ahead)
}

/// The plan for a loop with this variable and body, if its head can be evaluated ahead too.
fn plan(
    unit: &Unit,
    typed: &Typed,
    var: SymId,
    body: StmtId,
    head: impl Fn(&Finder) -> bool,
) -> Option<Ahead> {
    let (span, effects) = (unit.stmts[body].span, of_body(unit, typed, body));
    if !matches!(typed.types.language, Language::Upc) || span.hi - span.lo > LONGEST_BODY {
        return None;
    }
    if effects.rigid || effects.opaque || effects.calls {
        return None;
    }
    let (written, shared_written) = written(unit, typed, body)?;
    let finder = Finder { unit, typed, effects: &effects, var, written, shared_written };
    if !finder.counts() || !head(&finder) {
        return None;
    }
    let mut surely = Vec::new();
    finder.surely(body, &mut surely);
    surely.retain(|&e| finder.can_be_ahead(e));
    let (reads, mut once): (Vec<_>, Vec<_>) = surely.into_iter().partition(|&e| finder.varies(e));
    once.retain(|&e| finder.constant(e));
    (!reads.is_empty() && reads.len() <= MOST_READS).then_some(Ahead { var, once, reads })
}

/// The variable of a third clause, and by what it is changed if that is not 1.
fn stepped(unit: &Unit, typed: &Typed, step: ExprId) -> Option<(SymId, Option<ExprId>)> {
    match unit.exprs[unit.bare(step)].kind {
        ExprKind::Pre(_, e) | ExprKind::Post(_, e) => Some((name(unit, typed, e)?, None)),
        ExprKind::Assign(Some(BinOp::Add | BinOp::Sub), e, by) => Some((name(unit, typed, e)?, Some(by))),
        _ => None,
    }
}

/// What the statement assigns in private memory other than by name, and the static shared objects that it assigns, or
/// assigns parts of; none if it writes other shared memory, or has accesses that stay where they are.
fn written(unit: &Unit, typed: &Typed, body: StmtId) -> Option<(Vec<ExprId>, Vec<SymId>)> {
    let span = unit.stmts[body].span;
    let (mut written, mut shared) = (Vec::new(), Vec::new());
    for e in unit.exprs.ids() {
        let at = unit.exprs[e].span;
        if at.lo < span.lo || at.hi > span.hi {
            continue;
        }
        let quals = typed.types.object_quals(typed.ty(e));
        let strict = quals.is_strict || (!quals.is_relaxed && unit.strict_at(at.lo));
        if (quals.shared.is_some() && strict) || quals.is_volatile || quals.is_atomic {
            return None;
        }
        let target = match unit.exprs[e].kind {
            ExprKind::Assign(_, target, _) | ExprKind::Pre(_, target) | ExprKind::Post(_, target) => target,
            ExprKind::Split(..) => return None,
            _ => continue,
        };
        if typed.types.is_shared(typed.ty(target)) {
            shared.push(whole(unit, typed, target)?);
        } else if name(unit, typed, target).is_none_or(|sym| typed.sym(sym).address_taken) {
            written.push(unit.bare(target));
        }
    }
    Some((written, shared))
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

struct Finder<'a> {
    unit: &'a Unit,
    typed: &'a Typed,
    effects: &'a Effects,
    var: SymId,
    /// Private objects that the body assigns, other than those whose names alone reach them.
    written: Vec<ExprId>,
    /// Static shared objects that the body writes to.
    shared_written: Vec<SymId>,
}

impl Finder<'_> {
    /// The variable is the loop's own, and the body leaves it alone.
    fn counts(&self) -> bool {
        let symbol = self.typed.sym(self.var);
        matches!(symbol.kind, SymKind::Auto | SymKind::Param)
            && !symbol.address_taken
            && !symbol.ty.quals.is_volatile
            && !self.typed.types.is_shared(symbol.ty)
            && matches!(self.typed.types.of(symbol.ty), Ty::Int(_) | Ty::Pointer(_))
            && !self.effects.assigned.contains(&self.var)
            && !self.effects.declared.contains(&self.var)
    }

    /// A condition or a step: of the variable and invariants, without memory.
    fn plain(&self, e: ExprId) -> bool {
        if name(self.unit, self.typed, e) == Some(self.var) {
            return true;
        }
        match self.unit.exprs[e].kind {
            ExprKind::Paren(a) | ExprKind::Extension(a) | ExprKind::Cast(_, a) => self.plain(a),
            ExprKind::Ident(_) => {
                let (types, q) = (&self.typed.types, self.typed.ty(e));
                !(types.is_shared(q) && types.is_scalar(q)) && self.steady(e)
            }
            ExprKind::Unary(op, a) => !matches!(op, UnOp::Addr | UnOp::Deref) && self.plain(a),
            ExprKind::Binary(op, a, b) => op != BinOp::Comma && self.plain(a) && self.plain(b),
            _ => self.effects.invariant(self.unit, self.typed, e),
        }
    }

    // ---- what every iteration evaluates ----------------------------------------------------------

    /// Adds what the statement evaluates whenever it runs to its end; false if what follows it may be left out.
    fn surely(&self, s: StmtId, out: &mut Vec<ExprId>) -> bool {
        let unit = self.unit;
        match &unit.stmts[s].kind {
            StmtKind::Compound(items) => return items.iter().all(|&item| self.surely(item, out)),
            StmtKind::Expr(e) => e.iter().for_each(|&e| self.evaluated(e, out)),
            StmtKind::Decl(d) => {
                if let DeclKind::Vars { items, .. } = &unit.decls[*d].kind {
                    let inits = items.iter().filter_map(|item| item.init);
                    inits.for_each(|init| {
                        if let InitKind::Expr(e) = unit.inits[init].kind {
                            self.evaluated(e, out);
                        }
                    });
                }
            }
            StmtKind::If(c, ..) => self.evaluated(*c, out),
            _ => {}
        }
        let span = unit.stmts[s].span;
        !unit.stmts.ids().any(|id| {
            let at = unit.stmts[id].span;
            span.lo <= at.lo && at.hi <= span.hi && matches!(unit.stmts[id].kind, StmtKind::Continue)
        })
    }

    /// Adds the values that the expression reads whenever it is evaluated.
    fn evaluated(&self, e: ExprId, out: &mut Vec<ExprId>) {
        match &self.unit.exprs[e].kind {
            ExprKind::Paren(a) | ExprKind::Extension(a) | ExprKind::Cast(_, a) => self.evaluated(*a, out),
            ExprKind::Binary(BinOp::And | BinOp::Or, a, _) | ExprKind::Cond(a, _, _) => {
                self.evaluated(*a, out)
            }
            ExprKind::Binary(_, a, b) => {
                self.evaluated(*a, out);
                self.evaluated(*b, out);
            }
            ExprKind::Assign(_, target, value) => {
                self.parts(*target, out);
                self.evaluated(*value, out);
            }
            ExprKind::Pre(_, target) | ExprKind::Post(_, target) => self.parts(*target, out),
            ExprKind::Call(_, args) => args.iter().for_each(|&a| self.evaluated(a, out)),
            ExprKind::Unary(UnOp::Addr, place) => self.parts(self.unit.bare(*place), out),
            _ => {
                self.parts(e, out);
                out.push(e);
            }
        }
    }

    /// Adds what is read to find the place `e`.
    fn parts(&self, e: ExprId, out: &mut Vec<ExprId>) {
        match self.unit.exprs[e].kind {
            ExprKind::Paren(a) | ExprKind::Extension(a) => self.parts(a, out),
            ExprKind::Index(a, b) => {
                self.evaluated(a, out);
                self.evaluated(b, out);
            }
            ExprKind::Unary(_, a) | ExprKind::Member { base: a, arrow: true, .. } => self.evaluated(a, out),
            ExprKind::Member { base, .. } => self.parts(base, out),
            _ => {}
        }
    }

    // ---- addresses -------------------------------------------------------------------------------

    /// Whether `e` reads a shared scalar whose address can be computed ahead.
    fn can_be_ahead(&self, e: ExprId) -> bool {
        let (types, q) = (&self.typed.types, self.typed.ty(e));
        types.is_shared(q) && types.is_scalar(q) && !self.is_bit_field(e) && self.place(e) && self.unshared(e)
    }

    /// Whether no assignment of the body is to the shared object `e`. A pointer may lead to any.
    fn unshared(&self, e: ExprId) -> bool {
        let read = whole(self.unit, self.typed, e);
        self.shared_written.is_empty() || read.is_some_and(|sym| !self.shared_written.contains(&sym))
    }

    fn is_bit_field(&self, e: ExprId) -> bool {
        let ExprKind::Member { base, arrow, name } = &self.unit.exprs[e].kind else { return false };
        let types = &self.typed.types;
        let object = if *arrow { types.pointee(self.typed.ty(*base)) } else { Some(self.typed.ty(*base)) };
        let member = object.and_then(|q| types.member(types.as_record(q)?, &name.text));
        member.is_none_or(|member| member.width.is_some())
    }

    /// Whether the address of an object is the same whenever it is computed in an iteration or ahead of it.
    fn place(&self, e: ExprId) -> bool {
        match self.unit.exprs[e].kind {
            ExprKind::Ident(_) => self.typed.symbol(e).is_some_and(|sym| {
                self.in_front(sym)
                    && !self.effects.assigned.contains(&sym)
                    && matches!(
                        self.typed.sym(sym).kind,
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
        let (unit, typed) = (self.unit, self.typed);
        let array = matches!(typed.types.of(typed.ty(e)), Ty::Array(..));
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
                    let keeps = self.effects.keeps(typed, sym) && self.in_front(sym);
                    sym == self.var || (keeps && (hidden || self.unwritten(e)))
                })
            }
            ExprKind::Number | ExprKind::Char | ExprKind::Threads | ExprKind::MyThread => true,
            ExprKind::Index(..) | ExprKind::Unary(UnOp::Deref, _) | ExprKind::Member { .. } => {
                // Of shared memory, only what is read once for all iterations: its reads would wait for each other.
                let shared = typed.types.is_shared(typed.ty(e));
                self.place(e) && if shared { self.constant(e) } else { self.unwritten(e) }
            }
            _ => false,
        }
    }

    /// Whether the shared object `e`, which may be on this host, is the same one in all iterations, and none assigns it.
    fn constant(&self, e: ExprId) -> bool {
        !self.varies(e) && self.unshared(e) && self.unwritten(e)
    }

    fn in_front(&self, sym: SymId) -> bool {
        !self.effects.declared.contains(&sym)
    }

    /// Whether no assignment of the body by private names and pointers is to the object `e`.
    fn unwritten(&self, e: ExprId) -> bool {
        let read = self.typed.ty(e);
        let root = self.root(e);
        self.written.iter().all(|&target| {
            let other = root.is_some() && self.root(target).is_some_and(|sym| Some(sym) != root);
            other || self.differ(read, self.typed.ty(target))
        })
    }

    /// The array that `e` is an element of, where it is named.
    fn root(&self, e: ExprId) -> Option<SymId> {
        let ExprKind::Index(a, _) = self.unit.exprs[e].kind else { return None };
        match self.typed.types.of(self.typed.ty(a)) {
            Ty::Array(..) => name(self.unit, self.typed, a).or_else(|| self.root(self.unit.bare(a))),
            _ => None,
        }
    }

    /// Whether an assignment to an object of the one type leaves those of the other as they are (C 6.5p7).
    fn differ(&self, a: QTy, b: QTy) -> bool {
        let types = &self.typed.types;
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
    fn varies(&self, e: ExprId) -> bool {
        match self.unit.exprs[e].kind {
            ExprKind::Ident(_) => self.typed.symbol(e) == Some(self.var),
            ExprKind::Paren(a)
            | ExprKind::Extension(a)
            | ExprKind::Cast(_, a)
            | ExprKind::Unary(_, a)
            | ExprKind::Member { base: a, .. } => self.varies(a),
            ExprKind::Index(a, b) | ExprKind::Binary(_, a, b) => self.varies(a) || self.varies(b),
            ExprKind::Cond(c, a, b) => self.varies(c) || a.is_some_and(|a| self.varies(a)) || self.varies(b),
            _ => false,
        }
    }
}
