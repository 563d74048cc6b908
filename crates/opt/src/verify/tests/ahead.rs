//! Loops that are read ahead, broken on purpose.

use super::{Fault, only, parsed, sym, the_loop, zero};
use crate::ir::tree::{Access, Loop, Node, Term, Tree, VarType, Waiting};
use c_sema::types::Ty;
use c_syntax::ast::*;

/// The fault of a loop with this body that goes in parts: `a[i]` is read into a buffer for objects of the
/// type `ty`, and its value comes from there. `order` makes a part of three nodes: the start of the read, the
/// wait and the iteration.
fn parted(body: &str, ty: &str, order: impl FnOnce(&mut Tree, [Node; 3]) -> Vec<Node>) -> Option<Fault> {
    let mut tree = parsed(&format!(
        "#pragma upc relaxed\nshared [] int a[8]; shared [] {ty} c[8]; strict shared int flag; void g(void);\n\
         int f(int n, int *p) {{ int s = 0; for (int i = 0; i < n; i++) {{ {body} }} return s; }}\n"
    ));
    let s = the_loop(&tree, "i");
    let e = tree.unit.exprs.ids().find(|&e| tree.subscript(e).is_some()).expect("a shared element");
    let StmtKind::For { body, .. } = tree.unit.stmts[s].kind else { panic!("a loop") };
    let c = tree.typed.sym(sym(&tree, "c")).ty;
    let Ty::Array(q, _) = *tree.typed.types.of(c) else { panic!("an array") };
    let [buffer, at, fetched, met, waiting] =
        ["buffer", "at", "fetched", "met", "waiting"].map(|w| tree.var(w));
    let declared = [
        (buffer, VarType::Buffer(q)),
        (at, VarType::Unsigned),
        (fetched, VarType::Int),
        (met, VarType::Int),
        (waiting, VarType::Int),
    ];
    let mut nodes = vec![Node::First(s)];
    nodes.extend(declared.map(|(var, ty)| Node::Declare { var, ty, value: None }));
    let read = tree.copy_expr(e);
    tree.mark(e, Access::Prefetched { buffer, at, fetched, met });
    let waiting = Waiting::Var(waiting);
    let start = Node::Start { read, buffer, at, waiting, met };
    let body = order(&mut tree, [start, Node::Wait(waiting), Node::Stmt(body)]);
    nodes.push(Node::Loop(Loop { go: zero(), step: Vec::new(), body, counts: None }));
    tree.replace(s, nodes);
    only(&tree).map(|(fault, _)| fault)
}

/// A part as it should be.
fn whole(_: &mut Tree, nodes: [Node; 3]) -> Vec<Node> {
    nodes.to_vec()
}

#[test]
fn what_is_taken_has_been_read_and_waited_for() {
    let read = "s += a[i];";
    assert_eq!(parted(read, "int", whole), None);
    assert_eq!(parted(read, "int", |_, [start, wait, take]| vec![start, take, wait]), Some(Fault::NotHeld));
    assert_eq!(parted(read, "int", |_, [start, wait, take]| vec![take, start, wait]), Some(Fault::NotHeld));
    assert_eq!(parted(read, "int", |_, [_, wait, take]| vec![wait, take]), Some(Fault::NotHeld));
    // A buffer of objects of another type.
    assert_eq!(parted(read, "double", whole), Some(Fault::Kind));
}

#[test]
fn nothing_in_what_is_read_ahead_orders_accesses() {
    for statement in ["s += flag;", "flag = 1;", "upc_fence;", "upc_barrier;", "g();", "if (s) g();"] {
        let found = parted(&format!("s += a[i]; {statement}"), "int", whole);
        assert_eq!(found, Some(Fault::Ordered), "{statement}");
    }
}

#[test]
fn what_is_read_ahead_stands_behind_what_decides() {
    // The condition of the body: the first element of `p`.
    let condition = |tree: &mut Tree| {
        let is = |&e: &ExprId| {
            matches!(tree.unit.exprs[e].kind, ExprKind::Index(..)) && tree.subscript(e).is_none()
        };
        let e = tree.unit.exprs.ids().find(is).expect("a condition");
        Term::Holds(tree.copy_expr(e))
    };
    let behind = |test, then| Node::If { test, then, otherwise: Vec::new() };
    let bodies = [
        "if (p[i]) s += a[i];",
        "if (p[i]) ; else s += a[i];",
        "s += p[i] && a[i];",
        "s += p[i] ? a[i] : 0;",
    ];
    for body in bodies {
        assert_eq!(parted(body, "int", whole), Some(Fault::Unguarded), "{body}");
        let other =
            |_: &mut Tree, [start, wait, take]: [Node; 3]| vec![behind(zero(), vec![start]), wait, take];
        assert_eq!(parted(body, "int", other), Some(Fault::Unguarded), "{body}");
        let tested = |tree: &mut Tree, [start, wait, take]: [Node; 3]| {
            vec![behind(condition(tree), vec![start]), wait, take]
        };
        assert_eq!(parted(body, "int", tested), None, "{body}");
        // A test in one list says nothing about the list around it.
        let elsewhere = |tree: &mut Tree, [start, wait, take]: [Node; 3]| {
            vec![behind(condition(tree), Vec::new()), start, wait, take]
        };
        assert_eq!(parted(body, "int", elsewhere), Some(Fault::Unguarded), "{body}");
        let left = |tree: &mut Tree, [start, wait, take]: [Node; 3]| {
            vec![Node::Leave(condition(tree)), start, wait, take]
        };
        assert_eq!(parted(body, "int", left), None, "{body}");
        let noted = |tree: &mut Tree, [start, wait, take]: [Node; 3]| {
            let (var, value) = (tree.var("taken"), Some(condition(tree)));
            vec![Node::Declare { var, ty: VarType::Int, value }, behind(var.into(), vec![start]), wait, take]
        };
        assert_eq!(parted(body, "int", noted), None, "{body}");
    }
}
