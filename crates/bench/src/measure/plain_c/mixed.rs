//! The compile time of a program of ten thousand lines, compared with the C compiler's for C of that length:
//! the same text (`bench/c/mixed.inc`, repeated), in which UPC's shared objects are C's own.

use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, ensure};

use super::sample::Samples;
use crate::installation::Places;
use crate::measure::compiling::meridian;
use crate::measure::terminal::progress;
use crate::statistics::Spread;

/// The program's length.
const LINES: usize = 10_000;

const LEVELS: [&str; 2] = ["-O0", "-O3"];

/// Returns the text: the head, then the part repeated with each number in the place of `@`.
fn text(head: &str, part: &str) -> String {
    let mut text = head.to_owned();
    let parts = LINES.saturating_sub(head.lines().count()) / part.lines().count().max(1);
    (0..parts).for_each(|n| text += &part.replace('@', &n.to_string()));
    text
}

/// Compiles the text `times` times by each compiler, in turns. Returns the wall time of the commands, in
/// nanoseconds.
///
/// # Errors
/// If its sources cannot be read or do not compile.
pub fn measure(places: &Places, times: usize) -> Result<Samples> {
    let read = |name: &str| {
        let path = places.sources.join("c").join(name);
        std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))
    };
    let text = text(&read("mixed.h")?, &read("mixed.inc")?);
    for name in ["mixed.c", "mixed.upc"] {
        let path = places.result(name);
        std::fs::write(&path, &text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    let mut samples = Samples::new();
    for turn in 0..times {
        progress(&format!("compiling {LINES} lines, {} of {times}", turn + 1));
        for level in LEVELS {
            let ours = meridian(places);
            for (name, mut command, source) in
                [("cc", Command::new(&places.cc), "mixed.c"), ("ours", ours, "mixed.upc")]
            {
                command.args([level, "-w", "-c"]).arg(places.result(source));
                command.arg("-o").arg(places.result("mixed.o")).stdout(Stdio::null());
                let start = Instant::now();
                let status = command.status().context("cannot start a command")?;
                let took = start.elapsed().as_nanos() as f64;
                ensure!(status.success(), "{command:?} failed ({status})");
                samples.entry(format!("{name} {level}")).or_default().push(took);
            }
        }
    }
    progress("");
    Ok(samples)
}

/// Returns the rows.
pub fn table(samples: &Samples) -> String {
    let mut table = format!(
        "\na program of {LINES} lines, seconds of compiling, median; ratio to cc on C of that length\n\n"
    );
    for level in LEVELS {
        let of = |name: &str| samples.get(&format!("{name} {level}")).and_then(|s| Spread::of(s));
        if let (Some(cc), Some(ours)) = (of("cc"), of("ours")) {
            let (cc, ours) = (cc.median, ours.median);
            table += &format!(
                "  {level}: cc {:.2}, meridian cc {:.2}, {:.2} times, goal 1.3\n",
                cc / 1e9,
                ours / 1e9,
                ours / cc
            );
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_has_its_length_and_its_parts_differ() {
        let text = text("head\n", "int a@;\nint b@;\n");
        assert_eq!(text.lines().count(), LINES - 1);
        assert!(text.starts_with("head\nint a0;\nint b0;\nint a1;\n"), "{}", &text[..40]);
    }

    #[test]
    fn each_level_that_was_measured_has_a_row() {
        let samples = Samples::from([("cc -O3".into(), vec![2e9]), ("ours -O3".into(), vec![3e9])]);
        let table = table(&samples);
        assert!(table.contains("-O3: cc 2.00, meridian cc 3.00, 1.50 times"), "{table}");
        assert!(!table.contains("-O0"), "{table}");
    }
}
