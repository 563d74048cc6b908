//! Tests that may find that they cannot run on this machine.
//!
//! Rust's own harness cannot end a test as skipped, so the files that hold such tests use the harness of
//! `libtest-mimic` (`harness = false`). A test in them returns [`Ran`]; `?` on something that is missing here
//! ends it as skipped, with the reason. `make check` counts skipped tests, and shows their reasons.

use libtest_mimic::{Arguments, Completion, Failed, Trial};

/// The reason why a test cannot run here: one line, which names the missing thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skip(pub String);

/// The end of a test that neither panics nor fails: it has run, or was skipped.
pub type Ran = Result<(), Skip>;

/// The return types of test functions.
pub trait Ends {
    /// The value as [`Ran`].
    fn ran(self) -> Ran;
}

impl Ends for () {
    fn ran(self) -> Ran {
        Ok(())
    }
}

impl Ends for Ran {
    fn ran(self) -> Ran {
        self
    }
}

/// A test that panics when it fails, and may be skipped.
pub fn trial<T: Ends>(name: impl Into<String>, test: impl FnOnce() -> T + Send + 'static) -> Trial {
    Trial::ignorable_test(name, move || {
        Ok(match test().ran() {
            Ok(()) => Completion::Completed,
            Err(Skip(reason)) => Completion::ignored_with(reason),
        })
    })
}

/// A test that fails by returning an error, and is skipped if `missing` gives a reason.
pub fn trial_unless(
    missing: Option<Skip>,
    name: impl Into<String>,
    test: impl FnOnce() -> Result<(), String> + Send + 'static,
) -> Trial {
    Trial::ignorable_test(name, move || match missing {
        Some(Skip(reason)) => Ok(Completion::ignored_with(reason)),
        None => test().map(|()| Completion::Completed).map_err(Failed::from),
    })
}

/// Runs the tests of a file by the arguments of its command, and ends the process.
pub fn run(trials: Vec<Trial>) -> ! {
    libtest_mimic::run(&Arguments::from_args(), trials).exit()
}

/// [`run`] for tests that wait most of their time, for a silent peer to be given up or a launcher to end:
/// three of them for each core run at a time, unless `--test-threads` sets another number.
pub fn run_waiting(trials: Vec<Trial>) -> ! {
    let mut arguments = Arguments::from_args();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    arguments.test_threads = arguments.test_threads.or(Some(3 * cores));
    libtest_mimic::run(&arguments, trials).exit()
}

/// The trials of these test functions, which take no argument and return [`Ran`] or nothing. A test function
/// that is in no list is dead code, and the compiler warns of it.
#[macro_export]
macro_rules! trials {
    ($($test:path),* $(,)?) => { vec![$($crate::trial::trial(stringify!($test), $test)),*] };
}
