//! Mutation testing of the compiler and the launcher: `mutants [SEED [COUNT]]`.
//!
//! cargo-mutants lists the mutants of the packages below. From each, COUNT (8) are drawn by SEED (1), the
//! same on every machine. Each is written into a copy of the sources (`build/mutants`), built, and tested: by
//! its package's own tests, and if those pass by programs that are compiled and run with the faulty tool.
//! What is listed in `tests/mutants/accepted.txt` is not tried. Fails when under nine tenths are caught.
//! After half an hour the rest of the sample is left out, which is said. Prints what `tests/tally` reads.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use serde_json::Value;
use tests::process::{self, Outcome};

/// The packages, and what tests their mutants when their own tests have passed: test files with a filter.
const PACKAGES: [(&str, &[Suite]); 4] = [
    (
        "c-sema",
        &[
            ("tests", "lines", ""),
            ("tests", "upc", "fail/"),
            ("tests", "upc", "warn/"),
            ("lower", "", ""),
            ("tests", "upc", "run/decl/"),
            ("tests", "upc", "run/c/"),
        ],
    ),
    (
        "opt",
        &[
            ("lower", "", ""),
            ("tests", "optimisations", ""),
            ("tests", "random", ""),
            ("tests", "upc", "run/forall/"),
            ("tests", "upc", "run/model/"),
            ("tests", "upc", "run/walks"),
            ("tests", "upc", "run/counted"),
            ("tests", "hosts", "run/stress/"),
        ],
    ),
    (
        "lower",
        &[
            ("tests", "upc", "run/ptr/"),
            ("tests", "upc", "run/decl/"),
            ("tests", "upc", "run/mix/"),
            ("tests", "upc", "run/odd"),
            ("tests", "upc", "run/forall/"),
            ("tests", "hosts", "run/stress/"),
        ],
    ),
    ("launch", &[("cli", "run", ""), ("cli", "names", ""), ("tests", "cli", "")]),
];

/// A package, a test file of it (empty: all), a filter (empty: none).
type Suite = (&'static str, &'static str, &'static str);

/// Longer than a step takes on a loaded machine. A mutant that does not end is caught.
const STEP: Duration = Duration::from_secs(300);
/// After this, no other mutant is begun.
const ALL: Duration = Duration::from_secs(27 * 60);

#[derive(Debug)]
struct Mutant {
    package: String,
    file: PathBuf,
    /// What cargo-mutants says of it behind file and position.
    what: String,
    start: (usize, usize),
    end: (usize, usize),
    replacement: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    Caught,
    Missed,
    /// It does not compile.
    Unviable,
}

fn main() -> ExitCode {
    let numbers: Vec<Option<u64>> = std::env::args().skip(1).map(|word| word.parse().ok()).collect();
    let (Some(seed), Some(count)) =
        (numbers.first().copied().unwrap_or(Some(1)), numbers.get(1).copied().unwrap_or(Some(8)))
    else {
        eprintln!("mutants: want [SEED [COUNT]], both numbers");
        return ExitCode::FAILURE;
    };
    match run(seed, count as usize) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("mutants: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(seed: u64, count: usize) -> Result<bool, String> {
    let began = Instant::now();
    let tool = Tool::prepare()?;
    let all = tool.list()?;
    let accepted = accepted(&all)?;
    let sample = sample(&all, &accepted, seed, count);
    tool.baseline()?;
    let (mut caught, mut missed, mut tried) = (0, 0, 0);
    for mutant in &sample {
        if began.elapsed() > ALL {
            println!(
                "half an hour is over: {} of {} mutants have not been tried",
                sample.len() - tried,
                sample.len()
            );
            break;
        }
        tried += 1;
        let name = format!("{}:{}: {}", mutant.file.display(), mutant.start.0, mutant.what);
        match tool.fate(mutant)? {
            Fate::Unviable => println!("test mutant {name} ... ignored, it does not compile"),
            Fate::Caught => {
                caught += 1;
                println!("test mutant {name} ... ok");
            }
            Fate::Missed => {
                missed += 1;
                println!("missed: {name}");
            }
        }
    }
    let good = caught + missed > 0 && caught * 10 >= (caught + missed) * 9;
    println!("test nine tenths of the mutants are caught ... {}", if good { "ok" } else { "FAILED" });
    let (result, failed) = if good { ("ok", 0) } else { ("FAILED", 1) };
    let unviable = tried - caught - missed;
    println!("{caught} of {} mutants caught, {} accepted in advance", caught + missed, accepted.len());
    println!("test result: {result}. {} passed; {failed} failed; {unviable} ignored", caught + 1 - failed);
    Ok(good)
}

/// The accepted mutants, as file and what is said of them. An error for a line that is wrong or names no
/// mutant.
fn accepted(all: &[Mutant]) -> Result<Vec<(PathBuf, String)>, String> {
    let text =
        fs::read_to_string(tests::home().join("mutants/accepted.txt")).map_err(|error| error.to_string())?;
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let read = |line: &str| {
        let fields: Vec<&str> = line.splitn(3, '|').map(str::trim).collect();
        let &[file, what, reason] = fields.as_slice() else {
            return Err(format!("accepted.txt: want `file | mutant | reason`, not `{line}`"));
        };
        let found = all.iter().any(|mutant| mutant.file == Path::new(file) && mutant.what == what);
        match found && !reason.is_empty() {
            true => Ok((PathBuf::from(file), what.to_string())),
            false => Err(format!("accepted.txt: `{line}` names no mutant, or has no reason")),
        }
    };
    lines.map(read).collect()
}

/// A number that follows from the seed and a text alone (FNV-1a, and a step that mixes the bits).
fn draw(seed: u64, text: &str) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64 ^ seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    for byte in text.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    hash ^= hash >> 31;
    hash.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (hash >> 27)
}

/// `count` mutants of each package, those with the least draws; the packages in turn, so that a run that ends
/// early has tried some of each.
fn sample<'a>(all: &'a [Mutant], accepted: &[(PathBuf, String)], seed: u64, count: usize) -> Vec<&'a Mutant> {
    let of = |package: &str| {
        let wanted = |mutant: &&Mutant| {
            let is_accepted =
                accepted.iter().any(|(file, what)| *file == mutant.file && *what == mutant.what);
            mutant.package == package && !is_accepted
        };
        let mut mutants: Vec<&Mutant> = all.iter().filter(wanted).collect();
        // By what it is, not by where: a line more in a file changes nothing.
        mutants.sort_by_key(|m| (draw(seed, &format!("{} {}", m.file.display(), m.what)), m.start));
        mutants.truncate(count);
        mutants
    };
    let drawn: Vec<Vec<&Mutant>> = PACKAGES.iter().map(|(package, _)| of(package)).collect();
    (0..count).flat_map(|i| drawn.iter().filter_map(move |mutants| mutants.get(i).copied())).collect()
}

