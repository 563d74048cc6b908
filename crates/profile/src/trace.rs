//! The longest single calls as trace events, for Perfetto and chrome://tracing.
//!
//! The longest quanta of an Id90 program are events, too, named by their code-blocks, with the numbers of
//! live and ready activations.
//!
//! Each host is a process there, each thread of the job a thread. Times are in microseconds from the
//! beginning of the first thread. The clocks of several hosts agree only as well as the hosts synchronise
//! them.

use serde::Serialize;

use crate::lines::Places;
use crate::part::Part;
use crate::record::{Profile, short};

/// The most call events, which a browser still shows with ease.
const MOST: usize = 200_000;

/// An event of the trace-event format.
#[derive(Debug, Serialize)]
pub struct Event {
    pub name: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub cat: String,
    pub ph: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ts: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dur: Option<f64>,
    pub pid: usize,
    pub tid: u32,
    pub args: Arguments,
}

#[derive(Debug, Default, Serialize)]
pub struct Arguments {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    with_thread: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    threads: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    live: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ready: Option<u32>,
}

/// Returns the names of hosts and threads, then the calls, only the longest if there are too many, and then
/// the quanta.
pub fn events(parts: &[Part], profile: &Profile, places: &Places) -> Vec<Event> {
    let mut hosts: Vec<&str> = parts.iter().map(|part| &*part.host).collect();
    hosts.sort_unstable();
    hosts.dedup();
    let pid = |part: &Part| hosts.binary_search(&&*part.host).map_or(0, |n| n + 1);
    let begin = parts.iter().map(|part| part.began).min().unwrap_or(0);
    let mut calls: Vec<_> = parts
        .iter()
        .zip(places)
        .flat_map(|(part, places)| {
            part.calls.iter().map(move |call| (part, call, places[call.entry as usize]))
        })
        .collect();
    if calls.len() > MOST {
        calls.sort_by_key(|(_, call, _)| std::cmp::Reverse(call.ns));
        calls.truncate(MOST);
    }
    calls.sort_by_key(|(part, call, _)| (part.thread, call.began));
    let mut all: Vec<Event> =
        hosts.iter().enumerate().map(|(n, host)| name("process_name", n + 1, 0, host)).collect();
    all.extend(
        parts
            .iter()
            .map(|part| name("thread_name", pid(part), part.thread, &format!("thread {}", part.thread))),
    );
    all.extend(calls.into_iter().map(|(part, call, place)| {
        let line = &profile.lines[place];
        Event {
            name: format!("{} {}", line.kind, profile.place(line)),
            cat: line.kind.clone(),
            ph: "X",
            ts: Some((part.began - begin + call.began) as f64 / 1000.0),
            dur: Some(call.ns as f64 / 1000.0),
            pid: pid(part),
            tid: part.thread,
            args: Arguments {
                bytes: (call.bytes > 0).then_some(call.bytes),
                with_thread: (call.bytes > 0).then_some(call.other),
                ..Arguments::default()
            },
        }
    }));
    for part in parts {
        all.extend(quanta(part, part.began - begin, pid(part)));
    }
    all
}

/// Returns a processor's quanta: for each a slice, and the numbers of activations at its end.
fn quanta(part: &Part, offset: u64, pid: usize) -> Vec<Event> {
    let Some(left) = &part.tam else { return Vec::new() };
    let at = |ns: u64| Some((offset + ns) as f64 / 1000.0);
    let mut all = Vec::new();
    for quantum in &left.quanta {
        let codeblock = left.codeblock(quantum);
        let args = Arguments {
            threads: (quantum.threads > 0).then_some(quantum.threads),
            line: (codeblock.line > 0).then(|| format!("{}:{}", short(&codeblock.file), codeblock.line)),
            ..Arguments::default()
        };
        let (ts, tid) = (at(quantum.began), part.thread);
        let dur = Some(quantum.ns as f64 / 1000.0);
        let (name, cat) = (codeblock.name.clone(), "quantum".to_owned());
        all.push(Event { name, cat, ph: "X", ts, dur, pid, tid, args });
        let args =
            Arguments { live: Some(quantum.frames), ready: Some(quantum.ready), ..Arguments::default() };
        let (name, ts) = (format!("frames of {tid}"), at(quantum.began + quantum.ns));
        all.push(Event { name, cat: String::new(), ph: "C", ts, dur: None, pid, tid, args });
    }
    all
}

fn name(what: &str, pid: usize, tid: u32, name: &str) -> Event {
    let args = Arguments { name: Some(name.into()), ..Arguments::default() };
    Event { name: what.into(), cat: String::new(), ph: "M", ts: None, dur: None, pid, tid, args }
}
