//! Reads of shared objects after another thread's write, with no synchronisation between the two.
//!
//! A walk follows the statements that all threads run, with the writes since the last barrier. Every barrier,
//! fence, lock, strict access, library call that may synchronise, and call of a function of the program ends
//! the knowledge of all writes, and so does a loop that waits: one whose condition reads a shared object.
//!
//! Followed are the writes of which each object has one writer:
//!
//! - by all threads, to elements whose subscript depends on MYTHREAD, or on the iteration of a loop that
//!   deals its iterations out: `a[MYTHREAD]`, `upc_forall (…; &a[i]) a[i]`;
//! - by one thread, in a branch such as `if (MYTHREAD == 0)`.
//!
//! Only functions that all threads run are followed: `main`, and functions with a barrier or a collective
//! call. A read is reported if all threads read such an object, or each thread reads another one's. Objects
//! are compared by their names, so pointers and reads in branches are not reported.

mod finds;

use super::calls::{Callee, Program};
use super::form::Form;
use super::values::{Iterations, Share, Value, Values};
use crate::typed::{SymId, Typed};
use crate::visit::{self, Use, Visitor};
use base::{Code, Diagnostic, Span};
use c_syntax::ast::*;
use finds::Finds;
use rustc_hash::FxHashSet;

/// The most writes that are remembered.
const MOST_WRITES: usize = 16;

/// Returns the warnings for the body of a function.
pub(super) fn check(program: Program, values: &Values, sym: SymId, body: StmtId) -> Vec<Diagnostic> {
    let finds = Finds::of(program, body);
    if !program.is_main(sym) && finds.barriers == 0 {
        return Vec::new();
    }
    let mut walk = Walk {
        program,
        values,
        writes: Vec::new(),
        dealt: Vec::new(),
        place: Place::All,
        locked: false,
        selected: false,
        epoch: 0,
        finds,
        told: FxHashSet::default(),
        found: Vec::new(),
    };
    walk.stmt(body);
    walk.found
}

/// The threads that run a place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// All threads run it.
    All,
    /// One thread runs it, by this condition.
    One(ExprId),
    /// The place is in another branch.
    Other,
}

/// A step to an object.
#[derive(Clone, PartialEq)]
enum Step<'a> {
    Member(&'a str),
    Index(Value),
}

/// An object with a name, or a part of one.
#[derive(Clone, PartialEq)]
struct Object<'a> {
    base: SymId,
    steps: Vec<Step<'a>>,
}

/// A write since the last synchronisation.
#[derive(Clone)]
struct Write<'a> {
    object: Object<'a>,
    at: Span,
    /// The condition, if one thread writes.
    one: Option<ExprId>,
    /// The loop that deals out the writes, with its affinity.
    dealt: Option<Dealt<'a>>,
}

/// A loop that deals its iterations out.
#[derive(Clone, Copy, PartialEq)]
struct Dealt<'a> {
    at: StmtId,
    rule: Rule<'a>,
}

/// The rule by which iterations are dealt out.
#[derive(Clone, Copy, PartialEq)]
enum Rule<'a> {
    /// Iteration k is run by thread (k + n) % THREADS, for this number n.
    Cyclic(i128),
    /// Iteration k is run by the thread that has element k + n of the array with this text.
    Element(&'a str, i128),
    Unknown,
}

struct Walk<'a> {
    program: Program<'a>,
    values: &'a Values,
    writes: Vec<Write<'a>>,
    /// The loops around the place that deal their iterations out.
    dealt: Vec<Dealt<'a>>,
    place: Place,
    /// The thread holds a lock, or may hold one.
    locked: bool,
    /// Some threads may have left the function or a loop.
    selected: bool,
    /// The number of synchronisations so far.
    epoch: u32,
    finds: Finds<'a>,
    told: FxHashSet<Span>,
    found: Vec<Diagnostic>,
}

