//! The common part of the launcher's tests: the program that plays a thread, functions to start a job and to
//! examine its end, and a directory in which threads leave marks.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// Longer than anything here takes on a loaded machine; a test that waits this long has failed.
pub const LONG: Duration = Duration::from_secs(60);

/// Returns the program of `thread.c`.
pub fn thread_program() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/run/thread.c");
        let runtime = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runtime");
        let include = |folder: &str| format!("-I{}", runtime.join(folder).display());
        compile(&source, &[&include(""), &include("include"), &include("host")])
    })
}

/// Compiles a C file with the host's compiler into a file of this test run's own.
pub fn compile(source: &Path, flags: &[&str]) -> PathBuf {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("program-{}-{count}", std::process::id()));
    let status =
        Command::new("cc").args(["-std=gnu11", "-O1", "-o"]).arg(&out).arg(source).args(flags).status();
    assert!(status.expect("cc runs").success());
    out
}

/// A directory that is removed when the test ends.
pub struct Scratch(TempDir);

impl Scratch {
    pub fn new(name: &str) -> Scratch {
        Scratch(tempfile::Builder::new().prefix(name).tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap())
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Returns a step of `thread.c` with this directory as argument, such as `mark=DIR`.
    pub fn step(&self, name: &str) -> String {
        format!("{name}={}", self.0.path().display())
    }

    /// Returns a step with a file in this directory as argument.
    pub fn file_step(&self, step: &str, file: &str) -> String {
        format!("{step}={}", self.path(file).display())
    }

    /// Returns the pids of the processes that have left a mark.
    pub fn marks(&self) -> Vec<i32> {
        let names = fs::read_dir(self.0.path()).unwrap().map(|e| e.unwrap().file_name());
        names.filter_map(|name| name.to_str()?.parse().ok()).collect()
    }

    /// Waits until `count` processes have left a mark.
    pub fn await_marks(&self, count: usize) -> Vec<i32> {
        wait_for("the threads' marks", || (self.marks().len() == count).then(|| self.marks()))
    }
}

/// Waits until `look` finds a value, and returns it.
pub fn wait_for<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let began = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(began.elapsed() < LONG, "waited too long for {what}");
        sleep(Duration::from_millis(5));
    }
}

/// Waits until all of the processes have ended. An ended process is not checked again: its number may soon be
/// another process's.
pub fn await_gone(pids: &[i32]) {
    let mut left = pids.to_vec();
    wait_for("processes to be gone", || {
        left.retain(|&pid| alive(pid));
        left.is_empty().then_some(())
    });
}

/// Returns true if a process exists and is not merely waiting to be collected.
pub fn alive(pid: i32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit(") ").next().is_some_and(|rest| !rest.is_empty() && !rest.starts_with(['Z', 'X']))
}

/// Returns `meridian run ...`, without the caller's settings.
pub fn meridian_run(options: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_meridian"));
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("MERIDIAN_")) {
        command.env_remove(name);
    }
    command.arg("run").args(options).stdin(Stdio::null());
    tests::process::with_default_signals(&mut command);
    command
}

/// Returns a job of `thread.c`, with these options and steps.
pub fn job<S: AsRef<str>>(options: &[&str], steps: &[S]) -> Command {
    let mut command = meridian_run(options);
    command.arg(thread_program()).args(steps.iter().map(AsRef::as_ref));
    command
}

/// The end of a job.
pub struct End {
    pub code: Option<i32>,
    pub output: String,
    pub errors: String,
}

impl End {
    /// Runs a command to its end. A job that hangs is ended by its own `--timeout`, which tests set high.
    pub fn of(mut command: Command) -> End {
        End::from(command.output().expect("the launcher runs"))
    }

    /// Asserts the exit code and that there is exactly one line on standard error, which contains all of
    /// `says`.
    #[track_caller]
    pub fn says_once(&self, code: i32, says: &[&str]) {
        assert_eq!(self.code, Some(code), "{}", self.errors);
        assert_eq!(self.errors.lines().count(), 1, "one message: {:?}", self.errors);
        for text in says {
            assert!(self.errors.contains(text), "{text:?} in {:?}", self.errors);
        }
    }

    /// Asserts the exit code and silence on standard error.
    #[track_caller]
    pub fn quiet(&self, code: i32) {
        assert_eq!((self.code, self.errors.as_str()), (Some(code), ""));
    }
}

impl From<Output> for End {
    fn from(output: Output) -> End {
        End {
            code: output.status.code(),
            output: String::from_utf8_lossy(&output.stdout).into_owned(),
            errors: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}
