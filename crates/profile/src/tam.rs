//! What the threaded abstract machine has counted under an Id90 program: instructions by class, forks, posts
//! and accesses by kind, code-blocks, and the longest quanta. `runtime/tam/count.c` writes it, behind the
//! calls of each thread's part.
//!
//! The classes of instructions are those of figure 6-12 of von Eicken's thesis, the kinds of forks and posts
//! those of table 6-3, of accesses and messages those of table 6-4.

use std::collections::HashMap;

use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};

use crate::part::{Part, Reader};

/// The classes of instructions, which begin the names of their counters.
pub const CLASSES: [&str; 4] = ["alu", "heap", "control", "message"];

/// What one processor has left.
#[derive(Debug, Default)]
pub struct Left {
    counters: Vec<(String, u64)>,
    codeblocks: Vec<Codeblock>,
    pub quanta: Vec<Quantum>,
}

/// What runs of one activation before the next, one that took long; `began` counts from the thread's
/// beginning. `frames` and `ready`: live activations, and those that could run, at its end.
#[derive(Debug)]
pub struct Quantum {
    pub began: u64,
    pub ns: u64,
    pub codeblock: u32,
    pub threads: u32,
    pub frames: u32,
    pub ready: u32,
}

/// All processors together.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    /// The processors, in the order of `Counter::of`.
    pub processors: Vec<u32>,
    /// Those of the runtime, in its order.
    pub counters: Vec<Counter>,
    /// What took longest comes first.
    pub codeblocks: Vec<Codeblock>,
    /// How many of the quanta are among the trace events: the longest.
    pub quanta_shown: u64,
}

/// A counter.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub struct Counter {
    /// What it counts; for an instruction its class is the first word.
    pub name: String,
    /// By processor.
    pub of: Vec<u64>,
}

/// What the activations of a code-block have cost, which are not computed by C functions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Codeblock {
    /// The function; an operation of the machine itself has no file.
    pub name: String,
    /// Where the function is defined.
    pub file: String,
    /// From 1; 0 where there is none.
    pub line: u32,
    /// How many have begun.
    pub activations: u64,
    /// How many quanta these have had.
    pub quanta: u64,
    /// How long these took.
    pub ns: u64,
    /// How many threads ran in them, if the program counts instructions.
    pub threads: u64,
}

impl Codeblock {
    /// `name file:line`.
    pub fn place(&self) -> String {
        match self.line {
            0 => self.name.clone(),
            line => format!("{} {}:{line}", self.name, crate::record::short(&self.file)),
        }
    }
}

/// Reads what `write_all` of the runtime has written.
pub fn read(r: &mut Reader<'_>) -> Result<Left> {
    let [counters, codeblocks, quanta, _all] = [r.u64()?, r.u64()?, r.u64()?, r.u64()?];
    let mut left = Left::default();
    for _ in 0..counters {
        let value = r.u64()?;
        left.counters.push((r.text(48)?, value));
    }
    for _ in 0..codeblocks {
        let [activations, quanta, ns, threads] = [r.u64()?, r.u64()?, r.u64()?, r.u64()?];
        let [line, name, file, _] = [r.u32()?, r.u32()?, r.u32()?, r.u32()?];
        let (name, file) = (r.text(name as usize)?, r.text(file as usize)?);
        left.codeblocks.push(Codeblock { name, file, line, activations, quanta, ns, threads });
    }
    for _ in 0..quanta {
        let (began, ns) = (r.u64()?, r.u64()?);
        let [codeblock, threads, frames, ready] = [r.u32()?, r.u32()?, r.u32()?, r.u32()?];
        ensure!((codeblock as usize) < left.codeblocks.len(), "a thread's part has a quantum of nothing");
        left.quanta.push(Quantum { began, ns, codeblock, threads, frames, ready });
    }
    Ok(left)
}

impl Left {
    /// The code-block of a quantum.
    pub fn codeblock(&self, quantum: &Quantum) -> &Codeblock {
        &self.codeblocks[quantum.codeblock as usize]
    }
}

