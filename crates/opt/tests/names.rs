//! Each rendered name denotes the same object as in the program: the verifier of `opt` checks all
//! combinations of the templates of loops (`common/templates.rs`) after each pass, and no pass breaks one. If
//! MERIDIAN_TEST_SAMPLE is a number (`tests/src/sample.rs`), it chooses a quarter of the combinations.

mod common;
#[path = "common/templates.rs"]
mod templates;

use c_syntax::Language;
use std::collections::{BTreeMap, HashSet};
use std::fmt::Write;

/// The number of tests that share the combinations, and run at a time if there are processors for them.
const PARTS: usize = 4;
/// A sample has one combination of each part in this many.
const SHARE: usize = 4;

/// Returns a program without its erroneous functions: some declare a name twice in a block. Each function
/// takes one line.
fn accepted(text: &str) -> String {
    let source = base::Source::new(text.to_owned());
    let (unit, mut diagnostics) =
        c_syntax::parse(&source, c_syntax::Dialect { language: Language::Upc, gnu: true });
    diagnostics.extend(c_sema::check(&unit, &source, c_sema::Env::default()).1);
    let errors = diagnostics.iter().filter(|d| d.severity == base::Severity::Error);
    let wrong: HashSet<usize> = errors.map(|error| source.line_of(error.span.lo)).collect();
    let lines = (0..).zip(text.split_inclusive('\n'));
    lines.filter(|(line, _)| !wrong.contains(line)).map(|(_, text)| text).collect()
}

/// Returns the faults that the verifier finds after a pass, with functions inlined (`inlined`) or not.
fn faults(text: &str, inlined: bool) -> Vec<String> {
    let source = base::Source::new(text.to_owned());
    let mut tree = common::tree(Language::Upc, &source).expect("no errors");
    if inlined {
        opt::prepare(&mut tree, &source);
    }
    let parsed = opt::verify::verify(&tree);
    let mut found: Vec<String> =
        parsed.iter().map(|broken| broken.said(opt::PassId("none"), &source)).collect();
    for pass in opt::passes::PASSES {
        for broken in opt::passes::apply(&mut tree, pass) {
            let line = source.slice(source.line_span(source.line_of(broken.begins)));
            found.push(format!("{}\n{line}", broken.said(pass.id, &source)));
        }
    }
    found
}

/// Checks that no pass breaks a combination of this part.
fn check(part: usize) {
    let (mut combinations, mut kinds) = (0, BTreeMap::new());
    let asked = std::env::var("MERIDIAN_TEST_SAMPLE").ok().and_then(|number| number.parse::<usize>().ok());
    let (first, distance) =
        asked.map_or((part, PARTS), |number| (part + number % SHARE * PARTS, PARTS * SHARE));
    for text in templates::programs().skip(first).step_by(distance).map(|text| accepted(&text)) {
        combinations += text.matches("\nint f").count();
        // Without calls the two are the same.
        let calling: String = text
            .split_inclusive('\n')
            .filter(|line| !line.starts_with("int f") || line.contains("find("))
            .collect();
        for fault in faults(&text, true).into_iter().chain(faults(&calling, false)) {
            let (kind, line) = fault.split_once('\n').unwrap_or((&fault, ""));
            let kind = kind.replace(|c: char| c.is_ascii_digit(), "");
            let (count, example) = kinds.entry(kind).or_insert((0, line.to_owned()));
            *count += 1;
            if line.len() < example.len() {
                *example = line.to_owned();
            }
        }
    }
    let mut said = String::new();
    for (kind, (count, line)) in kinds {
        let _ = writeln!(said, "{count} times {kind}\n{line}");
    }
    assert!(said.is_empty(), "of {combinations} combinations:\n{said}");
    let least = if asked.is_some() { 1500 / SHARE / 2 } else { 1500 };
    assert!(combinations > least, "{combinations} combinations are accepted");
}

#[test]
fn no_pass_breaks_a_combination() {
    check(0);
}

#[test]
fn no_pass_breaks_one_of_the_second_quarter() {
    check(1);
}

#[test]
fn no_pass_breaks_one_of_the_third_quarter() {
    check(2);
}

#[test]
fn no_pass_breaks_one_of_the_last_quarter() {
    check(3);
}
