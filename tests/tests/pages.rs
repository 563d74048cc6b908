//! Names on the pages of this repository exist: files and folders, links, targets of `make`, packages and
//! files of tests, options of the command, settings. (`tests/documents.rs` runs the commands of the pages for
//! users.)
//!
//! A page's code is its text between backquotes, and its blocks of code.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Names that pages use for files of the user, for endings of names, or for files of an installation alone.
const OTHERS: [&str; 20] = [
    ".ac",
    ".c",
    ".gdbinit",
    ".vscode/settings.json",
    ".sc",
    ".upc",
    "./prog",
    "README.md",
    "bench-HOST-DATE.jsonl",
    "build/bench/results.jsonl",
    "compile_flags.txt",
    "hosts.hydra",
    "main.upc",
    "meridian/machine.toml",
    "prog.upc",
    "squares.upc",
    "ptr/",
    "x.d",
    "x.out",
    "x.upc",
];

/// The folders from which pages name files, besides their own.
const FOLDERS: [&str; 12] = [
    ".",
    "build",
    "crates",
    "crates/opt/src",
    "docs",
    "runtime",
    "runtime/conduit",
    "runtime/include",
    "runtime/include/meridian",
    "runtime/include/meridian/abi",
    "runtime/rma",
    "tests",
];

/// Endings of the names of files.
const ENDINGS: [&str; 14] =
    ["ac", "c", "d", "h", "jsonl", "md", "pml", "py", "rs", "sc", "so", "toml", "txt", "upc"];

fn root() -> PathBuf {
    tests::home().join("..").canonicalize().expect("the repository")
}

/// The pages that people have written: not the generated tables of clauses.
fn pages() -> Vec<PathBuf> {
    let root = root();
    let mut pages: Vec<PathBuf> =
        ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"].iter().map(|name| root.join(name)).collect();
    for folder in ["docs", "examples", "runtime", "tests"] {
        let wanted = |path: &Path| path.extension().is_some_and(|e| e == "md");
        pages.extend(tests::walk(&root.join(folder), &wanted));
    }
    pages.retain(|page| !page.file_name().is_some_and(|name| name.to_string_lossy().starts_with("clauses-")));
    assert!(pages.len() > 8, "the pages are found: {pages:?}");
    pages
}

/// A page's text without its blocks of code, and the lines of these blocks.
fn parts(page: &Path) -> (String, Vec<String>) {
    let text = std::fs::read_to_string(page).expect("a page");
    let (mut prose, mut code, mut inside) = (String::new(), Vec::new(), false);
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            inside = !inside;
        } else if inside || line.starts_with("    ") {
            code.push(line.trim().to_string());
        } else {
            prose += line;
            prose.push('\n');
        }
    }
    (prose, code)
}

/// The texts between backquotes, with their line breaks as spaces.
fn spans(prose: &str) -> Vec<String> {
    prose
        .split('`')
        .skip(1)
        .step_by(2)
        .map(|span| span.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect()
}

/// Collects the faults of all pages, and fails with all of them.
fn check(wrong: impl Fn(&Path, &str, &[String]) -> Vec<String>) {
    let mut all = String::new();
    for page in pages() {
        let (prose, code) = parts(&page);
        for what in wrong(&page, &prose, &code) {
            all += &format!("{}: {what}\n", page.strip_prefix(root()).unwrap_or(&page).display());
        }
    }
    assert!(all.is_empty(), "\n{all}");
}

/// The variants of a name with alternatives in braces, as `{emit,opt}`.
fn variants(name: &str) -> Vec<String> {
    match (name.find('{'), name.find('}')) {
        (Some(open), Some(close)) if open < close => {
            let (before, after) = (&name[..open], &name[close + 1..]);
            name[open + 1..close].split(',').map(|one| format!("{before}{one}{after}")).collect()
        }
        _ => vec![name.to_string()],
    }
}

/// Returns true if a name is a file's: it has a slash or a known ending, and no placeholder.
fn is_file_name(name: &str) -> bool {
    let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || "._/*{},-".contains(c));
    let ending = name.rsplit_once('.').is_some_and(|(_, ending)| ENDINGS.contains(&ending));
    // Libraries are built, NAME stands for any name, and PREFIX is where an installation is.
    let other =
        name.contains("..") || name.contains("NAME") || name.contains("PREFIX") || name.ends_with(".so");
    plain && !other && !name.starts_with(['/', '-', '*']) && (ending || name.contains('/'))
}

/// Returns true if such a file exists, relative to any of the folders; `*` stands for any one component.
fn exists(page: &Path, name: &str) -> bool {
    let own = page.parent().expect("a folder").to_path_buf();
    let include =
        if name.ends_with(".h") { ["runtime/start", "runtime/transport"] } else { ["runtime", "crates"] };
    let folders = FOLDERS.iter().chain(&include).map(|folder| root().join(folder));
    folders.chain([own]).any(|folder| match name.split_once('*') {
        Some((before, _)) => folder.join(before.trim_end_matches(|c| c != '/')).is_dir(),
        None => folder.join(name).exists(),
    })
}

#[test]
fn files_and_folders_that_pages_name_exist() {
    check(|page, prose, _| {
        let named = spans(prose).into_iter().flat_map(|span| variants(&span));
        named
            .filter(|name| is_file_name(name) && !OTHERS.contains(&name.as_str()) && !exists(page, name))
            .filter(|name| !prose.contains(&format!("\n`{name}`:\n"))) // a file that the page shows
            .map(|name| format!("there is no `{name}`"))
            .collect()
    });
}

