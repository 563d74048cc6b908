//! Misuse of Split-C's split-phase accesses that shows in straight-line code.
//!
//! Between `x := *g` and the next `sync()`, x may not be touched. This walk follows a function's statements
//! in their order, with the set of outstanding gets:
//!
//! - Both branches of an `if` begin with the gets that are outstanding before it. After it, those outstanding
//!   at the end of both branches remain.
//! - The set is cleared at every loop, label and other branch, and at every call that may synchronise.
//!
//! The walk warns of a result that is used before any `sync()`, and of a get that is outstanding when the
//! function is left, at a `return` or at its end.
//!
//! Precondition: the body has been checked.

use crate::context::Context;
use crate::library::Effects;
use crate::typed::{SymId, SymKind, Typed};
use crate::visit::{self, Use, Visitor};
use base::{Code, Diagnostic, Span};
use c_syntax::Language;
use c_syntax::ast::*;

/// A local object, or a member of one: `x`, `s.pos.x`.
#[derive(Clone, PartialEq, Eq)]
struct Part<'a> {
    object: SymId,
    members: Vec<&'a str>,
}

/// The gets that are certainly outstanding at a place of the text: the filled object and the place of each.
#[derive(Clone, Default)]
struct Pending<'a> {
    gets: Vec<(Part<'a>, Span)>,
    /// The place is not reached: it follows a `return`, `break`, `continue` or `goto`.
    unreached: bool,
}

impl<'a> Pending<'a> {
    fn begin(&mut self, part: Part<'a>, at: Span) {
        self.gets.push((part, at));
    }

    fn complete(&mut self) {
        self.gets.clear();
    }

    /// Called after a statement that jumps elsewhere.
    fn leave(&mut self) {
        *self = Pending { gets: Vec::new(), unreached: true };
    }

    /// The gets that are outstanding on both of two joining paths.
    fn meet(self, other: Pending<'a>) -> Pending<'a> {
        match (self.unreached, other.unreached) {
            (true, _) => other,
            (_, true) => self,
            _ => {
                let mut both = self;
                both.gets.retain(|get| other.gets.contains(get));
                both
            }
        }
    }

    /// Removes a get that fills any part of `part`, or a whole that contains it, and returns its place.
    fn touched(&mut self, part: &Part) -> Option<Span> {
        let hit = |(other, _): &(Part, Span)| {
            let shorter = other.members.len().min(part.members.len());
            other.object == part.object && other.members[..shorter] == part.members[..shorter]
        };
        let found = self.gets.iter().position(hit)?;
        Some(self.gets.remove(found).1)
    }
}

/// Warns of split-phase accesses that are misused in a function's body.
pub(crate) fn check_split_phase(cx: &mut Context, body: StmtId) {
    if cx.env.language != Language::SplitC {
        return;
    }
    let mut follow =
        Follow { cx, unit: cx.unit, pending: Pending::default(), found: Vec::new(), named: Vec::new() };
    follow.stmt(body);
    follow.end();
    let Follow { found, named, .. } = follow;
    cx.out.suspect.extend(named);
    for found in found {
        cx.report(found);
    }
}

/// The walk over a function, and the diagnostics found.
struct Follow<'a, 'u> {
    cx: &'a Context<'u>,
    unit: &'a Unit,
    pending: Pending<'a>,
    found: Vec<Diagnostic>,
    /// Names of functions that stand as statements, without effect.
    named: Vec<ExprId>,
}

impl<'a> Visitor<'a> for Follow<'a, '_> {
    fn unit(&self) -> &'a Unit {
        self.unit
    }

    fn typed(&self) -> &'a Typed {
        &self.cx.out
    }

    fn stmt(&mut self, s: StmtId) {
        match &self.unit.stmts[s].kind {
            StmtKind::Compound(_) | StmtKind::Decl(_) => visit::walk_stmt(self, s),
            StmtKind::Expr(Some(e)) => {
                self.check_named_only(*e);
                self.value(*e);
            }
            StmtKind::Expr(None) | StmtKind::Opaque | StmtKind::Error => {}
            StmtKind::Return(e) => {
                e.iter().for_each(|&e| self.value(e));
                self.end();
                self.pending.leave();
            }
            StmtKind::Goto(_) | StmtKind::Break | StmtKind::Continue => self.pending.leave(),
            StmtKind::If(c, then, other) => {
                self.value(*c);
                let before = self.pending.clone();
                self.stmt(*then);
                let after = std::mem::replace(&mut self.pending, before);
                other.iter().for_each(|&other| self.stmt(other));
                self.pending = std::mem::take(&mut self.pending).meet(after);
            }
            StmtKind::While(c, body) | StmtKind::Switch(c, body) => self.branch(Some(*c), *body),
            StmtKind::Do(body, c) => {
                let before = std::mem::take(&mut self.pending);
                self.stmt(*body);
                self.value(*c);
                self.pending = before;
                self.forget();
            }
            StmtKind::For { init, cond, body, .. } => {
                match init {
                    ForInit::Expr(e) => self.value(*e),
                    ForInit::Decl(d) => self.decl(*d),
                    ForInit::None => {}
                }
                self.branch(*cond, *body);
            }
            StmtKind::Label(_, inner) | StmtKind::Case(_, _, inner) | StmtKind::Default(inner) => {
                self.forget();
                self.stmt(*inner);
            }
            _ => self.forget(),
        }
    }

    fn maybe(&mut self, exprs: &[ExprId]) {
        exprs.iter().for_each(|&e| self.value(e));
        self.pending.complete();
    }

    fn value(&mut self, e: ExprId) {
        match &self.unit.exprs[e].kind {
            &ExprKind::Split(_, a, b) => {
                self.value(b);
                match self.local_part(a) {
                    Some(part) => self.pending.begin(part, self.unit.exprs[e].span),
                    None => visit::walk_place(self, self.unit.bare(a)),
                }
            }
            ExprKind::Call(f, args) => {
                args.iter().for_each(|&a| self.value(a));
                if self.may_sync(*f) {
                    self.pending.complete();
                }
            }
            _ => visit::walk_value(self, e),
        }
    }

    fn place(&mut self, e: ExprId, how: Use) {
        match self.local_part(e) {
            // An address alone reads nothing.
            Some(_) if how == Use::Address => {}
            Some(part) => {
                if let Some(begun) = self.pending.touched(&part) {
                    let message = "the result of a `:=` is used before `sync()`";
                    self.warn(self.unit.exprs[e].span, message, "may not have arrived", Some(begun));
                }
            }
            None => visit::walk_place(self, e),
        }
    }
}

