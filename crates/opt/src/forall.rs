//! Privatisation of `upc_forall`: a thread walks its own part by local pointers.
//!
//! A loop `upc_forall (i = lo; i < hi; i++; affinity)` asks every thread to go through all iterations and
//! run those that are its own. Where the owner of iteration i follows from i alone, a thread can go
//! straight from one of its iterations to the next, and what it touches there with the same affinity is its
//! own memory, one row after the other.
//!
//! *Rows.* Let the affinity be `&a[i + c]…` where one step of i moves A elements of an array with block
//! size B, A dividing B. A row is what one value of i selects; R = B / A rows make a block, so row r = i + c
//! belongs to thread (r / R) mod THREADS and is, within that thread's part, row (r / R / THREADS) * R + r mod
//! R. R = 1 is the cyclic case, and the integer affinity `i + c` is it as well. An access `b[i + c]…` to
//! another array with the same R and the same c is to the same thread's memory, and local.
//!
//! *Neighbours.* Where rows are single elements and blocks longer, `b[i + c + d]` with a small constant d is in the
//! own block too except at its borders; so the rows of a block that are far enough from both borders run
//! with local pointers for these as well.
//!
//! *Flat.* A thread's blocks follow one another in its part. If the loop variable is used for nothing but local
//! subscripts, the blocks need not be told apart, and the loop is one over all own rows.
//!
//! *Why it is allowed.* By 6.6.2 the affinity and the condition are single-valued and iterations run by
//! other threads may not affect ours, so iterations of others need not be stepped through: the condition and the affinity
//! have no effects (both are checked to be such), and the step is known. The loop variable is an automatic
//! object whose address is not taken and that the body does not assign; it has the value of the sequential
//! loop in each iteration and after the loop. The bound keeps its value while the body runs. A pointer that
//! serves as an array keeps its value too, and points at thread 0, phase 0: that is tested when the loop is
//! entered, as is that no outer upc_forall is in control; otherwise the plain form runs.
//!
//! *Limits.* Step one upwards; bodies without labels, gotos, `break`, `return` or statics, since the body is
//! written twice.

use crate::affine::{name, offset_from};
use crate::effects::{Effects, of_body};
use base::Span;
use c_sema::Typed;
use c_sema::typed::{SymId, SymKind};
use c_sema::types::{Block, Len, QTy, Ty};
use c_syntax::ast::*;
use std::collections::{HashMap, HashSet};

/// A body longer than this (bytes of text) is not written twice.
pub(crate) const LONGEST_BODY: u32 = 8000;

/// Subscript expressions that are local: which root, and the subscripts inside the row, each with the number of
/// elements it steps over.
pub type Accesses = HashMap<ExprId, (usize, Vec<(ExprId, u64)>)>;

/// How to run a shared-out loop over the own part.
#[derive(Debug)]
pub struct Privatised {
    /// The loop variable.
    pub var: SymId,
    /// Whether the loop declares it.
    pub declares: bool,
    /// Its first value.
    pub lo: ExprId,
    /// Its bound.
    pub hi: ExprId,
    /// `<=` rather than `<`.
    pub inclusive: bool,
    /// c: iteration i works on row i + c.
    pub offset: i64,
    /// R: rows a block.
    pub rows: u64,
    /// Arrays whose rows are walked.
    pub roots: Vec<Root>,
    /// Local accesses.
    pub local: Accesses,
    /// Subscript expressions `root[i + c + d]` that are local inside a block, with d.
    pub near: HashMap<ExprId, (usize, i64)>,
    /// The loop variable serves for local subscripts only.
    pub flat: bool,
}

/// An array, or a pointer used as one, that is walked by a local pointer.
#[derive(Clone, Debug)]
pub struct Root {
    /// The array or pointer variable.
    pub sym: SymId,
    /// A pointer, to be tested on entry.
    pub pointer: bool,
    /// A: elements a row.
    pub row: u64,
    /// Ultimate element type.
    pub elem: QTy,
}

