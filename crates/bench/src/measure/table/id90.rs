//! The part `id90`: Id programs, the same in C and Haskell, themselves without the TAM optimisations of
//! threads, and on several processors beside C with OpenMP; and the instructions of the abstract machine.
//!
//! A program in each of these ways is one process, and all ways take turns. On one processor its processor
//! time is measured, on several the wall-clock time. All ways have to print the same.

use super::{Clock, Output, Program, SMP};
use crate::measure::system::{ALIKE, C, DATAFLOW, DATAFLOW_JOB, HASKELL, ID, ID_JOB, OPENMP, System};
use crate::options::Part;

/// A program of `bench/id90`, with its arguments.
struct Row {
    name: &'static str,
    /// Arguments for the comparison with C and Haskell: enough work that the start of a process does not
    /// count. Empty if the time stays negligible for any argument.
    large: Words,
    /// Arguments on several processors: enough work that the start of a job does not count.
    many: Words,
    /// Arguments for the comparison with threads made without the optimisations, in which all passes of a
    /// loop exist at once.
    words: Words,
    /// Arguments with which the instructions are counted, and those of --quick.
    few: Words,
    /// The systems in which it is written besides.
    beside: &'static [&'static System],
    /// The file in C whose work OpenMP shares out.
    shared: &'static str,
}

type Words = &'static [&'static str];

const fn row(
    name: &'static str,
    [large, many, words, few]: [Words; 4],
    beside: &'static [&'static System],
    shared: &'static str,
) -> Row {
    Row { name, large, many, words, few, beside, shared }
}

static ROWS: [Row; 8] = [
    row("gamteb", [&["2000000"], &["2000000"], &["40000"], &["1000"]], &[&C], "gamteb.c"),
    row("mmt", [&["160"], &["240"], &["40"], &["6"]], &[&C, &HASKELL], "mmt.c"),
    row("molecules", [&["22"], &["22"], &["20"], &["9"]], &[&C, &HASKELL], ""),
    row("paraffins", [&[], &[], &["19"], &["14"]], &[], ""),
    row("queens", [&["12"], &["12"], &["10"], &["7"]], &[&C, &ALIKE, &HASKELL], "queens-alike.c"),
    row("quicksort", [&["400000"], &["400000"], &["20000"], &["300"]], &[&C, &HASKELL], ""),
    row("simple", [&["300", "200"], &["300", "200"], &["40", "100"], &["12", "4"]], &[&C], "simple.c"),
    row("speech", [&["20000"], &["20000"], &["1500"], &["60"]], &[&C], "speech.c"),
];

/// Returns the names of the programs.
pub fn names() -> impl Iterator<Item = &'static str> {
    ROWS.iter().map(|row| row.name)
}

/// Returns all rows; those that come first say what the others have to print.
pub fn all() -> Vec<Program> {
    ROWS.iter().flat_map(of).collect()
}

fn of(row: &Row) -> Vec<Program> {
    let Row { name, large, many, words, few, beside, shared } = *row;
    let file = |file: &str| format!("id90/{file}");
    let by = |system, source: String, output| {
        let parts = &[Part::Id90];
        Program { output, conduits: SMP, threads: None, ..Program::new(parts, name, system, &source) }
    };
    let id = file(&format!("{name}.id"));
    let timed = |system, source: &str, clock, words| {
        by(system, source.to_string(), Output::Result { clock, words, quick: few })
    };
    let counted = |system| Program {
        threads: Some(1),
        ..by(system, id.clone(), Output::Instructions { words: few })
            .options(&["-O2", "--count-instructions"])
    };
    let mut rows = vec![
        counted(&ID_JOB),
        counted(&DATAFLOW_JOB),
        timed(&ID, &id, Clock::Processor, words),
        timed(&ID, &id, Clock::Processor, large),
        Program { threads: Some(1), ..timed(&ID_JOB, &id, Clock::Wall, many) },
        timed(&ID_JOB, &id, Clock::Wall, many),
        timed(&DATAFLOW, &id, Clock::Processor, words),
    ];
    for system in beside {
        let ending = match system.name {
            "c" => ".c",
            "ghc" => ".hs",
            _ => "-alike.c",
        };
        rows.push(timed(system, &file(&format!("{name}{ending}")), Clock::Processor, large));
    }
    if !shared.is_empty() {
        let openmp = timed(&OPENMP, &file(shared), Clock::Wall, many);
        rows.extend([Program { threads: Some(1), ..openmp.clone() }, openmp]);
    }
    let has_words = |row: &Program| !matches!(row.output, Output::Result { words: [], .. });
    rows.into_iter().filter(has_words).collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn shared_work_is_shared() {
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench");
        for row in all().iter().filter(|row| row.system.name == OPENMP.name) {
            let text = std::fs::read_to_string(sources.join(&row.source)).unwrap();
            assert!(text.contains("#pragma omp parallel for"), "{}", row.source);
        }
    }
}
