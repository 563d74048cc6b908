//! Strict accesses have their fences (UPC B.3). The test reads each C compiler's assembly, since a program
//! with a missing fence gives wrong results only rarely. A strict write is followed by a fence, a strict read
//! is preceded by one, and relaxed accesses have none.

use std::path::Path;
use std::process::Command;
use std::time::Duration;
use tests::trial::{self, Ran, trial};
use tests::{has_commands, process};

const PROGRAM: &str = "#include <upc_relaxed.h>
shared int relaxed_one;
strict shared int strict_one;
void write_relaxed(void) { relaxed_one = 12345; }
int read_relaxed(void) { return relaxed_one; }
void write_strict(void) { strict_one = 12345; }
int read_strict(void) { return strict_one; }
int update_strict(void) { return strict_one += 54321; }
void between(void) { relaxed_one = 12345; upc_fence; relaxed_one = 54321; }
";

fn main() {
    let compilers = ["gcc", "clang"];
    let all = compilers.iter().flat_map(|cc| ["-O0", "-O1", "-O2", "-O3"].map(|level| (*cc, level)));
    trial::run(all.map(|(cc, level)| trial(format!("{cc}{level}"), move || fences(cc, level))).collect());
}

fn fences(cc: &str, level: &str) -> Ran {
    has_commands(&[cc])?;
    if !cfg!(target_arch = "x86_64") {
        return Err(trial::Skip("the fences of this processor are not known to the test".into()));
    }
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("fences-{cc}{level}"));
    std::fs::create_dir_all(&scratch).expect("a directory for scratch files");
    let (source, assembly) = (scratch.join("fences.upc"), scratch.join("fences.s"));
    std::fs::write(&source, PROGRAM).expect("the program");
    let mut compile = Command::new(tests::meridian());
    compile.args(["cc", "--cc", cc, level, "-S"]).arg(&source).arg("-o").arg(&assembly);
    let outcome = process::run(&mut compile, None, Duration::from_secs(60)).expect("a run");
    assert_eq!(outcome.status, 0, "{compile:?}: {}", outcome.report());
    let assembly = std::fs::read_to_string(&assembly).expect("assembly");
    for relaxed in ["write_relaxed", "read_relaxed"] {
        assert!(!function(&assembly, relaxed).iter().any(is_fence), "{relaxed} has a fence");
    }
    let write = function(&assembly, "write_strict");
    assert!(is_followed_by_fence(&write, "$12345"), "a strict write has no fence behind it:\n{write:#?}");
    let read = function(&assembly, "read_strict");
    let fence = read.iter().position(is_fence).expect("a strict read has no fence in front of it");
    assert!(read[fence..].iter().any(|line| reads_memory(line)), "nothing is read behind it:\n{read:#?}");
    let update = function(&assembly, "update_strict");
    assert!(update.iter().filter(|line| is_fence(line)).count() >= 2, "a strict update:\n{update:#?}");
    let between = function(&assembly, "between");
    assert!(is_followed_by_fence(&between, "$12345"), "upc_fence is none:\n{between:#?}");
    Ok(())
}

/// The instructions of a function.
fn function(assembly: &str, name: &str) -> Vec<String> {
    let lines = assembly.lines().skip_while(|line| !line.starts_with(&format!("{name}:"))).skip(1);
    let own = lines.take_while(|line| !line.trim_start().starts_with(".size"));
    let own: Vec<String> = own.map(|line| line.trim().to_owned()).collect();
    assert!(!own.is_empty(), "{name} is not in the assembly");
    own
}

/// An instruction that keeps a later load from overtaking an earlier store.
#[allow(clippy::ptr_arg)]
fn is_fence(line: &String) -> bool {
    line.starts_with("lock") || line.starts_with("mfence") || line.starts_with("xchg")
}

/// Returns true if a fence comes after the first instruction with this constant and before the next with any
/// other.
fn is_followed_by_fence(lines: &[String], constant: &str) -> bool {
    let at = lines.iter().position(|line| line.contains(constant));
    at.is_some_and(|at| lines[at..].iter().take_while(|line| !line.contains("$54321")).any(is_fence))
}

fn reads_memory(line: &str) -> bool {
    line.starts_with("mov") && line.split(',').next().is_some_and(|from| from.contains('('))
}
