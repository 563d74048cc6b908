//! Dependences between a loop's own writes and the reads that are done in advance of its iterations.
//!
//! A loop that writes through a pointer may write to an object that a later iteration reads, or to one from
//! which the address of that object is computed. Often it does not: `tgt[i] = table[index[i]]` with three
//! arrays. The compiler cannot tell, but the loop can at run time: if it reads iterations in advance, it
//! computes their addresses in order, notes where they write (`struct mer_extent`), and ends the part before
//! the first iteration that reads there. A loop that marks the visited nodes of a graph runs up to the first
//! node that it visits again.
//!
//! *Why this is enough.* Let the part be iterations 0 … n-1, and suppose that the first k compute the
//! addresses that were computed in advance, because their inputs had the same values. Their writes are then
//! inside the noted extent. Iteration k, if it is in the part, has no input and no read in advance inside
//! this extent. So its addresses are the same too, and its reads have the values that they had in advance, as
//! far as this thread is concerned. A relaxed read may or may not see the writes of other threads. Within an
//! iteration, reads and writes are noted and tested in the order of the text, which is that of execution:
//! expressions that are always evaluated stand outside of inner loops. If a part is read in advance while the
//! previous one is still to run, the two together are the part of this argument: the writes of both are
//! tested. A write does not conflict with later reads, since it is not done in advance, nor do two writes
//! with each other.
//!
//! Pairs that cannot be one object are not tested:
//!
//! - Objects of different types that C lets no access mix up (6.5p7). Objects of one byte, and parts of
//!   unions, may alias all.
//! - Objects of different names.
//! - Private objects that have a name, and shared ones.
//! - Remote objects, and targets of private pointers, which are on this host.
//! - Rows `i` and `k` of an array, in a loop that starts beyond a variable and moves away from it
//!   (`for (i = k + 1; ...; i++)`), since subscripts stay in their rows (6.5.6).
//!
//! For accesses that cannot be tested one by one, the program can test at the start of the loop whether two
//! pointers lead to one object ([`Dependences::assume_distinct`]).

use crate::facts::affine::offset_from;
use crate::facts::atomics;
use crate::facts::body::Body;
use crate::facts::places::is_part_of_union;
use crate::facts::roots;
use crate::facts::shapes::Stride;
use crate::facts::strictness::keeps_time;
use crate::ir::reason::Reason;
use crate::ir::tree::Primitive;
use c_sema::Typed;
use c_sema::typed::{SymId, SymKind};
use c_sema::types::{QTy, Ty};
use c_syntax::ast::*;
use c_syntax::visit::{Node as Any, each_expr};
use std::cell::RefCell;
use std::collections::HashSet;

/// In all iterations `var` is `than + by` or farther from `than`, which keeps its value: upwards if by > 0,
/// else downwards.
#[derive(Clone, Copy)]
struct Apart {
    var: SymId,
    than: SymId,
    by: i64,
}

/// The writes of a loop's body.
pub(crate) struct Dependences<'a> {
    body: &'a Body<'a>,
    /// The objects, without parentheses around them, of assignments in the body that more than a name
    /// reaches, and of atomic operations.
    pub(crate) writes: Vec<ExprId>,
    /// The distance of the loop's own variable from another one, if it is known.
    apart: Option<Apart>,
    /// Objects that are read by their owners, which need not be read here ([`crate::updates::extremum`]).
    pub(crate) by_owner: HashSet<ExprId>,
    /// Pairs of pointers and arrays that are assumed to lead to different objects; `None` if nothing is
    /// assumed.
    assumed: RefCell<Option<Vec<[SymId; 2]>>>,
}

