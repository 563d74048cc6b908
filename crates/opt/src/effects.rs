//! What the body of a loop may do: which objects it assigns, whether it calls, and how control leaves it.

use crate::affine::name;
use crate::functions::{self, Summary};
use crate::tree::Tree;
use c_sema::Typed;
use c_sema::typed::{SymId, SymKind};
use c_syntax::ast::*;
use c_syntax::visit::{Visitor, walk_expr, walk_stmt};
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
    /// May be entered from outside, or assigns in ways that are not followed here.
    pub(crate) opaque: bool,
    /// Cannot be written twice: has labels, or objects of which there is one.
    pub(crate) single: bool,
    /// Has a synchronisation statement.
    pub(crate) synchronises: bool,
    /// Has loops, inside of the statement itself if that is one.
    pub(crate) loops: bool,
}

/// The effects of a loop body.
pub(crate) fn of_body(tree: &Tree, body: StmtId) -> Effects {
    let mut finder = Finder { tree, out: Effects::default(), breakable: 0, switches: 0, loops_switches: 0 };
    finder.stmt(body);
    finder.out
}

struct Finder<'a> {
    tree: &'a Tree,
    out: Effects,
    /// Loops and switches around the statement.
    breakable: u32,
    /// Switches around the statement.
    switches: u32,
    /// Those of the innermost loop.
    loops_switches: u32,
}

impl<'a> Visitor<'a> for Finder<'a> {
    fn unit(&self) -> &'a Unit {
        &self.tree.unit
    }

    fn stmt(&mut self, s: StmtId) {
        match &self.tree.unit.stmts[s].kind {
            StmtKind::While(..) | StmtKind::Do(..) | StmtKind::For { .. } | StmtKind::Forall { .. } => {
                let switches = std::mem::take(&mut self.loops_switches);
                self.out.loops |= self.breakable > 0;
                self.breakable += 1;
                walk_stmt(self, s);
                self.breakable -= 1;
                self.loops_switches = switches;
            }
            StmtKind::Switch(..) => {
                self.breakable += 1;
                self.switches += 1;
                self.loops_switches += 1;
                walk_stmt(self, s);
                self.loops_switches -= 1;
                self.switches -= 1;
                self.breakable -= 1;
            }
            StmtKind::Case(..) | StmtKind::Default(_) => {
                self.out.opaque |= self.switches == 0;
                self.out.rigid |= self.switches == 0;
                self.out.single |= self.loops_switches == 0;
                walk_stmt(self, s);
            }
            StmtKind::Break if self.breakable > 0 => {}
            StmtKind::Barrier(..) => {
                (self.out.rigid, self.out.synchronises) = (true, true);
                walk_stmt(self, s);
            }
            StmtKind::Break
            | StmtKind::Goto(_)
            | StmtKind::GotoExpr(_)
            | StmtKind::Return(_)
            | StmtKind::Fence => {
                self.out.rigid = true;
                walk_stmt(self, s);
            }
            StmtKind::Label(..) | StmtKind::Asm { .. } | StmtKind::Error => {
                self.unknown();
                walk_stmt(self, s);
            }
            _ => walk_stmt(self, s),
        }
    }

    fn decl(&mut self, d: DeclId) {
        let DeclKind::Vars { specs, items } = &self.tree.unit.decls[d].kind else { return self.unknown() };
        let storage = &self.tree.unit.specs[*specs].storage;
        if storage.iter().any(|s| s.0 != Storage::Auto && s.0 != Storage::Register) {
            (self.out.rigid, self.out.single) = (true, true);
        }
        for item in items {
            self.out.declared.extend(self.tree.typed.declared(item.declarator));
            self.declarator(item.declarator);
            item.init.iter().for_each(|&init| self.init(init));
        }
    }

    fn expr(&mut self, e: ExprId) {
        match &self.tree.unit.exprs[e].kind {
            ExprKind::Assign(_, target, value) | ExprKind::Split(_, target, value) => {
                self.assigned(*target);
                self.expr(*value);
            }
            ExprKind::Pre(_, target) | ExprKind::Post(_, target) => self.assigned(*target),
            ExprKind::Call(f, args) => {
                if functions::of_call(self.tree, *f) == Summary::Anything {
                    self.out.calls = true;
                    self.expr(*f);
                }
                args.iter().for_each(|&a| self.expr(a));
            }
            ExprKind::Stmts(_) | ExprKind::LabelAddr(_) => self.unknown(),
            _ => walk_expr(self, e),
        }
    }

    fn unevaluated(&mut self, _: ExprId) {}

    fn type_name(&mut self, _: TypeNameId) {}
}

impl Finder<'_> {
    /// What is not followed here.
    fn unknown(&mut self) {
        (self.out.rigid, self.out.opaque, self.out.single) = (true, true, true);
    }

    fn assigned(&mut self, target: ExprId) {
        match name(&self.tree.unit, &self.tree.typed, target) {
            Some(sym) => {
                self.out.assigned.insert(sym);
            }
            None => self.expr(target),
        }
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
