//! The threaded abstract machine under an Id90 program, as a profile has it: all processors' counts of
//! instructions by class, of forks, posts and accesses by kind, and by code-block.
//!
//! The classes of instructions are those of figure 6-12 of von Eicken's thesis, the kinds of forks and posts
//! those of table 6-3, of accesses and messages those of table 6-4.

use base::contract::tam_counters;
use serde::{Deserialize, Serialize};

use super::short;

/// The classes of instructions, which begin the names of their counters.
pub const CLASSES: [&str; 4] = ["alu", "heap", "control", "message"];

/// The counts of all processors.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    /// The processors, in the order of `Counter::of`.
    pub processors: Vec<u32>,
    /// The counters of the runtime, in its order.
    pub counters: Vec<Counter>,
    /// The code-blocks, in descending order of time.
    pub codeblocks: Vec<Codeblock>,
    /// The number of quanta that are trace events, which are the longest.
    pub quanta_shown: u64,
}

/// A counter.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub struct Counter {
    /// The name of the counted event; for an instruction, the class is the first word.
    pub name: String,
    /// The counts by processor.
    pub of: Vec<u64>,
}

/// The costs of a code-block's activations, without those computed by C functions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Codeblock {
    /// The function; an operation of the machine itself has no file.
    pub name: String,
    /// The file that defines the function.
    pub file: String,
    /// The line of the definition, from 1; 0 if there is none.
    pub line: u32,
    /// The number of activations that have begun.
    pub activations: u64,
    /// The number of their quanta.
    pub quanta: u64,
    /// The time of these quanta.
    pub ns: u64,
    /// The number of threads that ran in the quanta, if the program counts instructions.
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
    /// A counter by processor; zeros if there is no such counter.
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

    /// Returns whether the program was compiled to count its instructions.
    pub fn counts_instructions(&self) -> bool {
        ["alu", "heap"].iter().any(|class| self.class(class).iter().any(|n| *n > 0))
    }

    /// Ratios for the sizes of threads and quanta, with their names; only those whose divisor is not 0.
    pub fn ratios(&self) -> Vec<(&'static str, f64)> {
        let sum = |name: &str| self.counter(name).iter().sum::<u64>() as f64;
        let of = [
            ("instructions a thread", tam_counters::IN_THREADS, tam_counters::THREADS),
            ("threads a quantum", tam_counters::THREADS, tam_counters::QUANTA),
            ("quanta an activation", tam_counters::QUANTA, tam_counters::ACTIVATIONS),
        ];
        let ratio = |(what, above, below)| (sum(below) > 0.0).then(|| (what, sum(above) / sum(below)));
        let instructions = self.counts_instructions();
        of.into_iter()
            .filter(|(_, above, _)| instructions || *above == tam_counters::QUANTA)
            .filter_map(ratio)
            .collect()
    }
}
