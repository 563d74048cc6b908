//! A function as a C function that computes at once what it can.
//!
//! Id begins a call's function at once, eager but not strict: nobody waits for it, and it waits for nothing
//! but operands. With all arguments there, its operations may as well run one after another on the C stack,
//! in an order in which each has its operands; a call of the function's own at the end is a loop in C. What
//! an operation must wait for, an element that is not written or a callee that waits itself, becomes a late
//! parameter of a code-block that is made here of all that is left at this place: so nothing that could go
//! on waits, since the rest runs as threads. What has no such order, since values need each other by way of
//! calls, is left from the beginning. (The runtime's side: runtime/tam/direct.c.)
//!
//! Where nothing has been called or written since the function, or the turn of its loop, began, its own
//! code-block is as good: the few operations run again.

use super::words::variable;
use super::{Emitter, prim, words};
use crate::core::binds::variables;
use crate::core::language::*;
use crate::core::order::ordered;
use crate::stack::with_stack;
use crate::tam::c::{
    Expr, Function, Head, Item, Name, Param, Prefix, Stmt, Type, Writer, call, call_of, compound,
};
use crate::tam::counts;
use passes::Passes;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

mod able;
mod boxes;
mod elements;
mod fresh;
mod leave;
mod passes;
mod reuse;
mod swift;
mod views;
mod waits;

pub(super) use able::{able, divides, recursive};
pub(super) use views::views;

/// Whether a function is a loop whose passes need nothing of each other.
pub(super) fn passes(f: &Func, func: FuncId) -> bool {
    passes::of(f, func).is_some()
}

/// Bindings that are being written, and what comes after them.
struct Level {
    binds: Rc<Vec<Bind>>,
    /// The first that is left.
    at: usize,
    results: Vec<Atom>,
    /// The variables that the results become; none: the function's results.
    dst: Option<Vec<Var>>,
}

struct Direct<'e> {
    e: &'e mut Emitter,
    func: FuncId,
    f: Func,
    /// The code-block of the function.
    number: usize,
    levels: Vec<Level>,
    floats: BTreeSet<Var>,
    /// The statements of the block that is being written.
    out: Vec<Stmt>,
    /// Running this turn again would do nothing twice.
    clean: bool,
    loops: bool,
    /// Other than at its end, which is a loop.
    calls_itself: bool,
    /// Parameters that are arrays, by their dimensions, whose bounds and elements are looked up by
    /// the caller.
    views: BTreeMap<Var, usize>,
    /// The same of arrays whose views are made here.
    own_views: BTreeMap<Var, usize>,
    /// Arrays that nobody else knows yet.
    fresh: BTreeMap<Var, fresh::Fresh>,
    /// Accesses that need no tests: in the passes of a loop that has looked, and in blocks.
    sure: Vec<(Var, Vec<Atom>)>,
    /// What gives back the elements that such passes have claimed and not filled, before one has to wait.
    claimed: Option<Expr>,
    passes: Option<Passes>,
    /// Arrays of a turn, and the parameters that they are in the next, whose storage is used again.
    reuse: BTreeMap<Var, Var>,
    /// C functions of what is seldom done, so that the C compiler sees small functions.
    seldom: Vec<Item>,
    /// Their names, by parameters and body.
    seldom_names: HashMap<(Vec<Param>, Vec<Stmt>), Name>,
}

/// By parameter of a function: the dimensions of the array that it is, whose view comes with it.
pub(super) type Views = BTreeMap<usize, usize>;

/// The head of the C function.
pub(super) fn prototype(program: &Program, func: FuncId, views: &Views) -> Head {
    let f = &program.funcs[func];
    let mut params: Vec<Param> = vec![("struct tam_join *", "join".into())];
    params.extend((0..f.params.len()).map(|p| ("tam_word", Name::Nth("a", p))));
    if f.results > 1 {
        params.push(("tam_word *", "more".into()));
    }
    params.extend(views.keys().map(|p| ("const struct tam_view", Name::Nth("w", f.params[*p]))));
    let result = if f.results > 0 { "static struct tam_value" } else { "static void" };
    Head { result, name: Name::Nth("d", func), params }
}

