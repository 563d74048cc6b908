//! Compiling and running programs in many settings, and comparing them with their model.

use super::Program;
use crate::network_faults::{Faults, FaultyNetwork};
use crate::process::{self, Outcome};
use crate::random::Random;
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The time limit of a command, for a loaded machine: a program takes a second or two.
const LIMIT: Duration = Duration::from_secs(180);

/// Numbers of threads. Large ones are rare, because their runs take long: the threads share the cores.
const THREADS: [usize; 12] = [1, 2, 2, 2, 3, 3, 3, 4, 4, 5, 7, 8];
/// By message, the time of a case grows with the square of the threads. With n threads, one of PARTS[n] cases
/// runs.
const PARTS: [usize; 9] = [1, 1, 1, 2, 4, 8, 8, 8, 8];

/// A way to compile a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Build {
    cc: &'static str,
    options: &'static [&'static str],
    threads: Option<usize>,
}

/// Without optimisation by the C compiler, which takes the most time.
const FAST: &[&str] = &["-O0", "-opt"];
/// With a slow C compiler, one of this many cases is compiled.
const SLOW_PART: usize = 8;

/// A program's source, and its compiled model.
struct Written {
    source: PathBuf,
    model: PathBuf,
}

impl Build {
    /// A quick build that optimises communication.
    fn quick(random: &mut Random, has_clang: bool) -> Build {
        let cc = if has_clang && random.one_in(2) { "clang" } else { "gcc" };
        Build { cc, options: FAST, threads: None }
    }

    /// Another build: quick, or with optimisation by the C compiler.
    fn other(random: &mut Random, has_clang: bool) -> Build {
        let options = random.pick(&[FAST, FAST, &["-O1"], &["-O2"], &["-O3"]]);
        let cc = if has_clang && random.one_in(3) { "clang" } else { "gcc" };
        let threads = random.one_in(2).then(|| random.pick(&THREADS));
        Build { cc, options, threads }
    }

    fn command(&self, source: &Path, program: &Path) -> Command {
        let mut command = Command::new(crate::meridian());
        command.args(["cc", "-w", "-fwrapv", &format!("--cc={}", self.cc)]).args(self.options);
        command.args(self.threads.map(|n| format!("-fupc-threads-{n}")));
        command.arg(source).arg("-o").arg(program);
        command
    }
}

impl fmt::Display for Build {
    fn fmt(&self, to: &mut fmt::Formatter) -> fmt::Result {
        write!(to, "meridian cc -w -fwrapv --cc={} {}", self.cc, self.options.join(" "))?;
        self.threads.map_or(Ok(()), |n| write!(to, " -fupc-threads-{n}"))
    }
}

/// A way to run a program.
#[derive(Clone, Debug)]
pub struct Setting {
    threads: usize,
    /// The threads of each host; empty: all are on one.
    hosts: Vec<usize>,
    /// Packets between the hosts are late.
    late: bool,
    /// The number of the first case that runs, and the distance to the next.
    part: (usize, usize),
    variables: Vec<(&'static str, String)>,
}

impl Setting {
    /// The setting with this number, of those that a seed draws, with the conduits of `bench`.
    fn new(number: usize, random: &mut Random, fixed: Option<usize>, bench: &Bench) -> Setting {
        let threads = fixed.unwrap_or_else(|| random.pick(&THREADS));
        let mut setting =
            Setting { threads, hosts: Vec::new(), late: false, part: (0, 1), variables: Vec::new() };
        if number > 0 {
            let depth = random.pick(&["2", "7", "7", "30", "4096"]);
            setting.variables.push(("MERIDIAN_PREFETCH", depth.into()));
            if threads == 1 && fixed.is_none() {
                setting.threads = 2;
            }
            let parts = PARTS[setting.threads];
            setting.part = (random.below(parts), parts);
        }
        if number == 1 || number == 2 && random.one_in(2) {
            setting.variables.push(("MERIDIAN_REMOTE", "1".into()));
        } else if number > 0 && setting.threads > 1 {
            let first = 1 + random.below(setting.threads - 1);
            setting.hosts = match setting.threads - first {
                rest if rest > 1 && random.one_in(3) => vec![first, 1, rest - 1],
                rest => vec![first, rest],
            };
            setting.late = random.one_in(8) && !bench.late.is_empty();
            if !setting.late {
                setting.variables.push(("MERIDIAN_CONDUIT", random.pick(&bench.conduits).into()));
            }
        }
        setting
    }

    /// The kind of the setting, for the count.
    pub fn kind(&self) -> String {
        let of = |name| self.variables.iter().find(|(of, _)| *of == name).map(|(_, value)| value.as_str());
        match (of("MERIDIAN_REMOTE"), of("MERIDIAN_CONDUIT")) {
            (Some(_), _) => format!("remote, parts of {}", of("MERIDIAN_PREFETCH").unwrap_or_default()),
            _ if self.late => format!("{} hosts, late packets", self.hosts.len()),
            (_, Some(conduit)) => format!("{} hosts, {conduit}", self.hosts.len()),
            _ => "one host".into(),
        }
    }

