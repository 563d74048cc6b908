//! Simulation, for `meridian sim`.
//!
//! A program is a trace of a job (`trace`) or a model of an application (`model`, made of `pattern`s). The
//! `engine` runs it on a `machine` under LogGP, over a `topology`, with a `queue` of events, and keeps the
//! components of its critical `path`. `failure` reports why a program does not end, `output` the prediction.
//!
//! All times are computed in whole picoseconds and in one order, so predictions do not depend on the computer
//! that makes them.

mod engine;
mod failure;
mod machine;
pub mod model;
mod options;
mod output;
mod path;
mod pattern;
mod program;
mod queue;
#[cfg(test)]
mod tests;
mod topology;
pub mod trace;

pub use options::Options;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail, ensure};
use base::say;
use bench::parameters::Parameters;
use bench::profile;
use report::draw;

use engine::Run;
use machine::{LogGp, Machine, Time};
use model::Model;
use output::{Prediction, Row};
use program::Program;
use queue::Radix;
use topology::Topology;
use trace::{Replay, Trace};

/// Carries out `meridian sim`, and returns the exit code.
pub fn run(options: &Options) -> i32 {
    match predict(options) {
        Ok(()) => 0,
        Err(error) => {
            say::error(format_args!("meridian sim: {error:#}\n"));
            1
        }
    }
}

/// The contents of a file.
enum Source {
    Trace(Trace),
    Model(Model),
}

impl Source {
    fn read(path: &Path) -> Result<Source> {
        let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        let source = if Trace::is(&bytes) {
            Trace::read(&bytes).map(Source::Trace)
        } else {
            let text = str::from_utf8(&bytes).map_err(|_| anyhow!("the file is neither a trace nor a model"));
            text.and_then(|text| Model::parse(text).map(Source::Model))
        };
        source.with_context(|| path.display().to_string())
    }

    /// The number of processes in the file, if it has one.
    fn processes(&self) -> Option<u32> {
        match self {
            Source::Trace(trace) => Some(trace.threads.len() as u32),
            Source::Model(model) => model.processes,
        }
    }

    fn run(&self, processes: u32, machine: &Machine, switch: Switch, options: &Options) -> Result<Run> {
        // The computing in a recording is stretched already if it had more threads than cores.
        let before = if let Source::Trace(trace) = self { trace.threads.len() as u32 } else { 1 };
        let stretch = options.cores.map_or((1, 1), |cores| (processes.max(cores), before.max(cores)));
        match self {
            Source::Trace(trace) => {
                // A switch for each thread of a core, divided by the factor by which computing is stretched.
                let cores = options.cores.filter(|cores| processes > *cores);
                let turn = |cores| switch.of(processes, cores) * u64::from(stretch.1) / u64::from(cores);
                let switch = cores.map_or(0, turn);
                let replay = Replay::new(trace, processes, options.scaling)?.switching(switch);
                simulated(&Shared { program: replay, stretch }, machine)
            }
            Source::Model(model) => {
                simulated(&Shared { program: model.instance(processes)?, stretch }, machine)
            }
        }
    }
}

/// A program whose threads share cores: its computing takes `stretch.0 / stretch.1` times as long.
struct Shared<P> {
    program: P,
    stretch: (u32, u32),
}

impl<P: Program> Program for Shared<P> {
    fn processes(&self) -> u32 {
        self.program.processes()
    }

    fn next(&self, process: u32, cursor: &mut program::Cursor) -> Option<program::Op> {
        match self.program.next(process, cursor) {
            Some(program::Op::Compute(time)) if self.stretch.0 != self.stretch.1 => {
                let time = u128::from(time) * u128::from(self.stretch.0) / u128::from(self.stretch.1);
                Some(program::Op::Compute(time.min(u128::from(machine::LIMIT)) as Time))
            }
            other => other,
        }
    }

    fn place(&self, process: u32, cursor: &program::Cursor) -> String {
        self.program.place(process, cursor)
    }
}

