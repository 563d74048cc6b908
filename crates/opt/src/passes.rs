//! The list of the optimisations, in their order, and the way they take through the tree.
//!
//! To add one: a file with its argument, its analysis and its rewriting, a row in [`PASSES`], and a directory
//! of loops in `tests/loops`.

use crate::functions::definitions;
use crate::tree::{Hosts, Loop, Node, Remark, Tree};
use crate::verify::{Broken, verify_bodies};
use crate::{
    accumulate, caching, directories, extremum, forall, forall_pointers, halos, indefinite, induction,
    local_rows, neighbours, own, prefetch, scatter, sections, store_counting, strided, strip_mining, unroll,
    versioning, while_loops,
};
use base::Span;
use c_syntax::Language;
use c_syntax::ast::*;
use c_syntax::visit::{Visitor, walk_stmt};

/// An optimisation.
pub struct Pass {
    /// Its name.
    pub name: &'static str,
    pub(crate) run: fn(&mut Tree),
}

/// All of them, in order. `while` loops become `for` loops first. What finds own elements comes next: the
/// rest need not ask where these are. Versioning comes before what is for one of the versions. Updates that
/// are left are done by their owners. What is in no order is found when all accesses are known, and so is
/// what is unrolled.
pub const PASSES: &[Pass] = &[
    Pass { name: "while", run: while_loops::run },
    Pass { name: "own", run: own::run },
    Pass { name: "store-counting", run: store_counting::run },
    Pass { name: "strip-mining", run: strip_mining::run },
    Pass { name: "forall", run: forall::run },
    Pass { name: "forall-pointers", run: forall_pointers::run },
    Pass { name: "strided", run: strided::run },
    Pass { name: "versioning", run: versioning::run },
    Pass { name: "neighbours", run: neighbours::run },
    Pass { name: "sections", run: sections::run },
    Pass { name: "local-rows", run: local_rows::run },
    Pass { name: "caching", run: caching::run },
    Pass { name: "halos", run: halos::run },
    Pass { name: "directories", run: directories::run },
    Pass { name: "prefetch", run: prefetch::run },
    Pass { name: "indefinite", run: indefinite::run },
    Pass { name: "induction", run: induction::run },
    Pass { name: "accumulate", run: accumulate::run },
    Pass { name: "extremum", run: extremum::run },
    Pass { name: "scatter", run: scatter::run },
    Pass { name: "unroll", run: unroll::run },
];

/// What is said of a loop that a pass would have broken.
pub const LEFT: &str = "left as it is: a name in it would not mean what it means to the program";

/// Runs passes, and verifies what comes out ([`crate::verify`]): after each of them (`each`), or once behind
/// all, which costs a tenth of the time. If that finds a fault, all is undone, and they run again with a look
/// after each. Gives the faults of each pass.
pub(crate) fn run(tree: &mut Tree, passes: &[Pass], each: bool) -> Vec<(&'static str, Broken)> {
    if !each {
        tree.begin_pass();
        passes.iter().for_each(|pass| (pass.run)(tree));
        if verify_bodies(tree, &changed(tree)).is_empty() {
            return Vec::new();
        }
        tree.undo_pass();
    }
    let faults =
        |pass: &Pass| apply(tree, pass).into_iter().map(|broken| (pass.name, broken)).collect::<Vec<_>>();
    passes.iter().flat_map(faults).collect()
}

/// Runs a pass, and verifies the functions that it has changed ([`crate::verify`]). A loop that it breaks
/// stays what it was: all that the pass has done is undone, and it runs again without that loop. Gives the
/// faults.
pub fn apply(tree: &mut Tree, pass: &Pass) -> Vec<Broken> {
    let mut faults = Vec::new();
    loop {
        tree.begin_pass();
        (pass.run)(tree);
        let broken = verify_bodies(tree, &changed(tree));
        if broken.is_empty() {
            break;
        }
        let culprits: Vec<Span> = broken.iter().filter_map(|broken| culprit(tree, broken)).collect();
        tree.undo_pass();
        faults.extend(broken);
        if culprits.is_empty() {
            break;
        }
        culprits.into_iter().for_each(|part| _ = tree.leave(part));
    }
    for part in tree.end_pass() {
        tree.remarks.push(Remark { pass: pass.name, at: part.lo, outcome: Err(LEFT) });
    }
    faults
}

