//! A profile in the terminal: the costliest lines, and then the sources with their costs beside them.

use std::fmt::Write;

use super::numbers::{number, time};
use super::summary::{costs, summary};
use super::tam;
use crate::record::{Profile, short};

/// The most lines of the table.
const MOST: usize = 20;
/// The number of lines shown before and after a line that has a cost.
const AROUND: u32 = 2;

/// Returns the report, with all lines of each source if `whole` is set.
pub fn report(profile: &Profile, whole: bool) -> String {
    let mut text = summary(profile).join("\n") + "\n\n";
    if profile.lines.is_empty() {
        text.push_str("No call of the runtime was made, and no remote memory accessed.\n");
    } else {
        table(&mut text, profile);
    }
    if let Some(machine) = &profile.tam {
        tam::report(&mut text, machine);
    }
    for file in 0..profile.files.len() {
        source(&mut text, profile, file, whole);
    }
    text
}

/// Appends the table of the costliest lines.
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

/// Appends a source with its costs.
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