fn simulated(program: &impl Program, machine: &Machine) -> Result<Run> {
    engine::run::<Radix>(program, machine).map_err(|failed| anyhow!("{}", failure::text(&failed, program)))
}

fn predict(options: &Options) -> Result<()> {
    let source = Source::read(&options.file)?;
    let loggp = parameters(options)?;
    let numbers = match (&options.threads, source.processes()) {
        (Some(threads), _) => threads.0.clone(),
        (None, Some(processes)) => vec![processes],
        (None, None) => bail!(
            "{}: the model has no statement `processes`: give the number of processes by --threads",
            options.file.display()
        ),
    };
    let switch = switch(options)?;
    let others = measured(&options.measured)?;
    let mut rows = Vec::new();
    let mut objects = Vec::new();
    for &processes in &numbers {
        let machine = Machine { loggp, topology: Topology::parse(&options.topology, processes)? };
        let measured = match &source {
            Source::Trace(trace) if trace.threads.len() == processes as usize => Some(trace.measured()),
            _ => others.get(&processes).copied(),
        };
        let at = || format!("{} with {processes} processes", options.file.display());
        let run = source.run(processes, &machine, switch, options).with_context(at)?;
        let prediction = Prediction { processes, run, measured };
        rows.push(Row { processes, time: prediction.run.time(), measured });
        if options.json {
            objects.push(prediction.json(options.rows));
        } else if numbers.len() == 1 {
            say::out(format_args!("{}", prediction.text(options.rows)));
        }
    }
    if options.json {
        let machine = serde_json::json!({"latency": loggp.latency as f64 / 1e3, "overhead": loggp.overhead as f64 / 1e3,
            "gap": loggp.gap as f64 / 1e3, "byte": loggp.byte as f64 / 1e3, "hop": loggp.hop as f64 / 1e3,
            "topology": options.topology});
        let object = serde_json::json!({"version": 1, "machine": machine, "predictions": objects});
        say::out(format_args!("{object}\n"));
    } else if numbers.len() > 1 {
        say::out(format_args!("{}", output::scaling(&rows)));
    }
    match &options.svg {
        Some(path) => chart(path, options, &rows),
        None => Ok(()),
    }
}

/// The times of other recordings, by their numbers of threads.
fn measured(files: &[PathBuf]) -> Result<BTreeMap<u32, Time>> {
    let one = |file: &PathBuf| match Source::read(file)? {
        Source::Trace(trace) => Ok((trace.threads.len() as u32, trace.measured())),
        Source::Model(_) => bail!("--measured: {} is a model, not a recording", file.display()),
    };
    files.iter().map(one).collect()
}

/// The time of a core to switch from one thread to another.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Switch {
    /// With `FEW` threads a core or fewer.
    few: Time,
    /// The increase for each doubling of the threads: each passes more flags and finds less in the caches.
    growth: Time,
}

/// The number of threads of a core for which `Switch::few` is measured (`meridian bench tune`).
const FEW: f64 = 4.0;

impl Switch {
    /// The time for `processes` threads on `cores` cores.
    fn of(self, processes: u32, cores: u32) -> Time {
        let doublings = (f64::from(processes) / f64::from(cores) / FEW).log2().max(0.0);
        self.few + (doublings * self.growth as f64).round() as Time
    }
}

/// The time of a switch from the command line, else from the machine profile, if this exists and has it. Only
/// threads that share cores need it.
fn switch(options: &Options) -> Result<Switch> {
    for (name, time) in [("--switch", options.switch), ("--switch-growth", options.switch_growth)] {
        ensure!(
            time.is_none_or(|time| time <= 1_000_000_000_000),
            "{name} is more than 1 s, the greatest value"
        );
    }
    let growth = options.switch_growth;
    if let Some(few) = options.switch {
        return Ok(Switch { few, growth: growth.unwrap_or(0) });
    }
    if options.cores.is_none() {
        return Ok(Switch::default());
    }
    let measured = match find_profile(options)? {
        profile::Found::InForce(_, profile) => profile.loggp.get("smp").copied(),
        _ => None,
    };
    let time = |ns: Option<f64>| -> Result<Time> {
        let ns = ns.unwrap_or(0.0);
        ensure!(
            (0.0..1e9).contains(&ns),
            "the time of a switch in the machine profile is {ns} ns, out of range"
        );
        Ok((ns * 1e3).round() as Time)
    };
    let few = time(measured.and_then(|smp| smp.switch))?;
    Ok(Switch { few, growth: growth.map_or_else(|| time(measured.and_then(|smp| smp.switch_growth)), Ok)? })
}

