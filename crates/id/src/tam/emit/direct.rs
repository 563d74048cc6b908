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

use super::words::three;
use super::{Emitter, prim, words};
use crate::core::binds::variables;
use crate::core::language::*;
use crate::core::order::ordered;
use crate::stack::grown;
use crate::tam::counts;
use passes::Passes;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write;
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
    out: String,
    depth: usize,
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
    claimed: Option<String>,
    passes: Option<Passes>,
    /// Arrays of a turn, and the parameters that they are in the next, whose storage is used again.
    reuse: BTreeMap<Var, Var>,
    /// C functions of what is seldom done, so that the C compiler sees small functions.
    seldom: String,
    /// The calls of these, by what the function is.
    seldom_calls: HashMap<String, String>,
}

/// By parameter of a function: the dimensions of the array that it is, whose view comes with it.
pub(super) type Views = BTreeMap<usize, usize>;

/// The head of the C function, without its body.
pub(super) fn prototype(program: &Program, func: FuncId, views: &Views) -> String {
    let f = &program.funcs[func];
    let mut params = String::from("struct tam_join *join");
    for p in 0..f.params.len() {
        let _ = write!(params, ", tam_word a{p}");
    }
    if f.results > 1 {
        params.push_str(", tam_word *more");
    }
    for p in views.keys() {
        let _ = write!(params, ", const struct tam_view w{}", f.params[*p]);
    }
    let result = if f.results > 0 { "struct tam_value" } else { "void" };
    format!("static {result} d{func}({params})")
}

/// A call of the C function: the statement that computes `r` (and `more`), if it has results.
pub(super) fn call_text(
    program: &Program,
    func: FuncId,
    join: &str,
    args: &[String],
    views: &[String],
) -> String {
    let f = &program.funcs[func];
    let mut list = vec![join.to_owned()];
    list.extend_from_slice(args);
    let (before, result) = match f.results {
        0 => (String::new(), ""),
        1 => (String::new(), "struct tam_value r = "),
        n => {
            list.push("more".into());
            (format!("tam_word more[{}]; ", n - 1), "struct tam_value r = ")
        }
    };
    list.extend_from_slice(views);
    format!("{before}{result}d{func}({});", list.join(", "))
}

/// The views for a call from where there are none yet.
pub(super) fn new_views(views: &Views, args: &[String]) -> Vec<String> {
    views.iter().map(|(p, dims)| format!("tam_view({}, {dims})", args[*p])).collect()
}

/// Result number `n` of such a call.
pub(super) fn result_text(n: usize) -> String {
    if n == 0 { "r.value".into() } else { format!("more[{}]", n - 1) }
}

impl Emitter {
    /// The C function of a function.
    pub(super) fn direct(&mut self, func: FuncId) -> String {
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
            out: String::new(),
            depth: 1,
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
            seldom: String::new(),
            seldom_calls: HashMap::new(),
            f,
        };
        d.whole()
    }
}

