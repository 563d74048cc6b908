//! Accesses that must test at run time where their object is: accesses to shared objects that no earlier pass
//! has found to be local, or has read in advance.

use crate::facts::atomics;
use crate::facts::places::{is_part_of, is_through_pointer, memory_function};
use crate::ir::tree::{Access, Node, Term, Tree};
use c_sema::Typed;
use c_sema::types::Ty;
use c_sema::visit::{self, Use, Visitor};
use c_syntax::ast::*;

/// Returns the objects in a statement whose accesses must test where they are, and whether inline code of
/// library functions, atomic operations included, makes such tests too.
pub(crate) fn asking(tree: &Tree, s: StmtId) -> (Vec<ExprId>, bool) {
    let mut asks = Asks { tree, objects: Vec::new(), calls: false };
    asks.stmt(s);
    (asks.objects, asks.calls)
}

/// Finds the accesses that must test where their object is.
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
            ExprKind::Call(f, _) => {
                self.calls |= memory_function(self.tree, *f) || atomics::object_of(self.tree, e).is_some();
            }
            // A signalling store makes the test itself.
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

/// Whether an object, or one that it is a part of, needs no test: a local pointer leads to it, it is known to
/// be on this host, or it has been read already.
fn is_at_hand(tree: &Tree, e: ExprId) -> bool {
    is_part_of(tree, e, &|access| matches!(access, Access::Element { .. } | Access::Own | Access::Value(_)))
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
                // The locations are known there already.
                Node::Known(..) => {}
                _ => {}
            }
        }
    }

    fn term(&mut self, term: &Term) {
        term.each_expr(&mut |e| self.value(e));
    }
}
