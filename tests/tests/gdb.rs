//! Programs in a debugger: those of `gdb/`, compiled with `-g`, under gdb in batch mode.
//!
//! A program names lines by `// LINE name` at their ends. After its code come gdb's commands, `//> command`,
//! and the texts that gdb has to print after them, in this order, `//= text`, or `//! text` for its errors.
//! In all of them `{name}` is a line's number, `{file}` the program's name and `{scratch}` a directory for
//! files.
//!
//! A program that begins with `// THREADS n` runs under `meridian gdb` with so many threads and the argument
//! `x`.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tests::process::{Outcome, run};
use tests::terminal::{CTRL_C, Terminal};
use tests::trial::trial_unless;
use tests::{first_missing, home, meridian, walk};

type Test = fn() -> Result<(), String>;

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

/// Makes the command of gdb in batch mode, for one thread or for all of a job.
fn debugger(threads: Option<&str>) -> Command {
    let mut gdb = match threads {
        None => {
            let mut gdb = Command::new("gdb");
            let share = meridian().with_file_name("../share/gdb");
            gdb.arg("-iex").arg(format!("add-auto-load-safe-path {}", share.display()));
            gdb
        }
        Some(threads) => {
            let mut gdb = Command::new(meridian());
            gdb.args(["gdb", "-n", threads]);
            gdb
        }
    };
    gdb.args(["-nx", "-batch"]).env_remove("DEBUGINFOD_URLS");
    gdb
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
    let threads = source.lines().next().and_then(|line| line.strip_prefix("// THREADS "));
    let mut gdb = debugger(threads);
    for command in
        ["set pagination off", "set width 0", "set confirm off"].map(String::from).iter().chain(&commands)
    {
        gdb.args(["-ex", command]);
    }
    gdb.arg(&program).args(threads.map(|_| "x"));
    let debugged = done(&mut gdb)?;
    let missing = first_missing(&debugged.stdout, &wanted).or(first_missing(&debugged.stderr, &errors));
    match missing {
        Some(text) => Err(format!("gdb does not print `{text}` in its place\n{}", debugged.report())),
        None => Ok(()),
    }
}

/// Compiles a program with the given options. Returns its path.
fn compiled(name: &str, source: &str, options: &[&str]) -> Result<PathBuf, String> {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("gdb-{name}"));
    std::fs::create_dir_all(&scratch).map_err(|error| error.to_string())?;
    let path = scratch.join("program.upc");
    std::fs::write(&path, source).map_err(|error| error.to_string())?;
    let program = scratch.join("program");
    let built = done(Command::new(meridian()).arg("cc").args(options).arg("-o").arg(&program).arg(&path))?;
    if built.status == 0 { Ok(program) } else { Err(built.report()) }
}

/// Requires that a text stands in one of an outcome's streams.
fn says(outcome: &Outcome, text: &str) -> Result<(), String> {
    let found = outcome.stdout.contains(text) || outcome.stderr.contains(text);
    if found { Ok(()) } else { Err(format!("no `{text}`\n{}", outcome.report())) }
}

const ENDLESS: &str = "#include <stdio.h>\n#include <upc.h>\nshared int n;\nint main(void) {\n    \
    upc_barrier;\n    if (MYTHREAD == 0)\n        puts(\"goes\");\n    for (;;)\n        n = n + 1;\n}\n";

/// Requires that no process runs a program.
fn none_left(program: &Path) -> Result<(), String> {
    let left = std::fs::read_dir("/proc").map_err(|error| error.to_string())?.flatten().filter(|entry| {
        let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        line.split(|&byte| byte == 0).next() == Some(program.as_os_str().as_encoded_bytes())
    });
    let left: Vec<_> = left.map(|entry| entry.file_name()).collect();
    if left.is_empty() { Ok(()) } else { Err(format!("threads are left: {left:?}")) }
}

/// Requires an exit code.
fn ends_with(outcome: &Outcome, code: i32) -> Result<(), String> {
    if outcome.status == code { Ok(()) } else { Err(format!("not exit code {code}: {}", outcome.report())) }
}

/// A program without `-g` has functions; quitting ends all of its threads.
fn without_variables() -> Result<(), String> {
    let program = compiled("plain", ENDLESS, &["-O2"])?;
    let commands = ["-ex", "break main", "-ex", "run", "-ex", "quit"];
    let outcome = done(debugger(Some("3")).args(commands).arg(&program))?;
    says(&outcome, "is compiled without -g, so gdb shows no variables")?;
    says(&outcome, "main () at")?;
    ends_with(&outcome, 0)?;
    none_left(&program)
}

/// The output of the threads is written as without gdb, and they have an end of file as their input. One
/// thread is a job too. gdb ends with the exit code of the program if told to.
fn streams() -> Result<(), String> {
    let source = "#include <stdio.h>\nint main(int argc, char **argv) {\n    \
                  printf(\"%s %d of %d\\n\", argv[1], getchar(), THREADS);\n    return THREADS == 1 ? 7 : 0;\n}\n";
    let program = compiled("streams", source, &["-g"])?;
    let tagged = |threads| {
        let mut gdb = debugger(Some(threads));
        done(gdb.args(["--tag", "-return-child-result", "-ex", "run", "--args"]).arg(&program).arg("-x"))
    };
    let outcome = tagged("2")?;
    says(&outcome, "[0] -x -1 of 2\n")?;
    says(&outcome, "[1] -x -1 of 2\n")?;
    says(&outcome, "All threads of the job have ended.")?;
    ends_with(&outcome, 0)?;
    let outcome = tagged("1")?;
    says(&outcome, "-x -1 of 1\n")?;
    ends_with(&outcome, 7)
}