impl<'a> Dependences<'a> {
    /// Finds the writes of a body. Returns a reason if the body has accesses that must not be moved.
    pub(crate) fn new(body: &'a Body<'a>) -> Result<Dependences<'a>, Reason> {
        let (unit, typed) = (body.unit, body.typed);
        let extrema = crate::facts::extrema::objects(unit, typed, body.stmt);
        let mut writes = Vec::new();
        let mut stays = Ok(());
        each_expr(unit, Any::Stmt(body.stmt), |e| {
            if let Err(why) = moves(unit, typed, e) {
                stays = Err(why);
            }
            if let ExprKind::Assign(_, target, _) | ExprKind::Pre(_, target) | ExprKind::Post(_, target) =
                unit.exprs[e].kind
                && !by_name_alone(body, target)
            {
                // The compared object is evaluated in any case; the assignment may be skipped.
                let target = unit.bare(target);
                let place = extrema.get(&target).copied().unwrap_or(target);
                writes.push(place);
            }
            writes.extend(atomics::object_of(body.tree, e));
            true
        });
        let by_owner = extrema.into_values().collect();
        stays.map(|()| Dependences { body, writes, apart: None, by_owner, assumed: RefCell::default() })
    }

    /// Finds the writes of the body of the loop `s`. The head of `s`, as the program has it, gives the
    /// distance of the loop's variable.
    pub(crate) fn of_loop(body: &'a Body<'a>, s: StmtId) -> Result<Dependences<'a>, Reason> {
        Ok(Dependences { apart: apart(body, s), ..Dependences::new(body)? })
    }

    /// Whether a write may be to the object `e`.
    pub(crate) fn may_write(&self, e: ExprId) -> bool {
        self.writes.iter().any(|&write| self.may_be(e, write))
    }

    /// Whether `write` may be to the object `e`, if `e` is remote.
    pub(crate) fn may_write_remote(&self, write: ExprId, e: ExprId) -> bool {
        self.is_shared(write) && self.may_be(e, write)
    }

    /// Starts or ends the assumption that shared objects reached by different pointers are different. Returns
    /// the pairs of pointers and arrays for which it was used: the program must test these pairs before it
    /// relies on them ([`Primitive::Distinct`]).
    pub(crate) fn assume_distinct(&self, assume: bool) -> Vec<[SymId; 2]> {
        self.assumed.replace(assume.then(Vec::new)).unwrap_or_default()
    }

    /// Whether more pointers and arrays are assumed distinct than one [`Primitive::Distinct`] can test.
    pub(crate) fn assumes_too_much(&self) -> bool {
        let assumed = self.assumed.borrow();
        let roots: HashSet<&SymId> = assumed.iter().flatten().flatten().collect();
        roots.len() > Primitive::MOST_DISTINCT
    }

    /// Whether an object that is written may be the object `e`, or a part of it.
    pub(crate) fn may_be(&self, e: ExprId, written: ExprId) -> bool {
        self.may_overlap(e, written) && !self.is_assumed_distinct(e, written)
    }

    /// Whether the two are assumed to be different. If so, notes their pair.
    fn is_assumed_distinct(&self, e: ExprId, written: ExprId) -> bool {
        let mut assumed = self.assumed.borrow_mut();
        let Some(pairs) = assumed.as_mut() else { return false };
        let (Some(a), Some(b)) = (roots::of(self.body, e), roots::of(self.body, written)) else {
            return false;
        };
        let shared = self.is_shared(e) || self.is_shared(written);
        let pair = [a.min(b), a.max(b)];
        let apart = a != b && shared && self.is_kept(a) && self.is_kept(b);
        if apart && !pairs.contains(&pair) {
            pairs.push(pair);
        }
        apart
    }

    /// Whether no write of the loop may change a pointer or array: only a pointer that other files can name
    /// may be changed by a write through another pointer.
    fn is_kept(&self, sym: SymId) -> bool {
        let typed = self.body.typed;
        let symbol = typed.sym(sym);
        let external = matches!(symbol.kind, SymKind::Static { external: true, .. });
        let array = matches!(typed.types.of(symbol.ty), Ty::Array(..));
        !external || array || self.writes.iter().all(|&write| self.differ(symbol.ty, typed.ty(write)))
    }

    fn may_overlap(&self, e: ExprId, written: ExprId) -> bool {
        let (tree, typed) = (self.body.tree, self.body.typed);
        let union = is_part_of_union(tree, e) || is_part_of_union(tree, written);
        if !union && self.differ(typed.ty(e), typed.ty(written)) {
            return false;
        }
        match (self.named(e), self.named(written)) {
            (Some(a), Some(b)) => a == b && !self.are_apart(e, written),
            // A pointer to private objects leads to shared ones too, but not the other way round.
            (Some(_), None) => self.is_shared(e) || !self.is_shared(written),
            (None, Some(_)) => self.is_shared(written) || !self.is_shared(e),
            (None, None) => true,
        }
    }

    /// Whether two parts of an array are in different rows of it.
    fn are_apart(&self, e: ExprId, written: ExprId) -> bool {
        let Some(Apart { var, than, by }) = self.apart else { return false };
        let offset = |e: ExprId, from| offset_from(self.body.unit, self.body.typed, self.row(e)?, from);
        let (Some(read), Some(write)) = (offset(e, than), offset(written, var)) else { return false };
        if by > 0 { by + write > read } else { by + write < read }
    }

    /// The first subscript of an array that is named.
    fn row(&self, e: ExprId) -> Option<ExprId> {
        match self.body.unit.exprs[e].kind {
            ExprKind::Paren(a) | ExprKind::Extension(a) => self.row(a),
            ExprKind::Member { base, arrow: false, .. } => self.row(base),
            ExprKind::Index(a, index) if self.body.is_array(a) => {
                let first = self.body.name(a).is_some();
                if first { Some(index) } else { self.row(a) }
            }
            _ => None,
        }
    }

    fn is_shared(&self, e: ExprId) -> bool {
        self.body.typed.types.is_shared(self.body.typed.ty(e))
    }

    /// Whether an assignment to an object of the one type leaves those of the other as they are (C 6.5p7).
    fn differ(&self, a: QTy, b: QTy) -> bool {
        let types = &self.body.typed.types;
        let kind = |q: QTy| match types.of(q) {
            Ty::Int(_) | Ty::Enum(_) => Some(0),
            Ty::Float(_) => Some(1),
            Ty::Pointer(_) => Some(2),
            _ => None,
        };
        let (Some(ka), Some(kb)) = (kind(a), kind(b)) else { return false };
        let (sa, sb) = (types.size_of(a), types.size_of(b));
        sa != Some(1) && sb != Some(1) && (ka != kb || sa != sb)
    }

    /// The object that `e` is, or is a part of, if it is named.
    fn named(&self, e: ExprId) -> Option<SymId> {
        let (unit, typed) = (self.body.unit, self.body.typed);
        match unit.exprs[e].kind {
            ExprKind::Ident(_) => typed.symbol(e).filter(|&sym| {
                matches!(typed.sym(sym).kind, SymKind::Static { .. } | SymKind::Auto | SymKind::Param)
            }),
            ExprKind::Paren(a) | ExprKind::Extension(a) => self.named(a),
            ExprKind::Member { base, arrow: false, .. } => self.named(base),
            ExprKind::Index(a, _) if self.body.is_array(a) => self.named(a),
            _ => None,
        }
    }
}

