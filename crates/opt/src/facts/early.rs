//! Rules for evaluating expressions early: before the program reaches them, or if it may never reach them.
//!
//! *The rule.* A value is dereferenced, divided by, called, used as a length or followed early in two cases
//! only: it is the value of the program's own evaluation, and the program reaches that evaluation; or the
//! operation cannot fault for any value.
//!
//! A value in a loop that is read ahead is *right* if the program reaches it in any case and the loop does
//! not write its operands: variables that keep their values, the loop's own variable, memory that no write of
//! the loop may be to ([`crate::facts::dependences`]). A value is a *guess* if the loop may write to one of
//! its operands: an earlier iteration that has yet to run may set it, and until then it is null, 0, or any
//! other value. The program may never evaluate an expression under a condition, or in a loop, that a guess
//! decides. So this expression must not fault either, even if its operands are right. Writes of other threads
//! do not make a guess: a relaxed read that is done early has a value that the program's own read may have,
//! and the value is held.
//!
//! Operations on guesses that are *without faults*:
//!
//! - Arithmetic of integers and pointers-to-shared: it is made to be defined for all operands ([`defined`]),
//!   and has C's value if C gives one. So a sum may overflow, a divisor may be 0.
//! - Reads of shared objects: an object is requested only if its owner has memory there and it is aligned
//!   (`mer_there` in `meridian/abi/early.h`). Otherwise the part that is read ahead ends before the
//!   iteration.
//! - Loops: they end when the buffers are full.
//! - Calls of functions that return for all arguments ([`crate::facts::functions::returns`]).
//!
//! Reads of private memory may fault, since no test tells whether memory is there, unless the same iteration
//! has accessed it in any case. Floating-point operations may trap if a program has enabled traps, except
//! comparisons, which are made quiet.
//!
//! *Which optimisation uses which half of the rule.*
//!
//! - Parts (`prefetch/parts.rs`): all values are right. Writes are noted, and each read is tested before its
//!   value is used.
//! - Stages (`prefetch/stages.rs`): values are right if writes are known in advance, and reads tested against
//!   them. Otherwise stages follow guesses, without faults.
//! - Rounds (`prefetch/rounds.rs`): as stages; all operands of operations that could fault are right.
//! - Bounds that are read once, and objects that are read once for a part: right, since the loop does not
//!   write them, and the program reaches them in any case.
//! - Sections and local rows: right values, but the program may not reach them, so [`cannot_fault`] must
//!   hold.
//! - Halos and directories: all values are right. Rows beyond an array are requested only if there is memory.
//! - Caching, versioning, induction: no expression of the program is evaluated early. The cache reads the
//!   neighbours of an object if there is memory.

use crate::ir::tree::{Access, Tree};
use crate::ir::walk::each_statement;
use c_sema::Typed;
use c_sema::types::{FloatKind, QTy, Ty};
use c_syntax::ast::*;
use c_syntax::visit::{Node as Any, each_expr, exists};

/// Whether an expression over variables that keep their values may be evaluated even if the program does not
/// reach it: it has no operation that is undefined for some operands, except sums and products, which C
/// compilers evaluate early themselves.
pub(crate) fn cannot_fault(unit: &Unit, typed: &Typed, e: ExprId) -> bool {
    !exists(unit, Any::Expr(e), |e| match unit.exprs[e].kind {
        ExprKind::Binary(BinOp::Div | BinOp::Rem, _, by) => !divides(unit, typed, by),
        ExprKind::Cast(_, a) => is_float(typed, typed.ty(a)) && !is_float(typed, typed.ty(e)),
        ExprKind::Call(..) | ExprKind::Unary(UnOp::Deref, _) | ExprKind::Member { arrow: true, .. } => true,
        _ => false,
    })
}

/// Whether any integer can be divided by `by`: it is neither 0 nor -1, by which the least integer cannot be
/// divided.
pub(crate) fn divides(unit: &Unit, typed: &Typed, by: ExprId) -> bool {
    match unit.exprs[unit.bare(by)].kind {
        ExprKind::Threads => true,
        _ => typed.constant(by).is_some_and(|by| by != 0 && by != -1),
    }
}

