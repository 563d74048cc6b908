//! The tree that the optimisations rewrite: the typed tree, and a few nodes below the level of the language.
//!
//! An optimisation replaces a statement by [`Node`]s and marks expressions as [`Access`]es of another kind.
//! The program's own statements stay between these nodes, as copies if they stand more than once. The
//! original statement or expression stays below the new form. An analysis reads the program's meaning from
//! the original, and the results of earlier optimisations from [`Tree::nodes`] and [`Tree::access`]. Lowering
//! renders the tree without knowing which optimisation has written which part.
//!
//! Before the first pass, copies of functions' bodies replace calls ([`crate::loops::inline`]). A copy is
//! syntax with types, as any other, but its text is the function's. Passes therefore compare places (`at`),
//! which follow the order of the program, and not spans, which lead to the text ([`Unit`]).
//!
//! Invariants. A node or mark is about one place of the tree: a statement or expression is copied
//! ([`Tree::copy`]) before it is rendered twice. A node declares a [`Var`] before its uses, in the same list
//! or one around it. A name of the program's has the program's meaning at each place where it is rendered.
//! [`crate::verify`] checks these invariants. Each change by a pass is journalled ([`journal`]), so that it
//! can be undone.

mod facts;
mod journal;
mod nodes;
mod primitive;

pub(crate) use self::facts::Fact;
pub use self::nodes::*;
pub use self::primitive::Primitive;

use self::facts::Facts;
use self::journal::{Edit, Journal};
use crate::ir::pass_id::PassId;
use crate::ir::reason::Reason;
use base::{Source, Span};
use c_sema::Typed;
use c_sema::typed::SymId;
use c_sema::types::QTy;
use c_syntax::ast::*;
use std::collections::{HashMap, HashSet};

/// The outcome of an optimisation for a loop.
#[derive(Clone, Debug)]
pub struct Remark {
    /// The optimisation.
    pub pass: PassId,
    /// Where the loop begins in the order of the program.
    pub at: u32,
    /// Where the loop begins in the text.
    pub begins: u32,
    /// How it has been rewritten, or why it has not.
    pub outcome: Result<String, Reason>,
    /// The ways that would have been better, in their order.
    pub excluded: Vec<Excluded>,
}

/// A way of rewriting a loop that is better than the one that has been chosen.
#[derive(Clone, Copy, Debug)]
pub struct Excluded {
    /// The way's name.
    pub way: &'static str,
    /// The first fact that excludes it.
    pub why: Reason,
}

/// An access of the program's, the same for all copies of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct AccessId(ExprId);

/// A way to request an access before its loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Early {
    /// With the whole row that contains it, another thread's ([`crate::remote::halos`]).
    Halo,
    /// With all elements that its loop reads of an array that a directory names
    /// ([`crate::remote::directories`]).
    Directory,
    /// With its section, which is copied ([`crate::remote::sections`]).
    Section,
}

/// The program during and after its rewriting.
#[derive(Debug)]
pub struct Tree {
    /// The tree as parsed, and copies.
    pub unit: Unit,
    /// The meaning of the unit.
    pub typed: Typed,
    /// The number of [`Var`]s.
    pub vars: u32,
    /// Whether the optimisations have run.
    pub optimised: bool,
    /// Statements without a text of their own, in copies of functions' bodies and around them
    /// ([`crate::loops::inline`]).
    pub(crate) made: HashSet<StmtId>,
    /// Functions of which copies have replaced calls. There may be no calls of them left.
    pub(crate) inlined: HashSet<SymId>,
    pub(crate) nodes: HashMap<StmtId, Vec<Node>>,
    pub(crate) accesses: HashMap<ExprId, Access>,
    /// Loops beside a form that replaces them, or inside one: they stay as they are.
    pub(crate) settled: HashSet<StmtId>,
    /// Where loops begin that follow a `#pragma`: they must stay the statement after it.
    bound: HashSet<u32>,
    /// The results of the optimisations for loops: done, or not done and why.
    pub remarks: Vec<Remark>,
    /// The original of each copy of an expression.
    pub(crate) origins: HashMap<ExprId, ExprId>,
    /// The reason why an access has been left out of the rewriting of its loop.
    pub(crate) refused: HashMap<AccessId, Reason>,
    /// Accesses that are requested before their loops.
    ahead: HashSet<(Early, AccessId)>,
    /// Objects that are written, updated or read in advance in no order ([`crate::updates::scatter`]).
    pub(crate) scattered: HashSet<ExprId>,
    /// Expressions that are evaluated with guessed values, by arithmetic that is defined for all operands
    /// ([`crate::facts::early`]).
    pub(crate) early: HashSet<ExprId>,
    facts: Facts,
    journal: Journal,
}

