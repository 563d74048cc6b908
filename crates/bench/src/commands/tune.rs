//! `meridian bench tune`: tries values of the runtime's settings, and writes those that pay as the profile.
//!
//! For each setting the default and its candidates run in turn, pass by pass, so that the same disturbances
//! affect all. In each pass the score of a candidate is the geometric mean, over the points that the setting
//! affects, of its time relative to the default's. Values that have been chosen are in force when later
//! settings are tried.
//!
//! A candidate pays if all of these hold:
//!
//! - the median score of the passes is a tenth below 1;
//! - three passes in four are below 0.95;
//! - the score of the best passes, which takes for each point the least time of all passes, is below 0.95.
//!
//! Disturbances only lengthen runs. They may affect most runs of one value, but rarely all of them. A value
//! that does not pay stays out of the profile: the defaults are sound.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use base::say;

use crate::fit::{loggp, stores};
use crate::installation::Places;
use crate::measure::runs::{Circumstances, Effort};
use crate::measure::session::Session;
use crate::measure::table::{Program, probes};
use crate::measure::terminal::progress;
use crate::measure::{build, conduits};
use crate::options::{Conduit, Measure, Part, Tune};
use crate::parameters::Parameters;
use crate::profile::{self, Of, Profile};
use crate::results::{Ended, Header, Key, Results};
use crate::statistics::{Spread, geometric_mean};
use crate::tunables::{Jobs, TUNABLES, Trial, Tunable};
use crate::{interrupt, machine};

/// A candidate has to be this much better than the default, in the median of the passes,
const PAYS: f64 = 0.90;
/// and this much in three of four.
const SURELY: f64 = 0.95;

/// Threads for each core of a job with more threads than cores.
const CROWD: usize = 4;
/// How often this number is doubled to measure the cost of more threads, and the most threads of a job that
/// is tried.
const DOUBLINGS: u32 = 2;
const MOST_THREADS: usize = 512;

/// The jobs for which a setting is tried, the conduit, and the number of threads.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Place {
    jobs: Jobs,
    conduit: Conduit,
    threads: usize,
}

impl Place {
    /// `network`: the conduit of jobs on several hosts.
    fn of(jobs: Jobs, network: Conduit, cores: usize) -> Place {
        let (conduit, threads) = match jobs {
            Jobs::OneHost => (Conduit::Am, 2),
            Jobs::Oversubscribed => (Conduit::Smp, CROWD * cores),
            Jobs::SeveralHosts => (network, 2),
        };
        Place { jobs, conduit, threads }
    }
}

/// Tunes. Returns the exit code.
pub fn run(options: &Tune, meridian: &Path, version: &str) -> Result<i32> {
    let path = options.output.clone().or_else(profile::path).context(
        "there is no place for a profile: MERIDIAN_PROFILE is `none`, or there is no HOME; name a file by -o",
    )?;
    let scratch =
        base::scratch::directory("meridian-bench-").context("cannot make a directory for the programs")?;
    let places = Places::of(meridian, None, scratch.path())?;
    interrupt::catch().context("cannot watch for Ctrl-C")?;
    let bench = Bench { places, options, built: RefCell::default() };
    let (conduits, _) = conduits::conduits(&bench.places, &[]);

    let network = network(options.conduit, &conduits)?;
    let mut profile = empty(version);
    for tunable in TUNABLES {
        for trial in tunable.trials {
            let place = Place::of(trial.jobs, network, profile.machine.cores);
            let best = bench.best(tunable, trial, place, &profile.variables(trial.jobs))?;
            let into = profile.settings_mut(trial.jobs);
            into.extend(best.map(|value| (tunable.name.to_string(), value)));
        }
    }
    for conduit in conduits {
        profile.loggp.extend(bench.parameters(conduit).map(|found| (conduit.name().to_string(), found)));
    }
    progress("");
    ensure!(!interrupt::arrived(), "interrupted; no profile is written");
    write(&profile, &path)?;
    say::error(format_args!("meridian bench: the profile is {}\n", path.display()));
    Ok(0)
}

/// Returns the conduit between hosts to tune for: the requested one, else the one that jobs here use.
fn network(asked: Option<Conduit>, there: &[Conduit]) -> Result<Conduit> {
    let conduit = asked.unwrap_or_else(|| conduits::between_hosts(there));
    ensure!(conduit.between_hosts(), "--conduit: {} is no conduit between hosts", conduit.name());
    ensure!(there.contains(&conduit), "--conduit: {} is not here", conduit.name());
    Ok(conduit)
}

