//! The uses of locks in a unit and in a function, and the expressions of locks.

use crate::spmd::calls::{Callee, Program};
use crate::typed::{SymId, Typed};
use crate::visit::{self, Use, Visitor};
use c_syntax::ast::*;
use rustc_hash::{FxHashMap, FxHashSet};

/// The expression of a lock.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key {
    /// The name, then members, and subscripts.
    pub base: SymId,
    pub path: Vec<Step>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Step {
    Member(Box<str>),
    Deref,
    Constant(i128),
    Name(SymId),
    /// MYTHREAD
    Me,
}

/// The walk that finds the values given to names of locks.
pub(super) struct Sources<'a> {
    program: Program<'a>,
    pub common: FxHashMap<SymId, bool>,
    pub unlocked: FxHashSet<SymId>,
    /// The function locks, unlocks.
    pub locks: bool,
    pub unlocks: bool,
}

impl<'a> Sources<'a> {
    pub fn new(program: Program<'a>) -> Sources<'a> {
        let (common, unlocked) = Default::default();
        Sources { program, common, unlocked, locks: false, unlocks: false }
    }

    fn given(&mut self, sym: SymId, value: Option<ExprId>) {
        let unit = self.program.unit;
        let common = value.is_some_and(|e| match &unit.exprs[unit.bare(e)].kind {
            ExprKind::Call(f, _) => self.program.callee(*f) == Callee::Collective("upc_all_lock_alloc"),
            _ => false,
        });
        *self.common.entry(sym).or_insert(true) &= common;
    }
}

impl<'a> Visitor<'a> for Sources<'a> {
    fn unit(&self) -> &'a Unit {
        self.program.unit
    }

    fn typed(&self) -> &'a Typed {
        self.program.typed
    }

    fn decl(&mut self, d: DeclId) {
        if let DeclKind::Vars { items, .. } = &self.program.unit.decls[d].kind {
            for item in items {
                if let (Some(sym), Some(init)) = (self.program.typed.declared(item.declarator), item.init)
                    && self.program.typed.types.is_pointer(self.program.typed.sym(sym).ty)
                {
                    self.given(sym, self.program.unit.only_expression(init));
                }
            }
        }
        visit::walk_decl(self, d);
    }

    fn value(&mut self, e: ExprId) {
        let unit = self.program.unit;
        if let ExprKind::Assign(None, a, b) = unit.exprs[e].kind
            && let ExprKind::Ident(_) = unit.exprs[unit.bare(a)].kind
            && let Some(sym) = self.program.typed.symbol(unit.bare(a))
        {
            self.given(sym, Some(b));
            return self.value(b);
        }
        if let ExprKind::Call(f, args) = &unit.exprs[e].kind {
            match self.program.callee(*f) {
                Callee::Lock | Callee::Attempt => self.locks = true,
                Callee::Unlock => {
                    self.unlocks = true;
                    args.iter().for_each(|&lock| {
                        self.program.names(lock, &mut |sym| {
                            self.unlocked.insert(sym);
                        })
                    });
                }
                _ => {}
            }
        }
        visit::walk_value(self, e);
    }

    fn place(&mut self, e: ExprId, how: Use) {
        if let (ExprKind::Ident(_), true) = (&self.program.unit.exprs[e].kind, how != Use::Read) {
            self.program.typed.symbol(e).into_iter().for_each(|sym| self.given(sym, None));
        }
        visit::walk_place(self, e);
    }
}

/// An event for the locks of a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum What {
    Lock(Option<Key>),
    Unlock(Option<Key>),
    /// `upc_lock_attempt`
    Attempt(Option<Key>),
    /// A function of the unit is called.
    Call(SymId),
    /// A function that is not known is called.
    Unknown,
}

/// The events of a function, in the order of the text.
pub(super) struct Uses<'a> {
    program: Program<'a>,
    pub events: Vec<What>,
    /// For each loop and switch: its events.
    pub loops: FxHashMap<StmtId, std::ops::Range<usize>>,
    /// The place of the last `upc_unlock` of each lock.
    pub unlocks: FxHashMap<Key, u32>,
    /// The locks that `upc_lock` and `upc_lock_attempt` take.
    pub locks: FxHashSet<Key>,
    /// The function may take, unlock a lock whose expression is not known.
    pub takes_unknown: bool,
    pub unlocks_unknown: bool,
    pub labels: bool,
}

