//! The longest calls one by one, as trace events: what Perfetto and chrome://tracing draw.
//!
//! Each host is a process there, each thread of the job a thread. Times are in microseconds from the
//! beginning of the first thread. Clocks of several hosts are only as near to each other as the hosts keep
//! them.

use serde::Serialize;

use crate::lines::Places;
use crate::part::Part;
use crate::record::Profile;

/// As many events as a browser still shows with ease.
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
}

/// Names of hosts and threads, and then the calls, the longest of them where there are too many.
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
                name: None,
                bytes: (call.bytes > 0).then_some(call.bytes),
                with_thread: (call.bytes > 0).then_some(call.other),
            },
        }
    }));
    all
}

fn name(what: &str, pid: usize, tid: u32, name: &str) -> Event {
    let args = Arguments { name: Some(name.into()), ..Arguments::default() };
    Event { name: what.into(), cat: String::new(), ph: "M", ts: None, dur: None, pid, tid, args }
}
