//! Loops that read ahead what lies on other hosts ([`opt::ahead`]).
//!
//! The loop becomes one over parts of it: a loop that starts the reads of a part's iterations, each into a room of its own,
//! a wait for all of them, and the iterations. Both loops count by the program's own variable.

use crate::access::Place;
use crate::hosts::Hosts;
use crate::{Changes, Lower};
use c_syntax::ast::*;
use emit::{Piece, seq, splice};

/// A read that has been done ahead, and the C text that has what came.
pub(crate) struct Fetched {
    pub(crate) read: ExprId,
    pub(crate) room: String,
    /// Whatever host it lies on: else what is on this host is read in its place.
    pub(crate) always: bool,
}

impl Lower<'_> {
    /// The loop by its plan, if it has one and memory may lie on other hosts.
    pub(crate) fn ahead(&mut self, s: StmtId, changes: &mut Changes) -> bool {
        let plans = self.plans;
        let Some(plan) = plans.ahead.get(&s) else { return false };
        let own = plans.strided.contains_key(&s);
        if self.hosts != Hosts::Many || own || self.fetched.iter().any(|f| plan.reads.contains(&f.read)) {
            return false;
        }
        let StmtKind::For { cond: Some(cond), step: Some(step), body, .. } = self.unit.stmts[s].kind else {
            return false;
        };
        let outer = self.fetched.len();
        let (n, m, waiting, from) =
            (self.fresh("n"), self.fresh("m"), self.fresh("waiting"), self.fresh("from"));
        let var = self.typed.sym(plan.var).name.to_string();
        let first = self.first_clause(s);
        let mut head = format!("int {waiting} = 0; unsigned {n}, {m}; __typeof__({var}) {from}; ");
        let once = self.read_once(&plan.once, &mut head);
        let starts = self.start_reads(&plan.reads, &n, &waiting, &mut head);
        for fetched in &mut self.fetched[outer..] {
            if !fetched.always {
                fetched.room = format!("{}[{m}]", fetched.room);
            }
        }
        let (go, steps) = (self.condition(cond).flat(), self.effect(step).flat());
        let (again, on) = (self.condition(cond).flat(), self.effect(step).flat());
        let mut inner = Changes::new();
        self.stmt(body, &mut inner);
        self.fetched.truncate(outer);
        let body = splice(self.unit.stmts[body].span, inner);
        let text = seq![
            "{ ",
            first,
            head,
            "while (",
            go,
            ") { ",
            once,
            format!("{from} = {var}; for ({n} = 0; {n} < MER_AHEAD && ("),
            again,
            format!("); {n}++, "),
            on,
            ") { ",
            starts,
            format!("}} mer_away_finish(&{waiting}); {var} = {from}; for ({m} = 0; {m} < {n}; {m}++, "),
            steps,
            ") ",
            body,
            " } }"
        ];
        changes.push((self.unit.stmts[s].span, text));
        true
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
    fn start_reads(&mut self, reads: &[ExprId], n: &str, waiting: &str, head: &mut String) -> Piece {
        let mut out = Piece::empty();
        for &e in reads {
            let Place::Shared { whole, bits, path } = self.place(e) else { continue };
            let (room, ty) = (self.fresh("room"), self.type_text(self.typed.ty(e)));
            head.push_str(&format!("__typeof__({ty}) {room}[MER_AHEAD]; "));
            let path = crate::access::path_text(path);
            out = seq![
                out,
                format!("MER_START_AHEAD({whole}, "),
                bits,
                ", ",
                path,
                format!(", {room}[{n}], {waiting}) ")
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
