//! The runner: runs in turn, with progress and the time left, and the samples of all.
//!
//! Each turn runs everything once, so that a change of the machine during the minutes of a measurement
//! affects all alike. A run that fails is noted, and the others go on.

use std::collections::HashMap;
use std::time::Instant;

use anyhow::{Context, Result, anyhow, ensure};

use super::process::{output, processor_ns};
use super::reading::{self, CLASSES};
use super::runs::{Effort, Reading, Run, late};
use super::table::Clock;
use super::terminal::progress;
use crate::interrupt;
use crate::results::{Failure, Key, Point};

/// The largest relative difference at which results agree: systems may add in other orders.
const AGREEMENT: f64 = 1e-8;

/// The state of a measurement.
#[derive(Debug, Default)]
pub struct Session {
    /// The points, in the order in which they came first.
    pub points: Vec<Point>,
    /// The index of a point in `points`.
    places: HashMap<Key, usize>,
    /// The results that are checked, and the first run of each.
    checks: HashMap<String, (f64, String)>,
    /// The output of the first run of each series.
    printed: HashMap<String, String>,
    /// The failed runs, once each.
    pub failures: Vec<Failure>,
    /// Runs that were not measured, which is no fault of the measurement.
    pub left_out: Vec<Failure>,
}

/// The failure of a run.
#[derive(Debug)]
enum Failed {
    /// The run did not come to its end.
    Broken(anyhow::Error),
    /// The result is wrong, which is a failure whichever system has computed it.
    Wrong(String),
}

impl From<anyhow::Error> for Failed {
    fn from(error: anyhow::Error) -> Failed {
        Failed::Broken(error)
    }
}

impl Session {
    /// Runs everything as often as each wants, round robin, until all is measured, an interrupt arrives, or
    /// the time is over. Every second turn goes backwards: a run right after the processes of an MPI takes a
    /// tenth longer.
    pub fn measure(&mut self, runs: &mut [Run], effort: Effort) {
        let turns = runs.iter().map(|run| run.turns).max().unwrap_or(0);
        let mut time_left = TimeLeft::new(runs.iter().map(|run| run.turns as usize).sum());
        for turn in 0..turns {
            let mut order: Vec<&mut Run> = runs.iter_mut().filter(|run| turn < run.turns).collect();
            if turn % 2 == 1 {
                order.reverse();
            }
            for run in order {
                if interrupt::arrived() {
                    return progress("");
                }
                if effort.is_over() && turn == 0 {
                    self.left_out.push(late(run.label.clone()));
                }
                run.is_over |= effort.is_over();
                if run.is_over {
                    time_left.skip();
                    continue;
                }
                time_left.begin(&run.label);
                self.take(run);
                time_left.end();
            }
        }
        progress("");
    }

    /// Carries out one run, and records its samples or its failure.
    pub fn take(&mut self, run: &mut Run) {
        let (why, fault) = match self.attempt(run) {
            Ok(()) => return,
            Err(_) if interrupt::arrived() => return,
            Err(Failed::Wrong(why)) => (why, true),
            Err(Failed::Broken(error)) => (format!("{error:#}"), run.is_ours),
        };
        run.is_over = true;
        let failure = Failure { run: run.label.clone(), why };
        if fault {
            self.failures.push(failure)
        } else {
            self.left_out.push(failure)
        }
        self.drop_points(run);
    }