fn empty(version: &str) -> Profile {
    let here = machine::Machine::here();
    Profile {
        version: profile::VERSION,
        date: machine::now(),
        meridian: version.to_string(),
        machine: Of { host: here.host, processor: here.processor, cores: here.cores },
        one_host: BTreeMap::new(),
        oversubscribed: BTreeMap::new(),
        several_hosts: BTreeMap::new(),
        loggp: BTreeMap::new(),
    }
}

fn write(profile: &Profile, path: &PathBuf) -> Result<()> {
    if let Some(directory) = path.parent() {
        std::fs::create_dir_all(directory).with_context(|| format!("cannot make {}", directory.display()))?;
    }
    std::fs::write(path, profile.text()).with_context(|| format!("cannot write {}", path.display()))
}

/// The equipment of the trials.
struct Bench<'a> {
    places: Places,
    options: &'a Tune,
    /// The words that run the probes, by file.
    built: RefCell<BTreeMap<&'static str, Vec<OsString>>>,
}

/// The medians of one run.
type Medians = BTreeMap<Key, f64>;

impl Bench<'_> {
    /// Returns the value of a setting that pays if those of `taken` are in force, if there is one. Prints all
    /// scores.
    fn best(
        &self,
        tunable: &Tunable,
        trial: &Trial,
        place: Place,
        taken: &[(String, String)],
    ) -> Result<Option<i64>> {
        // Each pass begins with another value, so that no value always has the same position.
        let values: Vec<i64> =
            std::iter::once(tunable.default).chain(tunable.candidates.iter().copied()).collect();
        let mut passes: Vec<Vec<Medians>> = Vec::new();
        for pass in 0..self.options.passes {
            progress(&format!(
                "MERIDIAN_{} over {}, {}, pass {} of {}",
                tunable.name,
                place.conduit.name(),
                place.jobs.name(),
                pass + 1,
                self.options.passes
            ));
            let mut medians = vec![Medians::new(); values.len()];
            for turn in 0..values.len() {
                let which = (turn + pass as usize) % values.len();
                let mut settings = taken.to_vec();
                settings.push((format!("MERIDIAN_{}", tunable.name), values[which].to_string()));
                let session = self.session(place, trial.dialect, &[trial.part], settings)?;
                let points = session.points.iter();
                medians[which] =
                    points.filter_map(|point| Some((point.key(), point.spread()?.median))).collect();
            }
            passes.push(medians);
            if interrupt::arrived() {
                return Ok(None);
            }
        }
        progress("");
        let verdict =
            |i: usize| verdict(&passes, i, |key| trial.points.count(key, tunable.default, values[i]));
        let verdicts: Vec<Option<Verdict>> = (1..values.len()).map(verdict).collect();
        let best = chosen(&verdicts);
        for (i, (value, verdict)) in tunable.candidates.iter().zip(&verdicts).enumerate() {
            let Some(Verdict { spread, calm }) = verdict else { continue };
            let taken = if best == Some(i) { "  taken" } else { "" };
            say::out(format_args!(
                "  {:4} {:2} threads, MERIDIAN_{}={value}: {:.2} [{:.2} .. {:.2}], best passes {calm:.2}, of the \
                 time with {}{taken}\n",
                place.conduit.name(),
                place.threads,
                tunable.name,
                spread.median,
                spread.lower,
                spread.upper,
                tunable.default
            ));
        }
        Ok(best.map(|i| tunable.candidates[i]))
    }

    fn session(
        &self,
        place: Place,
        dialect: &'static str,
        parts: &[Part],
        settings: Vec<(String, String)>,
    ) -> Result<Session> {
        let mut session = Session::default();
        let Place { conduit, threads, .. } = place;
        // Over a network a sample of one operation would depend on which thread left the barrier first.
        let sample_ns = if conduit.between_hosts() { 1_000_000 } else { 100_000 };
        let effort = Effort { passes: 1, rounds: 3, kernel_rounds: 3, sample_ns, quick: true, until: None };
        for &part in parts {
            let probe = probes::of(dialect, part).expect("it is in the table");
            let measure = Measure {
                parts: vec![part],
                hosts: self.options.hosts.clone(),
                threads,
                ..Measure::default()
            };
            let here =
                Circumstances { options: &measure, places: &self.places, conduits: &[conduit], effort };
            for mut run in here.runs(&probe, &self.words(&probe)?, &mut session.left_out) {
                run.command.envs(settings.iter().cloned());
                session.take(&mut run);
            }
        }
        if let (Some(failure), false) = (session.failures.first(), interrupt::arrived()) {
            anyhow::bail!("{} failed: {}", failure.run, failure.why);
        }
        Ok(session)
    }

    /// Returns the words that run a probe, which is compiled once.
    fn words(&self, probe: &Program) -> Result<Vec<OsString>> {
        let mut built = self.built.borrow_mut();
        if let Some(words) = built.get(probe.name) {
            return Ok(words.clone());
        }
        progress(&format!("compiling the probe {}", probe.name));
        let words = build::one(&self.places, probe)?;
        built.insert(probe.name, words.clone());
        Ok(words)
    }

    /// Measures LogGP with the defaults.
    fn parameters(&self, conduit: Conduit) -> Option<Parameters> {
        progress(&format!("LogGP over {}", conduit.name()));
        let jobs = if conduit.between_hosts() { Jobs::SeveralHosts } else { Jobs::OneHost };
        let place = Place { jobs, conduit, threads: 2 };
        let session = self.session(place, "split-c", &[Part::Primitives, Part::Bulk], vec![]).ok()?;
        let header = Header::here(&self.places, "", true, None, BTreeMap::new());
        let results = Results {
            header,
            points: session.points,
            failures: vec![],
            left_out: vec![],
            ended: Ended::Complete,
        };
        let fit = loggp::of(&results, conduit.name())?;
        let [overhead, latency, gap, byte] =
            [fit.overhead, fit.latency, fit.gap, fit.byte].map(|interval| interval.estimate);
        let smp = conduit == Conduit::Smp;
        let switch = if smp { self.switch(CROWD) } else { None };
        let larger = if smp { self.switch(CROWD << DOUBLINGS) } else { None };
        Some(Parameters {
            overhead,
            latency,
            gap,
            byte,
            switch,
            switch_growth: switch.zip(larger).map(|(few, many)| (many - few).max(0.0) / f64::from(DOUBLINGS)),
            stores: stores::of(&results, conduit.name()),
        })
    }

    /// Measures the time of a core's switch from one thread to another: the processor time of a barrier with
    /// `crowd` threads a core. Returns `None` if these are more threads than a host should have to start.
    fn switch(&self, crowd: usize) -> Option<f64> {
        let threads = crowd * machine::Machine::here().cores;
        if threads > MOST_THREADS {
            return None;
        }
        let place = Place { jobs: Jobs::Oversubscribed, conduit: Conduit::Smp, threads };
        let session = self.session(place, "split-c", &[Part::Primitives], vec![]).ok()?;
        let turn = session.points.iter().find(|point| point.series == "barrier" && point.what == "turn")?;
        Some(turn.spread()?.lower)
    }
}

