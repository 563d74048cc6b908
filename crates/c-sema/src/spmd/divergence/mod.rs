//! Barriers and collective calls that not all threads reach.
//!
//! The synchronisations after each statement, up to the end of the function, form a sequence. A branch whose
//! condition differs between threads is judged by the sequences of its two sides: the program is wrong if
//! these differ before both reach the text after the branch. A side that returns goes on to the end of the
//! function. The sequences are made from the end backwards, so the sides share the sequence of the text after
//! them.
//!
//! A call of a function of the unit stands for that function's sequence. An unknown function, a loop and a
//! branch that all threads take alike are single events, whose number is not known. Two sequences are
//! compared up to the first such event.

mod sequence;

use super::calls::{Callee, Program};
use super::values::{Across, Values};
use crate::typed::{SymId, Typed};
use crate::visit::{self, Visitor};
use base::{Code, Diagnostic, Span};
use c_syntax::ast::*;
use rustc_hash::{FxHashMap, FxHashSet};
use sequence::{Event, MOST_EVENTS, Seq, Site, before, difference, inside, is_same, unknown, up_to};

/// The deepest chain of calls that is followed.
const MOST_CALLS: usize = 64;

/// The checks of one unit, with the sequences of the functions that have been looked at.
pub(super) struct Divergence<'a> {
    program: Program<'a>,
    /// `None`: the function is being looked at.
    summaries: FxHashMap<SymId, Option<Vec<Site>>>,
    calls: usize,
    values: &'a FxHashMap<SymId, Values>,
    pub found: Vec<Diagnostic>,
}

impl<'a> Divergence<'a> {
    pub fn new(program: Program<'a>, values: &'a FxHashMap<SymId, Values>) -> Divergence<'a> {
        Divergence { program, summaries: FxHashMap::default(), calls: 0, values, found: Vec::new() }
    }

    /// Checks a function, unless a call of it has been met before.
    pub fn check(&mut self, sym: SymId) {
        if self.summaries.contains_key(&sym) {
            return;
        }
        self.summaries.insert(sym, None);
        let body = self.program.bodies[&sym];
        let all = self.values;
        let mut walk = Walk {
            checks: self,
            values: &all[&sym],
            around: Vec::new(),
            list: body,
            found: Vec::new(),
            sites: FxHashSet::default(),
            jumps: false,
        };
        let seq = walk.stmt(body, None);
        let jumps = walk.jumps;
        let found = if jumps { Vec::new() } else { walk.matched() };
        self.found.extend(found);
        let (sites, ends) = up_to(&seq, &None);
        let mut sites: Vec<Site> = sites.into_iter().take(MOST_EVENTS / 2).cloned().collect();
        if !ends || jumps || sites.len() == MOST_EVENTS / 2 {
            sites.push(unknown(self.program.unit.stmts[body].span));
        }
        self.summaries.insert(sym, Some(sites));
    }

    /// The events of a call of a function of the unit.
    fn called(&mut self, sym: SymId, at: Span) -> Vec<Site> {
        if self.calls < MOST_CALLS {
            self.calls += 1;
            self.check(sym);
            self.calls -= 1;
        }
        match self.summaries.get(&sym) {
            Some(Some(sites)) => {
                let name = &self.program.typed.sym(sym).name;
                // Branches and loops of the function may depend on the arguments.
                let as_called = |site: &Site| Site {
                    event: if site.event == Event::Some { Event::Unknown } else { site.event.clone() },
                    at,
                    name: name.clone(),
                    inside: site.inside.or(Some(site.at)),
                };
                sites.iter().map(as_called).collect()
            }
            _ => vec![unknown(at)],
        }
    }
}

/// A loop or switch around a statement: the sequences after `break` and `continue`.
struct Around {
    after: Seq,
    again: Option<Seq>,
}

/// A difference that has been found.
struct Found {
    diagnostic: Diagnostic,
    /// The statement list that has the branch.
    list: StmtId,
    /// The events of the side that alone has some, or of a loop.
    one_sided: Option<Vec<Event>>,
    condition: Box<str>,
}

