//! Walks over the tree: loops and statements as earlier optimisations have left them, with the context of
//! each, and the functions that the file defines.

use crate::ir::pass_id::PassId;
use crate::ir::reason::Reason;
use crate::ir::tree::{Hosts, Loop, Node, Tree};
use c_sema::typed::SymId;
use c_syntax::Language;
use c_syntax::ast::*;
use c_syntax::visit::{Visitor, walk_stmt};

/// The context of a statement.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Context {
    /// What is known of the memory of other threads at the statement.
    pub(crate) hosts: Hosts,
    /// The statement is inside a `upc_forall` with an affinity, in the same function.
    pub(crate) controlled: bool,
    /// The statement is in a `upc_forall` that goes through all iterations and runs seldom
    /// ([`Node::AllIterations`]).
    pub(crate) seldom: bool,
}

/// Returns the nodes that replace a loop that an earlier optimisation has made, or none. The last argument is
/// the knowledge about the memory of other threads.
type Rewriting<'a> = &'a mut dyn FnMut(&mut Tree, &Loop, Hosts) -> Option<Vec<Node>>;

/// Calls `visit` for every loop of the program, outer ones first. If `visit` returns false, the loops inside
/// are left out. If `visit` replaces a loop, the walk goes on in the replacement.
pub(crate) fn each_loop(tree: &mut Tree, visit: &mut dyn FnMut(&mut Tree, StmtId, Context) -> bool) {
    let bodies: Vec<StmtId> = tree.bodies().collect();
    for body in bodies {
        below(tree, body, Context::default(), visit);
    }
}

/// Rewrites the outermost nests of loops of a UPC program that `rewrite` can rewrite, in versions for several
/// hosts. `rewrite` returns whether it has rewritten the nest, or why not.
pub(crate) fn each_nest(
    tree: &mut Tree,
    pass: PassId,
    rewrite: &mut dyn FnMut(&mut Tree, StmtId) -> Result<bool, Reason>,
) {
    if !matches!(tree.typed.types.language, Language::Upc) {
        return;
    }
    each_loop(tree, &mut |tree, s, context| {
        if context.hosts != Hosts::Many || context.seldom {
            return context.hosts == Hosts::Unknown && !context.seldom;
        }
        if !tree.is_free(s) {
            return true;
        }
        let outcome = rewrite(tree, s);
        if let Err(why) = outcome {
            tree.remark(pass, s, Err(why));
        }
        outcome != Ok(true)
    });
}

fn below(
    tree: &mut Tree,
    s: StmtId,
    context: Context,
    visit: &mut dyn FnMut(&mut Tree, StmtId, Context) -> bool,
) {
    // A statement that has been replaced by another loop is visited as that loop alone.
    let another = matches!(tree.nodes(s), Some(&[Node::Stmt(s)]) if is_loop(&tree.unit.stmts[s].kind));
    if is_loop(&tree.unit.stmts[s].kind) && !another {
        if tree.is_left(tree.unit.stmts[s].at) {
            return;
        }
        let edits = tree.edits();
        let goes_on = visit(tree, s, context);
        if tree.edits() > edits {
            tree.rewritten(s);
        }
        if !goes_on {
            return;
        }
    }
    for (s, context) in inside(tree, s, context) {
        below(tree, s, context, visit);
    }
}

/// Rewrites the loops that earlier optimisations have made of statement `s`, outer ones first. `rewrite`
/// returns the nodes that replace a loop, or none. Without a replacement, the loop stays and the loops inside
/// are visited.
pub(crate) fn rewrite_loops(tree: &mut Tree, s: StmtId, hosts: Hosts, rewrite: Rewriting) {
    if let Some(nodes) = tree.nodes(s).map(<[Node]>::to_vec) {
        let nodes = loops_in(tree, nodes, hosts, rewrite);
        tree.replace(s, nodes);
    }
}

fn loops_in(tree: &mut Tree, nodes: Vec<Node>, hosts: Hosts, rewrite: Rewriting) -> Vec<Node> {
    let mut out = Vec::new();
    for node in nodes {
        match node {
            Node::Known(hosts, body) => out.push(Node::Known(hosts, loops_in(tree, body, hosts, rewrite))),
            Node::If { test, then, otherwise } => {
                let then = loops_in(tree, then, hosts, rewrite);
                let otherwise = loops_in(tree, otherwise, hosts, rewrite);
                out.push(Node::If { test, then, otherwise });
            }
            Node::Loop(l) => match rewrite(tree, &l, hosts) {
                Some(nodes) => out.extend(nodes),
                None => {
                    let body = loops_in(tree, l.body, hosts, rewrite);
                    out.push(Node::Loop(Loop { body, ..l }));
                }
            },
            other => out.push(other),
        }
    }
    out
}

