//! A loop over own rows that goes in parts: the copies for the next part are fetched while those of the
//! current part are used.
//!
//! ```text
//! for (stop = next = q; q < end; ) {
//!     take the copies that have been fetched;                    // none in the first turn
//!     from = q, stop = next, turn = !turn;
//!     if (stop < end) { next = stop + a part, or end; begin to fetch copies for stop ... next - 1 }
//!     for (; q < stop; q++) an iteration
//!     wait for the copies
//! }
//! ```

use crate::ir::tree::{Counting, Loop, Node, Primitive, Slot, Term, Tree, Var, VarType};
use crate::remote::sections::there;

/// The variables of such a loop.
pub(super) struct Parts {
    counting: Counting,
    /// The value that the program's variable gets before an iteration.
    value: Term,
    /// The limit of the loop's counter.
    end: Var,
    /// The beginning of the current part, if the loop goes by THREADS.
    pub(super) from: Option<Var>,
    /// The end of the current part, which is the beginning of the next one.
    pub(super) stop: Var,
    /// The end of the next part.
    pub(super) next: Var,
    /// Which of its two places each copy for the next part has.
    pub(super) turn: Var,
    /// A section has determined the length of a part.
    pub(super) told: bool,
}

impl Parts {
    pub(super) fn new(tree: &mut Tree, counting: Counting, value: Term, end: Var) -> Parts {
        let (from, stop) = (counting.turns.then(|| tree.var("from")), tree.var("stop"));
        Parts {
            counting,
            value,
            end,
            from,
            stop,
            next: tree.var("next"),
            turn: tree.var("turn"),
            told: false,
        }
    }

    /// Returns for the next part: the variable's first value, the number of values, and the step.
    pub(super) fn range(&self) -> [Term; 3] {
        let step = if self.counting.turns { Term::Name(Primitive::Threads) } else { Term::Num(1) };
        let ahead = Term::bin("-", self.stop.into(), self.counting.counter.into());
        let ahead = match self.counting.turns {
            true => Term::bin("*", ahead, Term::index(step.clone())),
            false => ahead,
        };
        let first = Term::bin("+", Term::index(self.value.clone()), ahead);
        let end = if self.told { self.next } else { self.end };
        [first, Term::bin("-", end.into(), self.stop.into()), step]
    }

    /// Makes the loop. `hand` takes the fetched copies, `get` begins to fetch the next ones, `versions` are
    /// the iterations.
    pub(super) fn in_turns(&self, l: &Loop, hand: Vec<Node>, get: Vec<Node>, versions: Node) -> Vec<Node> {
        let q = || Some(Term::Var(self.counting.counter));
        let index = |var, value| Node::Declare { var, ty: VarType::Index, value };
        let set = |var, value| Node::Assign(Slot::Made(var), value);
        let behind = Term::bin("<", self.stop.into(), self.end.into());
        let get = [vec![set(self.next, self.end.into())], get].concat();
        let mut body = hand;
        body.extend(self.from.map(|from| set(from, self.counting.counter.into())));
        body.extend([
            set(self.stop, self.next.into()),
            set(self.turn, Term::Not(Box::new(self.turn.into()))),
            Node::If { test: behind, then: get, otherwise: Vec::new() },
            versions,
            there(),
        ]);
        let mut out: Vec<Node> = self.from.map(|from| index(from, q())).into_iter().collect();
        out.extend([
            Node::Declare { var: self.turn, ty: VarType::Int, value: Some(Term::Num(0)) },
            index(self.stop, q()),
            index(self.next, q()),
            Node::Loop(Loop { go: l.go.clone(), step: Vec::new(), body, counts: None }),
        ]);
        out
    }
}