    fn options(&self) -> Vec<String> {
        if self.hosts.is_empty() {
            return vec!["-n".into(), self.threads.to_string()];
        }
        let hosts: Vec<_> = self.hosts.iter().map(|threads| format!("localhost:{threads}")).collect();
        vec!["-H".into(), hosts.join(",")]
    }

    /// The program's arguments.
    fn part(&self) -> [String; 2] {
        [self.part.0, self.part.1].map(|number| number.to_string())
    }

    fn command(&self, program: &Path, late: &[FaultyNetwork]) -> Command {
        let mut command = match late.get(self.hosts.len().wrapping_sub(2)).filter(|_| self.late) {
            Some(network) => network.job(&self.hosts, program),
            None => {
                let mut command = Command::new(crate::meridian());
                command.arg("run").args(self.options()).arg(program);
                command
            }
        };
        command.args(self.part());
        for (name, value) in &self.variables {
            command.env(name, value);
        }
        command
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, to: &mut fmt::Formatter) -> fmt::Result {
        for (name, value) in &self.variables {
            write!(to, "{name}={value} ")?;
        }
        let late = if self.late { " (with late packets between them)" } else { "" };
        write!(to, "meridian run {} PROGRAM {}{late}", self.options().join(" "), self.part().join(" "))
    }
}

/// A difference between a program and its model.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The case; `None` if it is not known, because the program was refused.
    pub case: Option<usize>,
    /// How the program was compiled.
    pub build: Build,
    /// How it was run; `None` if it was refused.
    pub setting: Option<Setting>,
    /// The observation, in words.
    pub said: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, to: &mut fmt::Formatter) -> fmt::Result {
        write!(to, "{}", self.build)?;
        if let Some(setting) = &self.setting {
            write!(to, ", then {setting}")?;
        }
        write!(to, ": {}", self.said)
    }
}

/// Numbers of cases that ran as their model did, by settings.
pub type Count = BTreeMap<String, u64>;

/// A directory for built files, and the tools and networks to run programs with.
pub struct Bench {
    scratch: PathBuf,
    conduits: Vec<&'static str>,
    has_clang: bool,
    /// Two hosts, and three, between which packets are late; empty if that is not permitted.
    late: Vec<FaultyNetwork>,
}

impl Bench {
    /// A bench that builds in this directory.
    pub fn new(scratch: PathBuf) -> Result<Bench, String> {
        std::fs::create_dir_all(&scratch).map_err(|error| format!("{}: {error}", scratch.display()))?;
        let mut conduits = crate::conduits();
        conduits.retain(|conduit| crate::has_conduit(conduit).is_ok());
        let delay = (Duration::from_micros(10), Duration::from_micros(300));
        let network = |hosts| FaultyNetwork::new(hosts, Faults { delay, loss: 0 });
        let late = network(2).and_then(|two| Ok(vec![two, network(3)?])).unwrap_or_default();
        Ok(Bench { scratch, conduits, has_clang: crate::has_commands(&["clang"]).is_ok(), late })
    }

    fn write(&self, name: &str, text: &str) -> Result<PathBuf, String> {
        let path = self.scratch.join(name);
        std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(path)
    }

    /// Compiles the model.
    fn build_model(&self, text: &str, options: &[&str]) -> Result<PathBuf, String> {
        let source = self.write("model.c", text)?;
        let program = self.scratch.join("model");
        let mut command = Command::new("gcc");
        command.args(["-w", "-fwrapv"]).args(options).arg(&source).arg("-o").arg(&program);
        let outcome = run(&mut command)?;
        if outcome.status == 0 { Ok(program) } else { Err(format!("the model: {}", outcome.report())) }
    }

    /// The output of the model in a setting.
    fn expected(&self, model: &Path, setting: &Setting) -> Result<String, String> {
        let outcome = run(Command::new(model).arg(setting.threads.to_string()).args(setting.part()))?;
        if outcome.status == 0 { Ok(outcome.stdout) } else { Err(format!("the model: {}", outcome.report())) }
    }

    /// Checks that the program has no undefined behaviour that a sanitizer finds.
    pub fn is_defined(&self, program: &Program, threads: usize) -> Result<(), String> {
        let exact = format!("-DEXACT={threads}");
        let options = [
            "-O1",
            "-g",
            "-Werror=uninitialized",
            "-Wuninitialized",
            &exact,
            "-fsanitize=address,undefined",
            "-fsanitize=float-cast-overflow",
            "-fno-sanitize-recover=all",
        ];
        let source = self.write("exact.c", &program.model())?;
        let model = self.scratch.join("exact");
        let mut command = Command::new("gcc");
        command.args(["-fwrapv"]).args(options).arg(&source).arg("-o").arg(&model);
        let outcome = run(&mut command)?;
        if outcome.status != 0 {
            return Err(format!("the model: {}", outcome.report()));
        }
        let mut command = Command::new(&model);
        command.arg(threads.to_string()).env("ASAN_OPTIONS", "detect_leaks=0");
        let outcome = process::run(&mut command, None, Duration::from_secs(20)).map_err(|e| e.to_string())?;
        if outcome.status == 0 && !outcome.timed_out { Ok(()) } else { Err(outcome.report()) }
    }

