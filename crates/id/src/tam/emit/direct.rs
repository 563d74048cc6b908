//! The C function of a function, from the steps of its plan (tam/plan/function.rs).

use super::words::variable;
use super::{Emitter, prim, words};
use crate::core::binds::variables;
use crate::core::calls::calls_others;
use crate::core::language::*;
use crate::stack::with_stack;
use crate::tam::c::{Expr, Function, Head, Item, Name, Param, Stmt, Type, Writer, call, call_of, compound};
use crate::tam::counts;
use crate::tam::plan::{CFunction, Callee, Plan, Step, Way};
use std::collections::{BTreeSet, HashMap};

mod elements;
mod leave;
mod stretch;
mod waits;

struct Direct<'e, 'p> {
    e: &'e mut Emitter<'p>,
    plan: &'p CFunction,
    f: &'p Func,
    /// The statements of the block that is being written.
    out: Vec<Stmt>,
    /// In a stretch of passes without tests: the call that gives back the elements that are claimed and not
    /// filled, for a pass that has to wait.
    claimed: Option<Expr>,
    /// C functions of statements that rarely run, so that the C compiler sees small functions.
    cold: Vec<Item>,
    /// The names of these functions, by parameters and body.
    cold_names: HashMap<(Vec<Param>, Vec<Stmt>), Name>,
}

/// The head of the C function.
pub(super) fn prototype(plan: &Plan, func: FuncId) -> Head {
    let f = &plan.program.funcs[func];
    let mut params: Vec<Param> = vec![("struct tam_join *", "join".into())];
    params.extend((0..f.params.len()).map(|p| ("tam_word", Name::Nth("a", p))));
    if f.results > 1 {
        params.push(("tam_word *", "more".into()));
    }
    let views = &plan.facts[func].views;
    params.extend(views.keys().map(|p| ("const struct tam_view", Name::Nth("w", f.params[*p]))));
    let result = if f.results > 0 { "static struct tam_value" } else { "static void" };
    Head { result, name: Name::Nth("d", func), params }
}

/// A call of the C function: the statements that compute `r` (and `more`), if it has results.
pub(super) fn call_direct(
    plan: &Plan,
    func: FuncId,
    join: Expr,
    args: &[Expr],
    views: Vec<Expr>,
) -> Vec<Stmt> {
    let results = plan.program.funcs[func].results;
    let (mut list, mut out) = (vec![join], Vec::new());
    list.extend_from_slice(args);
    if results > 1 {
        out.push(Stmt::declare_array("tam_word", "more", results - 1));
        list.push("more".into());
    }
    list.extend(views);
    let call = call_of(Name::Nth("d", func), list);
    out.push(if results > 0 { Stmt::declare("struct tam_value", "r", call) } else { call.into() });
    out
}

/// The views for a call from code that has none yet.
pub(super) fn new_views(plan: &Plan, func: FuncId, args: &[Expr]) -> Vec<Expr> {
    plan.facts[func].views.iter().map(|(p, dims)| call!("tam_view", &args[*p], *dims)).collect()
}

/// Result number `n` of such a call.
pub(super) fn result(n: usize) -> Expr {
    if n == 0 { Expr::from("r").member("value") } else { Expr::from("more").at(n - 1) }
}

/// Marks a condition that is hardly ever true.
fn unlikely(test: Expr) -> Expr {
    call!("__builtin_expect", test, 0)
}

impl<'p> Emitter<'p> {
    /// The C function of a function, after the functions by which it leaves.
    pub(super) fn direct(&mut self, plan: &'p CFunction) -> Vec<Item> {
        let f = &self.plan.program.funcs[plan.func];
        let (cold, cold_names) = (Vec::new(), HashMap::new());
        Direct { e: self, plan, f, out: Vec::new(), claimed: None, cold, cold_names }.whole()
    }
}

impl Writer for Direct<'_, '_> {
    fn out(&mut self) -> &mut Vec<Stmt> {
        &mut self.out
    }
}

impl Direct<'_, '_> {
    fn braces(&mut self, write: impl FnOnce(&mut Self)) {
        let stmts = self.inside(write);
        self.add(Stmt::Block(stmts));
    }

    fn when(&mut self, test: Expr, write: impl FnOnce(&mut Self)) {
        let then = self.inside(write);
        self.add(Stmt::when(test, then));
    }

    fn word(&self, atom: Atom) -> Expr {
        match atom {
            Atom::Var(v) if self.plan.floats.contains(&v) => call!("tam_w", variable(v)),
            atom => words::constant(atom),
        }
    }

    fn words(&self, atoms: &[Atom]) -> Vec<Expr> {
        atoms.iter().map(|a| self.word(*a)).collect()
    }