/// Requests that cannot be fulfilled are refused before anything starts.
fn refusals() -> Result<(), String> {
    let program = compiled("refused", ENDLESS, &[])?;
    let refused = |arguments: &[&str], text: &str| {
        let outcome = done(Command::new(meridian()).arg("gdb").args(arguments).arg(&program))?;
        says(&outcome, text)?;
        ends_with(&outcome, 2)
    };
    refused(&["-H", "localhost:1,localhost:1"], "--hosts cannot be used here: the threads run on this host")?;
    refused(&["--timeout", "3"], "--timeout cannot be used here")?;
    refused(&["-zork"], "unexpected argument")?;
    refused(&["/bin/true"], "is not compiled by meridian cc")?;
    let outcome = done(Command::new(meridian()).args(["gdb", "-n", "2"]).arg(&program).env("PATH", "/none"))?;
    says(&outcome, "gdb is not installed: install the system's package `gdb`")?;
    ends_with(&outcome, 2)?;
    let outcome = done(Command::new(meridian()).args(["gdb", "-n", "2", "./nonesuch"]))?;
    ends_with(&outcome, 127)
}

/// A job that fails in start-up ends as without gdb, which is not started.
fn start_up() -> Result<(), String> {
    let source = "#include <upc.h>\nshared [10000000] char big[THREADS][10000000];\n\
                  int main(void) {\n    big[MYTHREAD][3] = 1;\n    return 0;\n}\n";
    let program = compiled("start-up", source, &["-g"])?;
    let outcome = done(debugger(Some("2")).args(["-ex", "run"]).arg(&program).env("MERIDIAN_RESERVE", "4M"))?;
    says(&outcome, "has 4.0 MB of address space")?;
    if outcome.stderr.contains("attach") || outcome.stdout.contains("before main") {
        return Err(outcome.report());
    }
    ends_with(&outcome, 1)
}

/// Starts a job of three threads at a terminal, and interrupts it by Ctrl-C when it runs.
fn interrupted(program: &Path) -> Result<Terminal, String> {
    let mut gdb = Command::new(meridian());
    gdb.args(["gdb", "-n", "3", "-nx", "-ex", "set pagination off", "-ex", "run"]).arg(program);
    let mut terminal = Terminal::start(&mut gdb, LIMIT).map_err(|error| error.to_string())?;
    terminal.expect("goes")?;
    terminal.keys(CTRL_C)?;
    terminal.expect("received signal SIGINT")?;
    terminal.expect("(gdb) ")?;
    Ok(terminal)
}

/// Ctrl-C stops all threads, and they go on. `quit` asks, and ends all of them.
fn keys() -> Result<(), String> {
    let program = compiled("keys", ENDLESS, &["-g"])?;
    let mut terminal = interrupted(&program)?;
    terminal.keys("meridian-threads\n")?;
    for thread in ["thread 0  process", "thread 1  process", "thread 2  process", "(gdb) "] {
        terminal.expect(thread)?;
    }
    terminal.keys("tbreak 9\n")?;
    terminal.expect("(gdb) ")?;
    terminal.keys("continue\n")?;
    terminal.expect("Continuing.")?;
    terminal.expect("hit Temporary breakpoint 1")?;
    terminal.expect("(gdb) ")?;
    terminal.keys("quit\n")?;
    terminal.expect("Quitting ends the job of 3 threads. Quit anyway? (y or n) ")?;
    terminal.keys("n\n")?;
    terminal.expect("Not confirmed.")?;
    terminal.expect("(gdb) ")?;
    terminal.keys("quit\n")?;
    terminal.expect("(y or n) ")?;
    terminal.keys("y\n")?;
    let code = terminal.end()?;
    none_left(&program)?;
    if code == Some(0) { Ok(()) } else { Err(format!("exit code {code:?}")) }
}

/// A signal to the launcher ends gdb and the job.
fn terminated() -> Result<(), String> {
    let program = compiled("terminated", ENDLESS, &["-g"])?;
    let terminal = interrupted(&program)?;
    // SAFETY: kill has no memory effects, and the process has not been waited for.
    unsafe { libc::kill(terminal.pid(), libc::SIGTERM) };
    let code = terminal.end()?;
    none_left(&program)?;
    if code == Some(128 + libc::SIGTERM) { Ok(()) } else { Err(format!("exit code {code:?}")) }
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
    let others: [(&str, Test); 6] = [
        ("a job without variables", without_variables),
        ("a job's streams", streams),
        ("refused jobs", refusals),
        ("a job that fails in start-up", start_up),
        ("a job at a terminal", keys),
        ("a job whose launcher is ended", terminated),
    ];
    let others = others.map(|(name, test)| trial_unless(missing.clone(), name.to_string(), test));
    tests::trial::run(trials.chain(others).collect());
}
