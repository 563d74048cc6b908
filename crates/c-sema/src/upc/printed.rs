//! Pointers-to-shared among the arguments of `printf`, `scanf` and the like. `%p` prints them. The C compiler
//! would warn of any other conversion too, but it does not see the type that the program has given the
//! pointer.

use crate::context::Context;
use crate::typed::SymKind;
use crate::types::{QTy, Types};
use base::{Code, Diagnostic};
use c_syntax::ast::{ExprId, ExprKind};

/// The index, from 0, of the format among the arguments of a function that prints.
pub fn format_argument(function: &str) -> Option<usize> {
    match function {
        "printf" => Some(0),
        "fprintf" | "sprintf" | "dprintf" => Some(1),
        "snprintf" => Some(2),
        _ => None,
    }
}

/// The argument that a format expects: the conversion as it is written, and its type in C.
struct Wanted {
    conversion: String,
    ty: &'static str,
}

/// Warns of pointers-to-shared that do not fit the format of this call.
pub(crate) fn check_printed(cx: &mut Context, function: &str, args: &[ExprId], types: &[QTy]) {
    let Some(at) = format_argument(function).filter(|&at| at < args.len()) else { return };
    if !types[at + 1..].iter().any(|&ty| leads_to_shared(&cx.out.types, ty)) {
        return;
    }
    let format = cx.unit.bare(args[at]);
    if !matches!(cx.unit.exprs[format].kind, ExprKind::String) {
        return;
    }
    let Some(wanted) = wanted(&characters(cx.text(cx.span(format)))) else { return };
    let rest = args[at + 1..].iter().zip(&types[at + 1..]);
    for ((&arg, &ty), Wanted { conversion, ty: c_type }) in rest.zip(wanted) {
        if c_type == "void *" || !leads_to_shared(&cx.out.types, ty) {
            continue;
        }
        cx.out.printed.insert(arg, c_type);
        let pointer = if cx.out.types.pointee(ty).is_some_and(|to| cx.out.types.is_shared(to)) {
            cx.words().pointer
        } else {
            "pointer"
        };
        let shown = cx.shown(ty);
        let message = format!("`{conversion}` wants `{c_type}`, but the argument is {shown}");
        cx.report(
            Diagnostic::warning(Code::PrintedPointer, cx.span(arg), message)
                .label(format!("is a {pointer}"))
                .help("print what it points to, or write `%p` to print the pointer"),
        );
    }
}

/// Warns of `scanf("%d", &x)` with a shared `x`: the C library stores only into private memory.
pub(crate) fn check_scanned(cx: &mut Context, function: &str, args: &[ExprId], types: &[QTy]) {
    if !matches!(function, "scanf" | "fscanf" | "sscanf") {
        return;
    }
    for (&arg, &ty) in args.iter().zip(types) {
        if !cx.out.types.pointee(ty).is_some_and(|to| cx.out.types.is_shared(to)) {
            continue;
        }
        let (shown, pointer) = (cx.shown(ty), cx.words().pointer);
        let message = format!("a {pointer}, {shown}, is given to `{function}`");
        cx.report(
            Diagnostic::error(Code::SharedPointerTypes, cx.span(arg), message)
                .label("the C library cannot store through it")
                .help("read into a private variable, and assign its value"),
        );
    }
}

