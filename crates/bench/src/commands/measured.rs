//! `meridian bench`: compiles the programs, measures, writes the file of results and prints the tables.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use base::say;

use crate::fit::plain_c::CODE;
use crate::installation::Places;
use crate::measure::runs::{self, Circumstances, Effort, Run, late};
use crate::measure::session::Session;
use crate::measure::table::kernels::PRIVATE_CODE;
use crate::measure::table::{self, Program, applications, id90, kernels};
use crate::measure::terminal::progress;
use crate::measure::{build, commands, conduits};
use crate::options::{Conduit, Measure, Part};
use crate::profile::{self, Found};
use crate::results::{Ended, Failure, Header, Point, Results};
use crate::{fit, interrupt, machine, noise};

/// Samples of this length: long enough that reading the clock does not matter.
const SAMPLE_NS: u64 = 300_000;
const QUICK_SAMPLE_NS: u64 = 100_000;
/// With a limit of one minute, no run is begun after this time; the longest run takes some seconds.
const MINUTE: Duration = Duration::from_secs(50);

/// Measures. Returns the exit code.
pub fn run(options: &Measure, meridian: &Path, version: &str) -> Result<i32> {
    check_programs(options)?;
    ensure!(
        options.classes.is_empty() || applications::PARTS.iter().any(|&part| options.wants(part)),
        "--class chooses among the problems of the parts nas, kernels, loops and irregular, which are not to be measured"
    );
    if let Some(matrix) = &options.matrix {
        ensure!(
            options.wants(Part::Kernels),
            "--matrix is for the sparse product of the part kernels, which is not to be measured"
        );
        std::fs::File::open(matrix)
            .with_context(|| format!("cannot read the matrix {}", matrix.display()))?;
    }
    let scratch =
        base::scratch::directory("meridian-bench-").context("cannot make a directory for the programs")?;
    let places = Places::of(meridian, options.sources.as_deref(), scratch.path())?;
    let path = options.output.clone().unwrap_or_else(|| default_output(&machine::Machine::here().host));
    ensure!(
        path.parent().is_none_or(|d| d.as_os_str().is_empty() || d.is_dir()),
        "cannot write {}: there is no such directory",
        path.display()
    );
    interrupt::catch().context("cannot watch for Ctrl-C")?;

    // An invalid profile is ignored here: `meridian run` refuses it, and `meridian doctor` shows it.
    let loggp = match profile::find() {
        Ok(Found::InForce(_, profile)) => profile.loggp,
        _ => BTreeMap::new(),
    };
    let header = {
        let here = Header::here(&places, version, options.quick, options.hosts.clone(), loggp);
        Header { threads: options.threads, ..here }
    };
    let mut session = Session::default();
    measure(options, &places, &mut session);
    let ended = if interrupt::arrived() { Ended::Interrupted } else { Ended::Complete };
    let Session { points, failures, left_out, .. } = session;
    let results = Results { header, points, failures, left_out, ended };
    results.write(&path)?;
    show(options, &results, &path);
    Ok(match ended {
        Ended::Interrupted => 130,
        Ended::Complete => i32::from(!results.failures.is_empty()),
    })
}

/// Checks that each chosen program belongs to a part that is measured.
fn check_programs(options: &Measure) -> Result<()> {
    let plain: Vec<&str> = commands::NAMES.into_iter().chain(kernels::names()).collect();
    let id90: Vec<&str> = id90::names().collect();
    let parts = [(Part::PlainC, plain), (Part::Id90, id90)];
    let measured: Vec<_> = parts.into_iter().filter(|(part, _)| options.wants(*part)).collect();
    ensure!(
        options.programs.is_empty() || !measured.is_empty(),
        "--program chooses among the programs of the parts plain-c and id90, which are not to be measured"
    );
    for name in &options.programs {
        let has = |(part, names): &(Part, Vec<&str>)| format!("{} has {}", part.name(), names.join(", "));
        ensure!(
            measured.iter().any(|(_, names)| names.contains(&name.as_str())),
            "there is no program `{name}`; {}",
            measured.iter().map(has).collect::<Vec<_>>().join("; ")
        );
    }
    Ok(())
}

/// Measures everything that is wanted, group by group of the table.
fn measure(options: &Measure, places: &Places, session: &mut Session) {
    let (conduits, missing) = conduits::conduits(places, &options.conduits);
    session
        .left_out
        .extend(missing.into_iter().map(|(conduit, why)| Failure { run: conduit.name().into(), why }));
    if options.hosts.is_some() && !conduits.iter().any(|conduit| conduit.between_hosts()) {
        let why = "no conduit between hosts is measured".to_string();
        session.left_out.push(Failure { run: "the hosts".into(), why });
    }
    let bounded = options.is_minute() && options.passes.is_none() && options.rounds.is_none();
    let effort = Effort {
        passes: options.passes.unwrap_or(if options.quick { 1 } else { 4 }),
        rounds: options.rounds.unwrap_or(3),
        kernel_rounds: options.rounds.unwrap_or(if options.quick { 5 } else { 15 }),
        sample_ns: if options.quick { QUICK_SAMPLE_NS } else { SAMPLE_NS },
        quick: options.quick,
        until: bounded.then(|| Instant::now() + MINUTE),
    };
    let here = Circumstances { options, places, conduits: &conduits, effort };
    for programs in table::groups(options) {
        if !interrupt::arrived() {
            let mut runs = prepare(&here, programs, session);
            session.measure(&mut runs, effort);
        }
    }
    if !interrupt::arrived() {
        let mut runs = commands(&here, session);
        session.measure(&mut runs, effort);
    }
    session.points.retain(|point| !point.ns.is_empty());
}

