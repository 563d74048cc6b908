//! The runs of a measurement: which programs of the table run over which conduits, with how many threads and
//! with which arguments.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

use anyhow::{Result, ensure};

use super::conduits::launch;
use super::system::{self, Compiler, Launcher, PROFILED};
use super::table::applications::SPARSE;
use super::table::probes::{meaningful, together};
use super::table::{Clock, Output, Program};
use crate::installation::Places;
use crate::options::{Conduit, Measure, Part};
use crate::results::{Failure, Point};

/// The amount of measurement.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Passes over all runs.
    pub passes: u32,
    /// Rounds over the points within a run; a program that measures one point runs as often.
    pub rounds: u32,
    /// Rounds over the kernels within a run.
    pub kernel_rounds: u32,
    /// Nanoseconds that a sample should take.
    pub sample_ns: u64,
    /// Whether few points are measured.
    pub quick: bool,
    /// The time after which nothing more is begun.
    pub until: Option<Instant>,
}

impl Effort {
    /// Whether nothing more is to be begun.
    pub fn is_over(&self) -> bool {
        self.until.is_some_and(|until| Instant::now() >= until)
    }
}

/// How the output of a run is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// Lines of samples.
    Samples,
    /// A verdict and a time.
    Verdict,
    /// A result, which is the same in all runs of a series; the sample is the time of the process.
    Result(Clock),
    /// Nothing; the sample is the wall-clock time of the process.
    Nothing,
    /// The counters of a profile.
    Profile,
}

/// A process, or a job, that is measured in turn with others.
#[derive(Debug)]
pub struct Run {
    /// The name in messages, such as `split-c bulk over tcp`.
    pub label: String,
    /// Whether its failure is one of the measurement, rather than of another system.
    pub is_ours: bool,
    /// The command, with all arguments.
    pub command: Command,
    /// How its output is read.
    pub reading: Reading,
    /// The profile that it writes.
    pub profile: PathBuf,
    /// The point that it measures, without samples. Of one that prints lines of samples these say the rest.
    pub point: Point,
    /// The parts that it measures.
    pub parts: Vec<Part>,
    /// How often it runs.
    pub turns: u32,
    /// Whether it has failed, or does not come to its turn.
    pub is_over: bool,
}

/// Returns the failure of a run that is not begun, for lack of time.
pub fn late(run: String) -> Failure {
    Failure { run, why: "the minute of --quick was over; name the parts that you want".into() }
}

/// A place: a conduit and a number of threads.
pub type Place = (Conduit, usize);

/// The circumstances of a measurement.
#[derive(Debug)]
pub struct Circumstances<'a> {
    /// The user's wishes.
    pub options: &'a Measure,
    /// The Meridian under measurement.
    pub places: &'a Places,
    /// The conduits that are here and wanted.
    pub conduits: &'a [Conduit],
    /// The amount of measurement.
    pub effort: Effort,
}