    /// The type of a variable's C variable.
    fn type_of(&self, v: Var) -> Type {
        if self.plan.floats.contains(&v) { "double" } else { "tam_word" }
    }

    /// Converts a word to the type of a variable's C variable.
    fn value_for(&self, v: Var, word: Expr) -> Expr {
        if self.plan.floats.contains(&v) { call!("tam_f", word) } else { word }
    }

    /// Counts instructions.
    fn count(&mut self, counter: &'static str, n: usize) {
        if self.e.counting && n > 0 {
            self.add(call!("TAM_COUNT", counter, n));
        }
    }

    fn set(&mut self, v: Var, word: Expr) {
        let value = self.value_for(v, word);
        self.add(Stmt::set(variable(v), value));
    }

    /// Whether the function calls others.
    fn calls_others(&self) -> bool {
        calls_others(&self.f.body, self.plan.func)
    }

    // ---- the whole ---------------------------------------------------------------------------------------

    fn whole(mut self) -> Vec<Item> {
        let plan = self.plan;
        let stretch = self.inside(|d| plan.stretch.iter().for_each(|s| d.stretches(s)));
        let steps = self.inside(|d| d.steps(&plan.steps));
        let mut body = self.inside(|d| {
            d.declarations();
            d.beginning();
        });
        body.extend(stretch);
        if plan.loops {
            body.push(Stmt::Label("again".into()));
        }
        for (v, dims) in plan.own_views.iter().filter(|v| self.f.params.contains(v.0)) {
            body.push(Stmt::set(Name::Nth("w", *v), call!("tam_view", variable(*v), *dims)));
        }
        body.extend(steps);
        let head = prototype(self.e.plan, plan.func);
        let mut items = self.cold;
        items.push(Item::Function(Function { title: Some(self.f.name.clone()), head, body }));
        items
    }

    /// The C variables of the parameters and of the variables of the body, and the views that are made here.
    fn declarations(&mut self) {
        let (plan, f) = (self.plan, self.f);
        let mut vars = BTreeSet::new();
        variables(&f.body, &mut vars, &mut BTreeSet::new());
        for (p, v) in f.params.iter().copied().enumerate() {
            let value = self.value_for(v, Name::Nth("a", p).into());
            self.add(Stmt::declare(self.type_of(v), Name::Var(v), value));
            vars.remove(&v);
        }
        for v in vars {
            self.add(Stmt::declare(self.type_of(v), Name::Var(v), 0));
        }
        for v in plan.own_views.keys() {
            let none = Expr::List(vec![0.into()]);
            self.add(Stmt::declare("struct tam_view", Name::Nth("w", *v), none));
        }
    }

    /// The statements that run once, before the first turn of a loop.
    fn beginning(&mut self) {
        let facts = &self.e.plan.facts[self.plan.func];
        if facts.mutually_recursive || self.plan.calls_itself {
            let waits = if facts.forks { "tam_fork_waits" } else { "tam_call_waits" };
            self.when(call!(waits), |d| d.out_of_line(None, Self::begin_again));
        }
        self.count("FUNCTIONS", 1);
        if self.shared().is_some() {
            self.add(Stmt::declare_only("static struct tam_passes", "passes"));
            self.add(Stmt::declare("unsigned", "before", 0));
            self.add(Stmt::declare("int", "to", -1));
            self.add(Stmt::declare("const uint64_t", "slices", words::register("slices")));
        }
        if self.plan.loops {
            self.add(Stmt::declare("unsigned", "turns", 0));
            self.storage_variables();
        }
    }

    // ---- steps -------------------------------------------------------------------------------------------

    fn steps(&mut self, steps: &[Step]) {
        with_stack(|| steps.iter().for_each(|step| self.step(step)));
    }

    fn step(&mut self, step: &Step) {
        match step {
            Step::Do(bind, way) => self.operation(bind, way),
            Step::If { span, test, then, other, gives } => {
                if let Some(span) = span {
                    self.e.site(*span);
                }
                let test = self.word(*test);
                self.count("SWITCH", 1);
                let then = self.inside(|d| d.steps(then));
                let other = self.inside(|d| d.steps(other));
                self.add(Stmt::If(test, then, other));
                self.views_of(gives, None);
            }
            Step::Give(to, results) => {
                for (v, result) in to.iter().zip(results) {
                    let word = self.word(*result);
                    self.set(*v, word);
                }
            }
            Step::Return(results) => self.return_results(results),
            Step::TailCall(func, args) => {
                let mut list = vec!["join".into()];
                list.extend(self.words(args));
                if self.f.results > 1 {
                    list.push("more".into());
                }
                list.extend(self.views_for(*func, args));
                self.count("CALL", 1);
                self.leave_by(call_of(Name::Nth("d", *func), list));
            }
            Step::Turn { args, storage } => self.turn(args, storage),
            Step::Leave(rest) => self.leave(rest),
        }
    }

