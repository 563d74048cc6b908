//! A measurement under way: runs of probes, interleaved, with progress and the time left.
//!
//! Each pass runs every probe on every conduit once, so that a change of the machine during the minutes of a
//! measurement affects all of them. A run that fails is noted, and the others go on.

use std::collections::HashMap;
use std::io::Read;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};
use serde_json::Value;

use super::peers::{self, Peer};
use super::probes;
use super::terminal::progress;
use crate::installation::Places;
use crate::interrupt;
use crate::options::{Conduit, Part};
use crate::results::{Failure, Key, Point};

/// The largest relative difference at which results agree: systems may add in other orders.
const AGREEMENT: f64 = 1e-8;

/// The amount of measurement.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Passes over all runs.
    pub passes: u32,
    /// Rounds over the points within a run.
    pub rounds: u32,
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

/// Returns the failure of a run that is not begun, for lack of time.
pub fn late(run: String) -> Failure {
    Failure { run, why: "the minute of --quick was over; name the parts that you want".into() }
}

/// The measurement of one process.
#[derive(Clone, Debug)]
pub struct Run {
    /// The dialect of the probe.
    pub dialect: &'static str,
    /// The probe, compiled.
    pub executable: PathBuf,
    /// The way in which remote memory is reached.
    pub conduit: Conduit,
    /// The number of threads in all; two hosts have half of them each.
    pub threads: usize,
    /// The parts that it measures, point by point in turn.
    pub parts: Vec<Part>,
    /// Variables of the program's environment.
    pub settings: Vec<(String, String)>,
    /// Arguments before those that select the measurement.
    pub words: Vec<PathBuf>,
    /// The command that starts its processes.
    pub launcher: Launcher,
}

/// The command that starts the processes of a run.
#[derive(Clone, Copy, Debug)]
pub enum Launcher {
    /// `meridian run`, for a probe of Meridian's.
    Meridian,
    /// The launcher of the peer.
    Peer(&'static Peer),
    /// None, for another system's program of one process.
    Alone,
}

impl Run {
    /// Returns the name in messages, such as `split-c bulk over tcp`.
    pub fn label(&self) -> String {
        let label = format!("{} {} over {}", self.dialect, self.names(" and "), self.conduit.name());
        if self.threads <= 2 { label } else { format!("{label} with {} threads", self.threads) }
    }

    fn names(&self, between: &str) -> String {
        self.parts.iter().map(|part| part.name()).collect::<Vec<_>>().join(between)
    }
}

/// The state of a measurement.
#[derive(Debug, Default)]
pub struct Session {
    /// The points, in the order in which they came first.
    pub points: Vec<Point>,
    /// The index of a point in `points`.
    places: HashMap<Key, usize>,
    /// The results that are checked, and the first run of each.
    checks: HashMap<String, (f64, String)>,
    /// The failed runs, once each.
    pub failures: Vec<Failure>,
    /// The runs of others' systems that failed, which is no fault of the measurement.
    pub broken: Vec<Failure>,
}

impl Session {
    /// Runs everything `effort.passes` times, round robin, until all is measured, an interrupt arrives, or
    /// the time is over. Returns the runs that were never begun.
    pub fn measure(
        &mut self,
        places: &Places,
        runs: &[Run],
        effort: Effort,
        hosts: Option<&str>,
    ) -> Vec<Failure> {
        let mut clock = Clock::new(runs.len() * effort.passes as usize);
        for pass in 0..effort.passes {
            for (at, run) in runs.iter().enumerate() {
                if interrupt::arrived() || effort.is_over() {
                    progress("");
                    let rest = if pass == 0 && effort.is_over() { &runs[at..] } else { &[] };
                    return rest.iter().map(|run| late(run.label())).collect();
                }
                if self.failures.iter().chain(&self.broken).any(|failure| failure.run == run.label()) {
                    clock.skip();
                    continue;
                }
                clock.begin(&run.label());
                self.take(places, run, effort, hosts);
                clock.end();
            }
        }
        progress("");
        Vec::new()
    }

    /// Carries out one run, and records its samples and failures.
    pub fn take(&mut self, places: &Places, run: &Run, effort: Effort, hosts: Option<&str>) {
        let mut command = match command(places, run, hosts) {
            Ok(command) => command,
            Err(error) => {
                let why = format!("{error:#}");
                return self.broken.push(Failure { run: run.label(), why });
            }
        };
        command
            .envs(run.settings.iter().map(|(name, value)| (name, value)))
            .args(&run.words)
            .arg(run.names(","))
            .args([effort.rounds.to_string(), effort.sample_ns.to_string()])
            .arg(if effort.quick { "quick" } else { "full" })
            .arg(if run.conduit == Conduit::Smp { "loads" } else { "messages" });
        let outcome = output(&mut command);
        let why = match outcome {
            Err(error) => format!("{error:#}"),
            Ok(said) => {
                let added = said.out.lines().try_for_each(|line| self.add(run, line));
                match (added, said.success) {
                    (_, false) if interrupt::arrived() => return,
                    (_, false) => said.error,
                    (Err(why), true) => why,
                    (Ok(()), true) if said.out.is_empty() => String::from("it printed no samples"),
                    (Ok(()), true) => return,
                }
            }
        };
        let failure = Failure { run: run.label(), why };
        match run.launcher {
            Launcher::Meridian => self.failures.push(failure),
            Launcher::Peer(_) | Launcher::Alone => {
                self.broken.push(failure);
                self.drop_points(run);
            }
        }
    }

