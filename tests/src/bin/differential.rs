//! Runs random loops beside their serial model for hours: `differential [OPTION]...`.
//!
//! ```text
//! --seconds S     run for S seconds; 60
//! --from SEED     from this seed on; by default from the end of the last run on
//! --one           this one program only
//! --cases N       cases in a program; 64
//! --keep          only write the first program and its model to build/fuzz
//! --plain         without objects that hold garbage until the loop mends them
//! --apart         without declarations that hide others
//! --templates     all cases made of templates, in place of random ones
//! --large         programs with a difference are not made smaller
//! ```
//!
//! If a program differs from its model, its smallest part that still differs is kept in build/fuzz, with the
//! commands that show it. The exit code is then 1.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};
use tests::differential::cases::Kinds;
use tests::differential::run::{Bench, Count, Difference, Found};
use tests::differential::{Program, shrink, templates};

/// The most time to make one program smaller.
const SHRINKING: Duration = Duration::from_secs(600);

struct Options {
    seconds: u64,
    from: Option<u64>,
    one: bool,
    keep: bool,
    large: bool,
    templates: bool,
    cases: usize,
    kinds: Kinds,
}

fn options() -> Result<Options, String> {
    let kinds = Kinds { poison: true, shadows: true };
    let mut options = Options {
        seconds: 60,
        from: None,
        one: false,
        keep: false,
        large: false,
        templates: false,
        cases: 64,
        kinds,
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut number = || {
            let text = words.next().unwrap_or_default();
            text.parse::<u64>().map_err(|_| format!("{word}: `{text}' is not a number"))
        };
        match word.as_str() {
            "--seconds" => options.seconds = number()?,
            "--from" => options.from = Some(number()?),
            "--cases" => options.cases = number()? as usize,
            "--large" => options.large = true,
            "--templates" => options.templates = true,
            "--keep" => options.keep = true,
            "--one" => options.one = true,
            "--plain" => options.kinds.poison = false,
            "--apart" => options.kinds.shadows = false,
            _ => return Err(format!("no option `{word}'")),
        }
    }
    Ok(options)
}

fn main() -> ExitCode {
    match options().and_then(|options| fuzz(&options)) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::from(1),
        Err(error) => {
            eprintln!("differential: {error}");
            ExitCode::from(2)
        }
    }
}

/// Runs programs until the time is over, and returns how many cases had a difference.
fn fuzz(options: &Options) -> Result<usize, String> {
    let kept = tests::home().join("../build/fuzz");
    let bench = Bench::new(kept.join(format!("loops.{}", std::process::id())))?;
    let resume = kept.join(if options.templates { "templates.next" } else { "loops.next" });
    let last = std::fs::read_to_string(&resume).ok().and_then(|text| text.trim().parse().ok());
    let mut seed = options.from.or(last).unwrap_or(1);
    let end = Instant::now() + Duration::from_secs(options.seconds);
    let (mut count, mut differences, mut shown) = (Count::new(), 0, Instant::now());
    let mut done = 0;
    while Instant::now() < end {
        let first = (seed - 1) as usize * options.cases;
        if options.templates && first >= templates::ALL {
            println!("  all loops of templates have run");
            let _ = std::fs::remove_file(&resume);
            break;
        }
        let program = match options.templates {
            true => Program::templates(seed, first, options.cases),
            false => Program::random(seed, options.cases, options.kinds),
        };
        if options.keep {
            let path = kept.join(format!("loops-{seed}.upc"));
            write(&path, &program.upc())?;
            write(&path.with_extension("model.c"), &program.model())?;
            println!("  {}", path.display());
            return bench.is_defined(&program, 3).map(|()| 0);
        }
        differences += compare(&bench, program, seed, options, &mut count, &kept)?;
        done += options.cases;
        seed += 1;
        if options.from.is_none() {
            std::fs::write(&resume, seed.to_string()).map_err(|error| error.to_string())?;
        }
        if shown.elapsed() > Duration::from_secs(60) || options.one {
            println!("  seed {seed}, {done} loops, {differences} of them with a difference");
            shown = Instant::now();
        }
        if options.one {
            break;
        }
    }
    println!("  {done} loops, {differences} of them with a difference; runs of loops:");
    for (kind, number) in &count {
        println!("  {number:9} {kind}");
    }
    Ok(differences)
}

