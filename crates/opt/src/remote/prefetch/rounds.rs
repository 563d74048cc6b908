//! Loops whose iterations follow what they read, nobody knows how far: they are read ahead in rounds.
//!
//! ```c
//! for (i = 0; i < n; i++) {
//!     shared node_t *p = bucket[hash(key[i])];
//!     while (p != NULL && p->key != key[i])
//!         p = p->next;
//!     found += p != NULL;
//! }
//! ```
//!
//! Each step of the inner loop waits for the one before, but the chains of different iterations have nothing
//! to do with each other. So the loop goes in parts. Before a part runs, its iterations are *tried*, each
//! from its beginning, until one needs a remote object that is not there: that is asked for, and the next
//! iteration is tried. When all have been, the round waits for what was asked for. Then those that have not
//! come to their end are tried again, by rounds, until all have. The objects are kept in the cache of
//! `runtime/rma/cache.c`, with what lies beside them; the iterations then run, and find theirs there.
//!
//! *Why it is allowed.* A trial has no effects. It assigns variables of the function alone, of which it
//! has its own; what the iteration would write to memory is left out. So it may go another way than the
//! iteration will, where that reads what iterations in front of it write. It does no harm then, by the
//! rule of [`crate::facts::early`]: private objects are found, and arguments made, of what the loop does not
//! write, and under conditions that it does not write (`Find::strict`); a shared object is looked at only
//! if its owner has memory there; arithmetic is defined for all operands. The iterations run as they stand
//! in the program, with the same accesses. That one may find its object in the cache is legal for the
//! reasons that [`crate::remote::caching`] gives, whoever has asked for it, and a write of this thread's
//! changes the cache too.
//!
//! *It ends.* A trial is given up after some thousand reads and turns of loops, since an inner loop may wait
//! for another thread; there are so many rounds at most. The iterations of a part take no more objects from
//! the cache than its trials have read. So what reads an object again and again, until another thread has
//! written it, comes to read it itself.
//!
//! *Where it does not pay.* Where trying takes several times as long as the messages, since an iteration has
//! much to compute in front of its reads, the rest of the loop runs as it stands
//! ([`Primitive::RoundsAgain`]).
//!
//! *Limits.* UPC; scalars, and structs of a few hundred bytes; what is written is written by statements that
//! do nothing else; of functions such as depend on their arguments alone. An iteration is tried from its
//! beginning each time: long chains pay for their length, up to the limit of rounds.
//!
//! *What it becomes.*
//!
//! ```text
//! for (; go; ) {
//!     if (state.fetched) {
//!         do { for each iteration of the part, if not done { try it; done } } while (again);
//!     }
//!     run the part's iterations, or, if nothing is remote, go on without until something is met that is
//! }
//! ```

mod find;

use self::find::Find;
pub(super) use self::find::followed;
use super::iterations::Iterations;
use super::parts::{Parts, declare, set, value, when};
use super::plan;
use crate::facts::early;
use crate::ir::reason::Reason;
use crate::ir::tree::{Access, Loop, Node, Primitive, Slot as To, Term, Tree, Var, VarType};
use c_sema::typed::SymId;
use c_syntax::ast::*;

/// What of a loop is read in rounds.
#[derive(Default)]
pub(super) struct Plan {
    /// The reads of what may be remote.
    reads: Vec<ExprId>,
    /// Statements that write memory: a trial leaves them out.
    writes: Vec<Write>,
    /// The bodies of the loops inside.
    loops: Vec<StmtId>,
    /// Variables of the function that an iteration assigns.
    assigned: Vec<SymId>,
}

/// A statement that writes memory.
struct Write {
    stmt: StmtId,
    /// The object, if finding it takes shared memory.
    place: Option<ExprId>,
    /// What it computes for it.
    value: Option<ExprId>,
    /// Variables of the body's own that name the object: the C compiler would miss a use of them.
    names: Vec<SymId>,
}

impl Plan {
    pub(super) fn summary(&self, tree: &Tree) -> String {
        let names: Vec<_> = self.reads.iter().map(|&e| plan::root_text(tree, e)).collect();
        format!("rounds [{}]", names.join(" "))
    }
}

