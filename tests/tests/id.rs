//! The programs of `id/`: compiled in both ways of making threads, with and without optimisation by the C
//! compiler, and run on 1, 2, 3, 4 and 8 processors. Calls are dealt out to all processors with every second
//! number of them, and with the other numbers in the other way of making threads. The reference interpreter
//! runs the programs, too.
//!
//! The programs of `id/period` are written as users wrote Id and Id Nouveau from 1987 to 1991. Each takes one
//! way of making threads and some numbers of processors, which differ from program to program; with
//! MERIDIAN_TEST_FULL=1 it takes all. Every program also runs with its processors on two hosts, and some on
//! three (this machine several times), in a random order. `output` tests when output appears, `orders` the
//! cost of a random order, `prompt` `meridian id`, `random` random programs, `exhausted` programs that use up
//! their memory, `stress` some programs many times.
//!
//! In a sample (`tests::sample`), each program that takes both ways of making threads takes one of them.
//!
//! The programs of `bench/id90` have counterparts in C, written in another way, that print the same.
//!
//! Directives are comments:
//! - `%: out LINE`: the expected output, line by line;
//! - `%: err TEXT`: standard error must contain this, and the program must fail;
//! - `%: error TEXT`: the compiler must refuse the program with this message;
//! - `%: warning TEXT`: the compiler must give this warning;
//! - `%: in TEXT`: standard input, with `\n`; `%: args WORDS`: the arguments;
//! - `%: not-dealt`: the calls are not dealt out: there are so many that, with a message for each, they would
//!   take minutes;
//! - `%: clause NAME, NAME`: the covered clauses of `clauses/id90.txt` (`src/clauses.rs`);
//! - `%: memory N`: the program runs by itself, in an address space of N megabytes;
//! - `%: stack N`: the program runs by itself, with a C stack of at most N kilobytes.

#[path = "id/exhausted.rs"]
mod exhausted;
#[path = "id/orders.rs"]
mod orders;
#[path = "id/output.rs"]
mod output;
#[path = "id/prompt.rs"]
mod prompt;
#[path = "id/random.rs"]
mod random;
#[path = "id/stress.rs"]
mod stress;

use libtest_mimic::{Arguments, Failed, Trial};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tests::process::{self, Outcome};
use tests::sample::Sample;

#[derive(Default)]
struct Directives {
    out: String,
    err: Vec<String>,
    error: Vec<String>,
    warning: Vec<String>,
    input: String,
    args: Vec<String>,
    not_dealt: bool,
    /// The numbers of processors, if they differ from the directory's.
    processors: Vec<usize>,
    /// The arguments of the shell's `ulimit`.
    limit: Option<String>,
}

fn directives(text: &str) -> Directives {
    let mut d = Directives::default();
    for line in text.lines().filter_map(|l| l.strip_prefix("%: ")) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "out" => d.out += &format!("{rest}\n"),
            "err" => d.err.push(rest.into()),
            "error" => d.error.push(rest.into()),
            "warning" => d.warning.push(rest.into()),
            "in" => d.input = rest.replace("\\n", "\n"),
            "args" => d.args = rest.split(' ').map(str::to_owned).collect(),
            "memory" => d.limit = Some(format!("-v {rest}000")),
            "stack" => d.limit = Some(format!("-s {rest}")),
            "processors" => d.processors = rest.split(' ').filter_map(|n| n.parse().ok()).collect(),
            "not-dealt" => d.not_dealt = true,
            "clause" => {}
            _ => panic!("no directive: {line}"),
        }
    }
    d
}

fn meridian() -> PathBuf {
    let path = std::env::var_os("MERIDIAN").map_or_else(|| "../build/bin/meridian".into(), PathBuf::from);
    std::path::absolute(&path).unwrap_or(path)
}

/// Longer than anything here takes on a loaded machine: a program that hangs fails.
const LIMIT: Duration = Duration::from_secs(240);

fn run(command: &mut Command, input: &str) -> Result<Outcome, Failed> {
    let outcome = process::run(command, Some(input), LIMIT)?;
    if outcome.timed_out { Err(shown(&format!("{command:?} does not end"), &outcome)) } else { Ok(outcome) }
}

fn compile(paths: &[PathBuf], to: &Path, how: &str) -> Result<Outcome, Failed> {
    let mut command = Command::new(meridian());
    // C functions profit from optimisation; the C of threads alone takes long to compile, and not to run.
    let level = if how == WAYS[0] { "-O1" } else { "-O0" };
    command.arg("cc").arg(how).arg(level).args(paths).arg("-o").arg(to);
    run(&mut command, "")
}

fn shown(what: &str, outcome: &Outcome) -> Failed {
    format!("{what}: {}", outcome.report()).into()
}

