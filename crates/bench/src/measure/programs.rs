//! The parts whose programs are compared with the same program in OpenMP and in MPI.
//!
//! Each program runs as a whole, with two threads or processes, in turn with its counterparts: on this host
//! (the conduit smp), and with one on each of two hosts (tcp, ofi), without OpenMP and with MPI over TCP. It
//! times itself without the making of its input, verifies its result, and prints both:
//!
//! ```text
//! ep: VERIFICATION SUCCESSFUL
//! time 0.123456 s, ...
//! ```
//!
//! The loops of the parts `loops` and `irregular` have counterparts in OpenMP, and in UPC with copies or
//! buffers by hand. Those of `loops` also have counterparts in MPI, and run under `--profile`, which gives
//! its price. Those of `irregular` between hosts are also compiled without optimisation; one round of these
//! is enough.
//!
//! A counterpart whose compiler is not here, or that does not run here, is left out with the reason. A wrong
//! result is a failure, whichever system computed it.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::compiling::{meridian, run_to_end};
use super::peers::{self, Peer};
use super::probes;
use super::session::{Effort, Session, late, output};
use super::terminal::progress;
use crate::installation::Places;
use crate::interrupt;
use crate::options::{Class, Conduit, Measure, Part};
use crate::results::{Failure, Point};

/// A program.
#[derive(Debug)]
struct Program {
    part: Part,
    /// The name in the results.
    name: &'static str,
    /// The file in a dialect, from the directory of the sources.
    ours: &'static str,
    /// The file in C with OpenMP, and with MPI if `WITH_MPI` is defined.
    c: &'static str,
    /// The loop in these files.
    which: Option<&'static str>,
}

impl Program {
    /// Returns the dialect, by the file's name.
    fn dialect(&self) -> &'static str {
        DIALECTS
            .into_iter()
            .find(|dialect| self.ours.ends_with(&format!(".{dialect}")))
            .unwrap_or(DIALECTS[0])
    }
}

/// The dialects of Meridian's programs here, as the results call them.
pub const DIALECTS: [&str; 2] = ["upc", "ac"];

const fn nas(name: &'static str, ours: &'static str, c: &'static str) -> Program {
    Program { part: Part::Nas, name, ours, c, which: None }
}

const fn kernel(name: &'static str, ours: &'static str, c: &'static str) -> Program {
    Program { part: Part::Kernels, name, ours, c, which: None }
}

const fn dense(name: &'static str, which: &'static str) -> Program {
    Program { part: Part::Loops, name, ours: "loops/dense.upc", c: "loops/dense.c", which: Some(which) }
}

const fn irregular(name: &'static str, which: &'static str) -> Program {
    let (ours, c) = ("loops/irregular.upc", "loops/irregular.c");
    Program { part: Part::Irregular, name, ours, c, which: Some(which) }
}

const SPARSE: &str = "sparse product";
const WAVEFRONT: &str = "kernels/wavefront.upc";

const PROGRAMS: &[Program] = &[
    nas("EP", "../examples/nas/ep.upc", "nas/ep.c"),
    nas("IS", "../examples/nas/is.upc", "nas/is.c"),
    nas("CG", "../examples/nas/cg.upc", "nas/cg.c"),
    nas("MG", "../examples/nas/mg.upc", "nas/mg.c"),
    nas("FT", "../examples/nas/ft.upc", "nas/ft.c"),
    kernel(SPARSE, "kernels/spmv.upc", "kernels/spmv.c"),
    kernel("graph search", "kernels/bfs.upc", "kernels/bfs.c"),
    kernel("wavefront", WAVEFRONT, "kernels/wavefront.c"),
    Program { which: Some("flags"), ..kernel("wavefront by flags", WAVEFRONT, "kernels/wavefront.c") },
    kernel("tree search", "kernels/uts.upc", "kernels/uts.c"),
    kernel("blocks in a box", "kernels/blocks.ac", "kernels/blocks.c"),
    dense("addition", "add"),
    dense("five-point stencil", "stencil"),
    dense("product of matrices", "matmul"),
    dense("transposition", "transpose"),
    irregular("index-gather", "gather"),
    irregular("sums of rows", "rows"),
    irregular("scatter", "scatter"),
    irregular("update", "update"),
    irregular("histogram", "histogram"),
    irregular("permutation", "permute"),
    irregular("sparse transposition", "sparse"),
];

