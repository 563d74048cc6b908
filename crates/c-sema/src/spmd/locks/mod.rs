//! Locks that are kept on a path out of a function or iteration, taken twice, or taken in both orders.
//!
//! A walk follows a function's statements in their order with the locks that this thread certainly holds. A
//! lock is known by its expression: a name, members, and subscripts that are constants or names. An
//! assignment to one of these names, and a call that may lock or unlock, end the knowledge of it.
//!
//! - Kept on a path: the function takes the lock, leaves here with it, and unlocks it later in its text. A
//!   function that only locks is a wrapper, and right; so is every function of a unit in which another
//!   unlocks alone.
//! - Taken twice: the thread certainly holds the lock, so it waits for itself.
//! - Another is unlocked: the function unlocks a lock that it never takes, and takes one that the unit never
//!   unlocks.
//! - Taken in both orders: one branch takes a lock while it holds a second, another the second while it holds
//!   the first, with no barrier between.
//! - Held at a barrier: all threads take the same lock, and wait for all threads before they unlock it.
//!
//! Functions with labels are not followed.

mod uses;

use super::calls::{Callee, Program};
use super::values::Values;
use crate::typed::{SymId, SymKind, Typed};
use crate::visit::{self, Use, Visitor};
use base::{Code, Diagnostic, Span};
use c_syntax::ast::*;
use rustc_hash::{FxHashMap, FxHashSet};
use uses::{Key, Sources, Step, Uses, What, key, what};

/// The most locks that a thread is followed with.
const MOST_HELD: usize = 8;

/// A lock that the thread holds.
#[derive(Clone, Debug)]
struct Held {
    key: Key,
    at: Span,
    /// All threads take it.
    by_all: bool,
}

/// The facts about the unit.
pub(super) struct Locks<'a> {
    program: Program<'a>,
    /// The functions of the unit that do not lock or unlock, even in the functions that they call.
    harmless: FxHashMap<SymId, bool>,
    /// Names of locks, and whether every value comes from `upc_all_lock_alloc`.
    common: FxHashMap<SymId, bool>,
    /// The names in arguments of `upc_unlock`.
    unlocked: FxHashSet<SymId>,
    /// A function unlocks, and takes no lock: another may leave with a lock for it.
    hands_over: bool,
}

impl<'a> Locks<'a> {
    pub fn new(program: Program<'a>) -> Locks<'a> {
        let mut sources = Sources::new(program);
        let mut hands_over = false;
        for &item in &program.unit.items {
            match program.unit.decls[item].kind {
                DeclKind::Function { body, .. } => {
                    (sources.locks, sources.unlocks) = (false, false);
                    sources.stmt(body);
                    hands_over |= sources.unlocks && !sources.locks;
                }
                _ => sources.decl(item),
            }
        }
        let Sources { common, unlocked, .. } = sources;
        Locks { program, harmless: FxHashMap::default(), common, unlocked, hands_over }
    }

    /// Returns the warnings for the body of a function.
    pub fn check(&mut self, sym: SymId, body: StmtId, values: &Values) -> Vec<Diagnostic> {
        let uses = Uses::of(self.program, body);
        if uses.labels || !uses.events.iter().any(|event| matches!(event, What::Lock(_))) {
            return Vec::new();
        }
        for event in &uses.events {
            if let What::Call(sym) = event {
                self.is_harmless(*sym);
            }
        }
        let mut walk = Walk {
            main: self.program.is_main(sym),
            locks: self,
            values,
            uses: &uses,
            held: Vec::new(),
            half: Vec::new(),
            pairs: Vec::new(),
            varying: 0,
            side: 0,
            nested: 0,
            selected: false,
            left: false,
            around: Vec::new(),
            told: FxHashSet::default(),
            found: Vec::new(),
        };
        walk.stmt(body);
        walk.end(body);
        walk.found
    }

    /// Whether a function of the unit neither locks nor unlocks, nor may call one that does.
    fn is_harmless(&mut self, sym: SymId) -> bool {
        if let Some(&known) = self.harmless.get(&sym) {
            return known;
        }
        // Functions that call each other, and long chains of calls, count as ones that lock.
        self.harmless.insert(sym, false);
        let uses = Uses::of(self.program, self.program.bodies[&sym]);
        let harmless = uses.events.iter().all(|event| match event {
            What::Call(sym) => self.is_harmless(*sym),
            _ => false,
        });
        self.harmless.insert(sym, harmless);
        harmless
    }
}

/// A loop or switch around the place.
struct Around {
    at: StmtId,
    /// `break` leaves it, but `continue` does not go on with it.
    switch: bool,
    /// The locks held when it begins.
    held: Vec<Held>,
}

/// A lock that is taken while another is held.
struct Pair {
    outer: Key,
    inner: Key,
    at: Span,
    /// All locks that are held.
    held: Vec<Key>,
    /// The side of a branch that differs between threads.
    side: u32,
}

struct Walk<'l, 'a> {
    locks: &'l mut Locks<'a>,
    values: &'l Values,
    uses: &'l Uses<'a>,
    main: bool,
    held: Vec<Held>,
    /// Locks that one side of a branch before has unlocked, and the other side has not.
    half: Vec<Held>,
    /// Locks taken while another is held.
    pairs: Vec<Pair>,
    /// The number of branches around the place whose condition differs between threads.
    varying: u32,
    /// The place of the innermost of their sides around the place.
    side: u32,
    /// The number of branches and loops around the place.
    nested: u32,
    /// Some threads may have left the function before.
    selected: bool,
    left: bool,
    around: Vec<Around>,
    told: FxHashSet<Span>,
    found: Vec<Diagnostic>,
}

impl<'a> Visitor<'a> for Walk<'_, 'a> {
    fn unit(&self) -> &'a Unit {
        self.locks.program.unit
    }