/// Warns of `memcpy(a, b, n)` with shared `a` and without a declaration, or of `__builtin_memcpy`: the C
/// compiler knows the parameter types, which are not pointers-to-shared. (`printf` may print one.)
pub(crate) fn check_given_to_c(
    cx: &mut Context,
    callee: ExprId,
    function: &str,
    args: &[ExprId],
    types: &[QTy],
) {
    let undeclared = cx.out.symbol.get(callee).is_some_and(|&symbol| {
        cx.info[symbol.0 as usize].implicit || cx.out.sym(symbol).kind == SymKind::Builtin
    });
    let like = function.strip_prefix("__builtin_").unwrap_or(function);
    // In functions for atomic objects the first argument is the address; others may be values of the
    // object.
    let of_atomics = ["__sync_", "__atomic_"].iter().any(|prefix| function.starts_with(prefix));
    let of_compiler = of_atomics || like.ends_with("_overflow") || like == "prefetch";
    // `va_start(list, last)` names a parameter of any type.
    let takes_any = function.ends_with("printf") || like.starts_with("va_");
    if !undeclared || !(of_compiler || crate::library::is_of_c(like)) || takes_any {
        return;
    }
    for (&arg, &ty) in args.iter().zip(types).take(if of_atomics { 1 } else { args.len() }) {
        if cx.out.types.shared_pointee(ty).is_none() {
            continue;
        }
        let (shown, pointer) = (cx.shown(ty), cx.words().pointer);
        let message = format!("a {pointer}, {shown}, is given to `{function}`");
        let help = match cx.everything() {
            true => {
                "if the object is on this processor, pass `tolocal(...)`; else copy the object with bulk_get"
            }
            false => {
                "if the object has affinity to this thread, cast to a pointer-to-local; else copy it with upc_memget"
            }
        };
        let label = match cx.everything() {
            true => "may point to the memory of another processor",
            false => "points to shared memory",
        };
        cx.report(Diagnostic::error(Code::SharedPointerTypes, cx.span(arg), message).label(label).help(help));
    }
}

/// Whether a type is a pointer-to-shared, or leads to one through pointers alone.
fn leads_to_shared(types: &Types, mut ty: QTy) -> bool {
    while let Some(to) = types.pointee(ty) {
        if types.is_shared(to) {
            return true;
        }
        ty = to;
    }
    false
}

/// The characters of adjacent string literals. An escape becomes one character that is no `%`.
fn characters(literals: &str) -> String {
    let (mut out, mut inside) = (String::new(), false);
    let mut rest = literals.chars();
    while let Some(c) = rest.next() {
        match c {
            '"' => inside = !inside,
            '\\' if inside => {
                rest.next();
                out.push('\n');
            }
            c if inside => out.push(c),
            _ => {}
        }
    }
    out
}

/// The arguments that a format expects, in order; `None` if that is not clear.
fn wanted(format: &str) -> Option<Vec<Wanted>> {
    let mut out = Vec::new();
    let mut parts = format.split('%');
    parts.next();
    while let Some(part) = parts.next() {
        if part.is_empty() {
            // `%%`: the next part is text.
            parts.next()?;
            continue;
        }
        let flags = part.trim_start_matches(['-', '+', ' ', '#', '0', '\'', 'I']);
        let before_length = flags.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '*');
        let width = &flags[..flags.len() - before_length.len()];
        let star = || Wanted { conversion: "*".into(), ty: "int" };
        out.extend(width.matches('*').map(|_| star()));
        let conversion = before_length.trim_start_matches(['h', 'l', 'q', 'j', 'z', 't', 'L']);
        let length = &before_length[..before_length.len() - conversion.len()];
        let letter = conversion.chars().next()?;
        if letter == 'm' {
            continue;
        }
        out.push(Wanted { conversion: format!("%{length}{letter}"), ty: type_of(length, letter)? });
    }
    Some(out)
}

/// The type of the argument of a conversion (C17 7.21.6.1).
fn type_of(length: &str, letter: char) -> Option<&'static str> {
    let signed = matches!(letter, 'd' | 'i');
    match (letter, length) {
        ('p', _) => Some("void *"),
        ('s', "") => Some("char *"),
        ('c', "") => Some("int"),
        ('d' | 'i' | 'o' | 'u' | 'x' | 'X', _) => Some(match (length, signed) {
            ("" | "h" | "hh", true) => "int",
            ("" | "h" | "hh", false) => "unsigned int",
            ("l" | "j" | "t", true) => "long",
            ("l" | "j" | "z", false) => "unsigned long",
            ("z", true) => "long",
            ("t", false) => "unsigned long",
            ("ll" | "q", true) => "long long",
            ("ll" | "q", false) => "unsigned long long",
            _ => return None,
        }),
        ('a' | 'A' | 'e' | 'E' | 'f' | 'F' | 'g' | 'G', "L") => Some("long double"),
        ('a' | 'A' | 'e' | 'E' | 'f' | 'F' | 'g' | 'G', _) => Some("double"),
        ('n', "") => Some("int *"),
        _ => None,
    }
}