/// The bodies of the functions in which a pass has changed something.
fn changed(tree: &Tree) -> Vec<StmtId> {
    let mut places: Vec<u32> = tree.edited().collect();
    places.sort_unstable();
    let changed = |&body: &StmtId| {
        let span = tree.unit.stmts[body].span;
        places.get(places.partition_point(|&at| at < span.lo)).is_some_and(|&at| at < span.hi)
    };
    definitions(tree).map(|of| of.body).filter(changed).collect()
}

/// What a pass must leave alone, so that a fault does not come again: the innermost loop around it that the
/// pass has rewritten; else the outermost loop, or the function. None if that has not helped.
fn culprit(tree: &Tree, broken: &Broken) -> Option<Span> {
    let free = |part: &&Span| !tree.is_left(**part);
    let rewritten = broken.loops.iter().rev().find(|part| tree.has_rewritten(**part) && free(part));
    rewritten.or(broken.loops.iter().chain([&broken.body]).find(free)).copied()
}

/// What is around a statement.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Context {
    /// What is known of the memory of other threads.
    pub(crate) hosts: Hosts,
    /// Inside of a `upc_forall` with an affinity, of the same function.
    pub(crate) controlled: bool,
    /// In a `upc_forall` that goes through all iterations and runs seldom ([`Node::AllIterations`]).
    pub(crate) seldom: bool,
}

/// What is made of a loop of an earlier optimisation's, with what is known of the memory of other threads.
type Rewriting<'a> = &'a mut dyn FnMut(&mut Tree, &Loop, Hosts) -> Option<Vec<Node>>;

/// Calls `visit` for every loop of the program, outer ones first; where it answers false, those inside are
/// left out. What it makes of a loop is gone through instead.
pub(crate) fn each_loop(tree: &mut Tree, visit: &mut dyn FnMut(&mut Tree, StmtId, Context) -> bool) {
    let bodies: Vec<StmtId> = tree.bodies().collect();
    for body in bodies {
        below(tree, body, Context::default(), visit);
    }
}

/// Rewrites the outermost nests of loops of a UPC program that it can, where they are for several hosts;
/// `rewrite` says whether it has, or why not.
pub(crate) fn each_nest(
    tree: &mut Tree,
    pass: &'static str,
    rewrite: &mut dyn FnMut(&mut Tree, StmtId) -> Result<bool, &'static str>,
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
    // What has become another loop is gone through as that alone.
    let another = matches!(tree.nodes(s), Some(&[Node::Stmt(s)]) if is_loop(&tree.unit.stmts[s].kind));
    if is_loop(&tree.unit.stmts[s].kind) && !another {
        if tree.is_left(tree.unit.stmts[s].span) {
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
/// gives the nodes in a loop's place, or none; then the loop stays and those inside are looked at.
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

/// Calls `visit` for a statement and every one in it, as they have become.
pub(crate) fn each_statement(tree: &Tree, s: StmtId, visit: &mut dyn FnMut(StmtId)) {
    visit(s);
    for (s, _) in inside(tree, s, Context::default()) {
        each_statement(tree, s, visit);
    }
}

/// The statements directly in one, each with what is around it.
fn inside(tree: &Tree, s: StmtId, context: Context) -> Vec<(StmtId, Context)> {
    let mut inner = Vec::new();
    match tree.nodes(s) {
        Some(nodes) => in_nodes(nodes, context, &mut inner),
        None => in_stmt(&tree.unit, s, context, &mut inner),
    }
    inner
}

/// Whether a statement is of such a kind or has one in it that is.
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

/// The statements in a list of nodes, each with what is around it.
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
