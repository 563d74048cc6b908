//! Which elements a nest of loops reads or writes of an array: a box, by the subscripts.

use crate::facts::affine::number_from;
use crate::facts::body::Body;
use crate::facts::certain;
use crate::facts::dependences::Dependences;
use crate::facts::early::cannot_fault;
use crate::facts::equality::is_written_alike;
use crate::facts::functions::{self, Summary};
use crate::facts::places::is_part_of_own;
use crate::facts::rows::Root;
use crate::facts::shapes::Head;
use crate::ir::reason::Reason;
use crate::ir::tree::{Counting, Term, Tree, Var};
use crate::remote::sections::parts::Parts;
use c_sema::typed::SymId;
use c_sema::types::Ty;
use c_syntax::ast::*;
use c_syntax::visit::{Node as Any, each_expr};
use std::collections::HashSet;

/// Subscripts of a box, at most.
const MOST_DIMS: usize = 4;

/// A box of an array's elements that a nest reads or writes.
pub(super) struct Section {
    pub(super) root: Root,
    pub(super) block: u64,
    pub(super) dims: Vec<Dim>,
    pub(super) reads: Vec<Read>,
    /// Loops around the reads whose counters do not stand in the subscripts.
    pub(super) others: Vec<Head>,
    /// The nest writes each element of it.
    pub(super) written: bool,
}

impl Section {
    /// Whether the nest reads it too.
    pub(super) fn is_read(&self) -> bool {
        self.reads.iter().any(|read| !read.writes)
    }

    /// Whether it depends on the rows of the loop over own ones.
    pub(super) fn moves(&self) -> bool {
        self.own().is_some()
    }

    /// The subscript that does, and its number.
    pub(super) fn own(&self) -> Option<(usize, &Dim)> {
        self.dims.iter().enumerate().find(|(_, dim)| matches!(dim.by, By::Own(_)))
    }
}

/// A read, or a write, with its subscripts.
#[derive(Clone)]
pub(super) struct Read {
    pub(super) e: ExprId,
    pub(super) writes: bool,
    pub(super) subscripts: Vec<ExprId>,
}

/// What a subscript goes through.
#[derive(Clone)]
pub(super) struct Dim {
    pub(super) by: By,
    /// The least and the most that is added to the counter.
    low: i64,
    high: i64,
    /// Elements of the array that one more steps over.
    pub(super) elements: u64,
}

/// What a subscript is made of.
#[derive(Clone, Copy)]
pub(super) enum By {
    /// It stays.
    Steady(ExprId),
    /// The counter of a loop of the program's.
    Counter(Head),
    /// The variable of the loop over own rows.
    Own(Counting),
}

impl Dim {
    /// The first subscript, how many there are, and the step from one to the next.
    pub(super) fn range(&self, tree: &mut Tree, parts: Option<&Parts>) -> [Term; 3] {
        let one = || Term::Num(1);
        let [from, count, step] = match (self.by, parts) {
            (By::Counter(level), _) => {
                let (first, past) = ends(level, tree);
                let begin = tree.copy_term(&first);
                [first, Term::bin("-", past, begin), one()]
            }
            (By::Steady(e), _) => [Term::index(Term::Value(tree.copy_expr(e))), one(), one()],
            (By::Own(_), Some(parts)) => parts.range(),
            (By::Own(_), None) => unreachable!("a section that moves is got in parts"),
        };
        [from.plus(self.low), count.plus(self.spread()), step]
    }

    /// How many more subscripts there are than values of the counter.
    pub(super) fn spread(&self) -> i64 {
        self.high - self.low
    }

    /// A read's place in the copy by this subscript, if it is not always the first. `from` is the counter of
    /// own rows at the first of these.
    pub(super) fn place(&self, subscript: ExprId, first: Option<Var>, from: Option<Var>) -> Option<Term> {
        let (here, first) = match (self.by, first, from) {
            (By::Own(counting), None, Some(from)) => (counting.counter.into(), from),
            (_, Some(first), _) => (Term::index(Term::Value(subscript)), first),
            _ => return None,
        };
        Some(Term::bin("-", here, first.into()))
    }

    /// Whether it is not always the same.
    pub(super) fn counts(&self) -> bool {
        !matches!(self.by, By::Steady(_))
    }

    /// Whether a read's place in the copy is told from the first subscript.
    pub(super) fn has_first(&self) -> bool {
        match self.by {
            By::Steady(_) => false,
            By::Counter(_) => true,
            By::Own(counting) => !counting.turns,
        }
    }
}

