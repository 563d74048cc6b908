//! Constant expressions (C17 6.6): folded bottom-up, as each expression gets its type.
//!
//! The integer constants are a table of the result; other constants are in the [`Context`]. This module also
//! says of an expression that is not constant which of its operands varies.

pub(crate) mod literal;

use crate::context::Context;
use crate::library;
use crate::typed::SymKind;
use crate::types::{FloatKind, IntKind, Len, QTy, Ty};
use base::{Code, Diagnostic, Span};
use c_syntax::ast::{BinOp, ExprId, ExprKind, UnOp};
use c_syntax::dialect::Words;
use c_syntax::visit::{self, Node};
use literal::Number;

/// Notes the value of an expression of real floating type, rounded to it.
fn set_float(cx: &mut Context, e: ExprId, ty: QTy, value: f64) {
    if let Some(value) = rounded(cx, ty, value) {
        cx.values.set_float(e, value);
    }
}

/// A value in a real floating type. For types wider than double, only whole numbers that a double holds
/// exactly.
fn rounded(cx: &Context, ty: QTy, value: f64) -> Option<f64> {
    let Ty::Float(kind) = *cx.out.types.of(ty) else { return None };
    match kind {
        FloatKind::Float | FloatKind::N(32, false) => Some(f64::from(value as f32)),
        FloatKind::Double | FloatKind::N(64, false) | FloatKind::N(32, true) => Some(value),
        _ => Some(value).filter(|v| v.fract() == 0.0 && v.abs() < (1u64 << f64::MANTISSA_DIGITS) as f64),
    }
}

/// Folds an expression whose operands are folded and whose type is `ty`.
pub(crate) fn fold(cx: &mut Context, e: ExprId, ty: QTy) {
    let unit = cx.unit;
    match &unit.exprs[e].kind {
        ExprKind::Number => fold_number(cx, e, ty),
        ExprKind::Char => {
            if let Some((v, _)) = literal::character(cx.text(unit.exprs[e].span), cx.env.char_signed) {
                cx.set_value(e, ty, v);
            }
        }
        ExprKind::Ident(_) => {
            let sym = cx.out.symbol.get(e).map(|&s| cx.out.sym(s).kind);
            if let Some(SymKind::Enumerator(v)) = sym {
                cx.out.constant.insert(e, v);
            }
        }
        &ExprKind::Paren(x) | &ExprKind::Extension(x) => copy_value(cx, e, x, ty),
        &ExprKind::Unary(op, x) => fold_unary(cx, e, op, x, ty),
        &ExprKind::Binary(op, a, b) => fold_binary(cx, e, op, a, b, ty),
        &ExprKind::Cond(c, a, b) => {
            if let Some(v) = cx.truth(c) {
                copy_value(cx, e, if v { a.unwrap_or(c) } else { b }, ty);
            }
        }
        &ExprKind::Cast(_, x) => fold_cast(cx, e, x, ty),
        ExprKind::Threads => {
            if let Some(n) = cx.env.static_threads {
                cx.set_value(e, ty, i128::from(n));
            }
        }
        _ => {}
    }
}

fn fold_number(cx: &mut Context, e: ExprId, ty: QTy) {
    match literal::number(cx.text(cx.unit.exprs[e].span)) {
        Some(Number::Int(v, _)) => cx.set_value(e, ty, v),
        Some(Number::Float(v, _)) => set_float(cx, e, ty, v),
        _ => {}
    }
}

/// Gives an expression the value of another, which stands for it.
pub(crate) fn copy_constant(cx: &mut Context, e: ExprId, from: ExprId) {
    if let Some(v) = cx.value(from) {
        cx.out.constant.insert(e, v);
    }
    if let Some(v) = cx.values.float(from) {
        cx.values.set_float(e, v);
    }
}

fn copy_value(cx: &mut Context, e: ExprId, from: ExprId, ty: QTy) {
    if let Some(v) = cx.value(from) {
        if cx.out.types.is_integer(ty) {
            cx.set_value(e, ty, v);
        } else {
            set_float(cx, e, ty, v as f64);
        }
    }
    if let Some(v) = cx.values.float(from) {
        set_float(cx, e, ty, v);
    }
    if let Some(v) = cx.values.address(from) {
        cx.values.set_address(e, v);
    }
}