/// Returns the geometric mean of the ratios of the points in both that count.
fn score(default: &Medians, candidate: &Medians, counts: impl Fn(&Key) -> bool) -> Option<f64> {
    let points = default.iter().filter(|(key, _)| counts(key));
    geometric_mean(points.filter_map(|(key, before)| Some(candidate.get(key)? / before)))
}

/// The scores of a candidate.
#[derive(Clone, Copy, Debug)]
struct Verdict {
    /// The scores, by pass.
    spread: Spread,
    /// The score of the best passes.
    calm: f64,
}

/// Returns the verdict on value number `which`, by the points that count; value 0 is the default.
fn verdict(passes: &[Vec<Medians>], which: usize, counts: impl Fn(&Key) -> bool) -> Option<Verdict> {
    let scores: Vec<f64> = passes.iter().filter_map(|pass| score(&pass[0], &pass[which], &counts)).collect();
    let calm = score(&least(passes, 0), &least(passes, which), &counts)?;
    Some(Verdict { spread: Spread::of(&scores)?, calm })
}

/// Returns for each point the least time of all passes.
fn least(passes: &[Vec<Medians>], which: usize) -> Medians {
    let mut least = Medians::new();
    for (key, ns) in passes.iter().flat_map(|pass| &pass[which]) {
        let kept = least.entry(key.clone()).or_insert(*ns);
        *kept = kept.min(*ns);
    }
    least
}