/// The names in the results of the versions in OpenMP, with copies or buffers by hand, compiled with -O0, and
/// with a profile.
pub const OPENMP: &str = "openmp";
pub const BY_HAND: &str = "by hand";
pub const UNOPTIMISED: &str = "unoptimised";
pub const PROFILED: &str = "profiled";

/// Returns the least time that another system is meant to take for a program, relative to Meridian's, over
/// `smp` or between hosts.
pub fn goal(name: &str, system: &str, conduit: &str) -> Option<f64> {
    let program = PROGRAMS.iter().find(|program| program.name == name)?;
    let is_mpi = peers::mpi().any(|peer| peer.name == system);
    let communicates =
        matches!(name, "wavefront" | "wavefront by flags" | "five-point stencil" | "transposition");
    match (program.part, system, conduit == Conduit::Smp.name()) {
        (Part::Nas, _, true) => Some(1.0),
        (_, UNOPTIMISED, false) => Some(50.0),
        (_, BY_HAND, false) => Some(0.9),
        (Part::Loops, OPENMP, true) => Some(0.95),
        (Part::Irregular, OPENMP, true) if name == "histogram" => Some(0.95),
        (_, _, true) if communicates && is_mpi => Some(1.2),
        (_, _, false) if communicates && is_mpi => Some(1.0),
        _ => None,
    }
}

/// The parts that are measured here.
pub const PARTS: [Part; 4] = [Part::Nas, Part::Kernels, Part::Loops, Part::Irregular];

/// The system or version that a program is written in.
#[derive(Clone, Copy, Debug)]
enum System {
    Meridian,
    /// With copies by hand.
    ByHand,
    /// Compiled with -O0.
    Unoptimised,
    /// With a profile.
    Profiled,
    OpenMp,
    Mpi(&'static Peer),
}

impl System {
    /// Returns the name in the results, which takes the place of a dialect.
    fn name(self, program: &Program) -> &'static str {
        match self {
            System::Meridian => program.dialect(),
            System::ByHand => BY_HAND,
            System::Unoptimised => UNOPTIMISED,
            System::Profiled => PROFILED,
            System::OpenMp => OPENMP,
            System::Mpi(peer) => peer.name,
        }
    }

    fn all() -> impl Iterator<Item = System> {
        use System::*;
        let ours = [Meridian, ByHand, Unoptimised, Profiled, OpenMp];
        ours.into_iter().chain(peers::mpi().map(System::Mpi))
    }

    /// Whether a program is written in this system.
    fn has(self, program: &Program) -> bool {
        let loops = matches!(program.part, Part::Loops | Part::Irregular);
        match self {
            System::Meridian | System::OpenMp => true,
            System::ByHand => loops,
            System::Unoptimised => program.part == Part::Irregular,
            System::Profiled => program.part == Part::Loops,
            System::Mpi(_) => program.part != Part::Irregular,
        }
    }

    /// Whether Meridian compiles it.
    fn is_ours(self) -> bool {
        matches!(self, System::Meridian | System::ByHand | System::Unoptimised | System::Profiled)
    }
}

/// A program in one of its versions, compiled.
#[derive(Debug)]
struct Version {
    program: &'static Program,
    system: System,
    executable: PathBuf,
}

/// The input of a program.
#[derive(Clone, Debug)]
enum Input {
    Class(Class),
    /// A matrix of the user's, for the sparse product.
    Matrix(PathBuf),
}

impl Input {
    /// Returns the program's argument.
    fn argument(&self) -> &std::ffi::OsStr {
        match self {
            Input::Class(class) => class.name().as_ref(),
            Input::Matrix(path) => path.as_os_str(),
        }
    }

