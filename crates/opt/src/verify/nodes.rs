//! Nodes and terms, as the verifier walks over them.

use super::variables::Kind;
use super::{Fault, How, Walk};
use crate::facts::strictness::keeps_time;
use crate::ir::tree::{Access, Loop, Node, Slot, Step, Term, Var, VarType};
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
                value.iter().for_each(|value| self.noted(Slot::Made(*var), value));
                self.var_type(ty);
                self.declare(*var, self.kind_of(ty));
                value.iter().for_each(|value| self.term(value));
            }
            Node::Define(sym, value) => self.define(*sym, value),
            &Node::Shadow(sym) => {
                // Its type is the type of the variable outside.
                self.sym(sym);
                self.bind(sym);
            }
            Node::Trial { stop, body, done } => self.within(|walk| {
                walk.declare(*stop, Kind::Label);
                walk.block(body);
                walk.slot(*done);
            }),
            // The description of one section becomes the description of another.
            &Node::Assign(Slot::Made(to), Term::Var(from)) if self.scopes.kind(to) == Some(Kind::Section) => {
                self.is(from, Kind::Section);
            }
            Node::Assign(to, value) => {
                self.noted(*to, value);
                self.slot(*to);
                self.term(value);
            }
            Node::Loop(l) => self.made_loop(l),
            Node::Unrolled => {}
            Node::If { test, then, otherwise } => {
                self.term(test);
                self.guarded(|walk| {
                    walk.tested(test);
                    walk.block(then);
                    walk.block(otherwise);
                });
            }
            // In the braces of the list around it.
            Node::Known(_, body) => self.nodes(body),
            &Node::ForallScope(var) => self.declare(var, Kind::Outer),
            &Node::StoreCounts(var, _) => self.declare(var, Kind::Stores),
            &Node::AllIterations { forall, outer, seldom } => {
                self.is(outer, Kind::Outer);
                self.all_iterations(forall, seldom);
            }
            &Node::Start { read, buffer, at, waiting, met } => {
                self.start(read, buffer, at);
                self.flag(met);
                self.waiting(waiting);
                self.started(buffer, waiting);
            }
            &Node::Hold { read, buffer, at, waiting, met, lost } => {
                self.start(read, buffer, at);
                self.flag(met);
                lost.iter().for_each(|&lost| self.flag(lost));
                self.waiting(waiting);
                self.started(buffer, waiting);
            }
            &Node::StartCached { read, waiting, met } => {
                self.read_early(read);
                self.flag(met);
                self.waiting(waiting);
            }
            &Node::Wait(waiting) => {
                self.waiting(waiting);
                self.waited(waiting);
            }
            Node::Leave(term) => {
                self.term(term);
                self.tested(term);
            }
            Node::Do(term) => self.term(term),
            &Node::Extremum { object, value, original, .. } => {
                self.expr_as(object, How::Accessed);
                self.expr(value);
                self.stmt(original);
            }
        }
    }

    /// Walks over a read into an element of a buffer.
    fn start(&mut self, read: ExprId, buffer: Var, at: Var) {
        self.read_early(read);
        self.holds(buffer, self.tree.typed.ty(read));
        self.number(at);
    }

    /// Walks over an object that is read in advance. Only the object's place counts, not the buffer from
    /// which its iteration takes the value.
    fn read_early(&mut self, read: ExprId) {
        if keeps_time(&self.tree.unit, &self.tree.typed, read).is_some() {
            self.broken_at(Fault::Moved, String::new(), self.tree.unit.exprs[read].span);
        }
        self.comes_to(read);
        let lies = matches!(self.tree.access(read), Some(Access::Element { .. } | Access::Own));
        self.expr_as(read, if lies { How::Accessed } else { How::Addressed });
    }

    /// Walks over the definition of a variable of the program's, whose value is computed in the scope of the
    /// new name.
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
                Step::Next(var) => self.set(*var),
                Step::Add(var, by) => {
                    self.set(*var);
                    self.term(by);
                }
                &Step::Effect(e) => self.expr(e),
            }
        }
        let counters = self.counters.len();
        self.counters.extend(l.counts.map(|of| of.counter.number));
        self.guarded(|walk| {
            walk.tested(&l.go);
            walk.parted(|walk| walk.block(&l.body));
        });
        self.counters.truncate(counters);
    }

    /// Walks over a loop without its first clause. The loop is rendered in its original form, even if it has
    /// been rewritten.
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

    /// Walks over a `upc_forall` that goes through all iterations.
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
        self.loops.push(self.tree.unit.stmts[s].at);
        inner(self);
        self.loops.pop();
    }

    fn var_type(&mut self, ty: &VarType) {
        match ty {
            VarType::Elements(q) | VarType::Value(q) | VarType::Buffer(q) => self.ty(*q),
            &VarType::Like(Slot::Made(var)) => self.scalar(var),
            &VarType::Like(Slot::Sym(sym)) => self.sym(sym),
            &VarType::Like(Slot::Element(places, at)) => self.place(places, at),
            _ => {}
        }
    }

    // ---- terms -----------------------------------------------------------------------------------

    pub(super) fn term(&mut self, term: &Term) {
        match term {
            Term::Num(_) | Term::Name(_) => {}
            &Term::Var(var) => self.scalar(var),
            &Term::Ref(var) => self.pointed_to(var),
            &Term::Stepped(var, _) => self.set(var),
            &Term::Element(places, at) => self.place(places, at),
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