/// Runs a program, and again without each case that has a difference. Returns the number of these cases.
fn compare(
    bench: &Bench,
    mut program: Program,
    seed: u64,
    options: &Options,
    count: &mut Count,
    kept: &Path,
) -> Result<usize, String> {
    let mut differences = 0;
    loop {
        let found = match bench.check(&program, seed, count) {
            Ok(()) => return Ok(differences),
            Err(Found::Failure(why)) => return Err(format!("seed {seed}: {why}")),
            Err(Found::Difference(found)) => *found,
        };
        differences += 1;
        match find(bench, &program, &found)? {
            Some((case, difference)) => {
                let only = program.only(case);
                program.leave_out(case);
                let path = keep(kept, seed, case, &only, &difference)?;
                println!("  a difference: {}\n  {difference}", path.display());
                if !options.large {
                    let (smaller, difference) = shrink::shrink(bench, only, difference, SHRINKING);
                    let path = keep(kept, seed, case, &smaller, &difference)?;
                    println!("  smaller: {}\n  {difference}", path.display());
                }
                println!("  again: build/cargo/release/differential --from {seed} {}--one", words(options));
            }
            None => {
                let path = keep(kept, seed, program.cases.len(), &program, &found)?;
                println!("  a difference, but of no case alone: {}\n  {found}", path.display());
                println!("  again: build/cargo/release/differential --from {seed} {}--one", words(options));
                return Ok(differences);
            }
        }
    }
}

/// The case that differs, and its difference if it runs alone.
fn find(bench: &Bench, program: &Program, found: &Difference) -> Result<Option<(usize, Difference)>, String> {
    if let Some(case) = found.case {
        return Ok(bench.again(&program.only(case), found)?.map(|difference| (case, difference)));
    }
    let mut cases: Vec<usize> =
        (0..program.cases.len()).filter(|case| program.cases[*case].steps > 0).collect();
    let mut last = None;
    while !cases.is_empty() {
        let middle = cases.len() / 2;
        let halves = [cases[..middle].to_vec(), cases[middle..].to_vec()];
        let mut fails = None;
        for half in halves.into_iter().filter(|half| !half.is_empty()) {
            let mut part = program.clone();
            (0..program.cases.len())
                .filter(|case| !half.contains(case))
                .for_each(|case| part.leave_out(case));
            if let Some(difference) = bench.again(&part, found)? {
                fails = Some((half, difference));
                break;
            }
        }
        let Some((half, difference)) = fails else { return Ok(None) };
        last = Some((half[0], difference));
        if half.len() == 1 {
            break;
        }
        cases = half;
    }
    Ok(last)
}

/// The options that make the same programs.
fn words(options: &Options) -> String {
    let mut words = format!("--cases {} ", options.cases);
    let named = [
        (!options.kinds.poison, "--plain "),
        (!options.kinds.shadows, "--apart "),
        (options.templates, "--templates "),
    ];
    named.iter().filter(|(given, _)| *given).for_each(|(_, word)| words += word);
    words
}

fn keep(
    kept: &Path,
    seed: u64,
    case: usize,
    program: &Program,
    difference: &Difference,
) -> Result<PathBuf, String> {
    let path = kept.join(format!("loops-{seed}-{case}.upc"));
    let said = difference.to_string().replace("*/", "* /");
    let text = format!("/* {said} */\n{}", program.upc());
    write(&path, &text)?;
    write(&path.with_extension("model.c"), &program.model())?;
    Ok(path)
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}