    /// Returns the name in the results.
    fn name(&self) -> String {
        match self {
            Input::Class(class) => format!("class {}", class.name()),
            Input::Matrix(path) => format!("matrix {}", path.file_stem().unwrap_or_default().display()),
        }
    }
}

/// A run of each turn.
#[derive(Debug)]
struct Job<'a> {
    version: &'a Version,
    conduit: Conduit,
    input: Input,
    /// The job has failed, and runs no more.
    failed: bool,
}

impl Job<'_> {
    fn label(&self) -> String {
        let mut label = label(self.version.program, self.version.system);
        if self.conduit != Conduit::Smp {
            label += &format!(" over {}", self.conduit.name());
        }
        label
    }

    fn point(&self) -> Point {
        let Version { program, system, .. } = self.version;
        Point {
            part: program.part.name().into(),
            dialect: system.name(program).into(),
            conduit: self.conduit.name().into(),
            series: program.name.into(),
            what: self.input.name(),
            at: std::collections::BTreeMap::new(),
            ns: vec![],
        }
    }
}

/// The outcome of one run.
enum Outcome {
    /// Nanoseconds.
    Took(f64),
    /// The result is wrong.
    Wrong(String),
    /// The program did not run to its end.
    Broken(String),
}

/// Measures the parts that are wanted: samples and failures go to the session, counterparts that are not here
/// to `left_out`.
pub fn measure(
    options: &Measure,
    places: &Places,
    conduits: &[Conduit],
    effort: Effort,
    session: &mut Session,
    left_out: &mut Vec<Failure>,
) {
    // The programs in UPC and AC reach memory of the same host by loads and stores.
    let conduits: Vec<Conduit> = conduits.iter().copied().filter(|&conduit| conduit != Conduit::Am).collect();
    let wanted = PROGRAMS.iter().filter(|program| options.wants(program.part) && !conduits.is_empty());
    let (wanted, absent): (Vec<_>, Vec<_>) =
        wanted.partition(|program| places.sources.join(program.ours).is_file());
    for program in absent {
        let why = format!("there is no {}", places.sources.join(program.ours).display());
        left_out.push(Failure { run: format!("{} {}", program.part.name(), program.name), why });
    }
    if effort.is_over() {
        return left_out.extend(wanted.iter().map(|program| late(label(program, System::Meridian))));
    }
    progress("compiling the programs beside OpenMP and MPI");
    let versions = versions(places, &wanted, session, left_out);
    let mut jobs = jobs(&versions, &conduits, options, left_out);
    let turns = turns(options, effort);
    for turn in 0..turns {
        // Every second turn goes backwards: a run right after the processes of an MPI takes a tenth longer.
        if turn > 0 {
            jobs.reverse();
        }
        for job in jobs.iter_mut().filter(|job| !job.failed) {
            if interrupt::arrived() {
                return progress("");
            }
            if effort.is_over() {
                left_out.push(late(job.label()));
                continue;
            }
            progress(&format!("{} of {turns}: {}, {}", turn + 1, job.label(), job.input.name()));
            take(places, options, job, session, left_out);
        }
    }
    progress("");
}

