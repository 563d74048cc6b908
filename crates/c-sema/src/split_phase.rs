//! Misuse of Split-C's split-phase accesses that shows in straight-line code.
//!
//! Between `x := *g` and the next `sync()` x may not be touched. This walk follows a function's statements in their
//! order, forgets what it knows at every branch, loop and label and at every call that may synchronise, and warns of
//! what is left: a result that is used, or left behind at the end of the function, before any `sync()`.
//!
//! Precondition: the body has been checked.

use crate::checker::Checker;
use crate::typed::{SymId, SymKind};
use base::{Code, Diagnostic, Span};
use c_syntax::Language;
use c_syntax::ast::*;

/// A local object, or a member of one: `x`, `s.pos.x`.
#[derive(Clone, PartialEq, Eq)]
struct Part<'a> {
    object: SymId,
    members: Vec<&'a str>,
}

/// The gets that are outstanding for certain at a place of the text: where each is, and what it fills.
#[derive(Default)]
struct Pending<'a>(Vec<(Part<'a>, Span)>);

impl<'a> Pending<'a> {
    fn begin(&mut self, part: Part<'a>, at: Span) {
        self.0.push((part, at));
    }

    fn complete(&mut self) {
        self.0.clear();
    }

    /// Takes out a get that fills any of what `part` is.
    fn touched(&mut self, part: &Part) -> Option<Span> {
        let hit = |(other, _): &(Part, Span)| {
            let shorter = other.members.len().min(part.members.len());
            other.object == part.object && other.members[..shorter] == part.members[..shorter]
        };
        let found = self.0.iter().position(hit)?;
        Some(self.0.remove(found).1)
    }
}

impl<'a> Checker<'a> {
    /// Warns of split-phase accesses that are misused in a function's body.
    pub fn check_split_phase(&mut self, body: StmtId) {
        if self.env.language != Language::SplitC {
            return;
        }
        let mut pending = Pending::default();
        self.follow(body, &mut pending);
        for (part, at) in pending.0 {
            if self.out.sym(part.object).kind == SymKind::Auto {
                self.warn_split(
                    at,
                    "is outstanding when the function ends",
                    "its variable is gone then",
                    None,
                );
            }
        }
    }

    fn warn_split(&mut self, at: Span, message: &str, label: &str, begun: Option<Span>) {
        let mut d = Diagnostic::warning(Code::SplitPhase, at, message).label(label);
        if let Some(begun) = begun {
            d = d.also(begun, "is begun here");
        }
        self.report(d.help("write `sync()` between: it waits until all `:=` of this processor are complete"));
    }

    // ---- statements ------------------------------------------------------------------------------

    fn follow(&mut self, s: StmtId, pending: &mut Pending<'a>) {
        let unit = self.unit;
        match &unit.stmts[s].kind {
            StmtKind::Compound(items) => items.iter().for_each(|&item| self.follow(item, pending)),
            StmtKind::Decl(d) => self.follow_decl(*d, pending),
            StmtKind::Expr(Some(e)) => {
                self.check_named_only(*e);
                self.uses(*e, pending);
            }
            StmtKind::Return(e) => {
                e.iter().for_each(|&e| self.uses(e, pending));
                pending.complete();
            }
            StmtKind::If(c, then, other) => {
                self.branch(&[Some(*c)], &[Some(*then), *other], pending);
            }
            StmtKind::While(c, body) | StmtKind::Switch(c, body) => {
                self.branch(&[Some(*c)], &[Some(*body)], pending);
            }
            StmtKind::Do(body, c) => {
                let mut inside = Pending::default();
                self.follow(*body, &mut inside);
                self.uses(*c, &mut inside);
                pending.complete();
            }
            StmtKind::For { init, cond, body, .. } => {
                match init {
                    ForInit::Expr(e) => self.uses(*e, pending),
                    ForInit::Decl(d) => self.follow_decl(*d, pending),
                    ForInit::None => {}
                }
                self.branch(&[*cond], &[Some(*body)], pending);
            }
            StmtKind::Label(_, inner) | StmtKind::Case(_, _, inner) | StmtKind::Default(inner) => {
                pending.complete();
                self.follow(*inner, pending);
            }
            StmtKind::Expr(None) | StmtKind::Opaque | StmtKind::Error => {}
            _ => pending.complete(),
        }
    }

    /// What a statement decides by is used; what it leads to begins without knowledge, and so does what follows.
    fn branch(&mut self, decided: &[Option<ExprId>], inside: &[Option<StmtId>], pending: &mut Pending<'a>) {
        decided.iter().flatten().for_each(|&c| self.uses(c, pending));
        pending.complete();
        for &s in inside.iter().flatten() {
            self.follow(s, &mut Pending::default());
        }
    }

    fn follow_decl(&mut self, d: DeclId, pending: &mut Pending<'a>) {
        let unit = self.unit;
        let DeclKind::Vars { items, .. } = &unit.decls[d].kind else { return };
        for init in items.iter().filter_map(|item| item.init) {
            self.uses_init(init, pending);
        }
    }