/// The copy of the sources, and where it is built.
struct Tool {
    tree: PathBuf,
    target: PathBuf,
    prefix: PathBuf,
}

impl Tool {
    /// Copies the sources, without what is built.
    fn prepare() -> Result<Tool, String> {
        let root = tests::home().join("..").canonicalize().map_err(|error| error.to_string())?;
        let work = root.join("build/mutants");
        let tool = Tool { tree: work.join("tree"), target: work.join("target"), prefix: work.join("prefix") };
        let text = |error: std::io::Error| error.to_string();
        let _ = fs::remove_dir_all(&tool.tree);
        for folder in [&tool.tree, &tool.prefix.join("bin")] {
            fs::create_dir_all(folder).map_err(text)?;
        }
        // Times of files are kept, so that cargo builds again only what has changed.
        let script = "tar -C \"$0\" --exclude=./build --exclude=./target --exclude=./.git -cf - . | tar -C \"$1\" -xf -";
        let mut copy = Command::new("sh");
        copy.args(["-c", script]).arg(&root).arg(&tool.tree);
        tool.must(&mut copy)?;
        for name in ["lib", "include"] {
            let (from, to) = (root.join("build").join(name), tool.prefix.join(name));
            let _ = fs::remove_file(&to);
            std::os::unix::fs::symlink(from, to).map_err(text)?;
        }
        Ok(tool)
    }

