//! The programs of `id/`: compiled in both ways of making threads and run on 1, 2, 3, 4 and 8 processors,
//! by themselves and with the calls dealt out to all; and run by the reference interpreter.
//!
//! Those of `id/programs` stand beside programs in C, written another way, that print the same.
//!
//! Directives are comments: `%: out LINE` (the expected output, line by line), `%: err TEXT` (what standard
//! error must hold; then the program must fail), `%: error TEXT` (the compiler must refuse it and say
//! this), `%: warning TEXT`, `%: in TEXT` (standard input, with `\n`), `%: args WORDS`.

use libtest_mimic::{Arguments, Failed, Trial};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

#[derive(Default)]
struct Directives {
    out: String,
    err: Vec<String>,
    error: Vec<String>,
    warning: Vec<String>,
    input: String,
    args: Vec<String>,
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
            _ => panic!("no directive: {line}"),
        }
    }
    d
}

fn meridian() -> PathBuf {
    std::env::var_os("MERIDIAN").map_or_else(|| "../build/bin/meridian".into(), PathBuf::from)
}

fn run(command: &mut Command, input: &str) -> Result<Output, Failed> {
    use std::io::Write;
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn()?;
    let mut stdin = child.stdin.take().ok_or("no standard input")?;
    // A program that does not read it may have ended.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    Ok(child.wait_with_output()?)
}

fn compile(paths: &[PathBuf], to: &Path, how: &str) -> Result<Output, Failed> {
    let mut command = Command::new(meridian());
    command.arg("cc").arg(how).arg("-O1").args(paths).arg("-o").arg(to);
    run(&mut command, "")
}

fn shown(what: &str, output: &Output) -> Failed {
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    format!("{what}: {}\n--- standard output\n{out}--- standard error\n{err}", output.status).into()
}

fn sources(path: &Path) -> std::io::Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut all: Vec<PathBuf> = std::fs::read_dir(path)?.filter_map(|e| e.ok()).map(|e| e.path()).collect();
    all.retain(|p| p.extension().is_some_and(|e| e == "id"));
    all.sort();
    Ok(all)
}

fn temporary() -> std::io::Result<tempfile::TempDir> {
    tempfile::Builder::new().prefix("meridian-id-").tempdir()
}

fn program(path: &Path) -> Result<(), Failed> {
    let paths = sources(path)?;
    let text: String = paths.iter().filter_map(|p| std::fs::read_to_string(p).ok()).collect();
    let d = directives(&text);
    let work = temporary()?;
    in_directory(&paths, &d, work.path())
}

fn in_directory(paths: &[PathBuf], d: &Directives, work: &Path) -> Result<(), Failed> {
    for how in ["--threads=tam", "--threads=df"] {
        let to = work.join("program");
        let made = compile(paths, &to, how)?;
        let said = String::from_utf8_lossy(&made.stderr).into_owned();
        if !d.error.is_empty() {
            if made.status.success() || d.error.iter().any(|e| !said.contains(e)) {
                return Err(shown("must be refused", &made));
            }
            continue;
        }
        if !made.status.success() || d.warning.iter().any(|w| !said.contains(w)) {
            return Err(shown("compiling", &made));
        }
        if d.warning.is_empty() && !said.is_empty() {
            return Err(shown("compiles with words", &made));
        }
        for processors in [0, 1, 2, 3, 4, 8] {
            for deal in ["0", "1"] {
                if deal == "1" && processors < 2 {
                    continue;
                }
                check(&to, d, processors, deal).map_err(|e| {
                    let why = e.message().unwrap_or("").to_owned();
                    Failed::from(format!("{how}, {processors} processors, dealt out: {deal}\n{why}"))
                })?;
            }
        }
    }
    if d.error.is_empty() && d.err.is_empty() {
        interpret(paths, d)?;
    }
    Ok(())
}

fn check(program: &Path, d: &Directives, processors: usize, deal: &str) -> Result<(), Failed> {
    let mut command = if processors == 0 {
        Command::new(program)
    } else {
        let mut command = Command::new(meridian());
        command.arg("run").arg("-n").arg(processors.to_string()).arg(program);
        command
    };
    command.args(&d.args).env("MERIDIAN_TAM_DEAL", deal);
    let ran = run(&mut command, &d.input)?;
    let err = String::from_utf8_lossy(&ran.stderr);
    let fails = !d.err.is_empty();
    if ran.status.success() == fails
        || (!fails && String::from_utf8_lossy(&ran.stdout) != d.out)
        || d.err.iter().any(|e| !err.contains(e))
    {
        return Err(shown("running", &ran));
    }
    Ok(())
}

/// A program of `id/programs` beside one in C, which is written another way: both print the same.
fn beside_c(path: &Path) -> Result<(), Failed> {
    let text = std::fs::read_to_string(path)?;
    let mut d = directives(&text);
    let work = temporary()?;
    let to = work.path().join("c");
    let mut cc = Command::new("cc");
    cc.args(["-O1", "-ffp-contract=off"]).arg(path.with_extension("c")).arg("-o").arg(&to).arg("-lm");
    let made = run(&mut cc, "")?;
    if !made.status.success() {
        return Err(shown("compiling the C", &made));
    }
    let ran = run(Command::new(&to).args(&d.args), "")?;
    if !ran.status.success() {
        return Err(shown("running the C", &ran));
    }
    d.out = String::from_utf8_lossy(&ran.stdout).into_owned();
    in_directory(&[path.to_owned()], &d, work.path())
}

/// What the interpreter prints, in several orders of operations.
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
    for directory in ["id/run", "id/fail", "id/die"] {
        let Ok(entries) = std::fs::read_dir(directory) else { continue };
        for path in entries.filter_map(|e| e.ok()).map(|e| e.path()) {
            if path.is_dir() || path.extension().is_some_and(|e| e == "id") {
                let name = path.display().to_string();
                trials.push(Trial::test(name, move || program(&path)));
            }
        }
    }
    for path in
        std::fs::read_dir("id/programs").into_iter().flatten().filter_map(|e| e.ok()).map(|e| e.path())
    {
        if path.extension().is_some_and(|e| e == "id") {
            trials.push(Trial::test(path.display().to_string(), move || beside_c(&path)));
        }
    }
    trials.sort_by(|a, b| a.name().cmp(b.name()));
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}