/// The profile that `--profile` names, else the one of this machine, if there is one.
fn find_profile(options: &Options) -> Result<profile::Found> {
    let Some(path) = &options.profile else { return profile::find() };
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let profile = profile::parse(&text, &path.display().to_string())?;
    Ok(profile::Found::InForce(path.clone(), profile))
}

/// LogGP from the command line, else from the machine profile.
fn parameters(options: &Options) -> Result<LogGp> {
    let given = [options.latency, options.overhead, options.gap, options.byte];
    let [latency, overhead, gap, byte] = match given {
        [Some(latency), Some(overhead), Some(gap), Some(byte)] => [latency, overhead, gap, byte],
        _ => {
            let measured = of_profile(options)?;
            let ps = |ns: f64| -> Result<Time> {
                ensure!(
                    (0.0..1e12).contains(&ns),
                    "a parameter in the machine profile is {ns} ns, out of range"
                );
                Ok((ns * 1e3).round() as Time)
            };
            let of = [measured.latency, measured.overhead, measured.gap, measured.byte];
            let mut all = [0; 4];
            for i in 0..4 {
                all[i] = match given[i] {
                    Some(time) => time,
                    None => ps(of[i])?,
                };
            }
            all
        }
    };
    let loggp = LogGp { latency, overhead, gap, byte, hop: options.hop };
    loggp.check()?;
    Ok(loggp)
}

/// The parameters of the conduit in the profile.
fn of_profile(options: &Options) -> Result<Parameters> {
    let otherwise =
        "give all of --latency, --overhead, --gap and --byte, or measure them with `meridian bench tune`";
    let profile = match find_profile(options)? {
        profile::Found::InForce(_, profile) => profile,
        profile::Found::OfAnother(path, of) => {
            bail!(
                "{} is the profile of another machine ({of}); to use this profile, name it with --profile, \
                 or {otherwise}",
                path.display()
            )
        }
        profile::Found::None(_) => bail!("there is no machine profile: {otherwise}"),
    };
    let conduits: Vec<&str> = profile.loggp.keys().map(String::as_str).collect();
    profile.loggp.get(&options.conduit).copied().ok_or_else(|| {
        anyhow!(
            "the machine profile has no parameters of the conduit `{}`, only of {}: {otherwise}",
            options.conduit,
            if conduits.is_empty() { "none".into() } else { conduits.join(", ") }
        )
    })
}

/// Draws the predicted time over the number of processes.
fn chart(path: &Path, options: &Options, rows: &[Row]) -> Result<()> {
    let name = options.file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let line = |name: &str, of: fn(&Row) -> Option<Time>| {
        let point = |row: &Row| Some((f64::from(row.processes), of(row)? as f64 / 1e3));
        let points = rows.iter().filter_map(point).filter(|point| point.1 > 0.0).collect();
        draw::Series { name: name.into(), points }
    };
    let mut series = vec![line(&options.topology, |row| Some(row.time))];
    if !options.measured.is_empty() {
        series.push(line("measured", |row| row.measured));
    }
    let figure = draw::Figure {
        id: "scaling".into(),
        title: format!("{name}: predicted time"),
        source: "",
        caption: String::new(),
        x: ("processes", draw::Unit::Count),
        y: ("time", draw::Unit::Time),
        series,
        levels: &[],
        paper: &[],
    };
    let svg = draw::document(&figure)?;
    std::fs::write(path, svg).with_context(|| format!("cannot write {}", path.display()))
}
