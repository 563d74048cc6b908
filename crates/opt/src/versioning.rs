//! Loop versioning: a loop for jobs on one host, whose accesses are plain loads and stores, and one for jobs
//! in which memory may be remote, whose accesses ask first.
//!
//! Whether some memory is remote is constant in a job. gcc and clang take the question out of loops only at
//! -O3, and even there what is left is often not the loop that it would have been; so it is asked in front of
//! a loop.
//!
//! *Why it is allowed.* The two loops do the same where both may run; one of them runs. Nothing in them is of
//! a kind that there is one of: labels, objects of static storage duration, cases of a switch around the
//! loop.
//!
//! Nothing of the program's is evaluated early ([`crate::early`]).
//!
//! *Limits.* A loop whose body is empty waits, and may as well ask. A long one is left to the loops in it,
//! and so is one that synchronises: beside the time of a barrier that of a question is nothing, and what is
//! written twice the C compiler compiles twice.
//!
//! *What it becomes.* [`Node::If`] on `MER_HAS_REMOTE`, each version under [`Node::Known`].

use crate::places::{is_through_pointer, memory_function};
use crate::shapes::is_long;
use crate::tree::{Access, Hosts, Node, Term, Tree};
use crate::walk::each_loop;
use c_sema::Typed;
use c_sema::types::Ty;
use c_sema::visit::{self, Use, Visitor};
use c_syntax::ast::*;

/// A loop longer than this (bytes of text) is not written twice.
const LONGEST_LOOP: u32 = 4000;

/// The optimisation.
pub(crate) fn run(tree: &mut Tree) {
    each_loop(tree, &mut |tree, s, context| {
        if context.hosts != Hosts::Unknown {
            return false;
        }
        if !tree.is_free(s) {
            return true;
        }
        match plan(tree, s) {
            Ok(()) => {
                tree.remark("versioning", s, Ok("for one host and for several".into()));
                rewrite(tree, s);
                false
            }
            Err(why) => {
                tree.remark("versioning", s, Err(why));
                true
            }
        }
    });
}

fn plan(tree: &Tree, s: StmtId) -> Result<(), &'static str> {
    let (unit, typed) = (&tree.unit, &tree.typed);
    let body = match unit.stmts[s].kind {
        // `do … while (0)`, as macros have it, is no loop.
        StmtKind::Do(_, cond) if typed.constant(cond) == Some(0) => return Err(""),
        StmtKind::While(_, body)
        | StmtKind::Do(body, _)
        | StmtKind::For { body, .. }
        | StmtKind::Forall { body, .. } => body,
        _ => return Err(""),
    };
    let span = unit.stmts[s].span;
    if unit.is_empty(body) {
        return Err("its body is empty: it waits");
    }
    let long = match tree.nodes(s) {
        Some(_) => is_long(unit, body),
        None => span.hi - span.lo > LONGEST_LOOP,
    };
    if long {
        return Err("it is long");
    }
    if tree.effects(s).single {
        return Err("there is something in it of which there can be only one");
    }
    if tree.effects(s).synchronises && tree.effects(s).loops {
        return Err("it synchronises: the loops in it are versioned instead");
    }
    let (objects, calls) = asking(tree, s);
    if calls || !objects.is_empty() { Ok(()) } else { Err("no access in it has to ask") }
}

/// The objects in a statement of which accesses have to ask where they are; and whether inline code of
/// library functions asks too.
pub(crate) fn asking(tree: &Tree, s: StmtId) -> (Vec<ExprId>, bool) {
    let mut asks = Asks { tree, objects: Vec::new(), calls: false };
    asks.stmt(s);
    (asks.objects, asks.calls)
}

/// Finds out which accesses have to ask where their object is.
struct Asks<'a> {
    tree: &'a Tree,
    objects: Vec<ExprId>,
    calls: bool,
}

impl<'a> Visitor<'a> for Asks<'a> {
    fn unit(&self) -> &'a Unit {
        &self.tree.unit
    }

    fn typed(&self) -> &'a Typed {
        &self.tree.typed
    }

    fn stmt(&mut self, s: StmtId) {
        match self.tree.nodes(s) {
            Some(nodes) => self.nodes(nodes),
            None => visit::walk_stmt(self, s),
        }
    }

    fn value(&mut self, e: ExprId) {
        match &self.tree.unit.exprs[e].kind {
            ExprKind::Call(f, _) => self.calls |= memory_function(self.tree, *f),
            // A signalling store finds out itself.
            &ExprKind::Split(SplitOp::Store, target, value) => {
                self.value(value);
                return self.place(self.tree.unit.bare(target), Use::Part);
            }
            _ => {}
        }
        visit::walk_value(self, e);
    }

    fn place(&mut self, e: ExprId, how: Use) {
        let (tree, typed) = (self.tree, &self.tree.typed);
        let accessed = matches!(how, Use::Read | Use::Write | Use::Update)
            && typed.types.is_shared(typed.ty(e))
            && !matches!(typed.types.of(typed.ty(e)), Ty::Array(..))
            && !is_through_pointer(tree, e);
        if accessed && !is_at_hand(tree, e) {
            self.objects.push(e);
        }
        visit::walk_place(self, e);
    }
}

/// Whether an object is one that a local pointer leads to, or a part of such a one, or has been read already.
fn is_at_hand(tree: &Tree, e: ExprId) -> bool {
    if matches!(tree.access(e), Some(Access::Element { .. } | Access::Own | Access::Value(_))) {
        return true;
    }
    let array = |e: ExprId| matches!(tree.typed.types.of(tree.typed.ty(e)), Ty::Array(..));
    match tree.unit.exprs[e].kind {
        ExprKind::Paren(a) | ExprKind::Extension(a) => is_at_hand(tree, a),
        ExprKind::Member { base, arrow: false, .. } => is_at_hand(tree, base),
        ExprKind::Index(a, _) if array(a) => is_at_hand(tree, a),
        _ => false,
    }
}

impl Asks<'_> {
    fn nodes(&mut self, nodes: &[Node]) {
        for node in nodes {
            match node {
                &Node::Stmt(s) | &Node::Continued(s) => self.stmt(s),
                &Node::First(s) => match self.tree.unit.first_clause(s) {
                    ForInit::None => {}
                    ForInit::Expr(e) => self.value(e),
                    ForInit::Decl(d) => self.decl(d),
                },
                Node::Declare { value: Some(value), .. }
                | Node::Define(_, value)
                | Node::Assign(_, value) => {
                    self.term(value);
                }
                Node::Loop(l) => {
                    l.each_expr(&mut |e| self.value(e));
                    self.nodes(&l.body);
                }
                Node::If { test, then, otherwise } => {
                    self.term(test);
                    self.nodes(then);
                    self.nodes(otherwise);
                }
                // There it is known already.
                Node::Known(..) => {}
                _ => {}
            }
        }
    }

    fn term(&mut self, term: &Term) {
        term.each_expr(&mut |e| self.value(e));
    }
}

fn rewrite(tree: &mut Tree, s: StmtId) {
    let (many, one) = (tree.copy(s).stmt, tree.copy(s).stmt);
    let version = |hosts, s| vec![Node::Known(hosts, vec![Node::Stmt(s)])];
    let test = Term::Name("MER_HAS_REMOTE");
    let (then, otherwise) = (version(Hosts::Many, many), version(Hosts::One, one));
    tree.replace(s, vec![Node::If { test, then, otherwise }]);
}