fn fold_unary(cx: &mut Context, e: ExprId, op: UnOp, x: ExprId, ty: QTy) {
    if let (UnOp::Not, Some(v)) = (op, cx.truth(x)) {
        return cx.set_value(e, ty, i128::from(!v));
    }
    if op == UnOp::Addr {
        if let Some(a) = address(cx, x) {
            cx.values.set_address(e, a);
        }
        return;
    }
    if let Some(v) = cx.value(x) {
        match op {
            UnOp::Plus => cx.set_value(e, ty, v),
            UnOp::Minus => cx.set_value(e, ty, v.wrapping_neg()),
            UnOp::BitNot => cx.set_value(e, ty, !v),
            _ => {}
        }
    } else if let Some(v) = cx.values.float(x) {
        match op {
            UnOp::Plus => set_float(cx, e, ty, v),
            UnOp::Minus => set_float(cx, e, ty, -v),
            _ => {}
        }
    }
}

fn fold_binary(cx: &mut Context, e: ExprId, op: BinOp, a: ExprId, b: ExprId, ty: QTy) {
    match (op, cx.truth(a)) {
        (BinOp::And, Some(false)) => return cx.set_value(e, ty, 0),
        (BinOp::Or, Some(true)) => return cx.set_value(e, ty, 1),
        (BinOp::And | BinOp::Or, Some(_)) => {
            if let Some(v) = cx.truth(b) {
                cx.set_value(e, ty, i128::from(v));
            }
            return;
        }
        _ => {}
    }
    let ints = cx.value(a).zip(cx.value(b));
    let places = cx.values.address(a).zip(cx.values.address(b));
    if let Some((x, y)) = ints {
        // Operands are converted to the common type first: -1 < 0u is false.
        let common = match op {
            BinOp::Shl | BinOp::Shr => {
                let ty = cx.out.ty(a);
                cx.out.types.promoted(ty)
            }
            _ => cx.common(a, b),
        };
        let Some(kind) = cx.out.types.int_kind(common) else { return };
        let signed = cx.env.char_signed;
        let y = if matches!(op, BinOp::Shl | BinOp::Shr) { y } else { kind.wrap(y, signed) };
        if let Some(v) = arithmetic(op, kind.wrap(x, signed), y) {
            cx.set_value(e, ty, v);
        }
    } else if let Some((x, y)) = places {
        fold_addresses(cx, e, op, (a, x), (b, y), ty);
    } else {
        fold_floats(cx, e, op, a, b, ty);
    }
}

fn fold_addresses(cx: &mut Context, e: ExprId, op: BinOp, a: (ExprId, i128), b: (ExprId, i128), ty: QTy) {
    if op != BinOp::Sub {
        if let (Some(v), true) = (arithmetic(op, a.1, b.1), cx.out.types.is_integer(ty)) {
            cx.set_value(e, ty, v);
        }
        return;
    }
    let pointee = cx.out.types.pointee(cx.out.ty(a.0));
    let size = pointee.and_then(|to| cx.out.types.size_of(to)).unwrap_or(0);
    if size > 0 {
        cx.set_value(e, ty, (a.1 - b.1) / i128::from(size));
    }
}

fn fold_floats(cx: &mut Context, e: ExprId, op: BinOp, a: ExprId, b: ExprId, ty: QTy) {
    let number = |c: &Context, x: ExprId| c.values.float(x).or(c.value(x).map(|v| v as f64));
    let (Some(x), Some(y)) = (number(cx, a), number(cx, b)) else { return };
    let common = cx.common(a, b);
    let (Some(x), Some(y)) = (rounded(cx, common, x), rounded(cx, common, y)) else { return };
    let truth = match op {
        BinOp::Lt => x < y,
        BinOp::Gt => x > y,
        BinOp::Le => x <= y,
        BinOp::Ge => x >= y,
        BinOp::Eq => x == y,
        BinOp::Ne => x != y,
        _ => {
            let v = match op {
                BinOp::Add => x + y,
                BinOp::Sub => x - y,
                BinOp::Mul => x * y,
                BinOp::Div => x / y,
                _ => return,
            };
            return set_float(cx, e, ty, v);
        }
    };
    cx.set_value(e, ty, i128::from(truth));
}

