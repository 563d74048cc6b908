//! Ownership: whose the elements are that a loop accesses, and where they lie in their owner's part.
//!
//! Row r of a shared array with R rows a block is thread (r / R) mod THREADS's ([`crate::facts::rows`]). A
//! loop over one thread's rows counts them by q, as they lie one behind the other in that thread's part.
//! The subscript of an access says whose the row is, and how far it is from row q:
//!
//! | loop by i | subscript | owner | place |
//! |---|---|---|---|
//! | `upc_forall`, affinity to row i + c | `i + c` | this thread | row q |
//! | the same, rows of one element | `i + c + d`, d less than R | this thread, inside the block | row q + d |
//! | by THREADS, R = 1 | `i + k * THREADS`, `i + MYTHREAD + k * THREADS` | one thread | row q + k |
//! | by THREADS, R = 1, rows of one element | `i + k` | one thread | q elements from the first one |
//! | `upc_forall`, affinity to what p points to | `*p`, `p[0]`, `p->m` | this thread | element q |
//! | any, R = 1, an array | `MYTHREAD` | this thread | its first row |
//! | any | one that keeps its value | one thread, on this host or not | |
//!
//! An array keeps its place, and a pointer that serves as an array its value ([`Body::serves`]). Where the
//! owner follows from a pointer, that has to point at thread 0, phase 0 ([`Owned::tests`]).

use crate::facts::affine::offset_from;
use crate::facts::body::Body;
use crate::facts::places::subscripted;
use crate::facts::rows::{self, INDEFINITE, Root, Subscript, root, rows_of};
use crate::ir::copy::Copy;
use crate::ir::tree::{Access, Term, Tree, Var};
use c_sema::Typed;
use c_sema::residues::Sum;
use c_sema::typed::SymId;
use c_syntax::ast::*;
use c_syntax::visit::{Node as Any, each_expr, has_effects};
use std::collections::HashSet;
use std::rc::Rc;

/// How a loop's variable i names the rows of one thread.
#[derive(Clone, Copy)]
pub(crate) enum Numbering {
    /// By row i + `offset`, of arrays with `rows` a block, and what is less than a block from that.
    Dealt { offset: i64, rows: u64 },
    /// In steps of THREADS: rows i, or i + MYTHREAD, and others some THREADS from these.
    Turns { me: bool },
    /// In steps of THREADS: elements at any distance from i.
    Cyclic,
}

impl Numbering {
    /// How far a row is from the one at hand, if it is one of these; R is `rows`.
    fn shift(self, body: &Body, var: SymId, of: &Subscript, rows: u64) -> Option<i64> {
        let Body { unit, typed, .. } = *body;
        let elements = of.planes.is_empty() && of.root.row == 1;
        match self {
            Numbering::Dealt { offset, rows: block } => {
                let d = offset_from(unit, typed, of.row, var)? - offset;
                (rows == block && (d == 0 || (elements && d.unsigned_abs() < block))).then_some(d)
            }
            Numbering::Turns { me } => {
                let known = rows == 1 && !(of.root.pointer && typed.types.language.everything());
                let sum = sum(unit, typed, of.row, var).filter(|_| known)?;
                ((sum.var, sum.me) == (1, i64::from(me))).then_some(sum.turns)?
            }
            Numbering::Cyclic => offset_from(unit, typed, of.row, var).filter(|_| rows == 1 && elements),
        }
    }
}

/// `e` as a sum of the variable `var`, MYTHREAD and multiples of THREADS ([`c_sema::residues`]); none if it
/// has a constant, and names rows of another thread than the sum's.
pub(crate) fn sum(unit: &Unit, typed: &Typed, e: ExprId, var: SymId) -> Option<Sum> {
    let known = |sym| (sym == var).then(Sum::of_variable);
    c_sema::residues::sum(unit, typed, e, &known).filter(|sum| sum.one == 0)
}

/// An access to an element of a row that a loop's variable names.
pub(crate) struct Element {
    pub(crate) e: ExprId,
    /// Its array, by number.
    pub(crate) root: usize,
    /// How many rows it is from the one at hand.
    pub(crate) shift: i64,
    of: Rc<Subscript>,
}

