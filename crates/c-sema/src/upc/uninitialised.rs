//! Pointers-to-shared that are used before they have a value.
//!
//! For other variables the C compiler warns. A pointer-to-shared is a struct to it, and the uses lie in
//! functions of a system header, so it does not warn.
//!
//! The walk follows a function's statements in their order with the set of local pointers that have no value
//! on any path to this place. A path that may give a pointer a value removes it from the set: a branch, an
//! operand that may be skipped, a loop that assigns it anywhere, a label, to which a `goto` may lead. So a
//! warning is about a value that is indeterminate whenever the place is reached.
//!
//! Precondition: the body has been checked.

use crate::context::Context;
use crate::typed::{SymId, SymKind, Typed};
use crate::visit::{self, Use, Visitor};
use base::{Code, Diagnostic};
use c_syntax::ast::*;
use std::collections::HashSet;

/// Warns of uses of pointers-to-shared in a function's body that precede their first value.
pub(crate) fn check_uninitialised(cx: &mut Context, body: StmtId) {
    let mut follow = Follow { cx, unit: cx.unit, unset: HashSet::new(), used: Vec::new() };
    follow.stmt(body);
    for (e, sym) in follow.used {
        let symbol = cx.out.sym(sym);
        let (name, declared) = (symbol.name.clone(), symbol.span);
        let message = format!("`{name}` is used before it has a value");
        cx.report(
            Diagnostic::warning(Code::Uninitialised, cx.span(e), message)
                .label("points anywhere")
                .also(declared, "is declared here, without a value")
                .help(format!("let `{name}` point to a shared object first, or to NULL")),
        );
    }
}

/// The walk over a function, and the uses found.
struct Follow<'a, 'u> {
    cx: &'a Context<'u>,
    unit: &'a Unit,
    /// Pointers that have no value here.
    unset: HashSet<SymId>,
    used: Vec<(ExprId, SymId)>,
}

impl<'a> Visitor<'a> for Follow<'a, '_> {
    fn unit(&self) -> &'a Unit {
        self.unit
    }

    fn typed(&self) -> &'a Typed {
        &self.cx.out
    }

    fn stmt(&mut self, s: StmtId) {
        match self.unit.stmts[s].kind {
            StmtKind::If(c, then, otherwise) => {
                self.value(c);
                let before = self.unset.clone();
                self.stmt(then);
                let after = std::mem::replace(&mut self.unset, before);
                otherwise.iter().for_each(|&s| self.stmt(s));
                self.unset.retain(|sym| after.contains(sym));
            }
            StmtKind::While(..)
            | StmtKind::Do(..)
            | StmtKind::For { .. }
            | StmtKind::Forall { .. }
            | StmtKind::Switch(..) => self.repeated(s),
            StmtKind::Label(..) | StmtKind::Case(..) | StmtKind::Default(_) => {
                self.unset.clear();
                visit::walk_stmt(self, s);
            }
            _ => visit::walk_stmt(self, s),
        }
    }

    fn decl(&mut self, d: DeclId) {
        visit::walk_decl(self, d);
        let DeclKind::Vars { items, .. } = &self.unit.decls[d].kind else { return };
        let empty = items.iter().filter(|item| item.init.is_none());
        let declared = empty.filter_map(|item| self.typed().declared(item.declarator));
        let followed: Vec<SymId> = declared.filter(|&sym| self.is_followed(sym)).collect();
        self.unset.extend(followed);
    }

    fn value(&mut self, e: ExprId) {
        match self.unit.exprs[e].kind {
            // `(void)p` keeps a compiler from calling `p` unused.
            ExprKind::Cast(_, a) if self.is_void(e) && matches!(self.bare(a), ExprKind::Ident(_)) => {}
            _ => visit::walk_value(self, e),
        }
    }

    fn maybe(&mut self, exprs: &[ExprId]) {
        let before = self.unset.clone();
        let mut after = before.clone();
        for &e in exprs {
            self.unset.clone_from(&before);
            self.value(e);
            after.retain(|sym| self.unset.contains(sym));
        }
        self.unset = after;
    }

    fn place(&mut self, e: ExprId, how: Use) {
        let named = match self.unit.exprs[e].kind {
            ExprKind::Ident(_) => self.typed().symbol(e),
            _ => None,
        };
        match named.filter(|sym| self.unset.contains(sym)) {
            Some(sym) => {
                self.unset.remove(&sym);
                if matches!(how, Use::Read | Use::Update) {
                    self.used.push((e, sym));
                }
            }
            None => visit::walk_place(self, e),
        }
    }
}

