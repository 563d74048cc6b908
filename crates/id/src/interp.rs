//! The reference interpreter: runs the functions of [`crate::core::language`] one operation at a time.
//!
//! The interpreter knows nothing of graphs, threads or processors. An operation whose operands are available
//! is ready; a seed chooses the next of the ready ones, so that an answer that depends on the order shows.
//! The output of the compiled program must be the interpreter's.

mod prim;

pub use prim::show_float;

use crate::core::language::*;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

/// How a program has ended.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    /// All work has ended.
    Done,
    /// Nothing can run, and something waits.
    Deadlock,
    /// An error, in words.
    Error(String),
    /// `exit` with this code.
    Exit(i64),
    /// More operations than were allowed.
    TooLong,
}

/// Words above this are references to the heap; its low bits hold a constructor's number.
const REF: u64 = 1 << 20;

struct Group {
    pending: Cell<usize>,
    outer: Option<Rc<Group>>,
    done: Option<(Rc<Frame>, Var)>,
}

struct Frame {
    vars: RefCell<Vec<Option<u64>>>,
    waiting: RefCell<HashMap<Var, Vec<Task>>>,
}

#[derive(Clone)]
enum What {
    /// A binding of a function, by its address, since a search by function and path is too slow. The program
    /// outlives all tasks.
    Bind(*const Bind),
    /// Gives an operand to a variable of another frame.
    Give(Atom, Rc<Frame>, Var),
}

#[derive(Clone)]
struct Task {
    frame: Rc<Frame>,
    group: Rc<Group>,
    what: What,
}

enum Element {
    Empty(Vec<(Task, Mode)>),
    Full(u64),
    Delayed(u64),
}

struct Object {
    bounds: Vec<i64>,
    elements: Vec<Element>,
}

struct Machine<'a> {
    program: &'a Program,
    heap: Vec<Object>,
    ready: Vec<Task>,
    waiting: usize,
    seed: u64,
    out: Vec<u8>,
    input: Vec<u8>,
    at: usize,
    args: &'a [String],
}

type Run<T> = Result<T, End>;

/// Runs a program with this standard input and these arguments. Returns its output, and how it ended.
pub fn run(program: &Program, input: &[u8], args: &[String], seed: u64, most: usize) -> (Vec<u8>, End) {
    let mut m = Machine {
        program,
        heap: Vec::new(),
        ready: Vec::new(),
        waiting: 0,
        seed: seed.wrapping_mul(2).wrapping_add(1),
        out: Vec::new(),
        input: input.to_vec(),
        at: 0,
        args,
    };
    let end = m.go(most).err().unwrap_or(End::Done);
    (m.out, end)
}

fn f(word: u64) -> f64 {
    f64::from_bits(word)
}

impl<'a> Machine<'a> {
    fn go(&mut self, most: usize) -> Run<()> {
        let group = Rc::new(Group { pending: Cell::new(0), outer: None, done: None });
        let main = &self.program.funcs[self.program.main];
        self.start(main, &[], &group);
        for _ in 0..most {
            if self.ready.is_empty() {
                return if self.waiting == 0 { Ok(()) } else { Err(End::Deadlock) };
            }
            self.seed ^= self.seed << 13;
            self.seed ^= self.seed >> 7;
            self.seed ^= self.seed << 17;
            // Mostly the newest task, which keeps the heap small.
            let n = self.ready.len();
            let at = if self.seed.is_multiple_of(4) { (self.seed >> 8) as usize % n } else { n - 1 };
            let task = self.ready.swap_remove(at);
            self.step(task)?;
        }
        Err(End::TooLong)
    }

    fn start(&mut self, func: &'a Func, args: &[Atom], group: &Rc<Group>) -> Rc<Frame> {
        let _ = args;
        let frame = Rc::new(Frame { vars: RefCell::new(vec![None; func.vars]), waiting: RefCell::default() });
        self.block(&func.body, &frame, group);
        frame
    }

    fn block(&mut self, block: &'a Block, frame: &Rc<Frame>, group: &Rc<Group>) {
        for bind in block.binds.iter().rev() {
            self.add(frame, group, What::Bind(bind));
        }
    }

    fn add(&mut self, frame: &Rc<Frame>, group: &Rc<Group>, what: What) {
        group.pending.set(group.pending.get() + 1);
        self.ready.push(Task { frame: frame.clone(), group: group.clone(), what });
    }

    fn set(&mut self, frame: &Rc<Frame>, var: Var, word: u64) {
        frame.vars.borrow_mut()[var] = Some(word);
        let woken = frame.waiting.borrow_mut().remove(&var).unwrap_or_default();
        self.waiting -= woken.len();
        self.ready.extend(woken);
    }