/// The plan for a loop that has others in it which go on by what they read.
pub(super) fn plan(of: &Iterations) -> Result<Plan, Reason> {
    if followed(of.body.tree, of.body.stmt).is_empty() {
        return Err(Reason::NothingFollowed);
    }
    Find::plan(of)
}

/// What the loop becomes, from behind its first clause on.
pub(super) fn rewritten(tree: &mut Tree, plan: &Plan, parts: Parts) -> Vec<Node> {
    let [state, n, rows, from, done] = ["state", "n", "rows", "from", "done"].map(|what| tree.var(what));
    let trial = trial(tree, plan, parts.body, state, To::Element(done, n));
    for &e in &plan.reads {
        tree.mark(e, Access::Tried { state, stop: None });
    }
    let ask =
        |function: Primitive, more: Vec<Term>| Term::call(function, [vec![Term::Ref(state)], more].concat());
    let iterations = |tree: &mut Tree, go: Term, body: Node| {
        let (step, body) = (parts.step(tree, n), parts.each(tree, vec![body]));
        let go = go.and(parts.go(tree));
        [set(n, Term::Num(0)), Node::Loop(Loop { go, step, body, counts: None })]
    };
    let undone = ask(Primitive::RoundsUndone, vec![Term::Element(done, n)]);
    let [start, tried] =
        iterations(tree, ask(Primitive::RoundsRoom, vec![n.into()]), when(undone, vec![trial]));
    let again = ask(Primitive::RoundsAgain, Vec::new());
    let round = vec![
        start,
        tried,
        set(rows, n.into()),
        Node::Assign(parts.counter, from.into()),
        Node::Leave(Term::Not(Box::new(again))),
    ];
    let rounds = Node::Loop(Loop { go: Term::Num(1), step: Vec::new(), body: round, counts: None });
    let goes = ask(Primitive::RoundsGoes, vec![n.into(), rows.into()]);
    let [begin, run] = iterations(tree, goes, Node::Stmt(parts.body));
    let part = vec![
        set(rows, Term::Num(0)),
        when(ask(Primitive::RoundsPart, Vec::new()), vec![set(from, value(parts.counter)), rounds]),
        begin,
        run,
        Node::Do(ask(Primitive::RoundsNext, vec![rows.into()])),
    ];
    vec![
        declare(state, VarType::Rounds, Some(Term::Name(Primitive::RoundsNone))),
        declare(n, VarType::Unsigned, None),
        declare(rows, VarType::Unsigned, None),
        declare(from, VarType::Like(parts.counter), None),
        declare(done, VarType::Places, None),
        Node::Loop(Loop { go: parts.go(tree), step: Vec::new(), body: part, counts: None }),
    ]
}

/// A trial of the iteration with this body, which sets `done` if it comes to its end.
fn trial(tree: &mut Tree, plan: &Plan, body: StmtId, state: Var, done: To) -> Node {
    let stop = tree.var("stop");
    let copy = tree.copy(body);
    for &e in &plan.reads {
        tree.mark(copy.expr(e), Access::Tried { state, stop: Some(stop) });
    }
    for write in &plan.writes {
        let value = write.value.map(|e| Term::Value(copy.expr(e)));
        let place = write.place.map(|e| Term::Place(copy.expr(e)));
        let names = write.names.iter().map(|&sym| Term::Sym(sym));
        let terms = value.into_iter().chain(place).chain(names);
        let nodes = terms.map(|term| Node::Do(Term::call(Primitive::RoundsOf, [term]))).collect();
        tree.replace(copy.stmt_of(write.stmt), nodes);
    }
    // Each turn of a loop counts: it may go on by what another thread, or an iteration, has yet to write.
    for &body in &plan.loops {
        let body = copy.stmt_of(body);
        let turn = Node::Do(Term::call(Primitive::RoundsTurn, [Term::Ref(state), stop.into()]));
        let inner = match tree.nodes(body) {
            Some(nodes) => nodes.to_vec(),
            None => vec![Node::Stmt(tree.again(body))],
        };
        tree.replace(body, [vec![turn], inner].concat());
    }
    early::defined_in(tree, copy.stmt);
    let own = plan.assigned.iter().map(|&sym| Node::Shadow(sym));
    let body = own.chain([Node::Stmt(copy.stmt)]).collect();
    Node::Trial { stop, body, done }
}
