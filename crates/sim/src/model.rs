//! Models of applications: a small text format.
//!
//! The first line is `meridian-model 1`. Each further line is a statement, which all processes carry out, one
//! after another; `#` begins a comment. Words after a statement's name are names and values. `repeat N` and
//! `end` enclose repeated statements. `docs/sim.md` lists the statements.

use anyhow::{Result, anyhow, bail, ensure};

use crate::machine::{MOST, Time, bytes, time};
use crate::pattern::Pattern;
use crate::program::{Cursor, NESTING, Op, Program};
use crate::topology::grid;

/// The first word of a model.
pub const HEAD: &str = "meridian-model";
/// The version of the format.
const VERSION: &str = "1";

/// A model, for any number of processes.
#[derive(Clone, Debug)]
pub struct Model {
    /// The number of processes in the file, if it has one.
    pub processes: Option<u32>,
    statements: Vec<(usize, Statement)>,
}

#[derive(Clone, Debug)]
enum Statement {
    Pattern(Pattern),
    /// A halo exchange, whose grid follows from the number of processes.
    Halo {
        axes: usize,
        torus: bool,
        bytes: u64,
    },
    Em3d(Em3d),
    SampleSort(SampleSort),
    Repeat(u32),
    End,
}

/// EM3D like `bench/probes/em3d.inc`: two half steps, each with a value for each remote edge.
#[derive(Clone, Copy, Debug)]
struct Em3d {
    version: Version,
    nodes: u32,
    degree: u32,
    remote: u32,
    owners: u32,
    edge: Time,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Version {
    /// A blocking read for each remote edge.
    Simple,
    /// A blocking read for each remote node.
    Bundle,
    /// A split-phase read for each remote node.
    Get,
    /// The owners write each node.
    Put,
    /// The owners write all nodes at once.
    Bulk,
}

#[derive(Clone, Copy, Debug)]
struct SampleSort {
    keys: u32,
    bytes: u64,
    sample: u32,
    /// The time of a comparison.
    compare: Time,
}

/// A model for a number of processes.
#[derive(Debug)]
pub struct Instance {
    processes: u32,
    /// The steps, each with its line in the file.
    steps: Vec<(usize, Step)>,
}

#[derive(Clone, Debug)]
enum Step {
    Pattern(Pattern),
    /// Back to step `begin` until it has been executed `times` times; this repetition is in `depth` others.
    Again {
        begin: u32,
        times: u32,
        depth: usize,
    },
}

/// The words of a statement that are not read yet.
struct Words<'a> {
    line: usize,
    name: &'a str,
    words: Vec<&'a str>,
}

impl<'a> Words<'a> {
    /// The next word, which has no name.
    fn variant(&mut self, known: &str) -> Result<&'a str> {
        ensure!(!self.words.is_empty(), "line {}: `{}` has to be followed by {known}", self.line, self.name);
        Ok(self.words.remove(0))
    }

    /// The value of a name, `fallback` if the name is missing.
    fn value<T>(
        &mut self,
        name: &str,
        read: impl Fn(&str) -> Result<T, String>,
        fallback: Option<T>,
    ) -> Result<T> {
        let Some(i) = self.words.iter().position(|word| *word == name) else {
            return fallback.ok_or_else(|| anyhow!("line {}: `{}` needs `{name}`", self.line, self.name));
        };
        ensure!(i + 1 < self.words.len(), "line {}: `{name}` has no value", self.line);
        let value = self.words.remove(i + 1);
        self.words.remove(i);
        read(value).map_err(|wrong| anyhow!("line {}: {name}: {wrong}", self.line))
    }

    fn flag(&mut self, name: &str) -> bool {
        let before = self.words.len();
        self.words.retain(|word| *word != name);
        self.words.len() < before
    }

    fn done(self) -> Result<()> {
        match self.words.first() {
            None => Ok(()),
            Some(word) => bail!("line {}: `{}` does not accept `{word}`", self.line, self.name),
        }
    }
}