/// Finds a variable that the loop's variable starts beyond and moves away from, if only the loop's step
/// changes it.
fn apart(body: &Body, s: StmtId) -> Option<Apart> {
    let (unit, typed) = (body.unit, body.typed);
    let shape = body.tree.shape(s)?;
    let (first, step) = (shape.first?, shape.step?);
    let up = match step.by {
        Stride::Up => true,
        Stride::Down => false,
        Stride::By(_) => return None,
    };
    let mut than = None;
    each_expr(unit, Any::Expr(first.value), |e| {
        than = than.or_else(|| body.name(e).filter(|&sym| body.leaves(sym)));
        than.is_none()
    });
    let than = than?;
    let by = offset_from(unit, typed, first.value, than)?;
    let away = if up { by > 0 } else { by < 0 };
    let own = first.var == step.var && body.leaves(step.var) && than != step.var;
    (own && away).then_some(Apart { var: step.var, than, by })
}

/// Whether an object is assigned by its name, and only this name reaches it.
fn by_name_alone(body: &Body, target: ExprId) -> bool {
    let hidden = |sym: SymId| {
        let symbol = body.typed.sym(sym);
        !symbol.address_taken && !matches!(symbol.kind, SymKind::Static { external: true, .. })
    };
    !body.typed.types.is_shared(body.typed.ty(target)) && body.name(target).is_some_and(hidden)
}

/// Checks that an access may be done before others. Returns the reason if not.
pub(crate) fn moves(unit: &Unit, typed: &Typed, e: ExprId) -> Result<(), Reason> {
    let split = matches!(unit.exprs[e].kind, ExprKind::Split(..)).then_some(Reason::SplitPhase);
    keeps_time(unit, typed, e).or(split).map_or(Ok(()), Err)
}