    fn typed(&self) -> &'a Typed {
        self.locks.program.typed
    }

    fn stmt(&mut self, s: StmtId) {
        match self.unit().stmts[s].kind {
            StmtKind::If(c, then, otherwise) => self.branch(c, then, otherwise),
            StmtKind::For { .. }
            | StmtKind::Forall { .. }
            | StmtKind::While(..)
            | StmtKind::Do(..)
            | StmtKind::Switch(..) => self.repeated(s),
            StmtKind::Case(..) | StmtKind::Default(_) => {
                let entry = self.around.last().map_or(Vec::new(), |around| around.held.clone());
                let through = std::mem::replace(&mut self.held, entry);
                if !self.left {
                    self.held.retain(|held| through.iter().any(|other| other.key == held.key));
                }
                self.left = false;
                visit::walk_stmt(self, s);
            }
            StmtKind::Return(_) => {
                visit::walk_stmt(self, s);
                if !self.left {
                    self.leaves(self.unit().stmts[s].span, "this `return`");
                }
                self.left = true;
            }
            StmtKind::Break | StmtKind::Continue => self.jump(s),
            StmtKind::Barrier(kind, _) => {
                visit::walk_stmt(self, s);
                if kind != BarrierKind::Notify {
                    let span = self.unit().stmts[s].span;
                    let at = Span::new(span.lo, span.lo + if kind == BarrierKind::Wait { 8 } else { 11 });
                    self.waits(at, "waits here for all threads");
                }
                self.pairs.clear();
            }
            _ => visit::walk_stmt(self, s),
        }
    }

    fn value(&mut self, e: ExprId) {
        match &self.unit().exprs[e].kind {
            ExprKind::Call(f, args) => {
                visit::walk_value(self, e);
                self.call(e, *f, args);
            }
            _ => visit::walk_value(self, e),
        }
    }

    fn maybe(&mut self, exprs: &[ExprId]) {
        let before: Vec<Held> = self.held.clone();
        let left = self.left;
        self.nested += 1;
        exprs.iter().for_each(|&e| self.value(e));
        self.nested -= 1;
        self.left = left;
        self.held.retain(|held| before.iter().any(|other| other.at == held.at));
    }

    fn decl(&mut self, d: DeclId) {
        visit::walk_decl(self, d);
        if let DeclKind::Vars { items, .. } = &self.unit().decls[d].kind {
            for item in items {
                self.typed().declared(item.declarator).into_iter().for_each(|sym| self.assigned(sym));
            }
        }
    }

    fn place(&mut self, e: ExprId, how: Use) {
        if matches!(how, Use::Write | Use::Update)
            && let Some(key) = key(self.locks.program, e)
        {
            self.assigned(key.base);
        }
        visit::walk_place(self, e);
    }
}