/// The first value of a loop of the program's, and the one behind its last.
fn ends(head: Head, tree: &mut Tree) -> (Term, Term) {
    let (first, past) = (head.first.begins(&tree.typed), head.past(&tree.typed));
    (tree.copy_term(&first), tree.copy_term(&past))
}

/// Whether such a loop has iterations.
pub(super) fn runs(head: Head, tree: &mut Tree) -> Term {
    let (first, past) = ends(head, tree);
    Term::bin("<", first, past)
}

/// A loop around a read.
#[derive(Clone, Copy)]
enum Around {
    Program(Head),
    Own(Counting),
}

impl Around {
    fn var(&self) -> SymId {
        match self {
            Around::Program(level) => level.first.var,
            Around::Own(counting) => counting.var,
        }
    }
}

/// The sections that the loops in `stmt` read: a part of the nest `s`, where `own` goes over own rows and may
/// give its variable values.
pub(super) fn sections(
    tree: &Tree,
    s: StmtId,
    stmt: StmtId,
    own: Option<Counting>,
) -> Result<Vec<Section>, Reason> {
    let body = Body::new(tree, s);
    let dependences = Dependences::new(&body)?;
    let targets = targets(&body, stmt);
    let mut finder = Finder { body: &body, dependences: &dependences, targets: &targets, found: Vec::new() };
    let mut around: Vec<Around> = own.map(Around::Own).into_iter().collect();
    match own {
        Some(_) => finder.inside(stmt, &mut around),
        None => finder.through(stmt, &mut around),
    }
    let mut found = finder.found;
    found.sort_by_key(|section| tree.unit.exprs[section.reads[0].e].at.lo);
    let mut merged: Vec<Section> = Vec::new();
    for section in found {
        match merged.iter_mut().find(|known| meets(tree, known, &section)) {
            Some(known) => join(known, section),
            None => merged.push(section),
        }
    }
    merged
        .retain(|section| !section.written || is_apart(&dependences, &body, (stmt, own.is_some()), section));
    if merged.is_empty() { Err(Reason::NoSection) } else { Ok(merged) }
}

/// The objects that loops set to values, `a[j][i] = x`.
fn targets(body: &Body, stmt: StmtId) -> HashSet<ExprId> {
    let mut targets = HashSet::new();
    each_expr(body.unit, Any::Stmt(stmt), |e| {
        if let ExprKind::Assign(None, target, _) = body.unit.exprs[e].kind {
            targets.insert(body.unit.bare(target));
        }
        true
    });
    targets
}

/// Whether the loops in `stmt` may write this section to a copy: they set each element, and what else they
/// access is none of them. `rows`: they are what a loop over own rows does, whose boxes are apart.
fn is_apart(dependences: &Dependences, body: &Body, (stmt, rows): (StmtId, bool), section: &Section) -> bool {
    let ours: HashSet<ExprId> = section.reads.iter().map(|read| read.e).collect();
    let mut apart = section.reads.iter().any(|read| read.writes)
        && section.dims.iter().all(|dim| dim.spread() == 0)
        && (section.moves() || !rows);
    each_expr(body.unit, Any::Stmt(stmt), |e| {
        if let ExprKind::Call(f, _) = body.unit.exprs[e].kind {
            // It might read by a pointer.
            apart &= functions::of_call(body.tree, f) == Summary::Arguments;
        }
        let may_be = || section.reads.iter().any(|read| dependences.may_be(e, read.e));
        apart &= ours.contains(&e) || !body.is_object(e) || !may_be();
        apart
    });
    apart
}

/// Whether two sections are of the same array, by the same counters.
fn meets(tree: &Tree, a: &Section, b: &Section) -> bool {
    let alike = |(a, b): (&Dim, &Dim)| match (a.by, b.by) {
        (By::Steady(a), By::Steady(b)) => is_written_alike(tree, a, b),
        (By::Counter(a), By::Counter(b)) => a.first.var == b.first.var,
        (By::Own(of), By::Own(_)) => !of.turns || a.low == b.low,
        _ => false,
    };
    let shifted = |(a, b): (&Dim, &Dim)| a.low != b.low;
    let vars = |s: &Section| s.others.iter().map(|level| level.first.var).collect::<Vec<_>>();
    let apart = a.written && a.dims.iter().zip(&b.dims).any(shifted);
    !apart
        && a.root.sym == b.root.sym
        && a.dims.len() == b.dims.len()
        && vars(a) == vars(b)
        && a.dims.iter().zip(&b.dims).all(alike)
}

fn join(known: &mut Section, section: Section) {
    for (known, dim) in known.dims.iter_mut().zip(&section.dims) {
        (known.low, known.high) = (known.low.min(dim.low), known.high.max(dim.high));
    }
    known.reads.extend(section.reads);
}

