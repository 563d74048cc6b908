//! Shared by the tests: a thread with a stack for deep trees, a preprocessor, a walk over the tree, and a
//! compact way to write a tree down.

#![allow(dead_code)]

pub mod dump;
pub mod walk;

use base::{Diagnostic, Source};
use c_syntax::{Dialect, ast::Unit};
use std::io::Write;
use std::process::{Command, Stdio};

/// Runs `work` with the stack that `parse` asks for.
pub fn on_big_stack<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let thread = std::thread::Builder::new().stack_size(32 << 20).spawn(work).expect("a thread");
    match thread.join() {
        Ok(value) => value,
        Err(panic) => std::panic::resume_unwind(panic),
    }
}

/// Parses a text that needs no preprocessing.
pub fn parse(text: &str, dialect: Dialect) -> (Source, Unit, Vec<Diagnostic>) {
    let source = Source::new(text.to_owned());
    let (unit, diagnostics) = c_syntax::parse(&source, dialect);
    (source, unit, diagnostics)
}

/// Runs a compiler on a text from standard input. Returns its output if it succeeds.
pub fn compiler(cc: &str, args: &[&str], input: &str) -> Option<String> {
    let mut child = Command::new(cc)
        .args(args)
        .args(["-w", "-x", "c", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.to_owned();
    // From a thread of its own: the compiler may write before it has read all.
    let writer = std::thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
    let output = child.wait_with_output().ok()?;
    writer.join().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Preprocesses a text.
pub fn preprocess(cc: &str, input: &str) -> Option<String> {
    compiler(cc, &["-E"], input)
}

/// Returns true if the compiler accepts a preprocessed text.
pub fn accepts(cc: &str, preprocessed: &str) -> bool {
    compiler(cc, &["-fsyntax-only"], preprocessed).is_some()
}