/// A part of an expression: an event, or operands that are evaluated by a condition.
enum Item {
    Site(Site),
    Branch(ExprId, Vec<Item>, Vec<Item>),
}

/// The walk over a function.
struct Walk<'c, 'v, 'a> {
    checks: &'c mut Divergence<'a>,
    values: &'v Values,
    around: Vec<Around>,
    /// The innermost statement list around the statement.
    list: StmtId,
    found: Vec<Found>,
    /// The places that have been reported.
    sites: FxHashSet<Span>,
    /// The function has labels.
    jumps: bool,
}

impl<'a> Walk<'_, '_, 'a> {
    fn program(&self) -> Program<'a> {
        self.checks.program
    }

    /// The sequence from a statement to the end of the function, from the sequence after it.
    fn stmt(&mut self, s: StmtId, after: Seq) -> Seq {
        let unit = self.program().unit;
        let span = unit.stmts[s].span;
        match &unit.stmts[s].kind {
            StmtKind::Compound(list) => {
                let outer = std::mem::replace(&mut self.list, s);
                let seq = list.iter().rev().fold(after, |seq, &s| self.stmt(s, seq));
                self.list = outer;
                seq
            }
            &StmtKind::Decl(d) => {
                let mut items = Items::new(self.checks);
                items.decl(d);
                let items = items.list;
                self.items(items, after)
            }
            &StmtKind::Expr(e) => self.values(e, after),
            &StmtKind::If(c, then, otherwise) => {
                let one = self.stmt(then, after.clone());
                let other = match otherwise {
                    Some(s) => self.stmt(s, after.clone()),
                    None => after.clone(),
                };
                let seq = self.branch(c, one, other, after);
                self.values(Some(c), seq)
            }
            &StmtKind::While(c, body) => {
                let seq = self.looped(s, Some(c), &[], body, after);
                self.values(Some(c), seq)
            }
            &StmtKind::Do(body, c) => self.looped(s, Some(c), &[c], body, after),
            &StmtKind::For { init, cond, step, body } => {
                let parts: Vec<ExprId> = step.into_iter().collect();
                let seq = self.looped(s, cond, &parts, body, after);
                let seq = self.values(cond, seq);
                match init {
                    ForInit::Expr(e) => self.values(Some(e), seq),
                    _ => seq,
                }
            }
            &StmtKind::Forall { body, .. } => {
                let (seq, _) = self.body(&[], body, &after);
                self.opaque(seq, span, after, Event::Unknown)
            }
            &StmtKind::Switch(c, body) => {
                self.around.push(Around { after: after.clone(), again: None });
                let seq = self.stmt(body, after.clone());
                self.around.pop();
                let seq = self.opaque(seq, span, after, Event::Unknown);
                self.values(Some(c), seq)
            }
            &StmtKind::Case(_, _, body) | &StmtKind::Default(body) => {
                let seq = self.stmt(body, after);
                before(unknown(span), seq)
            }
            &StmtKind::Label(_, body) => {
                self.jumps = true;
                self.stmt(body, after)
            }
            StmtKind::Goto(_) | StmtKind::GotoExpr(_) => {
                self.jumps = true;
                before(unknown(span), None)
            }
            StmtKind::Continue => {
                let again = self.around.iter().rev().find_map(|around| around.again.clone());
                again.unwrap_or_default()
            }
            StmtKind::Break => match self.around.last() {
                Some(around) => before(Site { event: Event::Left, ..unknown(span) }, around.after.clone()),
                None => None,
            },
            &StmtKind::Return(e) => self.values(e, None),
            StmtKind::Barrier(kind, value) => {
                let value = value.and_then(|e| self.program().typed.constant(e));
                self.barrier(*kind, value, span, after)
            }
            StmtKind::Fence | StmtKind::Asm { .. } | StmtKind::Opaque | StmtKind::Error => after,
        }
    }

    fn barrier(&self, kind: BarrierKind, value: Option<i128>, span: Span, after: Seq) -> Seq {
        let word = match kind {
            BarrierKind::Notify => "upc_notify",
            BarrierKind::Wait => "upc_wait",
            BarrierKind::Barrier => "upc_barrier",
        };
        let at = Span::new(span.lo, span.lo + word.len() as u32);
        let site = |event| Site { event, at, name: word.into(), inside: None };
        let after = match kind {
            BarrierKind::Notify => after,
            BarrierKind::Wait | BarrierKind::Barrier => before(site(Event::Wait), after),
        };
        match kind {
            BarrierKind::Wait => after,
            BarrierKind::Notify | BarrierKind::Barrier => before(site(Event::Notify(value)), after),
        }
    }

    /// The sequence of expressions' calls, before the sequence after them.
    fn values(&mut self, e: Option<ExprId>, after: Seq) -> Seq {
        let Some(e) = e else { return after };
        let mut items = Items::new(self.checks);
        items.value(e);
        let items = items.list;
        self.items(items, after)
    }

    fn items(&mut self, items: Vec<Item>, after: Seq) -> Seq {
        items.into_iter().rev().fold(after, |seq, item| match item {
            Item::Site(site) if site.event == Event::Never => before(site, None),
            Item::Site(site) => before(site, seq),
            Item::Branch(c, one, other) => {
                let one = self.items(one, seq.clone());
                let other = self.items(other, seq.clone());
                self.branch(c, one, other, seq)
            }
        })
    }

    /// The sequence of a branch by a condition, whose sides have the sequences `one` and `other`. The
    /// operands of `&&` and `||` are branches themselves.
    fn branch(&mut self, c: ExprId, one: Seq, other: Seq, after: Seq) -> Seq {
        let unit = self.program().unit;
        match unit.exprs[unit.bare(c)].kind {
            ExprKind::Unary(UnOp::Not, a) => self.branch(a, other, one, after),
            ExprKind::Binary(BinOp::And, a, b) => {
                let inner = self.branch(b, one, other.clone(), after.clone());
                self.branch(a, inner, other, after)
            }
            ExprKind::Binary(BinOp::Or, a, b) => {
                let inner = self.branch(b, one.clone(), other, after.clone());
                self.branch(a, one, inner, after)
            }
            _ => self.side(c, one, other, after),
        }
    }

    /// The sequence of a branch by a condition without `&&` and `||`.
    fn side(&mut self, c: ExprId, one: Seq, other: Seq, after: Seq) -> Seq {
        let again = self.around.iter().rev().find_map(|around| around.again.clone());
        let mut joins = false;
        let (mut a, mut b) = (Vec::new(), Vec::new());
        for end in [Some(&after), again.as_ref(), Some(&None)].into_iter().flatten() {
            let ((x, one_ends), (y, other_ends)) = (up_to(&one, end), up_to(&other, end));
            (a, b, joins) = (x, y, is_same(end, &after));
            if one_ends && other_ends {
                break;
            }
            joins = false;
        }
        let ends = |list: &[&Site]| {
            list.iter().any(|site| site.event == Event::Never)
                && !list.iter().any(|site| site.event.synchronises())
        };
        if is_same(&one, &other) || ends(&a) {
            return other;
        }
        if ends(&b) {
            return one;
        }
        let across = self.values.of(self.program(), c).across;
        if across.varies()
            && let Some((x, y)) = difference(&a, &b)
        {
            self.differs(c, (&a, x), (&b, y), joins);
            return if a.len() >= b.len() { one } else { other };
        }
        let same =
            a.len() == b.len() && a.iter().zip(&b).all(|(x, y)| x.event.is_exact() && x.event == y.event);
        if same {
            return one;
        }
        let site = inside(&a).chain(inside(&b)).find(|site| site.event.synchronises());
        let doubt = inside(&a).chain(inside(&b)).any(|site| site.event == Event::Unknown);
        let rest = if joins { after } else { before(unknown(self.program().unit.exprs[c].span), None) };
        match site {
            Some(site) => before(Site { event: Event::Some, ..site.clone() }, rest),
            None if joins && doubt => before(unknown(self.program().unit.exprs[c].span), rest),
            None if joins || doubt => rest,
            // One side leaves the loop or the function.
            None if a.iter().any(|site| site.event == Event::Again) => one,
            None => other,
        }
    }

    /// The sequence of a loop's body, which ends with the next iteration, and that end.
    fn body(&mut self, rest: &[ExprId], body: StmtId, after: &Seq) -> (Seq, Seq) {
        let site = Site { event: Event::Again, ..unknown(self.program().unit.stmts[body].span) };
        let again = before(site, None);
        let next = rest.iter().rev().fold(again.clone(), |seq, &e| self.values(Some(e), seq));
        self.around.push(Around { after: after.clone(), again: Some(next.clone()) });
        let seq = self.stmt(body, next);
        self.around.pop();
        (seq, again)
    }

    /// The sequence of loop `s` with condition `c`. `rest` are the expressions after its body.
    fn looped(&mut self, s: StmtId, c: Option<ExprId>, rest: &[ExprId], body: StmtId, after: Seq) -> Seq {
        let (seq, again) = self.body(rest, body, &after);
        let (sites, _) = up_to(&seq, &again);
        let site = inside(&sites).find(|site| site.event.is_exact());
        if let (Some(c), Some(site)) = (c, site)
            && (self.values.of(self.program(), c).across == Across::Differs
                || self.values.trips_differ(self.program(), s))
        {
            let message = format!("`{}` is reached more often by some threads than by others", site.name);
            if let Some(found) =
                self.report(c, site, None, message, "runs for different numbers of iterations")
            {
                found.one_sided = Some(vec![site.event.clone()]);
            }
        }
        let span = self.program().unit.stmts[body].span;
        self.opaque(seq, span, after, Event::Some)
    }

    /// The sequence of a statement whose number of events is not known: `event` stands for them.
    fn opaque(&mut self, seq: Seq, span: Span, after: Seq, event: Event) -> Seq {
        let (sites, _) = up_to(&seq, &after);
        let found = inside(&sites).find(|site| site.event.synchronises());
        match (found, inside(&sites).any(|site| site.event == Event::Unknown)) {
            (Some(site), _) => before(Site { event, ..site.clone() }, after),
            (None, true) => before(unknown(span), after),
            (None, false) => after,
        }
    }

    /// Reports the first difference of the two sides of a branch.
    fn differs(
        &mut self,
        c: ExprId,
        (a, x): (&[&Site], Option<&Site>),
        (b, y): (&[&Site], Option<&Site>),
        joins: bool,
    ) {
        match (x, y) {
            (Some(x), Some(y)) if x.name == y.name && x.inside.is_none() && y.inside.is_none() => {
                let message = format!("threads reach a `{}` with another value", x.name);
                self.report(c, x, Some(y), message, "");
            }
            (Some(x), Some(y)) => {
                let message = format!("threads that reach `{}` meet others in `{}`", x.name, y.name);
                self.report(c, x, Some(y), message, "");
            }
            (Some(site), None) | (None, Some(site)) => {
                let message = format!("`{}` is not reached by all threads", site.name);
                let (events, others) = if x.is_some() { (a, b) } else { (b, a) };
                if let Some(found) = self.report(c, site, None, message, "")
                    && joins
                    && others.is_empty()
                {
                    found.one_sided = Some(events.iter().map(|site| site.event.clone()).collect());
                }
            }
            (None, None) => {}
        }
    }

    /// Adds a report, unless the place has one.
    fn report(
        &mut self,
        c: ExprId,
        site: &Site,
        other: Option<&Site>,
        message: String,
        label: &str,
    ) -> Option<&mut Found> {
        let program = self.program();
        if !self.sites.insert(site.at) {
            return None;
        }
        let waits = match other {
            Some(_) => "all threads must reach the same one",
            None => "waits for all threads",
        };
        let label = if label.is_empty() { "differs between threads" } else { label };
        let mut d = Diagnostic::warning(Code::Divergence, site.at, message)
            .label(waits)
            .also(program.unit.exprs[c].span, label);
        if let Some(other) = other {
            d = d.also(other.at, "the other threads are here");
        }
        if let Some(inside) = site.inside {
            d = d.also(inside, "is called here");
        }
        d.clause = !program.typed.types.language.everything();
        d = d.help("let all threads reach it: move it out of the branch or loop");
        let condition = program.text_of(c).into();
        self.found.push(Found { diagnostic: d, list: self.list, one_sided: None, condition });
        self.found.last_mut()
    }

    /// The messages, except those about branches and loops that complete each other: `if (MYTHREAD == 0)
    /// upc_barrier;` and `if (MYTHREAD != 0) upc_barrier;` in one list of statements.
    fn matched(self) -> Vec<Diagnostic> {
        let mut sides: FxHashMap<(StmtId, &[Event]), FxHashSet<&str>> = FxHashMap::default();
        for found in &self.found {
            if let Some(events) = &found.one_sided {
                sides.entry((found.list, events)).or_default().insert(&found.condition);
            }
        }
        let completed = |found: &Found| match &found.one_sided {
            Some(events) => sides[&(found.list, events.as_slice())].len() > 1,
            None => false,
        };
        self.found.iter().filter(|found| !completed(found)).map(|found| found.diagnostic.clone()).collect()
    }
}