    /// Drops the samples of a run that did not come to its end.
    fn drop_points(&mut self, run: &Run) {
        let of = |point: &Point| point.dialect == run.dialect && point.conduit == run.conduit.name();
        let parts = || run.parts.iter().map(|part| part.name());
        let dropped = |point: &&mut Point| of(point) && parts().any(|part| part == point.part);
        self.points.iter_mut().filter(dropped).for_each(|point| point.ns.clear());
    }

    /// Adds the sample of a line, or compares its check. The last line of a program that was ended may be cut
    /// off; then the program has failed, and that failure is reported.
    fn add(&mut self, run: &Run, line: &str) -> Result<(), String> {
        if let Some((name, value)) = check(line) {
            return self.agree(run, name, value);
        }
        let (point, ns) = sample(run, line).ok_or_else(|| format!("it printed what is no sample: {line}"))?;
        self.sample(point, ns);
        Ok(())
    }

    /// Checks that all runs which compute the same have the same result.
    fn agree(&mut self, run: &Run, name: String, value: f64) -> Result<(), String> {
        let (first, by) = self.checks.entry(name.clone()).or_insert_with(|| (value, run.label()));
        // Not `>`: NaN agrees with no number.
        if (value - *first).abs() <= AGREEMENT * first.abs() {
            return Ok(());
        }
        Err(format!("its result differs: {name} is {value}, while {by} has {first}"))
    }

    /// Adds a sample of a point, which comes without samples.
    pub fn sample(&mut self, point: Point, ns: f64) {
        let at = *self.places.entry(point.key()).or_insert_with(|| {
            self.points.push(point);
            self.points.len() - 1
        });
        self.points[at].ns.push(ns);
    }

    /// Drops the samples of a point, which is then left out of the results.
    pub fn forget(&mut self, key: &Key) {
        if let Some(&at) = self.places.get(key) {
            self.points[at].ns.clear();
        }
    }
}

/// Returns the command of a run, without the arguments that select the measurement.
///
/// # Errors
/// If a peer cannot use the conduit.
fn command(places: &Places, run: &Run, hosts: Option<&str>) -> Result<Command> {
    Ok(match run.launcher {
        Launcher::Meridian => probes::command(places, &run.executable, run.conduit, hosts, run.threads),
        Launcher::Peer(peer) if run.conduit.between_hosts() => {
            peers::command_over_tcp(peer, hosts, run.threads, &run.executable)?
        }
        Launcher::Peer(peer) => peers::command(peer.launcher, &run.executable),
        Launcher::Alone => Command::new(&run.executable),
    })
}

/// Returns the point of a line, without samples, and its sample.
fn sample(run: &Run, line: &str) -> Option<(Point, f64)> {
    let Value::Object(mut fields) = serde_json::from_str(line).ok()? else { return None };
    let ns = fields.remove("ns")?.as_f64().filter(|ns| ns.is_finite() && *ns > 0.0)?;
    fields.remove("round")?.as_u64()?;
    let mut text = |name: &str| Some(fields.remove(name)?.as_str()?.to_string());
    let (part, series, what) = (text("part")?, text("series")?, text("what")?);
    let at = fields.into_iter().map(|(axis, value)| Some((axis, value.as_u64()?))).collect::<Option<_>>()?;
    let (dialect, conduit) = (run.dialect.to_string(), run.conduit.name().to_string());
    Some((Point { part, dialect, conduit, series, what, at, ns: vec![] }, ns))
}

/// Returns the name and the value of a line that is a check of a result.
fn check(line: &str) -> Option<(String, f64)> {
    let fields: Value = serde_json::from_str(line).ok()?;
    Some((fields.get("check")?.as_str()?.to_string(), fields.get("value")?.as_f64()?))
}

/// The output of a program, and how it ended.
#[derive(Debug)]
pub struct Said {
    /// Standard output.
    pub out: String,
    /// Whether the exit code is 0.
    pub success: bool,
    /// If it failed: how, and the last lines of standard error.
    pub error: String,
}

/// Runs a program to its end; an interrupt ends it early.
///
/// # Errors
/// When it cannot be started.
pub fn output(command: &mut Command) -> Result<Said> {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start {}", command.get_program().to_string_lossy()))?;
    let out = reader(child.stdout.take());
    let error = reader(child.stderr.take());
    let status = wait(&mut child)?;
    let (out, error) = (out.join().unwrap_or_default(), error.join().unwrap_or_default());
    let mut lines: Vec<&str> = error.lines().filter(|line| !line.trim().is_empty()).collect();
    lines.drain(..lines.len().saturating_sub(6));
    let error = format!("it ended with {status}: {}", lines.join(" / "));
    Ok(Said { out, success: status.success(), error })
}

fn reader(stream: Option<impl Read + Send + 'static>) -> JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut stream) = stream {
            let _ = stream.read_to_end(&mut bytes);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// The limit for launchers of peers. `meridian run` ends a probe after 300 seconds by itself.
const LIMIT: Duration = Duration::from_secs(330);

/// The longest pause between two checks for an interrupt; the signal itself may end it sooner.
const PAUSE: Timespec = Timespec { tv_sec: 0, tv_nsec: 100_000_000 };

/// Waits for the child, asleep: polling it each tenth of a millisecond costs a sixth of the time of programs
/// that use all cores. After an interrupt, or the limit, the launcher ends the whole job.
fn wait(child: &mut Child) -> Result<std::process::ExitStatus> {
    let start = Instant::now();
    let ended = pidfd_open(Pid::from_child(child), PidfdFlags::empty()).context("cannot watch a probe")?;
    let mut told = false;
    loop {
        if let Some(status) = child.try_wait().context("cannot wait for a probe")? {
            return Ok(status);
        }
        if (interrupt::arrived() || start.elapsed() > LIMIT) && !told {
            // The child may have ended in between.
            let _ = pidfd_send_signal(&ended, Signal::TERM);
            told = true;
        }
        match poll(&mut [PollFd::new(&ended, PollFlags::IN)], Some(&PAUSE)) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => return Err(error).context("cannot wait for a probe"),
        }
    }
}

/// The time left, from the mean of the runs so far; in the second pass each run takes as long as in the
/// first.
struct Clock {
    total: usize,
    done: usize,
    start: Instant,
}

impl Clock {
    fn new(total: usize) -> Clock {
        Clock { total, done: 0, start: Instant::now() }
    }

