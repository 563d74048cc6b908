//! Mapping from the return addresses of calls to the lines of the program.
//!
//! A call lies before its return address, so the address less 1 is looked up. If the compiler has inlined
//! functions of Meridian's headers, the line is in the function into which they were inlined.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::time::SystemTime;

use base::contract::record_kinds;
use launch::{Binary, Frame};

use crate::part::{Entry, Module, Part};
use crate::processors;
use crate::record::{self, FORMAT, File, Line, Profile, Thread};

/// For each part and each of its entries, the number of its line in the profile.
pub type Places = Vec<Vec<usize>>;

/// A line whose file is not yet numbered.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Key {
    file: Option<String>,
    line: u32,
    function: String,
    kind: u32,
}

/// Returns the profile of a job, and the lines of the parts' entries in it.
pub fn profile(parts: &[Part], command: &[String], version: &str) -> (Profile, Places) {
    let mut found = Found::default();
    let keys: Vec<Vec<Key>> = parts.iter().map(|part| found.keys(part)).collect();
    let sums = sums(parts, &keys);
    let mut order: Vec<(Key, Line)> = sums.into_iter().collect();
    order.sort_by(|(a, x), (b, y)| y.ns.cmp(&x.ns).then(a.cmp(b)));
    let mut paths: Vec<String> = order.iter().filter_map(|(key, _)| key.file.clone()).collect();
    paths.sort();
    paths.dedup();
    let compiled = parts[0].modules.first().and_then(|module| changed(&module.path));
    let number: HashMap<&Key, usize> = order.iter().enumerate().map(|(i, (key, _))| (key, i)).collect();
    let places = keys.iter().map(|keys| keys.iter().map(|key| number[key]).collect()).collect();
    let file = |path: &Option<String>| path.as_ref().and_then(|path| paths.binary_search(path).ok());
    let lines = order.iter().map(|(key, line)| Line { file: file(&key.file), ..line.clone() }).collect();
    let threads = parts[0].threads;
    let profile = Profile {
        format: FORMAT,
        version: version.into(),
        command: command.to_vec(),
        threads,
        ran: parts
            .iter()
            .map(|part| Thread { thread: part.thread, host: part.host.clone(), ns: part.ns })
            .collect(),
        missing: (0..threads).filter(|n| parts.iter().all(|part| part.thread != *n)).collect(),
        shortest_event_ns: parts.iter().map(|part| part.shortest).max().unwrap_or(0),
        files: paths.iter().map(|path| source(path, compiled)).collect(),
        lines,
        tam: processors::machine(parts),
    };
    (profile, places)
}

/// Sums up the entries of all threads by line.
fn sums(parts: &[Part], keys: &[Vec<Key>]) -> BTreeMap<Key, Line> {
    let mut sums: BTreeMap<Key, Line> = BTreeMap::new();
    for (part, keys) in parts.iter().zip(keys) {
        let mut own: BTreeMap<&Key, u64> = BTreeMap::new();
        for (entry, key) in part.entries.iter().zip(keys) {
            let line = sums.entry(key.clone()).or_insert_with(|| empty(key));
            line.calls += entry.calls;
            line.bytes += entry.bytes;
            line.ns += entry.ns;
            line.longest_ns = line.longest_ns.max(entry.longest);
            *own.entry(key).or_default() += entry.ns;
        }
        for (key, ns) in own {
            let line = sums.get_mut(key).expect("it was summed above");
            if ns >= line.slowest_ns {
                (line.slowest_ns, line.slowest_thread) = (ns, part.thread);
            }
        }
    }
    sums
}

fn kind(number: u32) -> &'static str {
    record_kinds::ALL.get(number as usize).unwrap_or(&record_kinds::ALL[0])
}

fn empty(key: &Key) -> Line {
    Line {
        file: None,
        line: key.line,
        function: key.function.clone(),
        kind: kind(key.kind).into(),
        calls: 0,
        bytes: 0,
        ns: 0,
        longest_ns: 0,
        slowest_thread: 0,
        slowest_ns: 0,
    }
}

fn changed(path: &str) -> Option<SystemTime> {
    std::fs::metadata(path).ok()?.modified().ok()
}

fn source(path: &str, compiled: Option<SystemTime>) -> File {
    let newer = matches!((changed(path), compiled), (Some(source), Some(program)) if source > program);
    let text = std::fs::read(path).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    File { path: path.into(), text, newer }
}

/// The frames of all addresses looked up so far: threads of one program share them.
#[derive(Default)]
struct Found {
    frames: HashMap<(String, u64), Vec<Frame>>,
}

impl Found {
    fn keys(&mut self, part: &Part) -> Vec<Key> {
        for module in &part.modules {
            self.look_up(module, &part.entries);
        }
        part.entries.iter().map(|entry| self.key(part, entry)).collect()
    }

    fn look_up(&mut self, module: &Module, entries: &[Entry]) {
        let new: Vec<u64> = entries
            .iter()
            .filter(|entry| module.holds(entry.place))
            .map(|entry| entry.place - 1 - module.base)
            .filter(|&address| !self.frames.contains_key(&(module.path.clone(), address)))
            .collect();
        if new.is_empty() {
            return;
        }
        let Some(binary) = Binary::read(Path::new(&module.path)) else { return };
        for (address, frames) in new.iter().zip(binary.frames(&new)) {
            self.frames.insert((module.path.clone(), *address), frames);
        }
    }

    fn key(&self, part: &Part, entry: &Entry) -> Key {
        let function =
            if kind(entry.kind) == record::END { "the end of the program" } else { "other places" };
        let nowhere = Key { file: None, line: 0, function: function.into(), kind: entry.kind };
        let Some(module) = part.modules.iter().find(|module| module.holds(entry.place)) else {
            return nowhere;
        };
        let frames = self.frames.get(&(module.path.clone(), entry.place - 1 - module.base));
        let Some(frame) = frames.and_then(|frames| user(frames)) else {
            return Key { function: module.path.clone(), ..nowhere };
        };
        let (file, line) = frame.line.clone().map_or((None, 0), |(file, line)| (Some(file), line));
        Key { file, line, function: frame.function.clone(), kind: entry.kind }
    }
}

impl Module {
    fn holds(&self, place: u64) -> bool {
        (self.from..self.to).contains(&place)
    }
}

/// Returns the innermost function that is not in one of Meridian's headers, else the outermost.
pub fn user(frames: &[Frame]) -> Option<&Frame> {
    let ours = |frame: &&Frame| {
        frame.line.as_ref().is_some_and(|(file, _)| {
            let path = Path::new(file);
            let parent = path
                .parent()
                .is_some_and(|parent| parent.ends_with("meridian/abi") || parent.ends_with("meridian"));
            file.ends_with("<meridian>") || parent && path.extension().is_some_and(|e| e == "h")
        })
    };
    frames.iter().find(|frame| !ours(frame)).or(frames.last())
}
