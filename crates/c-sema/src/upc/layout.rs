//! Layout qualifiers and THREADS in array declarators (UPC 6.5.1.1, 6.5.2.1).

use crate::constant::{self, Bound};
use crate::context::Context;
use crate::types::{Block, Len, QTy, Ty, Types};
use base::{Code, Diagnostic, Span};
use c_syntax::ast::{ExprId, ExprKind};
use c_syntax::dialect::Words;
use c_syntax::visit::{self, Node};

/// The kind of thing that a declarator declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// An object or function of file scope, or a static or extern one of a block.
    Static,
    /// An automatic object.
    Block,
    /// The block of a static spread array.
    SpreadBlock,
    /// A function with a body: the bindings of its parameters are kept.
    Definition,
    Typedef,
    Parameter,
    Member,
    TypeName,
}

/// Checks a written block size, whose type is `ty`.
pub(crate) fn check_block_size(cx: &mut Context, e: ExprId, ty: QTy) -> Option<Block> {
    let at = cx.unit.exprs[e].span;
    if !cx.out.types.is_integer(ty) && !cx.out.types.is_error(ty) {
        let shown = cx.out.types.show_aka(ty);
        cx.error(Code::BlockSize, at, format!("a block size of type {shown}"), "not an integer");
        return None;
    }
    if let Some(culprit) = constant::overflow(cx, e) {
        let shown = cx.out.types.show_aka(cx.out.ty(culprit));
        cx.report(
            Diagnostic::error(Code::BlockSize, cx.span(culprit), "the block size overflows")
                .label(format!("{shown} cannot hold its value"))
                .help("compute it in `long`, as `1L << 20`, or use `[]` for an indefinite one"),
        );
        return None;
    }
    match cx.value(e) {
        None if cx.out.types.is_error(ty) => None,
        None => {
            let threads = cx.env.static_threads.is_none()
                && visit::exists(cx.unit, Node::Expr(e), |e| {
                    matches!(cx.unit.exprs[e].kind, ExprKind::Threads) || constant::is_size_of_threads(cx, e)
                });
            let d = Diagnostic::error(Code::BlockSize, at, "the block size is not a constant");
            cx.report(if threads {
                d.label("THREADS is not a constant in the dynamic environment")
                    .help("use `[*]`, or fix the number of threads when compiling (-T N)")
            } else {
                d.label("must be an integer constant expression").help("use a macro or an enumerator")
            });
            None
        }
        Some(n) if n < 0 => {
            cx.error(Code::BlockSize, at, "the block size is negative", format!("its value is {n}"));
            None
        }
        Some(0) => Some(Block::Indefinite),
        Some(n) => checked_block(cx, n as u128, at),
    }
}

fn checked_block(cx: &mut Context, n: u128, at: Span) -> Option<Block> {
    let most = cx.env.max_block_size;
    if n <= u128::from(most) {
        return Some(Block::Size(n as u64));
    }
    cx.report(
        Diagnostic::error(
            Code::BlockSize,
            at,
            format!("the block size is over UPC_MAX_BLOCK_SIZE, which is {most}"),
        )
        .label(format!("its value is {n}"))
        .help("use a smaller block, or `[]` for an indefinite one"),
    );
    None
}

pub(crate) fn two_block_sizes(cx: &mut Context, at: Span, before: Option<Span>) {
    let mut d = Diagnostic::error(Code::TwoBlockSizes, at, "two block sizes for one type");
    d = match before {
        Some(first) => d.label("the second").also(first, "the first"),
        None => d.label("a typedef name in this declaration has another block size"),
    };
    cx.report(d.help("leave one of them out"));
}

/// Warns of the same block size twice: allowed, as any qualifier may repeat (C17 6.7.3).
pub(crate) fn same_block_size(cx: &mut Context, at: Span, before: Span) {
    cx.report(
        Diagnostic::warning(Code::TwoBlockSizes, at, "the same block size twice for one type")
            .label("the second")
            .also(before, "the first")
            .help("leave one of them out"),
    );
}

pub(crate) fn strict_and_relaxed(cx: &mut Context, at: Span, before: Option<Span>) {
    let mut d = Diagnostic::error(Code::StrictRelaxed, at, "both `strict` and `relaxed`");
    d = match before {
        Some(first) => d.label("the second").also(first, "the first"),
        None => d.label("a typedef name in this declaration has the other qualifier"),
    };
    cx.report(d.help("accesses to an object are either strict or relaxed: leave one of them out"));
}