/// Whether a type is a floating-point type, complex and vector types included.
pub(crate) fn is_float(typed: &Typed, q: QTy) -> bool {
    !matches!(typed.types.of(q), Ty::Int(_) | Ty::Enum(_) | Ty::Pointer(_) | Ty::Array(..) | Ty::Function(_))
}

/// Whether an operator compares numbers of the types `float` and `double`, or one of these with a literal.
/// Such a comparison can be done without a trap for all operands.
pub fn compares_quietly(unit: &Unit, typed: &Typed, op: BinOp, a: ExprId, b: ExprId) -> bool {
    use BinOp::{Eq, Ge, Gt, Le, Lt, Ne};
    let real =
        |e: ExprId| matches!(typed.types.of(typed.ty(e)), Ty::Float(FloatKind::Float | FloatKind::Double));
    let known = |e: ExprId| real(e) || is_literal(unit, typed, e);
    matches!(op, Lt | Gt | Le | Ge | Eq | Ne) && (real(a) || real(b)) && known(a) && known(b)
}

fn is_literal(unit: &Unit, typed: &Typed, e: ExprId) -> bool {
    match unit.exprs[e].kind {
        ExprKind::Number | ExprKind::Char => true,
        ExprKind::Paren(a) | ExprKind::Unary(UnOp::Plus | UnOp::Minus, a) => is_literal(unit, typed, a),
        _ => typed.constant(e).is_some(),
    }
}

/// Whether a value can be compared with 0 without a trap.
pub(crate) fn decides(typed: &Typed, e: ExprId) -> bool {
    !is_float(typed, typed.ty(e))
}

/// Whether an expression is a floating-point operation that may trap.
pub(crate) fn may_trap(unit: &Unit, typed: &Typed, e: ExprId) -> bool {
    let float = |e: ExprId| is_float(typed, typed.ty(e)) && !is_literal(unit, typed, e);
    match unit.exprs[e].kind {
        ExprKind::Binary(op, a, b) if compares_quietly(unit, typed, op, a, b) => false,
        ExprKind::Binary(op, a, b) => op != BinOp::Comma && (float(a) || float(b)),
        ExprKind::Cond(c, ..) => !decides(typed, c),
        ExprKind::Unary(op, a) => !matches!(op, UnOp::Addr | UnOp::Deref) && float(a),
        ExprKind::Cast(_, a) => float(a) || float(e),
        ExprKind::Assign(_, a, b) => float(a) != float(b),
        ExprKind::Call(_, ref args) => float(e) || args.iter().any(|&a| float(a)),
        _ => false,
    }
}

/// Makes the arithmetic of an expression defined for all operands. The expression is a copy that is rendered
/// nowhere else.
pub(crate) fn defined(tree: &mut Tree, e: ExprId) -> ExprId {
    mark(tree, Any::Expr(e));
    e
}

/// Makes the arithmetic of a statement defined for all operands, as [`defined`] does.
pub(crate) fn defined_in(tree: &mut Tree, s: StmtId) {
    mark(tree, Any::Stmt(s));
}

fn mark(tree: &mut Tree, of: Any) {
    if let Any::Stmt(s) = of {
        let mut inside = Vec::new();
        each_statement(tree, s, &mut |inner| inside.extend((inner != s).then_some(inner)));
        inside.into_iter().for_each(|s| mark_own(tree, Any::Stmt(s)));
    }
    mark_own(tree, of);
}

fn mark_own(tree: &mut Tree, of: Any) {
    let mut all = Vec::new();
    each_expr(&tree.unit, of, |e| {
        all.push(e);
        true
    });
    let mut computed = Vec::new();
    for &e in &all {
        if let Some(Access::Element { index, inside, .. }) = tree.access(e) {
            let terms = inside.iter().chain([index]);
            terms.for_each(|term| term.each_expr(&mut |e| computed.push(e)));
        }
    }
    tree.early.extend(all);
    computed.into_iter().for_each(|e| mark(tree, Any::Expr(e)));
}
