//! Pointers-to-shared and pointers-to-local: conversions, casts, operators on both (UPC 6.4.2, 6.4.3).
//!
//! An allowed implicit conversion is noted in the result, so that the lowering can change the representation
//! if it differs.

use crate::context::Context;
use crate::context::words::{Goal, spelling};
use crate::types::{Block, QTy, Quals, Types};
use crate::upc::own;
use base::{Code, Diagnostic};
use c_syntax::Language;
use c_syntax::ast::{BinOp, ExprId};
use c_syntax::dialect::Words;

impl Types {
    /// Whether two shared pointees are the same except for `const`, `volatile`, `strict` and `relaxed`, and
    /// for the sign of an integer, which gcc converts silently too.
    fn same_pointee(&self, p: QTy, q: QTy) -> bool {
        let alike = self.compatible_unqualified(p, q) || self.differ_in_sign(p, q);
        alike && self.same_block(p, q)
    }

    /// Whether a shared and a private pointee are otherwise the same.
    fn same_but_shared(&self, p: QTy, q: QTy) -> bool {
        self.is_void(q) || self.compatible_unqualified(p, q) || self.differ_in_sign(p, q)
    }

    fn differ_in_sign(&self, p: QTy, q: QTy) -> bool {
        match (self.int_kind(p), self.int_kind(q)) {
            (Some(a), Some(b)) => a.to_unsigned() == b.to_unsigned(),
            _ => false,
        }
    }

    /// Whether the pointers inside two private pointees agree in which targets are shared and in their
    /// blocks, as far as both are pointers.
    fn same_sharing(&self, p: QTy, q: QTy) -> bool {
        match (self.pointee(p), self.pointee(q)) {
            (Some(a), Some(b)) => {
                self.is_shared(a) == self.is_shared(b)
                    && (self.same_block(a, b) || self.is_void(a) || self.is_void(b))
                    && self.has_phase(a) == self.has_phase(b)
                    && self.same_sharing(a, b)
            }
            _ => true,
        }
    }
}

/// Checks an implicit conversion from pointer to pointer.
pub(crate) fn convert_pointer(cx: &mut Context, e: ExprId, from: QTy, to: QTy, goal: Goal) {
    let (Some(p), Some(q)) = (cx.out.types.pointee(from), cx.out.types.pointee(to)) else {
        return;
    };
    let types = &cx.out.types;
    match (types.is_shared(p), types.is_shared(q)) {
        _ if types.is_error(p) || types.is_error(q) => {} // which has been reported
        (false, false) => {
            if !types.same_sharing(p, q) && !cx.is_null(e) {
                other_pointers(cx, e, from, to, goal);
            }
        }
        (true, true) => {
            let generic = types.is_void(p) || types.is_void(q);
            if generic || types.same_pointee(p, q) {
                note_conversion(cx, e, from, to);
                check_dropped(cx, e, (from, p), (to, q), goal);
            } else {
                other_pointers(cx, e, from, to, goal);
            }
        }
        (false, true) if is_any_null(cx, e) => note_conversion(cx, e, from, to),
        (false, true) => local_to_shared(cx, e, from, to, goal),
        (true, false) => shared_to_local(cx, e, from, to, goal),
    }
}

/// Whether a local pointer is certainly null. In Split-C and AC, `(int *)0` and `c ? 0 : NULL` are too.
fn is_any_null(cx: &Context, e: ExprId) -> bool {
    cx.is_null(e) || (cx.everything() && cx.null_cast(e))
}

/// Warns of a comparison of pointers-to-local whose targets, at any depth, are shared in different ways
/// (C17 6.5.9).
pub(crate) fn check_unlike_targets(cx: &mut Context, e: ExprId, a: (ExprId, QTy), b: (ExprId, QTy)) {
    let types = &cx.out.types;
    let (Some(p), Some(q)) = (types.pointee(a.1), types.pointee(b.1)) else { return };
    if types.same_sharing(p, q) || cx.is_null(a.0) || cx.is_null(b.0) {
        return;
    }
    cx.out.suspect.insert(e);
    let message = format!("{} is compared with {}", cx.shown(a.1), cx.shown(b.1));
    cx.report(
        Diagnostic::warning(Code::SharedComparison, cx.span(e), message)
            .label("their targets are pointers of different kinds")
            .help("cast one of them to the type of the other"),
    );
}

