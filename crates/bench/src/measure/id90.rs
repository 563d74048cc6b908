//! The part `id90`: Id programs compared with the same in C and Haskell, with themselves without the TAM
//! optimisations of threads, and on several processors with C with OpenMP; and the instructions of the
//! abstract machine.
//!
//! A program in each of these ways is one process, and all ways take turns. On one processor its processor
//! time is measured, on several the wall-clock time. All ways have to print the same.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use base::programs;
use serde_json::Value;

use super::compiling::{meridian, run_to_end};
use super::others::OPENMP;
use super::session::{Effort, Session, output};
use super::terminal::progress;
use crate::installation::Places;
use crate::interrupt;
use crate::options::{Conduit, Measure, Part};
use crate::results::{Failure, Point};

/// The names of the ways in the results.
pub const ID: &str = "id90";
pub const DATAFLOW: &str = "dataflow threads";
pub const C: &str = "c";
pub const ALIKE: &str = "c, same algorithm";
pub const HASKELL: &str = "ghc";
/// The names of the measured times in the results.
pub const PROCESSOR: &str = "processor time";
pub const WALL: &str = "wall clock";
/// The classes of instructions (figure 6-12); their points hold counts instead of nanoseconds.
pub const CLASSES: [&str; 4] = ["alu", "heap", "control", "message"];

/// A program of `bench/id90`, with its arguments.
struct Program {
    name: &'static str,
    /// Arguments for the comparison with C and Haskell: enough work that the start of a process does not
    /// count. Empty if the time stays negligible for any argument.
    large: &'static [&'static str],
    /// Arguments on several processors: enough work that the start of a job does not count.
    many: &'static [&'static str],
    /// Arguments for the comparison with threads made without the optimisations, in which all passes of a
    /// loop exist at once.
    words: &'static [&'static str],
    /// Arguments with which the instructions are counted, and those of --quick.
    few: &'static [&'static str],
    /// The way whose C source has its work shared out by OpenMP.
    shared: Option<Way>,
}

const fn program(
    name: &'static str,
    large: &'static [&'static str],
    many: &'static [&'static str],
    words: &'static [&'static str],
    few: &'static [&'static str],
    shared: Option<Way>,
) -> Program {
    Program { name, large, many, words, few, shared }
}

const PROGRAMS: [Program; 8] = [
    program("gamteb", &["2000000"], &["2000000"], &["40000"], &["1000"], Some(Way::C)),
    program("mmt", &["160"], &["240"], &["40"], &["6"], Some(Way::C)),
    program("molecules", &["22"], &["22"], &["20"], &["9"], None),
    program("paraffins", &[], &[], &["19"], &["14"], None),
    program("queens", &["12"], &["12"], &["10"], &["7"], Some(Way::Alike)),
    program("quicksort", &["400000"], &["400000"], &["20000"], &["300"], None),
    program("simple", &["300", "200"], &["300", "200"], &["40", "100"], &["12", "4"], Some(Way::C)),
    program("speech", &["20000"], &["20000"], &["1500"], &["60"], Some(Way::C)),
];

/// Returns the names of the programs.
pub fn names() -> impl Iterator<Item = &'static str> {
    PROGRAMS.iter().map(|program| program.name)
}

/// A way to run a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Id,
    /// The Id program with the arguments of the data-flow threads.
    Optimised,
    DataFlow,
    C,
    Alike,
    Haskell,
    /// On this many processors.
    Several(usize),
    /// C with OpenMP, by this many threads.
    OpenMp(usize),
}

