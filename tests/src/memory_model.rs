//! UPC's memory model, decided by brute force for small straight-line programs. It follows the definitions of
//! the standard's appendix B word for word and knows nothing of Meridian, so that Meridian can be compared
//! with it. An execution is allowed if there are:
//!
//! - one order <Strict of all strict accesses (B.2 p5);
//! - for each thread t, a total order <t of its own accesses and of everyone's writes and strict reads, in
//!   which each read returns the last write before it. This order keeps t's program order between conflicting
//!   accesses (DependOnThreads) and every thread's program order around a strict access (StrictOnThreads),
//!   and agrees with <Strict.
//!
//! Synchronisation is the null strict accesses of B.3.1 plus its effect on <Strict: no wait comes before a
//! notify of its barrier, and a lock has one holder.

use std::collections::{BTreeSet, HashSet};

#[allow(missing_docs, reason = "the fields are what they are called")]
/// A step of a thread. Locations are numbers below 4, values are 1 to 15; all locations start as 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// Reads a location into the next register.
    Read { location: usize, strict: bool },
    /// Writes a constant to a location.
    Write { location: usize, value: u8, strict: bool },
    /// Reads a location, and writes the changed value.
    Update { location: usize, change: Change, strict: bool },
    /// `upc_fence`: a null strict write and a null strict read.
    Fence,
    /// `upc_notify`: a null strict write.
    Notify,
    /// `upc_wait`: a null strict read, after every thread's notify of the same barrier.
    Wait,
    /// `upc_lock` of the program's one lock: a null strict read.
    Lock,
    /// `upc_unlock` of it: a null strict write.
    Unlock,
}

/// The change that an update makes to the value read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Adds this number.
    Add(u8),
    /// Writes this value if it is greater; else nothing is written.
    Max(u8),
}

impl Change {
    /// The value to write after `old` has been read; `None`: nothing is written.
    fn of(self, old: u8) -> Option<u8> {
        match self {
            Change::Add(by) => Some(old + by),
            Change::Max(other) => (other > old).then_some(other),
        }
    }
}

/// A litmus program. Its outcome is the value of each read, thread by thread, and then of each location in
/// `finals`, which thread 0 reads (relaxed) after a barrier of all threads.
#[derive(Clone, Debug)]
pub struct Program {
    /// The steps of each thread, in program order.
    pub threads: Vec<Vec<Op>>,
    /// The locations whose value at the end is part of the outcome.
    pub finals: Vec<usize>,
}

/// The values read, in the order of `Program`.
pub type Outcome = Vec<u8>;

impl Program {
    /// Reads the notation `wx1 Wy1 | Ry rx ; x`. Threads stand between bars. `w` and `r` are relaxed, `W` and
    /// `R` strict; `ax1` adds 1 to x, `mx1` makes it the greater of x and 1, `A` and `M` do so strictly; `F`
    /// is a fence, `N` and `V` are notify and wait, `B` a barrier, `L` and `U` lock and unlock the lock.
    /// Locations are x, y, z and t. After the semicolon come the locations read at the end.
    ///
    /// # Panics
    /// If the text is not of this form: it is written in a test.
    pub fn parse(text: &str) -> Program {
        let (steps, finals) = text.split_once(';').unwrap_or((text, ""));
        let threads = steps.split('|').map(|thread| thread.split_whitespace().flat_map(parse_step).collect());
        let finals = finals.split_whitespace().map(|name| location(name.as_bytes()[0])).collect();
        Program { threads: threads.collect(), finals }
    }

    /// The program with every access strict.
    pub fn strict(&self) -> Program {
        let strict = |op: &Op| match *op {
            Op::Read { location, .. } => Op::Read { location, strict: true },
            Op::Write { location, value, .. } => Op::Write { location, value, strict: true },
            Op::Update { location, change, .. } => Op::Update { location, change, strict: true },
            other => other,
        };
        let threads = self.threads.iter().map(|thread| thread.iter().map(strict).collect());
        Program { threads: threads.collect(), finals: self.finals.clone() }
    }

    /// The number of values in an outcome.
    pub fn registers(&self) -> usize {
        let reads = self.threads.iter().flatten().filter(|op| matches!(op, Op::Read { .. })).count();
        reads + self.finals.len()
    }

