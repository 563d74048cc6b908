//! A file of results: one JSON value a line.
//!
//! The first line is the header: version, machine and options. The last line marks the file as complete.
//! Between them stand the points with all their samples, outliers included, and the failures. A reader
//! refuses another version, and a file without its last line, which was cut off.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};

use crate::installation::Places;
use crate::machine::{self, Machine};
use crate::options::Conduit;
use crate::parameters::Parameters;
use crate::statistics::Spread;

/// The version of the file's form.
pub const VERSION: u32 = 2;
/// Nanoseconds of a year.
const YEAR: f64 = 3.2e16;

/// The common properties of all points in a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// The form of the file: `VERSION`.
    pub version: u32,
    /// Meridian's version and commit.
    pub meridian: String,
    /// The time of the measurement, in UTC.
    pub date: String,
    /// The machine of the measurement.
    pub machine: Machine,
    /// The C compiler's name for itself.
    pub compiler: String,
    /// Whether it was measured with `--quick`.
    pub quick: bool,
    /// The hosts of the conduits between hosts, as the user named them; none for this host twice.
    pub hosts: Option<String>,
    /// Threads of the probes within a host; between hosts each host has one.
    #[serde(default = "pair", skip_serializing_if = "is_pair")]
    pub threads: usize,
    /// The parameters of the machine profile that was in force, by conduit, for predictions.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub profile: BTreeMap<String, Parameters>,
}

impl Header {
    /// Returns the header of a measurement that begins here and now.
    pub fn here(
        places: &Places,
        meridian: &str,
        quick: bool,
        hosts: Option<String>,
        profile: BTreeMap<String, Parameters>,
    ) -> Header {
        Header {
            version: VERSION,
            meridian: meridian.to_string(),
            date: machine::now(),
            machine: Machine::here(),
            compiler: machine::compiler(&places.cc),
            quick,
            hosts,
            threads: pair(),
            profile,
        }
    }
}

/// Returns the usual number of threads: two hosts with a thread each, or two threads of one host.
fn pair() -> usize {
    2
}

fn is_pair(threads: &usize) -> bool {
    *threads == pair()
}

/// A mechanism at given sizes, and its samples.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// The part of the measurement, such as `bulk`.
    pub part: String,
    /// `split-c`, `upc`, `ac`.
    pub dialect: String,
    /// `smp`, `am`, `tcp`, `ofi`.
    pub conduit: String,
    /// The mechanism, such as `get`.
    pub series: String,
    /// `time`, or for primitives `overhead`, `latency` or `gap`.
    pub what: String,
    /// The sizes, by the names of their axes.
    pub at: BTreeMap<String, u64>,
    /// The samples in nanoseconds an operation, in the order in which they were taken.
    pub ns: Vec<f64>,
}

/// The identity of a point: all fields except the samples.
pub type Key = (String, String, String, String, String, BTreeMap<String, u64>);

impl Point {
    /// Returns the identity of the point.
    pub fn key(&self) -> Key {
        let text = |s: &String| s.clone();
        (
            text(&self.part),
            text(&self.dialect),
            text(&self.conduit),
            text(&self.series),
            text(&self.what),
            self.at.clone(),
        )
    }

    /// Whether another point has the same measurement in another dialect or system.
    pub fn same_but_for_the_dialect(&self, other: &Point) -> bool {
        let same = |a: &Point, b: &Point| {
            a.part == b.part && a.conduit == b.conduit && a.series == b.series && a.what == b.what
        };
        same(self, other) && self.at == other.at
    }

    /// Returns median and quartiles of the samples.
    pub fn spread(&self) -> Option<Spread> {
        Spread::of(&self.ns)
    }

    /// Returns the name in messages, such as `split-c bulk get over tcp, bytes=4096`.
    pub fn label(&self) -> String {
        let mut text = format!("{} {} {}", self.dialect, self.part, self.series);
        if self.what != "time" {
            text += &format!(" {}", self.what);
        }
        text += &format!(" over {}", self.conduit);
        for (axis, value) in &self.at {
            text += &format!(", {axis}={value}");
        }
        text
    }
}