    fn attempt(&mut self, run: &mut Run) -> Result<(), Failed> {
        let (begin, used) = (Instant::now(), processor_ns());
        let said = output(&mut run.command)?;
        let wall = begin.elapsed().as_nanos() as f64;
        // The clock of processor time is no finer than a microsecond.
        let used = (processor_ns() - used).max(1e3);
        if let (Reading::Verdict, Some(why)) = (run.reading, reading::wrong(&said.out)) {
            return Err(Failed::Wrong(why));
        }
        let lines = |session: &mut Session| {
            said.out.lines().filter(|line| !line.is_empty()).try_for_each(|line| session.add(run, line))
        };
        if run.reading == Reading::Samples {
            // Samples of a run that fails later are good; its last line may be cut off.
            let added = lines(self);
            ensure_success(said.success, &said.error)?;
            added?;
        }
        ensure_success(said.success, &said.error)?;
        match run.reading {
            Reading::Samples if said.out.is_empty() => Err(anyhow!("it printed no samples").into()),
            Reading::Samples => Ok(()),
            Reading::Verdict => {
                let ns = reading::time(&said.out).context("it printed no time and verification")?;
                self.sample(run.point.clone(), ns);
                Ok(())
            }
            Reading::Result(clock) => {
                let first = self.printed.entry(run.point.series.clone()).or_insert(said.out.clone());
                if *first != said.out {
                    let why = "it prints something else than the Id program on one processor";
                    return Err(anyhow!(why).into());
                }
                self.sample(run.point.clone(), if clock == Clock::Wall { wall } else { used });
                Ok(())
            }
            Reading::Nothing => {
                self.sample(run.point.clone(), wall);
                Ok(())
            }
            Reading::Profile => {
                let sums = reading::instructions(&run.profile)?;
                for (class, sum) in CLASSES.into_iter().zip(sums).filter(|(_, sum)| *sum > 0.0) {
                    let what = format!("instructions, {class}");
                    self.sample(Point { what, ..run.point.clone() }, sum);
                }
                Ok(())
            }
        }
    }

    /// Adds the sample of a line, or compares its check.
    fn add(&mut self, run: &Run, line: &str) -> Result<()> {
        if let Some((name, value)) = reading::check(line) {
            return self.agree(run, name, value);
        }
        let sample = reading::sample(&run.point, line);
        let (point, ns) = sample.with_context(|| format!("it printed what is no sample: {line}"))?;
        self.sample(point, ns);
        Ok(())
    }

    /// Checks that all runs which compute the same have the same result.
    fn agree(&mut self, run: &Run, name: String, value: f64) -> Result<()> {
        let (first, by) = self.checks.entry(name.clone()).or_insert_with(|| (value, run.label.clone()));
        // NaN agrees with no number.
        ensure!(
            (value - *first).abs() <= AGREEMENT * first.abs(),
            "its result differs: {name} is {value}, while {by} has {first}"
        );
        Ok(())
    }

    /// Adds a sample of a point, which comes without samples.
    pub fn sample(&mut self, point: Point, ns: f64) {
        let at = *self.places.entry(point.key()).or_insert_with(|| {
            self.points.push(point);
            self.points.len() - 1
        });
        self.points[at].ns.push(ns);
    }

    /// Drops the samples of a run that has failed: of one that measures one point; and of one that measures
    /// many, if it is another system's. The points without samples are left out of the results.
    fn drop_points(&mut self, run: &Run) {
        if run.reading != Reading::Samples {
            if let Some(&at) = self.places.get(&run.point.key()) {
                self.points[at].ns.clear();
            }
            return;
        }
        let of = |point: &Point| point.dialect == run.point.dialect && point.conduit == run.point.conduit;
        let dropped = |point: &&mut Point| {
            !run.is_ours && of(point) && run.parts.iter().any(|part| part.name() == point.part)
        };
        self.points.iter_mut().filter(dropped).for_each(|point| point.ns.clear());
    }
}

fn ensure_success(success: bool, error: &str) -> Result<()> {
    ensure!(success, "{error}");
    Ok(())
}

/// The time left, from the mean of the runs so far; in the second pass each run takes as long as in the
/// first.
struct TimeLeft {
    total: usize,
    done: usize,
    start: Instant,
}