fn fold_cast(cx: &mut Context, e: ExprId, x: ExprId, ty: QTy) {
    let from = cx.out.ty(x);
    if cx.out.types.is_integer(ty) {
        let value = cx.value(x).or_else(|| cx.values.float(x).and_then(|v| whole(cx, v, ty)));
        let value = value.or_else(|| cx.values.address(x));
        let value = value.or_else(|| if cx.out.types.is_array(from) { address(cx, x) } else { None });
        if let Some(v) = value {
            cx.set_value(e, ty, v);
        }
    } else if let Some(to) = cx.out.types.pointee(ty) {
        if cx.out.types.is_shared(to) {
            return;
        }
        let value = cx.value(x).or_else(|| cx.values.address(x));
        let value = value.or_else(|| if cx.out.types.is_array(from) { address(cx, x) } else { None });
        if let Some(v) = value {
            cx.values.set_address(e, v);
        }
    } else if let Some(v) = cx.value(x).map(|v| v as f64).or(cx.values.float(x)) {
        set_float(cx, e, ty, v);
    }
}

/// The whole part of a floating constant, if an integer type holds it (C17 6.3.1.4: else undefined).
fn whole(cx: &Context, v: f64, ty: QTy) -> Option<i128> {
    let kind = cx.out.types.int_kind(ty)?;
    let whole = v as i128;
    let holds = v.is_finite() && (kind == IntKind::Bool || kind.wrap(whole, cx.env.char_signed) == whole);
    holds.then(|| if kind == IntKind::Bool { i128::from(v != 0.0) } else { whole })
}

/// The constant address of an lvalue that is reached from an integer cast to a pointer.
pub(crate) fn address(cx: &Context, e: ExprId) -> Option<i128> {
    match &cx.unit.exprs[e].kind {
        &ExprKind::Paren(x) | &ExprKind::Extension(x) => address(cx, x),
        &ExprKind::Unary(UnOp::Deref, x) => cx.values.address(x),
        ExprKind::Member { base, arrow, name } => {
            let from = if *arrow { cx.values.address(*base) } else { address(cx, *base) }?;
            let ty = cx.out.ty(*base);
            let ty = if *arrow { cx.out.types.pointee(ty)? } else { ty };
            let member = cx.out.types.member(cx.out.types.as_record(ty)?, &name.text)?;
            Some(from + i128::from(member.offset?))
        }
        &ExprKind::Index(a, i) => {
            let array = cx.out.ty(a);
            let from = cx.values.address(a).or_else(|| address(cx, a))?;
            let elem = cx.out.types.pointee(array).or(cx.out.types.as_array(array).map(|(t, _)| t))?;
            Some(from + cx.value(i)? * i128::from(cx.out.types.size_of(elem)?))
        }
        _ => None,
    }
}

/// Whether an expression of this type is a pointer-to-shared or a shared array.
fn leads_to_place(cx: &Context, ty: QTy) -> bool {
    let types = &cx.out.types;
    types.shared_pointee(ty).is_some() || (types.is_array(ty) && types.is_shared(ty))
}

/// An operand of an expression, or itself, that makes it vary for certain: an object's value, a call of a
/// function of the program, an assignment, MYTHREAD, THREADS or a size that depends on it. `None` does
/// not promise that the expression is constant.
pub(crate) fn varies(cx: &Context, e: ExprId) -> Option<ExprId> {
    if cx.value(e).is_some() {
        return None;
    }
    let unit = cx.unit;
    match &unit.exprs[e].kind {
        ExprKind::Ident(_) => {
            let sym = cx.out.sym(*cx.out.symbol.get(e)?);
            let is_object = matches!(sym.kind, SymKind::Auto | SymKind::Param | SymKind::Static { .. });
            (is_object && cx.out.types.is_scalar(sym.ty)).then_some(e)
        }
        // The address of a shared object in this process is known only at start.
        &ExprKind::Cast(_, x)
            if leads_to_place(cx, cx.out.ty(x)) && cx.out.types.shared_pointee(cx.out.ty(e)).is_none() =>
        {
            Some(e)
        }
        &ExprKind::Paren(x)
        | &ExprKind::Extension(x)
        | &ExprKind::Unary(UnOp::Plus | UnOp::Minus | UnOp::BitNot | UnOp::Not, x)
        | &ExprKind::Cast(_, x) => varies(cx, x),
        &ExprKind::Binary(BinOp::Mul, a, b) if cx.value(a) == Some(0) || cx.value(b) == Some(0) => None,
        &ExprKind::Binary(BinOp::Sub, a, _)
            if cx.out.types.is_pointer(cx.out.ty(a))
                && cx.out.types.shared_pointee(cx.out.ty(a)).is_none() =>
        {
            None
        }
        &ExprKind::Binary(_, a, b) => varies(cx, a).or_else(|| varies(cx, b)),
        // gcc may know the value of a condition (`__builtin_constant_p`) that is not known here.
        &ExprKind::Cond(c, a, b) => match cx.truth(c) {
            Some(true) => a.and_then(|a| varies(cx, a)),
            Some(false) => varies(cx, b),
            None => varies(cx, c),
        },
        ExprKind::Call(f, args) => {
            let sym = cx.out.sym(*cx.out.symbol.get(*f)?);
            if library::may_be_folded(&sym.name) {
                return args.iter().find_map(|&a| varies(cx, a));
            }
            (sym.kind == SymKind::Function && !sym.name.starts_with("__")).then_some(e)
        }
        // Start-up does not know values in shared memory.
        ExprKind::Index(..) | ExprKind::Member { .. } | ExprKind::Unary(UnOp::Deref, _) => {
            let ty = cx.out.ty(e);
            (cx.out.types.is_shared(ty) && cx.out.types.is_scalar(ty)).then_some(e)
        }
        ExprKind::Assign(..)
        | ExprKind::Split(..)
        | ExprKind::Post(..)
        | ExprKind::Pre(..)
        | ExprKind::MyThread => Some(e),
        ExprKind::Threads => Some(e),
        ExprKind::SizeofExpr(..) | ExprKind::SizeofType(..) => is_size_of_threads(cx, e).then_some(e),
        _ => None,
    }
}

