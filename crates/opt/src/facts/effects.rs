//! Effects of the body of a loop: which objects it assigns, whether it calls, and how control leaves it.
//!
//! An expression of the body may be placed before the loop, or in a loop of its own, if each name in it means
//! the same there as in the body ([`Effects::named_in_front`]). A name that the body declares denotes another
//! object, or none, before the body, and a new object each time the body runs. So such an object neither
//! keeps a value ([`Effects::keeps`]) nor is part of an invariant expression. Every pass that moves an
//! expression uses these tests.

use crate::facts::affine::name;
use crate::facts::atomics;
use crate::facts::functions::{self, Summary};
use crate::facts::rows::Root;
use crate::facts::statements;
use crate::ir::tree::{Fact, Tree};
use c_sema::Typed;
use c_sema::typed::{SymId, SymKind};
use c_sema::types::{QTy, Ty};
use c_syntax::ast::*;
use c_syntax::visit::{Visitor, walk_expr, walk_record, walk_stmt, walk_type_name};
use std::collections::HashSet;
use std::rc::Rc;

/// The effects of a statement.
struct EffectsOf;

impl Fact for EffectsOf {
    type Of = StmtId;
    type Value = Rc<Effects>;

    fn find(tree: &Tree, s: StmtId) -> Rc<Effects> {
        Rc::new(of_body(tree, s))
    }
}

impl Tree {
    /// The effects of a loop's body.
    pub(crate) fn effects(&self, body: StmtId) -> Rc<Effects> {
        self.fact::<EffectsOf>(body)
    }
}

/// The effects of a statement that decide whether it can run in another loop.
#[derive(Debug, Default)]
pub(crate) struct Effects {
    /// Private objects assigned by name.
    pub(crate) assigned: HashSet<SymId>,
    /// Objects and enumerators that the body itself declares: before the loop their names are undeclared, or
    /// mean something else.
    pub(crate) declared: HashSet<SymId>,
    /// Defines structs, unions or enumerations: before the loop their names are undeclared, or mean something
    /// else. (Typedefs set `rigid`.)
    defines: bool,
    /// Calls a function that may assign any object of static storage duration.
    pub(crate) calls: bool,
    /// Has atomic operations by value ([`crate::facts::atomics`]).
    pub(crate) atomics: bool,
    /// Cannot be written twice, or leaves its loop other than by its end or `continue`.
    pub(crate) rigid: bool,
    /// May be entered from outside, or assigns in ways that are not followed here.
    pub(crate) opaque: bool,
    /// Cannot be written twice: has labels, or objects of which there is one.
    pub(crate) single: bool,
    /// Has a synchronisation statement.
    pub(crate) synchronises: bool,
    /// Has loops. The statement itself does not count if it is one.
    pub(crate) loops: bool,
}

/// The effects of a loop body.
fn of_body(tree: &Tree, body: StmtId) -> Effects {
    let (breakable, switches, loops_switches, waits) = (0, 0, 0, 0);
    let mut finder = Finder { tree, out: Effects::default(), breakable, switches, loops_switches, waits };
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
    /// Switches around the statement, inside of its innermost loop.
    loops_switches: u32,
    /// Loops around the statement that may wait.
    waits: u32,
}

impl<'a> Visitor<'a> for Finder<'a> {
    fn unit(&self) -> &'a Unit {
        &self.tree.unit
    }

    fn stmt(&mut self, s: StmtId) {
        match &self.tree.unit.stmts[s].kind {
            kind @ (StmtKind::While(..)
            | StmtKind::Do(..)
            | StmtKind::For { .. }
            | StmtKind::Forall { .. }) => {
                let switches = std::mem::take(&mut self.loops_switches);
                let once = statements::run_once(&self.tree.unit, &self.tree.typed, s).is_some();
                let waits = u32::from(matches!(kind, StmtKind::While(..) | StmtKind::Do(..)) && !once);
                self.out.loops |= self.breakable > 0;
                self.breakable += 1;
                self.waits += waits;
                walk_stmt(self, s);
                self.waits -= waits;
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
        self.specs(*specs);
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
            // In a `while` or `do` loop, whose condition may depend on its result, an atomic operation may
            // wait for another thread.
            ExprKind::Call(_, args)
                if self.waits == 0 && atomics::of(&self.tree.unit, &self.tree.typed, e).is_some() =>
            {
                self.out.atomics = true;
                args.iter().for_each(|&a| self.expr(a));
            }
            ExprKind::Call(f, args) => {
                if functions::of_call(self.tree, *f) == Summary::Anything {
                    self.out.calls = true;
                    self.expr(*f);
                }
                args.iter().for_each(|&a| self.expr(a));
            }
            ExprKind::Stmts(_) | ExprKind::LabelAddr(_) => {
                match statements::assertion(&self.tree.unit, &self.tree.typed, e) {
                    Some(condition) => self.expr(condition),
                    None => self.unknown(),
                }
            }
            _ => walk_expr(self, e),
        }
    }

    fn unevaluated(&mut self, _: ExprId) {}

    fn type_name(&mut self, _: TypeNameId) {}

    fn record(&mut self, r: RecordSpecId) {
        self.out.defines |= self.tree.unit.records[r].fields.is_some();
        // Members are no objects, but enumerations may be defined among them.
        walk_record(self, r);
    }

    fn enumeration(&mut self, e: EnumSpecId) {
        let Some(values) = &self.tree.unit.enums[e].values else { return };
        self.out.defines = true;
        let names = self.tree.names();
        self.out.declared.extend(values.iter().filter_map(|(name, _)| names.enumerator(name.span.lo)));
    }
}

