//! What the body of a loop may do: which objects it assigns, whether it calls, and how control leaves it.

use crate::affine::name;
use c_sema::typed::{SymId, SymKind};
use c_sema::{Typed, library};
use c_syntax::ast::*;
use std::collections::HashSet;

/// The effects of a statement that matter to whoever wants to run it in another loop.
#[derive(Debug, Default)]
pub(crate) struct Effects {
    /// Private objects assigned by name.
    pub(crate) assigned: HashSet<SymId>,
    /// Objects that the body itself declares: in front of the loop their names mean nothing, or others.
    pub(crate) declared: HashSet<SymId>,
    /// Calls a function that may assign any object of static storage duration.
    pub(crate) calls: bool,
    /// Cannot be written twice, or leaves its loop other than by its end or `continue`.
    pub(crate) rigid: bool,
    /// May be entered from elsewhere, or assigns in ways that are not followed here.
    pub(crate) opaque: bool,
    /// Cannot be written twice: has labels, or objects of which there is one.
    pub(crate) single: bool,
}

/// The effects of a loop body.
pub(crate) fn of_body(unit: &Unit, typed: &Typed, body: StmtId) -> Effects {
    let mut walk = Walk { unit, typed, out: Effects::default(), breakable: 0, switches: 0 };
    walk.stmt(body);
    walk.out
}

struct Walk<'a> {
    unit: &'a Unit,
    typed: &'a Typed,
    out: Effects,
    breakable: u32,
    /// Switches around the statement, of the innermost loop.
    switches: u32,
}

impl Walk<'_> {
    fn stmt(&mut self, id: StmtId) {
        let unit = self.unit;
        match &unit.stmts[id].kind {
            StmtKind::Compound(items) => items.iter().for_each(|&s| self.stmt(s)),
            StmtKind::Decl(decl) => self.decl(*decl),
            StmtKind::Expr(e) => e.iter().for_each(|&e| self.expr(e)),
            StmtKind::If(c, a, b) => {
                self.expr(*c);
                self.stmt(*a);
                b.iter().for_each(|&s| self.stmt(s));
            }
            StmtKind::While(c, body) | StmtKind::Do(body, c) => {
                self.expr(*c);
                self.inside_loop(*body);
            }
            StmtKind::For { init, cond, step, body } | StmtKind::Forall { init, cond, step, body, .. } => {
                match init {
                    ForInit::None => {}
                    ForInit::Expr(e) => self.expr(*e),
                    ForInit::Decl(d) => self.decl(*d),
                }
                cond.iter().chain(step).for_each(|&e| self.expr(e));
                if let StmtKind::Forall { affinity: Affinity::Expr(e), .. } = &unit.stmts[id].kind {
                    self.expr(*e);
                }
                self.inside_loop(*body);
            }
            StmtKind::Switch(e, body) => {
                self.expr(*e);
                self.breakable += 1;
                self.switches += 1;
                self.stmt(*body);
                self.switches -= 1;
                self.breakable -= 1;
            }
            StmtKind::Case(_, _, s) | StmtKind::Default(s) => {
                self.out.opaque |= self.breakable == 0;
                self.out.single |= self.switches == 0;
                self.stmt(*s);
            }
            StmtKind::Break if self.breakable > 0 => {}
            StmtKind::Continue | StmtKind::Opaque => {}
            StmtKind::Label(_, inner) => {
                (self.out.rigid, self.out.opaque, self.out.single) = (true, true, true);
                self.stmt(*inner);
            }
            StmtKind::Break
            | StmtKind::Goto(_)
            | StmtKind::GotoExpr(_)
            | StmtKind::Return(_)
            | StmtKind::Barrier(..)
            | StmtKind::Fence => self.out.rigid = true,
            StmtKind::Asm { .. } | StmtKind::Error => {
                (self.out.rigid, self.out.opaque, self.out.single) = (true, true, true);
            }
        }
    }

    fn inside_loop(&mut self, body: StmtId) {
        let switches = std::mem::take(&mut self.switches);
        self.breakable += 1;
        self.stmt(body);
        self.breakable -= 1;
        self.switches = switches;
    }

    fn decl(&mut self, id: DeclId) {
        match &self.unit.decls[id].kind {
            DeclKind::Vars { specs, items } => {
                let specs = &self.unit.specs[*specs];
                if specs.storage.iter().any(|s| s.0 != Storage::Auto && s.0 != Storage::Register) {
                    (self.out.rigid, self.out.single) = (true, true);
                }
                for item in items {
                    self.out.declared.extend(self.typed.declared(item.declarator));
                    if let Some(init) = item.init {
                        self.init(init);
                    }
                }
            }
            _ => (self.out.rigid, self.out.opaque, self.out.single) = (true, true, true),
        }
    }

    fn init(&mut self, id: InitId) {
        match &self.unit.inits[id].kind {
            InitKind::Expr(e) => self.expr(*e),
            InitKind::List(items) => items.iter().for_each(|(_, i)| self.init(*i)),
        }
    }

    fn expr(&mut self, id: ExprId) {
        match &self.unit.exprs[id].kind {
            ExprKind::Assign(_, target, value) | ExprKind::Split(_, target, value) => {
                self.assigned(*target);
                self.expr(*value);
            }
            ExprKind::Pre(_, target) | ExprKind::Post(_, target) => self.assigned(*target),
            ExprKind::Call(f, args) => {
                if !self.is_pure(*f) {
                    self.out.calls = true;
                    self.expr(*f);
                }
                args.iter().for_each(|&a| self.expr(a));
            }
            ExprKind::Paren(a)
            | ExprKind::Extension(a)
            | ExprKind::Unary(_, a)
            | ExprKind::Cast(_, a)
            | ExprKind::Member { base: a, .. }
            | ExprKind::ConvertVector(a, _)
            | ExprKind::VaArg(a, _) => self.expr(*a),
            ExprKind::Index(a, b) | ExprKind::Binary(_, a, b) => {
                self.expr(*a);
                self.expr(*b);
            }
            ExprKind::Cond(c, a, b) => {
                self.expr(*c);
                a.iter().for_each(|&a| self.expr(a));
                self.expr(*b);
            }
            ExprKind::Choose(c, a, b) => {
                self.expr(*c);
                self.expr(*a);
                self.expr(*b);
            }
            ExprKind::Generic(c, arms) => {
                self.expr(*c);
                arms.iter().for_each(|arm| self.expr(arm.1));
            }
            ExprKind::Compound(_, init) => self.init(*init),
            ExprKind::Stmts(_) | ExprKind::LabelAddr(_) => {
                (self.out.rigid, self.out.opaque, self.out.single) = (true, true, true);
            }
            ExprKind::Ident(_)
            | ExprKind::Number
            | ExprKind::Char
            | ExprKind::String
            | ExprKind::SizeofExpr(..)
            | ExprKind::SizeofType(..)
            | ExprKind::Offsetof(..)
            | ExprKind::TypesCompatible(..)
            | ExprKind::FuncName
            | ExprKind::HasAttribute
            | ExprKind::Threads
            | ExprKind::MyThread
            | ExprKind::Error => {}
        }
    }

    fn assigned(&mut self, target: ExprId) {
        match name(self.unit, self.typed, target) {
            Some(sym) => {
                self.out.assigned.insert(sym);
            }
            None => self.expr(target),
        }
    }

    /// A library function that assigns nothing of the program's.
    fn is_pure(&self, f: ExprId) -> bool {
        self.typed.library(self.unit.bare(f)).is_some_and(|row| row.effects == library::Effects::None)
    }
}

