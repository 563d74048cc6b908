//! Every program under `upc/`, `splitc/` and `ac/` is a test: `run/` must compile and run, `die/` must compile and end with the
//! expected message, `fail/` must be refused with the marked errors, `warn/` compile with the marked
//! warnings. A directory `x.d` is one program of several files.
//!
//! Each program is compiled in several settings (environment, C compiler, optimisation) and run with several
//! thread counts. MERIDIAN_TEST_FULL=1 takes every combination; by default each program takes a share that
//! rotates with its name, so that the whole suite takes minutes and all combinations still occur.

use libtest_mimic::{Arguments, Failed, Trial};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tests::diagnostics::{self, Severity};
use tests::directives::{self, Directives};
use tests::process::{self, Outcome};

/// What one command may take; a hang is reported as such, and no test waits for ever.
const LIMIT: Duration = Duration::from_secs(60);

/// One way to compile a program, and the thread counts to run it with.
#[derive(Clone, Debug)]
struct Setting {
    cc: &'static str,
    optimisation: &'static str,
    static_threads: Option<usize>,
    runs: Vec<usize>,
}

impl Setting {
    fn label(&self) -> String {
        let environment = self.static_threads.map_or("dynamic".to_string(), |n| format!("static{n}"));
        format!("{}{}-{environment}", self.cc, self.optimisation)
    }
}

fn main() {
    let arguments = Arguments::from_args();
    let trials =
        [("upc", "upc"), ("splitc", "sc"), ("ac", "ac")].into_iter().flat_map(|(folder, extension)| {
            let root = tests::home().join(folder);
            let programs =
                tests::walk(&root, &|path| path.extension().is_some_and(|e| e == extension || e == "d"));
            programs.into_iter().map(move |path| {
                let name = path.strip_prefix(&root).unwrap_or(&path).display().to_string();
                Trial::test(name.clone(), move || test(&path, &name).map_err(Failed::from))
            })
        });
    libtest_mimic::run(&arguments, trials.collect()).exit();
}

fn test(path: &Path, name: &str) -> Result<(), String> {
    let directives = Directives::read(&directives::head(path))?;
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name.replace('/', "-"));
    std::fs::create_dir_all(&scratch).map_err(|error| error.to_string())?;
    match name.split('/').next() {
        Some("fail" | "warn") => check_diagnostics(path, name, &directives, &scratch),
        _ => settings(name, &directives)
            .iter()
            .try_for_each(|setting| build_and_run(path, name, &directives, setting, &scratch)),
    }
}