impl<'a> Uses<'a> {
    pub fn of(program: Program<'a>, body: StmtId) -> Uses<'a> {
        let mut uses = Uses {
            program,
            events: Vec::new(),
            loops: FxHashMap::default(),
            unlocks: FxHashMap::default(),
            locks: FxHashSet::default(),
            takes_unknown: false,
            unlocks_unknown: false,
            labels: false,
        };
        uses.stmt(body);
        uses
    }
}

impl<'a> Visitor<'a> for Uses<'a> {
    fn unit(&self) -> &'a Unit {
        self.program.unit
    }

    fn typed(&self) -> &'a Typed {
        self.program.typed
    }

    fn stmt(&mut self, s: StmtId) {
        let start = self.events.len();
        visit::walk_stmt(self, s);
        match self.program.unit.stmts[s].kind {
            StmtKind::Label(..) | StmtKind::Goto(_) | StmtKind::GotoExpr(_) => self.labels = true,
            StmtKind::For { .. }
            | StmtKind::Forall { .. }
            | StmtKind::While(..)
            | StmtKind::Do(..)
            | StmtKind::Switch(..) => {
                self.loops.insert(s, start..self.events.len());
            }
            _ => {}
        }
    }

    fn decl(&mut self, d: DeclId) {
        self.labels |= matches!(self.program.unit.decls[d].kind, DeclKind::Function { .. });
        visit::walk_decl(self, d);
    }

    fn value(&mut self, e: ExprId) {
        visit::walk_value(self, e);
        if let ExprKind::Call(f, args) = &self.program.unit.exprs[e].kind
            && let Some(what) = what(self.program, *f, args)
        {
            let at = self.program.unit.exprs[e].span.lo;
            match &what {
                What::Lock(Some(key)) | What::Attempt(Some(key)) => drop(self.locks.insert(key.clone())),
                What::Lock(None) | What::Attempt(None) => self.takes_unknown = true,
                What::Unlock(Some(key)) => drop(self.unlocks.insert(key.clone(), at)),
                What::Unlock(None) | What::Call(_) | What::Unknown => self.unlocks_unknown = true,
            }
            self.events.push(what);
        }
    }
}

/// The event of a call, if it has one.
pub(super) fn what(program: Program, f: ExprId, args: &[ExprId]) -> Option<What> {
    let key = || args.first().and_then(|&lock| key(program, lock));
    Some(match program.callee(f) {
        Callee::Lock => What::Lock(key()),
        Callee::Unlock => What::Unlock(key()),
        Callee::Attempt => What::Attempt(key()),
        Callee::Body(sym) => What::Call(sym),
        Callee::Unknown => What::Unknown,
        Callee::Collective("upc_all_lock_free") => What::Unlock(None),
        Callee::Collective(_) | Callee::Syncs | Callee::Quiet | Callee::Ends => return None,
    })
}

pub(super) fn key(program: Program, e: ExprId) -> Option<Key> {
    let unit = program.unit;
    let e = unit.bare(e);
    let step = |base: ExprId, step: Step| {
        let mut key = key(program, base)?;
        key.path.push(step);
        Some(key)
    };
    match &unit.exprs[e].kind {
        ExprKind::Ident(_) => {
            let base = program.typed.symbol(e)?;
            (!program.typed.sym(base).address_taken || program.typed.sym(base).file_scope)
                .then_some(Key { base, path: Vec::new() })
        }
        ExprKind::Member { base, arrow, name } => {
            let mut key = key(program, *base)?;
            key.path.extend(arrow.then_some(Step::Deref));
            key.path.push(Step::Member(name.text.clone()));
            Some(key)
        }
        &ExprKind::Unary(UnOp::Deref, a) => step(a, Step::Deref),
        &ExprKind::Cast(_, a) => key(program, a),
        &ExprKind::Index(a, i) => {
            let (array, index) = program.indexed(a, i);
            let index = unit.bare(index);
            let by = match (program.typed.constant(index), &unit.exprs[index].kind) {
                (Some(n), _) => Step::Constant(n),
                (None, ExprKind::MyThread) => Step::Me,
                (None, ExprKind::Ident(_)) => Step::Name(program.typed.symbol(index).filter(|&sym| {
                    let symbol = program.typed.sym(sym);
                    !symbol.file_scope && !symbol.address_taken && !program.typed.types.is_shared(symbol.ty)
                })?),
                _ => return None,
            };
            step(array, by)
        }
        _ => None,
    }
}
