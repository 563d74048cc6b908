//! `meridian bench`: compiles the probes, measures, writes the file of results and prints the tables.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use base::say;

use crate::installation::Places;
use crate::measure::peers::{self, PEERS};
use crate::measure::plain_c;
use crate::measure::probes::{self, PROBES};
use crate::measure::session::{Effort, Launcher, Run, Session};
use crate::measure::terminal::progress;
use crate::measure::{id90, others, programs};
use crate::options::{Conduit, Measure, Part};
use crate::profile::{self, Found};
use crate::results::{Ended, Failure, Header, Results};
use crate::{interrupt, machine, noise, table};

/// Samples of this length: long enough that reading the clock does not matter.
const SAMPLE_NS: u64 = 300_000;
const QUICK_SAMPLE_NS: u64 = 100_000;
/// With a limit of one minute, no run is begun after this time; the longest run takes some seconds.
const MINUTE: Duration = Duration::from_secs(50);

/// Measures. Returns the exit code.
pub fn run(options: &Measure, meridian: &Path, version: &str) -> Result<i32> {
    check_programs(options)?;
    ensure!(
        options.classes.is_empty() || programs::PARTS.iter().any(|&part| options.wants(part)),
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
    let left_out = measure_probes(options, &places, &mut session);
    let plain = measure_plain_c(options, &places, &mut session);
    let ended = if interrupt::arrived() { Ended::Interrupted } else { Ended::Complete };
    let Session { points, failures, .. } = session;
    let results = Results { header, points, failures, left_out, ended };
    results.write(&path)?;
    show(options, &results, &plain, &path);
    Ok(match ended {
        Ended::Interrupted => 130,
        Ended::Complete => i32::from(!results.failures.is_empty()),
    })
}

/// Checks that each chosen program belongs to a part that is measured.
fn check_programs(options: &Measure) -> Result<()> {
    let plain: Vec<&str> = plain_c::names().collect();
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

/// Measures the parts that have probes or other programs. Returns those that could not be measured.
fn measure_probes(options: &Measure, places: &Places, session: &mut Session) -> Vec<Failure> {
    let begin = Instant::now();
    let (conduits, missing) = probes::conduits(places, &options.conduits);
    let mut left_out: Vec<Failure> =
        missing.into_iter().map(|(conduit, why)| Failure { run: conduit.name().into(), why }).collect();
    let wanted = |part: Part| options.wants(part);
    let threads = (options.threads, options.hosts.is_some());
    let mut runs = Vec::new();
    for probe in PROBES.iter().filter(|probe| !probes::together(probe, &wanted).is_empty()) {
        if interrupt::arrived() {
            break;
        }
        progress(&format!("compiling the probe {}", probe.source));
        match probes::compile(places, probe) {
            Ok(executable) => runs.extend(runs_of(probe, &executable, &conduits, threads, &wanted)),
            Err(error) => {
                let run = format!("the probe {}", probe.source);
                session.failures.push(Failure { run, why: format!("{error:#}") });
            }
        }
    }
    if wanted(Part::Peers) && conduits.contains(&Conduit::Smp) {
        add_peers(places, &mut runs, &mut left_out);
    }
    others::add_runs(places, &conduits, threads, &wanted, &mut runs, &mut left_out);
    let bounded = options.is_minute() && options.passes.is_none() && options.rounds.is_none();
    let effort = Effort {
        passes: options.passes.unwrap_or(if options.quick { 1 } else { 4 }),
        rounds: options.rounds.unwrap_or(3),
        sample_ns: if options.quick { QUICK_SAMPLE_NS } else { SAMPLE_NS },
        quick: options.quick,
        until: bounded.then(|| begin + MINUTE),
    };
    if options.hosts.is_some() && !conduits.iter().any(|conduit| conduit.between_hosts()) {
        let why = "no conduit between hosts is measured".to_string();
        left_out.push(Failure { run: "the hosts".into(), why });
    }
    left_out.extend(session.measure(places, &runs, effort, options.hosts.as_deref()));
    programs::measure(options, places, &conduits, effort, session, &mut left_out);
    id90::measure(options, places, effort, session, &mut left_out);
    left_out.append(&mut session.broken);
    session.points.retain(|point| !point.ns.is_empty());
    left_out
}

/// Adds the runs of the peers that can be compiled here, and to `left_out` why the others cannot.
fn add_peers(places: &Places, runs: &mut Vec<Run>, left_out: &mut Vec<Failure>) {
    for peer in PEERS.iter().filter(|_| !interrupt::arrived()) {
        progress(&format!("compiling the peer {}", peer.name));
        match peers::compile(places, peer) {
            Ok(executable) => runs.push(Run {
                dialect: peer.name,
                executable,
                conduit: Conduit::Smp,
                threads: 2,
                parts: vec![Part::Peers],
                settings: vec![],
                words: vec![],
                launcher: Launcher::Peer(peer),
            }),
            Err(error) => {
                let why = format!("{error:#}");
                let why = why.lines().take(3).collect::<Vec<_>>().join(" / ");
                left_out.push(Failure { run: format!("{} peers", peer.name), why });
            }
        }
    }
}

fn runs_of(
    probe: &probes::Probe,
    executable: &Path,
    conduits: &[Conduit],
    (threads, named): (usize, bool),
    wanted: &dyn Fn(Part) -> bool,
) -> Vec<Run> {
    let mut runs = Vec::new();
    for together in probes::together(probe, wanted) {
        for (conduit, threads) in probes::places(probe, &together, conduits, threads, named) {
            runs.push(Run {
                dialect: probe.dialect,
                executable: executable.to_path_buf(),
                conduit,
                threads,
                parts: together.clone(),
                settings: vec![],
                words: vec![],
                launcher: Launcher::Meridian,
            });
        }
    }
    runs
}

/// Measures the part plain-c. Returns the text of its table. With --quick it is measured only if it is named.
fn measure_plain_c(options: &Measure, places: &Places, session: &mut Session) -> String {
    let named = options.parts.contains(&Part::PlainC);
    let none = !options.programs.is_empty()
        && !plain_c::names().any(|name| options.programs.iter().any(|program| program == name));
    if interrupt::arrived() || none || !(named || (options.parts.is_empty() && !options.quick)) {
        return String::new();
    }
    match plain_c::measure(options, places) {
        Ok((text, points)) => {
            session.points.extend(points);
            text
        }
        Err(_) if interrupt::arrived() => String::new(),
        Err(error) => {
            session.failures.push(Failure { run: "plain-c".into(), why: format!("{error:#}") });
            String::new()
        }
    }
}

/// Prints the results for the terminal, or for the reader of standard output.
fn show(options: &Measure, results: &Results, plain: &str, path: &Path) {
    if options.json {
        say::out(format_args!("{}", results.text()));
    } else if options.csv {
        say::out(format_args!("{}", results.csv()));
    } else {
        say::out(format_args!("{}{plain}", table::text(results)));
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