    /// The program with a read and a write for each update, once for each list of values that the updates may
    /// have read. Each has the registers of these reads, which no outcome contains, with their values. The
    /// model decides the result of a read, so an execution of the program is one of these in which the reads
    /// return the listed values.
    fn without_updates(&self) -> Vec<Guess> {
        let program = Program { threads: Vec::new(), finals: self.finals.clone() };
        let mut found = vec![Guess { program, hidden: Vec::new(), reads: 0 }];
        for steps in &self.threads {
            found.iter_mut().for_each(|guess| guess.program.threads.push(Vec::new()));
            for &op in steps {
                found = found
                    .into_iter()
                    .flat_map(|one| one.with(op, |location| self.greatest(location)))
                    .collect();
            }
        }
        found
    }

    /// The greatest value that a location can have.
    fn greatest(&self, of: usize) -> u8 {
        let change = |op: &Op| match *op {
            Op::Write { location, value, .. } if location == of => Some(Change::Max(value)),
            Op::Update { location, change, .. } if location == of => Some(change),
            _ => None,
        };
        let changes = self.threads.iter().flatten().filter_map(change);
        let (greatest, sum) = changes.fold((0, 0), |(greatest, sum), change| match change {
            Change::Max(value) => (value.max(greatest), sum),
            Change::Add(by) => (greatest, sum + by),
        });
        assert!(greatest + sum <= 15, "a value has four bits");
        greatest + sum
    }

    fn outcomes(&self, of: impl Fn(&Execution) -> BTreeSet<Outcome>) -> BTreeSet<Outcome> {
        let mut found = BTreeSet::new();
        for Guess { program, hidden, .. } in self.without_updates() {
            for outcome in of(&Execution::new(&program)) {
                if hidden.iter().all(|&(register, value)| outcome[register] == value) {
                    let shown =
                        (0..outcome.len()).filter(|k| hidden.iter().all(|(register, _)| register != k));
                    found.insert(shown.map(|k| outcome[k]).collect());
                }
            }
        }
        found
    }

    /// Every outcome that the standard allows.
    pub fn allowed(&self) -> BTreeSet<Outcome> {
        self.outcomes(Execution::allowed)
    }

    /// Every outcome of a sequentially consistent machine: the steps of the threads one at a time, each on
    /// the one memory. Computed without the orders of the model, so that the model can be compared with it.
    pub fn sequential(&self) -> BTreeSet<Outcome> {
        self.outcomes(Execution::sequential)
    }
}

/// A program without updates, in which each update has read one value.
struct Guess {
    program: Program,
    /// The registers of the reads of updates, and the values read.
    hidden: Vec<(usize, u8)>,
    /// The number of reads so far, during construction.
    reads: usize,
}

impl Guess {
    /// The guess with one more step; an update gives a guess for each possible old value. `greatest` returns
    /// the greatest value that a location can have.
    fn with(self, op: Op, greatest: impl Fn(usize) -> u8) -> Vec<Guess> {
        let with = |steps: &[Op], hidden: &[(usize, u8)], reads: usize| {
            let mut program = self.program.clone();
            program.threads.last_mut().expect("a thread has begun").extend(steps);
            Guess { program, hidden: [&self.hidden, hidden].concat(), reads: self.reads + reads }
        };
        let Op::Update { location, change, strict } = op else {
            return vec![with(&[op], &[], usize::from(matches!(op, Op::Read { .. })))];
        };
        let way = |old: u8| {
            let mut steps = vec![Op::Read { location, strict }];
            steps.extend(change.of(old).map(|value| Op::Write { location, value, strict }));
            with(&steps, &[(self.reads, old)], 1)
        };
        let most = greatest(location);
        (0..=most).filter(|&old| change.of(old).is_none_or(|new| new <= most)).map(way).collect()
    }
}

fn location(name: u8) -> usize {
    b"xyzt".iter().position(|known| *known == name).expect("a location is x, y, z or t")
}

fn parse_step(token: &str) -> Vec<Op> {
    let bytes = token.as_bytes();
    let strict = bytes[0].is_ascii_uppercase();
    match bytes {
        [b'r' | b'R', name] => vec![Op::Read { location: location(*name), strict }],
        [b'w' | b'W', name, digit @ b'1'..=b'9'] => {
            vec![Op::Write { location: location(*name), value: digit - b'0', strict }]
        }
        [b'a' | b'A', name, digit @ b'1'..=b'9'] => {
            vec![Op::Update { location: location(*name), change: Change::Add(digit - b'0'), strict }]
        }
        [b'm' | b'M', name, digit @ b'1'..=b'9'] => {
            vec![Op::Update { location: location(*name), change: Change::Max(digit - b'0'), strict }]
        }
        b"F" => vec![Op::Fence],
        b"N" => vec![Op::Notify],
        b"V" => vec![Op::Wait],
        b"B" => vec![Op::Notify, Op::Wait],
        b"L" => vec![Op::Lock],
        b"U" => vec![Op::Unlock],
        _ => panic!("{token}: not a step of a litmus program"),
    }
}

