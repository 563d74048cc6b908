//! Litmus tests of UPC's memory model: small programs run thousands of times, and every outcome seen must be
//! one that the standard allows, as `memory_model` decides by brute force from appendix B.
//!
//! Proved: the table's verdicts, worked out by hand, are the model's. In these runs, by gcc and clang at -O0
//! and -O2, no forbidden outcome was seen: neither the C compiler nor the processor was seen to move an
//! access across a strict one, a fence, a barrier or a lock. The runs are sensitive enough: they also see
//! allowed outcomes that no sequentially consistent machine has (these are printed, not required); x86-64
//! shows store buffering only, as in SB and R. With the fence removed from `MER_STRICT_GET` or
//! `MER_STRICT_PUT`, or made a fence for the C compiler alone, these tests fail by tens of forbidden
//! outcomes.
//!
//! Not proved: runs show that an outcome happens, not that it cannot. On x86-64 the effective fences of
//! `meridian/abi/access.h` are those between a write and a later read, a locked instruction before each
//! strict read and after each strict write; the acquire and release fences beside them restrict the C
//! compiler alone here, so that they are tested only on a weaker machine. Programs with branches or loops,
//! other sizes of access and copies are not tested.
//!
//! On two hosts the same programs run by message, with delays as long as a message takes.

mod generate;
mod table;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use table::{Litmus, TABLE};
use tests::memory_model::{Outcome, Program};
use tests::process;
use tests::trial::{Ran, trial};

const LIMIT: Duration = Duration::from_secs(120);

/// The number of times that each outcome of each litmus program, by its number, was seen.
type Seen = BTreeMap<(usize, Outcome), u64>;

fn programs() -> Vec<Program> {
    TABLE.iter().map(|litmus| Program::parse(litmus.program)).collect()
}

fn the_verdicts_of_the_table_are_the_models() {
    for litmus in TABLE {
        let allowed = Program::parse(litmus.program).allowed();
        assert_eq!(allowed.contains(litmus.weak), litmus.allowed, "{}: {}", litmus.name, litmus.program);
    }
}

/// Outcomes of a sequentially consistent machine are always allowed, and no others if all accesses are
/// strict.
fn the_model_is_weaker_than_sequential_consistency_and_equal_when_all_is_strict() {
    for (litmus, program) in TABLE.iter().zip(programs()) {
        assert!(program.allowed().is_superset(&program.sequential()), "{}", litmus.name);
        let strict = program.strict();
        assert_eq!(strict.allowed(), strict.sequential(), "{}, all strict", litmus.name);
    }
}

fn a_forbidden_outcome_is_told() {
    let number = TABLE.iter().position(|litmus| litmus.name == "SB strict").expect("it is in the table");
    let mut seen = Seen::from([((number, vec![0, 1]), 5)]);
    assert_eq!(wrong(&seen), Vec::<String>::new());
    seen.insert((number, vec![0, 0]), 3);
    assert_eq!(wrong(&seen), ["SB strict (Wx1 Ry | Wy1 Rx): [0, 0], seen 3 times, is not allowed"]);
}

fn main() {
    let mut trials = tests::trials![
        the_verdicts_of_the_table_are_the_models,
        the_model_is_weaker_than_sequential_consistency_and_equal_when_all_is_strict,
        a_forbidden_outcome_is_told,
    ];
    for (cc, optimisation) in [("gcc", "-O0"), ("gcc", "-O2"), ("clang", "-O0"), ("clang", "-O2")] {
        let two_hosts = (cc, optimisation) == ("gcc", "-O2");
        trials.push(trial(format!("{cc} {optimisation}"), move || observe(cc, optimisation, two_hosts)));
    }
    tests::trial::run(trials);
}

/// Compiles the litmus programs, runs them, and compares the outcomes seen with the model. On two hosts,
/// which are this machine twice, memory on the other host is accessed by message, and its owner does updates
/// of it.
fn observe(cc: &str, optimisation: &str, two_hosts: bool) -> Ran {
    tests::has_commands(&[cc])?;
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("litmus-{cc}{optimisation}"));
    let program = compile(cc, optimisation, &scratch);
    let mut seen = Seen::new();
    let mut add = |arguments: &[&str], more: &[&str]| {
        let mut run = Command::new(tests::meridian());
        run.arg("run").args(arguments).arg(&program).args(more);
        for (which, times) in execute(&mut run).lines().map(parse) {
            *seen.entry(which).or_default() += times;
        }
    };
    let sizes: BTreeSet<usize> = programs().iter().map(|program| program.threads.len()).collect();
    for threads in sizes {
        add(&["-n", &threads.to_string()], &[]);
        if two_hosts {
            let hosts = format!("localhost:{},localhost:{}", threads.div_ceil(2), threads / 2);
            add(&["-H", &hosts], &["hosts"]);
        }
    }
    for (number, litmus) in TABLE.iter().enumerate() {
        assert!(seen.keys().any(|(ran, _)| *ran == number), "{} has not run", litmus.name);
        if let Some(times) = seen.get(&(number, litmus.weak.to_vec())) {
            println!("{cc} {optimisation}: {}: {:?} seen {times} times", litmus.name, litmus.weak);
        }
    }
    assert_eq!(wrong(&seen), Vec::<String>::new(), "{cc} {optimisation}");
    Ok(())
}

fn compile(cc: &str, optimisation: &str, scratch: &Path) -> PathBuf {
    std::fs::create_dir_all(scratch).expect("a directory for the program");
    let source = scratch.join("litmus.upc");
    std::fs::write(&source, generate::upc(&programs())).expect("the program is written");
    std::fs::write(scratch.join("harness.h"), include_str!("harness.h")).expect("its header is written");
    let program = scratch.join("litmus");
    let mut compile = Command::new(tests::meridian());
    compile.env("MERIDIAN_CC", cc).args(["cc", optimisation]).arg(&source).arg("-o").arg(&program);
    execute(&mut compile);
    program
}

/// Returns the output of a command, which must end well.
fn execute(command: &mut Command) -> String {
    let outcome = process::run(command, None, LIMIT).expect("the command starts");
    assert!(outcome.status == 0 && !outcome.timed_out, "{command:?}: {}", outcome.report());
    outcome.stdout
}

/// A line of the program's output, `number: values: count`.
fn parse(line: &str) -> ((usize, Outcome), u64) {
    let fields: Vec<&str> = line.split(':').map(str::trim).collect();
    let [number, values, count] = fields[..] else { panic!("{line}: not an outcome") };
    let values = values.split_whitespace().map(|value| value.parse().expect("a value")).collect();
    ((number.parse().expect("a number"), values), count.parse().expect("a count"))
}

/// Describes the outcomes that were seen and are not allowed.
fn wrong(seen: &Seen) -> Vec<String> {
    let allowed: Vec<BTreeSet<Outcome>> = programs().iter().map(Program::allowed).collect();
    let told = seen.iter().filter(|((number, outcome), _)| !allowed[*number].contains(outcome));
    told.map(|((number, outcome), times)| {
        let Litmus { name, program, .. } = &TABLE[*number];
        format!("{name} ({program}): {outcome:?}, seen {times} times, is not allowed")
    })
    .collect()
}