    /// Runs a program in the settings that its seed draws, and counts the right cases.
    pub fn check(&self, program: &Program, seed: u64, count: &mut Count) -> Result<(), Found> {
        let mut random = Random::new(seed ^ 0x5eed);
        let whole = self.written(program)?;
        self.check_build(&whole, &Build::quick(&mut random, self.has_clang), &mut random, count)?;
        if !random.one_in(4) {
            return Ok(());
        }
        let build = Build::other(&mut random, self.has_clang);
        if build.options == FAST {
            return self.check_build(&whole, &build, &mut random, count);
        }
        // The C compiler then takes twenty times as long: only some of the cases.
        let mut part = program.clone();
        let first = random.below(SLOW_PART);
        (0..program.cases.len()).filter(|at| at % SLOW_PART != first).for_each(|at| part.leave_out(at));
        self.check_build(&self.written(&part)?, &build, &mut random, count)
    }

    /// Writes a program, and compiles its model.
    fn written(&self, program: &Program) -> Result<Written, Found> {
        let model = self.build_model(&program.model(), &[])?;
        Ok(Written { source: self.write("loops.upc", &program.upc())?, model })
    }

    /// Compiles a program in one way, and runs it in several settings.
    fn check_build(
        &self,
        program: &Written,
        build: &Build,
        random: &mut Random,
        count: &mut Count,
    ) -> Result<(), Found> {
        let binary = self.build(build, &program.source)?;
        for number in 0..4 {
            let setting = Setting::new(number, random, build.threads, self);
            let expected = self.expected(&program.model, &setting)?;
            self.compare(build, &setting, &binary, &expected)?;
            let how = format!("{} {}", build.cc, build.options.join(" "));
            for kind in [setting.kind(), how, format!("{} threads", setting.threads)] {
                *count.entry(kind).or_default() += expected.lines().count() as u64;
            }
        }
        Ok(())
    }

    /// Compiles a source.
    fn build(&self, build: &Build, source: &Path) -> Result<PathBuf, Found> {
        let binary = self.scratch.join("loops");
        let outcome = run(&mut build.command(source, &binary))?;
        if outcome.status == 0 && !outcome.timed_out {
            return Ok(binary);
        }
        let said = format!("it is refused, {}", outcome.report());
        Err(Found::Difference(Box::new(Difference { case: None, build: build.clone(), setting: None, said })))
    }

    /// Runs a program and compares its output, a line for each case.
    fn compare(&self, build: &Build, setting: &Setting, binary: &Path, expected: &str) -> Result<(), Found> {
        let outcome = run(&mut setting.command(binary, &self.late))?;
        let lines = outcome.stdout.lines().map(Some).chain(std::iter::repeat(None));
        let wrong = expected.lines().zip(lines).find(|(wanted, line)| *line != Some(wanted));
        let ended = outcome.status == 0 && !outcome.timed_out;
        if ended && wrong.is_none() {
            return Ok(());
        }
        let case = wrong.and_then(|(wanted, _)| wanted.split(' ').next()?.parse().ok());
        let said = match wrong {
            Some((wanted, Some(line))) if ended => format!("`{line}' in place of `{wanted}'"),
            _ => outcome.report(),
        };
        let (build, setting) = (build.clone(), Some(setting.clone()));
        Err(Found::Difference(Box::new(Difference { case, build, setting, said })))
    }

    /// The difference once more, in a program with one case; `None` if it is gone.
    pub fn again(&self, program: &Program, difference: &Difference) -> Result<Option<Difference>, String> {
        let source = self.write("loops.upc", &program.upc())?;
        let attempt = || -> Result<(), Found> {
            let binary = self.build(&difference.build, &source)?;
            let Some(setting) = &difference.setting else { return Ok(()) };
            let model = self.build_model(&program.model(), &[])?;
            let expected = self.expected(&model, setting)?;
            for _ in 0..3 {
                self.compare(&difference.build, setting, &binary, &expected)?;
            }
            Ok(())
        };
        match attempt() {
            Ok(()) => Ok(None),
            Err(Found::Difference(found)) => Ok(Some(*found)),
            Err(Found::Failure(why)) => Err(why),
        }
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.scratch);
    }
}

impl Difference {
    /// The number of threads of the run, or of the program.
    pub fn threads(&self) -> usize {
        self.setting.as_ref().map_or(self.build.threads.unwrap_or(2), |setting| setting.threads)
    }

    /// Whether another difference is of the same kind.
    pub fn is_like(&self, other: &Difference) -> bool {
        self.setting.is_some() == other.setting.is_some()
    }
}

/// The reasons for which a check ends early.
#[derive(Debug)]
pub enum Found {
    /// A difference.
    Difference(Box<Difference>),
    /// A fault of the generator, its model or the machine.
    Failure(String),
}

impl From<String> for Found {
    fn from(why: String) -> Found {
        Found::Failure(why)
    }
}

fn run(command: &mut Command) -> Result<Outcome, String> {
    process::run(command, None, LIMIT).map_err(|error| format!("{command:?}: {error}"))
}