/// Whether an expression is the size of something, which depends on the number of threads.
pub(crate) fn is_size_of_threads(cx: &Context, e: ExprId) -> bool {
    let ty = match cx.unit.exprs[e].kind {
        _ if cx.value(e).is_some() => return false,
        ExprKind::SizeofExpr(_, x) => cx.out.ty(x),
        ExprKind::SizeofType(_, t) => cx.out.type_name(t),
        _ => return false,
    };
    let is_threads = |e| matches!(cx.unit.exprs[e].kind, ExprKind::Threads);
    cx.out.types.depends_on_threads(ty)
        || cx.out.types.is_variable(ty) && visit::exists(cx.unit, Node::Expr(e), is_threads)
}

/// An operand of a constant expression, or itself, whose type cannot hold its value (C17 6.6 p4). In an
/// expression whose value is 0, an unsigned operand that wraps around counts too.
pub(crate) fn overflow(cx: &Context, e: ExprId) -> Option<ExprId> {
    let zero = cx.value(e)? == 0;
    let mut found = None;
    visit::each_expr(cx.unit, Node::Expr(e), |e| {
        found = found.or(overflows(cx, e, zero).then_some(e));
        !matches!(cx.unit.exprs[e].kind, ExprKind::SizeofExpr(..) | ExprKind::SizeofType(..))
    });
    found
}

fn overflows(cx: &Context, e: ExprId, unsigned: bool) -> bool {
    let Some(kind) = cx.out.types.int_kind(cx.out.ty(e)) else { return false };
    let signed = cx.env.char_signed;
    let (op, x, y) = match cx.unit.exprs[e].kind {
        ExprKind::Binary(op, a, b) => (op, cx.value(a), cx.value(b)),
        ExprKind::Unary(UnOp::Minus, a) => (BinOp::Sub, Some(0), cx.value(a)),
        _ => return false,
    };
    let (Some(x), Some(y)) = (x, y) else { return false };
    let bits = i128::from(kind.size()) * 8;
    match op {
        BinOp::Shl | BinOp::Shr if !(0..bits).contains(&y) => true,
        _ if kind.is_unsigned(signed) && !unsigned => false,
        _ => arithmetic(op, x, y).is_some_and(|value| kind.wrap(value, signed) != value),
    }
}

/// Reports an expression that must be constant, and varies for certain.
pub(crate) fn refuse_varying(cx: &mut Context, e: ExprId, what: &str) {
    let Some(culprit) = varies(cx, e) else { return };
    let message = format!("{what} is not constant");
    let d = Diagnostic::error(Code::NotConstant, cx.span(culprit), message);
    let d = on_threads(cx, d.label("varies"), culprit);
    cx.report(d);
}