impl Direct<'_> {
    fn line(&mut self, text: &str) {
        for _ in 0..self.depth.min(16) {
            self.out.push_str("    ");
        }
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn word(&self, atom: Atom) -> String {
        match atom {
            Atom::Var(v) if self.floats.contains(&v) => format!("tam_w(v{v})"),
            Atom::Var(v) => format!("v{v}"),
            constant => words::constant(constant),
        }
    }

    fn words(&self, atoms: &[Atom]) -> Vec<String> {
        atoms.iter().map(|a| self.word(*a)).collect()
    }

    /// Counts instructions.
    fn count(&mut self, counter: &str, n: usize) {
        if self.e.counting && n > 0 {
            self.line(&format!("TAM_COUNT({counter}, {n});"));
        }
    }

    fn set(&mut self, v: Var, word: &str) {
        if self.floats.contains(&v) {
            self.line(&format!("v{v} = tam_f({word});"));
        } else {
            self.line(&format!("v{v} = {word};"));
        }
    }

    // ---- the whole ---------------------------------------------------------------------------------------

    fn whole(&mut self) -> String {
        let body = self.f.body.clone();
        if let Some(counted) = self.counting() {
            self.swift(&counted);
        }
        let swift = std::mem::take(&mut self.out);
        self.clean = true;
        self.block(&body, None);
        let text = std::mem::take(&mut self.out);
        let _ = writeln!(self.out, "\n/* {} */", self.f.name.replace("*/", "* /"));
        let head = prototype(&self.e.program, self.func, &self.e.views[self.func]);
        self.depth = 0;
        self.line(&format!("{head} {{"));
        self.depth = 1;
        let mut vars = BTreeSet::new();
        variables(&body, &mut vars, &mut BTreeSet::new());
        for (p, v) in self.f.params.clone().into_iter().enumerate() {
            if self.floats.contains(&v) {
                self.line(&format!("double v{v} = tam_f(a{p});"));
            } else {
                self.line(&format!("tam_word v{v} = a{p};"));
            }
            vars.remove(&v);
        }
        for v in vars {
            let kind = if self.floats.contains(&v) { "double" } else { "tam_word" };
            self.line(&format!("{kind} v{v} = 0;"));
        }
        let own_views = self.own_views.clone();
        for v in own_views.keys() {
            self.line(&format!("struct tam_view w{v} = {{0}};"));
        }
        if self.e.recursive[self.func] || self.calls_itself {
            let name = if self.e.forks(self.func) { "fork" } else { "call" };
            self.line(&format!("if (tam_{name}_waits()) {{"));
            self.depth += 1;
            self.seldom(None, Self::begin_again);
            self.depth -= 1;
            self.line("}");
        }
        self.count("FUNCTIONS", 1);
        if self.shared().is_some() {
            self.line("static struct tam_passes passes;");
            self.line("unsigned before = 0;");
            self.line("int to = -1;");
            self.line("const uint64_t slices = tam_slices;");
        }
        if self.loops {
            self.line("unsigned turns = 0;");
            self.reuse_variables();
        }
        self.out.push_str(&swift);
        if self.loops {
            self.line("again:;");
        }
        let params = self.f.params.clone();
        for (v, dims) in own_views.iter().filter(|v| params.contains(v.0)) {
            self.line(&format!("w{v} = tam_view(v{v}, {dims});"));
        }
        self.out.push_str(&text);
        self.out.push_str("}\n");
        std::mem::take(&mut self.seldom) + &std::mem::take(&mut self.out)
    }

    // ---- blocks ------------------------------------------------------------------------------------------

    /// Whether control does not come to its end.
    fn block(&mut self, block: &Block, dst: Option<Vec<Var>>) -> bool {
        grown(|| self.block_now(block, dst))
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
                        self.set(*d, &word);
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
        let w = self.words(results);
        for (n, word) in w.iter().enumerate().skip(1) {
            self.line(&format!("more[{}] = {word};", n - 1));
        }
        match w.first() {
            Some(first) => self.line(&format!("return (struct tam_value){{{first}, 0}};")),
            None => {
                if self.shared().is_some() {
                    self.line("if (__builtin_expect(to >= 0, 0) && !tam_await_half(before, to))");
                    self.line("    passes.alone = 1;");
                }
                self.line("return;");
            }
        }
    }

    /// A binding that gives the function's results, if it is a conditional or a call that can be left to.
    fn tail(&mut self, bind: &Bind) -> bool {
        match &bind.op {
            Op::If { test, then, other } => {
                let test = self.word(*test);
                self.count("SWITCH", 1);
                self.line(&format!("if ({test}) {{"));
                self.depth += 1;
                let clean = self.clean;
                self.block(then, None);
                self.depth -= 1;
                self.line("} else {");
                self.depth += 1;
                self.clean = clean;
                self.block(other, None);
                self.depth -= 1;
                self.line("}");
                true
            }
            Op::Call { func, args, join: false } if *func == self.func => {
                self.turn(args);
                true
            }
            Op::Call { func, args, join: false } if self.e.calls_direct(*func, self.f.io) => {
                let mut list = vec!["join".to_owned()];
                list.extend(self.words(args));
                if self.f.results > 1 {
                    list.push("more".into());
                }
                list.extend(self.views_for(*func, args));
                let list = list.join(", ");
                self.count("CALL", 1);
                if self.f.results > 0 {
                    self.line(&format!("return d{func}({list});"));
                } else {
                    self.line(&format!("d{func}({list});"));
                    self.line("return;");
                }
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
        self.line("turns++;");
        self.halves();
        let test = if calls(&self.f.body, self.func) { "tam_calls_wait" } else { "tam_loop_waits" };
        self.line(&format!("if ({test}(turns)) {{"));
        self.depth += 1;
        self.seldom(None, Self::begin_again);
        self.depth -= 1;
        self.line("}");
        self.line("goto again;");
    }

    /// The values of the next turn.
    fn moves(&mut self, args: &[Atom]) {
        let mut moves = Vec::new();
        self.line("{");
        for (p, arg) in self.f.params.clone().into_iter().zip(args) {
            if *arg == Atom::Var(p) {
                continue;
            }
            let word = self.word(*arg);
            if self.floats.contains(&p) {
                self.line(&format!("    double n{p} = tam_f({word});"));
            } else {
                self.line(&format!("    tam_word n{p} = {word};"));
            }
            moves.push(p);
        }
        for p in moves {
            self.line(&format!("    v{p} = n{p};"));
        }
        self.line("}");
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
                    let text = prim::expression(*p, &w, site);
                    self.set(v, &text);
                }
            }
            Op::Make { tag, fields } => self.make(*tag, fields, dst.unwrap_or(0), site),
            Op::Closure { .. } | Op::Alloc { .. } => self.allocate(&bind.op, dst.unwrap_or(0), &w, site),
            Op::Field { at, mode, .. } => self.read(bind, &w[0], None, &[at.to_string()], *mode, site),
            Op::Fetch { mode, array, index } => match self.looked_at(bind, *array, index, &w[1..], site) {
                Some(element) => {
                    self.set(dst.unwrap_or(0), &format!("*{element}"));
                    self.line("TAM_COUNT(FETCH_HERE, 1);");
                }
                None => {
                    let view = self.view(*array, w.len() - 1, *mode);
                    self.read(bind, &w[0], view, &w[1..], *mode, site);
                }
            },
            Op::Bound { at, .. } => {
                let (v, a) = (dst.unwrap_or(0), &w[0]);
                let late = format!("tam_fetch_late(k, 0, {a}, TAM_BOUND, 0, {at}, 0, 0, {site});");
                self.unless(&format!("tam_is_local({a})"), &[v], &late);
                self.line(&format!("v{v} = tam_at({a})->v[{at}];"));
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
                let text = words::quoted(&self.e.program.texts[*text]);
                self.line(&format!("tam_fail({site}, \"%s\", {text});"));
            }
        }
        if waits {
            self.counted(&counted);
        }
        false
    }

    fn counted(&mut self, counted: &[(&str, usize)]) {
        for (counter, n) in counted {
            self.count(counter, *n);
        }
    }

    fn conditional(&mut self, bind: &Bind, test: Atom, then: &Block, other: &Block) -> bool {
        let test = self.word(test);
        let clean = self.clean;
        self.line(&format!("if ({test}) {{"));
        self.depth += 1;
        let first = self.block(then, Some(bind.dst.clone()));
        self.depth -= 1;
        let clean_after = std::mem::replace(&mut self.clean, clean);
        self.line("} else {");
        self.depth += 1;
        let second = self.block(other, Some(bind.dst.clone()));
        self.depth -= 1;
        self.line("}");
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
        Op::If { then, other, .. } => grown(|| own_calls(then, func) + own_calls(other, func)),
        _ => 0,
    };
    block.binds.iter().map(of).sum()
}

/// Whether a function calls others.
fn calls(block: &Block, func: FuncId) -> bool {
    block.binds.iter().any(|bind| match &bind.op {
        Op::Call { func: callee, .. } => *callee != func,
        Op::Apply { .. } => true,
        Op::If { then, other, .. } => grown(|| calls(then, func) || calls(other, func)),
        _ => false,
    })
}

fn list(words: &[String]) -> String {
    let list = if words.is_empty() { "0".to_owned() } else { words.join(", ") };
    format!("(const tam_word[]){{{list}}}")
}
