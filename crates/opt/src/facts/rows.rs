//! Rows: the parts of a shared array that one value of a loop variable selects.
//!
//! In an array with block size B, one step of the first subscript moves A elements, a *row*; A divides B. R =
//! B / A rows make a block. So row r belongs to thread (r / R) mod THREADS and is row (r / R / THREADS) * R +
//! r mod R within that thread's part.
//!
//! *Planes.* If an array's last subscripts alone make whole cycles over the threads, as in
//! `a[2][n * THREADS]`, its first subscripts name *planes*, and the rows are those of a plane. A row has the
//! same owner in all planes, and each plane has the same number of a thread's rows.
//!
//! [`crate::facts::ownership`] finds the owners of the rows that a loop's variable names.

use crate::facts::affine::name;
use crate::facts::places::subscripted;
use crate::ir::tree::{Fact, Primitive, Term, Tree};
use c_sema::typed::SymId;
use c_sema::types::{Block, Len, QTy, Ty};
use c_syntax::ast::*;
use c_syntax::visit::{Node, each_expr};
use std::collections::HashSet;
use std::rc::Rc;

/// The parts of a subscripted array.
struct SubscriptOf;

impl Fact for SubscriptOf {
    type Of = ExprId;
    type Value = Option<Rc<Subscript>>;

    fn find(tree: &Tree, e: ExprId) -> Option<Rc<Subscript>> {
        Elements { tree }.subscript(e).map(Rc::new)
    }
}

/// The elements in a statement of which a pointer-to-shared is made ([`addressed`]).
struct AddressedIn;

impl Fact for AddressedIn {
    type Of = StmtId;
    type Value = Rc<HashSet<ExprId>>;

    fn find(tree: &Tree, s: StmtId) -> Rc<HashSet<ExprId>> {
        Rc::new(addressed(tree, s))
    }
}

impl Tree {
    /// Takes `root[row][rest]…` apart if it names one whole element.
    pub(crate) fn subscript(&self, e: ExprId) -> Option<Rc<Subscript>> {
        self.fact::<SubscriptOf>(e)
    }

    /// The elements in a loop's body of which a pointer-to-shared is made.
    pub(crate) fn addressed(&self, body: StmtId) -> Rc<HashSet<ExprId>> {
        self.fact::<AddressedIn>(body)
    }
}

/// An array, or a pointer used as one, whose rows a local pointer traverses.
#[derive(Clone, Debug)]
pub(crate) struct Root {
    /// The array or pointer variable.
    pub(crate) sym: SymId,
    /// A pointer, which must point at thread 0, phase 0.
    pub(crate) pointer: bool,
    /// A: elements a row.
    pub(crate) row: u64,
    /// The ultimate element type.
    pub(crate) elem: QTy,
    /// The type of a row: `elem`, or an array of it.
    pub(crate) whole: QTy,
}

impl Root {
    /// The bits of a pointer to the first element.
    pub(crate) fn first(&self) -> Term {
        if self.pointer {
            Term::Bits(Box::new(Term::Sym(self.sym)))
        } else {
            Term::call(Primitive::Bits, [Term::Num(0), Term::Native(self.sym)])
        }
    }

    /// A local pointer to the first element.
    pub(crate) fn first_local(&self) -> Term {
        if self.pointer { Term::call(Primitive::At, [self.first()]) } else { Term::First(self.sym) }
    }

    /// Whether a pointer that is used as an array is at thread 0, phase 0.
    pub(crate) fn begins_at_origin(&self, tree: &Tree) -> Term {
        let types = &tree.typed.types;
        let block = types.pointee(tree.typed.sym(self.sym).ty).and_then(|to| types.object_quals(to).shared);
        let phased = matches!(block, Some(Block::Size(n)) if n > 1);
        Term::call(
            if phased { Primitive::AtOriginBlocked } else { Primitive::AtOrigin },
            [Term::Sym(self.sym)],
        )
    }

    /// This thread's part of the array.
    pub(crate) fn own_part(&self) -> Term {
        Term::call(Primitive::Own, [self.first()])
    }
}

/// The block size of an object that lies on one thread.
pub(crate) const INDEFINITE: u64 = 0;