impl Way {
    /// Returns the name in the results, which takes the place of a dialect.
    fn name(self) -> &'static str {
        match self {
            Way::Id | Way::Optimised | Way::Several(_) => ID,
            Way::DataFlow => DATAFLOW,
            Way::C => C,
            Way::Alike => ALIKE,
            Way::Haskell => HASKELL,
            Way::OpenMp(_) => OPENMP,
        }
    }

    /// Returns the number of processors of the run; none if processor time is measured.
    fn processors(self) -> Option<usize> {
        match self {
            Way::Several(n) | Way::OpenMp(n) => Some(n),
            _ => None,
        }
    }

    /// Whether a failure is one of the measurement, rather than of another system.
    fn is_ours(self) -> bool {
        matches!(self, Way::Id | Way::Optimised | Way::DataFlow | Way::Several(_))
    }

    /// Returns the source, in the directory of the programs.
    fn source(self, program: &Program) -> String {
        let name = program.name;
        match self {
            Way::Id | Way::Optimised | Way::DataFlow | Way::Several(_) => format!("{name}.id"),
            Way::C => format!("{name}.c"),
            Way::Alike => format!("{name}-alike.c"),
            Way::Haskell => format!("{name}.hs"),
            Way::OpenMp(_) => program.shared.map_or_else(String::new, |way| way.source(program)),
        }
    }
}

/// A program in a way, compiled.
struct Job {
    program: &'static Program,
    way: Way,
    executable: PathBuf,
    failed: bool,
}

impl Job {
    fn label(&self) -> String {
        let place = self.way.processors().map_or_else(String::new, |n| format!(" on {n} processors"));
        format!("id90 {} in {}{place}", self.program.name, self.way.name())
    }

    /// Returns the program's arguments.
    fn words(&self, quick: bool) -> &'static [&'static str] {
        match self.way {
            _ if quick => self.program.few,
            Way::Several(_) | Way::OpenMp(_) => self.program.many,
            Way::Optimised | Way::DataFlow => self.program.words,
            _ => self.program.large,
        }
    }

    /// Returns the name of the computation: all ways of one series print the same.
    fn series(&self, quick: bool) -> String {
        format!("{} {}", self.program.name, self.words(quick).join(" "))
    }

    /// Returns the point of the job's time, or of a class of its instructions.
    fn point(&self, quick: bool, class: Option<&str>) -> Point {
        let mut at = BTreeMap::new();
        if let Some(n) = self.way.processors() {
            at.insert("processors".to_string(), n as u64);
        }
        let what = match (class, self.way.processors()) {
            (Some(class), _) => format!("instructions, {class}"),
            (None, Some(_)) => WALL.to_string(),
            (None, None) => PROCESSOR.to_string(),
        };
        Point {
            part: Part::Id90.name().into(),
            dialect: self.way.name().into(),
            conduit: Conduit::Smp.name().into(),
            series: self.series(quick || class.is_some()),
            what,
            at,
            ns: vec![],
        }
    }
}

/// Measures the part if it is wanted: samples and failures go to the session, programs that cannot be
/// compiled here to `left_out`.
pub fn measure(
    options: &Measure,
    places: &Places,
    effort: Effort,
    session: &mut Session,
    left_out: &mut Vec<Failure>,
) {
    if !options.wants(Part::Id90) || interrupt::arrived() {
        return;
    }
    let named = |program: &&Program| {
        options.programs.is_empty() || options.programs.iter().any(|name| name == program.name)
    };
    let programs: Vec<&'static Program> = PROGRAMS.iter().filter(named).collect();
    let mut jobs = jobs(places, &programs, options.threads, session, left_out);
    for job in &jobs {
        if matches!(job.way, Way::Optimised | Way::DataFlow) && !interrupt::arrived() {
            count(places, job, session);
        }
    }
    let turns = effort.passes * effort.rounds;
    let mut printed: BTreeMap<String, String> = BTreeMap::new();
    for turn in 0..turns {
        for job in jobs.iter_mut().filter(|job| !job.failed) {
            if interrupt::arrived() {
                return progress("");
            }
            progress(&format!("{} of {turns}: {}", turn + 1, job.label()));
            take(places, options.quick, job, &mut printed, session, left_out);
        }
    }
    progress("");
}