impl<'a> Visitor<'a> for Walk<'a> {
    fn unit(&self) -> &'a Unit {
        self.program.unit
    }

    fn typed(&self) -> &'a Typed {
        self.program.typed
    }

    fn stmt(&mut self, s: StmtId) {
        match self.program.unit.stmts[s].kind {
            StmtKind::If(c, then, otherwise) => self.branch(s, c, then, otherwise),
            StmtKind::For { init, cond, step, body } => {
                self.repeated(s, init, cond, step, body);
            }
            StmtKind::Forall { init, cond, step, body, .. } => {
                self.repeated(s, init, cond, step, body);
            }
            StmtKind::While(c, body) => {
                self.waiting(s);
                self.value(c);
                self.within(Place::Other, |walk| walk.stmt(body));
            }
            StmtKind::Do(body, c) => {
                self.waiting(s);
                self.stmt(body);
                self.value(c);
            }
            StmtKind::Barrier(..)
            | StmtKind::Fence
            | StmtKind::Asm { .. }
            | StmtKind::Return(_)
            | StmtKind::Label(..)
            | StmtKind::Case(..)
            | StmtKind::Default(_)
            | StmtKind::Goto(_)
            | StmtKind::GotoExpr(_) => {
                visit::walk_stmt(self, s);
                self.forget();
            }
            StmtKind::Switch(c, body) => {
                self.value(c);
                self.within(Place::Other, |walk| walk.stmt(body));
                self.forget();
            }
            _ => visit::walk_stmt(self, s),
        }
    }

    fn maybe(&mut self, exprs: &[ExprId]) {
        self.within(Place::Other, |walk| exprs.iter().for_each(|&e| walk.value(e)));
    }

    fn value(&mut self, e: ExprId) {
        match &self.program.unit.exprs[e].kind {
            ExprKind::Call(f, _) => {
                visit::walk_value(self, e);
                let callee = self.program.callee(*f);
                match callee {
                    Callee::Lock | Callee::Attempt => self.locked = true,
                    Callee::Unlock => self.locked = false,
                    _ => {}
                }
                if callee != Callee::Quiet {
                    self.forget();
                }
            }
            ExprKind::Split(..) => {
                visit::walk_value(self, e);
                self.forget();
            }
            _ => visit::walk_value(self, e),
        }
    }

    fn place(&mut self, e: ExprId, how: Use) {
        visit::walk_place(self, e);
        if !self.program.is_shared(e) {
            return;
        }
        let quals = self.program.typed.types.object_quals(self.program.typed.ty(e));
        if self.program.typed.is_strict(self.program.unit, e) || quals.is_volatile {
            if how != Use::Part {
                self.forget();
            }
            return;
        }
        let Some(object) = self.object(e) else { return };
        if matches!(how, Use::Read | Use::Update) && self.place == Place::All {
            self.read(&object, e);
        }
        if matches!(how, Use::Write | Use::Update) {
            self.write(object, e);
        }
    }
}

impl<'a> Walk<'a> {
    /// Called at a synchronisation.
    fn forget(&mut self) {
        self.writes.clear();
        self.epoch += 1;
    }

