//! Mutation testing of the compiler and the launcher: `mutants [SEED [COUNT [PACKAGE...]]]`.
//!
//! cargo-mutants lists the mutants of the packages below, or of the named ones. From each package, COUNT (30)
//! mutants are drawn by SEED (1), the same on every machine. All are written into one copy of the sources
//! (`build/mutants`), which is built once; an environment variable chooses the mutant that a program has
//! (`tests/src/mutation.rs`). Each mutant is tested by its package's own tests, and if those pass, by
//! programs that are compiled and run with the faulty tool. Mutants listed in `tests/mutants/accepted.txt`
//! are not tried. Fails if under nine tenths are caught. After half an hour the rest of the sample is left
//! out, and a message says so. Prints the lines that `tests/tally` reads.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use serde_json::Value;
use tests::mutation::{self, Mutant};
use tests::process::{self, Outcome};

/// The packages, and the suites that test their mutants after the packages' own tests: test files with a
/// filter.
const PACKAGES: [Package; 4] = [
    (
        "c-sema",
        &[
            ("lower", "", ""),
            ("tests", "lines", ""),
            ("tests", "upc", "fail/"),
            ("tests", "upc", "warn/"),
            ("tests", "upc", "run/decl/"),
            ("tests", "upc", "run/c/"),
        ],
    ),
    (
        "opt",
        &[
            ("lower", "", ""),
            ("tests", "upc", "run/forall/"),
            ("tests", "upc", "walks"),
            ("tests", "optimisations", ""),
        ],
    ),
    (
        "lower",
        &[
            ("tests", "upc", "run/mix/"),
            ("tests", "upc", "run/ptr/"),
            ("tests", "upc", "run/decl/"),
            ("tests", "upc", "run/forall/"),
            ("tests", "upc", "run/c/"),
            ("tests", "upc", ".sc"),
        ],
    ),
    ("launch", &[("cli", "run", ""), ("cli", "names", ""), ("tests", "cli", ""), ("cli", "net", "")]),
];

/// A package whose mutants are tested, and the suites besides its own tests.
type Package = (&'static str, &'static [Suite]);

