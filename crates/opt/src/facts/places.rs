//! Locations of shared objects, as far as their expressions determine them.

use crate::ir::tree::{Access, Primitive, Term, Tree};
use c_sema::types::{Block, QTy, Ty, Types};
use c_syntax::Language;
use c_syntax::ast::*;
use c_syntax::visit::{Node, each_expr};
use std::collections::HashSet;

/// The type that a pointer value, or an array that becomes one, points to.
pub fn points_to(tree: &Tree, e: ExprId) -> Option<QTy> {
    let types = &tree.typed.types;
    let q = tree.typed.ty(e);
    match types.of(q) {
        Ty::Pointer(to) => Some(*to),
        Ty::Array(elem, _) => {
            let stripped = types.strip(q);
            Some(QTy { ty: elem.ty, quals: elem.quals.union(stripped.quals) })
        }
        _ => None,
    }
}

/// Whether objects of this type are elements, which pointers step over, rather than rows of elements.
pub(crate) fn is_element(types: &Types, q: QTy) -> bool {
    !matches!(types.of(q), Ty::Array(..) | Ty::Void | Ty::Error | Ty::Function(_))
}

/// Whether objects of this type are elements of a known size.
pub(crate) fn is_sized_element(types: &Types, q: QTy) -> bool {
    is_element(types, q) && types.size_of(q).is_some()
}

/// The longest record that is read in advance or kept, in bytes: for a longer one the wait costs less than
/// the transfer of its bytes.
const LONGEST: u64 = 256;

/// Whether objects of this type can be read in advance and kept, because a copy serves as well as the object.
/// This holds for scalars, and for records of at most `LONGEST` bytes whose members may be assigned and may
/// be read at any time.
pub(crate) fn may_be_copied(types: &Types, q: QTy) -> bool {
    types.is_scalar(q) || (is_plain(types, q) && types.size_of(q).is_some_and(|n| (1..=LONGEST).contains(&n)))
}

/// Whether a type is a record without const, volatile or atomic members.
fn is_plain(types: &Types, q: QTy) -> bool {
    types.as_record(q).is_some_and(|record| {
        types.record(record).fields.iter().all(|field| {
            let quals = types.object_quals(field.ty);
            let element = types.element(field.ty);
            let plain = !(quals.is_const || quals.is_volatile || quals.is_atomic);
            plain && (types.as_record(element).is_none() || is_plain(types, element))
        })
    })
}

/// The objects in a statement that are named but not read: targets of assignments and updates, and objects of
/// which a member is named.
pub(crate) fn not_read(unit: &Unit, s: StmtId) -> HashSet<ExprId> {
    let mut found = HashSet::new();
    each_expr(unit, Node::Stmt(s), |e| {
        if let ExprKind::Assign(_, object, _)
        | ExprKind::Pre(_, object)
        | ExprKind::Post(_, object)
        | ExprKind::Member { base: object, arrow: false, .. } = unit.exprs[e].kind
        {
            found.insert(unit.bare(object));
        }
        true
    });
    found
}

/// The maximum number of iterations that are read ahead at a time (prefetch.h).
pub const DEPTH: Primitive = Primitive::PrefetchDepth;
/// The maximum number of iterations if one reads a large object.
const FEW: Primitive = Primitive::PrefetchFew;

/// The number of iterations for which a buffer holds objects of this type.
pub fn depth_for(types: &Types, q: QTy) -> Primitive {
    if types.size_of(q).is_none_or(|size| size > 16) { FEW } else { DEPTH }
}

/// The number of iterations for which all buffers hold objects, with one buffer for each of `objects`.
pub(crate) fn depth_of_all(tree: &Tree, mut objects: impl Iterator<Item = ExprId>) -> Primitive {
    let few = |&e: &ExprId| depth_for(&tree.typed.types, tree.typed.ty(e)) != DEPTH;
    if objects.any(|e| few(&e)) { FEW } else { DEPTH }
}

/// `pointer + n`, of a pointer to elements, private or shared, whose layout is known (no `*`, no spread).
pub(crate) fn stepped(types: &Types, to: QTy, pointer: Term, n: Term) -> Term {
    let size = Term::Size(to);
    match types.object_quals(to).shared {
        None => Term::bin("+", pointer, n),
        Some(Block::Indefinite) => Term::call(Primitive::AddIndefinite, [pointer, n, size]),
        Some(Block::Size(1)) => Term::call(Primitive::AddCyclic, [pointer, n, size]),
        Some(Block::Size(block)) => {
            Term::call(Primitive::AddBlocked, [pointer, n, size, Term::Num(block as i64)])
        }
        Some(Block::Star | Block::Spread) => unreachable!("pointers of other layouts are left alone"),
    }
}

/// The array, pointer or vector of a subscript, and the index: an array or a pointer may also stand in the
/// brackets (C17 6.5.2.1).
pub fn subscripted(tree: &Tree, a: ExprId, b: ExprId) -> (ExprId, ExprId) {
    if points_to(tree, b).is_some() { (b, a) } else { (a, b) }
}

