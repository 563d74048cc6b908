//! Makes a program with a difference smaller: statements and loops are dropped as long as the difference
//! stays and the program is defined, according to sanitizers of its model.

use super::run::{Bench, Difference};
use super::{Case, Program};
use std::ops::Range;
use std::time::{Duration, Instant};

/// The smallest program found within a time, and its difference.
pub fn shrink(
    bench: &Bench,
    program: Program,
    difference: Difference,
    time: Duration,
) -> (Program, Difference) {
    let end = Instant::now() + time;
    let mut best = (program, difference);
    loop {
        let before = size(&best.0);
        pass(bench, &mut best, end);
        if size(&best.0) == before || Instant::now() >= end {
            return best;
        }
    }
}

fn size(program: &Program) -> usize {
    program.functions.len() + program.cases.iter().map(|case| case.text.len()).sum::<usize>()
}

/// Tries to drop each unit of the text once, the largest first.
fn pass(bench: &Bench, best: &mut (Program, Difference), end: Instant) {
    for part in 0..=best.0.cases.len() {
        let text = part_of(&mut best.0, part).clone();
        let mut candidates = units(&text);
        candidates.sort_by_key(|unit| std::cmp::Reverse(unit.len()));
        let mut gone = vec![false; text.len()];
        for unit in candidates {
            if Instant::now() >= end {
                return;
            }
            // A line that says which thread comes here stays, because without it there would be races.
            let only_line = unit.len() == 1 && text[unit.start].contains("MYTHREAD");
            if gone[unit.start] || gone[unit.end - 1] || only_line {
                continue;
            }
            for whole in [true, false] {
                // Only the two ends of a block, unless they say which thread comes there.
                if !whole && (unit.len() < 3 || !can_unwrap(&text[unit.start])) {
                    continue;
                }
                let mut now = gone.clone();
                match whole {
                    true => now[unit.clone()].fill(true),
                    false => (now[unit.start], now[unit.end - 1]) = (true, true),
                }
                let kept = text.iter().zip(&now).filter(|(_, gone)| !**gone).map(|(line, _)| line.clone());
                let mut smaller = best.0.clone();
                *part_of(&mut smaller, part) = kept.collect();
                if bench.is_defined(&smaller, best.1.threads()).is_err() {
                    continue;
                }
                if let Ok(Some(found)) = bench.again(&smaller, &best.1)
                    && found.is_like(&best.1)
                {
                    *best = (smaller, found);
                    gone = now;
                    break;
                }
            }
        }
    }
}

/// The lines of the functions, or of a case.
fn part_of(program: &mut Program, part: usize) -> &mut Vec<String> {
    match part {
        0 => &mut program.functions,
        _ => &mut program.cases[part - 1].text,
    }
}

fn can_unwrap(head: &str) -> bool {
    !["MYTHREAD", "upc_forall", "static", "switch"].iter().any(|word| head.contains(word))
}

/// The statements of a text: lines, and from each line that opens a block to the one that closes it.
fn units(text: &[String]) -> Vec<Range<usize>> {
    let (mut units, mut open) = (Vec::new(), Vec::new());
    for (at, line) in text.iter().enumerate() {
        let line = line.trim();
        let mut from = at;
        if line.starts_with('}')
            && let Some(first) = open.pop()
        {
            from = first;
            if !line.ends_with('{') {
                units.push(from..at + 1);
            }
        }
        match line.ends_with('{') {
            true => open.push(from),
            false if !line.starts_with('}') => units.push(at..at + 1),
            false => {}
        }
    }
    units
}

impl Case {
    /// Whether the case has been left out.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }
}