fn sources(path: &Path) -> std::io::Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut all: Vec<PathBuf> = std::fs::read_dir(path)?.filter_map(|e| e.ok()).map(|e| e.path()).collect();
    all.retain(|p| p.extension().is_some_and(|e| e == "id" || e == "c" || e == "upc"));
    all.sort();
    Ok(all)
}

fn temporary() -> std::io::Result<tempfile::TempDir> {
    tempfile::Builder::new().prefix("meridian-id-").tempdir()
}

/// The settings in which a program runs.
struct Settings {
    ways: Vec<&'static str>,
    processors: Vec<usize>,
    /// Calls are dealt out in turn with every second number of processors, from this one on. If `None`, each
    /// number runs both with and without dealing out.
    dealt: Option<usize>,
    hosts: Vec<usize>,
}

const WAYS: [&str; 2] = ["--threads=tam", "--threads=df"];

fn full() -> bool {
    std::env::var_os("MERIDIAN_TEST_FULL").is_some_and(|v| v == "1")
}

impl Settings {
    fn all(name: &str) -> Settings {
        let (dealt, sample) = ((!full()).then_some(0), Sample::asked());
        let taken = |n: &usize| full() || sample.takes(name, *n, WAYS.len());
        let ways = (0..WAYS.len()).filter(taken).map(|n| WAYS[n]).collect();
        Settings { ways, processors: vec![0, 1, 2, 3, 4, 8], dealt, hosts: vec![2] }
    }

    /// The settings of a program without a job; with the optimisations, since without them loops unfold as
    /// far as they can.
    fn alone() -> Settings {
        Settings { ways: vec![WAYS[0]], processors: vec![0], dealt: Some(0), hosts: vec![] }
    }

    /// Some settings, which differ from program to program.
    fn some(name: &str) -> Settings {
        if full() {
            return Settings { hosts: vec![2, 3], ..Settings::all(name) };
        }
        let n: usize = name.bytes().map(usize::from).sum();
        Settings {
            ways: vec![WAYS[n % 2]],
            processors: vec![1, [2, 3, 4, 8][n / 2 % 4]],
            dealt: Some(n / 3 % 2),
            hosts: [vec![], vec![2], vec![3]][n / 8 % 3].clone(),
        }
    }
}

fn program(path: &Path, mut settings: Settings) -> Result<(), Failed> {
    let paths = sources(path)?;
    let text: String = paths.iter().filter_map(|p| std::fs::read_to_string(p).ok()).collect();
    let d = directives(&text);
    if !d.processors.is_empty() {
        settings = Settings { processors: d.processors.clone(), dealt: None, hosts: vec![2], ..settings };
    }
    let work = temporary()?;
    in_directory(&paths, &d, work.path(), &settings)
}

fn in_directory(paths: &[PathBuf], d: &Directives, work: &Path, settings: &Settings) -> Result<(), Failed> {
    for &how in &settings.ways {
        let to = work.join("program");
        let made = compile(paths, &to, how)?;
        let said = &made.stderr;
        if !d.error.is_empty() {
            if made.status == 0 || d.error.iter().any(|e| !said.contains(e)) {
                return Err(shown("must be refused", &made));
            }
            continue;
        }
        if made.status != 0 || d.warning.iter().any(|w| !said.contains(w)) {
            return Err(shown("compiling", &made));
        }
        if d.warning.is_empty() && !said.is_empty() {
            return Err(shown("compiles with words", &made));
        }
        for (n, &processors) in settings.processors.iter().enumerate() {
            let deals: &[&str] = match settings.dealt {
                _ if processors < 2 || d.not_dealt => &["0"],
                None => &["0", "1"],
                Some(from) if (n + from + usize::from(how == WAYS[1])) % 2 == 0 => &["1"],
                Some(_) => &["0"],
            };
            for &deal in deals {
                check(&to, d, &Job { processors, hosts: 1, deal, order: 0 }, how)?;
            }
        }
        for &hosts in settings.hosts.iter().filter(|_| !d.not_dealt) {
            check(&to, d, &Job { processors: hosts + 1, hosts, deal: "1", order: 1 }, how)?;
        }
    }
    // The interpreter has no files and no functions of C, and never frees memory.
    let is_id = |p: &PathBuf| p.extension().is_some_and(|e| e == "id");
    let files = paths.iter().any(|p| p.ends_with("files.id") || !is_id(p));
    if d.error.is_empty() && d.err.is_empty() && !files && d.limit.is_none() {
        interpret(paths, d)?;
    }
    Ok(())
}

/// The way in which a program is started.
struct Job {
    /// 0 for a program without a job.
    processors: usize,
    hosts: usize,
    /// 1 if calls are dealt out to all in turn.
    deal: &'static str,
    /// If not 0, ready threads run in a random order, with pauses.
    order: u64,
}

