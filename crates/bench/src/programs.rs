//! The parts whose programs stand beside the same program in OpenMP and in MPI.
//!
//! Each program runs as a whole, with two threads or processes on this host, in turn with its counterparts.
//! It times itself without the making of its input, verifies its result, and says both in two lines:
//!
//! ```text
//! ep: VERIFICATION SUCCESSFUL
//! time 0.123456 s, ...
//! ```
//!
//! A counterpart whose compiler is not here, or that does not run here, is left out with the reason. A result
//! that is wrong is a failure, whoever computed it.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::installation::Places;
use crate::interrupt;
use crate::options::{Conduit, Measure, Part};
use crate::peers::{self, Peer};
use crate::plain_c::{meridian, run_to_end};
use crate::probes;
use crate::results::{Failure, Point};
use crate::session::{Effort, Session, output, progress};

/// A program.
#[derive(Debug)]
struct Program {
    part: Part,
    /// As the results call it.
    name: &'static str,
    /// In UPC; its file, from the directory of the sources.
    upc: &'static str,
    /// In C with OpenMP, and with MPI where `WITH_MPI` is defined.
    c: &'static str,
    /// The class, which is its argument: with `--quick`, and without.
    classes: [&'static str; 2],
}

const fn nas(name: &'static str, upc: &'static str, c: &'static str) -> Program {
    Program { part: Part::Nas, name, upc, c, classes: ["S", "W"] }
}

const fn kernel(name: &'static str, upc: &'static str, c: &'static str) -> Program {
    Program { part: Part::Kernels, name, upc, c, classes: ["S", "W"] }
}

const PROGRAMS: &[Program] = &[
    nas("EP", "../examples/nas/ep.upc", "nas/ep.c"),
    nas("IS", "../examples/nas/is.upc", "nas/is.c"),
    nas("CG", "../examples/nas/cg.upc", "nas/cg.c"),
    nas("MG", "../examples/nas/mg.upc", "nas/mg.c"),
    nas("FT", "../examples/nas/ft.upc", "nas/ft.c"),
    kernel("sparse product", "kernels/spmv.upc", "kernels/spmv.c"),
    kernel("graph search", "kernels/bfs.upc", "kernels/bfs.c"),
    kernel("wavefront", "kernels/wavefront.upc", "kernels/wavefront.c"),
];

/// The parts that are measured here.
pub const PARTS: [Part; 2] = [Part::Nas, Part::Kernels];

/// In what a program is written.
#[derive(Clone, Copy, Debug)]
enum System {
    Upc,
    OpenMp,
    Mpi(&'static Peer),
}

impl System {
    /// As the results call it, in place of a dialect.
    fn name(self) -> &'static str {
        match self {
            System::Upc => "upc",
            System::OpenMp => "openmp",
            System::Mpi(peer) => peer.name,
        }
    }