/// Returns a reader of whole numbers in a range.
fn count(least: u32, most: u32) -> impl Fn(&str) -> Result<u32, String> {
    move |text| match text.parse() {
        Ok(n) if (least..=most).contains(&n) => Ok(n),
        _ => Err(format!("`{text}` is not a number from {least} to {most}")),
    }
}

/// Reads a number of keys, with K, M or G.
fn keys(text: &str) -> Result<u32, String> {
    let number = bytes(text).ok().and_then(|n| u32::try_from(n).ok());
    number.filter(|n| (1..=1 << 31).contains(n)).ok_or_else(|| format!("`{text}` is not a number up to 2G"))
}

impl Model {
    /// Reads a model.
    ///
    /// # Errors
    /// If the text is no model, of another version, or has a mistake, whose line is named.
    pub fn parse(text: &str) -> Result<Model> {
        let mut model = Model { processes: None, statements: Vec::new() };
        let mut open = Vec::new();
        let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
        let mut lines = lines.enumerate().map(|(i, line)| (i + 1, line)).filter(|(_, line)| !line.is_empty());
        let head = lines.next().map_or("", |(_, line)| line);
        let version = head.strip_prefix(HEAD).map(str::trim);
        match version {
            Some(VERSION) => {}
            Some(other) => {
                bail!("the model has version `{other}`, but this Meridian reads version {VERSION}")
            }
            None => bail!("the file is not a model: the first line has to be `{HEAD} {VERSION}`"),
        }
        for (line, text) in lines {
            let mut words: Vec<&str> = text.split_whitespace().collect();
            let name = words.remove(0);
            let mut words = Words { line, name, words };
            if name == "processes" {
                let given = words.variant("a number")?;
                let read = count(1, MOST)(given).map_err(|wrong| anyhow!("line {line}: {wrong}"))?;
                model.processes = Some(read);
                words.done()?;
                continue;
            }
            let statement = statement(&mut words)?;
            words.done()?;
            match statement {
                Statement::Repeat(_) => open.push(line),
                Statement::End => {
                    ensure!(open.pop().is_some(), "line {line}: `end` without `repeat`");
                }
                _ => {}
            }
            ensure!(open.len() <= NESTING, "line {line}: `repeat` is nested more than {NESTING} deep");
            model.statements.push((line, statement));
        }
        ensure!(open.is_empty(), "line {}: `repeat` without `end`", open.last().unwrap_or(&0));
        Ok(model)
    }

    /// The model for `processes` processes.
    ///
    /// # Errors
    /// If a statement names a process that does not exist.
    pub fn instance(&self, processes: u32) -> Result<Instance> {
        let mut steps: Vec<(usize, Step)> = Vec::new();
        let mut open = Vec::new();
        for (line, statement) in &self.statements {
            let mut push = |pattern| steps.push((*line, Step::Pattern(pattern)));
            match statement {
                Statement::Pattern(pattern) => {
                    let there = names(pattern).is_none_or(|process| process < processes);
                    ensure!(
                        there,
                        "line {line}: this process does not exist; there are {processes}, numbered from 0"
                    );
                    push(pattern.clone());
                }
                Statement::Halo { axes, torus, bytes } => {
                    push(Pattern::Halo { sizes: grid(processes, *axes), torus: *torus, bytes: *bytes });
                }
                Statement::Em3d(em3d) => em3d.patterns(processes).into_iter().for_each(push),
                Statement::SampleSort(sort) => sort.patterns(processes)?.into_iter().for_each(push),
                Statement::Repeat(times) => open.push((steps.len() as u32, *times)),
                Statement::End => {
                    let (begin, times) = open.pop().expect("`parse` has matched them");
                    steps.push((*line, Step::Again { begin, times, depth: open.len() }));
                }
            }
        }
        Ok(Instance { processes, steps })
    }
}

/// The process that a pattern names, if any.
fn names(pattern: &Pattern) -> Option<u32> {
    match *pattern {
        Pattern::Compute { only, .. } => only,
        Pattern::BroadcastLinear { root, .. }
        | Pattern::BroadcastBinomial { root, .. }
        | Pattern::Reduce { root, .. }
        | Pattern::Gather { root, .. } => Some(root),
        _ => None,
    }
}