/// A run that gave no samples, or not all.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Failure {
    /// The measurement that failed, such as `split-c bulk over tcp`.
    pub run: String,
    /// The reason.
    pub why: String,
}

/// How the measurement ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ended {
    /// Everything was measured, or has failed.
    Complete,
    /// The user ended it.
    Interrupted,
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
enum Line {
    Header(Header),
    Point(Point),
    Failure(Failure),
    LeftOut(Failure),
    End { how: Ended, points: usize },
}

/// A file of results.
#[derive(Clone, Debug, PartialEq)]
pub struct Results {
    /// The common properties.
    pub header: Header,
    /// The points, in the order in which they were measured.
    pub points: Vec<Point>,
    /// The failures.
    pub failures: Vec<Failure>,
    /// The measurements that are impossible here, with the reason.
    pub left_out: Vec<Failure>,
    /// How it ended.
    pub ended: Ended,
}

impl Results {
    /// Returns the file's text.
    pub fn text(&self) -> String {
        let mut text = String::new();
        let mut put = |line: &Line| {
            text += &serde_json::to_string(line).expect("these types have no keys but strings");
            text.push('\n');
        };
        put(&Line::Header(self.header.clone()));
        self.points.iter().for_each(|point| put(&Line::Point(point.clone())));
        self.failures.iter().for_each(|failure| put(&Line::Failure(failure.clone())));
        self.left_out.iter().for_each(|failure| put(&Line::LeftOut(failure.clone())));
        put(&Line::End { how: self.ended, points: self.points.len() });
        text
    }

    /// Reads a file's text; `name` is the name of the file in messages.
    ///
    /// # Errors
    /// If it is of another version, cut off, or no file of results at all; the message names the line.
    pub fn parse(text: &str, name: &str) -> Result<Results> {
        let mut lines = text.lines().enumerate().map(|(i, line)| (i + 1, line));
        let first = lines.next().map_or("", |(_, line)| line);
        let header = header(first, name)?;
        let mut results =
            Results { header, points: vec![], failures: vec![], left_out: vec![], ended: Ended::Complete };
        let (mut whole, mut places) = (false, BTreeMap::new());
        let count = text.lines().count();
        for (number, line) in lines {
            let last = number == count;
            match serde_json::from_str(line) {
                _ if whole => bail!("{name}:{number}: something stands behind the last line of the results"),
                Ok(Line::Header(_)) => bail!("{name}:{number}: a second file of results begins here"),
                Ok(Line::Point(point)) => {
                    check(&point, &format!("{name}:{number}: {}", point.label()))?;
                    if let Some(first) = places.insert(point.key(), number) {
                        let label = point.label();
                        bail!("{name}:{number}: {label}: this point stands in line {first} already");
                    }
                    results.points.push(point);
                }
                Ok(Line::Failure(failure)) => results.failures.push(failure),
                Ok(Line::LeftOut(failure)) => results.left_out.push(failure),
                Ok(Line::End { how, points }) => {
                    if points != results.points.len() {
                        bail!("{name}: {} points are there, of {points}", results.points.len());
                    }
                    (results.ended, whole) = (how, true);
                }
                Err(_) if last => bail!("{name}:{number}: the file is cut off here; measure again"),
                Err(error) => bail!("{name}:{number}: no line of results: {error}"),
            }
        }
        if !whole {
            bail!("{name}: the file is cut off: its last line is missing; measure again");
        }
        Ok(results)
    }

    /// Reads a file.
    ///
    /// # Errors
    /// As `parse`, and if it cannot be read.
    pub fn read(path: &Path) -> Result<Results> {
        let text =
            std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        Results::parse(&text, &path.display().to_string())
    }

    /// Writes the file: as a whole, or not at all.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, path: &Path) -> Result<()> {
        let directory = path.parent().filter(|d| !d.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let write = || -> std::io::Result<()> {
            let mut file = tempfile::Builder::new().permissions(mode()).tempfile_in(directory)?;
            file.write_all(self.text().as_bytes())?;
            file.persist(path)?;
            Ok(())
        };
        write().with_context(|| format!("cannot write {}", path.display()))
    }