/// Returns all programs that can be compiled, in all systems, those of a program one after another.
fn versions(
    places: &Places,
    wanted: &[&'static Program],
    session: &mut Session,
    left_out: &mut Vec<Failure>,
) -> Vec<Version> {
    let mut versions = Vec::new();
    for (program, system, compiled) in compile_all(places, wanted) {
        match (compiled, system) {
            (Ok(executable), _) => versions.push(Version { program, system, executable }),
            (Err(error), System::Meridian) => {
                session.failures.push(Failure { run: label(program, system), why: format!("{error:#}") });
            }
            (Err(error), _) => {
                let run = format!("{} in {}", program.part.name(), system.name(program));
                left_out.push(Failure { run, why: first_lines(&format!("{error:#}")) });
            }
        }
    }
    versions.sort_by_key(|version| PROGRAMS.iter().position(|program| program.name == version.program.name));
    versions
}

/// Returns the runs of each turn: the versions of a program on a conduit and of a class one after another.
/// With a limit of one minute, runs between hosts and under a profile are left out.
fn jobs<'a>(
    versions: &'a [Version],
    conduits: &[Conduit],
    options: &Measure,
    left_out: &mut Vec<Failure>,
) -> Vec<Job<'a>> {
    let minute = options.is_minute();
    let mut jobs = Vec::new();
    for same in versions.chunk_by(|a, b| a.program.name == b.program.name) {
        for &conduit in conduits.iter().filter(|&&conduit| conduit == Conduit::Smp || !minute) {
            let fits = |version: &&Version| !(minute && matches!(version.system, System::Profiled));
            let of = same.iter().filter(fits).filter(|v| runs_on(v, conduit, options, left_out));
            let of: Vec<&Version> = of.collect();
            for input in inputs(same[0].program, options) {
                let job =
                    |version: &&'a Version| Job { version, conduit, input: input.clone(), failed: false };
                jobs.extend(of.iter().map(job));
            }
        }
    }
    jobs
}

/// Returns the inputs of a program: the user's matrix, or the classes that are wanted.
fn inputs(program: &Program, options: &Measure) -> Vec<Input> {
    match &options.matrix {
        Some(path) if program.name == SPARSE => {
            let absolute = std::path::absolute(path).unwrap_or_else(|_| path.clone());
            vec![Input::Matrix(absolute)]
        }
        _ => options.classes().into_iter().map(Input::Class).collect(),
    }
}

/// Whether a version runs on a conduit. Notes once for each part why an MPI does not.
fn runs_on(version: &Version, conduit: Conduit, options: &Measure, left_out: &mut Vec<Failure>) -> bool {
    let peer = match version.system {
        System::Mpi(peer) => peer,
        System::OpenMp => return conduit == Conduit::Smp,
        System::Unoptimised => return conduit != Conduit::Smp,
        System::Meridian | System::ByHand | System::Profiled => return true,
    };
    if conduit == Conduit::Smp {
        return true;
    }
    let command = peers::command_over_tcp(peer, options.hosts.as_deref(), 2, &version.executable);
    if let Err(error) = &command {
        let run = format!("{} in {} over {}", version.program.part.name(), peer.name, conduit.name());
        if !left_out.iter().any(|failure| failure.run == run) {
            left_out.push(Failure { run, why: format!("{error:#}") });
        }
    }
    command.is_ok()
}

/// Returns how often each version runs: once if everything is to be measured within a minute.
fn turns(options: &Measure, effort: Effort) -> u32 {
    let once = options.is_minute() && options.rounds.is_none();
    if once { effort.passes } else { effort.passes * effort.rounds }
}