fn statement(words: &mut Words) -> Result<Statement> {
    let root = |words: &mut Words| words.value("root", count(0, MOST - 1), Some(0));
    let pattern = match words.name {
        "compute" => {
            let given = words.variant("a time")?;
            let time = time(given).map_err(|wrong| anyhow!("line {}: {wrong}", words.line))?;
            Pattern::Compute {
                time,
                only: words.value("at", |text| count(0, MOST - 1)(text).map(Some), Some(None))?,
            }
        }
        "broadcast" => match words.variant("`linear` or `binomial`")? {
            "linear" => {
                Pattern::BroadcastLinear { root: root(words)?, bytes: words.value("bytes", bytes, None)? }
            }
            "binomial" => {
                Pattern::BroadcastBinomial { root: root(words)?, bytes: words.value("bytes", bytes, None)? }
            }
            other => bail!("line {}: a broadcast is `linear` or `binomial`, not `{other}`", words.line),
        },
        "reduce" => Pattern::Reduce { root: root(words)?, bytes: words.value("bytes", bytes, None)? },
        "gather" => Pattern::Gather { root: root(words)?, bytes: words.value("bytes", bytes, None)? },
        "all-to-all" => Pattern::AllToAll { bytes: words.value("bytes", bytes, None)? },
        "ring" => Pattern::Ring { bytes: words.value("bytes", bytes, None)? },
        "shift" => Pattern::Shift {
            by: words.value("by", count(1, MOST - 1), Some(1))?,
            bytes: words.value("bytes", bytes, None)?,
        },
        "barrier" => Pattern::Barrier,
        "puts" | "gets" => Pattern::Access {
            put: words.name == "puts",
            blocking: words.flag("blocking"),
            count: words.value("count", count(1, 1 << 30), None)?,
            owners: words.value("owners", count(1, MOST), Some(1))?,
            bytes: words.value("bytes", bytes, None)?,
        },
        "sync" => Pattern::Sync,
        "halo" => {
            let given = words.variant("1, 2 or 3, the number of axes")?;
            let axes = count(1, 3)(given).map_err(|wrong| anyhow!("line {}: {wrong}", words.line))? as usize;
            return Ok(Statement::Halo {
                axes,
                torus: words.flag("torus"),
                bytes: words.value("bytes", bytes, None)?,
            });
        }
        "em3d" => return em3d(words),
        "sample-sort" => {
            return Ok(Statement::SampleSort(SampleSort {
                keys: words.value("keys", keys, None)?,
                bytes: words.value("bytes", bytes, Some(4))?,
                sample: words.value("sample", count(1, 1 << 16), Some(64))?,
                compare: words.value("compare", time, Some(5_000))?,
            }));
        }
        "repeat" => {
            let given = words.variant("a number")?;
            let times = count(1, u32::MAX)(given).map_err(|wrong| anyhow!("line {}: {wrong}", words.line))?;
            return Ok(Statement::Repeat(times));
        }
        "end" => return Ok(Statement::End),
        other => bail!("line {}: there is no statement `{other}`", words.line),
    };
    Ok(Statement::Pattern(pattern))
}

fn em3d(words: &mut Words) -> Result<Statement> {
    let version = match words.variant("simple, bundle, get, put or bulk")? {
        "simple" => Version::Simple,
        "bundle" => Version::Bundle,
        "get" => Version::Get,
        "put" => Version::Put,
        "bulk" => Version::Bulk,
        other => bail!("line {}: em3d is simple, bundle, get, put or bulk, not `{other}`", words.line),
    };
    Ok(Statement::Em3d(Em3d {
        version,
        nodes: words.value("nodes", count(1, 1 << 20), Some(500))?,
        degree: words.value("degree", count(1, 1000), Some(20))?,
        remote: words.value("remote", count(0, 100), None)?,
        owners: words.value("owners", count(1, MOST), Some(MOST))?,
        edge: words.value("edge", time, None)?,
    }))
}

