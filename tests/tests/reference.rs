//! The reference implementation: with MERIDIAN_REFERENCE=1 the memory of other threads is reached by active
//! message wherever a library call, Split-C or AC does it. Programs with such calls run once more in that
//! way, with three threads; `make check-reference` runs the whole suite in that way, in every setting. A
//! sample (`tests::sample`) has half of the programs.

use libtest_mimic::{Arguments, Failed, Trial};
use std::path::Path;
use tests::programs::{DIALECTS, Program, programs};
use tests::sample::Sample;

/// Directories of UPC programs whose calls go by message.
const BY_MESSAGE: [&str; 6] =
    ["run/atomic/", "run/bupc/", "run/collective/", "run/lib/", "run/nb/", "run/sync/"];

fn chosen(folder: &str, program: &Program) -> bool {
    let name = &program.name;
    match folder {
        "upc" => BY_MESSAGE.iter().any(|directory| name.starts_with(directory)),
        _ => name.starts_with("run/") || name.starts_with("die/"),
    }
}

fn main() {
    let arguments = Arguments::from_args();
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("reference");
    let (mut trials, sample) = (Vec::new(), Sample::asked());
    for (folder, extension) in DIALECTS {
        let all = programs(folder, extension).into_iter().filter(|program| chosen(folder, program));
        let taken = all.enumerate().filter(|(n, _)| sample.takes("reference", *n, 2));
        for (_, program) in taken {
            let (name, scratch) = (format!("{folder}/{}", program.name), scratch.join(folder));
            trials.push(Trial::test(name, move || {
                program.test_once(&scratch, 3, 1, &["MERIDIAN_REFERENCE=1"]).map_err(Failed::from)
            }));
        }
    }
    libtest_mimic::run(&arguments, trials).exit();
}