/// The length of an array of shared elements.
pub(crate) fn shared_bound(cx: &mut Context, bound: &Bound, elem: QTy, at: Span, place: Place) -> Len {
    let indefinite = cx.out.types.block(elem) == Some(Block::Indefinite);
    if let Bound::Const(n) | Bound::Threads(n, _) = bound
        && is_too_large(cx, *n, elem)
    {
        cx.error(Code::BadType, at, "an array of more than 2^63 - 1 bytes", format!("the length is {n}"));
        return if matches!(bound, Bound::Const(_)) { Len::Const(1) } else { Len::Threads(1) };
    }
    match bound {
        Bound::Const(0) if place != Place::Parameter && !cx.everything() => {
            cx.error(Code::BadType, at, "a shared array without elements", "the length is 0");
            Len::Const(1)
        }
        Bound::Const(n) if *n < 0 => {
            cx.error(Code::BadType, at, "an array of negative length", format!("the length is {n}"));
            Len::Const(0)
        }
        Bound::Const(_) => bound.len(),
        // The length of a parameter's own dimension is not used.
        Bound::Threads(..) | Bound::Misplaced(_) if cx.everything() && place == Place::Parameter => {
            Len::Variable
        }
        Bound::Threads(_, here) if indefinite => {
            threads_in_indefinite(cx, *here);
            Len::Const(1)
        }
        Bound::Threads(k, _) if *k <= 0 => {
            threads_times(cx, *k, at);
            Len::Threads(1)
        }
        Bound::Threads(..) => bound.len(),
        // Start-up reserves memory for lengths that depend on PROCS in any other way.
        Bound::Misplaced(_) if cx.everything() => Len::Variable,
        Bound::Misplaced(places) if indefinite => {
            threads_in_indefinite(cx, places[0]);
            Len::Const(1)
        }
        Bound::Misplaced(places) => {
            threads_in_no_product(cx, places[0]);
            Len::Threads(1)
        }
        // A parameter's own bound is not used: `shared int a[n]` is a pointer.
        Bound::Variable if place == Place::Parameter => Len::Variable,
        Bound::Variable => {
            variable_length(cx, at);
            Len::Variable
        }
        Bound::Wrong if indefinite || cx.env.static_threads.is_some() => Len::Const(1),
        Bound::Wrong => Len::Threads(1),
    }
}

fn threads_times(cx: &mut Context, factor: i128, at: Span) {
    let threads = cx.words().threads;
    let message = format!("{threads} is multiplied by a number that is not positive");
    cx.report(
        Diagnostic::error(Code::ThreadsPlacement, at, message)
            .label(format!("the factor is {factor}"))
            .help(format!("write {threads} alone or a positive constant times {threads}")),
    );
}

fn threads_in_no_product(cx: &mut Context, at: Span) {
    cx.report(
        Diagnostic::error(Code::ThreadsPlacement, at, "THREADS in a form that is not a product")
            .label("in the dynamic environment THREADS stands alone or is multiplied by a constant")
            .help("write `constant*THREADS`, or fix the number of threads when compiling (-T N)"),
    );
}

fn variable_length(cx: &mut Context, at: Span) {
    cx.report(match cx.everything() {
        true => Diagnostic::error(Code::NotConstant, at, "the length of this static array is not constant")
            .label("known only at run time"),
        false => Diagnostic::error(Code::NotConstant, at, "a shared array of variable length")
            .label("the length of a shared array must be constant")
            .help("allocate it with upc_all_alloc or upc_alloc"),
    });
}

/// Whether an array of `n` elements of this type is too large to be counted in bytes. If the number of
/// threads is not known, `n` counts for each thread.
fn is_too_large(cx: &Context, n: i128, elem: QTy) -> bool {
    let types = &cx.out.types;
    let (mut bytes, mut at) = (u128::try_from(n).unwrap_or(0), elem);
    while let Ty::Array(of, len) = types.of(at) {
        let (Len::Const(n) | Len::Threads(n)) = len else { return false };
        bytes = bytes.saturating_mul(u128::from(*n));
        at = *of;
    }
    let size = types.size_of(at).unwrap_or(0);
    bytes.saturating_mul(u128::from(size)) > i64::MAX as u128
}

/// The length of a dimension of a static spread or dist array that depends on PROCS, unless it is the one
/// dimension that is a multiple of PROCS.
pub(crate) fn sized_at_start(
    cx: &Context,
    bound: &Bound,
    e: ExprId,
    elem: QTy,
    len: Len,
    place: Place,
) -> Len {
    if !cx.everything() || place == Place::Parameter {
        return len;
    }
    let counted = cx.out.types.elements(elem);
    match bound {
        Bound::Misplaced(_) => Len::Runtime(e),
        // A second dimension with PROCS, or one around others that start-up computes.
        Bound::Threads(..) if !matches!(counted, Some((_, false))) => Len::Runtime(e),
        _ => len,
    }
}

fn threads_in_indefinite(cx: &mut Context, at: Span) {
    let Words { threads, fixed, .. } = *cx.words();
    let message = format!("{threads} in an array of indefinite block size");
    let help = format!(
        "leave {threads} out, give a block size, or fix the number of threads when compiling ({fixed})"
    );
    cx.report(
        Diagnostic::error(Code::ThreadsPlacement, at, message)
            .label("all elements are on one thread, so their number must be a constant")
            .help(help),
    );
}