impl Em3d {
    /// The patterns of both half steps.
    fn patterns(&self, n: u32) -> Vec<Pattern> {
        let edges = self.nodes * self.degree;
        let remote = if n > 1 { (u64::from(edges) * u64::from(self.remote) / 100) as u32 } else { 0 };
        let owners = self.owners.min(n - 1).min(remote).max(1);
        // Edges to one owner choose among its nodes: `chosen` of these are chosen at least once.
        let (nodes, each) = (f64::from(self.nodes), f64::from(remote) / f64::from(owners));
        let chosen = nodes * (1.0 - (1.0 - 1.0 / nodes).powf(each));
        let ghosts = ((chosen * f64::from(owners)).round() as u32).min(remote);
        let access = |put, blocking, count, bytes| Pattern::Access { put, blocking, count, owners, bytes };
        let compute = Pattern::Compute { time: u64::from(edges) * self.edge, only: None };
        let mut half = Vec::new();
        match self.version {
            _ if remote == 0 => {}
            Version::Simple => half.push(access(false, true, remote, 8)),
            Version::Bundle => half.push(access(false, true, ghosts, 8)),
            Version::Get => half.extend([access(false, false, ghosts, 8), Pattern::Sync]),
            Version::Put => half.extend([access(true, false, ghosts, 8), Pattern::Sync, Pattern::Barrier]),
            Version::Bulk => {
                let bytes = u64::from(ghosts.div_ceil(owners)) * 8;
                half.extend([access(true, false, owners, bytes), Pattern::Sync, Pattern::Barrier]);
            }
        }
        half.extend([compute, Pattern::Barrier]);
        half.iter().chain(&half).cloned().collect()
    }
}

impl SampleSort {
    /// The patterns of a sample sort: all send samples to process 0, which sorts them and broadcasts the
    /// splitters; then each process sends every key to the process of its range, and sorts.
    fn patterns(&self, n: u32) -> Result<Vec<Pattern>> {
        let logarithm = |x: f64| x.max(2.0).log2();
        let comparisons = |count: f64| -> Result<Time> {
            let time = count * self.compare as f64;
            ensure!(time < 1e18, "sample-sort: more than 10^6 seconds of comparisons");
            Ok(time.round() as Time)
        };
        let (keys, samples) = (f64::from(self.keys), f64::from(self.sample) * f64::from(n));
        let compute = |time, only| Pattern::Compute { time, only };
        Ok(vec![
            Pattern::Gather { root: 0, bytes: u64::from(self.sample) * self.bytes },
            compute(comparisons(samples * logarithm(samples))?, Some(0)),
            Pattern::BroadcastBinomial { root: 0, bytes: u64::from(n - 1) * self.bytes },
            compute(comparisons(keys * logarithm(f64::from(n)))?, None),
            Pattern::AllToAll { bytes: u64::from(self.keys.div_ceil(n)) * self.bytes },
            compute(comparisons(keys * logarithm(keys))?, None),
            Pattern::Barrier,
        ])
    }
}

impl Program for Instance {
    fn processes(&self) -> u32 {
        self.processes
    }

    fn next(&self, process: u32, cursor: &mut Cursor) -> Option<Op> {
        loop {
            match &self.steps.get(cursor.at as usize)?.1 {
                Step::Pattern(pattern) => {
                    if let Some(op) = pattern.next(process, self.processes, &mut cursor.step, cursor.at << 1)
                    {
                        return Some(op);
                    }
                    cursor.at += 1;
                    cursor.step = 0;
                }
                Step::Again { begin, times, depth } => {
                    cursor.turns[*depth] += 1;
                    if cursor.turns[*depth] < *times {
                        cursor.at = *begin;
                    } else {
                        cursor.turns[*depth] = 0;
                        cursor.at += 1;
                    }
                }
            }
        }
    }

    fn place(&self, _: u32, cursor: &Cursor) -> String {
        match self.steps.get(cursor.at as usize) {
            Some((line, _)) => format!("line {line}"),
            None => "the end".into(),
        }
    }
}