/// An expression that optimisations have made ([`Tree::unwritten`]).
pub enum Unwritten<'t> {
    /// The name of a variable.
    Name(&'t Name),
    /// A number.
    Number(i128),
    /// An assignment of the second expression to the first.
    Assign(ExprId, ExprId),
}

impl Tree {
    /// Makes a tree that no optimisation has changed.
    pub fn new(unit: Unit, typed: Typed, source: &Source) -> Tree {
        let bound = unit.stmts.ids().filter(|&s| behind_pragma(&unit, source, s));
        let bound = bound.map(|s| unit.stmts[s].span.lo).collect();
        Tree {
            unit,
            typed,
            vars: 0,
            optimised: false,
            made: HashSet::new(),
            inlined: HashSet::new(),
            nodes: HashMap::new(),
            accesses: HashMap::new(),
            settled: HashSet::new(),
            bound,
            remarks: Vec::new(),
            origins: HashMap::new(),
            refused: HashMap::new(),
            ahead: HashSet::new(),
            scattered: HashSet::new(),
            early: HashSet::new(),
            facts: Facts::default(),
            journal: Journal::default(),
        }
    }

    /// Whether an optimisation has rewritten a statement.
    pub fn is_rewritten(&self) -> bool {
        !self.nodes.is_empty()
    }

    /// Whether a statement has no text of its own: its span is empty, or the span of the statement that it
    /// replaces. A made block stands around the text of its span.
    pub fn is_made(&self, s: StmtId) -> bool {
        self.made.contains(&s)
    }