    fn ended(&mut self, group: &Rc<Group>) {
        let mut group = group.clone();
        loop {
            group.pending.set(group.pending.get() - 1);
            if group.pending.get() > 0 {
                return;
            }
            if let Some((frame, var)) = &group.done {
                self.set(&frame.clone(), *var, 1);
            }
            let Some(outer) = group.outer.clone() else { return };
            group = outer;
        }
    }

    /// The word of an operand. Returns none if it is not available; the task then waits for it.
    fn word(&mut self, atom: Atom, task: &Task) -> Option<u64> {
        match atom {
            Atom::Int(n) => Some(n as u64),
            Atom::Float(x) => Some(x.to_bits()),
            Atom::Var(v) => {
                let word = task.frame.vars.borrow()[v];
                if word.is_none() {
                    self.waiting += 1;
                    task.frame.waiting.borrow_mut().entry(v).or_default().push(task.clone());
                }
                word
            }
        }
    }

    fn step(&mut self, task: Task) -> Run<()> {
        match &task.what {
            What::Give(atom, to, var) => {
                let Some(word) = self.word(*atom, &task) else { return Ok(()) };
                self.set(to, *var, word);
            }
            What::Bind(bind) => {
                // SAFETY: the binding lies in the program, which `self` borrows for longer than any task
                // lives.
                let bind: &'a Bind = unsafe { &**bind };
                if !self.perform(bind, &task)? {
                    return Ok(());
                }
            }
        }
        self.ended(&task.group);
        Ok(())
    }

    fn new_object(&mut self, bounds: Vec<i64>, size: usize) -> u64 {
        let elements = (0..size).map(|_| Element::Empty(Vec::new())).collect();
        self.heap.push(Object { bounds, elements });
        (self.heap.len() as u64) << 20
    }

    fn object(&mut self, word: u64) -> &mut Object {
        &mut self.heap[(word >> 20) as usize - 1]
    }

    /// The operands of a binding, except those for which it does not wait; none if one is not available.
    fn operands(&mut self, bind: &Bind, task: &Task) -> Option<Vec<u64>> {
        if let Op::Make { fields, .. } = &bind.op {
            for field in fields {
                if let Init::Delayed(atom) = field {
                    self.word(*atom, task)?;
                }
            }
        }
        if matches!(bind.op, Op::Make { .. } | Op::Closure { .. } | Op::Call { .. } | Op::Apply { .. }) {
            return Some(Vec::new());
        }
        bind.op.atoms().into_iter().map(|atom| self.word(atom, task)).collect()
    }

    /// Runs a binding. Returns false if it waits.
    fn perform(&mut self, bind: &'a Bind, task: &Task) -> Run<bool> {
        let Some(words) = self.operands(bind, task) else { return Ok(false) };
        let (frame, group) = (task.frame.clone(), task.group.clone());
        match &bind.op {
            Op::Copy(_) => self.set(&frame, bind.dst[0], words[0]),
            Op::Prim(prim, _) => {
                let word = self.prim(*prim, &words)?;
                self.set(&frame, bind.dst[0], word);
            }
            Op::Make { tag, fields } => self.make(*tag, fields, bind.dst[0], &frame, &group)?,
            Op::Field { .. } | Op::StoreField { .. } | Op::Alloc { .. } => {
                return self.heap(bind, words, task);
            }
            Op::Bound { .. } | Op::Fetch { .. } | Op::Store { .. } => return self.heap(bind, words, task),
            Op::Call { func, args, join } => {
                let inner = match join {
                    true => {
                        let done = Some((frame.clone(), *bind.dst.last().unwrap_or(&0)));
                        group.pending.set(group.pending.get() + 1);
                        Rc::new(Group { pending: Cell::new(0), outer: Some(group.clone()), done })
                    }
                    false => group.clone(),
                };
                let dst = &bind.dst[..bind.dst.len() - usize::from(*join)];
                self.call(*func, args.iter().map(|a| (*a, frame.clone())).collect(), dst, &frame, &inner);
            }
            Op::Closure { func, args } => {
                let cell = self.new_object(vec![*func as i64], args.len());
                for (at, atom) in args.iter().enumerate() {
                    self.fill(cell, at, *atom, &frame, &group);
                }
                self.set(&frame, bind.dst[0], cell);
            }
            Op::Apply { f, args } => {
                let Some(closure) = self.word(*f, task) else { return Ok(false) };
                let args = args.iter().map(|a| (*a, frame.clone())).collect();
                self.apply(closure, args, (&frame, bind.dst[0]), &group);
            }
            Op::If { then, other, .. } => {
                let arm = if words[0] != 0 { then } else { other };
                self.block(arm, &frame, &group);
                for (atom, var) in arm.results.iter().zip(&bind.dst) {
                    self.add(&frame, &group, What::Give(*atom, frame.clone(), *var));
                }
            }
            Op::Io { io, .. } => {
                let result = self.io(*io, &words)?;
                self.set(&frame, bind.dst[0], 0);
                self.set(&frame, bind.dst[1], result);
            }
            Op::Fail { text } => {
                let text = String::from_utf8_lossy(&self.program.texts[*text]).into_owned();
                return Err(End::Error(text));
            }
        }
        Ok(true)
    }