impl Element {
    /// The access in a copy, by a pointer to row 0, where `row` counts the rows.
    pub(crate) fn access(&self, copy: &Copy, base: Var, row: Var) -> Access {
        let times =
            |term: Term, n: u64| if n == 1 { term } else { Term::bin("*", term, Term::Num(n as i64)) };
        let first = times(Term::Var(row).plus(self.shift), self.of.root.row);
        let index = self.of.inside().iter().fold(first, |sum, &(subscript, step)| {
            Term::bin("+", sum, times(Term::index(Term::Value(copy.expr(subscript))), step))
        });
        Access::Element { base, index, inside: Vec::new() }
    }
}

/// The elements that a loop accesses in rows that its variable names, and the arrays that they are in.
#[derive(Default)]
pub(crate) struct Owned {
    pub(crate) roots: Vec<Root>,
    pub(crate) elements: Vec<Element>,
}

impl Owned {
    /// The number of an array.
    fn intern(&mut self, root: &Root) -> usize {
        self.roots.iter().position(|r| r.sym == root.sym).unwrap_or_else(|| {
            self.roots.push(root.clone());
            self.roots.len() - 1
        })
    }

    /// Adds those that a loop's body accesses.
    pub(crate) fn find(&mut self, body: &Body, var: SymId, numbering: Numbering) {
        each_expr(body.unit, Any::Stmt(body.stmt), |e| {
            if let Some((of, rows)) = in_blocks(body, e)
                && let Some(shift) = numbering.shift(body, var, &of, rows)
            {
                let root = self.intern(&of.root);
                self.elements.push(Element { e, root, shift, of });
            }
            true
        });
    }

    /// c and R, where the affinity `e` of iteration `var` is to row `var` + c, R rows being a block. Adds the
    /// array that it names.
    pub(crate) fn affinity(&mut self, body: &Body, e: ExprId, var: SymId) -> Option<(i64, u64)> {
        let Body { unit, typed, .. } = *body;
        let (e, offset) = (unit.bare(e), |e| offset_from(unit, typed, e, var));
        if let Some(c) = offset(e) {
            return Some((c, 1));
        }
        let (root, rows, row) = match unit.exprs[e].kind {
            ExprKind::Unary(UnOp::Addr, place) => {
                let (of, rows) = in_blocks(body, unit.bare(place))?;
                // They are not evaluated any more.
                let effects = of.planes.iter().any(|&(plane, _)| has_effects(unit, plane));
                // The element that is named must lie in row i: constants inside the row.
                let inside = of.rest.iter().try_fold(0u64, |sum, &(e, step)| {
                    let index = typed.constant(e).and_then(|c| u64::try_from(c).ok())?;
                    sum.checked_add(index.checked_mul(step)?)
                })?;
                (!effects && inside < of.root.row).then(|| (of.root.clone(), rows, of.row))?
            }
            // p + i, the same as &p[i]
            ExprKind::Binary(BinOp::Add, p, i) => {
                let (root, block) = root(body.tree, p).filter(|(root, _)| body.serves(root))?;
                let rows = rows_of(&root, block)?;
                (root, rows, i)
            }
            _ => return None,
        };
        let c = offset(row)?;
        self.intern(&root);
        Some((c, rows))
    }

    /// What must hold when the loop is entered: pointers that serve as arrays are at thread 0, phase 0.
    pub(crate) fn tests(&self, tree: &Tree) -> Vec<Term> {
        self.roots.iter().filter(|root| root.pointer).map(|root| root.begins_at_origin(tree)).collect()
    }

    /// The subscripts that name the rows of elements of which no pointer-to-shared is made: local pointers
    /// need them no more.
    pub(crate) fn subscripts(&self, body: &Body) -> HashSet<ExprId> {
        let addressed = body.tree.addressed(body.stmt);
        self.elements.iter().filter(|of| !addressed.contains(&of.e)).map(|of| of.of.row).collect()
    }