/// The events of the calls in an expression.
struct Items<'c, 'a> {
    checks: &'c mut Divergence<'a>,
    list: Vec<Item>,
}

impl<'c, 'a> Items<'c, 'a> {
    fn new(checks: &'c mut Divergence<'a>) -> Items<'c, 'a> {
        Items { checks, list: Vec::new() }
    }

    fn part(&mut self, e: ExprId) -> Vec<Item> {
        let outer = std::mem::take(&mut self.list);
        self.value(e);
        std::mem::replace(&mut self.list, outer)
    }

    fn push(&mut self, c: ExprId, one: Vec<Item>, other: Vec<Item>) {
        if !(one.is_empty() && other.is_empty()) {
            self.list.push(Item::Branch(c, one, other));
        }
    }
}

impl<'a> Visitor<'a> for Items<'_, 'a> {
    fn unit(&self) -> &'a Unit {
        self.checks.program.unit
    }

    fn typed(&self) -> &'a Typed {
        self.checks.program.typed
    }

    /// A statement of a statement expression: a barrier in it counts, whatever is around it.
    fn stmt(&mut self, s: StmtId) {
        match self.unit().stmts[s].kind {
            StmtKind::Barrier(..) | StmtKind::Goto(_) | StmtKind::Return(_) => {
                self.list.push(Item::Site(unknown(self.unit().stmts[s].span)));
            }
            _ => visit::walk_stmt(self, s),
        }
    }

    fn value(&mut self, e: ExprId) {
        let program = self.checks.program;
        match &program.unit.exprs[e].kind {
            &ExprKind::Binary(op @ (BinOp::And | BinOp::Or), a, b) => {
                self.value(a);
                let skipped = self.part(b);
                match op {
                    BinOp::And => self.push(a, skipped, Vec::new()),
                    _ => self.push(a, Vec::new(), skipped),
                }
            }
            &ExprKind::Cond(c, a, b) => {
                self.value(c);
                let one = a.map_or(Vec::new(), |a| self.part(a));
                let other = self.part(b);
                self.push(c, one, other);
            }
            ExprKind::Call(f, args) => {
                args.iter().for_each(|&a| self.value(a));
                let at = program.place(*f, args);
                let site = |event, name: &str| Site { event, at, name: name.into(), inside: None };
                match program.callee(*f) {
                    Callee::Collective(name) => {
                        self.list.push(Item::Site(site(Event::Call(name.into()), name)));
                    }
                    Callee::Ends => self.list.push(Item::Site(site(Event::Never, ""))),
                    Callee::Body(sym) => {
                        self.list.extend(self.checks.called(sym, at).into_iter().map(Item::Site));
                    }
                    Callee::Unknown => self.list.push(Item::Site(unknown(at))),
                    Callee::Lock | Callee::Unlock | Callee::Attempt | Callee::Syncs | Callee::Quiet => {}
                }
            }
            _ => visit::walk_value(self, e),
        }
    }
}