/// A call of the C function: the statements that compute `r` (and `more`), if it has results.
pub(super) fn call_direct(
    program: &Program,
    func: FuncId,
    join: Expr,
    args: &[Expr],
    views: Vec<Expr>,
) -> Vec<Stmt> {
    let results = program.funcs[func].results;
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

/// The views for a call from where there are none yet.
pub(super) fn new_views(views: &Views, args: &[Expr]) -> Vec<Expr> {
    views.iter().map(|(p, dims)| call!("tam_view", &args[*p], *dims)).collect()
}

/// Result number `n` of such a call.
pub(super) fn result(n: usize) -> Expr {
    if n == 0 { Expr::from("r").member("value") } else { Expr::from("more").at(n - 1) }
}

/// A condition that is hardly ever true.
fn unlikely(test: Expr) -> Expr {
    call!("__builtin_expect", test, 0)
}

impl Emitter {
    /// The C function of a function, behind those that it leaves by.
    pub(super) fn direct(&mut self, func: FuncId) -> Vec<Item> {
        let f = self.program.funcs[func].clone();
        let number = self.block_for(func, &vec![false; f.params.len()]);
        let floats = super::floats::of(&f, func);
        let views = self.views[func].iter().map(|(p, dims)| (f.params[*p], *dims)).collect();
        let own_views = fresh::used_twice(&f, &views, &self.views);
        let mut d = Direct {
            e: self,
            func,
            number,
            levels: Vec::new(),
            floats,
            out: Vec::new(),
            clean: true,
            loops: false,
            calls_itself: false,
            passes: passes::of(&f, func),
            reuse: reuse::of(&f, func),
            views,
            own_views,
            fresh: BTreeMap::new(),
            sure: Vec::new(),
            claimed: None,
            seldom: Vec::new(),
            seldom_names: HashMap::new(),
            f,
        };
        d.whole()
    }
}

impl Writer for Direct<'_> {
    fn out(&mut self) -> &mut Vec<Stmt> {
        &mut self.out
    }
}