/// Returns the candidate that pays most.
fn chosen(verdicts: &[Option<Verdict>]) -> Option<usize> {
    let paying = verdicts.iter().enumerate().filter_map(|(i, verdict)| {
        let Verdict { spread, calm } = (*verdict)?;
        (spread.median < PAYS && spread.upper < SURELY && calm < SURELY).then_some((i, spread.median))
    });
    paying.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(i, _)| i)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(n: u64) -> Key {
        let text = String::new;
        (text(), text(), text(), text(), text(), BTreeMap::from([("n".into(), n)]))
    }

    /// Returns the verdicts on the candidates of passes with one point each; a pass has the default's time
    /// first.
    fn verdicts(passes: &[&[f64]]) -> Vec<Option<Verdict>> {
        let medians = |ns: &f64| Medians::from([(key(1), *ns)]);
        let passes: Vec<Vec<Medians>> =
            passes.iter().map(|pass| pass.iter().map(medians).collect()).collect();
        (1..passes[0].len()).map(|i| verdict(&passes, i, |_| true)).collect()
    }

    #[test]
    fn what_pays_most_and_surely_is_chosen() {
        let both: [&[f64]; 3] = [&[10.0, 8.0, 6.0], &[10.0, 8.2, 6.2], &[10.0, 8.5, 6.1]];
        assert_eq!(chosen(&verdicts(&both)), Some(1));
        let none: [&[f64]; 3] = [&[10.0, 9.2, 5.0], &[10.0, 9.3, 8.0], &[10.0, 9.1, 14.0]];
        assert_eq!(chosen(&verdicts(&none)), None);
        assert_eq!(chosen(&verdicts(&[&[10.0, 7.0]])), Some(0));
        assert_eq!(chosen(&[None]), None);
        assert_eq!(chosen(&[]), None);
    }

    #[test]
    fn what_was_only_disturbed_less_is_not_chosen() {
        // Disturbances lengthened the default's runs in three passes of four.
        let passes: [&[f64]; 4] = [&[85.0, 21.0], &[84.0, 22.0], &[18.0, 9.9], &[86.0, 21.5]];
        assert_eq!(chosen(&verdicts(&passes)), Some(0), "it is faster in peace too");
        let passes: [&[f64]; 4] = [&[85.0, 21.0], &[84.0, 22.0], &[18.0, 17.5], &[86.0, 21.5]];
        assert_eq!(chosen(&verdicts(&passes)), None);
    }

    #[test]
    fn a_setting_is_tried_where_it_matters() {
        let place = |jobs| Place::of(jobs, Conduit::Tcp, 3);
        assert_eq!((place(Jobs::OneHost).conduit, place(Jobs::OneHost).threads), (Conduit::Am, 2));
        assert_eq!(place(Jobs::Oversubscribed).threads, 12);
        assert_eq!(place(Jobs::SeveralHosts).conduit, Conduit::Tcp);
        for tunable in TUNABLES {
            for trial in tunable.trials {
                let probe = probes::of(trial.dialect, trial.part).expect(tunable.name);
                assert!(
                    probes::meaningful(&probe, trial.part, place(trial.jobs).conduit),
                    "{}",
                    tunable.name
                );
            }
        }
    }

    #[test]
    fn the_network_is_the_one_that_is_asked_for() {
        let all = [Conduit::Smp, Conduit::Am, Conduit::Tcp, Conduit::Ofi];
        assert_eq!(network(Some(Conduit::Ofi), &all).unwrap(), Conduit::Ofi);
        assert!(network(Some(Conduit::Ofi), &all[..3]).unwrap_err().to_string().contains("ofi is not here"));
        assert!(network(Some(Conduit::Am), &all).unwrap_err().to_string().contains("no conduit between"));
        assert_eq!(network(None, &all[..3]).unwrap(), Conduit::Tcp);
    }

    #[test]
    fn a_score_is_the_mean_ratio_of_common_points() {
        let default = Medians::from([(key(1), 10.0), (key(2), 100.0), (key(3), 5.0)]);
        let candidate = Medians::from([(key(1), 20.0), (key(2), 50.0)]);
        assert!((score(&default, &candidate, |_| true).unwrap() - 1.0).abs() < 1e-9);
        assert_eq!(score(&default, &candidate, |point| *point == key(2)), Some(0.5));
        assert_eq!(score(&default, &Medians::new(), |_| true), None);
    }
}