impl<'a> Follow<'a, '_> {
    /// Walks a loop or a switch: a variable that it may assign anywhere has no certain state in it.
    fn repeated(&mut self, s: StmtId) {
        let (init, evaluated) = self.parts(s);
        match init {
            ForInit::Expr(e) => self.value(e),
            ForInit::Decl(d) => self.decl(d),
            ForInit::None => {}
        }
        if !self.unset.is_empty() {
            let mut given = Given { cx: self.cx, unit: self.unit, syms: HashSet::new() };
            visit::walk_stmt(&mut given, s);
            self.unset.retain(|sym| !given.syms.contains(sym));
        }
        let before = self.unset.clone();
        for part in evaluated {
            match part {
                Evaluated::Value(e) => self.value(e),
                Evaluated::Body(s) => self.stmt(s),
            }
        }
        self.unset.retain(|sym| before.contains(sym));
    }

    /// The first clause of a loop or switch, and the rest in the order in which one iteration evaluates it.
    fn parts(&self, s: StmtId) -> (ForInit, Vec<Evaluated>) {
        use Evaluated::{Body, Value};
        let values = |list: [Option<ExprId>; 2]| list.into_iter().flatten().map(Value);
        match self.unit.stmts[s].kind {
            StmtKind::While(c, body) | StmtKind::Switch(c, body) => {
                (ForInit::None, vec![Value(c), Body(body)])
            }
            StmtKind::Do(body, c) => (ForInit::None, vec![Body(body), Value(c)]),
            StmtKind::For { init, cond, step, body } => {
                (init, values([cond, None]).chain([Body(body)]).chain(values([step, None])).collect())
            }
            StmtKind::Forall { init, cond, step, affinity, body } => {
                let affinity = if let Affinity::Expr(e) = affinity { Some(e) } else { None };
                (init, values([cond, affinity]).chain([Body(body)]).chain(values([step, None])).collect())
            }
            _ => (ForInit::None, Vec::new()),
        }
    }

    /// Whether a variable is a local pointer-to-shared that no other code can see.
    fn is_followed(&self, sym: SymId) -> bool {
        let symbol = self.typed().sym(sym);
        symbol.kind == SymKind::Auto
            && !symbol.ty.quals.is_volatile
            && self.typed().types.shared_pointee(symbol.ty).is_some()
    }

    fn bare(&self, e: ExprId) -> &'a ExprKind {
        &self.unit.exprs[self.unit.bare(e)].kind
    }

    fn is_void(&self, e: ExprId) -> bool {
        self.typed().types.is_void(self.typed().ty(e))
    }
}

/// A part of a loop.
enum Evaluated {
    Value(ExprId),
    Body(StmtId),
}

/// The variables that a statement may give a value.
struct Given<'a, 'u> {
    cx: &'a Context<'u>,
    unit: &'a Unit,
    syms: HashSet<SymId>,
}

impl<'a> Visitor<'a> for Given<'a, '_> {
    fn unit(&self) -> &'a Unit {
        self.unit
    }

    fn typed(&self) -> &'a Typed {
        &self.cx.out
    }

    fn place(&mut self, e: ExprId, how: Use) {
        if matches!(self.unit.exprs[e].kind, ExprKind::Ident(_)) && how != Use::Read {
            self.syms.extend(self.typed().symbol(e));
        }
        visit::walk_place(self, e);
    }
}
