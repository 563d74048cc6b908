//! The table of measured programs.
//!
//! A row is a program in one system: its name and parts, its source and how that is compiled, where it runs,
//! its arguments, and the meaning of its output. `probes` has the programs that measure single mechanisms,
//! `applications` whole programs, `id90` those in Id, and `kernels` the kernels that stand beside plain C.
//!
//! A new program is a source below `bench/` and a row here. Whole programs, Id programs and kernels have
//! their goals in their rows, and appear in the tables of the terminal and of the report by themselves; so do
//! operations beside those of other systems (`fit::beside`). A part that is compared in a way of its own has
//! a kind there.

pub mod applications;
pub mod id90;
pub mod kernels;
pub mod probes;

use super::system::System;
use crate::options::{Conduit, Measure, Part};

/// A program in one system.
#[derive(Clone, Debug)]
pub struct Program {
    /// The parts of the measurement that it belongs to.
    pub parts: &'static [Part],
    /// The name, which its counterparts in other systems share.
    pub name: &'static str,
    /// The system.
    pub system: &'static System,
    /// The source, from the directory of the sources.
    pub source: String,
    /// Options of the compiler.
    pub options: Vec<String>,
    /// Files in C that are linked in.
    pub objects: Vec<Object>,
    /// The meaning of its output.
    pub output: Output,
    /// The conduits over which it runs.
    pub conduits: &'static [Conduit],
    /// The number of its threads or processes on one host; if none, the user's number.
    pub threads: Option<usize>,
    /// Numbers of threads with which it runs in addition: on one host, or, if it does not run there, on two.
    pub more: &'static [usize],
    /// Variables of its environment.
    pub settings: &'static [(&'static str, &'static str)],
}

/// A file of `bench/c`, as it is compiled.
#[derive(Clone, Debug)]
pub struct Object {
    /// The file, without its ending.
    pub source: &'static str,
    /// The name of the object.
    pub name: &'static str,
    /// Whether `meridian cc` compiles it, as UPC, instead of the C compiler.
    pub translated: bool,
    /// Options of the compiler.
    pub options: &'static [&'static str],
}

/// The meaning of a program's output, and the arguments that ask for it.
#[derive(Clone, Debug)]
pub enum Output {
    /// Lines of samples, as `bench/measure.h` prints them.
    Samples,
    /// The same, of kernels: the variant, the time of a sample in nanoseconds, and the most rounds of a run.
    Kernels { variant: String, sample_ns: u64, most_rounds: u32 },
    /// A verdict and the seconds that the program has taken by its own clock, of a class of problems.
    Verdict,
    /// A result that the program prints alike in all systems, and how long the process takes.
    Result { clock: Clock, words: &'static [&'static str], quick: &'static [&'static str] },
    /// The instructions that the abstract machine counts in a profile.
    Instructions { words: &'static [&'static str] },
}

/// The time of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// Processor time.
    Processor,
    /// Wall-clock time.
    Wall,
}

impl Clock {
    /// Returns the name in the results.
    pub const fn name(self) -> &'static str {
        match self {
            Clock::Processor => "processor time",
            Clock::Wall => "wall clock",
        }
    }
}

/// Every way to reach remote memory; those without the active messages of one host; and those between hosts.
const ALL: &[Conduit] = &[Conduit::Smp, Conduit::Am, Conduit::Tcp, Conduit::Ofi];
const NOT_AM: &[Conduit] = &[Conduit::Smp, Conduit::Tcp, Conduit::Ofi];
const BETWEEN: &[Conduit] = &[Conduit::Tcp, Conduit::Ofi];
const SMP: &[Conduit] = &[Conduit::Smp];

impl Program {
    /// Returns a program that prints samples: on one host, with two threads.
    fn new(parts: &'static [Part], name: &'static str, system: &'static System, source: &str) -> Program {
        Program {
            parts,
            name,
            system,
            source: source.into(),
            options: vec!["-O2".into()],
            objects: vec![],
            output: Output::Samples,
            conduits: SMP,
            threads: Some(2),
            more: &[],
            settings: &[],
        }
    }

    fn options(self, options: &[&str]) -> Program {
        Program { options: options.iter().map(ToString::to_string).collect(), ..self }
    }

    /// Returns the name of the program's file.
    pub fn file(&self) -> &str {
        self.source.rsplit('/').next().unwrap_or_default()
    }
}

/// Returns the wanted programs, in groups that are measured one after another.
pub fn groups(options: &Measure) -> Vec<Vec<Program>> {
    let wanted = |program: &Program| program.parts.iter().any(|&part| options.wants(part));
    let chosen = |program: &Program| {
        options.programs.is_empty() || options.programs.iter().any(|name| name == program.name)
    };
    let level = |program: &Program| match (&program.output, &options.optimise) {
        (Output::Kernels { .. }, Some(level)) => program.options[0].ends_with(level),
        _ => true,
    };
    let mut groups = vec![probes::all(), applications::all(), id90::all(), kernels::all()];
    for (i, group) in groups.iter_mut().enumerate() {
        // The user chooses programs of the last two groups alone.
        group.retain(|program| wanted(program) && level(program) && (i < 2 || chosen(program)));
    }
    groups
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn programs_and_levels_are_chosen() {
        let mut options = Measure { parts: vec![Part::PlainC], ..Measure::default() };
        options.programs = vec!["walks".into()];
        let count = |options: &Measure| groups(options).iter().flatten().count();
        assert_eq!(count(&options), 4, "two levels, static and dynamic");
        options.optimise = Some("2".into());
        assert_eq!(count(&options), 2);
        assert!(groups(&options)[3].iter().all(|row| row.name == "walks" && row.options[0] == "-O2"));
        options.parts = vec![Part::Nas];
        assert_eq!(count(&options), 20, "five programs in UPC, OpenMP and two MPI, whatever is chosen");
    }

    #[test]
    fn all_sources_are_there() {
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench");
        for program in [probes::all(), applications::all(), id90::all(), kernels::all()].concat() {
            assert!(sources.join(&program.source).is_file(), "{}", program.source);
            for object in &program.objects {
                assert!(
                    sources.join("c").join(format!("{}.c", object.source)).is_file(),
                    "{}",
                    object.source
                );
            }
        }
    }
}