    /// Makes a cell, whose fields are filled when their values are available.
    fn make(
        &mut self,
        tag: usize,
        fields: &[Init],
        dst: Var,
        frame: &Rc<Frame>,
        group: &Rc<Group>,
    ) -> Run<()> {
        let cell = self.new_object(Vec::new(), fields.len()) | tag as u64;
        self.set(frame, dst, cell);
        for (at, field) in fields.iter().enumerate() {
            match field {
                Init::Value(atom) => self.fill(cell, at, *atom, frame, group),
                Init::Delayed(atom) => {
                    let closure = frame.vars.borrow()[match atom {
                        Atom::Var(v) => *v,
                        _ => 0,
                    }];
                    let Some(closure) = closure else {
                        return Err(End::Error("a delayed field before its closure".into()));
                    };
                    self.object(cell).elements[at] = Element::Delayed(closure);
                }
                Init::Empty => {}
            }
        }
        Ok(())
    }

    /// Runs an operation on the heap, whose operands are available. Returns false if it waits.
    fn heap(&mut self, bind: &'a Bind, mut words: Vec<u64>, task: &Task) -> Run<bool> {
        let frame = task.frame.clone();
        match &bind.op {
            Op::Field { at, mode, .. } => return self.read(words[0], *at, *mode, bind.dst[0], task),
            Op::StoreField { at, .. } => self.write(words[0], *at, words[1])?,
            Op::Alloc { .. } => {
                let bounds: Vec<i64> = words.iter().map(|w| *w as i64).collect();
                let size = bounds.chunks(2).map(|b| (b[1] - b[0] + 1).max(0) as usize).product();
                let word = self.new_object(bounds, size);
                self.set(&frame, bind.dst[0], word);
            }
            Op::Bound { at, .. } => {
                let word = self.object(words[0]).bounds[*at] as u64;
                self.set(&frame, bind.dst[0], word);
            }
            Op::Fetch { mode, .. } => {
                let at = self.offset(words[0], &words[1..])?;
                return self.read(words[0], at, *mode, bind.dst[0], task);
            }
            Op::Store { .. } => {
                let value = words.pop().unwrap_or(0);
                let at = self.offset(words[0], &words[1..])?;
                self.write(words[0], at, value)?;
            }
            _ => unreachable!("an operation that is not on the heap"),
        }
        Ok(true)
    }

    /// Stores an operand into a field when it is available: adds a binding that waits for it.
    fn fill(&mut self, cell: u64, at: usize, atom: Atom, frame: &Rc<Frame>, group: &Rc<Group>) {
        let op = Op::StoreField { cell: Atom::Int(cell as i64), at, value: atom, mode: Mode::I };
        // Leaked, since tasks refer to bindings by address.
        let bind: &'static Bind = Box::leak(Box::new(Bind { dst: Vec::new(), op, span: Default::default() }));
        self.add(frame, group, What::Bind(bind));
    }

    fn call(
        &mut self,
        func: FuncId,
        args: Vec<(Atom, Rc<Frame>)>,
        dst: &[Var],
        to: &Rc<Frame>,
        group: &Rc<Group>,
    ) {
        let func = &self.program.funcs[func];
        let callee = self.start(func, &[], group);
        for ((atom, from), param) in args.into_iter().zip(&func.params) {
            self.add(&from, group, What::Give(atom, callee.clone(), *param));
        }
        for (atom, var) in func.body.results.iter().zip(dst) {
            self.add(&callee, group, What::Give(*atom, to.clone(), *var));
        }
        // A call of a function without operations must not end its group before the group has begun.
        if group.pending.get() == 0 {
            group.pending.set(1);
            self.ended(group);
        }
    }