    /// Returns every sample on a line of comma-separated values, under a line of names.
    pub fn csv(&self) -> String {
        let mut axes: Vec<&String> = self.points.iter().flat_map(|point| point.at.keys()).collect();
        axes.sort();
        axes.dedup();
        let mut text = String::from("part,dialect,conduit,series,what");
        axes.iter().for_each(|axis| text += &format!(",{axis}"));
        text += ",sample,ns\n";
        for point in &self.points {
            let mut head = format!("{},{},{}", point.part, point.dialect, point.conduit);
            head += &format!(",{},{}", quoted(&point.series), quoted(&point.what));
            for axis in &axes {
                head += ",";
                head += &point.at.get(*axis).map(u64::to_string).unwrap_or_default();
            }
            for (sample, ns) in point.ns.iter().enumerate() {
                text += &format!("{head},{sample},{ns}\n");
            }
        }
        text
    }

    /// Returns the number of processors of the probes over a conduit.
    pub fn processors(&self, conduit: &str) -> usize {
        let one_host = conduit == Conduit::Smp.name() || conduit == Conduit::Am.name();
        if one_host { self.header.threads } else { pair() }
    }

    /// Returns how many processors share a core, at least 1; 1 if the number of cores is not known.
    pub fn threads_a_core(&self, conduit: &str) -> f64 {
        match self.header.machine.cores {
            0 => 1.0,
            cores => (self.processors(conduit) as f64 / cores as f64).max(1.0),
        }
    }

    /// Returns the points of a part, a dialect and a conduit.
    pub fn of<'a>(
        &'a self,
        part: &'a str,
        dialect: &'a str,
        conduit: &'a str,
    ) -> impl Iterator<Item = &'a Point> {
        self.points.iter().filter(move |p| p.part == part && p.dialect == dialect && p.conduit == conduit)
    }
}

/// Returns read and write for all, from which the umask subtracts, as for any file that a command writes.
fn mode() -> std::fs::Permissions {
    std::os::unix::fs::PermissionsExt::from_mode(0o666)
}

/// Puts a value with commas or quotation marks into quotation marks.
fn quoted(text: &str) -> String {
    if text.contains([',', '"']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_string() }
}

/// Refuses a point without samples, or with samples that are no times: each must be more than 0 and less than
/// a year. `place` is the beginning of messages.
fn check(point: &Point, place: &str) -> Result<()> {
    ensure!(!point.ns.is_empty(), "{place}: the point has no samples");
    if let Some(ns) = point.ns.iter().find(|ns| !(f64::MIN_POSITIVE..YEAR).contains(*ns)) {
        bail!("{place}: a sample is {ns} ns, and has to be more than 0 and less than a year");
    }
    Ok(())
}

/// Reads the first line; its version is checked before anything else, because another one may have other
/// fields.
fn header(line: &str, name: &str) -> Result<Header> {
    let value: serde_json::Value = match serde_json::from_str(line) {
        Ok(value) => value,
        Err(_) => bail!("{name}: this is no file of results of `meridian bench`"),
    };
    match value.get("version").and_then(serde_json::Value::as_u64) {
        Some(version) if version == u64::from(VERSION) => {}
        Some(version) => bail!(
            "{name}: this is version {version} of the form of results, and this Meridian reads version {VERSION}; \
             measure again, or use the Meridian that wrote it"
        ),
        None => bail!("{name}: this is no file of results of `meridian bench`"),
    }
    match serde_json::from_value(value) {
        Ok(Line::Header(header)) => Ok(header),
        Ok(_) => bail!("{name}:1: the first line is not the head of a file of results"),
        Err(error) => bail!("{name}:1: the head of the results is damaged: {error}"),
    }
}

/// The tests; others use their file of results.
#[cfg(test)]
pub mod tests {
    use super::*;