/// A subscripted array: `root[row][rest]…`, or `root[plane]…[row][rest]…`.
#[derive(Debug)]
pub(crate) struct Subscript {
    pub(crate) root: Root,
    /// The block size, or [`INDEFINITE`].
    pub(crate) block: u64,
    pub(crate) row: ExprId,
    pub(crate) rest: Vec<(ExprId, u64)>,
    /// Subscripts of planes, each with the number of elements of a thread's part that it steps over.
    pub(crate) planes: Vec<(ExprId, u64)>,
}

impl Subscript {
    /// The subscripts that are added to the row within a thread's part, each with its step.
    pub(crate) fn inside(&self) -> Vec<(ExprId, u64)> {
        [&self.rest[..], &self.planes].concat()
    }
}

/// A name that can serve as an array, with its block size.
pub(crate) fn root(tree: &Tree, e: ExprId) -> Option<(Root, u64)> {
    Elements { tree }.root(e)
}

/// Takes `root[plane]…[row][rest]…` apart if it names one whole element.
pub(crate) fn in_planes(tree: &Tree, e: ExprId) -> Option<Subscript> {
    Elements { tree }.in_planes(e)
}

/// The analysis of subscripts by themselves, independent of the loop.
struct Elements<'a> {
    tree: &'a Tree,
}

impl Elements<'_> {
    fn subscript(&self, e: ExprId) -> Option<Subscript> {
        let (unit, typed) = (&self.tree.unit, &self.tree.typed);
        if matches!(typed.types.of(typed.ty(e)), Ty::Array(..)) {
            return None;
        }
        let mut indices = Vec::new();
        let mut at = e;
        while let ExprKind::Index(base, index) = unit.exprs[at].kind {
            if !typed.types.is_shared(typed.ty(at)) {
                return None;
            }
            let step = self.elements(typed.ty(at))?;
            indices.push((index, step));
            at = unit.bare(base);
            // The target of an element that is a pointer is not part of the array.
            if matches!(typed.types.of(typed.ty(at)), Ty::Pointer(_)) {
                break;
            }
        }
        let (row, step) = indices.pop()?;
        let (root, block) = self.root(at)?;
        indices.reverse();
        (root.row == step).then_some(Subscript { root, block, row, rest: indices, planes: Vec::new() })
    }

    fn in_planes(&self, e: ExprId) -> Option<Subscript> {
        let (unit, typed) = (&self.tree.unit, &self.tree.typed);
        // Each index, with the type of the object that it names, the first one last.
        let mut indices = Vec::new();
        let mut at = e;
        while let ExprKind::Index(base, index) = unit.exprs[at].kind {
            indices.push((index, typed.ty(at)));
            at = unit.bare(base);
            // The target of an element that is a pointer is not part of the array.
            if !matches!(typed.types.of(typed.ty(at)), Ty::Array(..)) {
                return None;
            }
        }
        indices.reverse();
        let sym = name(unit, typed, at)?;
        let Block::Size(block) = typed.types.object_quals(typed.sym(sym).ty).shared? else { return None };
        let whole = |n: usize| if n == 0 { typed.sym(sym).ty } else { indices[n - 1].1 };
        let length = |n: usize| match typed.types.of(whole(n)) {
            Ty::Array(_, len) => Some(*len),
            _ => None,
        };
        let own_rows = |n: usize| {
            let row = self.elements(indices[n].1).filter(|&row| block.is_multiple_of(row))?;
            let own = match (length(n)?, typed.static_threads.map(u64::from)) {
                (Len::Threads(own), _) => own,
                (Len::Const(rows), Some(threads)) if rows.is_multiple_of(threads) => rows / threads,
                _ => return None,
            };
            own.is_multiple_of(block / row).then_some((row, own))
        };
        let (level, (row, own)) = (1..indices.len()).find_map(|n| own_rows(n).map(|found| (n, found)))?;
        let mut step = own.checked_mul(row)?;
        let mut planes = Vec::new();
        for n in (0..level).rev() {
            planes.push((indices[n].0, step));
            if n > 0 {
                let Some(Len::Const(planes)) = length(n) else { return None };
                step = step.checked_mul(planes)?;
            }
        }
        let rest = indices[level + 1..].iter().map(|&(index, q)| self.elements(q).map(|step| (index, step)));
        let (rest, elem) = (rest.collect::<Option<Vec<_>>>()?, self.ultimate(whole(0)));
        let is_element = !matches!(typed.types.of(typed.ty(e)), Ty::Array(..));
        let root = Root { sym, pointer: false, row, elem, whole: indices[level].1 };
        is_element.then_some(Subscript { root, block, row: indices[level].0, rest, planes })
    }

    /// A name that can serve as an array, with its block size.
    fn root(&self, e: ExprId) -> Option<(Root, u64)> {
        let typed = &self.tree.typed;
        let sym = name(&self.tree.unit, typed, e)?;
        let symbol = typed.sym(sym);
        let (elem, pointer) = match typed.types.of(symbol.ty) {
            Ty::Array(elem, _) => (*elem, false),
            Ty::Pointer(to) => (*to, true),
            _ => return None,
        };
        let block = match typed.types.object_quals(elem).shared? {
            Block::Size(block) => block,
            Block::Spread => self.unit_of_spread(elem)?,
            Block::Indefinite => INDEFINITE,
            Block::Star => return None,
        };
        if matches!(typed.types.of(self.ultimate(elem)), Ty::Void | Ty::Error) {
            return None;
        }
        let root = Root { sym, pointer, row: self.elements(elem)?, elem: self.ultimate(elem), whole: elem };
        Some((root, block))
    }

    /// The type inside of all arrays, blocks of spread arrays included, that is no array itself.
    fn ultimate(&self, q: QTy) -> QTy {
        match self.tree.typed.types.of(q) {
            Ty::Array(elem, _) => self.ultimate(*elem),
            _ => q,
        }
    }

    /// How many ultimate elements go round the processors together, in an array whose elements are `elem`.
    fn unit_of_spread(&self, mut elem: QTy) -> Option<u64> {
        let types = &self.tree.typed.types;
        while !types.is_unit(elem) {
            let Ty::Array(inner, _) = types.of(elem) else { return None };
            elem = *inner;
        }
        self.elements(elem)
    }

    /// How many ultimate elements a type has, if that is constant.
    fn elements(&self, q: QTy) -> Option<u64> {
        match self.tree.typed.types.of(q) {
            Ty::Array(elem, Len::Const(n)) => self.elements(*elem)?.checked_mul(*n).filter(|&n| n > 0),
            Ty::Array(..) => None,
            _ => Some(1),
        }
    }
}