impl Finder<'_> {
    /// Notes a construct that this analysis does not follow.
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
    /// Whether a name means the same before the body as in it.
    pub(crate) fn in_front(&self, sym: SymId) -> bool {
        !self.declared.contains(&sym)
    }

    /// Whether an expression may be placed before the body: each name in it means the same there as in the
    /// body, except the variables `own`, which are declared there.
    pub(crate) fn named_in_front(&self, unit: &Unit, typed: &Typed, e: ExprId, own: &[SymId]) -> bool {
        if self.declared.is_empty() && !self.defines {
            return true;
        }
        let mut names = Names { unit, typed, effects: self, own, in_front: true };
        names.expr(e);
        names.in_front
    }

    /// Whether a type can be written out before the body.
    pub(crate) fn type_in_front(&self, typed: &Typed, q: QTy) -> bool {
        let under = |q| match typed.types.of(q) {
            Ty::Pointer(to) | Ty::Array(to, _) => Some(*to),
            _ => None,
        };
        let mut at = q;
        while let Some(to) = under(at) {
            at = to;
        }
        !self.defines || !matches!(typed.types.of(at), Ty::Record(_) | Ty::Enum(_) | Ty::Function(_))
    }

    /// Whether an array, or a pointer that serves as one, is the same each time the body runs, and before it.
    pub(crate) fn serves(&self, typed: &Typed, root: &Root) -> bool {
        let keeps =
            || !self.opaque && self.keeps(typed, root.sym) && !typed.types.is_shared(typed.sym(root.sym).ty);
        if root.pointer { keeps() } else { self.in_front(root.sym) }
    }

    /// Whether a private object keeps its value while the body runs.
    pub(crate) fn keeps(&self, typed: &Typed, sym: SymId) -> bool {
        let s = typed.sym(sym);
        if !self.in_front(sym) || self.assigned.contains(&sym) {
            return false;
        }
        if s.address_taken || s.ty.quals.is_volatile {
            return false;
        }
        match s.kind {
            SymKind::Auto | SymKind::Param | SymKind::Enumerator(_) => true,
            SymKind::Static { .. } => !self.calls,
            _ => false,
        }
    }

    /// Whether an expression has the same value, and no effect, each time the body runs, and before it.
    pub(crate) fn invariant(&self, unit: &Unit, typed: &Typed, e: ExprId) -> bool {
        self.named_in_front(unit, typed, e, &[]) && self.stays(unit, typed, e)
    }

    fn stays(&self, unit: &Unit, typed: &Typed, e: ExprId) -> bool {
        if typed.constant(e).is_some() {
            return true;
        }
        match &unit.exprs[e].kind {
            ExprKind::Ident(_) => {
                typed.symbol(e).is_some_and(|s| !typed.types.is_shared(typed.ty(e)) && self.keeps(typed, s))
            }
            ExprKind::Number | ExprKind::Char | ExprKind::Threads | ExprKind::MyThread => true,
            ExprKind::SizeofExpr(..) | ExprKind::SizeofType(..) => true,
            ExprKind::Paren(a) | ExprKind::Extension(a) | ExprKind::Cast(_, a) => self.stays(unit, typed, *a),
            ExprKind::Unary(op, a) => !matches!(op, UnOp::Addr | UnOp::Deref) && self.stays(unit, typed, *a),
            ExprKind::Binary(op, a, b) => {
                *op != BinOp::Comma && self.stays(unit, typed, *a) && self.stays(unit, typed, *b)
            }
            _ => false,
        }
    }
}

/// A walk over an expression, types and operands that are not evaluated included, that looks for names which
/// mean something else before a body.
struct Names<'a, 'e> {
    unit: &'a Unit,
    typed: &'a Typed,
    effects: &'e Effects,
    own: &'e [SymId],
    in_front: bool,
}

impl<'a> Visitor<'a> for Names<'a, '_> {
    fn unit(&self) -> &'a Unit {
        self.unit
    }

    fn expr(&mut self, e: ExprId) {
        if matches!(self.unit.exprs[e].kind, ExprKind::Ident(_))
            && let Some(sym) = self.typed.symbol(e)
        {
            self.in_front &= self.effects.in_front(sym) || self.own.contains(&sym);
        }
        walk_expr(self, e);
    }

    fn type_name(&mut self, t: TypeNameId) {
        self.in_front &= self.effects.type_in_front(self.typed, self.typed.type_name(t));
        walk_type_name(self, t);
    }
}