fn bit(access: usize) -> u32 {
    1 << access
}

/// The effect of an access on memory, or, for the null accesses, on the order of strict accesses.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effect {
    Read {
        location: usize,
        register: usize,
    },
    Write {
        location: usize,
        value: u8,
    },
    Null,
    /// The null access of a notify or a wait of the barrier with this number.
    Notify(usize),
    Wait(usize),
    Lock,
    Unlock,
}

struct Access {
    thread: usize,
    strict: bool,
    effect: Effect,
}

impl Access {
    fn location(&self) -> Option<usize> {
        match self.effect {
            Effect::Read { location, .. } | Effect::Write { location, .. } => Some(location),
            _ => None,
        }
    }

    fn is_write(&self) -> bool {
        matches!(self.effect, Effect::Write { .. })
    }

    /// Memory and registers, four bits for each value, after this access.
    fn perform(&self, memory: u64, registers: u64) -> (u64, u64) {
        match self.effect {
            Effect::Read { location, register } => {
                (memory, registers | (memory >> (4 * location) & 15) << (4 * register))
            }
            Effect::Write { location, value } => {
                (memory & !(15 << (4 * location)) | u64::from(value) << (4 * location), registers)
            }
            _ => (memory, registers),
        }
    }
}

/// The accesses of a program, each thread's together and in program order.
struct Execution {
    accesses: Vec<Access>,
    threads: usize,
    registers: usize,
}

impl Execution {
    fn new(program: &Program) -> Execution {
        let registers = program.registers();
        let mut execution = Execution { accesses: Vec::new(), threads: program.threads.len(), registers };
        let mut register = 0;
        for (thread, steps) in program.threads.iter().enumerate() {
            let (mut notified, mut waited) = (0, 0);
            for step in steps {
                execution.add(thread, *step, &mut register, &mut notified, &mut waited);
            }
            if !program.finals.is_empty() {
                execution.push(thread, true, Effect::Notify(notified));
                execution.push(thread, true, Effect::Wait(waited));
                let first = registers - program.finals.len();
                for (index, &location) in program.finals.iter().enumerate().filter(|_| thread == 0) {
                    execution.push(thread, false, Effect::Read { location, register: first + index });
                }
            }
        }
        assert!(execution.accesses.len() <= 32 && registers <= 16, "a litmus program is small");
        execution
    }

    fn add(&mut self, thread: usize, op: Op, register: &mut usize, notified: &mut usize, waited: &mut usize) {
        let next = |counter: &mut usize| {
            *counter += 1;
            *counter - 1
        };
        match op {
            Op::Read { location, strict } => {
                self.push(thread, strict, Effect::Read { location, register: next(register) });
            }
            Op::Write { location, value, strict } => {
                self.push(thread, strict, Effect::Write { location, value });
            }
            Op::Update { .. } => unreachable!("updates have become reads and writes"),
            Op::Fence => {
                self.push(thread, true, Effect::Null);
                self.push(thread, true, Effect::Null);
            }
            Op::Notify => self.push(thread, true, Effect::Notify(next(notified))),
            Op::Wait => self.push(thread, true, Effect::Wait(next(waited))),
            Op::Lock => self.push(thread, true, Effect::Lock),
            Op::Unlock => self.push(thread, true, Effect::Unlock),
        }
    }

    fn push(&mut self, thread: usize, strict: bool, effect: Effect) {
        self.accesses.push(Access { thread, strict, effect });
    }

    fn same_thread(&self, a: usize, b: usize) -> bool {
        self.accesses[a].thread == self.accesses[b].thread
    }

    /// Whether synchronisation by `next` is possible after the accesses in `done`.
    fn may_synchronise(&self, done: u32, next: usize) -> bool {
        let count = |effect| (0..self.accesses.len()).filter(move |&a| self.accesses[a].effect == effect);
        match self.accesses[next].effect {
            Effect::Wait(barrier) => count(Effect::Notify(barrier)).all(|a| done & bit(a) != 0),
            Effect::Lock => {
                let past = |effect| count(effect).filter(|&a| done & bit(a) != 0).count();
                past(Effect::Lock) == past(Effect::Unlock)
            }
            _ => true,
        }
    }