impl Circumstances<'_> {
    /// Returns all runs of a program that starts by these words. Adds to `left_out` why some are impossible.
    pub fn runs(&self, program: &Program, words: &[OsString], left_out: &mut Vec<Failure>) -> Vec<Run> {
        let wanted = |part: Part| self.options.wants(part);
        let groups = match program.output {
            Output::Samples => together(program.parts, &wanted),
            _ => vec![program.parts.to_vec()],
        };
        let mut runs = Vec::new();
        for parts in groups {
            for place in self.places_of(program, &parts) {
                for (arguments, point) in self.arguments(program, &parts, place) {
                    let label = label(program, &parts, place);
                    match self.command(program, words, place) {
                        Ok(mut command) => {
                            command.args(arguments);
                            runs.push(self.run(program, label, command, point, &parts));
                        }
                        Err(error) => {
                            let failure = impossible(program, label, place.0, &error);
                            if left_out.iter().all(|other| other.run != failure.run) {
                                left_out.push(failure);
                            }
                        }
                    }
                }
            }
        }
        runs
    }

    /// Whether a program's part is wanted, and has a place here.
    pub fn is_measured(&self, program: &Program, part: Part) -> bool {
        self.options.wants(part) && !self.places_of(program, &[part]).is_empty()
    }

    /// Returns the name in messages of a program that does not compile.
    pub fn name_of_failure(&self, program: &Program) -> String {
        let parts = &program.parts[..1];
        match program.output {
            Output::Samples if program.system.is_ours() => format!("the probe {}", program.file()),
            Output::Samples => match self.places_of(program, parts).first() {
                Some(&place) => label(program, parts, place),
                None => title(program),
            },
            _ if program.system.is_ours() => format!("{} in {}", title(program), program.system.name),
            _ => format!("{} in {}", program.parts[0].name(), program.system.name),
        }
    }

    fn run(&self, program: &Program, label: String, command: Command, point: Point, parts: &[Part]) -> Run {
        let Effort { passes, rounds, .. } = self.effort;
        let once = self.options.is_minute() && self.options.rounds.is_none();
        let each = if once { passes } else { passes * rounds };
        let (reading, turns) = match program.output {
            Output::Samples | Output::Kernels { .. } => (Reading::Samples, passes),
            Output::Verdict => (Reading::Verdict, each),
            Output::Result { clock, .. } => (Reading::Result(clock), each),
            Output::Instructions { .. } => (Reading::Profile, 1),
        };
        let (profile, parts) = (profile(self.places), parts.to_vec());
        let is_ours = program.system.is_ours();
        Run { label, is_ours, command, reading, profile, point, parts, turns, is_over: false }
    }

    /// Returns the places in which a group of a program's parts is measured. Between hosts each host has one
    /// thread, except for programs that list more; and only one if the user names the hosts, which may have
    /// fewer cores.
    pub fn places_of(&self, program: &Program, parts: &[Part]) -> Vec<Place> {
        let named = self.options.hosts.is_some();
        let minute = self.options.is_minute() && matches!(program.output, Output::Verdict);
        let alone = matches!(program.system.launcher, Launcher::Alone);
        if minute && program.system.name == PROFILED.name {
            return vec![];
        }
        let chosen = match program.output {
            Output::Samples | Output::Verdict => self.conduits,
            _ => program.conduits,
        };
        let says = |conduit: Conduit| {
            let late = minute && conduit != Conduit::Smp;
            let elsewhere = alone && named && conduit.between_hosts();
            !late && !elsewhere && parts.iter().all(|&part| meaningful(program, part, conduit))
        };
        let on_one = parts.iter().all(|&part| meaningful(program, part, Conduit::Smp));
        let mut places = Vec::new();
        for conduit in chosen.iter().copied().filter(|&conduit| says(conduit)) {
            let here = program.threads.unwrap_or(self.options.threads);
            let usual = if conduit.between_hosts() { 2 } else { here };
            places.push((conduit, usual));
            let more = if on_one { conduit == Conduit::Smp } else { conduit.between_hosts() && !named };
            let more = program.more.iter().filter(|&&threads| more && threads != usual);
            places.extend(more.map(|&threads| (conduit, threads)));
        }
        places
    }

    /// Returns the arguments of each run of a program in a place, and the points that these measure.
    fn arguments(
        &self,
        program: &Program,
        parts: &[Part],
        (conduit, threads): Place,
    ) -> Vec<(Vec<OsString>, Point)> {
        let Effort { rounds, kernel_rounds, sample_ns, quick, .. } = self.effort;
        let mut point = Point {
            part: parts[0].name().into(),
            dialect: program.system.name.into(),
            conduit: conduit.name().into(),
            series: program.name.into(),
            what: String::new(),
            at: BTreeMap::new(),
            ns: vec![],
        };
        match &program.output {
            Output::Samples => {
                point.series.clear();
                vec![(self.probe_words(parts, rounds, sample_ns, conduit), point)]
            }
            Output::Kernels { variant, sample_ns, most_rounds } => {
                (point.what, point.dialect) = (variant.clone(), "all".into());
                let rounds = kernel_rounds.min(*most_rounds);
                vec![(self.probe_words(parts, rounds, *sample_ns, conduit), point)]
            }
            Output::Verdict => self
                .inputs(program)
                .into_iter()
                .map(|(argument, what)| (vec![argument], Point { what, ..point.clone() }))
                .collect(),
            Output::Result { clock, words, quick: few } => {
                let words = if quick { few } else { words };
                point.series = format!("{} {}", program.name, words.join(" "));
                point.what = clock.name().into();
                if *clock == Clock::Wall {
                    point.at.insert("processors".into(), threads as u64);
                }
                vec![(words.iter().map(OsString::from).collect(), point)]
            }
            Output::Instructions { words } => {
                point.series = format!("{} {}", program.name, words.join(" "));
                vec![(words.iter().map(OsString::from).collect(), point)]
            }
        }
    }

    /// Returns the arguments of a program that prints samples (`bench/measure.h`).
    fn probe_words(&self, parts: &[Part], rounds: u32, sample_ns: u64, conduit: Conduit) -> Vec<OsString> {
        let names: Vec<&str> = parts.iter().map(|part| part.name()).collect();
        let points = if self.effort.quick { "quick" } else { "full" };
        let memory = if conduit == Conduit::Smp { "loads" } else { "messages" };
        let words =
            [names.join(","), rounds.to_string(), sample_ns.to_string(), points.into(), memory.into()];
        words.into_iter().map(OsString::from).collect()
    }

    /// Returns the inputs of a program, each as its argument and its name in the results: the user's matrix,
    /// or the classes that are wanted.
    fn inputs(&self, program: &Program) -> Vec<(OsString, String)> {
        match &self.options.matrix {
            Some(path) if program.name == SPARSE => {
                let absolute = std::path::absolute(path).unwrap_or_else(|_| path.clone());
                let name = format!("matrix {}", path.file_stem().unwrap_or_default().display());
                vec![(absolute.into(), name)]
            }
            _ => {
                let of = |name: &str| (OsString::from(name), format!("class {name}"));
                self.options.classes().into_iter().map(|class| of(class.name())).collect()
            }
        }
    }

    /// Returns the command of a program in a place, without its arguments.
    ///
    /// # Errors
    /// If the system cannot use the conduit.
    fn command(&self, program: &Program, words: &[OsString], (conduit, threads): Place) -> Result<Command> {
        ensure!(!words.is_empty(), "there is nothing to run");
        let hosts = self.options.hosts.as_deref();
        let mut command = match &program.system.launcher {
            Launcher::Meridian(options) => {
                let spread = !matches!(program.output, Output::Kernels { .. });
                let mut command = launch(self.places, conduit, hosts, threads, spread);
                let counts = matches!(program.output, Output::Instructions { .. });
                let profile = format!("--profile={}", profile(self.places).display());
                command.args((counts || options.contains(&"--profile")).then_some(profile));
                command.args(words);
                command
            }
            Launcher::Command { program, tcp } => {
                let mut command =
                    system::command(program, tcp.as_ref(), conduit.between_hosts(), hosts, threads)?;
                command.args(words);
                command
            }
            Launcher::Alone => {
                let mut command = Command::new(&words[0]);
                command.args(&words[1..]).env("OMP_NUM_THREADS", threads.to_string());
                command
            }
        };
        // Python programs load the arrays' library, and conduits are modules.
        if let Ok(library) = system::library(self.places) {
            match program.system.compiler {
                Compiler::Python(_) => command.env("PYTHONPATH", library.join("meridian/python")),
                Compiler::Runtime => command.env("MERIDIAN_MODULES", library.join("meridian")),
                _ => &mut command,
            };
        }
        command.envs(program.settings.iter().copied());
        Ok(command)
    }
}

