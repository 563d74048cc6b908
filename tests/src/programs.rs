//! Test programs, compiled and run: shared by `tests/upc.rs`, which runs all of them in every setting,
//! `tests/reference.rs`, which runs some once more with messages in place of loads and stores, and
//! `tests/hosts.rs`, which spreads their threads over several hosts.
//!
//! `run/` must compile and run, `die/` must compile and end with the expected message, `fail/` must be
//! refused with the marked errors, `warn/` compile with the marked warnings.

use crate::diagnostics::{self, Severity};
use crate::directives::{self, Directives};
use crate::process::{self, Outcome};
use crate::sample::Sample;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The dialects: the directory that holds their programs, and the files' extension.
pub const DIALECTS: [(&str, &str); 3] = [("upc", "upc"), ("splitc", "sc"), ("ac", "ac")];

/// A test program.
#[derive(Clone, Debug)]
pub struct Program {
    /// The file, or the directory `x.d`.
    pub path: PathBuf,
    /// The path below the dialect's directory.
    pub name: String,
}

/// The programs of a dialect.
pub fn programs(folder: &str, extension: &str) -> Vec<Program> {
    let root = crate::home().join(folder);
    let wanted = |path: &Path| path.extension().is_some_and(|e| e == extension || e == "d");
    let named = |path: PathBuf| {
        let name = path.strip_prefix(&root).unwrap_or(&path).display().to_string();
        Program { path, name }
    };
    crate::walk(&root, &wanted).into_iter().map(named).collect()
}

/// The time limit of one command: a hang is reported as such, and no test waits for ever. By message, each
/// access to another thread may switch between processes, so there, and over several hosts, the limit is
/// higher.
fn limit(environment: &[String]) -> Duration {
    let by_message = |text: &str| text == "MERIDIAN_REFERENCE=1" || text.starts_with("MERIDIAN_CONDUIT=");
    let inherited = std::env::var("MERIDIAN_REFERENCE").is_ok_and(|value| value == "1");
    Duration::from_secs(if inherited || environment.iter().any(|v| by_message(v)) { 240 } else { 60 })
}

/// A sample (`crate::sample`) has one setting of a program in this many.
const SETTINGS_SHARE: usize = 2;

/// A way to compile a program, and the thread counts to run it with.
#[derive(Clone, Debug)]
struct Setting {
    cc: &'static str,
    optimisation: &'static str,
    static_threads: Option<usize>,
    runs: Vec<usize>,
    /// The threads of each host; empty: all are on one, which shares memory.
    layout: Vec<usize>,
}

impl Setting {
    fn label(&self) -> String {
        let environment = self.static_threads.map_or("dynamic".to_string(), |n| format!("static{n}"));
        format!("{}{}-{environment}", self.cc, self.optimisation)
    }

    /// The launcher's options. The hosts are this machine, several times.
    fn options(&self, threads: usize) -> [String; 2] {
        if self.layout.is_empty() {
            return ["-n".into(), threads.to_string()];
        }
        let hosts: Vec<_> = self.layout.iter().map(|threads| format!("localhost:{threads}")).collect();
        ["-H".into(), hosts.join(",")]
    }
}

/// Divides threads among hosts; the first hosts have one more if the numbers do not divide.
fn spread(threads: usize, hosts: usize) -> Vec<usize> {
    let share = |host| threads / hosts + usize::from(host < threads % hosts);
    if hosts == 1 { Vec::new() } else { (0..hosts).map(share).collect() }
}

impl Program {
    /// Tests the program in each setting that follows from its directives and the rotation of settings, or in
    /// one of `SETTINGS_SHARE` of them if the environment asks for a sample; `scratch`: a directory for built
    /// files.
    pub fn test(&self, scratch: &Path) -> Result<(), String> {
        let (directives, scratch) = self.prepare(scratch)?;
        match self.name.split('/').next() {
            Some("fail" | "warn") => check_diagnostics(&self.path, &self.name, &directives),
            _ => {
                let (all, sample) = (settings(&self.name, &directives), Sample::asked());
                let share = all.len().min(SETTINGS_SHARE);
                let taken = |n: &usize| sample.takes(&self.name, *n, share);
                (0..all.len())
                    .filter(taken)
                    .try_for_each(|n| build_and_run(&self.path, &self.name, &directives, &all[n], &scratch))
            }
        }
    }

    /// The greatest number of threads that the directives allow.
    pub fn most_threads(&self) -> Result<usize, String> {
        let directives = Directives::read(&directives::head(&self.path))?;
        Ok(directives.threads.iter().chain(&directives.statics).copied().max().unwrap_or(1))
    }

    /// Tests the program once, optimised, with one number of threads: `likely` if its directives allow it,
    /// else their last. The threads are on `hosts` hosts, and `environment` adds variables to the runs.
    pub fn test_once(
        &self,
        scratch: &Path,
        likely: usize,
        hosts: usize,
        environment: &[&str],
    ) -> Result<(), String> {
        let (mut directives, scratch) = self.prepare(scratch)?;
        directives.environment.extend(environment.iter().map(|variable| variable.to_string()));
        let pick = |counts: &[usize]| counts.iter().find(|n| **n == likely).or(counts.last()).copied();
        let dynamic = pick(&directives.threads);
        let Some(threads) = dynamic.or_else(|| pick(&directives.statics)) else {
            return Err("the directives leave no number of threads".into());
        };
        let cc = directives.only_cc.unwrap_or("gcc");
        let static_threads = if dynamic.is_some() { None } else { Some(threads) };
        let layout = spread(threads, hosts.min(threads));
        let setting = Setting { cc, optimisation: "-O2", static_threads, runs: vec![threads], layout };
        build_and_run(&self.path, &self.name, &directives, &setting, &scratch)
    }