fn note_conversion(cx: &mut Context, e: ExprId, from: QTy, to: QTy) {
    let (f, t) = (cx.out.types.canon(from), cx.out.types.canon(to));
    if f.ty != t.ty {
        let to = cx.out.types.unqualified(to);
        cx.out.conversion.insert(e, to);
    }
}

/// Reports qualifiers that the target of one pointer-to-shared has and the target of the other lacks. C
/// compilers warn of such pointers-to-local.
fn check_dropped(cx: &mut Context, e: ExprId, from: (QTy, QTy), to: (QTy, QTy), goal: Goal) {
    let (has, wants) = (cx.out.types.object_quals(from.1), cx.out.types.object_quals(to.1));
    let dropped: Vec<&str> =
        [("`const`", has.is_const && !wants.is_const), ("`volatile`", has.is_volatile && !wants.is_volatile)]
            .iter()
            .filter_map(|&(word, dropped)| dropped.then_some(word))
            .collect();
    if dropped.is_empty() || cx.is_null(e) {
        return;
    }
    let (f, t) = (cx.shown(from.0), cx.shown(to.0));
    let message = format!("{f} given for {t} {}", goal.words());
    let help = format!("write a cast, `({})`, if this is meant", cx.out.types.show(to.0));
    cx.report(
        Diagnostic::warning(Code::DroppedQualifiers, cx.span(e), message)
            .label(format!("drops {}", dropped.join(" and ")))
            .help(help),
    );
}

fn other_pointers(cx: &mut Context, e: ExprId, from: QTy, to: QTy, goal: Goal) {
    let (f, t) = (cx.shown(from), cx.shown(to));
    let types = &cx.out.types;
    let blocks = match (types.shared_pointee(from), types.shared_pointee(to)) {
        (Some(p), Some(q)) if !types.same_block(p, q) => {
            Some((block_words(types.block(p)), block_words(types.block(q))))
        }
        _ => None,
    };
    let label = match blocks {
        Some((a, b)) => format!("block size {a}, where {b} is expected"),
        None => format!("is {f}"),
    };
    let both = types.shared_pointee(from).is_some() && types.shared_pointee(to).is_some();
    if cx.everything() {
        let help = format!("write a cast, `({})`, if this is meant; it keeps the bits", types.show(to));
        let message = format!("{f} given for {t} {}", goal.words());
        // Old programs mix global and spread pointers, and those to other types, as C compilers allow.
        let d = match both {
            true => Diagnostic::warning(Code::GlobalPointers, cx.span(e), message),
            false => Diagnostic::error(Code::SharedPointerTypes, cx.span(e), message),
        };
        cx.report(d.label(format!("is {f}")).help(help));
        return note_conversion(cx, e, from, to);
    }
    let help = match both {
        true => format!("write a cast, `({})`, if this is meant; the phase becomes 0", types.show(to)),
        false => "their targets must be pointers of one kind: declare both alike".into(),
    };
    let message = format!("{f} given for {t} {}", goal.words());
    if both {
        // The standard asks for a diagnostic; the value is converted as by the cast.
        let d = Diagnostic::warning(Code::SharedPointerTypes, cx.span(e), message);
        cx.report(d.label(label).help(help));
        return note_conversion(cx, e, from, to);
    }
    let d = Diagnostic::error(Code::SharedPointerTypes, cx.span(e), message);
    cx.report(d.label(label).help(help));
}

