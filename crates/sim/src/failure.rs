//! Messages about runs that have no result.

use std::fmt::Write;

use crate::engine::{Failed, Process, Waits};
use crate::program::Program;

/// The most processes that are named.
const NAMED: usize = 8;

/// A failure as a message.
pub fn text(failed: &Failed, program: &impl Program) -> String {
    match failed {
        Failed::TooLong(process) => format!("process {process} runs for longer than 46 days"),
        Failed::TooMany => "more than 2^31 messages are under way at once".into(),
        Failed::NotReceived(some, many) => {
            let each: Vec<String> =
                some.iter().map(|(from, to, _)| format!("of process {from} to process {to}")).collect();
            let more = if *many > each.len() as u64 { ", ..." } else { "" };
            format!("{many} messages were sent but never received: one {}{more}", each.join(", one "))
        }
        Failed::Deadlock(processes) => deadlock(processes, program),
    }
}

fn deadlock(processes: &[Process], program: &impl Program) -> String {
    let waiting: Vec<usize> = (0..processes.len()).filter(|p| processes[*p].waits != Waits::Ended).collect();
    let mut text = format!("{} of {} processes wait for ever", waiting.len(), processes.len());
    for &p in waiting.iter().take(NAMED) {
        let process = &processes[p];
        let what = match process.waits {
            Waits::Message { from: Some(from), .. } => {
                let ended = processes.get(from as usize).is_none_or(|other| other.waits == Waits::Ended);
                let why = if ended { ", which has ended without sending it" } else { "" };
                format!("a message of process {from}{why}")
            }
            Waits::Message { from: None, .. } => "a message of any process".into(),
            _ => format!("{} replies (perhaps of a lock that is never released)", process.replies),
        };
        let place = program.place(p as u32, &process.cursor);
        let _ = write!(text, "\n  process {p} waits for {what} ({place})");
    }
    if waiting.len() > NAMED {
        text += "\n  ...";
    }
    if let Some(cycle) = cycle(processes, &waiting) {
        let names: Vec<String> = cycle.iter().map(|p| p.to_string()).collect();
        let _ = write!(text, "\n  a cycle of waits: {}", names.join(" for "));
    }
    text
}

/// Returns processes each of which waits for the next; the last is the first once more.
fn cycle(processes: &[Process], waiting: &[usize]) -> Option<Vec<usize>> {
    let next = |p: usize| match processes[p].waits {
        Waits::Message { from: Some(from), .. } => Some(from as usize),
        _ => None,
    };
    // After as many steps as there are processes, `at` is in the circle, if there is one.
    let mut at = *waiting.first()?;
    for _ in 0..processes.len() {
        at = next(at).filter(|p| *p < processes.len())?;
    }
    let mut cycle = vec![at];
    while cycle.len() <= NAMED {
        let p = next(*cycle.last()?)?;
        cycle.push(p);
        if p == at {
            return Some(cycle);
        }
    }
    None
}
