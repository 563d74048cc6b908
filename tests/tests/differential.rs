//! Random loops and loops made of templates against their serial model: a sample of those that `make fuzz`
//! runs for hours (`tests/src/differential`). `MERIDIAN_RANDOM=100` takes more programs,
//! `MERIDIAN_RANDOM_SEED` others. Half of the programs are in a sample (`tests::sample`).

use std::path::Path;
use std::time::Duration;
use tests::differential::cases::{Case, Kinds};
use tests::differential::run::{Bench, Count, Difference, Found};
use tests::differential::{Program, shrink, templates};
use tests::sample::Sample;

const KINDS: Kinds = Kinds { poison: true, shadows: true };
/// Cases of a program, and programs of each kind.
const CASES: usize = 32;
const PROGRAMS: u64 = 4;

fn bench(name: &str) -> Bench {
    Bench::new(Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("differential-{name}"))).unwrap()
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

fn seeds(family: &str) -> impl Iterator<Item = u64> {
    let first = number("MERIDIAN_RANDOM_SEED").unwrap_or(1);
    let (sample, all) = (Sample::asked(), first..first + number("MERIDIAN_RANDOM").unwrap_or(PROGRAMS));
    all.filter(move |seed| sample.takes(family, *seed as usize, 2))
}

fn alike(bench: &Bench, program: &Program, seed: u64, options: &str) {
    let again = format!("build/cargo/release/differential --from {seed} --cases {CASES} {options}--one");
    match bench.check(program, seed, &mut Count::new()) {
        Ok(()) => {}
        Err(Found::Failure(why)) => panic!("seed {seed}: {why}"),
        Err(Found::Difference(found)) => panic!("seed {seed}, {found}\nmade smaller by {again}"),
    }
}

#[test]
fn random_loops_compute_what_their_model_does() {
    let bench = bench("random");
    for seed in seeds("random loops") {
        alike(&bench, &Program::random(seed, CASES, KINDS), seed, "");
    }
}

#[test]
fn loops_of_templates_compute_what_their_model_does() {
    let bench = bench("templates");
    let all = (templates::ALL / CASES) as u64;
    for seed in seeds("loops of templates") {
        // Programs from the whole list.
        let part = seed * 61 % all;
        let program = Program::templates(part + 1, part as usize * CASES, CASES);
        alike(&bench, &program, part + 1, "--templates ");
    }
}

#[test]
fn programs_have_no_undefined_behaviour() {
    let bench = bench("defined");
    for seed in [3, 4] {
        bench.is_defined(&Program::random(seed, CASES, KINDS), seed as usize).unwrap();
    }
    bench.is_defined(&Program::templates(7, 700, CASES), 3).unwrap();
}

/// A program with a case that differs between UPC and C.
fn different() -> Program {
    let mut program = Program::random(1, 3, KINDS);
    let text = "static void case1_0(int n) {
    long s = 0;
    for (int i = 4; i < n - 4; i++) {
        s += c[i];
        if (i == 5) {
#ifdef __UPC__
            s++;
#endif
            s ^= d[i];
        }
    }
    for (int i = 4; i < n - 4; i++)
        s += c[i];
    put(s);
}";
    program.cases[1] = Case { text: text.lines().map(String::from).collect(), steps: 1 };
    program
}

#[test]
fn a_difference_is_found_and_made_smaller() {
    let bench = bench("smaller");
    let program = different();
    let Err(Found::Difference(found)) = bench.check(&program, 1, &mut Count::new()) else {
        panic!("no difference is found");
    };
    let Difference { case: Some(1), .. } = *found else { panic!("not case 1: {found}") };
    let only = program.only(1);
    let difference = bench.again(&only, &found).unwrap().expect("it is there in a case alone");
    let (smaller, _) = shrink::shrink(&bench, only, difference, Duration::from_secs(300));
    let text = smaller.cases[1].text.join("\n");
    assert!(text.contains("s++") && text.contains("put(s)"), "{text}");
    assert!(!text.contains("c[i]") && !text.contains("d[i]"), "{text}");
    assert!(smaller.functions.is_empty(), "{:?}", smaller.functions);
}

#[test]
fn a_program_that_is_refused_is_a_difference() {
    let bench = bench("refused");
    let mut program = different();
    program.cases[1].text[6] = "            s = nothing;".into();
    match bench.check(&program, 1, &mut Count::new()) {
        Err(Found::Difference(found)) => assert!(found.to_string().contains("nothing"), "{found}"),
        other => panic!("{other:?}"),
    }
}