    /// Every outcome that the standard allows.
    fn allowed(&self) -> BTreeSet<Outcome> {
        let mut packed = BTreeSet::new();
        self.strict_orders(&mut Vec::new(), &mut |order| packed.extend(self.outcomes(order)));
        packed.into_iter().map(|registers| self.unpack(registers)).collect()
    }

    fn sequential(&self) -> BTreeSet<Outcome> {
        let mut found = BTreeSet::new();
        let mut open = vec![(0u32, 0u64, 0u64)];
        let mut seen = HashSet::new();
        while let Some(state) = open.pop() {
            if !seen.insert(state) {
                continue;
            }
            let (done, memory, registers) = state;
            if done.count_ones() as usize == self.accesses.len() {
                found.insert(self.unpack(registers));
            }
            for (next, access) in self.accesses.iter().enumerate() {
                let first = (0..next).all(|a| done & bit(a) != 0 || !self.same_thread(a, next));
                if done & bit(next) == 0 && first && self.may_synchronise(done, next) {
                    let (memory, registers) = access.perform(memory, registers);
                    open.push((done | bit(next), memory, registers));
                }
            }
        }
        found
    }
    /// Calls `visit` with every total order of the strict accesses that keeps program order (<Strict keeps it
    /// because of DependOnThreads) and the effects of synchronisation.
    fn strict_orders(&self, order: &mut Vec<usize>, visit: &mut dyn FnMut(&[usize])) {
        let done = order.iter().fold(0, |done, &a| done | bit(a));
        let mut complete = true;
        for next in (0..self.accesses.len()).filter(|&a| self.accesses[a].strict && done & bit(a) == 0) {
            complete = false;
            let earlier = |a: usize| self.accesses[a].strict && self.same_thread(a, next);
            if (0..next).all(|a| done & bit(a) != 0 || !earlier(a)) && self.may_synchronise(done, next) {
                order.push(next);
                self.strict_orders(order, visit);
                order.pop();
            }
        }
        if complete {
            visit(order);
        }
    }

    /// The outcomes, packed, with this order of the strict accesses: the results of the threads' own orders,
    /// combined if all threads agree on the values of the strict reads.
    fn outcomes(&self, order: &[usize]) -> BTreeSet<u64> {
        let shared = self.accesses.iter().filter(|access| access.strict).fold(0, |mask, access| {
            if let Effect::Read { register, .. } = access.effect { mask | 15 << (4 * register) } else { mask }
        });
        let mut all = self.seen_by(0, order);
        for thread in 1..self.threads {
            let seen = self.seen_by(thread, order);
            all = all
                .iter()
                .flat_map(|a| seen.iter().filter(move |b| (a ^ *b) & shared == 0).map(move |b| a | b))
                .collect();
        }
        all
    }

    /// The values of the reads in every enabling order <t of thread t, packed; reads that are not in <t are
    /// 0.
    fn seen_by(&self, t: usize, order: &[usize]) -> BTreeSet<u64> {
        let accesses = &self.accesses;
        let included: Vec<usize> = (0..accesses.len())
            .filter(|&a| accesses[a].thread == t || accesses[a].is_write() || accesses[a].strict)
            .collect();
        let before: Vec<u32> = (0..accesses.len())
            .map(|b| included.iter().filter(|&&a| self.ordered(a, b, t, order)).fold(0, |m, &a| m | bit(a)))
            .collect();
        let whole = included.iter().fold(0, |mask, &a| mask | bit(a));
        let mut found = BTreeSet::new();
        let mut seen = HashSet::new();
        let mut open = vec![(0u32, 0u64, 0u64)];
        while let Some(state) = open.pop() {
            if !seen.insert(state) {
                continue;
            }
            let (done, memory, registers) = state;
            if done == whole {
                found.insert(registers);
            }
            for &next in &included {
                if done & bit(next) == 0 && before[next] & !done == 0 {
                    let (memory, registers) = accesses[next].perform(memory, registers);
                    open.push((done | bit(next), memory, registers));
                }
            }
        }
        found
    }

