//! All nodes of a tree, and the invariants of every tree.

use c_syntax::ast::*;
pub use c_syntax::visit::{Node, children};

/// All nodes reachable from the unit's items, parents before children.
pub fn all(unit: &Unit) -> Vec<Node> {
    let mut stack: Vec<Node> = unit.items.iter().rev().map(|&d| Node::Decl(d)).collect();
    let mut out = Vec::new();
    while let Some(node) = stack.pop() {
        out.push(node);
        let mut below = children(unit, node);
        below.reverse();
        stack.append(&mut below);
    }
    out
}

/// Checks that spans are exact: inside the parent's, in order, from a token's first byte to a token's last,
/// brackets balanced. Otherwise describes the fault.
pub fn check(unit: &Unit, text: &str) -> Result<(), String> {
    for node in all(unit) {
        let outer = unit.span(node);
        let Some(slice) = text.get(outer.range()) else {
            return Err(format!("{node:?} has the span {outer:?}, which is none of the text"));
        };
        if slice.trim().len() != slice.len() {
            return Err(format!("{node:?} has space around its text: {slice:?}"));
        }
        let mut end = outer.lo;
        for child in children(unit, node) {
            let inner = unit.span(child);
            let ordered = inner.lo >= end || may_be_out_of_order(unit, node);
            if inner.lo < outer.lo || inner.hi > outer.hi || !ordered {
                return Err(format!("{child:?} at {inner:?} is out of place in {node:?} {slice:?}"));
            }
            end = inner.hi;
        }
        names(unit, node).try_for_each(|name| match text.get(name.span.range()) == Some(&*name.text) {
            true => Ok(()),
            false => Err(format!("{name:?} is not what stands there")),
        })?;
    }
    Ok(())
}

/// Declarators are stored inside out, specifiers by kind, and `__builtin_bit_cast` has its type first.
fn may_be_out_of_order(unit: &Unit, node: Node) -> bool {
    match node {
        Node::Declarator(_) | Node::Specs(_) => true,
        Node::Expr(id) => matches!(unit.exprs[id].kind, ExprKind::ConvertVector(..)),
        _ => false,
    }
}

fn names(unit: &Unit, node: Node) -> impl Iterator<Item = &Name> {
    let mut out = Vec::new();
    match node {
        Node::Expr(id) => match &unit.exprs[id].kind {
            ExprKind::Ident(name) | ExprKind::LabelAddr(name) | ExprKind::Member { name, .. } => {
                out.push(name)
            }
            _ => {}
        },
        Node::Stmt(id) => match &unit.stmts[id].kind {
            StmtKind::Label(name, _) | StmtKind::Goto(name) => out.push(name),
            _ => {}
        },
        Node::Declarator(id) => out.extend(&unit.declarators[id].name),
        Node::Record(id) => out.extend(&unit.records[id].tag),
        Node::Enum(id) => {
            out.extend(&unit.enums[id].tag);
            out.extend(unit.enums[id].values.iter().flatten().map(|v| &v.0));
        }
        _ => {}
    }
    out.into_iter()
}
