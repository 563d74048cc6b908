//! Walks over the elements of several processors, a processor at a time ([`opt::walk`]).
//!
//! In front of the loop stand its number of iterations and where each sequence of elements begins; then, if that
//! memory is in reach, a loop over the processors with one over their elements in it, and the loop as
//! written otherwise.

use crate::forall::{Active, Local};
use crate::hosts::Hosts;
use crate::{Changes, Lower};
use c_syntax::ast::*;
use emit::{Piece, seq, splice};
use opt::walk::{Counter, Stream, Walk};
use std::collections::HashMap;

/// Walks that go round the processors fewer times are run as written.
const FEWEST_TURNS: u32 = 4;

/// Names of what stands in front of the loop.
struct Names {
    /// First value of the counter, where it is an integer.
    lo: String,
    /// How many iterations.
    n: String,
    /// Where each stream begins.
    starts: Vec<String>,
}

impl Lower<'_> {
    /// The statement by its plan, if it has one that is not being followed already.
    pub(crate) fn walk(&mut self, s: StmtId, changes: &mut Changes) -> bool {
        let plans = self.plans;
        let Some(plan) = plans.walk.get(&s) else { return false };
        if self.walking.contains(&s) {
            return false;
        }
        self.walking.push(s);
        let names = Names {
            lo: self.fresh("lo"),
            n: self.fresh("n"),
            starts: plan.streams.iter().map(|_| self.fresh("start")).collect(),
        };
        let first = self.first_clause(s);
        let front = self.front(plan, &names);
        let fast = self.by_processor(s, plan, &names);
        let plain = self.as_written(s);
        self.walking.pop();
        let guard = guard(plan, &names);
        let text = seq!["{ ", first, front, format!("if ({guard}) {{ "), fast, " } else ", plain, " }"];
        changes.push((self.unit.stmts[s].span, text));
        true
    }

    /// The first clause of a `for`, as statements.
    pub(crate) fn first_clause(&mut self, s: StmtId) -> Piece {
        let unit = self.unit;
        let StmtKind::For { init, .. } = unit.stmts[s].kind else { return Piece::empty() };
        match init {
            ForInit::None => Piece::empty(),
            ForInit::Expr(e) => seq![self.effect(e).flat(), "; "],
            ForInit::Decl(d) => {
                let mut inner = Changes::new();
                self.decl(d, &mut inner);
                if self.is_rewritten(d) {
                    Piece::Seq(inner.into_iter().map(|(_, piece)| piece).collect())
                } else {
                    splice(unit.decls[d].span, inner).flat()
                }
            }
        }
    }

    /// The loop without its first clause.
    fn as_written(&mut self, s: StmtId) -> Piece {
        let unit = self.unit;
        let mut inner = Changes::new();
        match unit.stmts[s].kind {
            StmtKind::For { init, cond, step, body } => {
                match init {
                    ForInit::None => {}
                    ForInit::Expr(e) => inner.push((self.span(e), Piece::empty())),
                    ForInit::Decl(d) => inner.push((unit.decls[d].span, ";".into())),
                }
                cond.iter().for_each(|&c| self.change_condition(c, &mut inner));
                step.iter().for_each(|&e| self.change_effect(e, &mut inner));
                self.stmt(body, &mut inner);
            }
            _ => self.stmt(s, &mut inner),
        }
        splice(unit.stmts[s].span, inner)
    }

    /// The number of iterations and the beginnings of the streams.
    fn front(&mut self, plan: &Walk, names: &Names) -> Piece {
        let var = &self.typed.sym(plan.counter.var()).name;
        let Names { lo, n, .. } = names;
        let mut out = match plan.counter {
            Counter::Up { hi, inclusive, .. } => seq![
                format!("mer_i64 {lo} = (mer_i64){var}, {n} = (mer_i64)"),
                self.converted(hi).flat().paren(),
                format!(" + {} - {lo}; ", i32::from(inclusive))
            ],
            Counter::Down { .. } => Piece::text(format!("mer_i64 {n} = (mer_i64){var}; ")),
            Counter::Pointer { end, .. } => {
                let to = self.shared_target(end).expect("an end of elements");
                let size = self.elem_size(to);
                seq![
                    format!("mer_i64 {n} = mer_diff_c("),
                    self.converted(end).flat(),
                    format!(", {var}, {size}); ")
                ]
            }
        };
        if plan.turns {
            out = seq![out, format!("{n} = mer_ceildivt({n}); ")];
        }
        for (stream, start) in plan.streams.iter().zip(&names.starts) {
            let begins = self.beginning(stream, lo);
            out = seq![out, format!("mer_ptr {start} = "), begins, "; "];
        }
        out
    }

    fn beginning(&mut self, stream: &Stream, lo: &str) -> Piece {
        let size = self.elem_size(stream.elem);
        let name = &self.typed.sym(stream.sym).name;
        match stream.shift {
            None => Piece::text(name.to_string()),
            Some(shift) if stream.pointer => {
                Piece::text(format!("mer_add_c({name}, {lo} + {shift}, {size})"))
            }
            Some(shift) => {
                seq!["mer_elem_c(", self.native(stream.root), format!(", {lo} + {shift}, {size})")]
            }
        }
    }

    /// The loop over the processors; of a loop that steps by THREADS, the one over one processor's elements.
    fn by_processor(&mut self, s: StmtId, plan: &Walk, names: &Names) -> Piece {
        let (StmtKind::For { body, .. } | StmtKind::While(_, body)) = self.unit.stmts[s].kind else {
            return Piece::empty();
        };
        let (j, q, end) = (self.fresh("j"), self.fresh("q"), self.fresh("end"));
        let Names { lo, n, .. } = names;
        let rows: Vec<String> = plan.streams.iter().map(|_| self.fresh("row")).collect();
        let mut head = if plan.turns {
            format!("mer_i64 {end} = {n}; ")
        } else {
            format!(
                "for (mer_i64 {j} = 0; {j} < MER_THREADS; {j}++) {{ mer_i64 {end} = mer_ceildivt({n} - {j}); "
            )
        };
        for ((stream, start), row) in plan.streams.iter().zip(&names.starts).zip(&rows) {
            let (elem, size) = (self.type_text(stream.elem), self.elem_size(stream.elem));
            let at = if plan.turns { start.clone() } else { format!("mer_add_c({start}, {j}, {size})") };
            head += &format!("__typeof__({elem}) *{row} = mer_at({at}.bits); ");
        }
        // The variable goes along by addition: gcc does not make one of a product with THREADS.
        let k = self.fresh("k");
        if plan.uses_variable {
            let ahead = if plan.turns { String::new() } else { format!(" + {j}") };
            head += &format!("mer_u64 {k} = (mer_u64)({lo}{ahead}); ");
        }
        let along = if plan.uses_variable { format!(", {k} += MER_THREADS") } else { String::new() };
        head += &format!("for (mer_i64 {q} = 0; {q} < {end}; {q}++{along}) {{ ");
        if plan.uses_variable {
            let symbol = self.typed.sym(plan.counter.var());
            let (name, ty) = (&symbol.name, self.type_text(symbol.ty));
            head += &format!("{ty} {name} = ({ty}){k}; ");
        }
        let local = plan.places.iter().map(|(&e, &stream)| (e, Local::element(rows[stream].clone())));
        self.active.push(Active::new(local.collect::<HashMap<_, _>>(), q, plan.sums.clone()));
        let mut inner = Changes::new();
        let hosts = if plan.turns { self.hosts } else { Hosts::One };
        self.with_hosts(hosts, |lower| lower.stmt(body, &mut inner));
        let body = splice(self.unit.stmts[body].span, inner);
        self.active.pop();
        let close = if plan.turns { " } " } else { " } } " };
        seq![head, body, close, self.behind(plan, names)]
    }

    /// The values that the loop's variables have behind it.
    fn behind(&self, plan: &Walk, names: &Names) -> String {
        let Names { lo, n, .. } = names;
        let steps = if plan.turns { format!("{n} * (mer_i64)MER_THREADS") } else { n.clone() };
        let symbol = self.typed.sym(plan.counter.var());
        let (name, ty) = (&symbol.name, self.type_text(symbol.ty));
        let mut out = match plan.counter {
            Counter::Up { .. } => format!("{name} = ({ty})({lo} + {steps}); "),
            Counter::Down { last, .. } => format!("{name} = ({ty})({last}); "),
            Counter::Pointer { .. } => String::new(),
        };
        for (stream, start) in plan.streams.iter().zip(&names.starts).filter(|(s, _)| s.shift.is_none()) {
            let (name, size) = (&self.typed.sym(stream.sym).name, self.elem_size(stream.elem));
            out += &format!("{name} = mer_add_c({start}, {steps}, {size}); ");
        }
        out
    }
}

/// What must hold for the plan: enough to do, in memory that is in reach.
fn guard(plan: &Walk, names: &Names) -> String {
    let n = &names.n;
    let mut guard = if plan.turns {
        format!("{n} > 0")
    } else {
        format!("{n} >= {FEWEST_TURNS} * (mer_i64)MER_THREADS && !MER_HAS_REMOTE")
    };
    for start in &names.starts {
        let mine = if plan.turns { format!(" || mer_mine_ptr({start}.bits)") } else { String::new() };
        guard += &format!(" && (!mer_remote_global({start}.bits){mine})");
    }
    guard
}