    fn apply(
        &mut self,
        closure: u64,
        args: Vec<(Atom, Rc<Frame>)>,
        to: (&Rc<Frame>, Var),
        group: &Rc<Group>,
    ) {
        let func_at = self.object(closure).bounds[0] as usize;
        let held = self.object(closure).elements.len();
        let func = &self.program.funcs[func_at];
        let io = usize::from(func.io && func.results == 2);
        let wanted = func.params.len() - io - held;
        let source = |m: &mut Self, at: usize| {
            // The captured argument as an operand: a frame whose one variable a read fills.
            let frame = Rc::new(Frame { vars: RefCell::new(vec![None]), waiting: RefCell::default() });
            let op = Op::Field { cell: Atom::Int(closure as i64), at, mode: Mode::I };
            let bind: &'static Bind =
                Box::leak(Box::new(Bind { dst: vec![0], op, span: Default::default() }));
            m.add(&frame, group, What::Bind(bind));
            (Atom::Var(0), frame)
        };
        let mut all: Vec<(Atom, Rc<Frame>)> = (0..held).map(|at| source(self, at)).collect();
        if args.len() < wanted {
            all.extend(args);
            let cell = self.new_object(vec![func_at as i64], all.len());
            for (at, (atom, frame)) in all.into_iter().enumerate() {
                self.fill(cell, at, atom, &frame, group);
            }
            return self.set(to.0, to.1, cell);
        }
        let mut args = args;
        let rest = args.split_off(wanted);
        all.extend(args);
        if rest.is_empty() {
            return self.call(func_at, all, &[to.1], to.0, group);
        }
        // The result is applied to the rest, in a frame of its own.
        let count = rest.len();
        let vars = RefCell::new(vec![None; count + 2]);
        let frame = Rc::new(Frame { vars, waiting: RefCell::default() });
        for (n, (atom, from)) in rest.into_iter().enumerate() {
            self.add(&from, group, What::Give(atom, frame.clone(), n + 2));
        }
        let op = Op::Apply { f: Atom::Var(0), args: (0..count).map(|n| Atom::Var(n + 2)).collect() };
        let bind: &'static Bind = Box::leak(Box::new(Bind { dst: vec![1], op, span: Default::default() }));
        self.add(&frame, group, What::Bind(bind));
        self.add(&frame, group, What::Give(Atom::Var(1), to.0.clone(), to.1));
        self.call(func_at, all, &[0], &frame, group);
    }

    fn offset(&mut self, array: u64, index: &[u64]) -> Run<usize> {
        let object = self.object(array);
        let mut at = 0usize;
        for (b, i) in object.bounds.chunks(2).zip(index) {
            let i = *i as i64;
            if i < b[0] || i > b[1] {
                return Err(End::Error(format!("index {i} is out of bounds")));
            }
            at = at * (b[1] - b[0] + 1) as usize + (i - b[0]) as usize;
        }
        Ok(at)
    }

    fn read(&mut self, word: u64, at: usize, mode: Mode, dst: Var, task: &Task) -> Run<bool> {
        if word < REF {
            return Err(End::Error("a field of a value without fields".into()));
        }
        let element = &mut self.object(word).elements[at];
        let value = match element {
            Element::Empty(waiters) => {
                waiters.push((task.clone(), mode));
                self.waiting += 1;
                return Ok(false);
            }
            Element::Delayed(closure) => {
                let closure = *closure;
                *element = Element::Empty(vec![(task.clone(), mode)]);
                self.waiting += 1;
                let frame = Rc::new(Frame { vars: RefCell::new(vec![None]), waiting: RefCell::default() });
                let group = task.group.clone();
                self.apply(closure, vec![(Atom::Int(0), frame.clone())], (&frame, 0), &group);
                self.fill(word, at, Atom::Var(0), &frame, &group);
                return Ok(false);
            }
            Element::Full(value) => *value,
        };
        if mode == Mode::Take {
            *element = Element::Empty(Vec::new());
        }
        self.set(&task.frame.clone(), dst, value);
        Ok(true)
    }

    fn write(&mut self, word: u64, at: usize, value: u64) -> Run<()> {
        let element = &mut self.object(word).elements[at];
        match element {
            Element::Empty(waiters) => {
                let woken = std::mem::take(waiters);
                *element = Element::Full(value);
                self.waiting -= woken.len();
                // Waiters run in the order in which they came; those for which a taker leaves nothing wait
                // again.
                self.ready.extend(woken.into_iter().rev().map(|w| w.0));
                Ok(())
            }
            _ => Err(End::Error("written twice".into())),
        }
    }

    fn io(&mut self, io: Io, words: &[u64]) -> Run<u64> {
        Ok(match io {
            Io::Put => {
                self.out.push(words[2] as u8);
                0
            }
            Io::Get | Io::Peek => match self.input.get(self.at) {
                Some(&b) => {
                    self.at += usize::from(io == Io::Get);
                    u64::from(b)
                }
                None => -1i64 as u64,
            },
            Io::Exit => return Err(End::Exit(words[1] as i64)),
            Io::Open => -1i64 as u64,
            Io::External => return Err(End::Error("a function of C".into())),
            Io::Name | Io::Close => 0,
        })
    }
}