    fn uses_init(&mut self, init: InitId, pending: &mut Pending<'a>) {
        let unit = self.unit;
        match &unit.inits[init].kind {
            InitKind::Expr(e) => self.uses(*e, pending),
            InitKind::List(items) => items.iter().for_each(|(_, inner)| self.uses_init(*inner, pending)),
        }
    }

    // ---- expressions -----------------------------------------------------------------------------

    /// Follows an expression: what it reads and writes, and what it begins.
    fn uses(&mut self, e: ExprId, pending: &mut Pending<'a>) {
        let unit = self.unit;
        if let Some(part) = self.local_part(e) {
            if let Some(begun) = pending.touched(&part) {
                let at = self.span(e);
                let message = "the result of a `:=` is used before `sync()`";
                self.warn_split(at, message, "may not have arrived", Some(begun));
            }
            return;
        }
        match &unit.exprs[e].kind {
            &ExprKind::Paren(a) | &ExprKind::Extension(a) | &ExprKind::Cast(_, a) => self.uses(a, pending),
            &ExprKind::Post(_, a) | &ExprKind::Pre(_, a) => self.uses(a, pending),
            // An address alone reads nothing.
            &ExprKind::Unary(UnOp::Addr, a) if self.local_part(a).is_some() => {}
            ExprKind::Unary(_, a) | ExprKind::Member { base: a, .. } => self.uses(*a, pending),
            &ExprKind::Index(a, b) | &ExprKind::Assign(_, a, b) => {
                self.uses(b, pending);
                self.uses(a, pending);
            }
            &ExprKind::Binary(op, a, b) => {
                self.uses(a, pending);
                if matches!(op, BinOp::And | BinOp::Or) {
                    return self.uses_maybe(&[b], pending);
                }
                self.uses(b, pending);
            }
            &ExprKind::Cond(c, a, b) => {
                self.uses(c, pending);
                self.uses_maybe(&[a.unwrap_or(b), b], pending);
            }
            &ExprKind::Split(_, a, b) => {
                self.uses(b, pending);
                match self.local_part(a) {
                    Some(part) => pending.begin(part, self.span(e)),
                    None => self.uses(a, pending),
                }
            }
            ExprKind::Call(f, args) => {
                args.iter().for_each(|&a| self.uses(a, pending));
                if self.may_sync(*f) {
                    pending.complete();
                }
            }
            ExprKind::Stmts(s) => self.follow(*s, pending),
            ExprKind::Compound(_, init) => self.uses_init(*init, pending),
            _ => {}
        }
    }

    /// Operands of which it is not known whether they are evaluated.
    fn uses_maybe(&mut self, operands: &[ExprId], pending: &mut Pending<'a>) {
        operands.iter().for_each(|&e| self.uses(e, pending));
        pending.complete();
    }

    /// The local object, or member of one, that an expression names.
    fn local_part(&self, e: ExprId) -> Option<Part<'a>> {
        let unit = self.unit;
        match &unit.exprs[e].kind {
            &ExprKind::Paren(a) => self.local_part(a),
            ExprKind::Ident(_) => {
                let object = *self.out.symbol.get(&e)?;
                let sym = self.out.sym(object);
                let local = matches!(sym.kind, SymKind::Auto | SymKind::Param | SymKind::Static { .. });
                let whole = !self.out.types.is_shared(sym.ty) && !self.out.types.is_array(sym.ty);
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

    /// Whether a call may complete what is outstanding: `sync` and its kin do, and a function of the program's may.
    fn may_sync(&self, f: ExprId) -> bool {
        let ExprKind::Ident(name) = &self.unit.exprs[f].kind else { return true };
        if matches!(&*name.text, "sync" | "is_sync" | "toglobal" | "toproc" | "tolocal") {
            return name.text.ends_with("sync");
        }
        let sym = self.out.symbol.get(&f).map(|&s| self.out.sym(s));
        sym.is_none_or(|s| s.kind != SymKind::Builtin && !self.source.presumed(s.span.lo).system)
    }

    /// `sync;` does nothing, and `is_sync();` only looks.
    fn check_named_only(&mut self, e: ExprId) {
        let (name, called) = match &self.unit.exprs[e].kind {
            ExprKind::Ident(name) => (name, false),
            ExprKind::Call(f, _) => match &self.unit.exprs[*f].kind {
                ExprKind::Ident(name) => (name, true),
                _ => return,
            },
            _ => return,
        };
        let library = ["sync", "is_sync", "barrier", "all_store_sync", "store_sync", "reset_store_sync"];
        let d = match (&*name.text, called) {
            (word, false) if library.contains(&word) => {
                Diagnostic::warning(Code::SplitPhase, name.span, format!("`{word}` is named, but not called"))
                    .label("does nothing")
                    .help(format!("write `{word}()`"))
            }
            ("is_sync", true) => {
                Diagnostic::warning(Code::SplitPhase, self.span(e), "the result of `is_sync()` is not used")
                    .label("tests whether all is complete, and does not wait")
                    .help("write `sync()` to wait")
            }
            _ => return,
        };
        self.report(d);
    }
}