fn local_to_shared(cx: &mut Context, e: ExprId, from: QTy, to: QTy, goal: Goal) {
    let (f, t) = (cx.shown(from), cx.shown(to));
    if cx.everything() {
        let message =
            format!("local pointer {f} given for {} pointer {t} {}", pointer_word(cx, to), goal.words());
        let help = format!("write a cast, `({})`: the processor becomes MYPROC", cx.out.types.show(to));
        let d = Diagnostic::error(Code::CastToShared, cx.span(e), message);
        return cx.report(d.label("points to the memory of this processor").help(help));
    }
    cx.report(
        Diagnostic::error(
            Code::CastToShared,
            cx.span(e),
            format!("pointer-to-local {f} given for pointer-to-shared {t} {}", goal.words()),
        )
        .label("points to private memory")
        .help("private memory cannot be shared: declare the object shared or allocate it with upc_alloc"),
    );
}

/// The word for a pointer that is not local, in messages.
fn pointer_word(cx: &Context, pointer: QTy) -> &'static str {
    let block = cx.out.types.shared_pointee(pointer).and_then(|to| cx.out.types.block(to));
    match (cx.env.language, block) {
        (Language::Ac, _) => "dist",
        (_, Some(Block::Spread)) => "spread",
        _ => "global",
    }
}

fn shared_to_local(cx: &mut Context, e: ExprId, from: QTy, to: QTy, goal: Goal) {
    let (f, t) = (cx.shown(from), cx.shown(to));
    if cx.everything() {
        let message =
            format!("{} pointer {f} given for local pointer {t} {}", pointer_word(cx, from), goal.words());
        let help = format!("write a cast, `({})`, which drops the processor", cx.out.types.show(to));
        let d = Diagnostic::error(Code::SharedPointerTypes, cx.span(e), message);
        let d = d.label("may point to the memory of another processor").help(help);
        let (Some(p), Some(q)) = (cx.out.types.pointee(from), cx.out.types.pointee(to)) else {
            return;
        };
        if !cx.out.types.same_but_shared(p, q) {
            return cx.report(d);
        }
        if own::may_be_own(cx, e, d) {
            note_conversion(cx, e, from, to);
        }
        return;
    }
    let help = meant_pointer(cx, from, to).unwrap_or_else(|| {
        format!(
            "if the object has affinity to this thread, write a cast, `({})`; else copy it with upc_memget",
            cx.out.types.show(to)
        )
    });
    cx.report(
        Diagnostic::error(
            Code::SharedPointerTypes,
            cx.span(e),
            format!("pointer-to-shared {f} given for pointer-to-local {t} {}", goal.words()),
        )
        .label("points to shared memory")
        .help(help),
    );
}

/// A hint for a shared object that can only point to private memory, `int *shared p`: its declaration is
/// hardly as intended.
fn meant_pointer(cx: &mut Context, from: QTy, to: QTy) -> Option<String> {
    let (p, q) = (cx.out.types.pointee(from)?, cx.out.types.pointee(to)?);
    if !cx.out.types.is_shared(to) {
        return None;
    }
    let leads_to = if cx.out.types.is_void(p) {
        let quals = Quals { shared: Some(Block::Size(1)), ..q.quals };
        cx.out.types.qualify(q, quals)
    } else {
        p
    };
    let meant = cx.out.types.pointer_to(leads_to);
    let types = &cx.out.types;
    Some(format!(
        "did you mean `{0}`? `{1}` is a shared object that points to private memory; `{0}shared` is one that \
         points to shared memory",
        types.show(meant),
        types.show(types.unqualified(to)).trim_end().to_owned() + "shared",
    ))
}

fn is_shared_object(cx: &Context, e: ExprId) -> bool {
    cx.is_lvalue(e) && cx.out.types.is_shared(cx.out.ty(e))
}

/// Reports an integer that is no null pointer constant for a pointer-to-shared.
pub(crate) fn integer_to_shared(cx: &mut Context, e: ExprId, from: QTy, to: QTy, goal: Goal) {
    let (f, t) = (cx.shown(from), cx.shown(to));
    if cx.everything() {
        let message = format!("integer {f} given for {} pointer {t} {}", pointer_word(cx, to), goal.words());
        let d = Diagnostic::error(Code::CastToShared, cx.span(e), message);
        return cx.report(d.label("is not a null pointer constant").help("write 0 for the null pointer"));
    }
    cx.report(
        Diagnostic::error(
            Code::CastToShared,
            cx.span(e),
            format!("integer {f} given for pointer-to-shared {t} {}", goal.words()),
        )
        .label("is not a null pointer constant")
        .help(match is_shared_object(cx, e) {
            true => "write `&` before the object for its address",
            false => "write 0 for the null pointer-to-shared",
        }),
    );
}

