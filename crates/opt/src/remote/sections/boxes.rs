//! The box of an array's elements that a nest of loops reads or writes, by the subscripts.

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

/// Maximum number of subscripts of a box.
const MOST_DIMS: usize = 4;

/// A box of an array's elements that a nest reads or writes.
pub(super) struct Section {
    pub(super) root: Root,
    pub(super) block: u64,
    pub(super) dims: Vec<Dim>,
    pub(super) reads: Vec<Read>,
    /// Loops around the reads whose counters do not stand in the subscripts.
    pub(super) others: Vec<Head>,
    /// The nest writes each element of the box.
    pub(super) written: bool,
}

impl Section {
    /// Returns whether the nest reads the section too.
    pub(super) fn is_read(&self) -> bool {
        self.reads.iter().any(|read| !read.writes)
    }

    /// Returns whether the section depends on the iteration of the loop over own rows.
    pub(super) fn moves(&self) -> bool {
        self.own().is_some()
    }

    /// Returns the subscript that the loop over own rows counts, with its position.
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

/// The range of a subscript.
#[derive(Clone)]
pub(super) struct Dim {
    pub(super) by: By,
    /// The least and the greatest constant that is added to the counter.
    low: i64,
    high: i64,
    /// Elements of the array between neighbours by this subscript.
    pub(super) elements: u64,
}

/// The variable part of a subscript.
#[derive(Clone, Copy)]
pub(super) enum By {
    /// None: the subscript is invariant.
    Steady(ExprId),
    /// The counter of a loop of the program's.
    Counter(Head),
    /// The variable of the loop over own rows.
    Own(Counting),
}

impl Dim {
    /// Returns the first subscript, the number of subscripts, and the step from one to the next.
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

    /// Returns by how much the subscripts outnumber the values of the counter.
    pub(super) fn spread(&self) -> i64 {
        self.high - self.low
    }

    /// Returns an access's place in the copy by this subscript, if it is not always the first. `from` is the
    /// first value of the counter of own rows.
    pub(super) fn place(&self, subscript: ExprId, first: Option<Var>, from: Option<Var>) -> Option<Term> {
        let (here, first) = match (self.by, first, from) {
            (By::Own(counting), None, Some(from)) => (counting.counter.into(), from),
            (_, Some(first), _) => (Term::index(Term::Value(subscript)), first),
            _ => return None,
        };
        Some(Term::bin("-", here, first.into()))
    }

    /// Returns whether the subscript varies.
    pub(super) fn counts(&self) -> bool {
        !matches!(self.by, By::Steady(_))
    }

    /// Returns whether an access's place in the copy is computed from the first subscript.
    pub(super) fn has_first(&self) -> bool {
        match self.by {
            By::Steady(_) => false,
            By::Counter(_) => true,
            By::Own(counting) => !counting.turns,
        }
    }
}

/// Returns the first value of a program loop's counter, and the one after its last.
fn ends(head: Head, tree: &mut Tree) -> (Term, Term) {
    let (first, past) = (head.first.begins(&tree.typed), head.past(&tree.typed));
    (tree.copy_term(&first), tree.copy_term(&past))
}

/// Makes the test that a loop of the program has iterations.
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

/// Returns the sections that the loops in `stmt` access, which is a part of the nest `s`. `own` is the
/// counting of the loop over own rows around `stmt`, if there is one.
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

/// Returns the objects that loops assign values to, `a[j][i] = x`.
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

/// Returns whether the loops in `stmt` may write this section to a copy: they assign each element, and none
/// of their other accesses may be to these elements. If `rows` holds, `stmt` is the body of a loop over own
/// rows, so that the boxes of different rows must be disjoint.
fn is_apart(dependences: &Dependences, body: &Body, (stmt, rows): (StmtId, bool), section: &Section) -> bool {
    let ours: HashSet<ExprId> = section.reads.iter().map(|read| read.e).collect();
    let mut apart = section.reads.iter().any(|read| read.writes)
        && section.dims.iter().all(|dim| dim.spread() == 0)
        && (section.moves() || !rows);
    each_expr(body.unit, Any::Stmt(stmt), |e| {
        if let ExprKind::Call(f, _) = body.unit.exprs[e].kind {
            // The function might read by a pointer.
            apart &= functions::of_call(body.tree, f) == Summary::Arguments;
        }
        let may_be = || section.reads.iter().any(|read| dependences.may_be(e, read.e));
        apart &= ours.contains(&e) || !body.is_object(e) || !may_be();
        apart
    });
    apart
}

/// Returns whether two sections can share a copy: they are of the same array, by the same counters.
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
    /// Finds the sections that a loop's body accesses in every iteration.
    fn inside(&mut self, stmt: StmtId, around: &mut Vec<Around>) {
        let certain = certain::of_body(self.body.unit, stmt);
        for e in certain.evaluated {
            self.found.extend(self.section(e, around));
        }
        certain.loops.into_iter().for_each(|s| self.through(s, around));
    }

    /// Finds the sections of a loop of the program's.
    fn through(&mut self, s: StmtId, around: &mut Vec<Around>) {
        let inner = self.body.tree.nodes(s).is_none().then(|| self.level(s)).flatten();
        if let Some((level, stmt)) = inner {
            around.push(Around::Program(level));
            self.inside(stmt, around);
            around.pop();
        }
    }

    /// Returns a loop's head and body, if the loop goes through all of its iterations.
    fn level(&self, s: StmtId) -> Option<(Head, StmtId)> {
        let Body { tree, typed, .. } = *self.body;
        let StmtKind::For { body, .. } = tree.unit.stmts[s].kind else { return None };
        let head = tree.counts_up(s)?;
        let ty = typed.types.of(typed.sym(head.first.var).ty);
        let wide = matches!(ty, Ty::Int(kind) if matches!(kind.size(), 4 | 8));
        let stays = self.steady(head.first.value) && self.steady(head.bound);
        (wide && stays && !tree.effects(body).rigid).then_some((head, body))
    }

    /// Returns whether an expression has one value before and throughout the nest, and can be evaluated even
    /// if the nest does not come to it.
    fn steady(&self, e: ExprId) -> bool {
        self.body.invariant(e) && cannot_fault(self.body.unit, self.body.typed, e)
    }

    /// Returns the section that an access goes through, if a copy of it pays.
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

    /// Returns the range of a subscript.
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
