//! Every program under `upc/`, `splitc/` and `ac/` is a test (`src/programs.rs`).
//!
//! Each is compiled in several settings (environment, C compiler, optimisation) and run with several thread
//! counts. MERIDIAN_TEST_FULL=1 takes every combination; by default each program takes a share that rotates
//! with its name, so that the whole suite takes minutes and all combinations still occur.

use libtest_mimic::{Arguments, Failed, Trial};
use std::path::Path;
use tests::programs::{DIALECTS, programs};

fn main() {
    let arguments = Arguments::from_args();
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let all = DIALECTS.iter().flat_map(|(folder, extension)| programs(folder, extension));
    let trials = all.map(|program| {
        Trial::test(program.name.clone(), move || program.test(scratch).map_err(Failed::from))
    });
    libtest_mimic::run(&arguments, trials.collect()).exit();
}