    fn all() -> impl Iterator<Item = System> {
        [System::Upc, System::OpenMp].into_iter().chain(peers::mpi().map(System::Mpi))
    }
}

/// A program in one of its versions, compiled.
#[derive(Debug)]
struct Version {
    program: &'static Program,
    system: System,
    executable: PathBuf,
    /// It failed, and runs no more.
    failed: bool,
}

/// What one run gave.
enum Outcome {
    /// Nanoseconds.
    Took(f64),
    /// It computed something else.
    Wrong(String),
    /// It did not run to its end.
    Broken(String),
}

/// Measures the parts that are wanted: samples and failures go to the session, counterparts that are not here
/// to `left_out`.
pub fn measure(
    options: &Measure,
    places: &Places,
    effort: Effort,
    session: &mut Session,
    left_out: &mut Vec<Failure>,
) {
    let wanted = PROGRAMS.iter().filter(|program| options.wants(program.part));
    let (wanted, absent): (Vec<_>, Vec<_>) =
        wanted.partition(|program| places.sources.join(program.upc).is_file());
    for program in absent {
        let why = format!("there is no {}", places.sources.join(program.upc).display());
        left_out.push(Failure { run: format!("{} {}", program.part.name(), program.name), why });
    }
    progress("compiling the programs beside OpenMP and MPI");
    let mut versions = Vec::new();
    for (program, system, compiled) in compile_all(places, &wanted) {
        match (compiled, system) {
            (Ok(executable), _) => versions.push(Version { program, system, executable, failed: false }),
            (Err(error), System::Upc) => {
                session.failures.push(Failure { run: label(program, system), why: format!("{error:#}") });
            }
            (Err(error), _) => {
                let run = format!("{} in {}", program.part.name(), system.name());
                left_out.push(Failure { run, why: first_lines(&format!("{error:#}")) });
            }
        }
    }
    // The versions of a program run one after another.
    versions.sort_by_key(|version| PROGRAMS.iter().position(|program| program.name == version.program.name));
    let turns = turns(options, effort);
    for turn in 0..turns {
        for version in versions.iter_mut().filter(|version| !version.failed) {
            if interrupt::arrived() {
                return progress("");
            }
            progress(&format!("{} of {turns}: {}", turn + 1, label(version.program, version.system)));
            take(places, version, effort.quick, session, left_out);
        }
    }
    progress("");
}

/// How often each version runs: once where everything is to be measured within a minute.
fn turns(options: &Measure, effort: Effort) -> u32 {
    let minute = options.quick && options.parts.is_empty() && options.rounds.is_none();
    if minute { effort.passes } else { effort.passes * effort.rounds }
}

/// A program in a version, and its executable or why there is none.
type Compiled = (&'static Program, System, Result<PathBuf>);

/// Compiles all programs in all systems, which go on side by side. What a system other than Meridian cannot
/// compile ends it for the part: one reason is enough.
fn compile_all(places: &Places, wanted: &[&'static Program]) -> Vec<Compiled> {
    let all_of = &|system: System| {
        let mut done: Vec<Compiled> = Vec::new();
        for program in wanted {
            let missing = |(other, _, compiled): &Compiled| compiled.is_err() && other.part == program.part;
            if interrupt::arrived() || (!matches!(system, System::Upc) && done.iter().any(missing)) {
                continue;
            }
            done.push((program, system, compile(places, program, system)));
        }
        done
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = System::all().map(|system| scope.spawn(move || all_of(system))).collect();
        let join = |thread: std::thread::ScopedJoinHandle<'_, Vec<Compiled>>| {
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        threads.into_iter().flat_map(join).collect()
    })
}

fn label(program: &Program, system: System) -> String {
    format!("{} {} in {}", program.part.name(), program.name, system.name())
}

/// The first lines of what a compiler or a launcher said.
fn first_lines(text: &str) -> String {
    text.lines().filter(|line| !line.trim().is_empty()).take(3).collect::<Vec<_>>().join(" / ")
}

/// One run of a version, and where its result goes.
fn take(
    places: &Places,
    version: &mut Version,
    quick: bool,
    session: &mut Session,
    left_out: &mut Vec<Failure>,
) {
    let class = version.program.classes[usize::from(!quick)];
    let run = label(version.program, version.system);
    let failed = match (run_once(places, version, class), version.system) {
        (Outcome::Took(ns), system) => return session.sample(point(version.program, system, class), ns),
        (_, _) if interrupt::arrived() => return,
        (Outcome::Broken(why), System::OpenMp | System::Mpi(_)) => {
            left_out.push(Failure { run, why });
            true
        }
        (Outcome::Broken(why) | Outcome::Wrong(why), _) => {
            session.failures.push(Failure { run, why });
            true
        }
    };
    version.failed = failed;
    let key = point(version.program, version.system, class).key();
    session.forget(&key);
}

fn point(program: &Program, system: System, class: &str) -> Point {
    Point {
        part: program.part.name().into(),
        dialect: system.name().into(),
        conduit: Conduit::Smp.name().into(),
        series: program.name.into(),
        what: format!("class {class}"),
        at: std::collections::BTreeMap::new(),
        ns: vec![],
    }
}

fn run_once(places: &Places, version: &Version, class: &str) -> Outcome {
    let mut command = match version.system {
        System::Upc => probes::command(places, &version.executable, Conduit::Smp, None),
        System::OpenMp => {
            let mut command = Command::new(&version.executable);
            command.env("OMP_NUM_THREADS", "2");
            command
        }
        System::Mpi(peer) => peers::command(peer.launcher, &version.executable),
    };
    match output(command.arg(class)) {
        Err(error) => Outcome::Broken(format!("{error:#}")),
        Ok(said) if said.out.contains("VERIFICATION FAILED") => {
            let lines = said.out.lines().filter(|line| line.contains("must be"));
            let what = lines.take(2).collect::<Vec<_>>().join(" / ");
            Outcome::Wrong(format!("it computes something else: {what}"))
        }
        Ok(said) if !said.success => Outcome::Broken(said.error),
        Ok(said) => time(&said.out).map_or_else(
            || Outcome::Broken(String::from("it printed no time and verification")),
            Outcome::Took,
        ),
    }
}

/// The time of a verified run, in nanoseconds; `None` where a line is missing.
fn time(out: &str) -> Option<f64> {
    let line = out.lines().find_map(|line| line.strip_prefix("time "))?;
    let seconds: f64 = line.split(" s").next()?.parse().ok()?;
    (out.contains("VERIFICATION SUCCESSFUL") && seconds.is_finite() && seconds > 0.0).then_some(seconds * 1e9)
}

fn compile(places: &Places, program: &Program, system: System) -> Result<PathBuf> {
    let name = format!("{}-{}-{}", program.part.name(), program.name, system.name());
    let executable = places.result(name.replace(' ', "-"));
    let source = places.sources.join(if matches!(system, System::Upc) { program.upc } else { program.c });
    ensure!(source.is_file(), "there is no {}", source.display());
    let mut command = match system {
        System::Upc => meridian(places),
        System::OpenMp => {
            let mut command = Command::new(&places.cc);
            command.arg("-fopenmp").arg(&source);
            command
        }
        System::Mpi(peer) => {
            peers::find(peer)?;
            let mut command = Command::new(peer.compiler);
            command.arg("-DWITH_MPI").arg(&source);
            // The same C compiler beneath the command of each MPI.
            command.env("OMPI_CC", &places.cc).env("MPICH_CC", &places.cc);
            command
        }
    };
    if matches!(system, System::Upc) {
        command.arg(&source);
    }
    run_to_end(command.arg("-O3").arg("-o").arg(&executable).arg("-lm")).with_context(|| match system {
        System::Mpi(peer) => {
            format!("`{}` does not compile it (Debian package {})", peer.compiler, peer.package)
        }
        _ => String::from("it does not compile"),
    })?;
    Ok(executable)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn only_a_verified_run_has_a_time() {
        let good =
            "zeta 8.5\ncg: VERIFICATION SUCCESSFUL\ntime 0.250000 s, 3.0 million operations a second\n";
        assert_eq!(time(good), Some(0.25e9));
        for bad in ["SUCCESSFUL", "time 0.250000", "time 0.25"].map(|lost| good.replace(lost, "")) {
            assert_eq!(time(&bad), None, "{bad}");
        }
        assert_eq!(time(&good.replace("0.25", "-0.25")), None);
    }

    #[test]
    fn all_programs_are_there_in_each_language() {
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench");
        for program in PROGRAMS {
            assert!(PARTS.contains(&program.part), "{}", program.name);
            for file in [program.upc, program.c] {
                assert!(sources.join(file).is_file(), "{file}");
            }
        }
    }
}