/// Returns all programs in all ways that can be compiled.
fn jobs(
    places: &Places,
    programs: &[&'static Program],
    threads: usize,
    session: &mut Session,
    left_out: &mut Vec<Failure>,
) -> Vec<Job> {
    let mut jobs = Vec::new();
    let mut missing = BTreeSet::new();
    for &program in programs {
        for way in [Way::Id, Way::DataFlow, Way::C, Way::Alike, Way::Haskell, Way::OpenMp(threads)] {
            let there = directory(places).join(way.source(program)).is_file();
            if interrupt::arrived() || missing.contains(way.name()) || !(there || way.is_ours()) {
                continue;
            }
            progress(&format!("compiling {} in {}", program.name, way.name()));
            let run = format!("id90 {} in {}", program.name, way.name());
            match compile(places, program, way, &[]) {
                Ok(executable) => {
                    let of = |way| Job { program, way, executable: executable.clone(), failed: false };
                    let ways = match way {
                        Way::Id => vec![Way::Optimised, way, Way::Several(1), Way::Several(threads)],
                        Way::OpenMp(_) => vec![Way::OpenMp(1), way],
                        _ => vec![way],
                    };
                    jobs.extend(ways.into_iter().map(of).filter(|job| !job.words(false).is_empty()));
                }
                Err(error) => {
                    let why = format!("{error:#}").lines().take(3).collect::<Vec<_>>().join(" / ");
                    let failure = Failure { run, why };
                    if way.is_ours() {
                        session.failures.push(failure);
                    } else {
                        missing.insert(way.name());
                        left_out.push(failure);
                    }
                }
            }
        }
    }
    jobs
}

fn directory(places: &Places) -> PathBuf {
    places.sources.join("id90")
}

fn compile(places: &Places, program: &Program, way: Way, options: &[&str]) -> Result<PathBuf> {
    let source = directory(places).join(way.source(program));
    ensure!(source.is_file(), "there is no {}", source.display());
    let suffix = if options.is_empty() { "" } else { "-counted" };
    let executable =
        places.result(format!("id90-{}-{}{suffix}", program.name, way.name()).replace(", ", "-"));
    let mut command = match way {
        Way::Id | Way::Optimised | Way::Several(_) => meridian(places),
        Way::DataFlow => {
            let mut command = meridian(places);
            command.arg("--threads=df");
            command
        }
        Way::C | Way::Alike => Command::new(&places.cc),
        Way::OpenMp(_) => {
            let mut command = Command::new(&places.cc);
            command.arg("-fopenmp");
            command
        }
        Way::Haskell => {
            ensure!(programs::find("ghc").is_some(), "`ghc` is not here (Debian package ghc)");
            let mut command = Command::new("ghc");
            let objects = places.result(format!("id90-{}-objects", program.name));
            command.args(["-v0", "-outputdir"]).arg(objects);
            command
        }
    };
    command.arg("-O2").args(options).arg(&source).arg("-o").arg(&executable);
    run_to_end(command.args(matches!(way, Way::C | Way::Alike | Way::OpenMp(_)).then_some("-lm")))?;
    Ok(executable)
}

/// Runs a program once, and records its time.
fn take(
    places: &Places,
    quick: bool,
    job: &mut Job,
    printed: &mut BTreeMap<String, String>,
    session: &mut Session,
    left_out: &mut Vec<Failure>,
) {
    let why = match run_once(places, quick, job) {
        _ if interrupt::arrived() => return,
        Ok((out, ns)) => {
            let first = printed.entry(job.series(quick)).or_insert_with(|| out.clone());
            if *first == out {
                return session.sample(job.point(quick, None), ns);
            }
            String::from("it prints something else than the Id program on one processor")
        }
        Err(error) => format!("{error:#}"),
    };
    let failure = Failure { run: job.label(), why };
    if job.way.is_ours() {
        session.failures.push(failure);
    } else {
        left_out.push(failure);
    }
    job.failed = true;
    session.forget(&job.point(quick, None).key());
}

/// Runs a program once. Returns its output, and the nanoseconds that it took.
fn run_once(places: &Places, quick: bool, job: &Job) -> Result<(String, f64)> {
    let mut command = match job.way {
        Way::Several(n) => {
            let mut command = Command::new(&places.meridian);
            command.args(["run", "--local", "--timeout", "300", "-n", &n.to_string()]).arg(&job.executable);
            command
        }
        Way::OpenMp(n) => {
            let mut command = Command::new(&job.executable);
            command.env("OMP_NUM_THREADS", n.to_string());
            command
        }
        _ => Command::new(&job.executable),
    };
    command.args(job.words(quick));
    let (begin, used) = (Instant::now(), processor_ns());
    let said = output(&mut command)?;
    let wall = begin.elapsed().as_nanos() as f64;
    ensure!(said.success, "{}", said.error);
    let ns = if job.way.processors().is_some() { wall } else { processor_ns() - used };
    // The clock of processor time is no finer than this.
    Ok((said.out, ns.max(1e3)))
}

/// Returns the nanoseconds of processor time of all children that have ended.
fn processor_ns() -> f64 {
    // SAFETY: a structure of numbers, for which zeros are values.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: a plain system call that fills the structure, which lives as long.
    unsafe { libc::getrusage(libc::RUSAGE_CHILDREN, &mut usage) };
    let ns = |time: libc::timeval| time.tv_sec as f64 * 1e9 + time.tv_usec as f64 * 1e3;
    ns(usage.ru_utime) + ns(usage.ru_stime)
}

/// Counts the instructions of a program on one processor, by class; once, because they are the same each
/// time.
fn count(places: &Places, job: &Job, session: &mut Session) {
    progress(&format!("counting the instructions of {}", job.label()));
    match counted(places, job) {
        Ok(sums) => {
            for (class, sum) in CLASSES.into_iter().zip(sums).filter(|(_, sum)| *sum > 0.0) {
                session.sample(job.point(true, Some(class)), sum);
            }
        }
        Err(_) if interrupt::arrived() => {}
        Err(error) => {
            let run = format!("the instructions of {}", job.label());
            session.failures.push(Failure { run, why: format!("{error:#}") });
        }
    }
}

fn counted(places: &Places, job: &Job) -> Result<[f64; 4]> {
    let executable = compile(places, job.program, job.way, &["--count-instructions"])?;
    let profile = places.result("id90-profile.json");
    let mut command = Command::new(&places.meridian);
    command.args(["run", "--local", "--timeout", "300", "-n", "1"]);
    command.arg(format!("--profile={}", profile.display())).arg(executable).args(job.program.few);
    let said = output(&mut command)?;
    ensure!(said.success, "{}", said.error);
    sums(&profile)
}

/// Returns the sums of a profile's counters, by class.
fn sums(profile: &Path) -> Result<[f64; 4]> {
    let text = std::fs::read_to_string(profile).context("it wrote no profile")?;
    let all: Value = serde_json::from_str(&text).context("its profile is no JSON")?;
    let counters = all["meridian"]["tam"]["counters"].as_array().context("its profile has no counters")?;
    let of = |class: &str| {
        let named = counters.iter().filter(|c| {
            c["name"]
                .as_str()
                .and_then(|name| name.strip_prefix(class))
                .is_some_and(|rest| rest.starts_with(' '))
        });
        let values = named.flat_map(|c| c["of"].as_array().into_iter().flatten());
        values.filter_map(Value::as_f64).sum()
    };
    Ok(CLASSES.map(of))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_programs_are_there() {
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/id90");
        for program in &PROGRAMS {
            for way in [Way::Id, Way::C] {
                assert!(sources.join(way.source(program)).is_file(), "{}", way.source(program));
            }
            if program.shared.is_some() {
                let text = std::fs::read_to_string(sources.join(Way::OpenMp(2).source(program))).unwrap();
                assert!(text.contains("#pragma omp parallel for"), "{}", program.name);
            }
        }
    }

    #[test]
    fn instructions_are_summed_by_class() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("p.json");
        let counter = |name: &str, of: &str| format!("{{\"name\": \"{name}\", \"of\": [{of}]}}");
        let counters = [
            counter("alu integer", "3, 4"),
            counter("alu float", "1"),
            counter("control stop", "5"),
            counter("functions", "9"),
        ];
        let write = |text: &str| std::fs::write(&path, text).unwrap();
        write(&format!("{{\"meridian\": {{\"tam\": {{\"counters\": [{}]}}}}}}", counters.join(",")));
        assert_eq!(sums(&path).unwrap(), [8.0, 0.0, 5.0, 0.0]);
        write("{}");
        assert!(sums(&path).unwrap_err().to_string().contains("no counters"));
        write("no");
        assert!(sums(&path).unwrap_err().to_string().contains("no JSON"));
    }
}
