//! A function as a C function that computes at once as much as possible.
//!
//! Evaluation is eager but not strict: a call begins its function at once, no caller waits for it, and it
//! waits only for operands. If all arguments are available, its operations can as well run one after another
//! on the C stack, in an order in which each has its operands. A tail call of the function to itself is a
//! loop in C, whose iterations are called turns.
//!
//! An operation may have to wait for an element that is not written, or for a callee that waits itself. The
//! missing value then becomes a late parameter of a code-block that is made here of the remainder of the
//! function. So no operation waits that could run, since the remainder runs as threads. Bindings without such
//! an order, whose values need each other by way of calls, are left to threads from the beginning. (The
//! runtime's side: runtime/tam/direct.c.)
//!
//! If nothing has been called or written since the function, or the turn of its loop, began, the function's
//! own code-block serves as well as one of the remainder: the few operations run again.

use super::counted::Counted;
use super::steps::*;
use super::{Independent, Planner, floats, independent, reuse};
use crate::core::binds::variables;
use crate::core::language::*;
use crate::core::order::ordered;
use crate::stack::with_stack;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

mod boxes;
mod fresh;

use fresh::{Fresh, used_twice};

/// The plan of a C function.
pub struct CFunction {
    pub func: FuncId,
    /// The code-block of the function without late parameters.
    pub block: usize,
    /// The variables that are surely floats.
    pub floats: BTreeSet<Var>,
    /// The parameters that are passed with views, and the dimensions of these arrays.
    pub views: BTreeMap<Var, usize>,
    /// The arrays whose views the function makes, and their dimensions.
    pub own_views: BTreeMap<Var, usize>,
    /// Arrays of a turn, and the parameters that they become in the next, whose storage is reused.
    pub reuse: BTreeMap<Var, Var>,
    /// The loop, if its passes are independent of each other.
    pub independent: Option<Independent>,
    /// The loop, if stretches of its passes need no tests.
    pub stretch: Option<Stretch>,
    pub steps: Vec<Step>,
    /// The function calls itself at its end, which is a loop.
    pub loops: bool,
    /// The function calls itself elsewhere.
    pub calls_itself: bool,
}

/// A loop over ranges of elements that are all accessible without tests.
pub struct Stretch {
    pub counted: Counted,
    /// The steps of a pass.
    pub steps: Vec<Step>,
}

impl CFunction {
    /// The dimensions of an array, if the function has its view.
    pub fn view_dims(&self, v: Var) -> Option<usize> {
        self.views.get(&v).or_else(|| self.own_views.get(&v)).copied()
    }

    /// Whether an access to an array of these dimensions is by its view.
    pub fn has_view(&self, array: Atom, dims: usize, mode: Mode) -> bool {
        matches!(array, Atom::Var(v) if mode == Mode::I && self.view_dims(v) == Some(dims))
    }
}

/// A block that is being planned.
pub(super) struct Level {
    pub binds: Rc<Vec<Bind>>,
    /// The index of the first binding that is left.
    pub at: usize,
    pub results: Vec<Atom>,
    /// The variables of the results; none if they are the function's results.
    pub dst: Option<Vec<Var>>,
}

/// A C function that is being planned.
pub(super) struct FunctionPlanner<'p> {
    pub planner: &'p mut Planner,
    pub f: Func,
    pub made: CFunction,
    pub levels: Vec<Level>,
    /// All operations of this turn so far can be repeated.
    pub clean: bool,
    /// Arrays that have not escaped.
    pub fresh: BTreeMap<Var, Fresh>,
    /// Accesses that need no tests: those of a stretch of passes, and those of a box that has been tested.
    pub sure: Vec<(Var, Vec<Atom>)>,
}

impl Planner {
    /// Plans the C function of a function.
    pub(super) fn function(&mut self, func: FuncId) -> CFunction {
        let f = self.program.funcs[func].clone();
        let block = self.block_for(func, &vec![false; f.params.len()]);
        let views = self.facts[func].views.iter().map(|(p, dims)| (f.params[*p], *dims)).collect();
        let made = CFunction {
            func,
            block,
            floats: floats::of(&f, func),
            own_views: used_twice(&f, &views, &self.facts),
            views,
            reuse: reuse::of(&f, func),
            independent: independent::of(&f, func),
            stretch: None,
            steps: Vec::new(),
            loops: false,
            calls_itself: false,
        };
        let mut p = FunctionPlanner {
            planner: self,
            f,
            made,
            levels: Vec::new(),
            clean: true,
            fresh: BTreeMap::new(),
            sure: Vec::new(),
        };
        p.made.stretch = p.stretch();
        p.clean = true;
        let body = p.f.body.clone();
        p.made.steps = p.block(&body, None).0;
        p.made
    }
}

