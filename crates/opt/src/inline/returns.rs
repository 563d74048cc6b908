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
use crate::passes::is_loop;
use crate::tree::Tree;
use base::Span;
use c_syntax::ast::*;
use c_syntax::visit::{Visitor, walk_stmt};

/// Whether all returns of a body can be replaced.
pub(super) fn are_known(tree: &Tree, body: StmtId) -> bool {
    block(&tree.unit, body, &mut |_| {})
}

/// Whether a loop is left by some: the variable is then set where C compilers may not see it.
pub(super) fn leave_loops(tree: &Tree, body: StmtId) -> bool {
    let mut found = false;
    block(&tree.unit, body, &mut |change| found |= matches!(change, Change::Leave(_)));
    found
}

/// Replaces a body's returns, which then set a variable of this name.
pub(super) fn replace(tree: &Tree, body: StmtId, name: &str, edits: &mut Edits) {
    let unit = &tree.unit;
    if leave_loops(tree, body) {
        // Behind the body's brace.
        edits.insert(unit.stmts[body].span.lo + 1, &format!(" int {name}end = 0;"));
    }
    block(unit, body, &mut |change| {
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
fn block(unit: &Unit, s: StmtId, change: &mut dyn FnMut(Change)) -> bool {
    match &unit.stmts[s].kind {
        StmtKind::Compound(items) => {
            let end = unit.stmts[s].span.hi - 1;
            items_of(unit, items, end, change)
        }
        StmtKind::Return(_) => {
            change(Change::Set(s));
            true
        }
        &StmtKind::If(_, then, otherwise) => {
            block(unit, then, change) && otherwise.is_none_or(|s| block(unit, s, change))
        }
        kind if is_loop(kind) => leaves(unit, s, change),
        _ => !has_return(unit, s),
    }
}

/// The same of a block's items, which go up to `end`.
fn items_of(unit: &Unit, items: &[StmtId], end: u32, change: &mut dyn FnMut(Change)) -> bool {
    let Some(at) = items.iter().position(|&item| has_return(unit, item)) else { return true };
    let (s, rest) = (items[at], &items[at + 1..]);
    if rest.is_empty() {
        return block(unit, s, change);
    }
    let behind = unit.stmts[s].span.hi;
    match unit.stmts[s].kind {
        StmtKind::If(_, then, None) if always(unit, then) => {
            change(Change::Else(behind, end));
            block(unit, then, change) && items_of(unit, rest, end, change)
        }
        ref kind if is_loop(kind) => {
            // A loop in the rest finds the variable 0, since else it would not have been come to.
            change(Change::Unless(behind, end));
            leaves(unit, s, change) && items_of(unit, rest, end, change)
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
fn leaves(unit: &Unit, s: StmtId, change: &mut dyn FnMut(Change)) -> bool {
    let (StmtKind::While(_, body) | StmtKind::Do(body, _) | StmtKind::For { body, .. }) = unit.stmts[s].kind
    else {
        return false;
    };
    left(unit, body, change)
}

fn left(unit: &Unit, s: StmtId, change: &mut dyn FnMut(Change)) -> bool {
    match &unit.stmts[s].kind {
        StmtKind::Return(_) => {
            change(Change::Leave(s));
            true
        }
        StmtKind::Compound(items) => items.iter().all(|&item| left(unit, item, change)),
        &StmtKind::If(_, then, otherwise) => {
            left(unit, then, change) && otherwise.is_none_or(|s| left(unit, s, change))
        }
        _ => !has_return(unit, s),
    }
}

fn has_return(unit: &Unit, s: StmtId) -> bool {
    struct Returns<'a>(&'a Unit, bool);
    impl<'a> Visitor<'a> for Returns<'a> {
        fn unit(&self) -> &'a Unit {
            self.0
        }
        fn stmt(&mut self, s: StmtId) {
            self.1 |= matches!(self.0.stmts[s].kind, StmtKind::Return(_));
            walk_stmt(self, s);
        }
    }
    let mut returns = Returns(unit, false);
    returns.stmt(s);
    returns.1
}