/// The plan for a statement, if it is a loop that this file can treat.
pub fn privatise(unit: &Unit, typed: &Typed, id: StmtId) -> Option<Privatised> {
    let StmtKind::Forall { init, cond, step, affinity: Affinity::Expr(affinity), body } = unit.stmts[id].kind
    else {
        return None;
    };
    let span = unit.stmts[body].span;
    if span.hi - span.lo > LONGEST_BODY {
        return None;
    }
    let (var, declares, lo) = first_clause(unit, typed, init)?;
    let symbol = typed.sym(var);
    let automatic = matches!(symbol.kind, SymKind::Auto | SymKind::Param) && !symbol.address_taken;
    if !automatic
        || !matches!(typed.types.of(symbol.ty), Ty::Int(_))
        || !steps_by_one(unit, typed, step?, var)
    {
        return None;
    }
    let (hi, inclusive) = bound(unit, typed, cond?, var)?;
    let effects = of_body(unit, typed, body);
    if effects.rigid || effects.assigned.contains(&var) || !effects.invariant(unit, typed, hi) {
        return None;
    }
    if mentions(unit, typed, hi, var) {
        return None;
    }
    let mut finder = Finder {
        unit,
        typed,
        effects: &effects,
        var,
        statics: false,
        roots: Vec::new(),
        local: Accesses::new(),
        near: HashMap::new(),
        subscripts: Vec::new(),
    };
    let (offset, rows) = finder.affinity(affinity)?;
    // `i - 1` of an unsigned 0 is a large number, not the one below 0.
    if offset < 0 && unsigned_int(typed, symbol.ty) {
        return None;
    }
    finder.accesses(body, offset, rows);
    let flat = finder.near.is_empty() && !finder.uses_variable_otherwise(body);
    let Finder { roots, local, near, .. } = finder;
    Some(Privatised { var, declares, lo, hi, inclusive, offset, rows, roots, local, near, flat })
}

/// The arrays and local accesses of a loop body in which `i` goes through a thread's own numbers, THREADS at a
/// step, for [`crate::strided`]: static arrays with rows dealt out one by one, subscripted by `i` itself.
pub(crate) fn own_rows(
    unit: &Unit,
    typed: &Typed,
    effects: &Effects,
    var: SymId,
    body: StmtId,
) -> (Vec<Root>, Accesses) {
    let mut finder = Finder {
        unit,
        typed,
        effects,
        var,
        statics: true,
        roots: Vec::new(),
        local: Accesses::new(),
        near: HashMap::new(),
        subscripts: Vec::new(),
    };
    finder.accesses(body, 0, 1);
    (finder.roots, finder.local)
}

/// `i = lo` or `int i = lo`.
pub(crate) fn first_clause(unit: &Unit, typed: &Typed, init: ForInit) -> Option<(SymId, bool, ExprId)> {
    match init {
        ForInit::None => None,
        ForInit::Expr(e) => match unit.exprs[unit.bare(e)].kind {
            ExprKind::Assign(None, target, value) => Some((name(unit, typed, target)?, false, value)),
            _ => None,
        },
        ForInit::Decl(d) => {
            let DeclKind::Vars { items, .. } = &unit.decls[d].kind else { return None };
            let [item] = items.as_slice() else { return None };
            let InitKind::Expr(value) = unit.inits[item.init?].kind else { return None };
            Some((typed.declared(item.declarator)?, true, value))
        }
    }
}

/// `i++`, `++i`, `i += 1`, `i = i + 1`.
pub(crate) fn steps_by_one(unit: &Unit, typed: &Typed, step: ExprId, var: SymId) -> bool {
    match unit.exprs[unit.bare(step)].kind {
        ExprKind::Post(IncDec::Inc, e) | ExprKind::Pre(IncDec::Inc, e) => name(unit, typed, e) == Some(var),
        ExprKind::Assign(Some(BinOp::Add), e, one) => {
            name(unit, typed, e) == Some(var) && typed.constant(one) == Some(1)
        }
        ExprKind::Assign(None, e, sum) => {
            name(unit, typed, e) == Some(var) && offset_from(unit, typed, sum, var) == Some(1)
        }
        _ => false,
    }
}

/// `i < hi`, `i <= hi`, `hi > i`, `hi >= i`.
pub(crate) fn bound(unit: &Unit, typed: &Typed, cond: ExprId, var: SymId) -> Option<(ExprId, bool)> {
    let ExprKind::Binary(op, a, b) = unit.exprs[unit.bare(cond)].kind else { return None };
    let left = name(unit, typed, a) == Some(var);
    let right = name(unit, typed, b) == Some(var);
    match op {
        BinOp::Lt if left => Some((b, false)),
        BinOp::Le if left => Some((b, true)),
        BinOp::Gt if right => Some((a, false)),
        BinOp::Ge if right => Some((a, true)),
        _ => None,
    }
    .filter(|&(hi, _)| matches!(typed.types.of(typed.ty(hi)), Ty::Int(_)))
    // An unsigned comparison of a signed variable is not the comparison of the values.
    .filter(|&(hi, _)| {
        !unsigned_mix(typed, typed.ty(hi), typed.sym(var).ty) || typed.constant(hi).is_some_and(|c| c >= 0)
    })
}

