//! Loops whose iterations follow the values that they read, for an unknown number of steps. They are read
//! ahead in rounds.
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
//! Each step of the inner loop waits for the previous one, but the chains of different iterations are
//! independent. So the loop goes in parts. Before a part runs, its iterations are *tried*: each trial starts
//! at the beginning of its iteration, and stops at a remote object that has not arrived. That object is
//! requested, and the next iteration is tried. After all iterations have been tried, the round waits for the
//! requested objects. Further rounds try the iterations that have not come to their end, until all have. The
//! cache of `runtime/rma/ahead/cache.c` keeps the objects, and the memory beside them. The iterations then
//! run, and find their objects there.
//!
//! *Why it is allowed.* A trial has no effects. It assigns only variables of the function, of which it has
//! its own copies, and leaves out the iteration's writes to memory. So it may take another path than the
//! iteration will, if that reads objects which earlier iterations write. This does no harm, by the rule of
//! [`crate::facts::early`]:
//!
//! - Addresses of private objects, and arguments, depend only on values that the loop does not write, and are
//!   computed under conditions that it does not write (`Find::strict`).
//! - A shared object is read only if its owner has memory there.
//! - Arithmetic is defined for all operands.
//!
//! The iterations run as they stand in the program, with the same accesses. An iteration may find its object
//! in the cache for the reasons that [`crate::remote::caching`] gives, no matter who has requested it. A
//! write of this thread changes the cache too.
//!
//! *It ends.* A trial is given up after some thousand reads and passes of inner loops, since an inner loop
//! may wait for another thread. The number of rounds is limited, too. The iterations of a part take no more
//! objects from the cache than its trials have read. So a loop that reads an object repeatedly, until another
//! thread has written it, comes to read the object itself.
//!
//! *When it does not pay.* An iteration may have much to compute before its reads. If trials take longer than
//! the waits that they save, the rest of the loop runs as it stands ([`Primitive::RoundsAgain`]).
//!
//! *Limits.*
//!
//! - UPC only; scalars, and structs of a few hundred bytes.
//! - Memory is written by statements that do nothing else.
//! - Called functions depend on their arguments alone.
//! - Each round tries an iteration from its beginning: long chains pay for their length, up to the limit of
//!   rounds.
//!
//! *Generated code.*
//!
//! ```text
//! for (; go; ) {
//!     if (state.fetched) {
//!         do { for each iteration of the part, if not done { try it; done } } while (again);
//!     }
//!     run the part's iterations, or, if nothing is remote, untried ones until one reads a remote object
//! }
//! ```

mod find;

use self::find::Find;
pub(super) use self::find::followed;
use super::cuts;
use super::iterations::Iterations;
use super::nodes::{Parts, declare, set, value, when};
use crate::facts::early;
use crate::ir::reason::Reason;
use crate::ir::tree::{Access, Loop, Node, Primitive, Slot as To, Term, Tree, Var, VarType};
use c_sema::typed::SymId;
use c_syntax::ast::*;

/// The reads that a loop does in rounds, and the parts of its body that a trial treats differently.
#[derive(Default)]
pub(super) struct Plan {
    /// Reads of objects that may be remote.
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
    /// The object, if its address depends on shared memory.
    place: Option<ExprId>,
    /// The right-hand side, if there is one.
    value: Option<ExprId>,
    /// Variables of the body that name the object. A trial mentions them, or the C compiler would find them
    /// unused.
    names: Vec<SymId>,
}

impl Plan {
    pub(super) fn summary(&self, tree: &Tree) -> String {
        let names: Vec<_> = self.reads.iter().map(|&e| cuts::root_text(tree, e)).collect();
        format!("rounds [{}]", names.join(" "))
    }
}

/// Plans a loop that contains loops which follow the values they read.
pub(super) fn plan(of: &Iterations) -> Result<Plan, Reason> {
    if followed(of.body.tree, of.body.stmt).is_empty() {
        return Err(Reason::NothingFollowed);
    }
    Find::plan(of)
}

/// Returns the rewritten loop, without its first clause.
pub(super) fn rewritten(tree: &mut Tree, plan: &Plan, parts: Parts) -> Vec<Node> {
    let [state, n, rows, from, done] = ["state", "n", "rows", "from", "done"].map(|what| tree.var(what));
    let trial = trial(tree, plan, parts.body, state, To::Element(done, n));
    for &e in &plan.reads {
        tree.mark(e, Access::Tried { state, stop: None });
    }
    let ask =
        |function: Primitive, more: Vec<Term>| Term::call(function, [vec![Term::Ref(state)], more].concat());
    let iterations = |tree: &mut Tree, go: Term, body: Node| {
        let go = go.and(parts.go(tree));
        [set(n, Term::Num(0)), parts.iterations(tree, n, go, vec![body])]
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

/// Returns a trial of the iteration with this body. The trial sets `done` if it comes to its end.
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
    // Each pass of an inner loop counts, since the loop may wait for a value that another thread, or an
    // iteration, has yet to write.
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
