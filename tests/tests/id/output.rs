//! A program's output appears while it computes on, although standard output is no terminal.

use libtest_mimic::{Failed, Trial};
use std::io::Read;
use std::process::{Command, Stdio};
use std::sync::mpsc;

pub fn trials() -> Vec<Trial> {
    vec![Trial::test("output/is_seen_while_the_program_computes", is_seen)]
}

/// A program that never ends. Its first output is shown at once, and output soon after it is shown while the
/// program computes.
const PROGRAM: &str = "def for_ever n = for_ever (n + 1);
{ call print_line \"first\"; call print_line \"second\"
  ---
  call print (for_ever 0) };
";

fn is_seen() -> Result<(), Failed> {
    let work = super::temporary()?;
    let (file, to) = (work.path().join("output.id"), work.path().join("output"));
    std::fs::write(&file, PROGRAM)?;
    let made = super::compile(&[file], &to, super::WAYS[0])?;
    if made.status != 0 {
        return Err(super::shown("compiling", &made));
    }
    let mut child = Command::new(&to).stdin(Stdio::null()).stdout(Stdio::piped()).spawn()?;
    let mut out = child.stdout.take().ok_or("no standard output")?;
    let (send, seen) = mpsc::channel();
    let reader = std::thread::spawn(move || {
        let (mut text, mut byte) = (Vec::new(), [0]);
        while !text.ends_with(b"second\n") && matches!(out.read(&mut byte), Ok(1)) {
            text.push(byte[0]);
        }
        let _ = send.send(text);
    });
    let text = seen.recv_timeout(super::LIMIT);
    let still = child.try_wait()?.is_none();
    child.kill()?;
    child.wait()?;
    let _ = reader.join();
    match text {
        Ok(text) if text == b"first\nsecond\n" && still => Ok(()),
        Ok(text) => {
            Err(format!("the program runs: {still}; seen: {}", String::from_utf8_lossy(&text)).into())
        }
        Err(_) => Err("nothing was seen".into()),
    }
}