/// Whether `e` is a part of a union: a member of one, or a part of such a member. Its bytes may have been
/// written as an object of another type (C 6.5p7, 6.5.2.3).
pub fn is_part_of_union(tree: &Tree, e: ExprId) -> bool {
    match tree.unit.exprs[e].kind {
        ExprKind::Paren(inner) | ExprKind::Extension(inner) => is_part_of_union(tree, inner),
        ExprKind::Member { base, arrow, .. } => {
            let object = if arrow { points_to(tree, base) } else { Some(tree.typed.ty(base)) };
            object.is_some_and(|q| has_union(&tree.typed.types, q))
                || (!arrow && is_part_of_union(tree, base))
        }
        ExprKind::Index(a, b) => is_part_of_union(tree, subscripted(tree, a, b).0),
        _ => false,
    }
}

/// Whether a member name of this type may belong to a union: the type itself, or an unnamed union in it.
fn has_union(types: &Types, q: QTy) -> bool {
    let Some(record) = types.as_record(q).map(|id| types.record(id)) else { return false };
    record.kind == RecordKind::Union
        || record.fields.iter().any(|field| field.name.is_none() && has_union(types, field.ty))
}

/// Whether the shared object `e` is a part of one that an earlier optimisation has found to be on this host.
pub(crate) fn is_part_of_own(tree: &Tree, e: ExprId) -> bool {
    is_part_of(tree, e, &|access| matches!(access, Access::Element { .. } | Access::Own))
}

/// Whether `is` holds for the access of the shared object `e`, or of the innermost object around it that has
/// one.
pub(crate) fn is_part_of(tree: &Tree, e: ExprId, is: &dyn Fn(&Access) -> bool) -> bool {
    if let Some(access) = tree.access(e) {
        return is(access);
    }
    match tree.unit.exprs[e].kind {
        ExprKind::Paren(inner) | ExprKind::Extension(inner) => is_part_of(tree, inner, is),
        ExprKind::Member { base, arrow: false, .. } => is_part_of(tree, base, is),
        ExprKind::Index(a, b) => {
            let (base, _) = subscripted(tree, a, b);
            matches!(tree.typed.types.of(tree.typed.ty(base)), Ty::Array(..)) && is_part_of(tree, base, is)
        }
        _ => false,
    }
}

/// Whether the shared object `e` is reached through a pointer of Split-C or AC, which may lead outside of the
/// views. A bit-field has no address of its own, and is accessed as if it lay in the views. This thread's
/// elements are accessed so too.
pub fn is_through_pointer(tree: &Tree, e: ExprId) -> bool {
    tree.typed.types.language.everything()
        && tree.typed.types.is_shared(tree.typed.ty(e))
        && !is_bit_field(tree, e)
        && through_pointer(tree, e)
}

/// Whether a write of the shared object `e`, if it is remote, is a message of its own that the writer waits
/// for. This holds for all writes in Split-C, and for writes through pointers in AC. The other writes are
/// relaxed: the next fence waits for them. Bit-fields are excluded: their owner changes them in every
/// language.
pub fn is_written_at_once(tree: &Tree, e: ExprId) -> bool {
    let by_name = tree.typed.types.language == Language::SplitC
        && tree.typed.types.is_shared(tree.typed.ty(e))
        && !is_bit_field(tree, e)
        && !is_part_of_own(tree, e);
    by_name || is_through_pointer(tree, e)
}

fn through_pointer(tree: &Tree, e: ExprId) -> bool {
    if matches!(tree.access(e), Some(Access::Element { .. })) {
        return false;
    }
    let array = |e: ExprId| matches!(tree.typed.types.of(tree.typed.ty(e)), Ty::Array(..));
    match tree.unit.exprs[e].kind {
        ExprKind::Ident(_) => false,
        ExprKind::Paren(a) | ExprKind::Extension(a) => through_pointer(tree, a),
        ExprKind::Member { base, arrow, .. } => arrow || through_pointer(tree, base),
        ExprKind::Index(a, b) => {
            let (base, _) = subscripted(tree, a, b);
            !array(base) || through_pointer(tree, base)
        }
        ExprKind::Unary(UnOp::Deref, p) => !array(p) || through_pointer(tree, p),
        _ => true,
    }
}

/// Whether `e` is a bit-field.
pub fn is_bit_field(tree: &Tree, e: ExprId) -> bool {
    let types = &tree.typed.types;
    match &tree.unit.exprs[e].kind {
        ExprKind::Paren(a) | ExprKind::Extension(a) => is_bit_field(tree, *a),
        ExprKind::Member { base, arrow, name } => {
            let object = if *arrow { points_to(tree, *base) } else { Some(tree.typed.ty(*base)) };
            let member = object.and_then(|q| types.as_record(q)).and_then(|r| types.member(r, &name.text));
            member.is_some_and(|m| m.width.is_some())
        }
        _ => false,
    }
}

/// Whether `f` names a library function whose inline code tests where memory is.
pub(crate) fn memory_function(tree: &Tree, f: ExprId) -> bool {
    let row = tree.typed.library(tree.unit.bare(f));
    row.and_then(|row| row.inline.as_ref()).is_some_and(|inline| inline.local.is_some())
}

impl Tree {
    /// Rewrites `p->m` as `(*p).m`, and returns the new `*p`.
    pub(crate) fn spell_out(&mut self, member: ExprId) -> Option<ExprId> {
        let ExprKind::Member { base: p, arrow: true, .. } = self.unit.exprs[member].kind else { return None };
        let to = points_to(self, p)?;
        let object = self.add_like(p, ExprKind::Unary(UnOp::Deref, p), to);
        if let ExprKind::Member { base, arrow, .. } = &mut self.unit.exprs[member].kind {
            (*base, *arrow) = (object, false);
        }
        Some(object)
    }
}
