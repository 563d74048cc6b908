//! Ownership: which threads own the elements that a loop accesses, and where the elements lie in their
//! owner's part.
//!
//! Row r of a shared array with R rows a block belongs to thread (r / R) mod THREADS
//! ([`crate::facts::rows`]). A loop over one thread's rows counts them by q, in their order in that thread's
//! part. The subscript of an access determines the owner of the row, and its distance from row q:
//!
//! | loop by i | subscript | owner | place |
//! |---|---|---|---|
//! | `upc_forall`, affinity to row i + c | `i + c` | this thread | row q |
//! | the same, rows of one element | `i + c + d`, d less than R | this thread, inside the block | row q + d |
//! | by THREADS, R = 1 | `i + k * THREADS`, `i + MYTHREAD + k * THREADS` | one thread | row q + k |
//! | by THREADS, R = 1, rows of one element | `i + k` | one thread | q elements from the first one |
//! | `upc_forall`, affinity to the target of p | `*p`, `p[0]`, `p->m` | this thread | element q |
//! | any, R = 1, an array | `MYTHREAD` | this thread | its first row |
//! | any | any that keeps its value | one thread, on this host or not | |
//!
//! An array keeps its place, and a pointer that serves as an array keeps its value ([`Body::serves`]). If the
//! owner follows from a pointer, the pointer must point at thread 0, phase 0 ([`Owned::tests`]).

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
    /// By row i + `offset`, of arrays with `rows` rows a block; in rows of one element, also by any row less
    /// than a block from it.
    Dealt { offset: i64, rows: u64 },
    /// In steps of THREADS: rows i, or i + MYTHREAD if `me`, and rows at a multiple of THREADS from these.
    Turns { me: bool },
    /// In steps of THREADS: elements at any distance from i.
    Cyclic,
}

impl Numbering {
    /// The distance of a row from the current row q in the owner's part, if the numbering names the row; R is
    /// `rows`.
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

/// `e` as a sum of the variable `var`, MYTHREAD and multiples of THREADS ([`c_sema::residues`]); `None` if
/// the sum also has a constant, and so names rows of another thread.
pub(crate) fn sum(unit: &Unit, typed: &Typed, e: ExprId, var: SymId) -> Option<Sum> {
    let known = |sym| (sym == var).then(Sum::of_variable);
    c_sema::residues::sum(unit, typed, e, &known).filter(|sum| sum.one == 0)
}

/// An access to an element of a row that a loop's variable names.
pub(crate) struct Element {
    pub(crate) e: ExprId,
    /// The index of the array in [`Owned::roots`].
    pub(crate) root: usize,
    /// The distance from the current row, in rows.
    pub(crate) shift: i64,
    of: Rc<Subscript>,
}

impl Element {
    /// The access in a copy of the loop, through `base`, a pointer to row 0; `row` counts the rows.
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

/// The elements that a loop accesses in rows that its variable names, and their arrays.
#[derive(Default)]
pub(crate) struct Owned {
    pub(crate) roots: Vec<Root>,
    pub(crate) elements: Vec<Element>,
}

impl Owned {
    /// The index of an array, which is added if it is new.
    fn intern(&mut self, root: &Root) -> usize {
        self.roots.iter().position(|r| r.sym == root.sym).unwrap_or_else(|| {
            self.roots.push(root.clone());
            self.roots.len() - 1
        })
    }

    /// Adds the elements that a loop's body accesses.
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

    /// Returns c and R if the affinity `e` of iteration `var` is to row `var` + c of an array with R rows a
    /// block. Adds the array that `e` names.
    pub(crate) fn affinity(&mut self, body: &Body, e: ExprId, var: SymId) -> Option<(i64, u64)> {
        let Body { unit, typed, .. } = *body;
        let (e, offset) = (unit.bare(e), |e| offset_from(unit, typed, e, var));
        if let Some(c) = offset(e) {
            return Some((c, 1));
        }
        let (root, rows, row) = match unit.exprs[e].kind {
            ExprKind::Unary(UnOp::Addr, place) => {
                let (of, rows) = in_blocks(body, unit.bare(place))?;
                // The subscripts of planes are not evaluated any more.
                let effects = of.planes.iter().any(|&(plane, _)| has_effects(unit, plane));
                // The named element must lie in row i: the other subscripts are constants and stay inside the
                // row.
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

    /// The conditions for entering the loop: pointers that serve as arrays are at thread 0, phase 0.
    pub(crate) fn tests(&self, tree: &Tree) -> Vec<Term> {
        self.roots.iter().filter(|root| root.pointer).map(|root| root.begins_at_origin(tree)).collect()
    }

    /// The subscripts that name the rows of elements of which no pointer-to-shared is made: accesses by local
    /// pointers do not evaluate these subscripts.
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

/// The parts of `root[row][rest]…`, or of a subscript in planes, and R, if the root serves in this body and R
/// rows make a block.
fn in_blocks(body: &Body, e: ExprId) -> Option<(Rc<Subscript>, u64)> {
    let whole = |s: Rc<Subscript>| rows_of(&s.root, s.block).map(|rows| (s, rows));
    let in_planes = || whole(Rc::new(rows::in_planes(body.tree, e)?));
    let found = body.tree.subscript(e).and_then(whole).or_else(in_planes);
    found.filter(|(s, _)| body.serves(&s.root))
}

/// The row that contains an object, which is an element or a member of one, with the parts of its subscripts.
/// One thread owns the whole row. For an indefinite array, the row is the whole array.
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

/// The accesses `*p`, `p[0]` and `p->m`, except those of which a pointer-to-shared is made again.
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

/// Whether `e` is an element of row MYTHREAD of a static array with one row a block.
pub(crate) fn is_mine(tree: &Tree, e: ExprId) -> bool {
    let is_index = matches!(tree.unit.exprs[e].kind, ExprKind::Index(..));
    let Some(found) = is_index.then(|| tree.subscript(e)).flatten() else { return false };
    let me = matches!(tree.unit.exprs[tree.unit.bare(found.row)].kind, ExprKind::MyThread);
    me && !found.root.pointer && rows_of(&found.root, found.block) == Some(1)
}
