//! Differential tests of the optimiser: random loops, and loops made of templates, whose results must be
//! those of a serial model, for any number of threads, hosts and options.
//!
//! A *program* is a file of many *cases*. A case is one or two functions, the steps, with barriers between
//! them; after it the values of all objects are summed up and printed. It begins with fresh values, so that
//! it can run alone. Programs have no races: a step is one thread's, or each thread writes elements of its
//! own iterations, which nothing else reads. So the results are defined, and the serial model ([`model`])
//! computes them: the same text as plain C.

pub mod cases;
mod inner;
pub mod maker;
pub mod model;
pub mod names;
mod poison;
pub mod run;
pub mod shrink;
mod statements;
pub mod templates;
pub mod world;

use crate::random::Random;
use cases::{Case, Kinds};
use maker::Maker;
use std::fmt::Write;
use world::World;

/// A file of cases.
#[derive(Clone, Debug)]
pub struct Program {
    /// The objects.
    pub world: World,
    /// The lines of the functions that cases call.
    pub functions: Vec<String>,
    /// The cases; left-out cases are empty.
    pub cases: Vec<Case>,
}

impl Program {
    /// The random program of a seed.
    pub fn random(seed: u64, cases: usize, kinds: Kinds) -> Program {
        let mut random = Random::new(seed);
        let world = World::new(&mut random);
        let mut maker = Maker::new(random, &world);
        let functions = maker.make_functions();
        let cases = (0..cases).map(|number| maker.make_case(number, kinds)).collect();
        Program { world, functions, cases }
    }

    /// The cases of templates from number `first` on, with the objects of a seed.
    pub fn templates(seed: u64, first: usize, cases: usize) -> Program {
        let world = World::of_templates(&mut Random::new(seed));
        let pointed = &world.arrays[world.pointed];
        let (target, nodes) = (world.arrays[0].target(), world.nodes);
        let words = [target.as_str(), pointed.name, nodes];
        let own = |index: &str| world.arrays[0].owned(index);
        let case = |at: usize| templates::case(first + at, at, &own, words);
        let cases = (0..cases).filter(|at| first + at < templates::ALL).map(case).collect();
        let functions = templates::FUNCTIONS.map(String::from).to_vec();
        Program { world, functions, cases }
    }

    /// The program with only one of its cases.
    pub fn only(&self, number: usize) -> Program {
        let mut program = self.clone();
        (0..self.cases.len()).filter(|at| *at != number).for_each(|at| program.leave_out(at));
        program
    }

    /// Empties a case.
    pub fn leave_out(&mut self, number: usize) {
        self.cases[number] = Case { text: Vec::new(), steps: 0 };
    }

    /// The lines of the functions and the cases, and the calls of the cases.
    pub fn body(&self) -> (String, String) {
        let (mut text, mut calls) = (String::new(), String::new());
        for line in self.functions.iter().chain(self.cases.iter().flat_map(|case| &case.text)) {
            text += line;
            text.push('\n');
        }
        for (number, case) in self.cases.iter().enumerate().filter(|(_, case)| case.steps > 0) {
            let _ = write!(calls, "    if (wanted({number})) {{\n        begin({number});\n");
            for step in 0..case.steps {
                let _ = writeln!(calls, "        EACH(case{number}_{step}(N * THREADS))");
            }
            let _ = write!(calls, "        end({number});\n    }}\n");
        }
        (text, calls)
    }

    /// The program, as UPC.
    pub fn upc(&self) -> String {
        let (text, calls) = self.body();
        model::upc(&self.world, &text, &calls)
    }

    /// The serial model of the program, as C.
    pub fn model(&self) -> String {
        let (text, calls) = self.body();
        model::model(&self.world, &text, &calls)
    }
}