impl Direct<'_> {
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
            Atom::Var(v) if self.floats.contains(&v) => call!("tam_w", variable(v)),
            atom => words::constant(atom),
        }
    }

    fn words(&self, atoms: &[Atom]) -> Vec<Expr> {
        atoms.iter().map(|a| self.word(*a)).collect()
    }

    /// The type of a variable's C variable.
    fn type_of(&self, v: Var) -> Type {
        if self.floats.contains(&v) { "double" } else { "tam_word" }
    }

    /// A word as a value of a variable's C variable.
    fn value_for(&self, v: Var, word: Expr) -> Expr {
        if self.floats.contains(&v) { call!("tam_f", word) } else { word }
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

    // ---- the whole ---------------------------------------------------------------------------------------

    fn whole(&mut self) -> Vec<Item> {
        let f = self.f.body.clone();
        let swift = self.inside(|d| {
            if let Some(counted) = d.counting() {
                d.swift(&counted);
            }
        });
        self.clean = true;
        let text = self.inside(|d| {
            d.block(&f, None);
        });
        let mut body = self.inside(|d| {
            d.declarations(&f);
            d.beginning();
        });
        body.extend(swift);
        if self.loops {
            body.push(Stmt::Label("again".into()));
        }
        for (v, dims) in self.own_views.iter().filter(|v| self.f.params.contains(v.0)) {
            body.push(Stmt::set(Name::Nth("w", *v), call!("tam_view", variable(*v), *dims)));
        }
        body.extend(text);
        let head = prototype(&self.e.program, self.func, &self.e.views[self.func]);
        let mut items = std::mem::take(&mut self.seldom);
        items.push(Item::Function(Function { title: Some(self.f.name.clone()), head, body }));
        items
    }

    /// The C variables of the parameters and of the variables of the body, and the views that are made here.
    fn declarations(&mut self, body: &Block) {
        let mut vars = BTreeSet::new();
        variables(body, &mut vars, &mut BTreeSet::new());
        for (p, v) in self.f.params.clone().into_iter().enumerate() {
            let value = self.value_for(v, Name::Nth("a", p).into());
            self.add(Stmt::declare(self.type_of(v), Name::Var(v), value));
            vars.remove(&v);
        }
        for v in vars {
            self.add(Stmt::declare(self.type_of(v), Name::Var(v), 0));
        }
        for v in self.own_views.clone().into_keys() {
            let none = Expr::List(vec![0.into()]);
            self.add(Stmt::declare("struct tam_view", Name::Nth("w", v), none));
        }
    }

    /// What is done once, before the first turn of a loop.
    fn beginning(&mut self) {
        if self.e.recursive[self.func] || self.calls_itself {
            let waits = if self.e.forks(self.func) { "tam_fork_waits" } else { "tam_call_waits" };
            self.when(call!(waits), |d| d.seldom(None, Self::begin_again));
        }
        self.count("FUNCTIONS", 1);
        if self.shared().is_some() {
            self.add(Stmt::declare_only("static struct tam_passes", "passes"));
            self.add(Stmt::declare("unsigned", "before", 0));
            self.add(Stmt::declare("int", "to", -1));
            self.add(Stmt::declare("const uint64_t", "slices", "tam_slices"));
        }
        if self.loops {
            self.add(Stmt::declare("unsigned", "turns", 0));
            self.reuse_variables();
        }
    }

    // ---- blocks ------------------------------------------------------------------------------------------

    /// Whether control does not come to its end.
    fn block(&mut self, block: &Block, dst: Option<Vec<Var>>) -> bool {
        with_stack(|| self.block_now(block, dst))
    }

    fn block_now(&mut self, block: &Block, dst: Option<Vec<Var>>) -> bool {
        let (binds, ready) = ordered(block);
        let binds = Rc::new(binds);
        let last = dst.is_none();
        self.levels.push(Level {
            binds: binds.clone(),
            at: 0,
            results: block.results.clone(),
            dst: dst.clone(),
        });
        let (mut ended, sure) = (false, self.sure.len());
        for (n, bind) in binds.iter().enumerate() {
            if n == ready {
                self.level().at = n;
                self.cut();
                ended = true;
                break;
            }
            self.level().at = n + 1;
            let gives_all = || bind.dst.iter().map(|v| Atom::Var(*v)).eq(block.results.iter().copied());
            if last && n + 1 == binds.len() && gives_all() && self.tail(bind) {
                ended = true;
                break;
            }
            self.escapes(bind);
            if self.bind(bind) {
                ended = true;
                break;
            }
            self.note(bind);
        }
        self.levels.pop();
        self.sure.truncate(sure);
        if !ended {
            match dst {
                Some(dst) => {
                    for (d, r) in dst.iter().zip(&block.results) {
                        let word = self.word(*r);
                        self.set(*d, word);
                    }
                }
                None => self.return_results(&block.results),
            }
        }
        ended
    }

    fn level(&mut self) -> &mut Level {
        self.levels.last_mut().expect("a block is being written")
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

    /// A binding that gives the function's results, if it is a conditional or a call that can be left to.
    fn tail(&mut self, bind: &Bind) -> bool {
        match &bind.op {
            Op::If { test, then, other } => {
                let test = self.word(*test);
                self.count("SWITCH", 1);
                let clean = self.clean;
                let then = self.inside(|d| {
                    d.block(then, None);
                });
                self.clean = clean;
                let other = self.inside(|d| {
                    d.block(other, None);
                });
                self.add(Stmt::If(test, then, other));
                true
            }
            Op::Call { func, args, join: false } if *func == self.func => {
                self.turn(args);
                true
            }
            Op::Call { func, args, join: false } if self.e.calls_direct(*func, self.f.io) => {
                let mut list = vec!["join".into()];
                list.extend(self.words(args));
                if self.f.results > 1 {
                    list.push("more".into());
                }
                list.extend(self.views_for(*func, args));
                self.count("CALL", 1);
                self.leave_by(call_of(Name::Nth("d", *func), list));
                true
            }
            _ => false,
        }
    }

    /// The function's call of itself at its end.
    fn turn(&mut self, args: &[Atom]) {
        self.loops = true;
        self.reuse_turn();
        self.moves(args);
        self.count("TURN", 1);
        self.add(Expr::from("turns").then_raised());
        self.halves();
        let waits = if calls(&self.f.body, self.func) { "tam_calls_wait" } else { "tam_loop_waits" };
        self.when(call!(waits, "turns"), |d| d.seldom(None, Self::begin_again));
        self.add(Stmt::Goto("again".into()));
    }

    /// The values of the next turn.
    fn moves(&mut self, args: &[Atom]) {
        let params = self.f.params.clone();
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

    /// Whether control does not go on.
    fn bind(&mut self, bind: &Bind) -> bool {
        let site = self.e.site(bind.span);
        let w = self.words(&bind.op.atoms());
        let dst = bind.dst.first().copied();
        // What may have to wait is done only when it need not, and counted then.
        let waits = matches!(bind.op, Op::Field { .. } | Op::Fetch { .. } | Op::Bound { .. });
        let counted = match &bind.op {
            Op::Call { func, .. } if !self.e.calls_direct(*func, self.f.io) => vec![("SEND", 1)],
            op => counts::of_operation(op),
        };
        if !waits {
            self.counted(&counted);
        }
        match &bind.op {
            Op::Copy(_) => {
                self.level().at -= 1;
                self.cut();
                return true;
            }
            Op::Prim(p, _) => {
                if let Some(v) = dst {
                    let word = prim::expression(*p, &bind.op.atoms(), &w, site);
                    self.set(v, word);
                }
            }
            Op::Make { tag, fields } => self.make(*tag, fields, dst.unwrap_or(0), site),
            Op::Closure { .. } | Op::Alloc { .. } => self.allocate(&bind.op, dst.unwrap_or(0), &w, site),
            Op::Field { at, mode, .. } => self.read(bind, &w[0], None, &[(*at).into()], *mode, site),
            Op::Fetch { mode, array, index } => match self.looked_at(bind, *array, index, &w[1..], site) {
                Some(element) => {
                    self.set(dst.unwrap_or(0), element.after(Prefix::Dereference));
                    self.add(call!("TAM_COUNT", "FETCH_HERE", 1));
                }
                None => {
                    let view = self.view(*array, w.len() - 1, *mode);
                    self.read(bind, &w[0], view, &w[1..], *mode, site);
                }
            },
            Op::Bound { at, .. } => {
                let (v, a) = (dst.unwrap_or(0), &w[0]);
                let late = call!("tam_fetch_late", "k", 0, a, "TAM_BOUND", 0, *at, 0, 0, site);
                self.unless(call!("tam_is_local", a), &[v], late);
                self.add(Stmt::set(variable(v), call!("tam_at", a).arrow("v").at(*at)));
            }
            Op::StoreField { .. } | Op::Store { .. } => self.store(&bind.op, &w, site),
            Op::Call { func, args, join } => {
                self.clean = false;
                if *join { self.joined(bind, *func, args, &w) } else { self.call(bind, *func, args, &w) }
            }
            Op::Apply { .. } => self.apply(bind, &w, site),
            Op::If { test, then, other } => return self.conditional(bind, *test, then, other),
            Op::Io { io, .. } => self.io(*io, bind, &w, site),
            Op::Fail { text } => {
                let text = Expr::Text(self.e.program.texts[*text].clone());
                self.add(call!("tam_fail", site, Expr::Text(b"%s".to_vec()), text));
            }
        }
        if waits {
            self.counted(&counted);
        }
        false
    }

    fn counted(&mut self, counted: &[(&'static str, usize)]) {
        for (counter, n) in counted {
            self.count(counter, *n);
        }
    }

    fn conditional(&mut self, bind: &Bind, test: Atom, then: &Block, other: &Block) -> bool {
        let test = self.word(test);
        let clean = self.clean;
        let (mut first, mut second) = (false, false);
        let then = self.inside(|d| first = d.block(then, Some(bind.dst.clone())));
        let clean_after = std::mem::replace(&mut self.clean, clean);
        let other = self.inside(|d| second = d.block(other, Some(bind.dst.clone())));
        self.add(Stmt::If(test, then, other));
        self.clean = match (first, second) {
            (true, _) => self.clean,
            (false, true) => clean_after,
            (false, false) => self.clean && clean_after,
        };
        first && second
    }
}

/// How often a block calls its own function.
fn own_calls(block: &Block, func: FuncId) -> usize {
    let of = |bind: &Bind| match &bind.op {
        Op::Call { func: callee, .. } => usize::from(*callee == func),
        Op::If { then, other, .. } => with_stack(|| own_calls(then, func) + own_calls(other, func)),
        _ => 0,
    };
    block.binds.iter().map(of).sum()
}

/// Whether a function calls others.
fn calls(block: &Block, func: FuncId) -> bool {
    block.binds.iter().any(|bind| match &bind.op {
        Op::Call { func: callee, .. } => *callee != func,
        Op::Apply { .. } => true,
        Op::If { then, other, .. } => with_stack(|| calls(then, func) || calls(other, func)),
        _ => false,
    })
}
