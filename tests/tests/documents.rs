//! Runs the commands of README.md, docs/*.md and the pages of examples/ exactly as written.
//!
//! A command is a line that begins with `meridian`, or with `$ ` and then `meridian`, and is indented or in a
//! block without a language. The lines after a `$` line, indented alike, are its output. A C block before a
//! command is the file that the command compiles; on a page without one the commands compile a small program
//! of this test, or the programs of examples/. Other tests cover the commands that are not Meridian's
//! (`tests/pages.rs`, `tests/launchers`).

use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use tests::process::run;
use tests::{home, meridian};

/// A command and, if the page shows it, its output.
struct Step {
    line: usize,
    words: Vec<String>,
    output: Option<String>,
    /// The whole program before the command.
    program: Option<String>,
}

/// The last C block of a page and its commands.
fn read(page: &str) -> (Option<String>, Vec<Step>) {
    let (mut program, mut steps, mut block) = (None, Vec::<Step>::new(), None::<String>);
    let (mut showing, mut plain) = (false, false);
    for (n, line) in page.lines().enumerate() {
        if let Some(text) = &mut block {
            if line.starts_with("```") {
                program = block.take();
            } else {
                text.push_str(line);
                text.push('\n');
            }
            continue;
        }
        if line.starts_with("```c") {
            block = Some(String::new());
            continue;
        }
        if line.starts_with("```") {
            plain = line == "```" && !plain;
            continue;
        }
        let Some(text) = line.strip_prefix("    ").or(plain.then_some(line)) else {
            showing = false;
            continue;
        };
        let command = text.strip_prefix("$ ").unwrap_or(text);
        if command.starts_with("meridian ") {
            showing = text.starts_with("$ ");
            let words = command.split_whitespace().map(String::from).collect();
            let whole = program.clone().filter(|text: &String| text.contains("int main("));
            steps.push(Step { line: n + 1, words, output: None, program: whole });
        } else if showing && let Some(step) = steps.last_mut() {
            let output = step.output.get_or_insert_default();
            output.push_str(text);
            output.push('\n');
        }
    }
    (program, steps)
}

/// Longer than any command takes on a loaded machine.
const LIMIT: Duration = Duration::from_secs(120);

const SMALL: &str =
    "#include <upc.h>\nshared int x[THREADS];\nint main(void) { x[MYTHREAD] = 1; return 0; }\n";

fn run_page(path: &Path) {
    let page = std::fs::read_to_string(path).expect("a page that can be read");
    let (program, steps) = read(&page);
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!(
        "page-{}",
        path.strip_prefix(home()).unwrap_or(path).display().to_string().replace('/', "-")
    ));
    let _ = std::fs::remove_dir_all(&directory);
    std::fs::create_dir_all(&directory).expect("a directory of our own");
    symlink(home().join("../examples"), directory.join("examples")).expect("a link to the examples");
    assert!(!steps.is_empty(), "{}: no command is found", path.display());
    for step in steps {
        let place = format!("{}:{}", path.display(), step.line);
        let is_source = |word: &&String| [".upc", ".sc", ".ac", ".c"].iter().any(|end| word.ends_with(end));
        for word in step.words.iter().filter(is_source).filter(|word| !word.contains('/')) {
            let text = step.program.as_deref().or(program.as_deref()).unwrap_or(SMALL);
            std::fs::write(directory.join(word), text).expect("a source file");
        }
        // Through the shell, which expands patterns.
        let mut command = Command::new("sh");
        command.args(["-c", &format!("exec \"$0\" {}", step.words[1..].join(" "))]).arg(meridian());
        command.current_dir(&directory);
        let done = run(&mut command, Some(""), LIMIT).expect("a run");
        assert!(done.status == 0, "{place}: {}\n{}", step.words.join(" "), done.report());
        if let Some(output) = step.output {
            assert_eq!(done.stdout, output, "{place}");
        }
    }
}

#[test]
fn commands_of_the_readme() {
    run_page(&home().join("../README.md"));
}

#[test]
fn commands_of_the_cluster_page() {
    run_page(&home().join("../docs/cluster.md"));
}

#[test]
fn commands_of_the_upc_page() {
    run_page(&home().join("../docs/upc.md"));
}

#[test]
fn commands_of_the_profile_page() {
    run_page(&home().join("../docs/profile.md"));
}

#[test]
fn commands_of_the_split_c_page() {
    run_page(&home().join("../docs/split-c.md"));
}

#[test]
fn commands_of_the_ac_page() {
    run_page(&home().join("../docs/ac.md"));
}

#[test]
fn commands_of_the_id_page() {
    run_page(&home().join("../docs/id90.md"));
}

#[test]
fn commands_of_the_polyshift_page() {
    run_page(&home().join("../docs/polyshift.md"));
}

#[test]
fn commands_of_the_examples_page() {
    run_page(&home().join("../examples/README.md"));
}

#[test]
fn commands_of_the_benchmarks_page() {
    run_page(&home().join("../examples/nas/README.md"));
}