    /// All mutants of the packages.
    fn list(&self) -> Result<Vec<Mutant>, String> {
        let mut command = self.cargo("mutants");
        command.args(["--list", "--json", "--no-config"]);
        for (package, _) in PACKAGES {
            command.args(["-p", package]);
        }
        let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            return Err(format!("{command:?}: {said}\n  packaging/setup mutants installs cargo-mutants"));
        }
        let list: Value = serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())?;
        let list = list.as_array().ok_or("cargo mutants --list gives no list")?;
        list.iter()
            .map(|value| mutant(value).ok_or(format!("a mutant that is not understood: {value}")))
            .collect()
    }

    fn cargo(&self, subcommand: &str) -> Command {
        let mut command = Command::new("cargo");
        command.arg(subcommand).current_dir(&self.tree).env("CARGO_TARGET_DIR", &self.target);
        // This program is run by cargo, which sets some of its own.
        tests::forget(&mut command, "MERIDIAN_");
        tests::forget(&mut command, "CARGO_PKG_");
        command.env_remove("CARGO_MANIFEST_DIR").env("MERIDIAN", self.prefix.join("bin/meridian"));
        command
    }

    fn run(&self, command: &mut Command) -> Result<Outcome, String> {
        let scratch = self.tree.parent().expect("a folder");
        process::run(command, None, STEP, scratch, "last").map_err(|error| format!("{command:?}: {error}"))
    }

    fn must(&self, command: &mut Command) -> Result<(), String> {
        let outcome = self.run(command)?;
        if passed(&outcome) { Ok(()) } else { Err(format!("{command:?}: {}", outcome.report())) }
    }

    /// Builds the command; false: it does not compile.
    fn build(&self) -> Result<bool, String> {
        let built = passed(&self.run(self.cargo("build").args(["--locked", "-p", "cli"]))?);
        if built {
            let command = self.prefix.join("bin/meridian");
            let _ = fs::remove_file(&command);
            fs::copy(self.target.join("debug/meridian"), command).map_err(|error| error.to_string())?;
        }
        Ok(built)
    }

    fn suite(&self, (package, test, filter): Suite) -> Result<Outcome, String> {
        let mut command = self.cargo("test");
        command.args(["--locked", "-p", package]);
        if !test.is_empty() {
            command.args(["--test", test]);
        }
        command.arg("--").args((!filter.is_empty()).then_some(filter));
        self.run(&mut command)
    }

    /// Without a mutant everything passes.
    fn baseline(&self) -> Result<(), String> {
        if !self.build()? {
            return Err("the sources do not compile as they are".into());
        }
        let mut suites: Vec<Suite> = PACKAGES
            .iter()
            .flat_map(|(own, suites)| [(*own, "", "")].into_iter().chain(suites.iter().copied()))
            .collect();
        suites.sort_unstable();
        suites.dedup();
        for suite in suites {
            let began = Instant::now();
            let outcome = self.suite(suite)?;
            if !passed(&outcome) {
                return Err(format!("{suite:?} fails without any mutant: {}", outcome.report()));
            }
            println!("{suite:?} passes without a mutant ({:.0} s)", began.elapsed().as_secs_f64());
        }
        Ok(())
    }

    fn fate(&self, mutant: &Mutant) -> Result<Fate, String> {
        let path = self.tree.join(&mutant.file);
        let right = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        fs::write(&path, mutant.apply(&right)?).map_err(|error| error.to_string())?;
        let fate = self.fate_as_written(mutant);
        fs::write(&path, right).map_err(|error| error.to_string())?;
        fate
    }

    fn fate_as_written(&self, mutant: &Mutant) -> Result<Fate, String> {
        if !self.build()? {
            return Ok(Fate::Unviable);
        }
        let (own, suites) =
            PACKAGES.iter().find(|(package, _)| *package == mutant.package).expect("one of the packages");
        for suite in [(*own, "", "")].into_iter().chain(suites.iter().copied()) {
            if !passed(&self.suite(suite)?) {
                return Ok(Fate::Caught);
            }
        }
        Ok(Fate::Missed)
    }
}

fn passed(outcome: &Outcome) -> bool {
    outcome.status == 0 && !outcome.timed_out
}

/// A mutant as cargo-mutants writes it.
fn mutant(value: &Value) -> Option<Mutant> {
    let place = |end: &str| {
        let place = &value["span"][end];
        Some((place["line"].as_u64()? as usize, place["column"].as_u64()? as usize))
    };
    let name = value["name"].as_str()?;
    Some(Mutant {
        package: value["package"].as_str()?.to_string(),
        file: value["file"].as_str()?.into(),
        what: name.splitn(4, ':').nth(3).unwrap_or(name).trim().to_string(),
        start: place("start")?,
        end: place("end")?,
        replacement: value["replacement"].as_str()?.to_string(),
    })
}

impl Mutant {
    /// The mutated text. Lines and columns, in characters, count from 1.
    fn apply(&self, text: &str) -> Result<String, String> {
        let offset = |(line, column): (usize, usize)| {
            let start: usize = text.split_inclusive('\n').take(line - 1).map(str::len).sum();
            let rest = text.get(start..)?;
            let inside: usize = rest.chars().take(column - 1).map(char::len_utf8).sum();
            Some(start + inside)
        };
        let (start, end) = offset(self.start).zip(offset(self.end)).ok_or("a mutant outside of its file")?;
        let before = text.get(..start).ok_or("a mutant outside of its file")?;
        let after = text.get(end..).ok_or("a mutant outside of its file")?;
        Ok(format!("{before}{}{after}", self.replacement))
    }
}