/// The diagnostic, with a hint if the varying operand depends on the number of threads.
pub(crate) fn on_threads(cx: &Context, d: Diagnostic, culprit: ExprId) -> Diagnostic {
    if !matches!(cx.unit.exprs[culprit].kind, ExprKind::Threads) && !is_size_of_threads(cx, culprit) {
        return d;
    }
    let Words { threads, fixed, .. } = *cx.words();
    d.label(format!("depends on {threads}, which is known only at run time"))
        .help(format!("fix the number of threads when compiling ({fixed})"))
}

/// Classifies an array bound of the dynamic environment: a constant, THREADS times a constant, or
/// neither, with the places of all its THREADS.
pub(crate) fn bound(cx: &Context, e: ExprId) -> Bound {
    let (mut seen, mut wrong) = (Vec::new(), false);
    visit::each_expr(cx.unit, Node::Expr(e), |e| {
        let expr = &cx.unit.exprs[e];
        wrong |= cx.out.types.is_error(cx.out.ty(e));
        seen.extend(matches!(expr.kind, ExprKind::Threads).then_some(expr.span));
        // The size of an object contains no THREADS, though its type may.
        !matches!(expr.kind, ExprKind::SizeofExpr(..) | ExprKind::SizeofType(..))
    });
    if wrong {
        return Bound::Wrong;
    }
    match (cx.value(e), &seen[..]) {
        (Some(v), _) => Bound::Const(v),
        (None, []) => Bound::Variable,
        (None, [_]) => match factor(cx, e) {
            Some(k) => Bound::Threads(k, seen[0]),
            None => Bound::Misplaced(seen),
        },
        _ => Bound::Misplaced(seen),
    }
}

/// The k of `k * THREADS` in any nesting of parentheses and products.
fn factor(cx: &Context, e: ExprId) -> Option<i128> {
    match &cx.unit.exprs[e].kind {
        ExprKind::Threads => Some(1),
        &ExprKind::Paren(x) | &ExprKind::Extension(x) => factor(cx, x),
        // For UPC's THREADS, a cast is no multiple (UPC 6.5.2.1).
        &ExprKind::Cast(t, x) if cx.everything() && cx.out.types.is_integer(cx.out.type_name(t)) => {
            factor(cx, x)
        }
        &ExprKind::Binary(BinOp::Mul, a, b) => match (cx.value(a), cx.value(b)) {
            (Some(k), None) => Some(factor(cx, b)?.saturating_mul(k)),
            (None, Some(k)) => Some(factor(cx, a)?.saturating_mul(k)),
            _ => None,
        },
        _ => None,
    }
}

/// The form of an array bound.
pub(crate) enum Bound {
    Const(i128),
    /// A multiple of THREADS: the factor, and the place of THREADS.
    Threads(i128, Span),
    /// THREADS twice, or in another form than a product.
    Misplaced(Vec<Span>),
    Variable,
    /// An invalid bound, which has been reported.
    Wrong,
}

impl Bound {
    /// The length of an array with this bound, as far as it is valid.
    pub fn len(&self) -> Len {
        match self {
            Bound::Const(n) => Len::Const(u64::try_from(*n).unwrap_or(0)),
            Bound::Threads(k, _) => Len::Threads(u64::try_from(*k).unwrap_or(1)),
            Bound::Misplaced(_) | Bound::Variable | Bound::Wrong => Len::Variable,
        }
    }
}

fn arithmetic(op: BinOp, x: i128, y: i128) -> Option<i128> {
    Some(match op {
        BinOp::Mul => x.wrapping_mul(y),
        BinOp::Div => x.checked_div(y)?,
        BinOp::Rem => x.checked_rem(y)?,
        BinOp::Add => x.wrapping_add(y),
        BinOp::Sub => x.wrapping_sub(y),
        BinOp::Shl => x.checked_shl(u32::try_from(y).ok()?)?,
        BinOp::Shr => x.checked_shr(u32::try_from(y).ok()?)?,
        BinOp::Lt => i128::from(x < y),
        BinOp::Gt => i128::from(x > y),
        BinOp::Le => i128::from(x <= y),
        BinOp::Ge => i128::from(x >= y),
        BinOp::Eq => i128::from(x == y),
        BinOp::Ne => i128::from(x != y),
        BinOp::BitAnd => x & y,
        BinOp::BitXor => x ^ y,
        BinOp::BitOr => x | y,
        BinOp::And => i128::from(x != 0 && y != 0),
        BinOp::Or => i128::from(x != 0 || y != 0),
        BinOp::Comma => return None,
    })
}