/// What all parts hold together; none if they are of no Id90 program.
pub fn machine(parts: &[Part]) -> Option<Machine> {
    let mut machine = Machine::default();
    let mut number: HashMap<String, usize> = HashMap::new();
    let mut blocks: HashMap<(String, String, u32), Codeblock> = HashMap::new();
    let lefts: Vec<(u32, &Left)> =
        parts.iter().filter_map(|part| Some((part.thread, part.tam.as_ref()?))).collect();
    for (p, (thread, left)) in lefts.iter().enumerate() {
        machine.processors.push(*thread);
        machine.quanta_shown += left.quanta.len() as u64;
        for (name, value) in &left.counters {
            let n = *number.entry(name.clone()).or_insert_with(|| {
                machine.counters.push(Counter { name: name.clone(), of: vec![0; lefts.len()] });
                machine.counters.len() - 1
            });
            machine.counters[n].of[p] += value;
        }
        for block in left.codeblocks.iter().filter(|block| block.activations + block.quanta > 0) {
            let key = (block.name.clone(), block.file.clone(), block.line);
            let sum = blocks.entry(key).or_insert_with(|| Codeblock {
                name: block.name.clone(),
                file: block.file.clone(),
                line: block.line,
                ..Codeblock::default()
            });
            sum.activations += block.activations;
            sum.quanta += block.quanta;
            sum.ns += block.ns;
            sum.threads += block.threads;
        }
    }
    machine.codeblocks = blocks.into_values().collect();
    machine.codeblocks.sort_by(|a, b| b.ns.cmp(&a.ns).then_with(|| a.place().cmp(&b.place())));
    (!lefts.is_empty()).then_some(machine)
}

impl Machine {
    /// A counter by processor; of one that there is not, zeros.
    pub fn counter(&self, name: &str) -> Vec<u64> {
        let found = self.counters.iter().find(|counter| counter.name == name);
        found.map_or(vec![0; self.processors.len()], |counter| counter.of.clone())
    }

    /// The instructions of a class by processor.
    pub fn class(&self, class: &str) -> Vec<u64> {
        let mut sums = vec![0; self.processors.len()];
        for counter in self.of_class(class) {
            for (sum, n) in sums.iter_mut().zip(&counter.of) {
                *sum += n;
            }
        }
        sums
    }

    /// The counters of a class.
    pub fn of_class<'a>(&'a self, class: &'a str) -> impl Iterator<Item = &'a Counter> {
        self.counters
            .iter()
            .filter(move |counter| counter.name.split_once(' ').is_some_and(|(first, _)| first == class))
    }

    /// The counters of no class.
    pub fn others(&self) -> impl Iterator<Item = &Counter> {
        let has_class = |counter: &&Counter| {
            CLASSES.iter().any(|class| counter.name.strip_prefix(class).is_some_and(|n| n.starts_with(' ')))
        };
        self.counters.iter().filter(move |counter| !has_class(counter))
    }

    /// Whether the program was compiled to count its instructions.
    pub fn counts_instructions(&self) -> bool {
        ["alu", "heap"].iter().any(|class| self.class(class).iter().any(|n| *n > 0))
    }

    /// Ratios that say how large threads and quanta are, with what they are; none where nothing ran.
    pub fn ratios(&self) -> Vec<(&'static str, f64)> {
        let sum = |name: &str| self.counter(name).iter().sum::<u64>() as f64;
        let of = [
            ("instructions a thread", "instructions in threads", "threads"),
            ("threads a quantum", "threads", "quanta"),
            ("quanta an activation", "quanta", "activations"),
        ];
        let ratio = |(what, above, below)| (sum(below) > 0.0).then(|| (what, sum(above) / sum(below)));
        let instructions = self.counts_instructions();
        of.into_iter().filter(|(_, above, _)| instructions || *above == "quanta").filter_map(ratio).collect()
    }
}
