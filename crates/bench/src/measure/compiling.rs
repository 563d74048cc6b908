//! The common part of all compilations: the command, the run of the compiler to its end, and the options that
//! align functions and loops to the same place within a line of memory everywhere (`ALIGN`). Without these
//! the linker's chance placement of a loop makes one of two identical loops slower by up to a half.

use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::installation::Places;

const ALIGN: [&str; 2] = ["-falign-functions=64", "-falign-loops=64"];

/// gcc leaves loops unaligned that it takes for rare; clang does not know these options.
const ALIGN_ALL: [&str; 2] = ["--param=align-threshold=10000", "--param=align-loop-iterations=1"];

/// Returns `meridian cc`, with the C compiler of the references.
pub fn meridian(places: &Places) -> Command {
    let mut command = Command::new(&places.meridian);
    command.arg("cc").env("CC", &places.cc);
    command
}

/// Returns the options that put functions and loops at the same place within a line of memory.
pub fn align(places: &Places) -> impl Iterator<Item = &'static str> {
    let all: &[&str] = if places.cc.contains("clang") { &[] } else { &ALIGN_ALL };
    ALIGN.iter().chain(all).copied()
}

/// Runs a command to its end. Returns its standard output. The error has the command and its standard error.
pub fn run_to_end(command: &mut Command) -> Result<String> {
    let output = command.output().with_context(|| format!("cannot start {command:?}"))?;
    if !output.status.success() {
        bail!("{command:?} failed ({}):\n{}", output.status, String::from_utf8_lossy(&output.stderr));
    }
    String::from_utf8(output.stdout).with_context(|| format!("{command:?} printed no text"))
}
