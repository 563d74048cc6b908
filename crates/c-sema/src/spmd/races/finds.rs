//! Loops that may wait for other threads, and branches that are left by a jump.

use crate::spmd::calls::{Callee, Program};
use crate::typed::Typed;
use crate::visit::{self, Use, Visitor};
use c_syntax::ast::*;
use rustc_hash::FxHashSet;

/// Finds, in one walk, the loops that may order accesses of several threads and the branches that are left by
/// a jump. A jump counts for every branch around it.
pub(super) struct Finds<'a> {
    program: Program<'a>,
    synchronisations: u32,
    /// Barriers and collective calls.
    pub barriers: u32,
    jumps: u32,
    shared: u32,
    /// Loops with a synchronisation in them, loops whose condition reads a shared object, and loops without a
    /// counter that read one.
    pub waiting: FxHashSet<StmtId>,
    /// Branches with a jump in them.
    pub left: FxHashSet<StmtId>,
}

impl<'a> Finds<'a> {
    pub fn of(program: Program<'a>, body: StmtId) -> Finds<'a> {
        let mut finds = Finds {
            program,
            synchronisations: 0,
            barriers: 0,
            jumps: 0,
            shared: 0,
            waiting: FxHashSet::default(),
            left: FxHashSet::default(),
        };
        finds.stmt(body);
        finds
    }

    /// Walks the condition of a loop, and returns whether it reads a shared object or may synchronise.
    fn waits_by(&mut self, cond: Option<ExprId>) -> bool {
        let before = (self.shared, self.synchronisations);
        cond.iter().for_each(|&e| self.value(e));
        (self.shared, self.synchronisations) != before
    }
}

impl<'a> Visitor<'a> for Finds<'a> {
    fn unit(&self) -> &'a Unit {
        self.program.unit
    }

    fn typed(&self) -> &'a Typed {
        self.program.typed
    }

    fn stmt(&mut self, s: StmtId) {
        let unit = self.program.unit;
        let (synchronisations, jumps) = (self.synchronisations, self.jumps);
        self.barriers += u32::from(matches!(unit.stmts[s].kind, StmtKind::Barrier(..)));
        match unit.stmts[s].kind {
            StmtKind::Barrier(..) | StmtKind::Fence | StmtKind::Asm { .. } => self.synchronisations += 1,
            StmtKind::Return(_) | StmtKind::Goto(_) | StmtKind::GotoExpr(_) | StmtKind::Break => {
                self.jumps += 1
            }
            StmtKind::Continue => self.jumps += 1,
            _ => {}
        }
        let (cond, body) = match unit.stmts[s].kind {
            StmtKind::While(c, body) | StmtKind::Do(body, c) => (Some(c), body),
            StmtKind::For { cond, body, .. } | StmtKind::Forall { cond, body, .. } => (cond, body),
            _ => {
                visit::walk_stmt(self, s);
                if self.jumps > jumps && matches!(unit.stmts[s].kind, StmtKind::If(..)) {
                    self.left.insert(s);
                }
                return;
            }
        };
        let shared = self.shared;
        let counts = match unit.stmts[s].kind {
            StmtKind::For { cond, step, .. } => cond.is_some() && step.is_some(),
            StmtKind::Forall { .. } => true,
            _ => false,
        };
        let waits = self.waits_by(cond);
        match unit.stmts[s].kind {
            StmtKind::For { init, step, .. } | StmtKind::Forall { init, step, .. } => {
                match init {
                    ForInit::Expr(e) => self.value(e),
                    ForInit::Decl(d) => self.decl(d),
                    ForInit::None => {}
                }
                step.iter().for_each(|&e| self.value(e));
            }
            _ => {}
        }
        self.stmt(body);
        // `while (1) { if (flag) break; }`
        let waits = waits || (!counts && self.shared > shared);
        if waits || unit.is_empty(body) || self.synchronisations > synchronisations {
            self.waiting.insert(s);
        }
    }

    fn value(&mut self, e: ExprId) {
        let synchronises = match &self.program.unit.exprs[e].kind {
            ExprKind::Call(f, _) => {
                let callee = self.program.callee(*f);
                self.barriers += u32::from(matches!(callee, Callee::Collective(_)));
                callee != Callee::Quiet
            }
            ExprKind::Split(..) => true,
            _ => false,
        };
        self.synchronisations += u32::from(synchronises);
        visit::walk_value(self, e);
    }

    fn place(&mut self, e: ExprId, how: Use) {
        let shared = self.program.is_shared(e);
        let strict = shared && how != Use::Part && self.program.typed.is_strict(self.program.unit, e);
        self.shared += u32::from(shared);
        self.synchronisations += u32::from(strict);
        visit::walk_place(self, e);
    }
}
