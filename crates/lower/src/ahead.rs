//! Loops that read ahead what lies on other hosts ([`opt::ahead`]).
//!
//! The loop becomes one over parts of it: a loop that starts the reads of a part's iterations, each into a room of its own,
//! a wait for all of them, and the iterations. Both loops count by the program's own variable. After a part in which nothing
//! was away the iterations run without that, until one has met something that is.

use crate::access::Place;
use crate::hosts::Hosts;
use crate::{Changes, Lower};
use c_syntax::ast::*;
use emit::{Piece, seq, splice};
use opt::ahead::Ahead;

/// A read that has been done ahead.
pub(crate) struct Fetched {
    pub(crate) read: ExprId,
    /// C text: what came, or the last arguments of `MER_PREFETCH_GET`.
    pub(crate) room: String,
    /// Whatever host it lies on: else what is on this host is read in its place.
    pub(crate) always: bool,
}

/// The names of a loop's variables.
struct State {
    /// Reads under way.
    waiting: String,
    /// The part at hand has been read ahead.
    ahead: String,
    /// Something in it is away.
    met: String,
}

impl Lower<'_> {
    /// The loop by its plan, if it has one and memory may lie on other hosts.
    pub(crate) fn ahead(&mut self, s: StmtId, changes: &mut Changes) -> bool {
        let plans = self.plans;
        let Some(plan) = plans.ahead.get(&s) else { return false };
        let own = plans.strided.contains_key(&s);
        if self.hosts != Hosts::Many || own {
            return false;
        }
        let StmtKind::For { cond: Some(cond), step: Some(step), body, .. } = self.unit.stmts[s].kind else {
            return false;
        };
        let var = self.typed.sym(plan.var).name.to_string();
        let first = self.first_clause(s);
        let go = self.condition(cond).flat();
        let step = self.effect(step).flat();
        let text = self.in_parts((&plan.once, &plan.reads), &var, (go, step, Piece::empty()), |lower| {
            let mut inner = Changes::new();
            lower.stmt(body, &mut inner);
            splice(lower.unit.stmts[body].span, inner)
        });
        changes.push((self.unit.stmts[s].span, seq!["{ ", first, text, " }"]));
        true
    }

    /// The loop of a privatised `upc_forall` over the rows q ... end - 1, whose iterations begin with `each`; by its
    /// plan to read ahead, if it has one and memory may lie on other hosts. In the `inside` of blocks neighbours are at hand.
    pub(crate) fn over_rows(
        &mut self,
        (s, inside): (StmtId, bool),
        (q, end): (&str, &str),
        each: &str,
        mut body: impl FnMut(&mut Self) -> Piece,
    ) -> Piece {
        let plans = self.plans;
        let at_hand = |e: &ExprId| inside && plans.forall[&s].near.contains_key(e);
        let plan = plans.ahead.get(&s).filter(|_| self.hosts == Hosts::Many);
        match plan.filter(|plan| !plan.reads.iter().all(at_hand)) {
            Some(Ahead { once, reads, .. }) => {
                let reads: Vec<ExprId> = reads.iter().copied().filter(|e| !at_hand(e)).collect();
                let (go, step) = (Piece::text(format!("{q} < {end}")), Piece::text(format!("{q}++")));
                let text = self.in_parts((once, &reads), q, (go, step, Piece::text(each)), body);
                seq!["{ ", text, " } "]
            }
            None => seq![format!("for (; {q} < {end}; {q}++) {{ {each}"), body(self), " } "],
        }
    }

    /// A loop that `counter` counts, part by part: while `go`, by `step`, each iteration beginning with `each`.
    fn in_parts(
        &mut self,
        (once, reads): (&[ExprId], &[ExprId]),
        counter: &str,
        (go, step, each): (Piece, Piece, Piece),
        mut body: impl FnMut(&mut Self) -> Piece,
    ) -> Piece {
        let outer = self.fetched.len();
        let (n, m, from) = (self.fresh("n"), self.fresh("m"), self.fresh("from"));
        let state =
            State { waiting: self.fresh("waiting"), ahead: self.fresh("ahead"), met: self.fresh("met") };
        let State { waiting, ahead, met } = &state;
        let mut head = format!(
            "int {waiting} = 0, {ahead} = 1, {met}; unsigned {n}, {m}; __typeof__({counter}) {from}; "
        );
        let once = self.read_once(once, &mut head);
        let starts = self.start_reads(reads, &n, &state, &mut head);
        for fetched in self.fetched[outer..].iter_mut().filter(|fetched| !fetched.always) {
            fetched.room = format!("{}[{m}], {ahead}, {met}", fetched.room);
        }
        let body = body(self);
        self.fetched.truncate(outer);
        seq![
            head,
            "while (",
            go.clone(),
            ") { ",
            once,
            format!(
                "{met} = 0; {n} = 0; if ({ahead}) {{ {from} = {counter}; for (; {n} < MER_PREFETCH_DEPTH && ("
            ),
            go.clone(),
            format!("); {n}++, "),
            step.clone(),
            ") { ",
            each.clone(),
            starts,
            format!("}} mer_remote_get_wait(&{waiting}); {counter} = {from}; }} "),
            format!("for ({m} = 0; {ahead} ? {m} < {n} : !{met} && {m} < MER_PREFETCH_PAUSE && ("),
            go,
            format!("); {m}++, "),
            step,
            ") { ",
            each,
            body,
            format!(" }} {ahead} = {met}; }}")
        ]
    }

    /// The reads that serve all iterations of a part.
    fn read_once(&mut self, once: &[ExprId], head: &mut String) -> Piece {
        let mut out = Piece::empty();
        for &e in once {
            let (room, ty) = (self.fresh("once"), self.type_text(self.typed.ty(e)));
            head.push_str(&format!("__typeof__({ty}) {room}; "));
            out = seq![out, format!("{room} = "), self.load(e).flat(), "; "];
            self.fetched.push(Fetched { read: e, room, always: true });
        }
        out
    }

    /// The starts of the reads of iteration `n` of a part.
    fn start_reads(&mut self, reads: &[ExprId], n: &str, state: &State, head: &mut String) -> Piece {
        let mut out = Piece::empty();
        for &e in reads {
            let Place::Shared { whole, bits, path } = self.place(e) else { continue };
            let (room, ty) = (self.fresh("room"), self.type_text(self.typed.ty(e)));
            head.push_str(&format!("__typeof__({ty}) {room}[MER_PREFETCH_DEPTH]; "));
            let path = crate::access::path_text(path);
            out = seq![
                out,
                format!("MER_PREFETCH_START({whole}, "),
                bits,
                ", ",
                path,
                format!(", {room}[{n}], {}, {}) ", state.waiting, state.met)
            ];
            self.fetched.push(Fetched { read: e, room, always: false });
        }
        out
    }

    /// What has been read ahead of the read `e`.
    pub(crate) fn fetched(&self, e: ExprId) -> Option<&Fetched> {
        let e = self.unit.bare(e);
        self.fetched.iter().find(|fetched| fetched.read == e)
    }
}
