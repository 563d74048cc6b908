//! Tools for the tests of passes: a program before and after one pass, which must have the same results.

use crate::core::binds::each;
use crate::core::calls::reachable;
use crate::core::language::*;
use crate::interp;
use base::Source;

/// Steps of the interpreter.
const FUEL: usize = 1_000_000;

/// A program before and after a pass.
pub struct Changed {
    pub before: Program,
    pub after: Program,
}

/// The program of a text, before all passes.
#[track_caller]
pub fn program(text: &str) -> Program {
    let library = format!("# 1 \"<library>\" 3\n{}\n", crate::LIBRARY);
    let from = library.len() as u32;
    let source = Source::new(format!("{library}# 1 \"t.id\"\n{text}\n"));
    let (program, said) = crate::check(&source, from);
    program.unwrap_or_else(|| panic!("{}", base::render(&said, &source, false)))
}

/// Runs a pass on the program of a text. Fails unless both programs have the same output and the same end, in
/// several orders of their operations.
#[track_caller]
pub fn changed(text: &str, pass: impl Fn(&mut Program)) -> Changed {
    let before = program(text);
    let mut after = before.clone();
    pass(&mut after);
    for seed in [1, 7, 77] {
        let end = |p: &Program| interp::run(p, b"", &[], seed, FUEL);
        assert_eq!(end(&before), end(&after), "{text}");
    }
    Changed { before, after }
}

/// The functions of this name that can run.
pub fn named<'a>(program: &'a Program, name: &'a str) -> impl Iterator<Item = &'a Func> {
    let runs = reachable(program);
    program.funcs.iter().enumerate().filter(move |(n, f)| runs[*n] && f.name == name).map(|f| f.1)
}

/// How many operations of a kind these functions have.
pub fn count(program: &Program, name: &str, is: impl Fn(&Op) -> bool) -> usize {
    let mut found = 0;
    named(program, name).for_each(|f| each(&f.body, &mut |bind| found += usize::from(is(&bind.op))));
    found
}

impl Changed {
    /// How many operations of a kind the functions of this name have that can run, before and after.
    pub fn counts(&self, name: &str, is: impl Fn(&Op) -> bool) -> (usize, usize) {
        (count(&self.before, name, &is), count(&self.after, name, &is))
    }
}