    /// The names of the arrays.
    pub(crate) fn names(&self, tree: &Tree) -> String {
        let names: Vec<&str> = self.roots.iter().map(|root| &*tree.typed.sym(root.sym).name).collect();
        names.join(" ")
    }
}

/// The parts of `root[row][rest]…`, or of one in planes, whose root serves in this body and of which R rows
/// make a block; with that R.
fn in_blocks(body: &Body, e: ExprId) -> Option<(Rc<Subscript>, u64)> {
    let whole = |s: Rc<Subscript>| rows_of(&s.root, s.block).map(|rows| (s, rows));
    let in_planes = || whole(Rc::new(rows::in_planes(body.tree, e)?));
    let found = body.tree.subscript(e).and_then(whole).or_else(in_planes);
    found.filter(|(s, _)| body.serves(&s.root))
}

/// The row that an object is in, or a part of an element of, with the parts of the subscripts: all of it is
/// one thread's. Of an indefinite array that is the whole array.
pub(crate) fn row_of(body: &Body, e: ExprId) -> Option<(Rc<Subscript>, ExprId)> {
    let tree = body.tree;
    let mut e = without_members(tree, e);
    let found = tree.subscript(e).filter(|found| body.serves(&found.root))?;
    let inside = match found.block {
        INDEFINITE => found.rest.len() + 1,
        _ if found.rest.is_empty() || rows_of(&found.root, found.block).is_none() => return None,
        _ => found.rest.len(),
    };
    for _ in 0..inside {
        let ExprKind::Index(a, b) = tree.unit.exprs[e].kind else { return None };
        e = tree.unit.bare(subscripted(tree, a, b).0);
    }
    Some((found, e))
}

/// The object that `e` is, or is a member of.
pub(crate) fn without_members(tree: &Tree, e: ExprId) -> ExprId {
    let mut e = tree.unit.bare(e);
    while let ExprKind::Member { base, arrow: false, .. } = tree.unit.exprs[e].kind {
        e = tree.unit.bare(base);
    }
    e
}

/// Whether the affinity `e` is to the element that `pointer` points to: `p`, `&*p` or `&p[0]`.
pub(crate) fn names_element(body: &Body, e: ExprId, pointer: SymId) -> bool {
    let e = body.unit.bare(e);
    match body.unit.exprs[e].kind {
        ExprKind::Unary(UnOp::Addr, place) => is_element_at(body, body.unit.bare(place), pointer),
        _ => body.name(e) == Some(pointer),
    }
}

/// The accesses `*p`, `p[0]` and `p->m`; not where a pointer-to-shared is made of them again.
pub(crate) fn elements_at(body: &Body, pointer: SymId) -> HashSet<ExprId> {
    let addressed = body.tree.addressed(body.stmt);
    let mut found = HashSet::new();
    each_expr(body.unit, Any::Stmt(body.stmt), |e| {
        let is = match body.unit.exprs[e].kind {
            ExprKind::Member { base: p, arrow: true, .. } => body.name(p) == Some(pointer),
            _ => is_element_at(body, e, pointer),
        };
        if is && !addressed.contains(&e) && body.tree.access(e).is_none() {
            found.insert(e);
        }
        true
    });
    found
}

/// `*p` or `p[0]`.
fn is_element_at(body: &Body, e: ExprId, pointer: SymId) -> bool {
    match body.unit.exprs[e].kind {
        ExprKind::Unary(UnOp::Deref, p) => body.name(p) == Some(pointer),
        ExprKind::Index(p, i) => body.name(p) == Some(pointer) && body.typed.constant(i) == Some(0),
        _ => false,
    }
}

/// Whether `e` is an element of the row with the thread's number, of a static array that is dealt out row by
/// row.
pub(crate) fn is_mine(tree: &Tree, e: ExprId) -> bool {
    let is_index = matches!(tree.unit.exprs[e].kind, ExprKind::Index(..));
    let Some(found) = is_index.then(|| tree.subscript(e)).flatten() else { return false };
    let me = matches!(tree.unit.exprs[tree.unit.bare(found.row)].kind, ExprKind::MyThread);
    me && !found.root.pointer && rows_of(&found.root, found.block) == Some(1)
}
