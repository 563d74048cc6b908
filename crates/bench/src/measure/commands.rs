//! Commands of the part `plain-c` whose wall-clock time is measured: compiling and starting hello; and the
//! compilation of a program of ten thousand lines, beside the C compiler's of C of that length. That is the
//! same text (`bench/c/mixed.inc`, repeated), in which UPC's shared objects are C's own.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};

use super::runs::{Reading, Run};
use super::system::{C, System, UPC};
use crate::installation::Places;
use crate::options::{Conduit, Part};
use crate::results::Point;

/// The long program's length.
pub const LINES: usize = 10_000;

/// The levels of optimisation at which it is compiled.
pub const LEVELS: [&str; 2] = ["-O0", "-O3"];

/// The names of the programs.
pub const NAMES: [&str; 2] = ["hello", "mixed"];

/// Returns a run of a command, which measures the point `name`.
fn run(name: &str, command: Command, turns: u32) -> Run {
    Run {
        label: format!("plain-c {name}"),
        is_ours: true,
        command,
        reading: Reading::Nothing,
        profile: PathBuf::new(),
        point: Point {
            part: Part::PlainC.name().into(),
            dialect: "all".into(),
            conduit: Conduit::Smp.name().into(),
            series: name.into(),
            what: "command".into(),
            at: BTreeMap::new(),
            ns: vec![],
        },
        parts: vec![Part::PlainC],
        turns,
        is_over: false,
    }
}

/// Returns the runs that compile and start hello: the programs are compiled before they are started.
///
/// # Errors
/// If there is no compiler.
pub fn hello(places: &Places, turns: u32) -> Result<Vec<Run>> {
    let (ours, plain) = (places.result("hello"), places.result("hello-plain"));
    let compile = |system: &System, source: &str, to: &PathBuf| -> Result<Command> {
        let mut command = system.compiler(places)?;
        command.arg(places.sources.join(source)).arg("-o").arg(to);
        Ok(command)
    };
    let mut start = Command::new(&places.meridian);
    start.args(["run", "-n", "4"]).arg(&ours);
    Ok(vec![
        run("hello/compile_cc", compile(&C, "c/hello.c", &plain)?, turns),
        run("hello/compile_ours", compile(&UPC, "upc/hello.upc", &ours)?, turns),
        run("hello/start_4", start, turns),
        run("hello/start_plain", Command::new(&plain), turns),
    ])
}

/// Returns the text of the long program: the head, then the part repeated with each number in the place of
/// `@`.
fn text(head: &str, part: &str) -> String {
    let mut text = head.to_owned();
    let parts = LINES.saturating_sub(head.lines().count()) / part.lines().count().max(1);
    (0..parts).for_each(|n| text += &part.replace('@', &n.to_string()));
    text
}

/// Returns the runs that compile the long program, whose text is written here.
///
/// # Errors
/// If its sources cannot be read, or its text cannot be written.
pub fn mixed(places: &Places, turns: u32) -> Result<Vec<Run>> {
    let read = |name: &str| {
        let path = places.sources.join("c").join(name);
        std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))
    };
    let text = text(&read("mixed.h")?, &read("mixed.inc")?);
    let mut runs = Vec::new();
    for level in LEVELS {
        for (name, system, source) in [("cc", &C, "mixed.c"), ("ours", &UPC, "mixed.upc")] {
            let path = places.result(source);
            std::fs::write(&path, &text).with_context(|| format!("cannot write {}", path.display()))?;
            let mut command = system.compiler(places)?;
            command.args([level, "-w", "-c"]).arg(path).arg("-o").arg(places.result("mixed.o"));
            runs.push(run(&format!("mixed/{name} {level}"), command, turns));
        }
    }
    Ok(runs)
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
}