    fn begin(&self, what: &str) {
        let mut text = format!("{:3} of {}: {what}", self.done + 1, self.total);
        if self.done > 0 {
            let left =
                self.start.elapsed().mul_f64((self.total - self.done) as f64 / self.done as f64).as_secs();
            text += &format!("; {}:{:02} left", left / 60, left % 60);
        }
        progress(&text);
    }

    fn end(&mut self) {
        self.done += 1;
    }

    /// Leaves out a run, which then takes no time.
    fn skip(&mut self) {
        self.total -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run() -> Run {
        Run {
            dialect: "upc",
            executable: PathBuf::new(),
            conduit: Conduit::Tcp,
            threads: 2,
            parts: vec![Part::Small],
            settings: vec![],
            words: vec![],
            launcher: Launcher::Meridian,
        }
    }

    const LINE: &str = r#"{"part":"small","series":"memget","what":"time","bytes":8,"round":0,"ns":1.5}"#;

    #[test]
    fn samples_of_a_point_are_gathered() {
        let mut session = Session::default();
        for line in [LINE, &LINE.replace("1.5", "2.5"), &LINE.replace(":8,", ":16,")] {
            session.add(&run(), line).unwrap();
        }
        let ns: Vec<_> = session.points.iter().map(|point| point.ns.clone()).collect();
        assert_eq!(ns, [vec![1.5, 2.5], vec![1.5]]);
        assert_eq!(session.points[1].label(), "upc small memget over tcp, bytes=16");
    }

    #[test]
    fn other_lines_are_no_samples() {
        for line in ["hello", "{}", "[1]", &LINE.replace("1.5", "0"), &LINE.replace(":8,", ":\"x\",")] {
            let error = Session::default().add(&run(), line).unwrap_err();
            assert_eq!(error, format!("it printed what is no sample: {line}"));
        }
    }

    #[test]
    fn results_that_differ_are_told() {
        let mut session = Session::default();
        let other = Run { dialect: "devito", ..run() };
        let line = |value: &str| format!(r#"{{"check":"5-point, side 256","value":{value}}}"#);
        session.add(&run(), &line("2.0e-7")).unwrap();
        session.add(&other, &line("2.0000000001e-7")).unwrap();
        let error = session.add(&other, &line("2.001e-7")).unwrap_err();
        assert!(error.contains("5-point, side 256 is 0.0000002001, while upc small over tcp has"), "{error}");
        assert!(session.points.is_empty());
    }
}