#[test]
fn links_of_pages_lead_somewhere() {
    check(|page, prose, _| {
        let targets = prose.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        let folder = page.parent().expect("a folder");
        targets
            .filter(|target| !target.contains("://") && !target.starts_with('#'))
            .filter(|target| !folder.join(target.split('#').next().unwrap_or_default()).exists())
            .map(|target| format!("the link to {target} leads nowhere"))
            .collect()
    });
}

/// The commands that a page names, in its text and its blocks.
fn commands(prose: &str, code: &[String]) -> Vec<String> {
    let lines = code.iter().map(|line| line.split(" #").next().unwrap_or_default().trim_start_matches("$ "));
    let parts = lines.flat_map(|line| line.split("&&")).map(|line| line.trim().to_string());
    spans(prose).into_iter().chain(parts).collect()
}

#[test]
fn targets_of_make_that_pages_name_exist() {
    let makefile = std::fs::read_to_string(root().join("Makefile")).expect("Makefile");
    let is_target = |name: &str| makefile.lines().any(|line| line.split(':').next() == Some(name));
    check(|_, prose, code| {
        let made = commands(prose, code);
        let targets = made.iter().filter_map(|command| {
            command
                .strip_prefix("make ")?
                .split(' ')
                .find(|word| !word.contains('=') && !word.starts_with('-'))
        });
        targets
            .filter(|target| !is_target(target))
            .map(|target| format!("there is no `make {target}`"))
            .collect()
    });
}

#[test]
fn tests_that_pages_name_exist() {
    let package =
        |name: &str| root().join(if name == "tests" { "tests".into() } else { format!("crates/{name}") });
    check(|_, prose, code| {
        let mut wrong = Vec::new();
        for command in commands(prose, code).iter().filter(|command| command.contains("cargo test ")) {
            let words: Vec<&str> = command.split(' ').collect();
            let after = |option: &str| words.iter().position(|word| *word == option).map(|i| words[i + 1]);
            let Some(name) = after("-p") else { continue };
            let folder = package(name);
            let there = after("--test").is_none_or(|test| {
                folder.join(format!("tests/{test}.rs")).exists() || folder.join("tests").join(test).exists()
            });
            if !folder.join("Cargo.toml").exists() || !there {
                wrong.push(format!("`{command}` finds nothing"));
            }
        }
        wrong
    });
}

#[test]
fn groups_of_packaging_setup_that_pages_name_exist() {
    let script = std::fs::read_to_string(root().join("packaging/setup")).expect("packaging/setup");
    check(|_, prose, code| {
        let named = commands(prose, code);
        let groups = named
            .iter()
            .filter_map(|command| command.strip_prefix("packaging/setup "))
            .flat_map(str::split_whitespace);
        let is_group = |name: &str| script.lines().any(|line| line.starts_with(&format!("{name} ")));
        groups.filter(|group| !is_group(group)).map(|group| format!("there is no group `{group}`")).collect()
    });
}

/// Returns the help of `meridian` and all its commands.
fn help() -> String {
    let said = |command: &str| {
        let words = command.split(' ').chain(["--help"]);
        let output = Command::new(tests::meridian()).args(words).output().expect("meridian");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    ["cc", "run", "clangd", "doctor", "bench", "bench compare", "bench tune", "sim", "profile"]
        .map(said)
        .join("\n")
}

#[test]
fn options_that_pages_name_exist() {
    let help = help();
    // Options of other programs: gcc, srun, ssh and the test harness.
    let others = ["--coverage", "--mpi", "--nocapture", "--test", "--help"];
    check(|_, prose, _| {
        let named =
            spans(prose).into_iter().filter(|span| span.starts_with("--") || span.starts_with("meridian "));
        let words = named.flat_map(|span| span.split(' ').map(String::from).collect::<Vec<_>>());
        // `---` is a barrier of Id90.
        let options = words.filter(|word| word.starts_with("--") && word.len() > 2 && word != "---");
        let options = options.map(|word| word.split('=').next().unwrap_or_default().to_string());
        options
            .filter(|option| !help.contains(option.as_str()) && !others.contains(&option.as_str()))
            .map(|option| format!("there is no option `{option}`"))
            .collect()
    });
}

#[test]
fn settings_that_pages_name_exist() {
    let source =
        |path: &Path| path.extension().is_some_and(|e| e == "rs" || e == "c" || e == "h" || e == "txt");
    let mut all = std::fs::read_to_string(root().join("Makefile")).expect("Makefile");
    for folder in ["crates", "runtime", "tests/src", "tests/tests"] {
        for file in tests::walk(&root().join(folder), &source) {
            // Not this file, which would find its own words.
            if !file.ends_with("pages.rs") {
                all += &String::from_utf8_lossy(&std::fs::read(file).unwrap_or_default());
            }
        }
    }
    check(|_, prose, code| {
        let text = spans(prose).join(" ") + " " + &code.join(" ");
        let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        let settings = words.filter(|word| word.starts_with("MERIDIAN_"));
        let is_there = |name: &str| {
            let row = format!("X({},", name.trim_start_matches("MERIDIAN_"));
            all.contains(name) || all.contains(&row)
        };
        settings.filter(|name| !is_there(name)).map(|name| format!("there is no setting `{name}`")).collect()
    });
}
