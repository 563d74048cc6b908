//! What all compilations have in common: the command, the run of the compiler to its end, and the options by
//! which functions and loops begin at the same place within a line of memory everywhere (`ALIGN`). Without
//! these the chance of where the linker puts a loop makes one of two identical loops slower by up to a half.

use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::installation::Places;

const ALIGN: [&str; 2] = ["-falign-functions=64", "-falign-loops=64"];

/// gcc leaves loops unaligned that it takes for rare; clang does not know these options.
const ALIGN_ALL: [&str; 2] = ["--param=align-threshold=10000", "--param=align-loop-iterations=1"];

/// `meridian cc`, with the C compiler of the references.
pub fn meridian(places: &Places) -> Command {
    let mut command = Command::new(&places.meridian);
    command.arg("cc").env("CC", &places.cc);
    command
}

/// Options that put functions and loops at the same place within a line of memory.
pub fn align(places: &Places) -> impl Iterator<Item = &'static str> {
    let all: &[&str] = if places.cc.contains("clang") { &[] } else { &ALIGN_ALL };
    ALIGN.iter().chain(all).copied()
}

/// Runs a command to its end; its standard output. Failure tells the command and all it said.
pub fn run_to_end(command: &mut Command) -> Result<String> {
    let output = command.output().with_context(|| format!("cannot start {command:?}"))?;
    if !output.status.success() {
        bail!("{command:?} failed ({}):\n{}", output.status, String::from_utf8_lossy(&output.stderr));
    }
    String::from_utf8(output.stdout).with_context(|| format!("{command:?} printed no text"))
}
