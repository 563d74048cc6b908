//! The prediction as text and as JSON.

use serde_json::{Value, json};

use crate::engine::{Process, Run};
use crate::machine::{Time, text};

/// The shown results of a run.
#[derive(Debug)]
pub struct Prediction {
    /// The number of processes.
    pub processes: u32,
    /// The run.
    pub run: Run,
    /// The measured time with this number of processes, if a trace has it.
    pub measured: Option<Time>,
}

/// A prediction in a table of several.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The number of processes.
    pub processes: u32,
    /// The predicted time.
    pub time: Time,
    /// The measured time with this number of processes.
    pub measured: Option<Time>,
}

/// The components of a process's time, in the order of the columns.
fn parts(process: &Process) -> [Time; 4] {
    let known = process.compute + process.overhead + process.gap;
    [process.compute, process.overhead, process.gap, process.clock.saturating_sub(known)]
}

const NAMES: [&str; 4] = ["computing", "overhead", "gap", "waiting"];

impl Prediction {
    /// The components of the critical path, by name.
    fn path(&self) -> [(&'static str, Time); 5] {
        let last = &self.run.processes[self.run.last() as usize];
        let path = last.path;
        [
            ("computing", path.compute),
            ("overhead", path.overhead),
            ("gap", path.gap),
            ("bytes", path.transfer),
            ("latency", path.latency(last.clock)),
        ]
    }

    /// The listed processes: all if there are few, else the slowest.
    fn listed(&self, rows: usize) -> Vec<u32> {
        let mut all: Vec<u32> = (0..self.processes).collect();
        if self.processes > 16 {
            all.sort_by_key(|p| (std::cmp::Reverse(self.run.processes[*p as usize].clock), *p));
            all.truncate(rows);
        }
        all
    }

    /// The prediction for the terminal.
    pub fn text(&self, rows: usize) -> String {
        let time = self.run.time();
        let mut out = format!("{} processes: {}", self.processes, text(time));
        if let Some(measured) = self.measured {
            let error = (time as f64 / measured as f64 - 1.0) * 100.0;
            out += &format!("; the recording took {} ({error:+.0} %)", text(measured));
        }
        out += &format!("\n{} messages\n\n  {:12}", self.run.messages, "process");
        NAMES.iter().for_each(|name| out += &format!(" {name:>14}"));
        out += &format!(" {:>14}\n", "end");
        let row = |name: &str, parts: [Time; 4], end: Time| {
            let cells: String = parts.iter().map(|part| format!(" {:>14}", text(*part))).collect();
            format!("  {name:12}{cells} {:>14}\n", text(end))
        };
        for p in self.listed(rows) {
            let process = &self.run.processes[p as usize];
            out += &row(&p.to_string(), parts(process), process.clock);
        }
        let (mean, end) = self.mean();
        out += &row("mean", mean, end);
        out += &self.path_text(rows);
        out
    }

    fn path_text(&self, rows: usize) -> String {
        let last = &self.run.processes[self.run.last() as usize];
        let time = last.clock.max(1) as f64;
        let mut out = format!("\ncritical path: {} messages\n\n", last.path.messages);
        for (name, part) in self.path() {
            out += &format!("  {name:12} {:>14} {:5.1} %\n", text(part), part as f64 / time * 100.0);
        }
        match self.run.links.chain(last.path.link) {
            None => out += "\n  (too long to be listed)\n",
            Some(chain) if chain.is_empty() => {}
            Some(chain) => {
                out += "\n";
                let skipped = chain.len().saturating_sub(rows);
                if skipped > 0 {
                    out += &format!("  ({skipped} waits before these)\n");
                }
                for link in &chain[skipped..] {
                    out += &format!(
                        "  {:>14}  process {} had waited for {}\n",
                        text(link.at),
                        link.to,
                        link.from
                    );
                }
            }
        }
        out
    }

    fn mean(&self) -> ([Time; 4], Time) {
        let mut sums = [0u128; 5];
        for process in &self.run.processes {
            let all = parts(process).into_iter().chain([process.clock]);
            sums.iter_mut().zip(all).for_each(|(sum, part)| *sum += u128::from(part));
        }
        let mean = sums.map(|sum| (sum / self.run.processes.len() as u128) as Time);
        ([mean[0], mean[1], mean[2], mean[3]], mean[4])
    }

    /// The prediction for programs; times in nanoseconds.
    pub fn json(&self, rows: usize) -> Value {
        let ns = |time: Time| time as f64 / 1e3;
        let named = |parts: [Time; 4]| -> Value {
            NAMES.iter().zip(parts).map(|(name, part)| (name.to_string(), json!(ns(part)))).collect()
        };
        let processes: Vec<Value> = self
            .listed(rows)
            .into_iter()
            .map(|p| {
                let process = &self.run.processes[p as usize];
                json!({"process": p, "end": ns(process.clock), "parts": named(parts(process))})
            })
            .collect();
        let last = &self.run.processes[self.run.last() as usize];
        let path: Value =
            self.path().map(|(name, part)| (name.to_string(), json!(ns(part)))).into_iter().collect();
        let waits = self.run.links.chain(last.path.link).map(|chain| {
            let skipped = chain.len().saturating_sub(rows);
            let link =
                |link: &crate::path::Link| json!({"at": ns(link.at), "process": link.to, "for": link.from});
            json!({"before": skipped, "last": chain[skipped..].iter().map(link).collect::<Vec<_>>()})
        });
        json!({
            "processes": self.processes,
            "time": ns(self.run.time()),
            "measured": self.measured.map(ns),
            "messages": self.run.messages,
            "events": self.run.events,
            "mean": named(self.mean().0),
            "listed": processes,
            "path": {"messages": last.path.messages, "parts": path, "waits": waits},
        })
    }
}

/// The scaling as a table: threads, time, its ratio to the first time, and, if there are measurements, the
/// measured time and the error.
pub fn scaling(rows: &[Row]) -> String {
    let first = rows.first().map_or(1, |row| row.time.max(1)) as f64;
    let any = rows.iter().any(|row| row.measured.is_some());
    let mut out = format!("  {:>10} {:>14} {:>10}", "processes", "time", "ratio");
    out += if any { "       measured      error\n" } else { "\n" };
    for Row { processes, time, measured } in rows {
        out += &format!("  {processes:>10} {:>14} {:>10.3}", text(*time), *time as f64 / first);
        if let Some(measured) = measured {
            let error = (*time as f64 / (*measured).max(1) as f64 - 1.0) * 100.0;
            out += &format!(" {:>14} {:>10}", text(*measured), format!("{error:+.0} %"));
        }
        out.push('\n');
    }
    out
}