impl Effects {
    /// Whether a private object keeps its value while the body runs.
    pub(crate) fn keeps(&self, typed: &Typed, sym: SymId) -> bool {
        let s = typed.sym(sym);
        if self.assigned.contains(&sym) || s.address_taken || s.ty.quals.is_volatile {
            return false;
        }
        match s.kind {
            SymKind::Auto | SymKind::Param | SymKind::Enumerator(_) => true,
            SymKind::Static { .. } => !self.calls,
            _ => false,
        }
    }

    /// Whether an expression has the same value, and no effect, each time the body runs.
    pub(crate) fn invariant(&self, unit: &Unit, typed: &Typed, e: ExprId) -> bool {
        if typed.constant(e).is_some() {
            return true;
        }
        match &unit.exprs[e].kind {
            ExprKind::Ident(_) => {
                typed.symbol(e).is_some_and(|s| !typed.types.is_shared(typed.ty(e)) && self.keeps(typed, s))
            }
            ExprKind::Number | ExprKind::Char | ExprKind::Threads | ExprKind::MyThread => true,
            ExprKind::SizeofExpr(..) | ExprKind::SizeofType(..) => true,
            ExprKind::Paren(a) | ExprKind::Extension(a) | ExprKind::Cast(_, a) => {
                self.invariant(unit, typed, *a)
            }
            ExprKind::Unary(op, a) => {
                !matches!(op, UnOp::Addr | UnOp::Deref) && self.invariant(unit, typed, *a)
            }
            ExprKind::Binary(op, a, b) => {
                *op != BinOp::Comma && self.invariant(unit, typed, *a) && self.invariant(unit, typed, *b)
            }
            _ => false,
        }
    }
}