/// Checks that at most one dimension of a shared array holds THREADS in the dynamic environment
/// (6.5.2.1).
pub(crate) fn check_threads_once(cx: &mut Context, elem: QTy, len: Len, span: Span) {
    let inner = cx.out.types.elements(elem).is_some_and(|(_, threads)| threads);
    if matches!(len, Len::Threads(_)) && inner {
        let Words { shared, threads, fixed, .. } = *cx.words();
        let message = format!("{threads} in two dimensions of a {shared} array");
        let help =
            format!("keep {threads} in one dimension, or fix the number of threads when compiling ({fixed})");
        cx.report(
            Diagnostic::error(Code::ThreadsPlacement, span, message)
                .label(format!("another dimension holds {threads} already"))
                .help(help),
        );
    }
}

/// A hint for the library's incomplete types: how their objects are used.
fn used_by_pointers(cx: &Context, ty: QTy) -> Option<String> {
    let types = &cx.out.types;
    let record = types.record(types.as_record(types.element(ty))?);
    let (name, function) = match &*record.tag {
        "upc_lock_struct" => ("upc_lock_t", "upc_all_lock_alloc"),
        "upc_atomicdomain_struct" => ("upc_atomicdomain_t", "upc_all_atomicdomain_alloc"),
        "upc_file_struct" => ("upc_file_t", "upc_all_fopen"),
        "bupc_sem_struct" => ("bupc_sem_t", "bupc_sem_alloc"),
        _ => return None,
    };
    Some(format!("declare a pointer, `{name} *`: `{function}` makes the object and returns its address"))
}

/// Reports an object, or elements, of an incomplete type.
pub(crate) fn refuse_incomplete(cx: &mut Context, ty: QTy, span: Span, message: String, label: String) {
    let mut d = Diagnostic::error(Code::Incomplete, span, message).label(label);
    d.help = used_by_pointers(cx, ty);
    cx.report(d);
}

/// Checks a declared object whose type is shared, with its complete type if it has one. `span`: its name.
pub(crate) fn check_shared_object(cx: &mut Context, ty: QTy, automatic: bool, span: Span) {
    if cx.everything() {
        return;
    }
    if automatic {
        if used_by_pointers(cx, ty).is_some() {
            return; // reported with its incomplete type
        }
        let shown = cx.out.types.show_aka(ty);
        return cx.report(
            Diagnostic::error(
                Code::SharedAutomatic,
                span,
                format!("an automatic object cannot be shared: its type is {shown}"),
            )
            .label("lives on the stack of one thread")
            .help("declare it `static`, or at file scope, or use a pointer-to-shared"),
        );
    }
    if matches!(cx.out.types.of(ty), Ty::Function(_)) || !cx.out.types.is_array(ty) {
        return;
    }
    if cx.out.types.has_length_of_run(ty) {
        return variable_length(cx, span);
    }
    let definite = cx.out.types.block(ty) != Some(Block::Indefinite);
    let counted = cx.out.types.elements(ty);
    if cx.env.static_threads.is_some() || !definite {
        return;
    }
    if let Some((_, false)) = counted {
        let d =
            Diagnostic::error(Code::ThreadsPlacement, span, "a shared array without THREADS in its length");
        cx.report(d.label("the distribution of its blocks depends on the number of threads").help(
            "make one dimension a multiple of THREADS, use `shared []`, or fix the number of threads \
                 when compiling (-T N)",
        ));
    }
}

/// Replaces `[*]` by the block size that spreads the array evenly (UPC 6.5.1.1).
pub(crate) fn resolve_star(cx: &mut Context, ty: QTy, span: Span) -> QTy {
    if cx.out.types.block(ty) != Some(Block::Star) {
        return ty;
    }
    let block = match (cx.out.types.elements(ty), cx.env.static_threads) {
        (Some((n, true)), _) => Some(n),
        (Some((n, false)), Some(threads)) => Some(n.div_ceil(u64::from(threads.max(1)))),
        // A scalar is one element. An array without THREADS is reported as such.
        (Some(_), None) => Some(1),
        (None, _) => None,
    };
    let Some(block) = block else {
        cx.report(
            Diagnostic::error(Code::LayoutStar, span, "`[*]` on an array whose length is not known here")
                .label("its block size cannot be computed")
                .help("write the length"),
        );
        return replace_star(&mut cx.out.types, ty, Block::Size(1));
    };
    let block = if block == 0 { None } else { checked_block(cx, u128::from(block), span) };
    let block = block.unwrap_or(Block::Size(1));
    replace_star(&mut cx.out.types, ty, block)
}

/// The type with another block size on its ultimate elements.
pub(crate) fn replace_star(types: &mut Types, ty: QTy, block: Block) -> QTy {
    let s = types.strip(ty);
    if let Some((elem, len)) = types.as_array(s) {
        let elem = replace_star(types, elem, block);
        return QTy::plain(types.intern(Ty::Array(elem, len)));
    }
    let quals = crate::types::Quals { shared: Some(block), ..s.quals };
    // Sugar is lost only if the typedef itself says `[*]`, which is an error.
    if types.strip(QTy::plain(ty.ty)).quals.shared.is_some() {
        return QTy { ty: s.ty, quals };
    }
    QTy { ty: ty.ty, quals }
}