struct Finder<'a> {
    body: &'a Body<'a>,
    dependences: &'a Dependences<'a>,
    targets: &'a HashSet<ExprId>,
    found: Vec<Section>,
}

impl Finder<'_> {
    /// Finds what a loop's body reads in every iteration.
    fn inside(&mut self, stmt: StmtId, around: &mut Vec<Around>) {
        let certain = certain::of_body(self.body.unit, stmt);
        for e in certain.evaluated {
            self.found.extend(self.section(e, around));
        }
        certain.loops.into_iter().for_each(|s| self.through(s, around));
    }

    /// The same of a loop of the program's.
    fn through(&mut self, s: StmtId, around: &mut Vec<Around>) {
        let inner = self.body.tree.nodes(s).is_none().then(|| self.level(s)).flatten();
        if let Some((level, stmt)) = inner {
            around.push(Around::Program(level));
            self.inside(stmt, around);
            around.pop();
        }
    }

    /// How a loop counts, with its body, if it goes through all of its iterations.
    fn level(&self, s: StmtId) -> Option<(Head, StmtId)> {
        let Body { tree, typed, .. } = *self.body;
        let StmtKind::For { body, .. } = tree.unit.stmts[s].kind else { return None };
        let head = tree.counts_up(s)?;
        let ty = typed.types.of(typed.sym(head.first.var).ty);
        let wide = matches!(ty, Ty::Int(kind) if matches!(kind.size(), 4 | 8));
        let stays = self.steady(head.first.value) && self.steady(head.bound);
        (wide && stays && !tree.effects(body).rigid).then_some((head, body))
    }

    /// Whether an expression has one value throughout the nest, and already in front of it. The nest need not
    /// come to it.
    fn steady(&self, e: ExprId) -> bool {
        self.body.invariant(e) && cannot_fault(self.body.unit, self.body.typed, e)
    }

    /// The section that a read or a write goes through, if a copy of it pays.
    fn section(&self, e: ExprId, around: &[Around]) -> Option<Section> {
        let tree = self.body.tree;
        if around.len() < 2 || tree.access(e).is_some() {
            return None;
        }
        let found = tree.subscript(e)?;
        let taken = is_part_of_own(tree, e) || tree.addressed(self.body.stmt).contains(&e);
        if taken || !self.body.serves(&found.root) {
            return None;
        }
        let first = (found.row, found.root.row);
        let subscripts: Vec<(ExprId, u64)> =
            std::iter::once(first).chain(found.rest.iter().copied()).collect();
        let dims: Vec<Dim> = subscripts.iter().map(|&of| self.dim(of, around)).collect::<Option<_>>()?;
        let var = |dim: &Dim| match dim.by {
            By::Steady(_) => None,
            By::Counter(level) => Some(level.first.var),
            By::Own(counting) => Some(counting.var),
        };
        let vars: Vec<Option<SymId>> = dims.iter().map(var).collect();
        let times = |sym: SymId| vars.iter().filter(|&&var| var == Some(sym)).count();
        let innermost = around.iter().rposition(|of| times(of.var()) > 0)?;
        let again = around[..innermost].iter().any(|of| times(of.var()) == 0);
        let across = vars.last() != Some(&Some(around[innermost].var()));
        let boxed = dims.len() <= MOST_DIMS && around.iter().all(|of| times(of.var()) < 2);
        let own_row = matches!(dims[0].by, By::Own(_));
        if !boxed || own_row || !(again || across) {
            return None;
        }
        let other = |of: &Around| match of {
            Around::Program(level) => (times(level.first.var) == 0).then_some(*level),
            Around::Own(_) => None,
        };
        let subscripts = subscripts.iter().map(|of| of.0).collect();
        let read = Read { e, writes: self.targets.contains(&e), subscripts };
        Some(Section {
            written: self.dependences.may_write(e),
            root: found.root.clone(),
            block: found.block,
            dims,
            reads: vec![read],
            others: around.iter().filter_map(other).collect(),
        })
    }

    /// What a subscript goes through.
    fn dim(&self, (e, elements): (ExprId, u64), around: &[Around]) -> Option<Dim> {
        let Body { unit, typed, .. } = *self.body;
        if self.steady(e) {
            return Some(Dim { by: By::Steady(e), low: 0, high: 0, elements });
        }
        let (c, of) = around.iter().find_map(|of| Some((number_from(unit, typed, e, of.var())?, of)))?;
        let by = match *of {
            Around::Program(level) => By::Counter(level),
            Around::Own(counting) => By::Own(counting),
        };
        Some(Dim { by, low: c, high: c, elements })
    }
}