impl<'a> Follow<'a, '_> {
    /// A statement that branches: uses its controlling expression. Its body and the text after it begin with
    /// an empty set.
    fn branch(&mut self, decided: Option<ExprId>, body: StmtId) {
        decided.iter().for_each(|&c| self.value(c));
        self.forget();
        self.stmt(body);
        self.forget();
    }

    /// A place that several paths lead to.
    fn forget(&mut self) {
        self.pending = Pending::default();
    }

    /// The function is left. A get that is outstanding on several ways out is reported once.
    fn end(&mut self) {
        for (part, at) in std::mem::take(&mut self.pending).gets {
            let own = matches!(self.typed().sym(part.object).kind, SymKind::Auto | SymKind::Param);
            if own && !self.found.iter().any(|d| d.span == at) {
                self.warn(at, "is outstanding when the function ends", "its variable is gone then", None);
            }
        }
    }

    fn warn(&mut self, at: Span, message: &str, label: &str, begun: Option<Span>) {
        let mut d = Diagnostic::warning(Code::SplitPhase, at, message).label(label);
        if let Some(begun) = begun {
            d = d.also(begun, "is begun here");
        }
        let help = "write `sync()` in between: `sync()` waits until all `:=` of this processor are complete";
        self.found.push(d.help(help));
    }

    /// The local object, or member of one, that an expression names.
    fn local_part(&self, e: ExprId) -> Option<Part<'a>> {
        match &self.unit.exprs[e].kind {
            &ExprKind::Paren(a) => self.local_part(a),
            ExprKind::Ident(_) => {
                let object = self.typed().symbol(e)?;
                let sym = self.typed().sym(object);
                let local = matches!(sym.kind, SymKind::Auto | SymKind::Param | SymKind::Static { .. });
                let whole = !self.typed().types.is_shared(sym.ty) && !self.typed().types.is_array(sym.ty);
                (local && whole).then(|| Part { object, members: Vec::new() })
            }
            ExprKind::Member { base, arrow: false, name } => {
                let mut part = self.local_part(*base)?;
                part.members.push(&name.text);
                Some(part)
            }
            _ => None,
        }
    }

    /// Whether a call may complete outstanding gets: `sync` and the like do, and a function of the program
    /// may.
    fn may_sync(&self, f: ExprId) -> bool {
        let ExprKind::Ident(name) = &self.unit.exprs[f].kind else { return true };
        let Some(sym) = self.typed().symbol(f) else {
            return !matches!(&*name.text, "toglobal" | "toproc" | "tolocal");
        };
        if let Some(row) = self.cx.library(sym) {
            return row.effects == Effects::Syncs;
        }
        let sym = self.typed().sym(sym);
        sym.kind != SymKind::Builtin && !self.cx.source.presumed(sym.span.lo).system
    }

    /// Warns of `sync;`, which does nothing, and of `is_sync();`, which only looks.
    fn check_named_only(&mut self, e: ExprId) {
        let (name, called) = match &self.unit.exprs[e].kind {
            ExprKind::Ident(_) => (e, false),
            ExprKind::Call(f, _) => (*f, true),
            _ => return,
        };
        let row = self.typed().symbol(name).and_then(|sym| self.cx.library(sym));
        let Some(row) = row.filter(|row| row.may_be_replaced()) else { return };
        let d = match (row.name, called) {
            (word, false) => {
                self.named.push(e);
                let at = self.unit.exprs[name].span;
                Diagnostic::warning(Code::SplitPhase, at, format!("`{word}` is named, but not called"))
                    .label("does nothing")
                    .help(format!("write `{word}()`"))
            }
            ("is_sync", true) => Diagnostic::warning(
                Code::SplitPhase,
                self.unit.exprs[e].span,
                "the result of `is_sync()` is not used",
            )
            .label("tests whether all operations are complete, and does not wait")
            .help("write `sync()` to wait"),
            _ => return,
        };
        self.found.push(d);
    }
}
