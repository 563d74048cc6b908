//! The sections of docs/tools.md, each a project with another tool, carried out exactly as written.
//!
//! A line of `NAME` in backquotes and a colon names the file of the next block. bash runs a line
//! `    $ command`; it has to print each of the following lines that are indented alike, in this order. A
//! command that must fail begins with `!`. `<!-- needs: a b -->` names commands without which a section is
//! skipped.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tests::process::run;
use tests::trial::trial_unless;
use tests::{first_missing, home, meridian};

/// Longer than any command takes on a loaded machine.
const LIMIT: Duration = Duration::from_secs(300);

#[derive(Default)]
struct Section {
    title: String,
    needs: Vec<String>,
    files: Vec<(String, String)>,
    /// Line of the page, command, and its output.
    steps: Vec<(usize, String, Vec<String>)>,
}

fn read(page: &str) -> Vec<Section> {
    let mut sections = Vec::<Section>::new();
    let (mut named, mut block) = (None::<String>, None::<String>);
    for (n, line) in page.lines().enumerate() {
        if let Some(title) = line.strip_prefix("## ").filter(|_| block.is_none()) {
            sections.push(Section { title: title.into(), ..Section::default() });
        }
        let Some(section) = sections.last_mut() else { continue };
        if let Some(text) = &mut block {
            if line == "```" {
                let name = named.take().unwrap_or_else(|| panic!("line {}: a block without a name", n + 1));
                section.files.push((name, block.take().unwrap_or_default()));
            } else {
                text.push_str(line);
                text.push('\n');
            }
        } else if line.starts_with("```") {
            block = Some(String::new());
        } else if let Some(name) = line.strip_prefix('`').and_then(|rest| rest.strip_suffix("`:")) {
            named = Some(name.into());
        } else if let Some(names) = line.strip_prefix("<!-- needs: ") {
            section.needs = names.trim_end_matches(" -->").split(' ').map(String::from).collect();
        } else if let Some(command) = line.strip_prefix("    $ ") {
            section.steps.push((n + 1, command.into(), Vec::new()));
        } else if let Some(shown) = line.strip_prefix("    ")
            && let Some(step) = section.steps.last_mut()
        {
            step.2.push(shown.into());
        }
    }
    sections
}

/// A command of the page, as given by a user with Meridian in PATH.
fn shell(command: &str, directory: &Path) -> Command {
    let prefix = meridian().parent().and_then(Path::parent).map(PathBuf::from).expect("PREFIX/bin/meridian");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let first = [prefix.join("bin")].into_iter();
    let path = std::env::join_paths(first.chain(std::env::split_paths(&path))).expect("PATH");
    let mut shell = Command::new("bash");
    tests::forget(&mut shell, "MERIDIAN");
    tests::forget(&mut shell, "MAKE");
    shell
        .args(["-c", &format!("{command}\n")])
        .current_dir(directory)
        .env("PATH", path)
        .env("CMAKE_PREFIX_PATH", &prefix)
        .env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig"))
        .env("LC_ALL", "C")
        .env_remove("DEBUGINFOD_URLS");
    shell
}

fn carry_out(section: &Section) -> Result<(), String> {
    let name = section.title.to_lowercase().replace(|c: char| !c.is_ascii_alphanumeric(), "-");
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("tools-{name}"));
    let _ = std::fs::remove_dir_all(&directory);
    let prepared = std::fs::create_dir_all(&directory).and_then(|()| {
        section.files.iter().try_for_each(|(name, text)| std::fs::write(directory.join(name), text))
    });
    prepared.map_err(|error| error.to_string())?;
    for (line, command, wanted) in &section.steps {
        let place = format!("docs/tools.md:{line}: {command}");
        let done = run(&mut shell(command, &directory), Some(""), LIMIT)
            .map_err(|error| format!("{place}: {error}"))?;
        if done.status != 0 {
            return Err(format!("{place}\n{}", done.report()));
        }
        // Output on both streams may come in the order of either.
        let printed = [&done.stdout, &done.stderr].map(|text| first_missing(text, wanted));
        let both = first_missing(&format!("{}{}", done.stdout, done.stderr), wanted);
        if let [Some(text), Some(_)] = printed
            && both.is_some()
        {
            return Err(format!("{place}\ndoes not print `{text}` in its place\n{}", done.report()));
        }
    }
    Ok(())
}

fn main() {
    let page = std::fs::read_to_string(home().join("../docs/tools.md")).expect("docs/tools.md");
    let trials = read(&page).into_iter().filter(|section| !section.steps.is_empty()).map(|section| {
        let needs: Vec<_> = section.needs.iter().map(String::as_str).collect();
        let missing = tests::has_commands(&needs).err();
        trial_unless(missing, section.title.clone(), move || carry_out(&section))
    });
    tests::trial::run(trials.collect());
}
