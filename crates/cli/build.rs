//! Asks git for the commit that the command is built from, for `--version`.

use std::process::Command;

fn git(words: &[&str]) -> Option<String> {
    let output = Command::new("git").args(words).output().ok().filter(|o| o.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).trim().to_string())
}

fn main() {
    let commit = git(&["rev-parse", "--short=10", "HEAD"]).map_or(String::new(), |c| format!(" ({c})"));
    println!("cargo::rustc-env=MERIDIAN_COMMIT={commit}");
    // This log changes with each commit and checkout.
    match git(&["rev-parse", "--path-format=absolute", "--git-path", "logs/HEAD"]) {
        Some(log) => println!("cargo::rerun-if-changed={log}"),
        None => println!("cargo::rerun-if-changed=build.rs"),
    }
}
