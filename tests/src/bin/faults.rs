//! Builds the runtime with one deliberate fault after the other (`runtime/tests/faults`), and runs the suite
//! that must catch it: `faults [NAME...]`; without names, all faults. The suites must first pass on the
//! unchanged runtime. Prints the lines that `tests/tally` reads. Writes only to `build/faults`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use tests::faults::{self, Fault, Suite};
use tests::process::{self, Outcome};

/// Longer than any suite takes on a loaded machine; a suite that does not end has caught the fault.
const LIMIT: Duration = Duration::from_secs(600);

struct Runner {
    work: PathBuf,
}

fn main() -> ExitCode {
    let names: Vec<String> = std::env::args().skip(1).collect();
    match run(&names) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("faults: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(names: &[String]) -> Result<bool, String> {
    let all = faults::all()?;
    if let Some(unknown) = names.iter().find(|name| all.iter().all(|fault| fault.name != **name)) {
        return Err(format!("there is no fault {unknown}"));
    }
    let chosen: Vec<Fault> =
        all.into_iter().filter(|fault| names.is_empty() || names.contains(&fault.name)).collect();
    let work = tests::home().join("../build/faults");
    fs::create_dir_all(work.join("prefix/bin")).map_err(|error| format!("{}: {error}", work.display()))?;
    let work = work.canonicalize().map_err(|error| error.to_string())?;
    let runner = Runner { work };
    runner.prepare()?;
    let mut skipped = BTreeSet::new();
    for suite in chosen.iter().map(|fault| &fault.suite).collect::<BTreeSet<_>>() {
        let began = Instant::now();
        let outcome = runner.build_and_run(suite)?;
        if !passed(&outcome) {
            return Err(format!("{suite:?} fails without any fault: {}", outcome.report()));
        }
        println!("{suite:?} passes without a fault ({:.0} s)", began.elapsed().as_secs_f64());
        if outcome.stdout.contains("test result: ok. 0 passed") {
            skipped.insert(suite);
        }
    }
    let (mut caught, mut survivors) = (0, 0);
    for fault in &chosen {
        if skipped.contains(&fault.suite) {
            println!("test fault {} ... ignored, the suite {:?} cannot run here", fault.name, fault.suite);
            continue;
        }
        let is_caught = runner.try_fault(fault)?;
        caught += usize::from(is_caught);
        survivors += usize::from(!is_caught);
        println!("test fault {} ... {}", fault.name, if is_caught { "ok" } else { "FAILED" });
        if !is_caught {
            println!("  not caught by {:?}: {}", fault.suite, fault.what);
        }
    }
    let result = if survivors == 0 { "ok" } else { "FAILED" };
    let ignored = chosen.len() - caught - survivors;
    println!("test result: {result}. {caught} passed; {survivors} failed; {ignored} ignored");
    Ok(survivors == 0)
}

fn passed(outcome: &Outcome) -> bool {
    outcome.status == 0 && !outcome.timed_out
}

impl Runner {
    /// The directory in which the runtime is changed.
    fn source(&self) -> PathBuf {
        self.work.join("runtime")
    }

    /// Makes the copy of the runtime equal to the runtime, and configures its build.
    fn prepare(&self) -> Result<(), String> {
        let original = faults::runtime();
        let is_file = |path: &Path| path.is_file();
        let (wanted, there) = (tests::walk(&original, &is_file), tests::walk(&self.source(), &is_file));
        for stray in there {
            let below = stray.strip_prefix(self.source()).expect("below");
            if !original.join(below).exists() {
                fs::remove_file(&stray).map_err(|error| format!("{}: {error}", stray.display()))?;
            }
        }
        for file in wanted {
            let text = fs::read(&file).map_err(|error| format!("{}: {error}", file.display()))?;
            self.write(file.strip_prefix(&original).expect("below"), &text)?;
        }
        let command = tests::meridian();
        fs::copy(&command, self.work.join("prefix/bin/meridian"))
            .map_err(|error| format!("{}: {error}; `make` builds it", command.display()))?;
        let mut configure = Command::new("cmake");
        configure.arg("-S").arg(self.source()).arg("-B").arg(self.work.join("build"));
        configure.args(["-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_INSTALL_LIBDIR=lib", "-DBUILD_TESTING=ON"]);
        self.must(&mut configure)
    }

    /// Writes a file of the copy, if its text differs.
    fn write(&self, file: &Path, text: &[u8]) -> Result<(), String> {
        let path = self.source().join(file);
        if fs::read(&path).is_ok_and(|old| old == text) {
            return Ok(());
        }
        let folder = path.parent().expect("a folder");
        fs::create_dir_all(folder)
            .and_then(|()| fs::write(&path, text))
            .map_err(|error| format!("{}: {error}", path.display()))
    }

    fn run(&self, command: &mut Command) -> Result<Outcome, String> {
        tests::forget(command, "MERIDIAN_");
        process::run(command, None, LIMIT).map_err(|error| format!("{command:?}: {error}"))
    }

    /// Runs a step of the build, which must succeed.
    fn must(&self, command: &mut Command) -> Result<(), String> {
        let outcome = self.run(command)?;
        if passed(&outcome) { Ok(()) } else { Err(format!("{command:?}: {}", outcome.report())) }
    }

    fn build(&self, targets: &[&str]) -> Result<(), String> {
        let mut build = Command::new("cmake");
        build.arg("--build").arg(self.work.join("build")).args(["--parallel", "2", "--target"]).args(targets);
        self.must(&mut build)
    }

    /// Builds the programs of the suite, and runs it.
    fn build_and_run(&self, suite: &Suite) -> Result<Outcome, String> {
        match suite {
            Suite::Ctest(test, program) => {
                let more: &[&str] = match program.as_str() {
                    "test_split_c" => &["split_c_body"],
                    "test_static" => &["static_body", "static_body_0", "static_body_5"],
                    _ => &[],
                };
                self.build(&[&[program.as_str()], more].concat())?;
                let mut ctest = Command::new("ctest");
                ctest.arg("--test-dir").arg(self.work.join("build")).args(["-R", &format!("^{test}$")]);
                let outcome = self.run(ctest.args(["--no-tests=error", "--output-on-failure"]))?;
                match outcome.stdout.contains("***Not Run") || outcome.stderr.contains("No tests were found")
                {
                    true => Err(format!("{suite:?} has not run: {}", outcome.report())),
                    false => Ok(outcome),
                }
            }
            Suite::Cargo(test, filter) => {
                self.build(&["meridian", "meridian_everything"])?;
                self.install()?;
                // Otherwise a test that does not compile would count as one that catches the fault.
                self.must(self.cargo(test).arg("--no-run"))?;
                let mut command = self.cargo(test);
                command.arg("--").args((!filter.is_empty()).then_some(filter));
                command.env("MERIDIAN", self.work.join("prefix/bin/meridian"));
                process::run(&mut command, None, LIMIT).map_err(|error| error.to_string())
            }
        }
    }

    /// A test of the package `tests`, by cargo.
    fn cargo(&self, test: &str) -> Command {
        let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command.args(["test", "--release", "--locked", "-p", "tests", "--test", test]);
        tests::forget(&mut command, "MERIDIAN_");
        command.current_dir(tests::home().join(".."));
        command
    }

    /// Puts the libraries and headers beside the command, as `make` does. The modules are the ones that
    /// `make` built.
    fn install(&self) -> Result<(), String> {
        let (lib, include) = (self.work.join("prefix/lib"), self.work.join("prefix/include"));
        let text = |error: std::io::Error| error.to_string();
        fs::create_dir_all(&lib).map_err(text)?;
        for name in ["libmeridian.a", "libmeridian_everything.a"] {
            fs::copy(self.work.join("build").join(name), lib.join(name)).map_err(text)?;
        }
        let headers = self.source().join("include");
        for file in tests::walk(&headers, &|path| path.is_file()) {
            let to = include.join(file.strip_prefix(&headers).expect("below"));
            fs::create_dir_all(to.parent().expect("a folder")).map_err(text)?;
            fs::copy(&file, to).map_err(text)?;
        }
        Ok(())
    }

    /// Whether the suite of a fault catches it. The file is restored afterwards.
    fn try_fault(&self, fault: &Fault) -> Result<bool, String> {
        let right = fs::read_to_string(faults::runtime().join(&fault.file))
            .map_err(|error| format!("{}: {}: {error}", fault.name, fault.file.display()))?;
        self.write(&fault.file, fault.apply(&right)?.as_bytes())?;
        let outcome = self.build_and_run(&fault.suite);
        self.write(&fault.file, right.as_bytes())?;
        Ok(!passed(&outcome.map_err(|error| format!("{}: {error}", fault.name))?))
    }
}