    /// Whether a must come before b in <t.
    fn ordered(&self, a: usize, b: usize, t: usize, order: &[usize]) -> bool {
        let (first, second) = (&self.accesses[a], &self.accesses[b]);
        let place = |access| order.iter().position(|&strict| strict == access);
        if first.strict && second.strict {
            return place(a) < place(b);
        }
        let same_place = first.location().is_some() && first.location() == second.location();
        let conflicting = same_place && (first.is_write() || second.is_write());
        self.same_thread(a, b)
            && a < b
            && (first.strict || second.strict || (first.thread == t && conflicting))
    }

    fn unpack(&self, registers: u64) -> Outcome {
        (0..self.registers).map(|register| (registers >> (4 * register) & 15) as u8).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allows(program: &str, outcome: &[u8]) -> bool {
        Program::parse(program).allowed().contains(outcome)
    }

    /// The twelve examples of B.5, in their order. The third column says whether the trace is allowed.
    #[test]
    fn the_examples_of_the_standard() {
        let examples: [(&str, &[u8], bool); 12] = [
            ("rx wx2 | rx wx1", &[1, 2], true),
            ("Rx Wx2 | Rx Wx1", &[1, 2], false),
            ("wx1 wy1 | ry rx", &[1, 0], true),
            ("wx1 ry | wy1 rx", &[0, 0], true),
            ("Wx2 Rx | Wx1 Rx", &[1, 2], false),
            ("wx1 Wy1 wx2 | rx rx", &[2, 1], true),
            ("wx1 Wy1 wx2 | rx wx3 rx", &[2, 1], false),
            ("wx1 wx2 | Rx Rx", &[2, 1], false),
            ("wx1 wy1 | Ry Rx", &[1, 0], true),
            ("wx1 Wy1 | ry rx rx", &[1, 1, 0], true),
            ("wx1 N V | N V rx", &[0], false),
            ("wx1 N ry V | wy1 N rx V", &[0, 0], false),
        ];
        for (number, (program, outcome, allowed)) in examples.iter().enumerate() {
            assert_eq!(allows(program, outcome), *allowed, "example {}: {program}", number + 1);
        }
        // Further statements in the text of examples 5, 7 and 8.
        assert!(allows("wx2 rx | wx1 rx", &[1, 2]));
        assert!(allows("wx1 Wy1 wx2 | rx wx3 rx", &[2, 3]));
        assert!(allows("wx1 Wy1 wx2 | rx wz3 rx", &[2, 1]));
        assert!(allows("wx1 wx2 | Rx Rx", &[2, 2]));
    }

    /// Strict accesses alone are sequentially consistent (B.4 p1), and so are accesses under one lock.
    #[test]
    fn strict_programs_are_sequentially_consistent() {
        let programs = [
            "Wx1 Ry | Wy1 Rx",
            "Wx1 | Wy1 | Rx Ry | Ry Rx",
            "Wx1 Wy2 | Wy1 Wx2 ; x y",
            "Rx Wx2 Rx | Rx Wx1 Wx3",
            "L wx1 ry U | L wy1 rx U",
            "L rx wx1 U | L rx wx2 U | L rx wx3 U",
        ];
        for text in programs {
            let program = Program::parse(text);
            assert_eq!(program.allowed(), program.sequential(), "{text}");
        }
    }

    #[test]
    fn an_update_is_a_read_and_a_write() {
        let all = |text: &str| Program::parse(text).allowed();
        assert_eq!(all("wx1 ax1 rx mx1 mx3 ; x"), BTreeSet::from([vec![2, 3]]));
        assert_eq!(all("ax1 | ax2 ; x"), BTreeSet::from([vec![1], vec![2], vec![3]]));
        assert_eq!(all("L ax1 U | L ax2 U ; x"), BTreeSet::from([vec![3]]));
        assert_eq!(all("mx1 | mx2 ; x"), BTreeSet::from([vec![1], vec![2]]));
        assert_eq!(Program::parse("Ax1 | Ax1 ; x").sequential(), BTreeSet::from([vec![1], vec![2]]));
    }

    #[test]
    fn a_fence_orders_relaxed_accesses_and_no_read_makes_its_value() {
        assert!(!allows("wx1 F ry | wy1 F rx", &[0, 0]));
        assert!(allows("wx1 F ry | wy1 rx", &[0, 0]));
        assert_eq!(Program::parse("rx | wx1").allowed(), BTreeSet::from([vec![0], vec![1]]));
        assert_eq!(Program::parse("wx1 rx wx2 rx").allowed(), BTreeSet::from([vec![1, 2]]));
    }
}
