//! Real text: the headers of this machine, and sources if they are given. Text that the compilers accept must
//! be read without a message, with exact spans, as C and as UPC.

mod common;

use base::Source;
use c_syntax::Dialect;
use common::{accepts, on_big_stack, preprocess, walk};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use tests::has_commands;
use tests::trial::{Ran, Skip, trial};

/// The first fault found in a preprocessed text that the compiler accepts, if any.
fn complaint(text: &str, dialect: Dialect) -> Option<String> {
    let source = Source::new(text.to_owned());
    let (unit, diagnostics) = c_syntax::parse(&source, dialect);
    if !diagnostics.is_empty() {
        return Some(base::render(&diagnostics, &source, false));
    }
    walk::check(&unit, &source.text).err()
}

/// The first diagnostic about `#include <header>` in either dialect, if the compiler itself accepts it.
fn header_complaint(cc: &str, header: &str) -> Result<(), String> {
    let Some(text) = preprocess(cc, &format!("#include <{header}>\n")) else { return Ok(()) };
    for dialect in [Dialect::default(), Dialect::UPC] {
        if let Some(what) = complaint(&text, dialect)
            && accepts(cc, &text)
        {
            return Err(format!("{cc}, <{header}>, {dialect:?}:\n{what}"));
        }
    }
    Ok(())
}

fn common_headers(cc: &'static str) -> Ran {
    has_commands(&[cc])?;
    let headers = [
        "stdio.h",
        "stdlib.h",
        "string.h",
        "math.h",
        "tgmath.h",
        "complex.h",
        "stdatomic.h",
        "threads.h",
        "pthread.h",
        "signal.h",
        "sys/socket.h",
        "netinet/in.h",
        "wchar.h",
        "fenv.h",
        "inttypes.h",
        "stdarg.h",
        "immintrin.h",
        "sys/mman.h",
        "setjmp.h",
        "time.h",
        "assert.h",
        "regex.h",
    ];
    on_big_stack(move || {
        for header in headers {
            header_complaint(cc, header).unwrap_or_else(|what| panic!("{what}"));
        }
    });
    Ok(())
}

/// All files under a directory with this extension, in order.
fn files_under(root: &Path, extension: &str) -> Vec<PathBuf> {
    let mut out = Vec::new();
    let mut pending = vec![root.to_owned()];
    while let Some(directory) = pending.pop() {
        let Ok(entries) = std::fs::read_dir(&directory) else { continue };
        for entry in entries.flatten() {
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => pending.push(entry.path()),
                Ok(_) if entry.path().extension().is_some_and(|e| e == extension) => out.push(entry.path()),
                _ => {}
            }
        }
    }
    out.sort();
    out
}

/// Does `work` on all items, on two threads, and returns the failures.
fn on_all<T: Sync>(items: &[T], work: impl Fn(&T) -> Result<(), String> + Sync) -> Vec<String> {
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            let run = || {
                // Relaxed: the number alone is shared.
                while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Err(what) = work(item) {
                        // Printed at once: such a run is long.
                        eprintln!("{what}");
                        failures.lock().expect("no panic before").push(what);
                    }
                }
            };
            let builder = std::thread::Builder::new().stack_size(32 << 20);
            builder.spawn_scoped(scope, run).expect("a thread");
        }
    });
    failures.into_inner().expect("no panic")
}

/// All of /usr/include, or of the directory in it that `MERIDIAN_HEADERS` names; some ten thousand runs of
/// the compiler.
fn all_headers(cc: &'static str) -> Ran {
    has_commands(&[cc])?;
    let root = "/usr/include";
    let part = std::env::var("MERIDIAN_HEADERS")
        .map_err(|_| Skip("only where MERIDIAN_HEADERS=directory is set, or `.` for all".into()))?;
    let root = Path::new(root);
    let multiarch = root.join("x86_64-linux-gnu");
    let part = root.join(part);
    let names: Vec<String> = files_under(&part, "h")
        .iter()
        .filter_map(|path| path.strip_prefix(&multiarch).or(path.strip_prefix(root)).ok())
        .map(|path| path.display().to_string())
        .collect();
    let failures = on_all(&names, |header| header_complaint(cc, header));
    assert!(failures.is_empty(), "{} failures, the first:\n{}", failures.len(), failures[0]);
    Ok(())
}

/// Directories of C programs, in `MERIDIAN_C_SOURCES` separated by colons: all their .c files that gcc
/// accepts.
fn given_sources() -> Ran {
    let roots = std::env::var("MERIDIAN_C_SOURCES")
        .map_err(|_| Skip("only where MERIDIAN_C_SOURCES=directory:… is set".into()))?;
    let roots: Vec<&Path> = roots.split(':').map(Path::new).collect();
    let includes: Vec<String> = roots
        .iter()
        .flat_map(|root| files_under(root, "h"))
        .filter_map(|header| Some(format!("-I{}", header.parent()?.display())))
        .collect::<std::collections::BTreeSet<_>>()
        .into_iter()
        .collect();
    let files: Vec<PathBuf> = roots.iter().flat_map(|root| files_under(root, "c")).collect();
    let read = AtomicUsize::new(0);
    let failures = on_all(&files, |file| {
        let text = std::fs::read(file).map_err(|e| e.to_string())?;
        let here = format!("-I{}", file.parent().expect("a directory").display());
        let mut args = vec!["-E", here.as_str()];
        args.extend(includes.iter().map(String::as_str));
        let Some(text) = common::compiler("gcc", &args, &String::from_utf8_lossy(&text)) else {
            return Ok(());
        };
        match complaint(&text, Dialect::default()) {
            Some(what) if accepts("gcc", &text) => Err(format!("{}:\n{what}", file.display())),
            Some(_) => Ok(()),
            None => {
                read.fetch_add(1, Ordering::Relaxed);
                Ok(())
            }
        }
    });
    assert!(failures.is_empty(), "{} failures, the first:\n{}", failures.len(), failures[0]);
    println!("{} of {} files read", read.into_inner(), files.len());
    Ok(())
}

fn main() {
    let mut trials = tests::trials![given_sources];
    for cc in ["gcc", "clang"] {
        trials.push(trial(format!("common headers, {cc}"), move || common_headers(cc)));
        trials.push(trial(format!("all headers, {cc}"), move || all_headers(cc)));
    }
    tests::trial::run(trials);
}
