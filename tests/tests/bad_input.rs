//! Bad sources: the test programs with a piece cut out, doubled, exchanged or overwritten, and constructs
//! nested hundreds of times. For any input, `meridian cc` succeeds or ends with errors of its own: no crash,
//! no error of the C compiler on Meridian's output, and no files left behind.
//!
//! By default few sources are changed. MERIDIAN_RANDOM=20 takes 20 times as many, from the seed
//! MERIDIAN_RANDOM_SEED on, and deeper nesting; `make fuzz` does so.

#[path = "bad_input/nesting.rs"]
mod nesting;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tests::process;
use tests::random::Random;

const LIMIT: Duration = Duration::from_secs(100);
/// Changed sources of a seed.
const CHANGED: usize = 24;

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// The sources of the dialects in a directory and below.
fn sources(directory: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(directory) else { return };
    for path in entries.map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|e| e == "upc" || e == "sc" || e == "ac") {
            found.push(path);
        }
    }
}

/// Makes an empty directory for one compilation and the files that it leaves behind.
fn scratch(name: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bad-input").join(name);
    let _ = std::fs::remove_dir_all(&directory);
    std::fs::create_dir_all(directory.join("left")).unwrap();
    directory
}

/// Returns `meridian cc` of this file with these options, in a directory of its own, which shows the files
/// that it leaves.
fn compiler(directory: &Path, words: &[&str], file: &Path) -> Command {
    let mut command = Command::new(tests::meridian());
    command.args(["cc", "-w"]).args(words).arg(file);
    command.env("TMPDIR", directory.join("left")).current_dir(directory);
    command
}

/// Returns the fault in the handling of a source, if any.
fn fault(directory: &Path, options: &[&str], file: &Path) -> Option<String> {
    let words = [&["-fsyntax-only"], options].concat();
    let outcome = process::run(&mut compiler(directory, &words, file), None, LIMIT).unwrap();
    let why = if outcome.timed_out {
        "takes too long"
    } else if outcome.status > 1 || outcome.stderr.contains("fault of Meridian") {
        "crashes"
    } else if outcome.status == 1 && !outcome.stderr.contains("error") {
        "fails without an error"
    } else if std::fs::read_dir(directory.join("left")).unwrap().next().is_some() {
        "leaves files behind"
    } else if outcome.status == 1 && is_given_to_c(directory, options, file) {
        "is an error of the C compiler's"
    } else {
        return None;
    };
    Some(format!("{} {options:?} {why}: {}", file.display(), outcome.report()))
}

/// Returns true if the front end accepts a source.
fn is_given_to_c(directory: &Path, options: &[&str], file: &Path) -> bool {
    let words = [&["--emit=c", "-o", "/dev/null"], options].concat();
    process::run(&mut compiler(directory, &words, file), None, LIMIT).unwrap().status == 0
}

/// A source with one change.
fn changed(text: &[u8], random: &mut Random) -> Vec<u8> {
    let at = random.below(text.len());
    let end = (at + random.pick(&[1, 2, 5, 30])).min(text.len());
    let middle: Vec<u8> = match random.below(5) {
        0 => return text[..at].to_vec(),
        1 => Vec::new(),
        2 => text[at..end].repeat(2),
        3 => {
            let from = random.below(text.len());
            text[from..(from + 12).min(text.len())].to_vec()
        }
        _ => (0..4).map(|_| 1 + random.below(255) as u8).collect(),
    };
    [&text[..at], &middle, &text[end..]].concat()
}

/// The option for an installed C compiler, by number.
fn compiler_option(n: usize) -> &'static str {
    if n.is_multiple_of(2) && tests::has_commands(&["clang"]).is_ok() { "--cc=clang" } else { "--cc=gcc" }
}

#[test]
fn changed_sources_are_compiled_or_refused() {
    let mut found = Vec::new();
    for part in ["upc/run", "splitc/run", "ac/run", "../examples"] {
        sources(&tests::home().join(part), &mut found);
    }
    found.sort();
    let first = number("MERIDIAN_RANDOM_SEED").unwrap_or(1);
    let mut faults = Vec::new();
    for seed in first..first + number("MERIDIAN_RANDOM").unwrap_or(1) {
        let mut random = Random::new(seed);
        for n in 0..CHANGED {
            let program = &found[random.below(found.len())];
            let suffix = program.extension().unwrap().to_str().unwrap();
            let directory = scratch(&format!("{seed}-{n}"));
            let file = directory.join("changed").with_extension(suffix);
            let text = std::fs::read(program).unwrap();
            let for_gcc = String::from_utf8_lossy(&text).contains("//: cc gcc\n");
            std::fs::write(&file, changed(&text, &mut random)).unwrap();
            let near = format!("-iquote{}", program.parent().unwrap().display());
            let fixed = if suffix == "upc" { "-fupc-threads-4" } else { "-fprocs-4" };
            let compiler = compiler_option(random.below(2));
            let compiler = if for_gcc { "--cc=gcc" } else { compiler };
            let mut options = vec![near.as_str(), compiler, random.pick(&["-O0", "-O2"])];
            options.extend(random.one_in(2).then_some(fixed));
            match fault(&directory, &options, &file) {
                Some(fault) => faults.push(format!("from {}: {fault}", program.display())),
                None => std::fs::remove_dir_all(&directory).unwrap(),
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn deep_nesting_is_compiled_or_refused() {
    let depths: &[usize] = if number("MERIDIAN_RANDOM").is_some() { &[100, 1000, 10000] } else { &[300] };
    let mut faults = Vec::new();
    for (i, (name, make)) in nesting::CONSTRUCTS.iter().enumerate() {
        for (j, &depth) in depths.iter().enumerate() {
            let directory = scratch(&format!("{name}-{depth}"));
            let file = directory.join("nested.upc");
            std::fs::write(&file, nesting::HEAD.to_owned() + &make(depth)).unwrap();
            match fault(&directory, &["-O2", compiler_option(i + j)], &file) {
                Some(fault) => faults.push(format!("{depth} {name}: {fault}")),
                None => std::fs::remove_dir_all(&directory).unwrap(),
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
