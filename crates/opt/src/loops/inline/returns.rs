//! The copy of a function's body without its returns: they set the variable that has the value, and
//! statements that would run after them are left out.
//!
//! ```text
//! return e;                          value = e;
//! if (c) return e; rest              if (c) value = e; else { rest }
//! while (c) { ... return e; } rest   more = 1; while (c) { ... { value = e; more = 0; break; } }
//!                                    if (more) { rest }
//! ```
//!
//! Other forms are not known: the function does not replace its calls.

use super::maker::Maker;
use crate::ir::tree::Tree;
use crate::ir::walk::{has, is_loop};
use base::Span;
use c_sema::typed::SymId;
use c_syntax::ast::*;

/// Whether all returns of a body can be replaced.
pub(super) fn are_known(tree: &Tree, body: StmtId) -> bool {
    block(tree, body, &mut |_| {})
}

/// Whether returns leave a loop: the variable is then set where C compilers may not see it.
pub(super) fn leave_loops(tree: &Tree, body: StmtId) -> bool {
    let mut found = false;
    block(tree, body, &mut |change| found |= matches!(change, Change::Leave(_)));
    found
}

/// Replaces the returns of a body, which then set the variable of the value. `flag` is the name of a variable
/// that says whether the function goes on after its loops.
pub(super) fn replace(tree: &mut Tree, body: StmtId, value: Option<SymId>, flag: String) {
    let mut changes = Vec::new();
    block(tree, body, &mut |change| changes.push(change));
    let more = changes.iter().any(|change| matches!(change, Change::Unless(..))).then(|| {
        // After the body's brace.
        let lo = tree.unit.stmts[body].span.lo + 1;
        Maker { tree, text: Span::new(lo, lo) }.flag(flag)
    });
    let goes_on = more.map(|more| more.0);
    // Inner ones first: they do not change what outer ones are about.
    for change in changes.into_iter().rev() {
        match change {
            Change::Set(s) => set(tree, s, value, |_| Vec::new()),
            Change::Leave(s) => set(tree, s, value, |maker| leave(maker, goes_on)),
            Change::Else(of, n) => otherwise(tree, of, n),
            Change::Unless(of, n) => goes_on.into_iter().for_each(|more| unless(tree, of, n, more)),
        }
    }
    if let (StmtKind::Compound(items), Some((_, declaration))) = (&mut tree.unit.stmts[body].kind, more) {
        items.insert(0, declaration);
    }
}

/// Makes a return a block that sets the value, and then does the statements of `end`.
fn set(tree: &mut Tree, s: StmtId, value: Option<SymId>, end: impl FnOnce(&mut Maker) -> Vec<StmtId>) {
    let Stmt { span, ref kind, .. } = tree.unit.stmts[s];
    let returned = if let StmtKind::Return(e) = *kind { e } else { None };
    let mut maker = Maker { tree, text: span };
    let mut items = vec![match (value, returned) {
        (Some(value), Some(e)) => maker.assign(value, e),
        _ => maker.stmt(StmtKind::Expr(returned)),
    }];
    maker.text = Span::new(span.hi, span.hi);
    items.extend(end(&mut maker));
    tree.unit.stmts[s].kind = StmtKind::Compound(items);
    tree.made.insert(s);
}

/// Leaves a loop, after which the function goes on if the variable `more` is not 0.
fn leave(maker: &mut Maker, more: Option<SymId>) -> Vec<StmtId> {
    let zero = more.map(|more| {
        let zero = maker.number(0);
        maker.assign(more, zero)
    });
    zero.into_iter().chain([maker.stmt(StmtKind::Break)]).collect()
}

/// Takes the items after number `n` out of a block, as a block of their own.
fn rest(tree: &mut Tree, of: StmtId, n: usize) -> StmtId {
    // Before the closing brace, if the block has one.
    let end = tree.unit.stmts[of].span.hi - u32::from(!tree.is_made(of));
    let StmtKind::Compound(items) = &mut tree.unit.stmts[of].kind else { unreachable!("a block") };
    let (rest, last) = (items.split_off(n + 1), items[n]);
    let text = Span::new(tree.unit.stmts[last].span.hi, end);
    Maker { tree, text }.stmt(StmtKind::Compound(rest))
}

/// Moves the items after item `n` of a block, an `if`, into the other branch of that `if`.
fn otherwise(tree: &mut Tree, of: StmtId, n: usize) {
    let rest = rest(tree, of, n);
    let hi = tree.unit.stmts[rest].span.hi;
    let StmtKind::Compound(items) = &tree.unit.stmts[of].kind else { return };
    let s = items[n];
    let stmt = &mut tree.unit.stmts[s];
    stmt.span.hi = hi;
    if let StmtKind::If(_, _, otherwise) = &mut stmt.kind {
        *otherwise = Some(rest);
    }
}

/// Makes the items after item `n` of a block, a loop, run only if no return has left the loop.
fn unless(tree: &mut Tree, of: StmtId, n: usize, more: SymId) {
    let rest = rest(tree, of, n);
    let text = tree.unit.stmts[rest].span;
    let mut maker = Maker { tree, text };
    let test = maker.name(more);
    let unless = maker.stmt(StmtKind::If(test, rest, None));
    if let StmtKind::Compound(items) = &mut tree.unit.stmts[of].kind {
        items.push(unless);
    }
}

/// A change of the copy.
enum Change {
    /// This return sets the value.
    Set(StmtId),
    /// This return sets the value and leaves the loop around it.
    Leave(StmtId),
    /// The items of this block after the `if` with this number become the other branch of the `if`.
    Else(StmtId, usize),
    /// The items of this block after the loop with this number are done unless a return has left the loop.
    Unless(StmtId, usize),
}

/// Finds the changes of a statement at the end of the function. Returns false if they are not known.
fn block(tree: &Tree, s: StmtId, change: &mut dyn FnMut(Change)) -> bool {
    match &tree.unit.stmts[s].kind {
        StmtKind::Compound(items) => items_of(tree, s, items, 0, change),
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

/// Finds the changes of the items of a block from number `from` on. Returns false if they are not known.
fn items_of(tree: &Tree, of: StmtId, items: &[StmtId], from: usize, change: &mut dyn FnMut(Change)) -> bool {
    let Some(n) = (from..items.len()).find(|&n| has_return(tree, items[n])) else { return true };
    let s = items[n];
    if n + 1 == items.len() {
        return block(tree, s, change);
    }
    match tree.unit.stmts[s].kind {
        StmtKind::If(_, then, None) if always(&tree.unit, then) => {
            change(Change::Else(of, n));
            block(tree, then, change) && items_of(tree, of, items, n + 1, change)
        }
        ref kind if is_loop(kind) => {
            // The rest runs only while the flag is 1, so the flag is still 1 at a loop in the rest.
            change(Change::Unless(of, n));
            leaves(tree, s, change) && items_of(tree, of, items, n + 1, change)
        }
        _ => false,
    }
}

/// Whether all ways through a statement return.
fn always(unit: &Unit, s: StmtId) -> bool {
    match &unit.stmts[s].kind {
        StmtKind::Return(_) => true,
        StmtKind::Compound(items) => items.last().is_some_and(|&s| always(unit, s)),
        &StmtKind::If(_, then, Some(otherwise)) => always(unit, then) && always(unit, otherwise),
        _ => false,
    }
}

/// Finds the changes of a loop that returns leave. Returns false if a return stands in a loop inside, or in a
/// `switch`.
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
