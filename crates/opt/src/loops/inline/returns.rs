//! The text of a function's body without its returns: they set the variable that has the value, and what
//! would run behind them is left out.
//!
//! ```text
//! return e;                          value = (e);
//! if (c) return e; rest              if (c) value = (e); else { rest }
//! while (c) { ... return e; } rest   ends = 0; while (c) { ... { value = (e); ends = 1; break; } }
//!                                    if (!ends) { rest }
//! ```
//!
//! All others are not known: the function stays where it is.

use super::Edits;
use crate::ir::tree::Tree;
use crate::ir::walk::{has, is_loop};
use base::Span;
use c_syntax::ast::*;

/// Whether all returns of a body can be replaced.
pub(super) fn are_known(tree: &Tree, body: StmtId) -> bool {
    block(tree, body, &mut |_| {})
}

/// Whether a loop is left by some: the variable is then set where C compilers may not see it.
pub(super) fn leave_loops(tree: &Tree, body: StmtId) -> bool {
    let mut found = false;
    block(tree, body, &mut |change| found |= matches!(change, Change::Leave(_)));
    found
}

/// Replaces a body's returns, which then set a variable of this name.
pub(super) fn replace(tree: &Tree, body: StmtId, name: &str, edits: &mut Edits) {
    let unit = &tree.unit;
    if leave_loops(tree, body) {
        // Behind the body's brace.
        edits.insert(unit.stmts[body].span.lo + 1, &format!(" int {name}end = 0;"));
    }
    block(tree, body, &mut |change| {
        let mut set = |s: StmtId, behind: &str| {
            let span = unit.stmts[s].span;
            match unit.stmts[s].kind {
                StmtKind::Return(Some(e)) => {
                    let value = unit.exprs[e].span;
                    edits.replace(Span::new(span.lo, value.lo), &format!("{{ {name} = ("));
                    edits.replace(Span::new(value.hi, span.hi), &format!(");{behind} }}"));
                }
                _ => edits.replace(span, &format!("{{{behind} }}")),
            }
        };
        match change {
            Change::Set(s) => set(s, ""),
            Change::Leave(s) => set(s, &format!(" {name}end = 1; break;")),
            Change::Else(at, end) => {
                edits.insert(at, " else {");
                edits.insert(end, "}");
            }
            Change::Unless(at, end) => {
                edits.insert(at, &format!(" if (!{name}end) {{"));
                edits.insert(end, "}");
            }
        }
    });
}

/// A change of the text.
enum Change {
    /// This return sets the value.
    Set(StmtId),
    /// It does and leaves the loop around it.
    Leave(StmtId),
    /// What stands from here up to there becomes the other branch.
    Else(u32, u32),
    /// It is done unless a loop in front has been left so.
    Unless(u32, u32),
}

/// The changes of a statement behind which the function ends; false where they are not known.
fn block(tree: &Tree, s: StmtId, change: &mut dyn FnMut(Change)) -> bool {
    match &tree.unit.stmts[s].kind {
        StmtKind::Compound(items) => {
            let end = tree.unit.stmts[s].span.hi - 1;
            items_of(tree, items, end, change)
        }
        StmtKind::Return(_) => {
            change(Change::Set(s));
            true
        }
        &StmtKind::If(_, then, otherwise) => {
            block(tree, then, change) && otherwise.is_none_or(|s| block(tree, s, change))
        }
        kind if is_loop(kind) => leaves(tree, s, change),
        _ => !has_return(tree, s),
    }
}

/// The same of a block's items, which go up to `end`.
fn items_of(tree: &Tree, items: &[StmtId], end: u32, change: &mut dyn FnMut(Change)) -> bool {
    let Some(at) = items.iter().position(|&item| has_return(tree, item)) else { return true };
    let (s, rest) = (items[at], &items[at + 1..]);
    if rest.is_empty() {
        return block(tree, s, change);
    }
    let behind = tree.unit.stmts[s].span.hi;
    match tree.unit.stmts[s].kind {
        StmtKind::If(_, then, None) if always(&tree.unit, then) => {
            change(Change::Else(behind, end));
            block(tree, then, change) && items_of(tree, rest, end, change)
        }
        ref kind if is_loop(kind) => {
            // A loop in the rest finds the variable 0, since else it would not have been come to.
            change(Change::Unless(behind, end));
            leaves(tree, s, change) && items_of(tree, rest, end, change)
        }
        _ => false,
    }
}

/// Whether a statement returns whichever way it goes.
fn always(unit: &Unit, s: StmtId) -> bool {
    match &unit.stmts[s].kind {
        StmtKind::Return(_) => true,
        StmtKind::Compound(items) => items.last().is_some_and(|&s| always(unit, s)),
        &StmtKind::If(_, then, Some(otherwise)) => always(unit, then) && always(unit, otherwise),
        _ => false,
    }
}

/// The changes of a loop that returns leave: none of them stands in a loop inside, or in a `switch`.
fn leaves(tree: &Tree, s: StmtId, change: &mut dyn FnMut(Change)) -> bool {
    let (StmtKind::While(_, body) | StmtKind::Do(body, _) | StmtKind::For { body, .. }) =
        tree.unit.stmts[s].kind
    else {
        return false;
    };
    left(tree, body, change)
}

fn left(tree: &Tree, s: StmtId, change: &mut dyn FnMut(Change)) -> bool {
    match &tree.unit.stmts[s].kind {
        StmtKind::Return(_) => {
            change(Change::Leave(s));
            true
        }
        StmtKind::Compound(items) => items.iter().all(|&item| left(tree, item, change)),
        &StmtKind::If(_, then, otherwise) => {
            left(tree, then, change) && otherwise.is_none_or(|s| left(tree, s, change))
        }
        _ => !has_return(tree, s),
    }
}

fn has_return(tree: &Tree, s: StmtId) -> bool {
    has(tree, s, |kind| matches!(kind, StmtKind::Return(_)))
}