    fn return_results(&mut self, results: &[Atom]) {
        let mut words = self.words(results).into_iter();
        let first = words.next();
        for (n, word) in words.enumerate() {
            self.add(Stmt::set(Expr::from("more").at(n), word));
        }
        match first {
            Some(first) => self.add(Stmt::give(compound("struct tam_value", [first, 0.into()]))),
            None => {
                if self.shared().is_some() {
                    let given = unlikely(Expr::from("to").at_least(0));
                    let alone = Stmt::set(Expr::from("passes").member("alone"), 1);
                    self.add(Stmt::when(given.and(!call!("tam_await_half", "before", "to")), vec![alone]));
                }
                self.add(Stmt::Return(None));
            }
        }
    }

    /// The function's call of itself at its end.
    fn turn(&mut self, args: &[Atom], storage: &[(Var, Option<Var>)]) {
        self.swap_storage(storage);
        self.moves(args);
        self.count("TURN", 1);
        self.add(Expr::from("turns").then_raised());
        self.halves();
        let waits = if self.calls_others() { "tam_calls_wait" } else { "tam_loop_waits" };
        self.when(call!(waits, "turns"), |d| d.out_of_line(None, Self::begin_again));
        self.add(Stmt::Goto("again".into()));
    }

    /// Assigns the parameters the values of the next turn.
    fn moves(&mut self, args: &[Atom]) {
        let params = &self.f.params;
        let changed = || params.iter().zip(args).filter(|(p, arg)| **arg != Atom::Var(**p));
        self.braces(|d| {
            for (p, arg) in changed() {
                let value = d.value_for(*p, d.word(*arg));
                d.add(Stmt::declare(d.type_of(*p), Name::Nth("n", *p), value));
            }
            for (p, _) in changed() {
                d.add(Stmt::set(variable(*p), Name::Nth("n", *p)));
            }
        });
    }

    fn operation(&mut self, bind: &Bind, way: &Way) {
        let site = self.e.site(bind.span);
        let w = self.words(&bind.op.atoms());
        let counted = match way {
            Way::Call { callee: Callee::Block(_), .. } => vec![("SEND", 1)],
            _ => counts::of_operation(&bind.op),
        };
        // An operation that may have to wait is counted after its test, when it need not.
        let waits = matches!(way, Way::Wait(_) | Way::Fetch(_));
        if !waits {
            self.counted(&counted);
        }
        match way {
            Way::Plain => self.plain(bind, &w, site),
            Way::SmallArray { count, reuses } => self.small_array(bind, &w, *count, *reuses, site),
            Way::Closure(block) => self.closure(bind, *block, &w, site),
            Way::Wait(wait) => self.field_or_bound(bind, wait, &w, site),
            Way::Fetch(fetch) => self.fetch(bind, fetch, &w, site),
            Way::Store(store) => self.store(&bind.op, store, &w, site),
            Way::Call { callee, rest } => self.call(bind, *callee, rest.as_ref(), &w),
            Way::Apply { wait, rest } => self.apply(bind, wait, rest, &w, site),
            Way::Leave(rest) => return self.leave(rest),
        }
        if waits {
            self.counted(&counted);
        }
        self.views_of(&bind.dst, Some(&bind.op));
    }

    /// An operation that waits for nothing.
    fn plain(&mut self, bind: &Bind, w: &[Expr], site: usize) {
        let dst = bind.dst.first().copied();
        match &bind.op {
            Op::Prim(p, _) => {
                if let Some(v) = dst {
                    let word = prim::expression(*p, &bind.op.atoms(), w, site);
                    self.set(v, word);
                }
            }
            Op::Make { tag, fields } => self.make(*tag, fields, dst.unwrap_or(0), site),
            Op::Alloc { mutable, numbers, .. } => {
                let (kind, dims) = (words::kind(*mutable, *numbers), w.len() / 2);
                let array = call!("tam_array", dims, kind, words::bounds(w), site);
                self.add(Stmt::set(variable(dst.unwrap_or(0)), array));
            }
            Op::Io { io, .. } => {
                let call = prim::io(*io, &bind.op.atoms(), w, site);
                match bind.dst.get(1) {
                    Some(&v) => self.set(v, call),
                    None => self.add(call),
                }
            }
            Op::Fail { text } => {
                let text = Expr::Text(self.e.plan.program.texts[*text].clone());
                self.add(call!("tam_fail", site, Expr::Text(b"%s".to_vec()), text));
            }
            _ => {}
        }
    }

    fn counted(&mut self, counted: &[(&'static str, usize)]) {
        for (counter, n) in counted {
            self.count(counter, *n);
        }
    }
}