    /// The layouts over hosts that the directives ask for.
    pub fn layouts(&self) -> Result<Vec<Vec<usize>>, String> {
        Ok(Directives::read(&directives::head(&self.path))?.layouts)
    }

    /// Tests the program with these numbers of threads on the hosts.
    pub fn test_layout(&self, scratch: &Path, layout: &[usize]) -> Result<(), String> {
        let (directives, scratch) = self.prepare(scratch)?;
        let runs = vec![layout.iter().sum()];
        let layout = layout.to_vec();
        let setting = Setting { cc: "gcc", optimisation: "-O2", static_threads: None, runs, layout };
        build_and_run(&self.path, &self.name, &directives, &setting, &scratch)
    }

    /// The directives, and a directory for this program.
    fn prepare(&self, scratch: &Path) -> Result<(Directives, PathBuf), String> {
        let directives = Directives::read(&directives::head(&self.path))?;
        let own = scratch.join(self.name.replace('/', "-"));
        std::fs::create_dir_all(&own).map_err(|error| error.to_string())?;
        Ok((directives, own))
    }
}

/// The settings in which a program is tested: -O2 and -O0 are always among them, with every number of
/// threads, and both environments if its directives allow both.
fn settings(name: &str, directives: &Directives) -> Vec<Setting> {
    let turn = name.bytes().fold(0usize, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
    let full = std::env::var_os("MERIDIAN_TEST_FULL").is_some();
    let dynamic = (!directives.threads.is_empty()).then_some(None);
    let environments: Vec<_> =
        dynamic.into_iter().chain(directives.statics.iter().map(|n| Some(*n))).collect();
    let alone = environments.len() == 1;
    let mut settings = Vec::new();
    for static_threads in environments {
        let runs = static_threads.map_or(directives.threads.clone(), |n| vec![n]);
        let mut add = |cc, optimisation| {
            if directives.only_cc.is_none_or(|only| only == cc) {
                let runs = runs.clone();
                settings.push(Setting { cc, optimisation, static_threads, runs, layout: Vec::new() });
            }
        };
        let (cc, optimisation) = match (turn % 4, static_threads) {
            (0, None) => ("clang", "-O2"),
            (2, None) => ("gcc", "-O0"),
            (1, Some(_)) => ("clang", "-O0"),
            (0 | 3, Some(_)) => ("gcc", "-O0"),
            _ => ("gcc", "-O2"),
        };
        if full {
            for optimisation in ["-O0", "-O2"] {
                add("gcc", optimisation);
                add("clang", optimisation);
            }
        } else {
            add(directives.only_cc.unwrap_or(cc), optimisation);
            if alone {
                add("gcc", if optimisation == "-O0" { "-O2" } else { "-O0" });
            }
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
    let built = execute(&mut compile, None, limit(&directives.environment))?;
    if built.status != 0 || built.timed_out {
        return Err(format!("[{}] {compile:?}: {}", setting.label(), built.report()));
    }
    for threads in &setting.runs {
        let mut run = Command::new(crate::meridian());
        run.arg("run").args(setting.options(*threads)).arg(&program).args(&directives.args);
        run.env("MERIDIAN_WRAP", steps_to_wrap(name, *threads));
        run.envs(directives.environment.iter().filter_map(|variable| variable.split_once('=')));
        if !setting.layout.is_empty() {
            let told: Vec<_> = setting.layout.iter().map(usize::to_string).collect();
            run.env("TEST_LAYOUT", told.join(" "));
        }
        for _ in 0..directives.repeat {
            let outcome = execute(&mut run, directives.stdin.as_deref(), limit(&directives.environment))?;
            judge(&outcome, directives, name.starts_with("die/"), limit(&directives.environment))
                .map_err(|why| format!("[{}] {run:?}: {why}\n{}", setting.label(), outcome.report()))?;
        }
    }
    Ok(())
}

/// The number of steps before their wrap at which the runtime's counters start (`runtime/base/wrap.h`); in
/// half of the runs they start at zero.
fn steps_to_wrap(name: &str, threads: usize) -> &'static str {
    let sum = name.bytes().fold(threads, |sum, byte| sum + usize::from(byte));
    ["0", "4", "0", "90"][sum % 4]
}

/// Returns an error if a program did not run as it must.
fn judge(outcome: &Outcome, directives: &Directives, must_die: bool, limit: Duration) -> Result<(), String> {
    if outcome.timed_out {
        return Err(format!("did not end within {} s", limit.as_secs()));
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

/// `fail/` and `warn/`: checks that the diagnostics are the marked ones.
fn check_diagnostics(path: &Path, name: &str, directives: &Directives) -> Result<(), String> {
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
        let outcome = execute(&mut compile, None, limit(&[]))?;
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

/// The compiler with the options of a program and its environment.
fn compiler(directives: &Directives, static_threads: Option<usize>) -> Command {
    let mut command = Command::new(crate::meridian());
    command
        .args(["cc", "-fdiagnostics-format=text", "-I"])
        .arg(crate::home().join("upc"))
        .args(&directives.flags);
    if let Some(threads) = static_threads {
        command.arg(format!("-fupc-threads-{threads}"));
    }
    command
}

/// The files of a program: the program itself, or the files of its directory in any of the languages.
fn sources(path: &Path) -> Vec<PathBuf> {
    if path.is_dir() {
        crate::walk(path, &|file| {
            file.extension().is_some_and(|e| e == "upc" || e == "sc" || e == "ac" || e == "c")
        })
    } else {
        vec![path.to_path_buf()]
    }
}

fn execute(command: &mut Command, stdin: Option<&str>, limit: Duration) -> Result<Outcome, String> {
    process::run(command, stdin, limit).map_err(|error| format!("{command:?}: {error}"))
}
