//! Programs with many mutual waits, run again and again: on 2, 3, 4 and 8 processors, with calls dealt out
//! and not, in the natural order and in random orders with pauses, on one host and on two. A run with any
//! other result than the program's has lost a value or a wake-up.
//!
//! MERIDIAN_TEST_RUNS is the number of runs of all programs together; `make soak-id` takes ten thousand.

use super::{Job, WAYS, compile, directives, run_once, shown, temporary};
use libtest_mimic::{Failed, Trial};
use std::path::PathBuf;

const PROGRAMS: [&str; 8] =
    ["at_once", "boxes", "collected", "each_other", "halves", "lenient", "mutable", "reuse"];
const RUNS: usize = 48;

pub fn trials() -> Vec<Trial> {
    let asked = std::env::var("MERIDIAN_TEST_RUNS").ok().and_then(|n| n.parse().ok());
    let runs = asked.unwrap_or(RUNS).div_ceil(PROGRAMS.len());
    let trial = |name: &&'static str| {
        let name = *name;
        Trial::test(format!("stress/{name}"), move || stress(name, runs))
    };
    PROGRAMS.iter().map(trial).collect()
}

fn stress(name: &str, runs: usize) -> Result<(), Failed> {
    let path = PathBuf::from(format!("id/run/{name}.id"));
    let d = directives(&std::fs::read_to_string(&path)?);
    let work = temporary()?;
    let programs = WAYS.map(|how| work.path().join(how.trim_start_matches("--threads=")));
    for (how, to) in WAYS.iter().zip(&programs) {
        let made = compile(std::slice::from_ref(&path), to, how)?;
        if made.status != 0 {
            return Err(shown("compiling", &made));
        }
    }
    for n in 0..runs {
        let job = Job {
            processors: [2, 3, 4, 8][n % 4],
            hosts: 1 + usize::from(n % 8 == 5),
            deal: ["0", "1"][n / 4 % 2],
            order: if n % 3 == 0 { 0 } else { n as u64 },
        };
        // Two hosts have at most two processors each.
        let job = if job.hosts == 2 { Job { processors: 3, ..job } } else { job };
        run_once(&programs[usize::from(n % 5 == 4)], &d, &job).map_err(|e| {
            let Job { processors, hosts, deal, order } = job;
            let setting =
                format!("{processors} processors on {hosts} hosts, dealt out: {deal}, order {order}");
            format!("run {n}, {setting}\n{}", e.message().unwrap_or(""))
        })?;
    }
    Ok(())
}