/// Returns R if a block consists of whole rows.
pub(crate) fn rows_of(root: &Root, block: u64) -> Option<u64> {
    (block != INDEFINITE && block.is_multiple_of(root.row)).then(|| block / root.row)
}

/// Elements of which a pointer-to-shared is made in a loop's body, by `&` or because a member that is an
/// array decays: these accesses need the element's number, not the local pointer.
fn addressed(tree: &Tree, body: StmtId) -> HashSet<ExprId> {
    let (unit, typed) = (&tree.unit, &tree.typed);
    let mut addressed = HashSet::new();
    each_expr(unit, Node::Stmt(body), |e| {
        match unit.exprs[e].kind {
            ExprKind::Unary(UnOp::Addr, place) => add_place(tree, place, &mut addressed),
            ExprKind::Member { .. } if matches!(typed.types.of(typed.ty(e)), Ty::Array(..)) => {
                add_place(tree, e, &mut addressed);
            }
            _ => {}
        }
        true
    });
    addressed
}

/// Adds a place, and the elements and structures that contain it.
pub(crate) fn add_place(tree: &Tree, place: ExprId, to: &mut HashSet<ExprId>) {
    let unit = &tree.unit;
    let mut at = unit.bare(place);
    loop {
        to.insert(at);
        at = match unit.exprs[at].kind {
            ExprKind::Member { base, arrow: false, .. } => unit.bare(base),
            ExprKind::Index(a, b) => unit.bare(subscripted(tree, a, b).0),
            _ => break,
        };
    }
}
