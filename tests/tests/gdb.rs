//! Programs in a debugger: those of `gdb/`, compiled with `-g`, under gdb in batch mode.
//!
//! A program names lines by `// LINE name` at their ends. After its code come gdb's commands, `//> command`,
//! and the texts that gdb has to print after them, in this order, `//= text`, or `//! text` for its errors.
//! In all of them `{name}` is a line's number, `{file}` the program's name and `{scratch}` a directory for
//! files.

use std::collections::HashMap;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use tests::process::{Outcome, run};
use tests::trial::trial_unless;
use tests::{first_missing, home, meridian, walk};

const LIMIT: Duration = Duration::from_secs(120);

/// The numbers of the named lines.
fn lines(source: &str) -> HashMap<&str, usize> {
    let numbered = source.lines().enumerate();
    numbered.filter_map(|(index, line)| Some((line.split_once("// LINE ")?.1.trim(), index + 1))).collect()
}

fn filled(text: &str, path: &Path, lines: &HashMap<&str, usize>) -> String {
    let mut text = text.replace("{file}", &path.file_name().unwrap_or_default().to_string_lossy());
    for (name, line) in lines {
        text = text.replace(&format!("{{{name}}}"), &line.to_string());
    }
    text
}

fn done(command: &mut Command) -> Result<Outcome, String> {
    run(command, Some(""), LIMIT).map_err(|error| format!("{command:?}: {error}"))
}

fn test(path: &Path, cc: &str) -> Result<(), String> {
    let source = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let lines = lines(&source);
    let name = path.file_name().unwrap_or_default().to_string_lossy().replace('.', "-");
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("gdb-{name}-{cc}"));
    let behind = |mark| {
        let texts = source.lines().filter_map(move |line| line.strip_prefix(mark));
        let texts = texts.map(|text| text.replace("{scratch}", &scratch.display().to_string()));
        texts.map(|text| filled(&text, path, &lines)).collect::<Vec<_>>()
    };
    let (commands, wanted, errors) = (behind("//> "), behind("//= "), behind("//! "));
    std::fs::create_dir_all(&scratch).map_err(|error| error.to_string())?;
    let program = scratch.join("program");
    let mut compile = Command::new(meridian());
    compile.env("MERIDIAN_CC", cc).args(["cc", "-g", "-O0", "-o"]).arg(&program).arg(path);
    let built = done(&mut compile)?;
    if built.status != 0 {
        return Err(built.report());
    }
    let mut gdb = Command::new("gdb");
    let share = meridian().with_file_name("../share/gdb");
    gdb.args(["-nx", "-batch", "-iex"]).arg(format!("add-auto-load-safe-path {}", share.display()));
    gdb.env_remove("DEBUGINFOD_URLS");
    for command in
        ["set pagination off", "set width 0", "set confirm off"].map(String::from).iter().chain(&commands)
    {
        gdb.args(["-ex", command]);
    }
    let debugged = done(gdb.arg(&program))?;
    let missing = first_missing(&debugged.stdout, &wanted).or(first_missing(&debugged.stderr, &errors));
    match missing {
        Some(text) => Err(format!("gdb does not print `{text}` in its place\n{}", debugged.report())),
        None => Ok(()),
    }
}

fn main() {
    let missing = tests::has_commands(&["gdb"]).err();
    let programs = walk(&home().join("gdb"), &|path| path.is_file());
    let trials = programs.into_iter().flat_map(|path| {
        ["gcc", "clang"].map(|cc| {
            let name = format!("{} {cc}", path.file_name().unwrap_or_default().display());
            let missing = missing.clone().or(tests::has_commands(&[cc]).err());
            let path = path.clone();
            trial_unless(missing, name, move || test(&path, cc))
        })
    });
    tests::trial::run(trials.collect());
}
