//! The threaded abstract machine under an Id90 program, as a profile has it: what all processors have counted
//! of instructions by class, of forks, posts and accesses by kind, and by code-block.
//!
//! The classes of instructions are those of figure 6-12 of von Eicken's thesis, the kinds of forks and posts
//! those of table 6-3, of accesses and messages those of table 6-4.

use serde::{Deserialize, Serialize};

use super::short;

/// The classes of instructions, which begin the names of their counters.
pub const CLASSES: [&str; 4] = ["alu", "heap", "control", "message"];

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
            line => format!("{} {}:{line}", self.name, short(&self.file)),
        }
    }
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
