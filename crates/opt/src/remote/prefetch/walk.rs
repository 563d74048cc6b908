//! Walks over the iterations of a part: the loops that compute addresses in advance, test reads against
//! writes, and request the accesses of a stage.

use super::cuts::{Block, Cut, Cuts, Define, Item, Part, Test, Walk};
use super::nodes::{less, object, when};
use crate::facts::early;
use crate::ir::tree::{Access, Loop, Node, Primitive, Slot, Step, Term, Tree, Var, Waiting};
use c_syntax::ast::*;

/// A walk, with its variables.
pub(super) struct Walker<'a> {
    pub(super) cuts: &'a Cuts,
    pub(super) stage: usize,
    /// Counts reads under way.
    pub(super) waiting: Waiting,
    /// Something in the part is remote.
    pub(super) met: Var,
    /// Set if the current iteration is not in the part: the buffers are full, or a read is of no object. None
    /// if the walk is one loop, which is left then.
    pub(super) full: Option<Var>,
    /// For each loop, the outer one first: the number of its iterations so far in the part.
    pub(super) at: &'a [Var],
    /// For each loop inside: that number at its end, indexed by the iteration of the loop around it.
    pub(super) ends: &'a [Var],
    /// The values of each cut.
    pub(super) buffers: &'a [Var],
    /// The direction of each branch.
    pub(super) taken: &'a [Var],
    /// The private objects on which early values depend, if they are noted.
    pub(super) inputs: Option<Var>,
    /// The extents that the part will write.
    pub(super) written: &'a [Written],
}

/// The extents of a write in a part.
pub(super) struct Written {
    /// The number of the write.
    pub(super) write: usize,
    /// The extent in this part.
    pub(super) part: Var,
    /// The extent in the part before, if that is still to run.
    pub(super) before: Option<Var>,
}