/// A package, a test file of it (empty: all), a filter (empty: none).
type Suite = (&'static str, &'static str, &'static str);

/// Longer than a build takes on a loaded machine.
const BUILD: Duration = Duration::from_secs(1200);
/// A suite counts as one that does not end after SLOWER times its time without a mutant, and MORE. A mutant
/// that does not end is caught.
const SLOWER: u32 = 4;
const MORE: Duration = Duration::from_secs(20);
/// After this, no other mutant is begun.
const ALL: Duration = Duration::from_secs(27 * 60);

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, default: u64| words.get(at).map_or(Some(default), |word| word.parse().ok());
    let named = words.get(2..).unwrap_or_default();
    let packages: Vec<Package> =
        PACKAGES.into_iter().filter(|(own, _)| named.is_empty() || named.iter().any(|n| n == own)).collect();
    let (Some(seed), Some(count), true) =
        (number(0, 1), number(1, 30), named.is_empty() || packages.len() == named.len())
    else {
        let known = PACKAGES.map(|(own, _)| own).join(", ");
        eprintln!("mutants: want [SEED [COUNT [PACKAGE...]]], two numbers, and packages among {known}");
        return ExitCode::FAILURE;
    };
    match run(packages, seed, count as usize) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("mutants: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(packages: Vec<Package>, seed: u64, count: usize) -> Result<bool, String> {
    let began = Instant::now();
    let tool = Tool::prepare(packages)?;
    let all = tool.list()?;
    let accepted = accepted(&tool.packages, &all)?;
    let sample = sample(&tool.packages, &all, &accepted, seed, count);
    let viable = tool.build(&sample)?;
    let suites = tool.suites()?;
    let (mut caught, mut missed, mut tried) = (0, 0, 0);
    for (number, mutant) in (1..).zip(&sample) {
        if began.elapsed() > ALL {
            let left = sample.len() - tried;
            println!("half an hour is over: {left} of {} mutants have not been tried", sample.len());
            break;
        }
        tried += 1;
        let name = format!("{}:{}: {}", mutant.file.display(), mutant.start.0, mutant.what);
        if !viable.contains(&number) {
            println!("test mutant {name} ... ignored, it does not compile");
        } else if let Some(by) = tool.caught(number, mutant, &suites)? {
            caught += 1;
            println!("test mutant {name} (by {by}) ... ok");
        } else {
            missed += 1;
            println!("missed: {name}");
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

/// The accepted mutants, as file and description. Returns an error for a line that is malformed, or names no
/// mutant of the packages whose mutants are in `all`.
fn accepted(packages: &[Package], all: &[Mutant]) -> Result<Vec<(PathBuf, String)>, String> {
    let text =
        fs::read_to_string(tests::home().join("mutants/accepted.txt")).map_err(|error| error.to_string())?;
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let read = |line: &str| {
        let fields: Vec<&str> = line.splitn(3, '|').map(str::trim).collect();
        let &[file, what, reason] = fields.as_slice() else {
            return Err(format!("accepted.txt: want `file | mutant | reason`, not `{line}`"));
        };
        let listed = |mutant: &Mutant| mutant.file == Path::new(file) && mutant.what == what;
        let is_another = !packages.iter().any(|(own, _)| file.starts_with(&format!("crates/{own}/")));
        match (is_another || all.iter().any(listed)) && !reason.is_empty() {
            true => Ok((PathBuf::from(file), what.to_string())),
            false => Err(format!("accepted.txt: `{line}` names no mutant, or has no reason")),
        }
    };
    lines.map(read).collect()
}

/// A number that depends only on the seed and a text (FNV-1a, and a step that mixes the bits).
fn draw(seed: u64, text: &str) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64 ^ seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    for byte in text.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    hash ^= hash >> 31;
    hash.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (hash >> 27)
}

/// `count` mutants of each package, those with the least draws. The packages alternate, so that a run that
/// ends early has tried some of each.
fn sample<'a>(
    packages: &[Package],
    all: &'a [Mutant],
    accepted: &[(PathBuf, String)],
    seed: u64,
    count: usize,
) -> Vec<&'a Mutant> {
    let of = |package: &str| {
        let wanted = |mutant: &&Mutant| {
            let is_accepted =
                accepted.iter().any(|(file, what)| *file == mutant.file && *what == mutant.what);
            mutant.package == package && !is_accepted
        };
        let mut mutants: Vec<&Mutant> = all.iter().filter(wanted).collect();
        // By the description, and a count among equal descriptions, not by the place: another line in a file
        // changes nothing.
        mutants.sort_by_key(|m| m.start);
        let mut before: HashMap<(&Path, &str), u32> = HashMap::new();
        mutants.sort_by_cached_key(|m| {
            let which = before.entry((&m.file, &m.what)).or_default();
            *which += 1;
            draw(seed, &format!("{} {} {which}", m.file.display(), m.what))
        });
        mutants.truncate(count);
        mutants
    };
    let drawn: Vec<Vec<&Mutant>> = packages.iter().map(|(package, _)| of(package)).collect();
    (0..count).flat_map(|i| drawn.iter().filter_map(move |mutants| mutants.get(i).copied())).collect()
}

/// The copy of the sources, and the directories in which it is built.
struct Tool {
    packages: Vec<Package>,
    /// The sources as they were at the start: they may change while this runs.
    original: PathBuf,
    tree: PathBuf,
    target: PathBuf,
    prefix: PathBuf,
}

/// The executables of tests, by package and test file (empty: the package's unit tests).
type Executables = HashMap<(String, String), PathBuf>;

/// The suites that can be run, and how long each takes without a mutant.
struct Suites {
    executables: Executables,
    times: HashMap<Suite, Duration>,
}

impl Tool {
    /// Copies the sources, without built files.
    fn prepare(packages: Vec<Package>) -> Result<Tool, String> {
        let root = tests::home().join("..").canonicalize().map_err(|error| error.to_string())?;
        let work = root.join("build/mutants");
        let (original, tree) = (work.join("original"), work.join("tree"));
        let (target, prefix) = (work.join("target"), work.join("prefix"));
        let tool = Tool { packages, original, tree, target, prefix };
        let text = |error: std::io::Error| error.to_string();
        for folder in [&tool.original, &tool.tree] {
            let _ = fs::remove_dir_all(folder);
        }
        for folder in [&tool.original, &tool.tree, &tool.prefix.join("bin")] {
            fs::create_dir_all(folder).map_err(text)?;
        }
        // Times of files are kept, so that cargo rebuilds only changed files.
        let script = "tar -C \"$0\" --exclude=./build --exclude=./target --exclude=./.git -cf - . | tar -C \"$1\" -xf -";
        for (from, to) in [(&root, &tool.original), (&tool.original, &tool.tree)] {
            let mut copy = Command::new("sh");
            tool.must(copy.args(["-c", script]).arg(from).arg(to))?;
        }
        for name in ["lib", "include"] {
            let (from, to) = (root.join("build").join(name), tool.prefix.join(name));
            let _ = fs::remove_file(&to);
            std::os::unix::fs::symlink(from, to).map_err(text)?;
        }
        for name in ["upcc", "upcrun", "ac"] {
            let link = tool.prefix.join("bin").join(name);
            let _ = fs::remove_file(&link);
            std::os::unix::fs::symlink("meridian", link).map_err(text)?;
        }
        Ok(tool)
    }

    /// All mutants of the packages.
    fn list(&self) -> Result<Vec<Mutant>, String> {
        let mut command = self.cargo("mutants");
        command.args(["--list", "--json", "--no-config"]);
        for (package, _) in &self.packages {
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
            .map(|value| Mutant::read(value).ok_or(format!("a mutant that is not understood: {value}")))
            .collect()
    }

    fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        // This program is run by cargo, which sets some of these variables itself.
        tests::forget(&mut command, "MERIDIAN_");
        tests::forget(&mut command, "CARGO_PKG_");
        command.env_remove("CARGO_MANIFEST_DIR").env_remove(mutation::CHOSEN);
        command.env("MERIDIAN", self.prefix.join("bin/meridian"));
        command
    }

    fn cargo(&self, subcommand: &str) -> Command {
        let mut command = self.command("cargo");
        command.arg(subcommand).current_dir(&self.tree).env("CARGO_TARGET_DIR", &self.target);
        command.env("CARGO_PROFILE_DEV_DEBUG", "0");
        command
    }

    fn run(&self, command: &mut Command, limit: Duration) -> Result<Outcome, String> {
        process::run(command, None, limit).map_err(|error| format!("{command:?}: {error}"))
    }

    fn must(&self, command: &mut Command) -> Result<Outcome, String> {
        let outcome = self.run(command, BUILD)?;
        if passed(&outcome) { Ok(outcome) } else { Err(format!("{command:?}: {}", outcome.report())) }
    }

    /// Writes the mutants, numbered from 1, and builds. Returns the numbers of those that compile.
    fn build(&self, sample: &[&Mutant]) -> Result<HashSet<u32>, String> {
        let packages: Vec<&str> = self.packages.iter().map(|(package, _)| *package).collect();
        let mut dropped = HashSet::new();
        loop {
            let written = mutation::write(&self.tree, &self.original, &packages, sample, &dropped)?;
            let mut check = self.cargo("check");
            check.args(["--locked", "--message-format=json"]);
            packages.iter().for_each(|package| _ = check.args(["-p", package]));
            let outcome = self.run(&mut check, BUILD)?;
            if passed(&outcome) {
                let viable = written.numbers().collect();
                self.must(self.cargo("build").args(["--locked", "-p", "cli"]))?;
                let command = self.prefix.join("bin/meridian");
                let _ = fs::remove_file(&command);
                fs::copy(self.target.join("debug/meridian"), command).map_err(|error| error.to_string())?;
                return Ok(viable);
            }
            let faulty: HashSet<u32> =
                outcome.stdout.lines().filter_map(|line| faulty(line, &written)).collect();
            if faulty.is_empty() {
                return Err(format!("the sources do not compile: {}", outcome.report()));
            }
            dropped.extend(faulty);
        }
    }

    /// Builds all tests, and runs the suites without a mutant; all must pass.
    fn suites(&self) -> Result<Suites, String> {
        let all = || self.packages.iter().flat_map(|(own, rest)| own_and(own, rest));
        let mut executables = Executables::new();
        for whole in [true, false] {
            let mut build = self.cargo("test");
            build.args(["--locked", "--no-run", "--message-format=json"]);
            for (package, test, _) in all().filter(|(_, test, _)| test.is_empty() == whole) {
                build.args(["-p", package]);
                if !whole {
                    build.args(["--test", test]);
                }
            }
            executables.extend(self.must(&mut build)?.stdout.lines().filter_map(executable));
        }
        let mut suites = Suites { executables, times: HashMap::new() };
        for suite in all() {
            if suites.times.contains_key(&suite) {
                continue;
            }
            let began = Instant::now();
            let outcome = self.suite(suite, None, &suites.executables, BUILD)?;
            if let Some(outcome) = outcome.filter(|outcome| !passed(outcome)) {
                return Err(format!("{suite:?} fails without any mutant: {}", outcome.report()));
            }
            suites.times.insert(suite, began.elapsed());
            println!("{} passes without a mutant ({:.0} s)", title(suite), began.elapsed().as_secs_f64());
        }
        Ok(suites)
    }

    /// Runs the tests of a suite. Returns the outcome of its first file that fails, or of the last.
    fn suite(
        &self,
        (package, test, filter): Suite,
        mutant: Option<u32>,
        executables: &Executables,
        limit: Duration,
    ) -> Result<Option<Outcome>, String> {
        let mut last = None;
        let wanted = |(of, file): &(String, String)| of == package && (test.is_empty() || file == test);
        let mut files: Vec<_> = executables.iter().filter(|(key, _)| wanted(key)).collect();
        files.sort();
        for (_, path) in files {
            let folder = if package == "tests" { "tests".into() } else { Path::new("crates").join(package) };
            let mut command = self.command(path);
            command.args((!filter.is_empty()).then_some(filter)).current_dir(self.tree.join(folder));
            mutant.iter().for_each(|number| _ = command.env(mutation::CHOSEN, number.to_string()));
            let outcome = self.run(&mut command, limit)?;
            let failed = !passed(&outcome);
            last = Some(outcome);
            if failed {
                break;
            }
        }
        Ok(last)
    }

    /// The name of the suite that catches a mutant.
    fn caught(&self, number: u32, mutant: &Mutant, suites: &Suites) -> Result<Option<String>, String> {
        let (own, rest) =
            PACKAGES.iter().find(|(own, _)| *own == mutant.package).expect("one of the packages");
        for suite in own_and(own, rest) {
            let limit = suites.times[&suite] * SLOWER + MORE;
            let outcome = self.suite(suite, Some(number), &suites.executables, limit)?;
            if outcome.is_some_and(|outcome| !passed(&outcome)) {
                return Ok(Some(title(suite)));
            }
        }
        Ok(None)
    }
}

/// A package's own tests, and the suites after them.
fn own_and(own: &'static str, rest: &'static [Suite]) -> impl Iterator<Item = Suite> {
    [(own, "", "")].into_iter().chain(rest.iter().copied())
}

fn title((package, test, filter): Suite) -> String {
    [package, test, filter].into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The executable that a line of cargo's output is about, with its package and test file.
fn executable(line: &str) -> Option<((String, String), PathBuf)> {
    let message: Value = serde_json::from_str(line).ok()?;
    let path = PathBuf::from(message["executable"].as_str()?);
    let is_test = message["profile"]["test"].as_bool()?;
    // `path+file:///…/crates/opt#0.1.0`, or `…#opt@0.1.0`.
    let folder = Path::new(message["manifest_path"].as_str()?).parent()?;
    let package = folder.file_name()?.to_str()?.to_owned();
    let kind = message["target"]["kind"][0].as_str()?;
    let file = if kind == "test" { message["target"]["name"].as_str()?.to_owned() } else { kind.to_owned() };
    is_test.then_some(((package, file), path))
}

/// The mutant that an error of the compiler is about.
fn faulty(line: &str, written: &mutation::Written) -> Option<u32> {
    let message: Value = serde_json::from_str(line).ok()?;
    let error = message.get("message").filter(|m| m["level"] == "error")?;
    let spans = error["spans"].as_array()?;
    let place = |span: &Value| {
        let byte = span["byte_start"].as_u64()? as usize;
        written.at(Path::new(span["file_name"].as_str()?), byte)
    };
    let primary = spans.iter().filter(|span| span["is_primary"] == true);
    primary.chain(spans).find_map(place)
}

fn passed(outcome: &Outcome) -> bool {
    outcome.status == 0 && !outcome.timed_out
}