fn unsigned_mix(typed: &Typed, hi: QTy, var: QTy) -> bool {
    use c_sema::types::IntKind::*;
    let unsigned = |q| matches!(typed.types.of(q), Ty::Int(UInt | ULong | ULongLong | UInt128));
    unsigned(hi) || matches!(typed.types.of(var), Ty::Int(ULong | ULongLong | UInt128 | Int128))
}

fn unsigned_int(typed: &Typed, var: QTy) -> bool {
    matches!(typed.types.of(var), Ty::Int(c_sema::types::IntKind::UInt))
}

/// Whether a name occurs in an invariant expression.
pub(crate) fn mentions(unit: &Unit, typed: &Typed, e: ExprId, var: SymId) -> bool {
    match unit.exprs[e].kind {
        ExprKind::Ident(_) => typed.symbol(e) == Some(var),
        ExprKind::Paren(a) | ExprKind::Extension(a) | ExprKind::Cast(_, a) | ExprKind::Unary(_, a) => {
            mentions(unit, typed, a, var)
        }
        ExprKind::Binary(_, a, b) => mentions(unit, typed, a, var) || mentions(unit, typed, b, var),
        _ => false,
    }
}

/// A subscripted array: `root[row][rest]…`.
struct Subscript {
    root: Root,
    block: u64,
    row: ExprId,
    rest: Vec<(ExprId, u64)>,
}

struct Finder<'a> {
    unit: &'a Unit,
    typed: &'a Typed,
    effects: &'a Effects,
    var: SymId,
    /// Pointers do not serve as arrays.
    statics: bool,
    roots: Vec<Root>,
    local: Accesses,
    near: HashMap<ExprId, (usize, i64)>,
    /// Places of the row subscripts of `local`.
    subscripts: Vec<Span>,
}