impl FunctionPlanner<'_> {
    /// Plans the passes without tests, if the function is a loop that has them.
    fn stretch(&mut self) -> Option<Stretch> {
        let counted = Counted::of(&self.f, self.made.func, &self.made.views)?;
        self.sure = counted.sure.iter().map(|s| (s.array, s.index.clone())).collect();
        let (binds, results) = (Rc::new(counted.pass.clone()), counted.results.clone());
        self.levels.push(Level { binds: binds.clone(), at: 0, results, dst: None });
        let mut steps = Vec::new();
        for (n, bind) in binds[..binds.len() - 1].iter().enumerate() {
            self.level().at = n + 1;
            self.escapes(bind);
            self.bind(bind, &mut steps);
        }
        self.levels.pop();
        self.sure.clear();
        Some(Stretch { counted, steps })
    }

    /// Plans a block. Returns its steps, and whether control does not reach its end. `dst`: the variables of
    /// its results; none if they are the function's.
    fn block(&mut self, block: &Block, dst: Option<Vec<Var>>) -> (Vec<Step>, bool) {
        with_stack(|| {
            let mut steps = Vec::new();
            let ended = self.block_steps(block, dst, &mut steps);
            (steps, ended)
        })
    }

    fn block_steps(&mut self, block: &Block, dst: Option<Vec<Var>>, steps: &mut Vec<Step>) -> bool {
        let (binds, ready) = ordered(block);
        let binds = Rc::new(binds);
        let last = dst.is_none();
        let results = block.results.clone();
        self.levels.push(Level { binds: binds.clone(), at: 0, results, dst: dst.clone() });
        let sure = self.sure.len();
        let ended = binds.iter().enumerate().any(|(n, bind)| {
            if n == ready {
                self.level().at = n;
                steps.push(Step::Leave(self.rest(&[])));
                return true;
            }
            self.level().at = n + 1;
            let gives_all = || bind.dst.iter().map(|v| Atom::Var(*v)).eq(block.results.iter().copied());
            if last && n + 1 == binds.len() && gives_all() && self.tail(bind, steps) {
                return true;
            }
            self.escapes(bind);
            self.bind(bind, steps)
        });
        self.levels.pop();
        self.sure.truncate(sure);
        if !ended {
            let results = block.results.clone();
            steps.push(match dst {
                Some(dst) => Step::Give(dst, results),
                None => Step::Return(results),
            });
        }
        ended
    }

    pub(super) fn level(&mut self) -> &mut Level {
        self.levels.last_mut().expect("a block is being planned")
    }

    /// Plans a binding that has the function's results, if it is a conditional or a call that can end the
    /// function. Returns false if it is not.
    fn tail(&mut self, bind: &Bind, steps: &mut Vec<Step>) -> bool {
        let step = match &bind.op {
            Op::If { test, then, other } => {
                let clean = self.clean;
                let then = self.block(then, None).0;
                self.clean = clean;
                let other = self.block(other, None).0;
                Step::If { span: None, test: *test, then, other, gives: Vec::new() }
            }
            Op::Call { func, args, join: false } if *func == self.made.func => {
                self.made.loops = true;
                let made_here = |v: &Var| self.fresh.contains_key(v).then_some(*v);
                let storage = self.made.reuse.iter().map(|(v, p)| (*p, made_here(v))).collect();
                Step::Turn { args: args.clone(), storage }
            }
            Op::Call { func, args, join: false } if self.planner.calls_function(*func, self.f.io) => {
                Step::TailCall(*func, args.clone())
            }
            _ => return false,
        };
        steps.push(step);
        true
    }

    /// Plans a binding. Returns whether control does not go on after it.
    fn bind(&mut self, bind: &Bind, steps: &mut Vec<Step>) -> bool {
        if let Op::If { test, then, other } = &bind.op {
            return self.conditional(bind, *test, then, other, steps);
        }
        let way = self.way(bind);
        let ended = matches!(way, Way::Leave(_));
        steps.push(Step::Do(bind.clone(), way));
        ended
    }

    fn conditional(
        &mut self,
        bind: &Bind,
        test: Atom,
        then: &Block,
        other: &Block,
        steps: &mut Vec<Step>,
    ) -> bool {
        let clean = self.clean;
        let (then, first) = self.block(then, Some(bind.dst.clone()));
        let clean_after = std::mem::replace(&mut self.clean, clean);
        let (other, second) = self.block(other, Some(bind.dst.clone()));
        self.clean = match (first, second) {
            (true, _) => self.clean,
            (false, true) => clean_after,
            (false, false) => self.clean && clean_after,
        };
        let ended = first && second;
        let gives = if ended { Vec::new() } else { bind.dst.clone() };
        steps.push(Step::If { span: Some(bind.span), test, then, other, gives });
        ended
    }

    /// How an operation other than a conditional is done.
    fn way(&mut self, bind: &Bind) -> Way {
        let dst = bind.dst.first().copied().unwrap_or(0);
        match &bind.op {
            Op::Prim(..) | Op::Make { .. } | Op::Fail { .. } | Op::If { .. } => Way::Plain,
            Op::Copy(_) => {
                self.level().at -= 1;
                Way::Leave(self.rest(&[]))
            }
            Op::Closure { func, .. } => Way::Closure(self.planner.lenient_block(*func)),
            Op::Alloc { mutable, bounds, .. } => self.array(dst, *mutable, bounds),
            Op::Field { mode, .. } => Way::Wait(self.read(dst, *mode)),
            Op::Fetch { mode, array, index } => {
                let look = self.look(bind);
                let wait = (!self.is_sure(*array, index)).then(|| self.read(dst, *mode));
                Way::Fetch(Fetch { look, wait })
            }
            Op::Bound { .. } => Way::Wait(self.wait(&[dst])),
            Op::StoreField { .. } => {
                self.clean = false;
                Way::Store(Store::Tested)
            }
            Op::Store { array, index, mode, .. } => {
                self.clean = false;
                let sure = self.made.has_view(*array, index.len(), *mode) && self.is_sure(*array, index);
                let new = if *mode == Mode::I { self.fill(*array, index) } else { None };
                Way::Store(new.unwrap_or(if sure { Store::Sure } else { Store::Tested }))
            }
            Op::Call { func, args, .. } => self.call(bind, *func, args.len()),
            Op::Apply { .. } => {
                let wait = self.wait(&bind.dst);
                self.clean = false;
                Way::Apply { wait, rest: self.rest(&bind.dst) }
            }
            Op::Io { .. } => {
                self.clean = false;
                Way::Plain
            }
        }
    }

    fn call(&mut self, bind: &Bind, func: FuncId, args: usize) -> Way {
        self.clean = false;
        self.made.calls_itself |= func == self.made.func;
        let callee = match self.planner.calls_function(func, self.f.io) {
            true => Callee::Function,
            false => Callee::Block(self.planner.block_for(func, &vec![false; args])),
        };
        let rest = (!bind.dst.is_empty()).then(|| self.rest(&bind.dst));
        Way::Call { callee, rest }
    }

    /// How a read waits. A take cannot be repeated.
    fn read(&mut self, dst: Var, mode: Mode) -> Wait {
        let wait = self.wait(&[dst]);
        self.clean &= mode != Mode::Take;
        wait
    }

    /// How the function waits for the variables `missing`.
    pub(super) fn wait(&mut self, missing: &[Var]) -> Wait {
        if self.clean { Wait::Repeat } else { Wait::Rest(self.rest(missing)) }
    }

    /// Whether an access needs no test.
    fn is_sure(&self, array: Atom, index: &[Atom]) -> bool {
        self.sure.iter().any(|s| Atom::Var(s.0) == array && s.1 == index)
    }

    /// The remainder of the function from here on, with `missing` as late parameters.
    pub(super) fn rest(&mut self, missing: &[Var]) -> Rest {
        let mut body = Block::default();
        for level in self.levels.iter().rev() {
            body.binds.extend(level.binds[level.at..].iter().cloned());
            let Some(dst) = &level.dst else {
                body.results = level.results.clone();
                break;
            };
            let span = self.f.span;
            let copy = |(d, r): (&Var, &Atom)| Bind { dst: vec![*d], op: Op::Copy(*r), span };
            body.binds.extend(dst.iter().zip(&level.results).map(copy));
        }
        let (mut inside, mut free) = (BTreeSet::new(), BTreeSet::new());
        variables(&body, &mut inside, &mut free);
        let live: Vec<Var> =
            free.into_iter().filter(|v| !inside.contains(v) && !missing.contains(v)).collect();
        let params: Vec<Var> = missing.iter().chain(&live).copied().collect();
        let late: Vec<bool> = (0..params.len()).map(|p| p < missing.len()).collect();
        let mut func = Func { params, body, looped: true, ..self.f.clone() };
        crate::passes::simplify::simplify_function(&mut func);
        let block = self.planner.rest_block(func, &late, self.made.func);
        Rest { block, missing: missing.len(), live }
    }
}
