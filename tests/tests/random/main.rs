//! Random programs that do the same computation on shared and on private objects and compare the results.
//! What is random is reproducible: a program follows from its seed. MERIDIAN_RANDOM=200 makes 200 programs of
//! each kind instead of a few, from the seed MERIDIAN_RANDOM_SEED on.

mod loops;
mod matrices;
mod values;

use libtest_mimic::{Arguments, Failed, Trial};
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use tests::process;

const LIMIT: Duration = Duration::from_secs(60);
const PROGRAMS: u64 = 8;

/// A linear congruential generator: plain, and the same everywhere.
pub struct Random(u64);

impl Random {
    /// The generator of a seed.
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5dee_ce66d)
    }

    /// A number under n.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % n
    }

    /// One of several.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// Makes the program of a seed.
type Program = fn(u64) -> String;

fn test(kind: &str, program: Program, seed: u64) -> Result<(), String> {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("random-{kind}-{seed}"));
    std::fs::create_dir_all(&scratch).map_err(|error| error.to_string())?;
    let source = scratch.join("random.upc");
    std::fs::write(&source, program(seed)).map_err(|error| error.to_string())?;
    let optimisation = ["-O0", "-O2", "-O3"][seed as usize % 3];
    let environment = (seed % 4 == 3).then_some("-fupc-threads-4");
    let mut compile = Command::new(tests::meridian());
    compile
        .args(["cc", "-w", "-fwrapv", optimisation, "-I"])
        .arg(tests::home().join("upc"))
        .args(environment);
    compile.arg(&source).arg("-o").arg(scratch.join("random"));
    good(&mut compile, &scratch)?;
    for threads in if environment.is_some() { [4, 4] } else { [1, 3] } {
        let mut run = Command::new(tests::meridian());
        run.args(["run", "-n", &threads.to_string()]).arg(scratch.join("random"));
        good(&mut run, &scratch)?;
    }
    Ok(())
}

fn good(command: &mut Command, scratch: &Path) -> Result<(), String> {
    match process::run(command, None, LIMIT, scratch, "last") {
        Ok(outcome) if outcome.status == 0 && !outcome.timed_out => Ok(()),
        Ok(outcome) => Err(format!("{command:?}: {}", outcome.report())),
        Err(error) => Err(format!("{command:?}: {error}")),
    }
}

fn main() {
    let arguments = Arguments::from_args();
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let first = number("MERIDIAN_RANDOM_SEED").unwrap_or(1);
    let seeds = first..first + number("MERIDIAN_RANDOM").unwrap_or(PROGRAMS);
    let kinds: [(&'static str, Program); 3] =
        [("values", values::program), ("loops", loops::program), ("matrices", matrices::program)];
    let trials = kinds.into_iter().flat_map(|(kind, program)| {
        seeds.clone().map(move |seed| {
            Trial::test(format!("random/{kind}/{seed}"), move || {
                test(kind, program, seed).map_err(Failed::from)
            })
        })
    });
    libtest_mimic::run(&arguments, trials.collect()).exit();
}