/// Returns the path of profiles: one, because runs follow one another.
fn profile(places: &Places) -> PathBuf {
    places.result("profile.json")
}

/// Returns the name in messages of a run, such as `split-c bulk over tcp` or `nas EP in openmp`.
fn label(program: &Program, parts: &[Part], (conduit, threads): Place) -> String {
    let system = program.system.name;
    let names: Vec<&str> = parts.iter().map(|part| part.name()).collect();
    match &program.output {
        Output::Samples => {
            let label = format!("{system} {} over {}", names.join(" and "), conduit.name());
            if threads <= 2 { label } else { format!("{label} with {threads} threads") }
        }
        Output::Kernels { variant, .. } => format!("plain-c {} {variant}", program.name),
        Output::Verdict if conduit == Conduit::Smp => format!("{} in {system}", title(program)),
        Output::Verdict => format!("{} in {system} over {}", title(program), conduit.name()),
        Output::Result { clock: Clock::Wall, .. } => {
            format!("{} in {system} on {threads} processors", title(program))
        }
        Output::Result { .. } => format!("{} in {system}", title(program)),
        Output::Instructions { .. } => format!("the instructions of {} in {system}", title(program)),
    }
}

/// Returns the failure of a run that cannot be started; one for all whole programs of a part.
fn impossible(program: &Program, label: String, conduit: Conduit, error: &anyhow::Error) -> Failure {
    let part = program.parts[0].name();
    let whole = matches!(program.output, Output::Verdict);
    let run = format!("{part} in {} over {}", program.system.name, conduit.name());
    Failure { run: if whole { run } else { label }, why: format!("{error:#}") }
}

/// Returns the part and the name of a program.
pub fn title(program: &Program) -> String {
    format!("{} {}", program.parts[0].name(), program.name)
}