fn check(program: &Path, d: &Directives, job: &Job, how: &str) -> Result<(), Failed> {
    run_once(program, d, job).map_err(|e| {
        let (processors, hosts, deal) = (job.processors, job.hosts, job.deal);
        let why = e.message().unwrap_or("").to_owned();
        format!("{how}, {processors} processors on {hosts} hosts, dealt out: {deal}\n{why}").into()
    })
}

fn run_once(program: &Path, d: &Directives, job: &Job) -> Result<(), Failed> {
    let &Job { processors, hosts, deal, order } = job;
    let mut words: Vec<OsString> = Vec::new();
    if processors > 0 {
        words.extend([meridian().into(), "run".into()]);
        if hosts == 1 {
            words.extend(["-n".into(), processors.to_string().into()]);
        } else {
            let names: Vec<String> = (0..hosts)
                .map(|h| format!("localhost:{}", 1 + usize::from(h < processors - hosts)))
                .collect();
            words.extend(["-H".into(), names.join(",").into()]);
        }
    }
    words.push(program.into());
    let mut command = match &d.limit {
        None => Command::new(&words[0]),
        Some(limit) => {
            let mut command = Command::new("sh");
            command.args(["-c", "ulimit $0 && exec \"$@\"", limit]).arg(&words[0]);
            command
        }
    };
    command.args(&words[1..]);
    // A program's files are written beside it.
    command.current_dir(program.parent().unwrap_or(Path::new(".")));
    command.args(&d.args).env("MERIDIAN_TAM_DEAL", deal);
    command.env("MERIDIAN_TAM_ORDER", (order % (1 << 31)).to_string());
    let ran = run(&mut command, &d.input)?;
    let fails = !d.err.is_empty();
    if (ran.status == 0) == fails
        || (!fails && ran.stdout != d.out)
        || d.err.iter().any(|e| !ran.stderr.contains(e))
    {
        return Err(shown("running", &ran));
    }
    Ok(())
}

/// A program of `bench/id90` beside one in C, which is written another way: both print the same.
fn beside_c(path: &Path) -> Result<(), Failed> {
    let text = std::fs::read_to_string(path)?;
    let mut d = directives(&text);
    let work = temporary()?;
    let to = work.path().join("c");
    let mut cc = Command::new("cc");
    cc.args(["-O1", "-ffp-contract=off"]).arg(path.with_extension("c")).arg("-o").arg(&to).arg("-lm");
    let made = run(&mut cc, "")?;
    if made.status != 0 {
        return Err(shown("compiling the C", &made));
    }
    let ran = run(Command::new(&to).args(&d.args), "")?;
    if ran.status != 0 {
        return Err(shown("running the C", &ran));
    }
    d.out = ran.stdout;
    in_directory(&[path.to_owned()], &d, work.path(), &Settings::all(&path.display().to_string()))
}

/// Compares the interpreter's output in several orders of operations.
fn interpret(paths: &[PathBuf], d: &Directives) -> Result<(), Failed> {
    let (source, user_from, _) = id::include::assemble(paths)?;
    let (program, said) = id::check(&source, user_from);
    let Some(program) = program else { return Err(base::render(&said, &source, false).into()) };
    for seed in 1..4 {
        let (out, end) = id::interp::run(&program, d.input.as_bytes(), &d.args, seed, 20_000_000);
        if end != id::interp::End::Done || String::from_utf8_lossy(&out) != d.out {
            return Err(format!("the interpreter: {end:?}\n{}", String::from_utf8_lossy(&out)).into());
        }
    }
    Ok(())
}

fn main() {
    let mut trials = Vec::new();
    for directory in ["id/run", "id/fail", "id/die", "id/period", "id/memory"] {
        let Ok(entries) = std::fs::read_dir(directory) else { continue };
        for path in entries.filter_map(|e| e.ok()).map(|e| e.path()) {
            if path.is_dir() || path.extension().is_some_and(|e| e == "id") {
                let name = path.display().to_string();
                let settings = match directory {
                    "id/period" => Settings::some(&name),
                    "id/memory" => Settings::alone(),
                    _ => Settings::all(&name),
                };
                trials.push(Trial::test(name, move || program(&path, settings)));
            }
        }
    }
    for path in
        std::fs::read_dir("../bench/id90").into_iter().flatten().filter_map(|e| e.ok()).map(|e| e.path())
    {
        if path.extension().is_some_and(|e| e == "id") {
            trials.push(Trial::test(path.display().to_string(), move || beside_c(&path)));
        }
    }
    trials.extend(exhausted::trials());
    trials.extend(orders::trials());
    trials.extend(output::trials());
    trials.extend(prompt::trials());
    trials.extend(random::trials());
    trials.extend(stress::trials());
    trials.sort_by(|a, b| a.name().cmp(b.name()));
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}
