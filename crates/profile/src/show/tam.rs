//! The machine under an Id90 program, in the terminal and on the page.

use std::fmt::Write;

use maud::{Markup, html};

use super::numbers::{number, time};
use crate::record::{CLASSES, Counter, Machine};

/// The most processors that have a column each; for more, the least and the most are shown.
const COLUMNS: usize = 8;
/// The most code-blocks that are listed.
const MOST: usize = 12;
const WITHOUT: &str =
    "Its instructions were not counted: meridian cc --count-instructions compiles a program that does.";

/// The heads of the columns after the sum.
fn heads(machine: &Machine) -> Vec<String> {
    match machine.processors.len() {
        1 => Vec::new(),
        2..=COLUMNS => machine.processors.iter().map(|p| format!("on {p}")).collect(),
        _ => vec!["least".into(), "most".into()],
    }
}

/// A counter's sum, and the columns after it.
fn columns(of: &[u64]) -> Vec<u64> {
    let mut all = vec![of.iter().sum()];
    match of.len() {
        1 => {}
        2..=COLUMNS => all.extend(of),
        _ => all.extend([of.iter().min().copied().unwrap_or(0), of.iter().max().copied().unwrap_or(0)]),
    }
    all
}

fn share(n: u64, of: u64) -> f64 {
    if of == 0 { 0.0 } else { n as f64 * 100.0 / of as f64 }
}

/// Groups of counters, each with its title.
fn groups(machine: &Machine) -> Vec<(String, Vec<&Counter>)> {
    let seen = |counter: &&Counter| counter.of.iter().any(|n| *n > 0);
    let mut groups: Vec<(String, Vec<&Counter>)> = CLASSES
        .iter()
        .map(|class| (format!("{class} instructions"), machine.of_class(class).filter(seen).collect()))
        .collect();
    groups.push(("operations of the machine".into(), machine.others().filter(seen).collect()));
    groups.retain(|(_, counters)| !counters.is_empty());
    groups
}

/// The classes with their instructions by processor; empty if these were not counted.
fn mix(machine: &Machine) -> Vec<(&'static str, Vec<u64>)> {
    if !machine.counts_instructions() {
        return Vec::new();
    }
    CLASSES.iter().map(|class| (*class, machine.class(class))).collect()
}

/// A line of the text: a name, a share of something in percent, and columns.
fn line(text: &mut String, name: &str, share: &str, cells: &[String]) {
    let cells: String = cells.iter().map(|cell| format!("  {cell:>14}")).collect();
    let _ = writeln!(text, "{name:<40}  {share:>6}{cells}");
}

fn numbers(of: &[u64]) -> Vec<String> {
    columns(of).into_iter().map(number).collect()
}

/// Appends the machine as text.
pub fn report(text: &mut String, machine: &Machine) {
    text.push_str("\nThe threaded abstract machine\n");
    let mut names = vec!["all".to_owned()];
    names.extend(heads(machine));
    let mix = mix(machine);
    let all: u64 = mix.iter().flat_map(|(_, of)| of).sum();
    if mix.is_empty() {
        text.push_str(WITHOUT);
        text.push('\n');
    } else {
        line(text, "instructions", "%", &names);
    }
    for (class, of) in &mix {
        line(text, &format!("  {class}"), &format!("{:.1}", share(of.iter().sum(), all)), &numbers(of));
    }
    for (what, ratio) in machine.ratios() {
        line(text, what, "", &[format!("{ratio:.1}")]);
    }
    for (head, counters) in groups(machine) {
        line(text, &head, "", &names);
        for counter in counters {
            line(text, &format!("  {}", short(counter)), "", &numbers(&counter.of));
        }
    }
    blocks(text, machine);
}

/// A counter's name without its class.
fn short(counter: &Counter) -> &str {
    let (class, rest) = counter.name.split_once(' ').unwrap_or(("", &counter.name));
    if CLASSES.contains(&class) { rest } else { &counter.name }
}

fn blocks(text: &mut String, machine: &Machine) {
    if machine.codeblocks.is_empty() {
        return;
    }
    let _ = writeln!(
        text,
        "{:>10}  {:>12}  {:>12}  {:>12}  code-block",
        "time", "activations", "quanta", "threads"
    );
    for block in machine.codeblocks.iter().take(MOST) {
        let _ = writeln!(
            text,
            "{:>10}  {:>12}  {:>12}  {:>12}  {}",
            time(block.ns),
            number(block.activations),
            number(block.quanta),
            number(block.threads),
            block.place()
        );
    }
    if machine.codeblocks.len() > MOST {
        let _ = writeln!(text, "and {} more code-blocks, with less time", machine.codeblocks.len() - MOST);
    }
}

/// The machine on the page: the mix of instructions as bars, one for each processor, and tables.
pub fn page(machine: &Machine) -> Markup {
    let mix = mix(machine);
    let all: u64 = mix.iter().flat_map(|(_, of)| of).sum();
    html! {
        h2 { "The threaded abstract machine" }
        @if mix.is_empty() { p { (WITHOUT) } } @else {
            p.key { @for (n, (class, of)) in mix.iter().enumerate() {
                span.(format!("c{n}")) { (class) } (format!(" {:.1} % ", share(of.iter().sum(), all)))
            } }
            @let longest = (0..machine.processors.len()).map(|p| total(&mix, p)).max().unwrap_or(0);
            @for (p, processor) in machine.processors.iter().enumerate() {
                div.mix title={ "processor " (processor) ": " (number(total(&mix, p))) " instructions" } {
                    @for (n, (class, of)) in mix.iter().enumerate() {
                        div.(format!("c{n}")) title={ (class) " " (number(of[p])) }
                            style=(format!("width: {:.3}%", share(of[p], longest))) {}
                    }
                }
            }
        }
        div.wide { table {
            @for (what, ratio) in machine.ratios() { tr { td { (what) } td { (format!("{ratio:.1}")) } } }
        } }
        @for (head, counters) in groups(machine) {
            div.wide { table {
                tr { th { (head) } th { "all" } @for head in heads(machine) { th { (head) } } }
                @for counter in counters {
                    tr { td { (short(counter)) } @for cell in numbers(&counter.of) { td { (cell) } } }
                }
            } }
        }
        div.wide { table {
            tr { th { "code-block" } th { "time" } th { "activations" } th { "quanta" } th { "threads" } }
            @for block in &machine.codeblocks {
                tr {
                    td { (block.place()) } td { (time(block.ns)) } td { (number(block.activations)) }
                    td { (number(block.quanta)) } td { (number(block.threads)) }
                }
            }
        } }
    }
}

/// All instructions of a processor.
fn total(mix: &[(&str, Vec<u64>)], processor: usize) -> u64 {
    mix.iter().map(|(_, of)| of[processor]).sum()
}