/// Checks `shared` in a cast: allowed only if the operand is shared too, or null (6.4.3).
pub(crate) fn check_shared_cast(cx: &mut Context, e: ExprId, x: ExprId, from: QTy, to: QTy) {
    let Some(target) = cx.out.types.pointee(to) else {
        let operand = cx.out.ty(x);
        if cx.out.types.is_shared(to) && !cx.out.types.is_shared(operand) {
            let label = format!("is not {}", cx.words().shared);
            cast_to_shared(cx, e, from, to, &label);
        }
        return;
    };
    if cx.is_null(x) {
        return;
    }
    let types = &cx.out.types;
    let Some(source) = types.pointee(from) else {
        if types.is_shared(target) && !(cx.everything() && types.is_integer(from)) {
            let label = format!("is an integer, not a {}", cx.words().pointer);
            cast_to_shared(cx, e, from, to, &label);
        }
        return;
    };
    if cx.everything() {
        return;
    }
    if types.is_shared(target) && !types.is_shared(source) {
        return cast_to_shared(cx, e, from, to, "points to private memory");
    }
    // The targets of both pointers, at each depth: if both are pointers, they must agree.
    let (mut a, mut b) = (source, target);
    while let (Some(s), Some(t)) = (cx.out.types.pointee(a), cx.out.types.pointee(b)) {
        if cx.out.types.is_shared(t) && !cx.out.types.is_shared(s) {
            return cast_to_shared(cx, e, from, to, "points to pointers-to-local");
        }
        (a, b) = (s, t);
    }
}

fn cast_to_shared(cx: &mut Context, e: ExprId, from: QTy, to: QTy, label: &str) {
    let (f, t) = (cx.shown(from), cx.shown(to));
    let Words { pointer, pointers, .. } = *cx.words();
    cx.report(
        Diagnostic::error(Code::CastToShared, cx.span(e), format!("{f} cannot be cast to {t}"))
            .label(label)
            .help(format!("only {pointers} and null can be cast to a {pointer}")),
    );
}

/// The type of a conditional whose branches are pointers, at least one of them to shared.
pub(crate) fn shared_branches(
    cx: &mut Context,
    e: ExprId,
    x: (ExprId, QTy, QTy),
    y: (ExprId, QTy, QTy),
) -> QTy {
    let (p, q) = (x.2, y.2);
    if !cx.out.types.is_shared(p) || !cx.out.types.is_shared(q) {
        mixed(cx, e, x.1, y.1, "the branches of this conditional are");
        return cx.unknown();
    }
    let types = &cx.out.types;
    if !types.is_void(p) && !types.is_void(q) && !types.same_pointee(p, q) {
        branches_differ(cx, e, x.1, y.1);
        return cx.unknown();
    }
    let to = if types.is_void(q) { q } else { p };
    let mut quals = types.object_quals(p).union(types.object_quals(q));
    quals.shared = types.object_quals(to).shared;
    let to = cx.out.types.qualify(to, quals);
    let result = cx.out.types.pointer_to(to);
    note_conversion(cx, x.0, x.1, result);
    note_conversion(cx, y.0, y.1, result);
    result
}

/// Reports branches of a conditional that have no common type.
pub(crate) fn branches_differ(cx: &mut Context, e: ExprId, x: QTy, y: QTy) {
    let (x, y) = (cx.shown(x), cx.shown(y));
    let message = format!("the branches of this conditional have types {x} and {y}");
    cx.error(Code::BadOperands, cx.span(e), message, "have no common type");
}