/// Calls `visit` for a statement and every statement in it, in their rewritten forms.
pub(crate) fn each_statement(tree: &Tree, s: StmtId, visit: &mut dyn FnMut(StmtId)) {
    visit(s);
    for (s, _) in inside(tree, s, Context::default()) {
        each_statement(tree, s, visit);
    }
}

/// The statements directly in one, each with its context.
fn inside(tree: &Tree, s: StmtId, context: Context) -> Vec<(StmtId, Context)> {
    let mut inner = Vec::new();
    match tree.nodes(s) {
        Some(nodes) => in_nodes(nodes, context, &mut inner),
        None => in_stmt(&tree.unit, s, context, &mut inner),
    }
    inner
}

/// Whether a statement, or one inside it, is of such a kind.
pub(crate) fn has(tree: &Tree, s: StmtId, is: impl Fn(&StmtKind) -> bool) -> bool {
    let mut found = false;
    each_statement(tree, s, &mut |s| found |= is(&tree.unit.stmts[s].kind));
    found
}

/// Whether a statement is a loop or has one in it.
pub(crate) fn has_loop(tree: &Tree, s: StmtId) -> bool {
    has(tree, s, is_loop)
}

/// Whether a statement is one of the loops of C, or a `upc_forall`.
pub(crate) fn is_loop(kind: &StmtKind) -> bool {
    use StmtKind::*;
    matches!(kind, While(..) | Do(..) | For { .. } | Forall { .. })
}

/// The statements in a list of nodes, each with its context.
fn in_nodes(nodes: &[Node], mut context: Context, out: &mut Vec<(StmtId, Context)>) {
    for node in nodes {
        match node {
            &Node::Stmt(s) | &Node::Continued(s) => out.push((s, context)),
            &Node::AllIterations { forall, seldom, .. } => out.push((forall, Context { seldom, ..context })),
            Node::Loop(l) => in_nodes(&l.body, context, out),
            Node::If { then, otherwise, .. } => {
                in_nodes(then, context, out);
                in_nodes(otherwise, context, out);
            }
            Node::Known(hosts, body) => in_nodes(body, Context { hosts: *hosts, ..context }, out),
            Node::ForallScope(_) => context.controlled = true,
            _ => {}
        }
    }
}

/// The statements directly in one of the program's.
fn in_stmt(unit: &Unit, s: StmtId, mut context: Context, out: &mut Vec<(StmtId, Context)>) {
    struct Below<'a, 'o> {
        unit: &'a Unit,
        context: Context,
        out: &'o mut Vec<(StmtId, Context)>,
    }
    impl<'a> Visitor<'a> for Below<'a, '_> {
        fn unit(&self) -> &'a Unit {
            self.unit
        }
        fn stmt(&mut self, s: StmtId) {
            self.out.push((s, self.context));
        }
        fn decl(&mut self, d: DeclId) {
            let outer = self.context;
            if matches!(self.unit.decls[d].kind, DeclKind::Function { .. }) {
                self.context = Context::default();
            }
            c_syntax::visit::walk_decl(self, d);
            self.context = outer;
        }
    }
    context.controlled |= matches!(unit.stmts[s].kind, StmtKind::Forall { affinity: Affinity::Expr(_), .. });
    walk_stmt(&mut Below { unit, context, out }, s);
}

/// The definition of a function of the file's.
#[derive(Clone, Copy)]
pub(crate) struct Definition {
    pub(crate) item: DeclId,
    pub(crate) specs: SpecsId,
    pub(crate) declarator: DeclaratorId,
    pub(crate) body: StmtId,
    /// The function's parameters are declared after their list, in the old style.
    pub(crate) old_style: bool,
}

/// The definitions of all functions of the file, in order.
pub(crate) fn definitions(tree: &Tree) -> impl Iterator<Item = Definition> + use<'_> {
    tree.unit.items.iter().filter_map(|&item| match tree.unit.decls[item].kind {
        DeclKind::Function { specs, declarator, ref kr, body } => {
            Some(Definition { item, specs, declarator, body, old_style: !kr.is_empty() })
        }
        _ => None,
    })
}

/// The definition of a function.
pub(crate) fn definition(tree: &Tree, sym: SymId) -> Option<Definition> {
    definitions(tree).find(|of| tree.typed.declared(of.declarator) == Some(sym))
}

impl Tree {
    /// The bodies of the unit's functions.
    pub fn bodies(&self) -> impl Iterator<Item = StmtId> + use<'_> {
        definitions(self).map(|function| function.body)
    }
}