/// The settings a program is tested in.
fn settings(name: &str, directives: &Directives) -> Vec<Setting> {
    let turn = name.bytes().fold(0usize, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
    let full = std::env::var_os("MERIDIAN_TEST_FULL").is_some();
    let dynamic = (!directives.threads.is_empty()).then_some(None);
    let environments: Vec<_> =
        dynamic.into_iter().chain(directives.statics.iter().map(|n| Some(*n))).collect();
    let mut settings = Vec::new();
    for static_threads in environments {
        let all = static_threads.map_or(directives.threads.clone(), |n| vec![n]);
        let one = vec![all[turn % all.len()]];
        let mut add = |cc, optimisation, runs: &[usize]| {
            if directives.only_cc.as_deref().is_none_or(|only| only == cc) {
                settings.push(Setting { cc, optimisation, static_threads, runs: runs.to_vec() });
            }
        };
        if full {
            for optimisation in ["-O0", "-O2"] {
                add("gcc", optimisation, &all);
                add("clang", optimisation, &all);
            }
        } else if static_threads.is_none() {
            add("gcc", "-O2", &all);
            add("gcc", "-O0", &one);
            if turn % 4 == 0 {
                add("clang", if turn % 8 == 0 { "-O0" } else { "-O2" }, &one);
            }
        } else {
            let cc = if turn % 4 == 1 && directives.only_cc.is_none() { "clang" } else { "gcc" };
            add(cc, if turn % 2 == 0 { "-O0" } else { "-O2" }, &all);
        }
    }
    settings
}

fn build_and_run(
    path: &Path,
    name: &str,
    directives: &Directives,
    setting: &Setting,
    scratch: &Path,
) -> Result<(), String> {
    let program = scratch.join(format!("prog-{}", setting.label()));
    let mut compile = compiler(directives, setting.static_threads);
    compile
        .env("MERIDIAN_CC", setting.cc)
        .arg(setting.optimisation)
        .args(sources(path))
        .arg("-lm")
        .arg("-o")
        .arg(&program);
    let built = execute(&mut compile, None, scratch, "compile")?;
    if built.status != 0 || built.timed_out {
        return Err(format!("[{}] {compile:?}: {}", setting.label(), built.report()));
    }
    for threads in &setting.runs {
        let mut run = Command::new(tests::meridian());
        run.args(["run", "-n", &threads.to_string()]).arg(&program).args(&directives.args);
        run.envs(directives.environment.iter().filter_map(|variable| variable.split_once('=')));
        for _ in 0..directives.repeat {
            let outcome = execute(&mut run, directives.stdin.as_deref(), scratch, "run")?;
            judge(&outcome, directives, name.starts_with("die/"))
                .map_err(|why| format!("[{}] {run:?}: {why}\n{}", setting.label(), outcome.report()))?;
        }
    }
    Ok(())
}

/// Says what is wrong with the way a program ran.
fn judge(outcome: &Outcome, directives: &Directives, must_die: bool) -> Result<(), String> {
    if outcome.timed_out {
        return Err(format!("did not end within {} s", LIMIT.as_secs()));
    }
    match directives.exit {
        Some(status) if status != outcome.status => return Err(format!("must exit with {status}")),
        None if must_die && outcome.status == 0 => return Err("must not exit with 0".into()),
        None if !must_die && outcome.status != 0 => return Err("must exit with 0".into()),
        _ => {}
    }
    let missing =
        |texts: &[String], stream: &str| texts.iter().find(|text| !stream.contains(text.as_str())).cloned();
    if let Some(text) = missing(&directives.expect_out, &outcome.stdout) {
        return Err(format!("standard output lacks `{text}`"));
    }
    if let Some(text) = missing(&directives.expect_err, &outcome.stderr) {
        return Err(format!("standard error lacks `{text}`"));
    }
    match &directives.output {
        Some(wanted) if lines(wanted, directives.sorted) != lines(&outcome.stdout, directives.sorted) => {
            Err(format!("standard output must be\n{wanted}"))
        }
        _ => Ok(()),
    }
}

fn lines(text: &str, sorted: bool) -> Vec<&str> {
    let mut lines: Vec<&str> = text.lines().collect();
    if sorted {
        lines.sort_unstable();
    }
    lines
}

/// `fail/` and `warn/`: the diagnostics must be the marked ones.
fn check_diagnostics(path: &Path, name: &str, directives: &Directives, scratch: &Path) -> Result<(), String> {
    let source = std::fs::read(path).map_err(|error| error.to_string())?;
    let marks = diagnostics::marks(&String::from_utf8_lossy(&source))?;
    let must_fail = name.starts_with("fail/");
    if must_fail && !marks.iter().any(|mark| mark.severity == Severity::Error) {
        return Err("a program under fail/ marks at least one error".into());
    }
    let strict: &[Severity] =
        if must_fail { &[Severity::Error] } else { &[Severity::Error, Severity::Warning] };
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    let dynamic = (!directives.threads.is_empty()).then_some(None);
    let environments = dynamic.into_iter().chain(directives.statics.iter().map(|n| Some(*n)));
    for static_threads in environments {
        let mut compile = compiler(directives, static_threads);
        compile.arg("-fsyntax-only").arg(path);
        let outcome = execute(&mut compile, None, scratch, "compile")?;
        let found = diagnostics::parse(&outcome.stderr);
        let differences = diagnostics::compare(&marks, found, &file, strict);
        if !differences.is_empty() {
            return Err(format!("{compile:?}\n{differences}{}", outcome.report()));
        }
        let right = if must_fail { outcome.status == 1 } else { outcome.status == 0 };
        if !right || outcome.timed_out {
            return Err(format!("{compile:?}: the wrong exit status\n{}", outcome.report()));
        }
    }
    Ok(())
}

/// The compiler with the options that a program and its environment ask for.
fn compiler(directives: &Directives, static_threads: Option<usize>) -> Command {
    let mut command = Command::new(tests::meridian());
    command.arg("cc").arg("-I").arg(tests::home().join("upc")).args(&directives.flags);
    if let Some(threads) = static_threads {
        command.arg(format!("-fupc-threads-{threads}"));
    }
    command
}

/// The files of a program: itself, or those of its directory, in any of the languages.
fn sources(path: &Path) -> Vec<PathBuf> {
    if path.is_dir() {
        tests::walk(path, &|file| {
            file.extension().is_some_and(|e| e == "upc" || e == "sc" || e == "ac" || e == "c")
        })
    } else {
        vec![path.to_path_buf()]
    }
}

fn execute(
    command: &mut Command,
    stdin: Option<&str>,
    scratch: &Path,
    label: &str,
) -> Result<Outcome, String> {
    process::run(command, stdin, LIMIT, scratch, label).map_err(|error| format!("{command:?}: {error}"))
}