impl<'a> Walk<'_, 'a> {
    fn span(&self, e: ExprId) -> Span {
        self.unit().exprs[e].span
    }

    /// Forgets the locks whose expressions have an assigned name.
    fn assigned(&mut self, sym: SymId) {
        let has = |key: &Key| key.base == sym || key.path.contains(&Step::Name(sym));
        self.held.retain(|held| !has(&held.key));
        self.half.retain(|held| !has(&held.key));
        self.pairs.retain(|pair| !has(&pair.outer) && !has(&pair.inner));
    }

    /// Forgets the locks whose expressions a called function may change.
    fn changed(&mut self) {
        let typed = self.typed();
        let common = &self.locks.common;
        let stays = |key: &Key| {
            let local = !typed.sym(key.base).file_scope;
            key.path.is_empty() && (local || common.get(&key.base) == Some(&true))
        };
        self.held.retain(|held| stays(&held.key));
        self.half.retain(|held| stays(&held.key));
    }

    fn forget(&mut self) {
        self.held.clear();
        self.half.clear();
        self.pairs.clear();
    }

    fn call(&mut self, e: ExprId, f: ExprId, args: &[ExprId]) {
        let program = self.locks.program;
        let callee = program.callee(f);
        if callee == Callee::Ends {
            self.left = true;
        }
        if let Callee::Collective(name) = callee {
            self.pairs.clear();
            if name == "barrier" {
                self.waits(self.span(e), "waits here for all threads");
            }
        }
        match what(program, f, args) {
            Some(What::Lock(Some(key))) => self.lock(e, key),
            Some(What::Unlock(Some(key))) => self.unlock(e, key),
            Some(What::Attempt(Some(key))) => {
                self.held.retain(|held| held.key != key);
                self.half.retain(|held| held.key != key);
            }
            Some(What::Lock(None) | What::Attempt(None)) | None => {}
            Some(What::Call(sym)) => {
                if !self.locks.is_harmless(sym) {
                    self.forget();
                }
                self.changed();
            }
            Some(What::Unlock(None) | What::Unknown) => self.forget(),
        }
    }

    fn lock(&mut self, e: ExprId, key: Key) {
        let program = self.locks.program;
        let (at, lock) = (self.span(e), self.shown(e));
        if self.left {
            return;
        }
        if let Some(held) = self.held.iter().find(|held| held.key == key) {
            let d = Diagnostic::warning(Code::LockUse, at, format!("lock `{lock}` is taken twice"))
                .label("waits for ever: this thread holds the lock")
                .also(held.at, "is taken here")
                .help("unlock it before, or take it once");
            self.held.retain(|held| held.key != key);
            return self.report(d);
        }
        let names: Vec<Key> = self.held.iter().map(|held| held.key.clone()).collect();
        for outer in names.iter().filter(|outer| self.is_common(outer) && self.is_common(&key)) {
            let other = self.pairs.iter().find(|pair| {
                let one_thread = self.side != 0 && pair.side == self.side;
                let gated = pair.held.iter().any(|gate| *gate != pair.outer && names.contains(gate));
                pair.outer == key && pair.inner == *outer && !gated && !one_thread
            });
            if let Some(before) = other.map(|pair| pair.at) {
                let (a, b) = (&program.typed.sym(outer.base).name, &program.typed.sym(key.base).name);
                let message = format!("locks `{a}` and `{b}` are taken in both orders");
                let d = Diagnostic::warning(Code::LockUse, at, message)
                    .label(format!("takes `{b}` while it holds `{a}`"))
                    .also(before, format!("takes `{a}` while it holds `{b}`"))
                    .note("two threads can wait for each other's lock for ever")
                    .help("take the locks in the same order everywhere");
                self.report(d);
                break;
            }
        }
        for outer in &names {
            let (outer, inner, held) = (outer.clone(), key.clone(), names.clone());
            self.pairs.push(Pair { outer, inner, at, held, side: self.side });
        }
        self.pairs.truncate(4 * MOST_HELD);
        if self.held.len() < MOST_HELD {
            self.held.push(Held { key, at, by_all: self.nested == 0 && !self.selected });
        }
    }

    fn unlock(&mut self, e: ExprId, key: Key) {
        let plain = |key: &Key| {
            let symbol = self.typed().sym(key.base);
            key.path.is_empty() && symbol.kind != SymKind::Param
        };
        let locks = |k: &Key| self.uses.takes_unknown || self.uses.locks.contains(k);
        let unlocks = |k: &Key| self.uses.unlocks_unknown || self.uses.unlocks.contains_key(k);
        let own = |k: &Key| self.locks.common.get(&k.base).copied().unwrap_or(true);
        let kept = |k: &Key| !self.locks.unlocked.contains(&k.base);
        if plain(&key) && own(&key) && !locks(&key) {
            let other = self
                .held
                .iter()
                .find(|held| plain(&held.key) && own(&held.key) && !unlocks(&held.key) && kept(&held.key));
            if let Some(held) = other {
                let (a, b) = (self.typed().sym(held.key.base).name.clone(), self.shown(e));
                let message = format!("lock `{b}` is unlocked, but `{a}` has been taken");
                let d = Diagnostic::warning(Code::LockUse, self.span(e), message)
                    .label("is not taken in this function")
                    .also(held.at, "is taken here, and not unlocked in this function")
                    .help(format!("unlock `{a}`"));
                let key = held.key.clone();
                self.held.retain(|held| held.key != key);
                return self.report(d);
            }
        }
        self.held.retain(|held| held.key != key);
        self.half.retain(|held| held.key != key);
    }

    /// The text of the lock of a call.
    fn shown(&self, e: ExprId) -> &'a str {
        match &self.unit().exprs[e].kind {
            ExprKind::Call(_, args) => args.first().map_or("", |&a| self.locks.program.text_of(a)),
            _ => "",
        }
    }

    fn branch(&mut self, c: ExprId, then: StmtId, otherwise: Option<StmtId>) {
        self.value(c);
        let varies = self.values.of(self.locks.program, c).across.varies();
        self.varying += u32::from(varies);
        self.nested += 1;
        let (held, half, left, side) = (self.held.clone(), self.half.clone(), self.left, self.side);
        let part = |s: StmtId, unit: &Unit| if varies { unit.stmts[s].span.lo + 1 } else { side };
        self.side = part(then, self.unit());
        self.stmt(then);
        let one = (
            std::mem::replace(&mut self.held, held.clone()),
            std::mem::replace(&mut self.half, half),
            self.left,
        );
        self.left = left;
        if let Some(s) = otherwise {
            self.side = part(s, self.unit());
            self.stmt(s);
        }
        self.side = side;
        self.varying -= u32::from(varies);
        self.nested -= 1;
        self.selected |= one.2 != self.left;
        match (one.2, self.left) {
            (true, _) => {}
            (false, true) => (self.held, self.half, self.left) = one,
            (false, false) => {
                let has = |list: &[Held], at: Span| list.iter().any(|held| held.at == at);
                let kept = |at: Span| has(&one.0, at) != has(&self.held, at);
                let split = held.iter().filter(|held| kept(held.at)).cloned();
                let half: Vec<Held> =
                    self.half.drain(..).filter(|held| has(&one.1, held.at)).chain(split).collect();
                self.half = half;
                self.held.retain(|held| has(&one.0, held.at));
            }
        }
    }

    fn repeated(&mut self, s: StmtId) {
        let touched = self.uses.loops.get(&s).is_some_and(|range| {
            self.uses.events[range.clone()].iter().any(|event| match event {
                What::Call(sym) => !self.locks.harmless.get(sym).copied().unwrap_or(false),
                _ => true,
            })
        });
        let switch = matches!(self.unit().stmts[s].kind, StmtKind::Switch(..));
        let left = self.left;
        let (held, half) = (self.held.clone(), self.half.clone());
        if touched && !switch {
            self.forget();
        }
        self.nested += 1;
        self.around.push(Around { at: s, switch, held: held.clone() });
        visit::walk_stmt(self, s);
        self.around.pop();
        self.nested -= 1;
        if !switch && !self.left {
            self.iterates(s, self.unit().stmts[s].span, "the end of an iteration", &held);
        }
        self.left = left;
        if touched {
            self.forget();
        } else {
            (self.held, self.half) = (held, half);
        }
    }

    fn jump(&mut self, s: StmtId) {
        let span = self.unit().stmts[s].span;
        let is_break = matches!(self.unit().stmts[s].kind, StmtKind::Break);
        let target = self.around.iter().rposition(|around| is_break || !around.switch);
        if let (Some(n), false) = (target, self.left)
            && !self.around[n].switch
            && !self.held.is_empty()
        {
            let (at, held) = (self.around[n].at, self.around[n].held.clone());
            let word = if is_break { "this `break`" } else { "this `continue`" };
            if !is_break || (self.main && !self.unlocks_outside(at)) {
                self.iterates(at, span, word, &held);
            }
        }
        self.left = true;
    }

    /// Whether the function unlocks a lock outside of a loop, or may do so in a call there.
    fn unlocks_outside(&self, s: StmtId) -> bool {
        let inside = self.uses.loops.get(&s).cloned().unwrap_or_default();
        let events = self.uses.events.iter().enumerate();
        events.filter(|(n, _)| !inside.contains(n)).any(|(_, event)| match event {
            What::Unlock(_) | What::Unknown => true,
            What::Call(sym) => !self.locks.harmless.get(sym).copied().unwrap_or(false),
            What::Lock(_) | What::Attempt(_) => false,
        })
    }

    /// Called at the end of an iteration of loop `s`, which began with the locks `before`.
    fn iterates(&mut self, s: StmtId, at: Span, what: &str, before: &[Held]) {
        let Some(range) = self.uses.loops.get(&s).cloned() else { return };
        let events = &self.uses.events[range];
        let begins = |key: &Key| {
            let first = events.iter().find(|event| match event {
                What::Lock(other) | What::Unlock(other) | What::Attempt(other) => {
                    other.is_none() || other.as_ref() == Some(key)
                }
                What::Call(_) | What::Unknown => false,
            });
            matches!(first, Some(What::Lock(Some(_))))
        };
        let unlocks = |key: &Key| events.contains(&What::Unlock(Some(key.clone())));
        let stays = |key: &Key| before.iter().any(|held| held.key == *key);
        let kept = self.held.iter().find(|held| begins(&held.key) && unlocks(&held.key) && !stays(&held.key));
        if let Some(held) = kept.cloned() {
            self.kept(&held, at, what);
        }
    }

    /// Called where the function is left.
    fn leaves(&mut self, at: Span, what: &str) {
        let unlocks = |key: &Key| self.uses.unlocks.contains_key(key);
        let outer = self.half.iter().filter(|_| self.nested == 0);
        let own = |held: &&Held| match self.main {
            true => !self.selected || self.unlocks_later(&held.key, at),
            false => !self.locks.hands_over && self.unlocks_later(&held.key, at),
        };
        let kept = self.held.iter().chain(outer).find(|held| unlocks(&held.key) && own(held)).cloned();
        match kept {
            Some(held) => self.kept(&held, at, what),
            None if self.main => self.waits(at, "ends here: the other threads wait for the lock for ever"),
            None => {}
        }
    }

    /// Whether the function unlocks a lock in the text after a place. Otherwise it may leave with the lock by
    /// design: `if (is_empty) { upc_unlock(l); return 0; } return 1;`
    fn unlocks_later(&self, key: &Key, at: Span) -> bool {
        let last = self.uses.unlocks.get(key);
        last.is_some_and(|&lo| lo > at.lo)
    }

    /// Whether all threads know a lock by a name.
    fn is_common(&self, key: &Key) -> bool {
        key.path.is_empty() && self.locks.common.get(&key.base) == Some(&true)
    }

    /// Called at the end of the function's body.
    fn end(&mut self, body: StmtId) {
        if !self.left {
            let span = self.unit().stmts[body].span;
            self.leaves(Span::new(span.hi.saturating_sub(1), span.hi), "the end of the function");
        }
    }

    fn kept(&mut self, held: &Held, at: Span, what: &str) {
        let name = self.text_of_lock(held.at);
        let d = Diagnostic::warning(
            Code::LockUse,
            held.at,
            format!("lock `{name}` is not unlocked on every path"),
        )
        .label("is taken here")
        .also(at, format!("{what} keeps the lock"))
        .help("unlock it there, too: other threads wait for it for ever");
        self.report(d);
    }

    fn text_of_lock(&self, call: Span) -> &'a str {
        let text = self.locks.program.text(call);
        let open = text.find('(').map_or(0, |n| n + 1);
        text.get(open..text.len().saturating_sub(1)).unwrap_or(text).trim()
    }

    /// Called where this thread waits for all others. Only `main` is certainly run by all threads.
    fn waits(&mut self, at: Span, what: &str) {
        let is_common = |held: &&Held| held.by_all && self.is_common(&held.key);
        if !self.main || self.varying > 0 || self.left {
            return;
        }
        if let Some(held) = self.held.iter().find(is_common).cloned() {
            let name = self.text_of_lock(held.at);
            let d = Diagnostic::warning(
                Code::LockUse,
                at,
                format!("lock `{name}` is held, and all threads take it"),
            )
            .label(what)
            .also(held.at, "one thread passes, and the others wait here for ever")
            .help(format!("call `upc_unlock({name})` before"));
            self.held.retain(|other| other.at != held.at);
            self.report(d);
        }
    }

    fn report(&mut self, d: Diagnostic) {
        if self.told.insert(d.span) {
            self.found.push(d);
        }
    }
}
