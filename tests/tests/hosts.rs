//! Programs whose threads are spread over hosts: launchers on this machine, each with memory of its own, whose
//! threads reach each other by the loopback interface alone. So every room of the runtime runs on active
//! messages.
//!
//! Every fourth program that runs or dies is taken, over two hosts. MERIDIAN_TEST_HOSTS=2,3 takes all, over each
//! of these numbers of hosts (`make check-net`).
//!
//! The programs of `run/stress` are always taken all, and over the conduit that users get besides: what goes by
//! the network's own means keeps no order with messages, unless the runtime sees to it.

use libtest_mimic::{Arguments, Failed, Trial};
use std::path::Path;
use tests::programs::{DIALECTS, Program, programs};

const SHARE: usize = 4;

fn asked_hosts() -> Vec<usize> {
    let asked = std::env::var("MERIDIAN_TEST_HOSTS").unwrap_or_default();
    asked.split(',').filter_map(|number| number.trim().parse().ok()).collect()
}

fn runs_over(program: &Program, hosts: usize) -> bool {
    let runs = program.name.starts_with("run/") || program.name.starts_with("die/");
    runs && program.most_threads().is_ok_and(|most| most >= hosts)
}

fn main() {
    let arguments = Arguments::from_args();
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("hosts");
    let asked = asked_hosts();
    let (counts, share) = if asked.is_empty() { (vec![2], SHARE) } else { (asked, 1) };
    let mut trials = Vec::new();
    for (folder, extension) in DIALECTS {
        for hosts in counts.iter().copied() {
            let taken = programs(folder, extension).into_iter().filter(|p| runs_over(p, hosts));
            for program in taken.step_by(share) {
                let name = format!("{hosts}/{folder}/{}", program.name);
                let scratch = scratch.join(format!("{folder}{hosts}"));
                trials.push(Trial::test(name, move || {
                    program
                        .test_once(&scratch, 4, hosts, &["MERIDIAN_CONDUIT=template"])
                        .map_err(Failed::from)
                }));
            }
            let stress =
                programs(folder, extension).into_iter().filter(|p| p.name.starts_with("run/stress/"));
            for program in stress.filter(|p| runs_over(p, hosts)) {
                let name = format!("{hosts}/best/{folder}/{}", program.name);
                let scratch = scratch.join(format!("best-{folder}{hosts}"));
                trials.push(Trial::test(name, move || {
                    program.test_once(&scratch, 4, hosts, &[]).map_err(Failed::from)
                }));
            }
        }
    }
    libtest_mimic::run(&arguments, trials).exit();
}
