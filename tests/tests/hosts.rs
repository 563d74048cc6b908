//! Programs whose threads are spread over hosts: launchers on this machine, each with memory of its own,
//! whose threads reach each other by the loopback interface alone. Thus every component of the runtime runs
//! on active messages.
//!
//! By default every fourth program that runs or dies is taken, over two hosts and the conduit `tcp`; a sample
//! (`tests::sample`) has half of these.
//! MERIDIAN_TEST_HOSTS=2,3 takes all, over each of these numbers of hosts, and over two by every other
//! conduit too (`make check-net`).
//!
//! The programs of `run/stress` are always taken over all conduits: the network's own transfers are not
//! ordered with messages unless the runtime orders them. They are taken once more over `tcp` with
//! MERIDIAN_ENCRYPT=1. Programs that define functions with names of system calls, which a network's library
//! must not call, are always taken over all conduits, too.
//!
//! Programs that set the number of threads on each host (`//: layout 1 3`) also always run in that layout.

use libtest_mimic::{Arguments, Failed, Trial};
use std::path::Path;
use tests::programs::{DIALECTS, Program, programs};
use tests::sample::Sample;
use tests::trial::trial_unless;

const SHARE: usize = 4;

fn asked_hosts() -> Vec<usize> {
    let asked = std::env::var("MERIDIAN_TEST_HOSTS").unwrap_or_default();
    asked.split(',').filter_map(|number| number.trim().parse().ok()).collect()
}

fn runs_over(program: &Program, hosts: usize) -> bool {
    let runs = program.name.starts_with("run/") || program.name.starts_with("die/");
    runs && program.most_threads().is_ok_and(|most| most >= hosts)
}

/// Adds the programs of all dialects over `hosts` hosts by a conduit: every `share`th of those that `wanted`
/// accepts.
fn add(trials: &mut Vec<Trial>, hosts: usize, conduit: &'static str, share: usize, wanted: fn(&str) -> bool) {
    let sample = Sample::asked();
    for (folder, extension) in DIALECTS {
        let all = programs(folder, extension).into_iter();
        let taken = all.filter(|program| wanted(&program.name) && runs_over(program, hosts));
        let sampled = |n: &usize| share == 1 || sample.takes("hosts", *n, 2);
        for (_, program) in taken.step_by(share).enumerate().filter(|(n, _)| sampled(n)) {
            let name = format!("{hosts}/{conduit}/{folder}/{}", program.name);
            let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("hosts");
            let scratch = scratch.join(format!("{folder}-{hosts}-{conduit}"));
            trials.push(trial_unless(tests::has_conduit(conduit).err(), name, move || {
                let setting = format!("MERIDIAN_CONDUIT={conduit}");
                program.test_once(&scratch, 4, hosts, &[&setting])
            }));
        }
    }
}

/// Adds the programs of `run/stress` with encryption between hosts.
fn add_encrypted(trials: &mut Vec<Trial>) {
    for program in
        programs("upc", "upc").into_iter().filter(|program| program.name.starts_with("run/stress/"))
    {
        if runs_over(&program, 2) {
            let name = format!("2/tcp, encrypted/upc/{}", program.name);
            let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("hosts/encrypted");
            trials.push(trial_unless(tests::has_encryption().err(), name, move || {
                program.test_once(&scratch, 4, 2, &["MERIDIAN_CONDUIT=tcp", "MERIDIAN_ENCRYPT=1"])
            }));
        }
    }
}

/// Adds the programs that ask for unequal hosts.
fn add_layouts(trials: &mut Vec<Trial>) {
    for (folder, extension) in DIALECTS {
        for program in programs(folder, extension) {
            for layout in program.layouts().unwrap_or_default() {
                let words: Vec<_> = layout.iter().map(usize::to_string).collect();
                let name = format!("{}/{folder}/{}", words.join(","), program.name);
                let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("hosts").join(words.join("-"));
                let program = program.clone();
                trials.push(Trial::test(name, move || {
                    program.test_layout(&scratch, &layout).map_err(Failed::from)
                }));
            }
        }
    }
}

fn main() {
    let arguments = Arguments::from_args();
    let asked = asked_hosts();
    let wholly = !asked.is_empty();
    let mut trials = Vec::new();
    for conduit in tests::conduits() {
        if wholly || conduit == "tcp" {
            let counts = if wholly && conduit == "tcp" { asked.clone() } else { vec![2] };
            for hosts in counts {
                add(&mut trials, hosts, conduit, if wholly { 1 } else { SHARE }, |_| true);
            }
        } else {
            add(&mut trials, 2, conduit, 1, |name| {
                name.starts_with("run/stress/") || name.starts_with("run/names_of_calls.")
            });
        }
    }
    add_encrypted(&mut trials);
    add_layouts(&mut trials);
    trials.push(many_hosts());
    libtest_mimic::run(&arguments, trials).exit();
}

/// Above sixteen hosts, announcements of barriers are passed on.
fn many_hosts() -> Trial {
    const HOSTS: usize = 18;
    let wanted = "run/stress/many.upc";
    let program = programs("upc", "upc").into_iter().find(|p| p.name == wanted).expect(wanted);
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("hosts/many");
    Trial::test(format!("{HOSTS}/upc/{}", program.name), move || {
        program.test_once(&scratch, 20, HOSTS, &["MERIDIAN_CONDUIT=tcp"]).map_err(Failed::from)
    })
}