impl Finder<'_> {
    /// (c, R) of an affinity expression.
    fn affinity(&mut self, e: ExprId) -> Option<(i64, u64)> {
        let e = self.unit.bare(e);
        if let Some(c) = offset_from(self.unit, self.typed, e, self.var) {
            return Some((c, 1));
        }
        let place = match self.unit.exprs[e].kind {
            ExprKind::Unary(UnOp::Addr, place) => self.unit.bare(place),
            ExprKind::Binary(BinOp::Add, p, i) => {
                // p + i, the same as &p[i]
                let (root, block) = self.root(p)?;
                let c = offset_from(self.unit, self.typed, i, self.var)?;
                let rows = rows_of(&root, block)?;
                self.intern(root);
                return Some((c, rows));
            }
            _ => return None,
        };
        let subscript = self.subscript(place)?;
        let c = offset_from(self.unit, self.typed, subscript.row, self.var)?;
        // The element that is named must lie in row i: constants inside the row.
        let inside: Option<u64> = subscript.rest.iter().try_fold(0u64, |sum, (e, step)| {
            let index = self.typed.constant(*e).and_then(|c| u64::try_from(c).ok())?;
            sum.checked_add(index.checked_mul(*step)?)
        });
        let rows = rows_of(&subscript.root, subscript.block)?;
        if inside.is_none_or(|n| n >= subscript.root.row) {
            return None;
        }
        self.intern(subscript.root);
        Some((c, rows))
    }

    fn intern(&mut self, root: Root) -> usize {
        if let Some(n) = self.roots.iter().position(|r| r.sym == root.sym) {
            return n;
        }
        self.roots.push(root);
        self.roots.len() - 1
    }

    /// Finds the accesses of the body that are local.
    fn accesses(&mut self, body: StmtId, offset: i64, rows: u64) {
        let span = self.unit.stmts[body].span;
        let addressed = addressed(self.unit, self.typed);
        for e in self.unit.exprs.ids() {
            let at = self.unit.exprs[e].span;
            if at.lo < span.lo || at.hi > span.hi {
                continue;
            }
            let Some(s) = self.subscript(e) else { continue };
            let Some(c) = offset_from(self.unit, self.typed, s.row, self.var) else { continue };
            if rows_of(&s.root, s.block) != Some(rows) {
                continue;
            }
            if c == offset {
                if !addressed.contains(&e) {
                    self.subscripts.push(self.unit.exprs[s.row].span);
                }
                let root = self.intern(s.root);
                self.local.insert(e, (root, s.rest));
            } else if s.root.row == 1 && (c - offset).unsigned_abs() < rows {
                let root = self.intern(s.root);
                self.near.insert(e, (root, c - offset));
            }
        }
    }

    /// Whether the body names the loop variable anywhere but in the row subscripts of local accesses.
    fn uses_variable_otherwise(&self, body: StmtId) -> bool {
        let span = self.unit.stmts[body].span;
        let inside = |at: Span, whole: &Span| whole.lo <= at.lo && at.hi <= whole.hi;
        self.unit.exprs.ids().any(|e| {
            let at = self.unit.exprs[e].span;
            inside(at, &span)
                && matches!(self.unit.exprs[e].kind, ExprKind::Ident(_))
                && self.typed.symbol(e) == Some(self.var)
                && !self.subscripts.iter().any(|subscript| inside(at, subscript))
        })
    }

    /// Takes `root[row][rest]…` apart where it names one whole element.
    fn subscript(&self, e: ExprId) -> Option<Subscript> {
        let typed = self.typed;
        if matches!(typed.types.of(typed.ty(e)), Ty::Array(..)) {
            return None;
        }
        let mut indices = Vec::new();
        let mut at = e;
        while let ExprKind::Index(base, index) = self.unit.exprs[at].kind {
            if !typed.types.is_shared(typed.ty(at)) {
                return None;
            }
            let step = self.elements(typed.ty(at))?;
            indices.push((index, step));
            at = self.unit.bare(base);
            // What an element that is a pointer points to is not part of the array.
            if matches!(typed.types.of(typed.ty(at)), Ty::Pointer(_)) {
                break;
            }
        }
        let (row, step) = indices.pop()?;
        let (root, block) = self.root(at)?;
        indices.reverse();
        (root.row == step).then_some(Subscript { root, block, row, rest: indices })
    }

    /// A name that can serve as array, with its block size.
    fn root(&self, e: ExprId) -> Option<(Root, u64)> {
        let typed = self.typed;
        let sym = name(self.unit, typed, e)?;
        if self.effects.declared.contains(&sym) {
            return None;
        }
        let symbol = typed.sym(sym);
        let (elem, pointer) = match typed.types.of(symbol.ty) {
            Ty::Array(elem, _) => (*elem, false),
            Ty::Pointer(to)
                if !self.statics && self.effects.keeps(typed, sym) && !typed.types.is_shared(symbol.ty) =>
            {
                (*to, true)
            }
            _ => return None,
        };
        let block = match typed.types.object_quals(elem).shared? {
            Block::Size(block) => block,
            Block::Spread => self.unit_of_spread(elem)?,
            Block::Indefinite | Block::Star => return None,
        };
        if matches!(typed.types.of(self.ultimate(elem)), Ty::Void | Ty::Error) {
            return None;
        }
        let root = Root { sym, pointer, row: self.elements(elem)?, elem: self.ultimate(elem) };
        Some((root, block))
    }

    /// What is no array inside of an array, be it a block of a spread one.
    fn ultimate(&self, q: QTy) -> QTy {
        match self.typed.types.of(q) {
            Ty::Array(elem, _) => self.ultimate(*elem),
            _ => q,
        }
    }

    /// How many ultimate elements go round the processors together, in an array whose elements are `elem`.
    fn unit_of_spread(&self, mut elem: QTy) -> Option<u64> {
        while !self.typed.types.is_unit(elem) {
            let Ty::Array(inner, _) = self.typed.types.of(elem) else { return None };
            elem = *inner;
        }
        self.elements(elem)
    }

    /// How many ultimate elements a type has, if that is constant.
    fn elements(&self, q: QTy) -> Option<u64> {
        match self.typed.types.of(q) {
            Ty::Array(elem, Len::Const(n)) => self.elements(*elem)?.checked_mul(*n).filter(|&n| n > 0),
            Ty::Array(..) => None,
            _ => Some(1),
        }
    }
}

/// Elements of which a pointer-to-shared is made, by `&` or because a member that is an array decays: these need
/// their number, not the local pointer.
pub(crate) fn addressed(unit: &Unit, typed: &Typed) -> HashSet<ExprId> {
    let mut addressed = HashSet::new();
    for e in unit.exprs.ids() {
        let mut at = match unit.exprs[e].kind {
            ExprKind::Unary(UnOp::Addr, place) => unit.bare(place),
            ExprKind::Member { .. } if matches!(typed.types.of(typed.ty(e)), Ty::Array(..)) => e,
            _ => continue,
        };
        loop {
            addressed.insert(at);
            at = match unit.exprs[at].kind {
                ExprKind::Member { base, arrow: false, .. } | ExprKind::Index(base, _) => unit.bare(base),
                _ => break,
            };
        }
    }
    addressed
}

/// R, where the block is whole rows.
fn rows_of(root: &Root, block: u64) -> Option<u64> {
    (block > 0 && block.is_multiple_of(root.row)).then(|| block / root.row)
}