    /// Returns the meaning of an expression that has no text of its own, or whose text is another name.
    pub fn unwritten<'t>(&'t self, source: &Source, e: ExprId) -> Option<Unwritten<'t>> {
        let has_no_text = |e: ExprId| self.unit.exprs[e].span.lo == self.unit.exprs[e].span.hi;
        match &self.unit.exprs[e].kind {
            ExprKind::Ident(name) if *source.slice(name.span) != *name.text => Some(Unwritten::Name(name)),
            ExprKind::Number if has_no_text(e) => Some(Unwritten::Number(self.typed.constant(e)?)),
            &ExprKind::Assign(None, a, b) if has_no_text(a) => Some(Unwritten::Assign(a, b)),
            _ => None,
        }
    }

    /// Whether copies of a function's body have replaced calls of the function; `d` declares it.
    pub fn is_inlined(&self, d: DeclaratorId) -> bool {
        self.typed.declared(d).is_some_and(|sym| self.inlined.contains(&sym))
    }

    /// The nodes that replace a statement, if it has been rewritten.
    pub fn nodes(&self, s: StmtId) -> Option<&[Node]> {
        self.nodes.get(&s).map(Vec::as_slice)
    }

    /// The mark of an expression, which has no parentheses around it.
    pub fn access(&self, e: ExprId) -> Option<&Access> {
        self.accesses.get(&e)
    }

    /// The expression of the program's that this one is, or is a copy of.
    pub(crate) fn origin(&self, e: ExprId) -> ExprId {
        self.origins.get(&e).copied().unwrap_or(e)
    }

    /// The access of the program's that an expression is, or is a copy of.
    pub(crate) fn id(&self, e: ExprId) -> AccessId {
        AccessId(self.origin(e))
    }

    /// Whether an access is requested before its loop in this way.
    pub(crate) fn is_asked_early(&self, how: Early, e: ExprId) -> bool {
        self.ahead.contains(&(how, self.id(e)))
    }

    /// Whether an access is to one of many objects in no order ([`crate::updates::scatter`]).
    pub fn is_scattered(&self, e: ExprId) -> bool {
        self.scattered.contains(&self.unit.bare(e))
    }

    /// Whether the operands of an expression may be other values than the program's, so that its arithmetic
    /// has to be defined for all operands ([`crate::facts::early`]).
    pub fn is_early(&self, e: ExprId) -> bool {
        self.early.contains(&e)
    }

    /// Whether an optimisation may rewrite this loop.
    pub(crate) fn is_free(&self, s: StmtId) -> bool {
        !self.settled.contains(&s) && !self.is_bound(s)
    }

    /// Whether a loop has to stay the statement after a `#pragma`.
    pub(crate) fn is_bound(&self, s: StmtId) -> bool {
        let stmt = &self.unit.stmts[s];
        !matches!(stmt.kind, StmtKind::Forall { .. }) && self.bound.contains(&stmt.span.lo)
    }

    // ---- rewriting -------------------------------------------------------------------------------

    /// Adds an expression of this type.
    pub(crate) fn add_expr(&mut self, expr: Expr, ty: QTy) -> ExprId {
        let e = self.unit.exprs.add(expr);
        self.typed.type_added(e, ty);
        e
    }

    /// Adds an expression of this type that takes the place of another one in the text.
    pub(crate) fn add_like(&mut self, like: ExprId, kind: ExprKind, ty: QTy) -> ExprId {
        let Expr { span, at, .. } = self.unit.exprs[like];
        self.add_expr(Expr { span, at, kind }, ty)
    }

    /// Adds the name of a variable, without a text ([`Tree::unwritten`]), where this text and this place in
    /// the order of the program begin.
    pub(crate) fn add_name(&mut self, sym: SymId, span: Span, at: Span) -> ExprId {
        let (text, ty) = (self.typed.sym(sym).name.clone(), self.typed.sym(sym).ty);
        let [span, at] = [span, at].map(|span| Span::new(span.lo, span.lo));
        let e = self.add_expr(Expr { span, at, kind: ExprKind::Ident(Name { text, span }) }, ty);
        self.typed.name(e, sym, ty);
        e
    }

    /// Makes a new variable.
    pub(crate) fn var(&mut self, what: &'static str) -> Var {
        self.vars += 1;
        Var { number: self.vars, what }
    }

    /// Forgets all facts, because the program itself has changed.
    pub(crate) fn forget_facts(&mut self) {
        self.facts.forget();
    }

    /// Replaces a statement.
    pub(crate) fn replace(&mut self, s: StmtId, nodes: Vec<Node>) {
        let before = self.nodes.insert(s, nodes);
        self.journal.add(Edit::Nodes(s, before));
    }

    /// Makes a statement of nodes, in the place of `s`. To later optimisations the statement is a loop if `s`
    /// is one.
    pub(crate) fn made(&mut self, s: StmtId, nodes: Vec<Node>) -> StmtId {
        let made = self.shallow(s);
        self.nodes.insert(made, nodes);
        made
    }

    /// Marks an expression with the way to evaluate it.
    pub(crate) fn mark(&mut self, e: ExprId, access: Access) {
        let before = self.accesses.insert(e, access);
        self.journal.add(Edit::Access(e, before));
    }

    /// Removes the mark of an expression, which is then evaluated as the program has it.
    pub(crate) fn unmark(&mut self, e: ExprId) {
        let before = self.accesses.remove(&e);
        self.journal.add(Edit::Access(e, before));
    }

    /// Records the outcome of an optimisation for a loop. Nothing is recorded for a loop of another kind
    /// ([`Reason::OtherKind`]).
    pub(crate) fn remark(&mut self, pass: PassId, s: StmtId, outcome: Result<String, Reason>) {
        self.choice(pass, s, outcome, Vec::new());
    }

    /// Records the outcome of an optimisation that chooses between several ways.
    pub(crate) fn choice(
        &mut self,
        pass: PassId,
        s: StmtId,
        outcome: Result<String, Reason>,
        excluded: Vec<Excluded>,
    ) {
        if outcome.as_ref().err().is_none_or(|why| why.is_told()) {
            let Stmt { span, at, .. } = self.unit.stmts[s];
            self.remarks.push(Remark { pass, at: at.lo, begins: span.lo, outcome, excluded });
        }
    }

    /// Records why an access is left out of the rewriting of its loop.
    pub(crate) fn refuse(&mut self, e: ExprId, why: Reason) {
        let id = self.id(e);
        let before = self.refused.insert(id, why);
        self.journal.add(Edit::Refused(id, before));
    }

    /// Says that a loop stays as it is.
    pub(crate) fn settle(&mut self, s: StmtId) {
        if self.settled.insert(s) {
            self.journal.add(Edit::Settled(s));
        }
    }

    /// Makes another statement with the parts of this one, which has not been rewritten.
    pub(crate) fn again(&mut self, s: StmtId) -> StmtId {
        match &self.unit.stmts[s].kind {
            StmtKind::Compound(items) => {
                let kind = StmtKind::Compound(items.clone());
                self.beside(s, kind)
            }
            _ => self.shallow(s),
        }
    }

    /// Makes a statement of this kind that has the place and the text of another.
    pub(crate) fn beside(&mut self, s: StmtId, kind: StmtKind) -> StmtId {
        let Stmt { span, at, .. } = self.unit.stmts[s];
        let other = self.unit.stmts.add(Stmt { span, at, kind });
        if self.made.contains(&s) {
            self.made.insert(other);
        }
        other
    }

    /// Makes a statement with the parts, the place and the text of another.
    pub(crate) fn shallow(&mut self, s: StmtId) -> StmtId {
        let kind = match self.unit.stmts[s].kind {
            StmtKind::For { init, cond, step, body } => StmtKind::For { init, cond, step, body },
            StmtKind::Forall { init, cond, step, affinity, body } => {
                StmtKind::Forall { init, cond, step, affinity, body }
            }
            StmtKind::While(c, body) => StmtKind::While(c, body),
            StmtKind::Do(body, c) => StmtKind::Do(body, c),
            StmtKind::Expr(e) => StmtKind::Expr(e),
            StmtKind::If(c, then, otherwise) => StmtKind::If(c, then, otherwise),
            _ => StmtKind::Opaque,
        };
        self.beside(s, kind)
    }
}

/// Whether a `#pragma` precedes a loop, which then has to stay the statement after it.
fn behind_pragma(unit: &Unit, source: &Source, s: StmtId) -> bool {
    let stmt = &unit.stmts[s];
    if !matches!(stmt.kind, StmtKind::For { .. } | StmtKind::While(..) | StmtKind::Do(..)) {
        return false;
    }
    follows_pragma(source, stmt.span.lo)
}

/// Whether a `#pragma` precedes a place, maybe with line markers in between.
pub(crate) fn follows_pragma(source: &Source, at: u32) -> bool {
    let before = &source.text[..at as usize];
    let pragma =
        |text: &str| text.trim_start().strip_prefix('#').map(|rest| rest.trim_start().starts_with("pragma"));
    before.lines().rev().filter(|text| !text.trim().is_empty()).map_while(pragma).any(|is| is)
}