/// Checks the operands of a binary operator that are both pointers, at least one of them to shared.
/// Returns false after an error.
pub(crate) fn check_shared_pair(
    cx: &mut Context,
    e: ExprId,
    op: BinOp,
    a: (ExprId, QTy),
    b: (ExprId, QTy),
) -> bool {
    let types = &cx.out.types;
    let (Some(p), Some(q)) = (types.pointee(a.1), types.pointee(b.1)) else { return true };
    let equality = matches!(op, BinOp::Eq | BinOp::Ne);
    match (types.is_shared(p), types.is_shared(q)) {
        (true, false) if equality && is_any_null(cx, b.0) => {
            note_conversion(cx, b.0, b.1, a.1);
            return true;
        }
        (false, true) if equality && is_any_null(cx, a.0) => {
            note_conversion(cx, a.0, a.1, b.1);
            return true;
        }
        (true, true) => {}
        _ => {
            mixed(cx, e, a.1, b.1, "this operator is applied to");
            return false;
        }
    }
    let (void_p, void_q) = (types.is_void(p), types.is_void(q));
    if equality && (void_p || void_q) {
        let (e, from, to) = if void_p { (b.0, b.1, a.1) } else { (a.0, a.1, b.1) };
        note_conversion(cx, e, from, to);
        return true;
    }
    if void_p || void_q || types.same_pointee(p, q) {
        return true;
    }
    let (x, y) = (cx.shown(a.1), cx.shown(b.1));
    let pointers = cx.words().pointers;
    if equality {
        cx.report(
            Diagnostic::warning(Code::SharedComparison, cx.span(e), format!("{x} is compared with {y}"))
                .label(format!("{pointers} of different types"))
                .help("cast one of them to the type of the other"),
        );
        note_conversion(cx, b.0, b.1, a.1);
        return true;
    }
    cx.report(
        Diagnostic::error(
            Code::SharedOperands,
            cx.span(e),
            format!("`{}` on {pointers} of different types, {x} and {y}", spelling(op)),
        )
        .label("they count in different elements or blocks")
        .help("cast one of them to the type of the other"),
    );
    false
}

fn mixed(cx: &mut Context, e: ExprId, x: QTy, y: QTy, what: &str) {
    let shared = if cx.out.types.shared_pointee(x).is_some() { x } else { y };
    let word = pointer_word(cx, shared);
    let (x, y) = (cx.shown(x), cx.shown(y));
    if cx.everything() {
        let message = format!("{what} a {word} pointer and a local pointer");
        let help = format!("cast one of them: to {word}, the processor is MYPROC; to local, it is dropped");
        let d = Diagnostic::error(Code::SharedAndLocal, cx.span(e), message);
        return cx.report(d.label(format!("{x} and {y}")).help(help));
    }
    cx.report(
        Diagnostic::error(
            Code::SharedAndLocal,
            cx.span(e),
            format!("{what} a pointer-to-shared and a pointer-to-local"),
        )
        .label(format!("{x} and {y}"))
        .help("cast the pointer-to-shared to a pointer-to-local if its object has affinity to this thread"),
    );
}

/// Checks that the operands of `<`, `>`, `<=` and `>=` have complete targets (6.4.2).
pub(crate) fn check_relational(cx: &mut Context, e: ExprId, p: QTy, q: QTy) {
    let types = &cx.out.types;
    let Some(&bad) = [p, q].iter().find(|&&t| !types.is_complete(t) && !types.is_error(t)) else {
        return;
    };
    let shown = types.show_aka(bad);
    cx.report(
        Diagnostic::error(
            Code::SharedRelational,
            cx.span(e),
            format!("{} to an incomplete type, {shown}, are ordered", cx.words().pointers),
        )
        .label("their difference is not defined")
        .help("only == and != apply; cast both to a complete type to compare their order"),
    );
}

fn block_words(block: Option<Block>) -> String {
    match block {
        Some(Block::Indefinite) => "`[]`".into(),
        Some(Block::Size(n)) => n.to_string(),
        _ => "none".into(),
    }
}
