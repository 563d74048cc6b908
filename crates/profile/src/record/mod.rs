//! The profile of a job: its threads, the sources, and the cost of each line; for an Id90 program also the
//! machine under it (`tam`).

mod tam;

use std::path::Path;

use base::contract::record_kinds;
use serde::{Deserialize, Serialize};

pub use tam::{CLASSES, Codeblock, Counter, Machine};

/// The kind of the wait for the other threads after main, which has no line.
pub const END: &str = record_kinds::ALL[record_kinds::END as usize];

/// The version of the file.
pub const FORMAT: u64 = 1;

/// The costs of a job's calls of the runtime. Times are in nanoseconds.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Profile {
    /// [`FORMAT`].
    pub format: u64,
    /// The version of Meridian.
    pub version: String,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// THREADS.
    pub threads: u32,
    /// The threads whose costs are known.
    pub ran: Vec<Thread>,
    /// The other threads.
    pub missing: Vec<u32>,
    /// Shorter calls are not among the trace events.
    pub shortest_event_ns: u64,
    /// The sources.
    pub files: Vec<File>,
    /// The lines, in descending order of cost.
    pub lines: Vec<Line>,
    /// The machine under an Id90 program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tam: Option<Machine>,
}

/// A thread, its host, and its time.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub struct Thread {
    /// MYTHREAD.
    pub thread: u32,
    /// The host's name.
    pub host: String,
    /// From the beginning of main to its end.
    pub ns: u64,
}

/// A source file.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub struct File {
    /// The path as the compiler got it.
    pub path: String,
    /// The contents when the job had ended, if the file could be read.
    pub text: Option<String>,
    /// Whether the file was changed after the program was compiled.
    pub newer: bool,
}

/// All calls of one kind in one line, by all threads together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// The file's number; `None` if the line is not known.
    pub file: Option<usize>,
    /// The line's number, from 1; 0 if the line is not known.
    pub line: u32,
    /// The function that contains the line.
    pub function: String,
    /// The kind of calls.
    pub kind: String,
    /// The number of calls.
    pub calls: u64,
    /// The number of bytes that the calls moved.
    pub bytes: u64,
    /// The time of the calls.
    pub ns: u64,
    /// The time of the longest call.
    pub longest_ns: u64,
    /// The thread whose calls took longest.
    pub slowest_thread: u32,
    /// The time of that thread's calls.
    pub slowest_ns: u64,
}

impl Profile {
    /// The time of all threads together.
    pub fn time(&self) -> u64 {
        self.ran.iter().map(|thread| thread.ns).sum()
    }

    /// The share of `ns` in the time of all threads, in percent.
    pub fn percent(&self, ns: u64) -> f64 {
        if self.time() == 0 { 0.0 } else { ns as f64 * 100.0 / self.time() as f64 }
    }

    /// `file.upc:7`, or the function if the line is not known.
    pub fn place(&self, line: &Line) -> String {
        match line.file {
            Some(file) => format!("{}:{}", short(&self.files[file].path), line.line),
            None => line.function.clone(),
        }
    }

    /// Returns whether calls of the program's text have no line.
    pub fn lacks_lines(&self) -> bool {
        self.lines.iter().any(|line| line.file.is_none() && line.kind != END)
    }
}

/// The shown form of a path: relative to the current directory if it lies there.
pub fn short(path: &str) -> &str {
    let here = std::env::current_dir().unwrap_or_default();
    Path::new(path).strip_prefix(here).ok().and_then(Path::to_str).unwrap_or(path)
}
