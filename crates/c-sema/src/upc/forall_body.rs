//! Bodies of `upc_forall` that are hardly intended, judging by their layout. C compilers warn of such bodies
//! of `for` and `if`, but do not see a `upc_forall` as it is written.

use crate::context::Context;
use base::{Code, Diagnostic, Span};
use c_syntax::ast::{StmtId, StmtKind};

/// Columns from one tab stop to the next, as C compilers count them.
const TAB: usize = 8;

/// `upc_forall (...);` with the semicolon next to the parenthesis.
pub(crate) fn check_empty_body(cx: &mut Context, body: StmtId) {
    let span = cx.unit.stmts[body].span;
    let empty = matches!(cx.unit.stmts[body].kind, StmtKind::Expr(None));
    if empty && cx.source.text[..span.lo as usize].ends_with(')') {
        cx.report(
            Diagnostic::warning(Code::EmptyBody, span, "the body of this upc_forall is empty")
                .label("is the whole body")
                .help("remove the semicolon, or write `{}` on a line of its own if an empty body is meant"),
        );
    }
}

/// Warns of a statement after a `upc_forall` without braces that is indented like the body, and farther
/// than the `upc_forall`.
pub(crate) fn check_indentation(cx: &mut Context, items: &[StmtId]) {
    for pair in items.windows(2) {
        let StmtKind::Forall { body, .. } = cx.unit.stmts[pair[0]].kind else { continue };
        if matches!(cx.unit.stmts[body].kind, StmtKind::Compound(_) | StmtKind::Expr(None)) {
            continue;
        }
        let [forall, body, next] = [pair[0], body, pair[1]].map(|s| cx.unit.stmts[s].span);
        let (Some(outer), Some(inner), Some(after)) =
            (indent(cx, forall), indent(cx, body), indent(cx, next))
        else {
            continue;
        };
        if after == inner && inner > outer {
            let keyword = Span::new(forall.lo, forall.lo + "upc_forall".len() as u32);
            let message = "this upc_forall does not guard the statement after its body";
            cx.report(
                Diagnostic::warning(Code::MisleadingIndentation, keyword, message)
                    .also(next, "is indented as if the loop guarded it")
                    .help("put braces around the statements of the body"),
            );
        }
    }
}

/// The column of a statement that is the first on its line.
fn indent(cx: &Context, span: Span) -> Option<usize> {
    let text = &cx.source.text[..span.lo as usize];
    let blanks = &text[text.rfind(|c| c != ' ' && c != '\t').map_or(0, |n| n + 1)..];
    let first = text.len() == blanks.len() || text[..text.len() - blanks.len()].ends_with('\n');
    let step = |column: usize, c: char| if c == '\t' { (column / TAB + 1) * TAB } else { column + 1 };
    first.then(|| blanks.chars().fold(0, step))
}