    fn within(&mut self, place: Place, walk: impl FnOnce(&mut Walk<'a>)) {
        let outer = std::mem::replace(&mut self.place, place);
        walk(self);
        self.place = outer;
    }

    fn branch(&mut self, s: StmtId, c: ExprId, then: StmtId, otherwise: Option<StmtId>) {
        self.value(c);
        let one = self.place == Place::All && self.selects_one(c);
        let before = self.epoch;
        self.within(if one { Place::One(c) } else { Place::Other }, |walk| walk.stmt(then));
        self.within(Place::Other, |walk| otherwise.iter().for_each(|&s| walk.stmt(s)));
        let left = self.finds.left.contains(&s);
        self.selected |= left && self.values.of(self.program, c).across.varies();
        if self.epoch != before || left {
            self.forget();
        }
    }

    /// Whether a condition holds on one thread: `MYTHREAD == n`, `!MYTHREAD`.
    fn selects_one(&self, c: ExprId) -> bool {
        let unit = self.program.unit;
        let is_me = |e: ExprId| {
            let form = self.values.of(self.program, e).form;
            form.is_some_and(|form| form.me.abs() == 1 && form.loops.is_empty())
        };
        let is_number = |e: ExprId| {
            let form = self.values.of(self.program, e).form;
            form.is_some_and(|form| form.linear().is_some())
        };
        match unit.exprs[unit.bare(c)].kind {
            ExprKind::Unary(UnOp::Not, a) => is_me(a),
            ExprKind::Binary(BinOp::Eq, a, b) => (is_me(a) && is_number(b)) || (is_me(b) && is_number(a)),
            _ => false,
        }
    }

    fn repeated(
        &mut self,
        s: StmtId,
        init: ForInit,
        cond: Option<ExprId>,
        step: Option<ExprId>,
        body: StmtId,
    ) {
        match init {
            ForInit::Expr(e) => self.value(e),
            ForInit::Decl(d) => self.decl(d),
            ForInit::None => {}
        }
        self.waiting(s);
        cond.iter().for_each(|&e| self.value(e));
        let rule = self.rule(s);
        let counts = self.values.loops.contains_key(&s);
        if let Some(rule) = rule {
            self.dealt.push(Dealt { at: s, rule });
        }
        let place = if counts || rule.is_some() { self.place } else { Place::Other };
        self.within(place, |walk| walk.stmt(body));
        self.within(Place::Other, |walk| step.iter().for_each(|&e| walk.value(e)));
        if rule.is_some() {
            self.dealt.pop();
        }
    }

    /// The rule by which a loop deals out its iterations.
    fn rule(&self, s: StmtId) -> Option<Rule<'a>> {
        let share = self.values.loops.get(&s).map(|loops| loops.share);
        let unit = self.program.unit;
        let StmtKind::Forall { affinity: Affinity::Expr(e), .. } = unit.stmts[s].kind else {
            return (share == Some(Share::Dealt)).then_some(Rule::Cyclic(0));
        };
        if share.is_none() {
            return Some(Rule::Unknown);
        }
        let counter = |e: ExprId| {
            let form = self.values.of(self.program, e).form?;
            let counts = form.me == 0 && form.loops == [(s, 1)] && form.base.threads == 0;
            counts.then_some(form.base.number)
        };
        if let Some(first) = counter(e) {
            return Some(Rule::Cyclic(first));
        }
        if let ExprKind::Unary(UnOp::Addr, of) = unit.exprs[unit.bare(e)].kind
            && let ExprKind::Index(a, i) = unit.exprs[unit.bare(of)].kind
        {
            let (array, index) = self.program.indexed(a, i);
            if let Some(first) = counter(index) {
                return Some(Rule::Element(self.program.text_of(array), first));
            }
        }
        Some(Rule::Unknown)
    }

    /// Called before a loop. Forgets all writes if the loop may wait for another thread.
    fn waiting(&mut self, s: StmtId) {
        if self.finds.waiting.contains(&s) {
            self.forget();
        }
    }