    /// Returns a file with one entry of each kind.
    pub fn results() -> Results {
        let header = Header {
            version: VERSION,
            meridian: "0".into(),
            date: "2026-11-22T00:00:00Z".into(),
            machine: Machine::default(),
            compiler: "cc".into(),
            quick: true,
            hosts: None,
            threads: pair(),
            profile: BTreeMap::new(),
        };
        let point = Point {
            part: "bulk".into(),
            dialect: "split-c".into(),
            conduit: "smp".into(),
            series: "get, put".into(),
            what: "time".into(),
            at: BTreeMap::from([("bytes".into(), 8)]),
            ns: vec![1.5, 2.0, 90.0],
        };
        let failure = Failure { run: "upc small over ofi".into(), why: "died".into() };
        Results {
            header,
            points: vec![point],
            failures: vec![failure.clone()],
            left_out: vec![failure],
            ended: Ended::Interrupted,
        }
    }

    /// Returns a point; `key` has its part, dialect, conduit, series and `what`, separated by bars.
    pub fn point(key: &str, at: &[(&str, u64)], ns: &[f64]) -> Point {
        let words: Vec<String> = key.split('|').map(String::from).collect();
        let [part, dialect, conduit, series, what] = words.try_into().unwrap();
        let at = at.iter().map(|(axis, value)| ((*axis).into(), *value)).collect();
        Point { part, dialect, conduit, series, what, at, ns: ns.to_vec() }
    }

    /// Returns results of these points.
    pub fn of_points(points: impl IntoIterator<Item = Point>) -> Results {
        Results { points: points.into_iter().collect(), ..results() }
    }

    fn refusal(text: &str) -> String {
        Results::parse(text, "r.jsonl").unwrap_err().to_string()
    }

    #[test]
    fn what_is_written_is_read() {
        assert_eq!(Results::parse(&results().text(), "r").unwrap(), results());
    }

    #[test]
    fn a_file_that_lost_its_end_anywhere_is_refused() {
        let text = results().text();
        for end in 0..text.len() - 1 {
            let why = refusal(&text[..end]);
            assert!(why.contains("cut off") || why.contains("no file of results"), "{end}: {why}");
        }
    }

    #[test]
    fn another_version_is_named() {
        let text = results().text().replacen("\"version\":2", "\"version\":9", 1);
        assert!(refusal(&text).contains("version 9") && refusal(&text).contains("reads version 2"));
    }

    #[test]
    fn what_is_damaged_is_named_by_its_line() {
        let text = results().text().replacen("{\"kind\":\"failure\"", "{\"kind\":\"wrong\"", 1);
        assert!(refusal(&text).starts_with("r.jsonl:3:"), "{}", refusal(&text));
        let text = results().text().replacen("\"ns\":[", "\"ns\":[-3.0,", 1);
        let point = "r.jsonl:2: split-c bulk get, put over smp, bytes=8";
        assert!(refusal(&text).starts_with(&format!("{point}: a sample is -3 ns")), "{}", refusal(&text));
        let text = results().text().replacen("\"ns\":[", "\"ns\":[9e17,", 1);
        assert!(refusal(&text).contains("less than a year"), "{}", refusal(&text));
        let text = results().text().replacen("\"ns\":[1.5,2.0,90.0]", "\"ns\":[]", 1);
        assert_eq!(refusal(&text), format!("{point}: the point has no samples"));
        let mut twice = results();
        twice.points.push(twice.points[0].clone());
        let twice = refusal(&twice.text());
        assert!(twice.contains("r.jsonl:3:") && twice.contains("stands in line 2 already"), "{twice}");
        assert!(refusal("hello\n").contains("no file of results"));
        assert!(refusal(&format!("{}{}", results().text(), results().text())).contains("r.jsonl:6"));
    }

    #[test]
    fn csv_has_a_line_a_sample() {
        let csv = results().csv();
        assert_eq!(csv.lines().next().unwrap(), "part,dialect,conduit,series,what,bytes,sample,ns");
        assert_eq!(csv.lines().count(), 4);
        assert_eq!(csv.lines().last().unwrap(), "bulk,split-c,smp,\"get, put\",time,8,2,90");
    }
}
