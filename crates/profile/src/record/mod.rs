//! The profile of a job: its threads, the sources, and what each line of them has cost; and of an Id90
//! program also the machine under it (`tam`).

mod tam;

use std::path::Path;

use serde::{Deserialize, Serialize};

pub use tam::{CLASSES, Codeblock, Counter, Machine};

/// The kind that stands for the wait for the other threads behind main, which has no line.
pub const END: &str = "end";

/// The version of the file.
pub const FORMAT: u64 = 1;

/// What a job's calls of the runtime have cost. Times are in nanoseconds.
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
    /// The others.
    pub missing: Vec<u32>,
    /// Shorter calls are not among the trace events.
    pub shortest_event_ns: u64,
    /// The sources.
    pub files: Vec<File>,
    /// What costs most comes first.
    pub lines: Vec<Line>,
    /// The machine under an Id90 program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tam: Option<Machine>,
}

/// A thread, its host, and how long it ran.
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
    /// As the compiler was told it.
    pub path: String,
    /// What it held when the job had ended, if it could be read.
    pub text: Option<String>,
    /// It was changed after the program was compiled.
    pub newer: bool,
}

/// All calls of one kind in one line, by all threads together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// A number among the files; none where the line is not known.
    pub file: Option<usize>,
    /// From 1; 0 where the line is not known.
    pub line: u32,
    /// The function that holds it.
    pub function: String,
    /// What the calls did.
    pub kind: String,
    /// How often.
    pub calls: u64,
    /// Bytes that they moved.
    pub bytes: u64,
    /// The time that they took.
    pub ns: u64,
    /// The longest call.
    pub longest_ns: u64,
    /// The thread for which they took longest, and how long.
    pub slowest_thread: u32,
    /// Its time.
    pub slowest_ns: u64,
}

impl Profile {
    /// The time of all threads together.
    pub fn time(&self) -> u64 {
        self.ran.iter().map(|thread| thread.ns).sum()
    }

    /// How much of the time of all threads `ns` is, in percent.
    pub fn percent(&self, ns: u64) -> f64 {
        if self.time() == 0 { 0.0 } else { ns as f64 * 100.0 / self.time() as f64 }
    }

    /// `file.upc:7`, or the function where the line is not known.
    pub fn place(&self, line: &Line) -> String {
        match line.file {
            Some(file) => format!("{}:{}", short(&self.files[file].path), line.line),
            None => line.function.clone(),
        }
    }

    /// Whether calls of the program's text have no line.
    pub fn lacks_lines(&self) -> bool {
        self.lines.iter().any(|line| line.file.is_none() && line.kind != END)
    }
}

/// A path as it is shown: from the current directory if it lies there.
pub fn short(path: &str) -> &str {
    let here = std::env::current_dir().unwrap_or_default();
    Path::new(path).strip_prefix(here).ok().and_then(Path::to_str).unwrap_or(path)
}
