//! Litmus tests of UPC's memory model: small programs run thousands of times, and every outcome seen must be
//! one that the standard allows, as `memory_model` decides by brute force from appendix B.
//!
//! What is proved: that the table's verdicts, worked out by hand, are the model's; and that in these runs, by
//! gcc and clang at -O0 and -O2, nothing forbidden was seen, so that neither the C compiler nor the processor
//! was seen to move an access across a strict one, a fence, a barrier's or a lock's. That allowed outcomes
//! which no sequentially consistent machine has were seen too (they are printed, not asked for)
//! shows that the runs can tell; x86-64 shows store buffering only, as SB and R. With the fence taken out of
//! `MER_STRICT_GET`, out of `MER_STRICT_PUT`, or made one for the C compiler alone, these tests fail, by tens
//! of forbidden outcomes.
//!
//! What is not proved: runs find what happens, not what cannot. On x86-64 the fences of `meridian/access.h`
//! that count are those between a write and a later read, a locked instruction before each strict read and
//! after each strict write; the acquire and release fences beside them hold back the C compiler alone here,
//! so a weaker machine must run this itself to say anything of them. Programs of more than straight lines,
//! other sizes of access and copies are not tried.
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

/// How often each outcome of each litmus program, by its number, was seen.
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

/// What a sequentially consistent machine does is always allowed, and nothing else when all is strict.
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

/// Compiles the litmus programs, runs them, and holds what was seen against the model. On two hosts, which
/// are this machine twice, what is not on a thread's own host is accessed by message, and updates of it are
/// done by its owner.
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

/// What the command prints; it must end well.
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

/// What was seen and is not allowed, in words.
fn wrong(seen: &Seen) -> Vec<String> {
    let allowed: Vec<BTreeSet<Outcome>> = programs().iter().map(Program::allowed).collect();
    let told = seen.iter().filter(|((number, outcome), _)| !allowed[*number].contains(outcome));
    told.map(|((number, outcome), times)| {
        let Litmus { name, program, .. } = &TABLE[*number];
        format!("{name} ({program}): {outcome:?}, seen {times} times, is not allowed")
    })
    .collect()
}