    /// The object that an expression designates, if it is found by a name.
    fn object(&self, e: ExprId) -> Option<Object<'a>> {
        let unit = self.program.unit;
        let e = unit.bare(e);
        match &unit.exprs[e].kind {
            ExprKind::Ident(_) => {
                let base = self.program.typed.symbol(e)?;
                let ty = self.program.typed.sym(base).ty;
                self.program.typed.types.is_shared(ty).then_some(Object { base, steps: Vec::new() })
            }
            ExprKind::Member { base, arrow: false, name } => {
                let mut object = self.object(*base)?;
                object.steps.push(Step::Member(&name.text));
                Some(object)
            }
            &ExprKind::Index(a, i) => {
                let (array, index) = self.program.indexed(a, i);
                if !self.program.typed.types.is_array(self.program.typed.ty(array)) {
                    return None;
                }
                let mut object = self.object(array)?;
                object.steps.push(Step::Index(self.values.of(self.program, index)));
                Some(object)
            }
            _ => None,
        }
    }

    fn write(&mut self, object: Object<'a>, e: ExprId) {
        let at = self.program.unit.exprs[e].span;
        // A thread that writes the object, too, may read its own value.
        let one = match self.place {
            Place::One(c) => Some(c),
            _ => None,
        };
        self.writes
            .retain(|write| write.object.base != object.base || write.one.is_none() || write.one == one);
        let forms = object.steps.iter().filter_map(|step| match step {
            Step::Index(value) => Some(value.form.as_ref()),
            Step::Member(_) => None,
        });
        let forms: Option<Vec<&Form>> = forms.collect();
        let Some(forms) = forms else { return };
        let by_me = forms.iter().filter(|form| form.me != 0).count();
        let dealt = self.dealt.iter().rev().find(|dealt| forms.iter().any(|form| is_counted(form, dealt.at)));
        let one = match self.place {
            Place::One(c) if by_me == 0 && self.dealt.is_empty() => Some(c),
            Place::All if by_me == 1 && self.dealt.is_empty() => None,
            Place::All if by_me == 0 && dealt.is_some_and(|dealt| dealt.rule != Rule::Unknown) => None,
            _ => return,
        };
        if self.writes.len() < MOST_WRITES && !self.locked && !self.selected {
            let dealt = if one.is_some() { None } else { dealt.copied() };
            self.writes.push(Write { object, at, one, dealt });
        }
    }

    fn read(&mut self, object: &Object<'a>, e: ExprId) {
        let at = self.program.unit.exprs[e].span;
        let hit = self.writes.iter().position(|write| write.at != at && self.meets(write, object));
        let Some(n) = hit else { return };
        let write = self.writes.remove(n);
        if !self.told.insert(at) {
            return;
        }
        let name = &self.program.typed.sym(object.base).name;
        let message = format!("`{name}` is read, but other threads may not have written it yet");
        let writes = match write.one {
            Some(_) => "is written by one thread here",
            None => "is written by all threads here, each its own part",
        };
        let everything = self.program.typed.types.language.everything();
        let barrier = if everything { "barrier()" } else { "upc_barrier" };
        let mut d = Diagnostic::warning(Code::DataRace, at, message)
            .label("may be the old value")
            .also(write.at, writes)
            .help(format!("write `{barrier};` between the write and the read"));
        d.clause = !everything;
        self.found.push(d);
    }

    /// Whether a thread that reads `read` certainly reads an object that another one has written by `write`.
    fn meets(&self, write: &Write, read: &Object) -> bool {
        if write.object.base != read.base || write.object.steps.len() != read.steps.len() {
            return false;
        }
        let mut crosses = write.one.is_some();
        for pair in write.object.steps.iter().zip(&read.steps) {
            match pair {
                (Step::Member(a), Step::Member(b)) if a == b => {}
                (Step::Index(a), Step::Index(b)) => match self.compare(write, a, b) {
                    Compared::Same => {}
                    Compared::Crosses => crosses = true,
                    Compared::Unknown => return false,
                },
                _ => return false,
            }
        }
        crosses
    }

    fn compare(&self, write: &Write, a: &Value, b: &Value) -> Compared {
        let Some(x) = &a.form else { return Compared::Unknown };
        if let (Some(ring), true) = (b.ring, *x == Form::me()) {
            let threads = self.program.typed.static_threads.map(i128::from);
            let own = ring == 0 || threads.is_some_and(|threads| ring % threads == 0);
            return if own { Compared::Unknown } else { Compared::Crosses };
        }
        let Some(y) = &b.form else { return Compared::Unknown };
        if x.me == 0 && x.loops.is_empty() {
            return if x == y { Compared::Same } else { Compared::Unknown };
        }
        let dealt = |form: &Form| self.dealt.iter().rev().find(|dealt| is_counted(form, dealt.at)).copied();
        match (dealt(y), write.dealt) {
            (None, _) if y.me == 0 => self.covers(x, y),
            (None, None) if y.me == x.me && x.loops.is_empty() && y.loops.is_empty() => {
                let away = y.base.minus(x.base);
                let most = self.program.typed.static_threads.map_or(2, i128::from);
                let distance = if away.threads == 0 { away.number } else { 0 };
                let other = distance != 0 && distance % x.me == 0 && (distance / x.me).abs() < most;
                if other { Compared::Crosses } else { Compared::Unknown }
            }
            (Some(reads), Some(writes)) => match (offset(x, writes), offset(y, reads)) {
                (Some((a, from)), Some((b, to))) if a == b && from != to => Compared::Crosses,
                _ => Compared::Unknown,
            },
            _ => Compared::Unknown,
        }
    }

    /// Whether all threads read an element by `y` that the threads write by `x`, with few and many threads.
    fn covers(&self, x: &Form, y: &Form) -> Compared {
        let one_by_one =
            |form: &Form| form.loops.iter().all(|&(_, factor)| factor == 1) && form.loops.len() <= 1;
        let counts: Vec<i128> = match self.program.typed.static_threads {
            Some(threads) => vec![threads.into()],
            None => vec![2, 3, 8],
        };
        let meet = |&threads: &i128| {
            let (Some(a), Some(b)) = (self.range(x, threads), self.range(y, threads)) else { return false };
            let stride = if x.loops.is_empty() { x.me.abs() } else { 1 };
            let first = if b.0 <= a.0 { a.0 } else { a.0 + (b.0 - a.0 + stride - 1) / stride * stride };
            first <= a.1 && first <= b.1
        };
        let known = one_by_one(y) && (x.loops.is_empty() || one_by_one(x) && (x.me == 0));
        if known && counts.iter().all(meet) { Compared::Crosses } else { Compared::Unknown }
    }

    /// The range of a form's values over all threads and iterations, for a number of threads. Of a loop whose
    /// end is not known the first iteration counts.
    fn range(&self, form: &Form, threads: i128) -> Option<(i128, i128)> {
        let mut high = form.base.at(threads);
        let mut low = high;
        let far = form.me * (threads - 1);
        (low, high) = (low + far.min(0), high + far.max(0));
        for (of, factor) in &form.loops {
            let loops: &Iterations = self.values.loops.get(of)?;
            let last = match loops.last.as_ref().and_then(Form::linear) {
                Some(last) => last.at(threads),
                None => 0,
            };
            if last < 0 {
                return None;
            }
            high += last.checked_mul(*factor)?;
        }
        Some((low, high))
    }
}

/// The relation of two subscripts.
enum Compared {
    /// The same element.
    Same,
    /// A thread reads an element that another thread writes.
    Crosses,
    Unknown,
}

/// For a subscript that is the counter of a loop plus a number: the array by which the loop deals out its
/// iterations, and the distance of the subscript from the one that decides.
fn offset<'a>(form: &Form, dealt: Dealt<'a>) -> Option<(Option<&'a str>, i128)> {
    let (array, first) = match dealt.rule {
        Rule::Cyclic(first) => (None, first),
        Rule::Element(array, first) => (Some(array), first),
        Rule::Unknown => return None,
    };
    let counted = form.loops == [(dealt.at, 1)] && form.base.threads == 0;
    counted.then_some((array, form.base.number - first))
}

fn is_counted(form: &Form, of: StmtId) -> bool {
    form.loops.iter().any(|(s, _)| *s == of)
}
