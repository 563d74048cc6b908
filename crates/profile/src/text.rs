//! A profile in the terminal: what costs most, and then the sources with their costs beside them.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::record::{Line, Profile, short};

/// Lines of the table.
const MOST: usize = 20;
/// Lines that are shown before and after one that costs something.
const AROUND: u32 = 2;

/// What one line of a source costs, by all kinds of calls.
#[derive(Clone, Copy, Default)]
pub struct Cost {
    pub calls: u64,
    pub bytes: u64,
    pub ns: u64,
}

/// The costs of a file by its lines.
pub fn costs(profile: &Profile, file: usize) -> BTreeMap<u32, Cost> {
    let mut costs: BTreeMap<u32, Cost> = BTreeMap::new();
    for line in profile.lines.iter().filter(|line| line.file == Some(file)) {
        let cost = costs.entry(line.line).or_default();
        cost.calls += line.calls;
        cost.bytes += line.bytes;
        cost.ns += line.ns;
    }
    costs
}

/// A number with commas.
pub fn number(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A time in the unit that suits it.
pub fn time(ns: u64) -> String {
    let ns = ns as f64;
    match ns {
        _ if ns < 1e3 => format!("{ns} ns"),
        _ if ns < 1e6 => format!("{:.2} us", ns / 1e3),
        _ if ns < 1e9 => format!("{:.2} ms", ns / 1e6),
        _ => format!("{:.2} s", ns / 1e9),
    }
}

/// What the job was, and what the runtime took of it.
pub fn summary(profile: &Profile) -> [String; 2] {
    let mut hosts: Vec<_> = profile.ran.iter().map(|thread| &thread.host).collect();
    hosts.sort_unstable();
    hosts.dedup();
    let longest = profile.ran.iter().map(|thread| thread.ns).max().unwrap_or(0);
    let sum = |of: fn(&Line) -> u64| profile.lines.iter().map(of).sum::<u64>();
    let plural = |n: usize, word: &str| format!("{n} {word}{}", if n == 1 { "" } else { "s" });
    [
        format!(
            "{}: {} on {}, {}",
            profile.command.join(" "),
            plural(profile.threads as usize, "thread"),
            plural(hosts.len(), "machine"),
            time(longest)
        ),
        format!(
            "Calls of the runtime: {}, with {} bytes, took {:.1} % of the threads' time.",
            number(sum(|line| line.calls)),
            number(sum(|line| line.bytes)),
            profile.percent(sum(|line| line.ns))
        ),
    ]
}

/// The report; with `whole` all lines of each source.
pub fn report(profile: &Profile, whole: bool) -> String {
    let mut text = summary(profile).join("\n") + "\n\n";
    if profile.lines.is_empty() {
        text.push_str("No call of the runtime was made, and no remote memory accessed.\n");
    } else {
        table(&mut text, profile);
    }
    if let Some(machine) = &profile.tam {
        crate::tam_text::report(&mut text, machine);
    }
    for file in 0..profile.files.len() {
        source(&mut text, profile, file, whole);
    }
    text
}

/// What costs most, line by line.
fn table(text: &mut String, profile: &Profile) {
    let _ = writeln!(
        text,
        "{:>6}  {:>10}  {:>10}  {:>12}  {:>14}  {:<10}  line",
        "% time", "time", "longest", "calls", "bytes", "kind"
    );
    for line in profile.lines.iter().take(MOST) {
        let _ = writeln!(
            text,
            "{:>6.1}  {:>10}  {:>10}  {:>12}  {:>14}  {:<10}  {}",
            profile.percent(line.ns),
            time(line.ns),
            time(line.longest_ns),
            number(line.calls),
            number(line.bytes),
            line.kind,
            profile.place(line)
        );
    }
    if profile.lines.len() > MOST {
        let _ = writeln!(text, "and {} more lines, with less time", profile.lines.len() - MOST);
    }
}

/// A source with its costs.
fn source(text: &mut String, profile: &Profile, file: usize, whole: bool) {
    let Some(lines) = &profile.files[file].text else { return };
    let costs = costs(profile, file);
    let _ = writeln!(text, "\n{}", short(&profile.files[file].path));
    let _ = writeln!(text, "{:>6}  {:>12}  {:>14}", "% time", "calls", "bytes");
    let shown = |n: u32| whole || costs.range(n.saturating_sub(AROUND)..=n + AROUND).next().is_some();
    let mut gap = false;
    for (n, line) in (1..).zip(lines.lines()) {
        if !shown(n) {
            gap = true;
            continue;
        }
        if std::mem::take(&mut gap) {
            let _ = writeln!(text, "{:>36}  ...", "");
        }
        let _ = match costs.get(&n) {
            Some(cost) => writeln!(
                text,
                "{:>6.1}  {:>12}  {:>14}  {n:>5} | {line}",
                profile.percent(cost.ns),
                number(cost.calls),
                number(cost.bytes)
            ),
            None => writeln!(text, "{:>36}  {n:>5} | {line}", ""),
        };
    }
}