/// A program in a version, and its executable or the reason why there is none.
type Compiled = (&'static Program, System, Result<PathBuf>);

/// Compiles all programs in all systems, which go on side by side. If a system other than Meridian fails to
/// compile a program, it is left out for the rest of the part: one reason is enough.
fn compile_all(places: &Places, wanted: &[&'static Program]) -> Vec<Compiled> {
    let all_of = &|system: System| {
        let mut done: Vec<Compiled> = Vec::new();
        for program in wanted.iter().filter(|program| system.has(program)) {
            let missing = |(other, _, compiled): &Compiled| compiled.is_err() && other.part == program.part;
            if interrupt::arrived() || (!matches!(system, System::Meridian) && done.iter().any(missing)) {
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
    format!("{} {} in {}", program.part.name(), program.name, system.name(program))
}

/// Returns the first lines of the output of a compiler or a launcher.
fn first_lines(text: &str) -> String {
    text.lines().filter(|line| !line.trim().is_empty()).take(3).collect::<Vec<_>>().join(" / ")
}

/// Runs a version once, and records its result.
fn take(
    places: &Places,
    options: &Measure,
    job: &mut Job<'_>,
    session: &mut Session,
    left_out: &mut Vec<Failure>,
) {
    let run = job.label();
    match (run_once(places, options, job), job.version.system) {
        (Outcome::Took(ns), _) => return session.sample(job.point(), ns),
        (_, _) if interrupt::arrived() => return,
        (Outcome::Broken(why), System::OpenMp | System::Mpi(_)) => left_out.push(Failure { run, why }),
        (Outcome::Broken(why) | Outcome::Wrong(why), _) => session.failures.push(Failure { run, why }),
    }
    job.failed = true;
    session.forget(&job.point().key());
}

/// Returns the command of a version without its argument.
fn command(places: &Places, options: &Measure, job: &Job<'_>) -> Result<Command> {
    let Version { system, executable, .. } = job.version;
    let hosts = options.hosts.as_deref();
    Ok(match system {
        System::Meridian | System::ByHand | System::Unoptimised => {
            probes::command(places, executable, job.conduit, hosts, 2)
        }
        System::Profiled => {
            let mut command = probes::launch(places, job.conduit, hosts, 2);
            command.arg(format!("--profile={}", places.result("profile.json").display())).arg(executable);
            command
        }
        System::OpenMp => {
            let mut command = Command::new(executable);
            command.env("OMP_NUM_THREADS", "2");
            command
        }
        System::Mpi(peer) if job.conduit == Conduit::Smp => peers::command(peer.launcher, executable),
        System::Mpi(peer) => peers::command_over_tcp(peer, hosts, 2, executable)?,
    })
}

fn run_once(places: &Places, options: &Measure, job: &Job<'_>) -> Outcome {
    let mut command = match command(places, options, job) {
        Ok(command) => command,
        Err(error) => return Outcome::Broken(format!("{error:#}")),
    };
    match output(command.arg(job.input.argument())) {
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

/// Returns the time of a verified run, in nanoseconds, or `None` if a line is missing.
fn time(out: &str) -> Option<f64> {
    let line = out.lines().find_map(|line| line.strip_prefix("time "))?;
    let seconds: f64 = line.split(" s").next()?.parse().ok()?;
    (out.contains("VERIFICATION SUCCESSFUL") && seconds.is_finite() && seconds > 0.0).then_some(seconds * 1e9)
}

fn compile(places: &Places, program: &Program, system: System) -> Result<PathBuf> {
    let name = format!("{}-{}-{}", program.part.name(), program.name, system.name(program));
    let executable = places.result(name.replace(' ', "-"));
    let ours = system.is_ours();
    let source = places.sources.join(if ours { program.ours } else { program.c });
    ensure!(source.is_file(), "there is no {}", source.display());
    let mut command = match system {
        System::Meridian | System::ByHand | System::Unoptimised | System::Profiled => meridian(places),
        System::OpenMp => {
            let mut command = Command::new(&places.cc);
            command.arg("-fopenmp").arg(&source);
            command
        }
        System::Mpi(peer) => {
            peers::find(peer)?;
            let mut command = Command::new(peer.compiler);
            command.arg("-DWITH_MPI").arg(&source);
            // The command of each MPI calls the same C compiler.
            command.env("OMPI_CC", &places.cc).env("MPICH_CC", &places.cc);
            command
        }
    };
    if ours {
        command.arg(&source);
    }
    command.args(program.which.map(|which| format!("-DLOOP={which}")));
    let optimise = match system {
        System::Unoptimised => ["-O0", "-DUNOPTIMISED"].as_slice(),
        System::ByHand => &["-O3", "-DBULK"],
        _ => &["-O3"],
    };
    run_to_end(command.args(optimise).arg("-o").arg(&executable).arg("-lm")).with_context(
        || match system {
            System::Mpi(peer) => {
                format!("`{}` does not compile it (Debian package {})", peer.compiler, peer.package)
            }
            _ => String::from("it does not compile"),
        },
    )?;
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
            assert!(program.ours.ends_with(program.dialect()), "{}", program.ours);
            for file in [program.ours, program.c] {
                assert!(sources.join(file).is_file(), "{file}");
            }
        }
    }
}
