//! Nodes and terms, as the verifier walks over them.

use super::{Fault, How, Walk};
use crate::ir::tree::{Loop, Node, Step, Term, VarType};
use c_sema::typed::SymId;
use c_syntax::ast::*;
use c_syntax::visit::{Visitor, walk_for_init};

impl Walk<'_> {
    // ---- nodes -----------------------------------------------------------------------------------

    /// A list of nodes in braces of its own.
    pub(super) fn block(&mut self, nodes: &[Node]) {
        self.within(|walk| walk.nodes(nodes));
    }

    fn nodes(&mut self, nodes: &[Node]) {
        nodes.iter().for_each(|node| self.node(node));
    }

    fn node(&mut self, node: &Node) {
        match node {
            &Node::Stmt(s) => self.stmt(s),
            &Node::Continued(s) => self.continued(s),
            &Node::First(s) => walk_for_init(self, self.tree.unit.first_clause(s)),
            Node::Declare { var, ty, value } => {
                self.var_type(ty);
                self.declare(*var);
                value.iter().for_each(|value| self.term(value));
            }
            Node::Define(sym, value) => self.define(*sym, value),
            &Node::Shadow(sym) => {
                // Its type is that of the one outside.
                self.sym(sym);
                self.bind(sym);
            }
            Node::Trial { stop, body, done } => self.within(|walk| {
                walk.declare(*stop);
                walk.block(body);
                walk.slot(*done);
            }),
            Node::Assign(to, value) => {
                self.slot(*to);
                self.term(value);
            }
            Node::Loop(l) => self.made_loop(l),
            Node::Unrolled => {}
            Node::If { test, then, otherwise } => {
                self.term(test);
                self.block(then);
                self.block(otherwise);
            }
            // In the braces of the list around it.
            Node::Known(_, body) => self.nodes(body),
            &Node::ForallScope(var) | &Node::StoreCounts(var, _) => self.declare(var),
            &Node::AllIterations { forall, outer, seldom } => {
                self.var(outer);
                self.all_iterations(forall, seldom);
            }
            &Node::Start { read, buffer, at, waiting, met } => {
                self.expr_as(read, How::Accessed);
                self.each_var(&[buffer, at, met]);
                self.waiting(waiting);
            }
            &Node::Hold { read, buffer, at, waiting, met, lost } => {
                self.expr_as(read, How::Accessed);
                self.each_var(&[buffer, at, met]);
                lost.iter().for_each(|&lost| self.var(lost));
                self.waiting(waiting);
            }
            &Node::StartCached { read, waiting, met } => {
                self.expr_as(read, How::Accessed);
                self.var(met);
                self.waiting(waiting);
            }
            Node::Wait(waiting) => self.waiting(*waiting),
            Node::Leave(term) | Node::Do(term) => self.term(term),
            &Node::Extremum { object, value, original, .. } => {
                self.expr_as(object, How::Accessed);
                self.expr(value);
                self.stmt(original);
            }
        }
    }

    /// A variable of the program's gets its value in the scope of its own name.
    fn define(&mut self, sym: SymId, value: &Term) {
        self.ty(self.tree.typed.sym(sym).ty);
        self.bind(sym);
        let itself = |e| crate::facts::shapes::mentions(&self.tree.unit, &self.tree.typed, e, sym);
        let mut named = value.names(sym);
        value.each_expr(&mut |e| named |= itself(e));
        if named {
            self.broken(Fault::Itself, self.name_of(sym));
        }
        self.term(value);
    }

    fn made_loop(&mut self, l: &Loop) {
        self.term(&l.go);
        for step in &l.step {
            match step {
                Step::Next(var) => self.var(*var),
                Step::Add(var, by) => {
                    self.var(*var);
                    self.term(by);
                }
                &Step::Effect(e) => self.expr(e),
            }
        }
        self.block(&l.body);
    }

    /// A loop without its first clause: whatever it has been rewritten to, it is rendered as it stands.
    fn continued(&mut self, s: StmtId) {
        self.rendered(s);
        let StmtKind::For { cond, step, body, .. } = self.tree.unit.stmts[s].kind else {
            return self.stmt_kind(s);
        };
        self.looped(s, |walk| {
            cond.into_iter().chain(step).for_each(|e| walk.expr(e));
            walk.stmt(body);
        });
    }

    /// A `upc_forall` that goes through all iterations.
    fn all_iterations(&mut self, s: StmtId, seldom: bool) {
        self.rendered(s);
        let StmtKind::Forall { init, cond, step, affinity, body } = self.tree.unit.stmts[s].kind else {
            return;
        };
        self.looped(s, |walk| {
            walk.within(|walk| {
                walk_for_init(walk, init);
                cond.into_iter().chain(step).for_each(|e| walk.expr(e));
                if let (Affinity::Expr(e), false) = (affinity, seldom) {
                    walk.expr(e);
                }
                walk.stmt(body);
            });
        });
    }

    pub(super) fn looped(&mut self, s: StmtId, inner: impl FnOnce(&mut Self)) {
        self.loops.push(self.tree.unit.stmts[s].span);
        inner(self);
        self.loops.pop();
    }

    fn var_type(&mut self, ty: &VarType) {
        match ty {
            VarType::Elements(q) | VarType::Value(q) | VarType::Buffer(q) => self.ty(*q),
            VarType::Like(slot) => self.slot(*slot),
            _ => {}
        }
    }

    // ---- terms -----------------------------------------------------------------------------------

    pub(super) fn term(&mut self, term: &Term) {
        match term {
            Term::Num(_) | Term::Name(_) => {}
            &Term::Var(var) | &Term::Ref(var) | &Term::Stepped(var, _) => self.var(var),
            &Term::Element(buffer, at) => self.each_var(&[buffer, at]),
            &Term::Sym(sym) | &Term::Native(sym) | &Term::First(sym) => self.sym(sym),
            &Term::Value(e) | &Term::Holds(e) => self.expr(e),
            &Term::Place(e) | &Term::InView(e) => self.expr_as(e, How::Accessed),
            &Term::Address(e) => self.expr_as(e, How::Addressed),
            &Term::Remote(e) => self.expr(e),
            Term::Size(q) => self.ty(*q),
            Term::As(q, a) => {
                self.ty(*q);
                self.term(a);
            }
            Term::Index(a) | Term::Bits(a) | Term::Not(a) => self.term(a),
            Term::Call(_, args) => args.iter().for_each(|a| self.term(a)),
            Term::Bin(_, a, b) => {
                self.term(a);
                self.term(b);
            }
            Term::Choose(c, a, b) => [c, a, b].into_iter().for_each(|t| self.term(t)),
        }
    }
}
