//! An order of a block's bindings in which each comes after its operands.
//!
//! A cell can be made before the values of its fields are known: if these need the cell, the cell is made
//! without them, and they are stored when they are known. Bindings in any other cycle have no place in the
//! order and come last.
//!
//! Stores are moved after the reads that follow them, as far as these are of other arrays: if a read must
//! wait and nothing has been stored yet, the whole function can begin again as threads
//! (tam/plan/function.rs).

use crate::core::language::*;
use crate::stack::with_stack;
use std::collections::HashMap;

/// Returns the bindings, and the number of those that are in order.
pub fn ordered(block: &Block) -> (Vec<Bind>, usize) {
    let of = block.binds.iter().enumerate().flat_map(|(n, b)| b.dst.iter().map(move |v| (*v, n))).collect();
    let state = vec![State::New; block.binds.len()];
    let mut order = Order { block, of, state, fills: HashMap::new(), out: Vec::new() };
    loop {
        let before = order.out.len();
        for n in 0..block.binds.len() {
            if order.state[n] == State::Stuck {
                order.state[n] = State::New;
            }
        }
        for n in 0..block.binds.len() {
            order.visit(n);
        }
        if order.out.len() == before {
            break;
        }
    }
    order.out = stores_last(order.out);
    let ready = order.out.len();
    let stuck = block.binds.iter().zip(&order.state).filter(|b| *b.1 != State::Done).map(|b| b.0.clone());
    order.out.extend(stuck);
    let mut fills: Vec<(Var, Vec<Bind>)> = order.fills.into_iter().collect();
    fills.sort_by_key(|f| f.0);
    order.out.extend(fills.into_iter().flat_map(|f| f.1));
    (order.out, ready)
}

/// Moves stores into I-structures after the computations and the reads of other I-structures that follow, up
/// to the next operation of another kind.
fn stores_last(binds: Vec<Bind>) -> Vec<Bind> {
    let (mut out, mut stores): (Vec<Bind>, Vec<Bind>) = (Vec::with_capacity(binds.len()), Vec::new());
    for bind in binds {
        let stored = |a: &Atom| stores.iter().any(|s| s.op.atoms()[0] == *a);
        match &bind.op {
            Op::Store { mode: Mode::I, .. } => {
                stores.push(bind);
                continue;
            }
            Op::Prim(..) | Op::Make { .. } | Op::Alloc { .. } | Op::Bound { .. } => {}
            Op::Field { mode: Mode::I, .. } => {}
            Op::Fetch { array, mode: Mode::I, .. } if !stored(array) => {}
            _ => out.append(&mut stores),
        }
        out.push(bind);
    }
    out.append(&mut stores);
    out
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    New,
    Active,
    Done,
    Stuck,
}

struct Order<'a> {
    block: &'a Block,
    /// The binding of each variable.
    of: HashMap<Var, usize>,
    state: Vec<State>,
    /// Stores into fields of cells that were made before their values, by value.
    fills: HashMap<Var, Vec<Bind>>,
    out: Vec<Bind>,
}

/// The variables that an operation uses, in its arms too.
fn uses(op: &Op, into: &mut Vec<Var>) {
    let mut add = |a: &Atom| {
        if let Atom::Var(v) = a {
            into.push(*v);
        }
    };
    op.atoms().iter().for_each(&mut add);
    if let Op::If { then, other, .. } = op {
        for block in [then, other] {
            block.results.iter().for_each(&mut add);
        }
        for block in [then, other] {
            with_stack(|| block.binds.iter().for_each(|b| uses(&b.op, into)));
        }
    }
}

impl Order<'_> {
    /// Puts a binding into the order, after those whose values it uses. Returns whether it has a place.
    fn visit(&mut self, n: usize) -> bool {
        match self.state[n] {
            State::Done => true,
            State::Stuck => false,
            // A value that a field of the cell needs uses the cell.
            State::Active => self.make_now(n),
            State::New => with_stack(|| self.visit_new(n)),
        }
    }

    fn visit_new(&mut self, n: usize) -> bool {
        self.state[n] = State::Active;
        let bind = &self.block.binds[n];
        let mut vars = Vec::new();
        uses(&bind.op, &mut vars);
        let cell = matches!(bind.op, Op::Make { .. });
        let mut all = true;
        for v in vars {
            if let Some(&m) = self.of.get(&v) {
                let known = self.visit(m) && (m != n || cell);
                all &= known;
            }
        }
        if self.state[n] == State::Done {
            return true;
        }
        if cell && self.make_now(n) {
            return true;
        }
        if !all || cell {
            self.state[n] = State::Stuck;
            return false;
        }
        self.put(bind.clone());
        self.state[n] = State::Done;
        self.fill(n);
        true
    }

    fn known(&self, atom: Atom) -> bool {
        match atom {
            Atom::Var(v) => self.of.get(&v).is_none_or(|&n| self.state[n] == State::Done),
            _ => true,
        }
    }

    /// Puts a new cell into the order with the fields that are known. Returns false if the binding makes no
    /// cell, or the closure of a delayed field is not known.
    fn make_now(&mut self, n: usize) -> bool {
        let bind = &self.block.binds[n];
        let Op::Make { tag, fields } = &bind.op else { return false };
        let waits = |f: &Init| matches!(f, Init::Delayed(a) if !self.known(*a));
        if fields.iter().any(waits) {
            return false;
        }
        let cell = Atom::Var(bind.dst[0]);
        let mut now = fields.clone();
        for (at, field) in now.iter_mut().enumerate() {
            if let Init::Value(Atom::Var(v)) = *field
                && !self.known(Atom::Var(v))
            {
                let op = Op::StoreField { cell, at, value: Atom::Var(v), mode: Mode::I };
                self.fills.entry(v).or_default().push(Bind { dst: Vec::new(), op, span: bind.span });
                *field = Init::Empty;
            }
        }
        self.put(Bind { op: Op::Make { tag: *tag, fields: now }, ..bind.clone() });
        self.state[n] = State::Done;
        self.fill(n);
        true
    }

    fn put(&mut self, bind: Bind) {
        self.out.push(bind);
    }

    /// Stores the results of a binding into the cells that were made before it.
    fn fill(&mut self, n: usize) {
        for v in &self.block.binds[n].dst {
            let fills = self.fills.remove(v).unwrap_or_default();
            self.out.extend(fills);
        }
    }
}