impl TimeLeft {
    fn new(total: usize) -> TimeLeft {
        TimeLeft { total, done: 0, start: Instant::now() }
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
    use std::path::PathBuf;
    use std::process::Command;

    use super::*;
    use crate::options::Part;

    const LINE: &str = r#"{"part":"small","series":"memget","what":"time","bytes":8,"round":0,"ns":1.5}"#;

    /// Returns a run that prints these lines and ends with a status.
    fn run(system: &str, lines: &[&str], status: i32) -> Run {
        let mut command = Command::new("sh");
        let mut point = crate::results::tests::results().points.remove(0);
        (point.dialect, point.conduit) = (system.into(), "tcp".into());
        (point.series, point.what) = (String::new(), String::new());
        point.ns.clear();
        command.args(["-c", &format!("printf '%s\\n' \"$@\"; exit {status}"), "sh"]).args(lines);
        Run {
            label: format!("{system} small over tcp"),
            is_ours: system == "upc",
            command,
            reading: Reading::Samples,
            profile: PathBuf::new(),
            point,
            parts: vec![Part::Small],
            turns: 1,
            is_over: false,
        }
    }

    #[test]
    fn samples_of_a_point_are_gathered() {
        let mut session = Session::default();
        session.take(&mut run("upc", &[LINE, &LINE.replace("1.5", "2.5"), &LINE.replace(":8,", ":16,")], 0));
        let ns: Vec<_> = session.points.iter().map(|point| point.ns.clone()).collect();
        assert_eq!(ns, [vec![1.5, 2.5], vec![1.5]]);
        assert_eq!(session.points[1].label(), "upc small memget over tcp, bytes=16");
    }

    #[test]
    fn other_lines_are_no_samples() {
        for line in ["hello", "{}", "[1]", &LINE.replace("1.5", "0"), &LINE.replace(":8,", ":\"x\",")] {
            let mut session = Session::default();
            session.take(&mut run("upc", &[line], 0));
            assert_eq!(session.failures[0].why, format!("it printed what is no sample: {line}"));
        }
    }

    #[test]
    fn what_fails_keeps_its_samples_if_it_is_ours() {
        for (system, failures, left) in [("upc", 1, 1), ("mpich", 0, 0)] {
            let mut session = Session::default();
            let mut failing = run(system, &[LINE], 3);
            session.take(&mut failing);
            assert!(failing.is_over);
            assert_eq!((session.failures.len(), session.left_out.len()), (failures, 1 - failures));
            assert_eq!(session.points[0].ns.len(), left, "{system}");
        }
    }

    #[test]
    fn wrong_verdicts_are_failures_of_any_system() {
        let mut session = Session::default();
        let mut wrong = run("mpich", &["zeta is 7, must be 8", "cg: VERIFICATION FAILED"], 1);
        wrong.reading = Reading::Verdict;
        session.take(&mut wrong);
        assert_eq!(session.failures[0].why, "it computes something else: zeta is 7, must be 8");
    }

    #[test]
    fn results_that_differ_are_told() {
        let line = |value: &str| format!(r#"{{"check":"5-point, side 256","value":{value}}}"#);
        let mut session = Session::default();
        session.take(&mut run("upc", &[&line("2.0e-7")], 0));
        session.take(&mut run("devito", &[&line("2.0000000001e-7")], 0));
        session.take(&mut run("devito", &[&line("2.001e-7")], 0));
        let [Failure { why, .. }] = session.left_out.as_slice() else { panic!("{session:?}") };
        assert!(why.contains("5-point, side 256 is 0.0000002001, while upc small over tcp has"), "{why}");
        assert!(session.points.is_empty());
    }

    #[test]
    fn processes_that_print_something_else_than_the_first_are_left_out() {
        let mut session = Session::default();
        for (system, text) in [("upc", "42"), ("c", "42"), ("ghc", "43")] {
            let mut run = run(system, &[text], 0);
            run.reading = Reading::Result(Clock::Processor);
            session.take(&mut run);
        }
        assert_eq!(session.points.iter().filter(|point| !point.ns.is_empty()).count(), 2);
        assert!(session.left_out[0].why.contains("prints something else"));
    }

    #[test]
    fn what_does_not_come_to_its_turn_is_named_once() {
        let effort = Effort {
            passes: 2,
            rounds: 1,
            kernel_rounds: 1,
            sample_ns: 1,
            quick: true,
            until: Some(Instant::now()),
        };
        let mut session = Session::default();
        session.measure(&mut [run("upc", &[LINE], 0), Run { turns: 3, ..run("mpich", &[LINE], 0) }], effort);
        assert_eq!(session.left_out.len(), 2, "{session:?}");
        assert!(session.left_out[0].why.contains("minute of --quick"));
    }
}