impl Walker<'_> {
    /// Returns the nodes of an iteration. In a walk that is one loop, the requests come last: nothing is
    /// requested for an iteration that is left out, and the tests of an iteration stand together.
    pub(super) fn iteration(&self, tree: &mut Tree) -> Vec<Node> {
        let nodes = match &self.cuts.items[..] {
            [Item::Block(items)] => self.items(tree, items),
            items => self.items(tree, items),
        };
        if self.full.is_some() {
            return nodes;
        }
        let requests =
            |node: &Node| matches!(node, Node::Hold { .. } | Node::Start { .. } | Node::StartCached { .. });
        let (last, first): (Vec<Node>, Vec<Node>) = nodes.into_iter().partition(requests);
        [first, last].concat()
    }

    fn items(&self, tree: &mut Tree, items: &[Item]) -> Vec<Node> {
        items.iter().flat_map(|item| self.item(tree, item)).collect()
    }

    fn item(&self, tree: &mut Tree, item: &Item) -> Vec<Node> {
        match item {
            &Item::Declare(sym) => vec![Node::Define(sym, Term::Num(0))],
            Item::Define(define) => self.define(tree, define),
            Item::Read(cut, part) => self.read(tree, *cut, part),
            Item::If { gate, cond, part, then, otherwise } => {
                self.branch(tree, (*gate, *cond), part, [then, otherwise])
            }
            Item::Walk(walk) => self.walk(tree, walk),
            Item::Block(items) => braces(self.items(tree, items)),
            Item::Again(part) => self.tests(tree, part),
            &Item::Wrote(number, place, ref part) if part.stage <= self.stage => {
                self.wrote(tree, number, place, part)
            }
            Item::Wrote(..) => Vec::new(),
        }
    }

    /// Leaves the current iteration out of the part if it reads an object that the part will have written.
    fn tests(&self, tree: &mut Tree, part: &Part) -> Vec<Node> {
        let tests = part.tests.iter().filter(|test| test.stage == self.stage);
        tests.flat_map(|test| self.tested(tree, test)).collect()
    }

    fn tested(&self, tree: &mut Tree, test: &Test) -> Vec<Node> {
        let mut nodes = Vec::new();
        for of in self.written.iter().filter(|of| test.writes.contains(&of.write)) {
            for extent in [Some(of.part), of.before].into_iter().flatten() {
                let meets = Term::call(Primitive::ExtentMeets, object(tree, extent, test.e));
                nodes.push(match self.full {
                    Some(full) => when(meets, vec![Node::Assign(Slot::Made(full), Term::Num(1))]),
                    None => Node::Leave(meets),
                });
            }
        }
        nodes.extend(self.full.map(|full| Node::Leave(full.into())));
        nodes
    }

    /// Notes where the part will write.
    fn wrote(&self, tree: &mut Tree, number: usize, place: ExprId, part: &Part) -> Vec<Node> {
        let Some(written) = self.written.iter().find(|of| of.write == number) else { return Vec::new() };
        let mut nodes = self.tests(tree, part);
        nodes.push(Node::Do(Term::call(Primitive::ExtentAdd, object(tree, written.part, place))));
        nodes
    }

    /// Notes the private objects on which a value of this stage depends.
    fn inputs(&self, tree: &mut Tree, part: &Part) -> Vec<Node> {
        let Some(inputs) = self.inputs.filter(|_| part.stage == self.stage) else { return Vec::new() };
        let noted = |&e: &ExprId| {
            let (size, place) = (Term::Size(tree.typed.ty(e)), Term::Place(tree.copy_expr(e)));
            Node::Do(Term::call(Primitive::ExtentAdd, [Term::Ref(inputs), place, size]))
        };
        part.inputs.iter().map(noted).collect()
    }

    fn define(&self, tree: &mut Tree, define: &Define) -> Vec<Node> {
        let mut nodes = self.tests(tree, &define.part);
        if define.part.stage > self.stage {
            return nodes;
        }
        nodes.extend(self.inputs(tree, &define.part));
        let value = Term::Value(evaluated(tree, define.value, &define.part));
        nodes.push(match define.declared {
            true => Node::Assign(Slot::Sym(define.sym), value),
            false => Node::Define(define.sym, value),
        });
        nodes
    }

    fn read(&self, tree: &mut Tree, number: usize, part: &Part) -> Vec<Node> {
        let cut = &self.cuts.all[number];
        let mut nodes = if cut.used { self.tests(tree, part) } else { Vec::new() };
        if part.stage == self.stage && cut.used && !cut.once {
            nodes.extend(self.inputs(tree, part));
            nodes.push(self.request(tree, number, part));
        }
        nodes
    }

    /// Requests the object of a cut.
    fn request(&self, tree: &mut Tree, number: usize, part: &Part) -> Node {
        let cut = &self.cuts.all[number];
        let read = address(tree, cut);
        if part.guess {
            early::defined(tree, read);
        }
        let (waiting, met) = (self.waiting, self.met);
        if cut.cached && !cut.leads {
            return Node::StartCached { read, waiting, met };
        }
        let (buffer, at) = (self.buffers[number], self.at[cut.level]);
        if cut.late_here {
            return Node::Start { read, buffer, at, waiting, met };
        }
        let lost = self.full.filter(|_| part.guess);
        Node::Hold { read, buffer, at, waiting, met, lost }
    }

    fn branch(
        &self,
        tree: &mut Tree,
        (gate, cond): (Option<usize>, ExprId),
        part: &Part,
        [then, otherwise]: [&Block; 2],
    ) -> Vec<Node> {
        let mut nodes = self.tests(tree, part);
        if part.stage > self.stage {
            return nodes;
        }
        let (then, otherwise) = (self.items(tree, then), self.items(tree, otherwise));
        let first = part.stage == self.stage;
        if then.is_empty() && otherwise.is_empty() && !(first && gate.is_some()) {
            return nodes;
        }
        nodes.extend(self.inputs(tree, part));
        let mut test = || Term::Holds(evaluated(tree, cond, part));
        let test = match gate {
            None => test(),
            Some(gate) => {
                let (taken, at) = (self.taken[gate], self.at[part.level]);
                if first {
                    let twice = Term::Not(Box::new(Term::Not(Box::new(test()))));
                    nodes.push(Node::Assign(Slot::Element(taken, at), twice));
                }
                Term::Element(taken, at)
            }
        };
        if !then.is_empty() || !otherwise.is_empty() {
            nodes.push(Node::If { test, then, otherwise });
        }
        nodes
    }

    /// Walks a loop inside. The first stage that does so evaluates the loop's condition; later stages go as
    /// far as that one did. An iteration of the loop may write objects on which its head depends: these are
    /// tested before each iteration, and after the last.
    fn walk(&self, tree: &mut Tree, walk: &Walk) -> Vec<Node> {
        let mut nodes = self.tests(tree, &walk.part);
        if walk.part.stage > self.stage {
            return nodes;
        }
        let first = walk.part.stage == self.stage;
        let items = self.items(tree, &walk.items);
        if !first && items.is_empty() {
            return nodes;
        }
        let of = &self.cuts.loops[walk.number - 1];
        let (at, outer, ends) = (self.at[walk.number], self.at[of.outer], self.ends[walk.number - 1]);
        let (go, room) = match self.full.filter(|_| first) {
            Some(full) => {
                let cond = Term::Holds(evaluated(tree, of.cond, &walk.part));
                let none = Term::Not(Box::new(less(at.into(), Term::Name(self.cuts.depth(tree)))));
                let room = vec![Node::Assign(Slot::Made(full), none), Node::Leave(full.into())];
                (Term::Not(Box::new(full.into())).and(cond), room)
            }
            None => (less(at.into(), Term::Element(ends, outer)), Vec::new()),
        };
        let step = vec![Step::Next(at), Step::Effect(evaluated(tree, of.step, &walk.part))];
        nodes.extend(self.inputs(tree, &walk.part));
        nodes.push(Node::Define(of.var, Term::Value(evaluated(tree, of.first, &walk.part))));
        let body = [self.tests(tree, &walk.part), room, items].concat();
        nodes.push(Node::Loop(Loop { go, step, body, counts: None }));
        nodes.extend(self.tests(tree, &walk.part));
        if first {
            nodes.push(Node::Assign(Slot::Element(ends, outer), at.into()));
        }
        // The rest of an iteration that is left out is not evaluated.
        if self.stage == 0 && !self.written.is_empty() {
            nodes.extend(self.full.map(|full| Node::Leave(full.into())));
        }
        braces(nodes)
    }
}

/// Returns a copy of the read of a cut, which does not take the value from a buffer.
fn address(tree: &mut Tree, cut: &Cut) -> ExprId {
    let read = match tree.access(cut.e) {
        Some(&Access::Held { otherwise, .. }) => tree.copy_expr(otherwise),
        _ => tree.copy_expr(cut.e),
    };
    if cut.scattered && !cut.own {
        tree.scatter(read);
    }
    read
}

/// Returns an expression as a stage evaluates it.
fn evaluated(tree: &mut Tree, e: ExprId, part: &Part) -> ExprId {
    let copy = tree.copy_expr(e);
    if part.guess { early::defined(tree, copy) } else { copy }
}

/// Returns the nodes in a scope of their own.
fn braces(nodes: Vec<Node>) -> Vec<Node> {
    if nodes.is_empty() { nodes } else { vec![when(Term::Num(1), nodes)] }
}