/// Compiles programs, and returns their runs. Programs that are not here, or that others' compilers refuse,
/// are left out.
fn prepare(here: &Circumstances<'_>, mut programs: Vec<Program>, session: &mut Session) -> Vec<Run> {
    if here.effort.is_over() {
        for late in programs.iter().map(|program| late(runs::title(program))) {
            if !session.left_out.contains(&late) {
                session.left_out.push(late);
            }
        }
        return vec![];
    }
    // A program that is not there in Meridian's version is not measured in others.
    for program in programs.clone() {
        if let (true, Some(path)) = (program.system.is_ours(), build::missing(here.places, &program)) {
            let failure = Failure { run: runs::title(&program), why: format!("there is no {path}") };
            if !session.left_out.contains(&failure) {
                session.left_out.push(failure);
            }
            programs.retain(|other| (other.parts, other.name) != (program.parts, program.name));
        }
    }
    programs.retain(|program| program.parts.iter().any(|part| here.is_measured(program, *part)));
    let mut runs = Vec::new();
    for (program, built) in build::all(here.places, programs) {
        match built {
            Ok(words) => {
                runs.extend(here.runs(&program, &words, &mut session.left_out));
                session.points.extend(machine_code(here.places, &program));
            }
            Err(why) => {
                let (run, ours) = (here.name_of_failure(&program), program.system.is_ours());
                let short = || why.lines().filter(|line| !line.trim().is_empty()).take(3).collect::<Vec<_>>();
                let why = if ours { why.clone() } else { short().join(" / ") };
                let to = if ours { &mut session.failures } else { &mut session.left_out };
                if to.iter().all(|failure| failure.run != run) {
                    to.push(Failure { run, why });
                }
            }
        }
    }
    progress("");
    runs
}

/// Returns the points that compare the machine code of private loops with the C compiler's, of the program
/// that has these loops.
fn machine_code(places: &Places, program: &Program) -> Vec<Point> {
    let (name, theirs, ours) = PRIVATE_CODE;
    let code = |object| build::machine_code(places, program, object);
    let (true, Ok(ours), Ok(theirs)) = (program.name == name, code(ours), code(theirs)) else {
        return vec![];
    };
    let same = ours.iter().zip(&theirs).filter(|(a, b)| a == b).count();
    let point = |(series, bytes): (&str, usize)| Point {
        part: Part::PlainC.name().into(),
        dialect: "all".into(),
        conduit: Conduit::Smp.name().into(),
        series: format!("{name}/{series}"),
        what: program.options[0].clone(),
        at: BTreeMap::new(),
        ns: vec![bytes.max(1) as f64],
    };
    CODE.into_iter().zip([ours.len().max(theirs.len()), same]).map(point).collect()
}

/// Returns the runs of the commands that are measured.
fn commands(here: &Circumstances<'_>, session: &mut Session) -> Vec<Run> {
    let Measure { programs, .. } = here.options;
    let wanted = |name: &str| programs.is_empty() || programs.iter().any(|program| program == name);
    let passes = here.effort.passes;
    let mut runs = Vec::new();
    for name in commands::NAMES.into_iter().filter(|name| here.options.wants(Part::PlainC) && wanted(name)) {
        let found = match name {
            "hello" => commands::hello(here.places, passes * 5),
            _ => commands::mixed(here.places, passes),
        };
        match found {
            Ok(found) => runs.extend(found),
            Err(error) => {
                let run = format!("plain-c {name}");
                session.failures.push(Failure { run, why: format!("{error:#}") });
            }
        }
    }
    runs
}

/// Prints the results for the terminal, or for the reader of standard output.
fn show(options: &Measure, results: &Results, path: &Path) {
    if options.json {
        say::out(format_args!("{}", results.text()));
    } else if options.csv {
        say::out(format_args!("{}", results.csv()));
    } else {
        say::out(format_args!("{}", fit::text(results)));
    }
    for failure in &results.left_out {
        say::error(format_args!("meridian bench: {} is left out: {}\n", failure.run, failure.why));
    }
    for failure in &results.failures {
        say::error(format_args!("meridian bench: {} failed: {}\n", failure.run, failure.why));
    }
    if let Some(noise) = noise::noise(results) {
        say::error(format_args!("meridian bench: {noise}\n"));
    }
    let ended = match results.ended {
        Ended::Complete => "",
        Ended::Interrupted => "interrupted; what was measured is kept; ",
    };
    say::error(format_args!("meridian bench: {ended}all samples are in {}\n", path.display()));
}

fn default_output(host: &str) -> PathBuf {
    let date: String = machine::now().chars().filter(|c| c.is_ascii_digit()).take(12).collect();
    let host: String = host.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    PathBuf::from(format!("bench-{}-{date}.jsonl", if host.is_empty() { "host" } else { &host }))
}
