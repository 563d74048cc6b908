//! Which C functions and code-blocks a program needs, and how each operation of them is done.
//!
//! A function with a choice of late parameters is a code-block, which runs as threads. With the optimisations
//! a function may also have a C function, which computes at once as much as possible (function.rs). The plan
//! of a C function may need other C functions, and code-blocks for the remainder of the function from a place
//! that can wait. All of this is decided here, before any C is made; `emit` makes C of a plan and decides
//! none of it.

mod blocks;
mod code_block;
mod counted;
mod eligible;
mod facts;
mod floats;
mod function;
mod independent;
mod reuse;
mod steps;
#[cfg(test)]
mod testing;
mod views;

pub use blocks::{Blocks, lenient};
pub use code_block::CodeBlock;
pub use counted::{Counted, How, Subscript, Sure, Term};
pub use facts::Facts;
pub use function::{CFunction, Stretch};
pub use independent::Independent;
pub use steps::{Callee, Fetch, Look, Rest, Step, Store, Wait, Way};

use crate::core::language::{Func, FuncId, Program};
use crate::tam::threads::Mode;
use std::collections::BTreeSet;

/// The plan of a program's C.
pub struct Plan {
    /// The program, with remainders of its functions as functions of their own.
    pub program: Program,
    pub facts: Facts,
    /// How threads are made.
    pub mode: Mode,
    /// The C functions and code-blocks, in the order of their C.
    pub pieces: Vec<Piece>,
    pub blocks: Blocks,
    /// The code-block that runs first.
    pub main: usize,
    /// The code-blocks of closures, which are applied.
    applied: BTreeSet<usize>,
    /// By function: whether it has a C function.
    called: Vec<bool>,
}

/// A part of the C of a program.
pub enum Piece {
    Function(CFunction),
    Block(CodeBlock),
}

impl Plan {
    /// Whether a function has a C function.
    pub fn has_function(&self, func: FuncId) -> bool {
        self.called[func]
    }

    /// Whether closures refer to a code-block, and its function has a single result.
    pub fn is_applied(&self, block: usize, func: FuncId) -> bool {
        self.program.funcs[func].results == 1 && self.applied.contains(&block)
    }
}

/// Plans the C of a program that has been optimised. `mode`: how threads are made.
pub fn plan(program: &Program, mode: Mode) -> Plan {
    let mut planner = Planner {
        facts: Facts::of(program, mode == Mode::Tam),
        called: vec![false; program.funcs.len()],
        program: program.clone(),
        mode,
        blocks: Blocks::default(),
        applied: BTreeSet::new(),
        functions: Vec::new(),
    };
    let main = planner.block_for(program.main, &vec![false; program.funcs[program.main].params.len()]);
    let pieces = planner.pieces();
    let Planner { program, facts, mode, blocks, applied, called, .. } = planner;
    Plan { program, facts, mode, pieces, blocks, main, applied, called }
}

/// The decisions so far.
struct Planner {
    program: Program,
    facts: Facts,
    mode: Mode,
    blocks: Blocks,
    applied: BTreeSet<usize>,
    called: Vec<bool>,
    /// The functions that have C functions, in the order in which these were first called.
    functions: Vec<FuncId>,
}

impl Planner {
    /// All C functions that are called and all code-blocks that are begun.
    fn pieces(&mut self) -> Vec<Piece> {
        let mut pieces = Vec::new();
        let (mut block, mut function) = (0, 0);
        loop {
            if let Some(&func) = self.functions.get(function) {
                pieces.push(Piece::Function(self.function(func)));
                function += 1;
            } else if let Some((func, late)) = self.blocks.get(block).cloned() {
                pieces.push(Piece::Block(self.code_block(block, func, late)));
                block += 1;
            } else {
                return pieces;
            }
        }
    }

    /// The number of the code-block of a function with these late parameters.
    fn block_for(&mut self, func: FuncId, late: &[bool]) -> usize {
        self.blocks.number(func, late)
    }

    /// Whether calls of a function go to its C function, which is then planned. `io`: the caller does input
    /// or output.
    fn calls_function(&mut self, func: FuncId, io: bool) -> bool {
        if !self.facts[func].eligible || (self.program.funcs[func].io && !io) {
            return false;
        }
        if !std::mem::replace(&mut self.called[func], true) {
            self.functions.push(func);
        }
        true
    }

    /// The code-block for calls of a function as a value: all parameters that may be late are.
    fn lenient_block(&mut self, func: FuncId) -> usize {
        let late = lenient(&self.facts.strict[func]);
        let block = self.block_for(func, &late);
        if self.applied.insert(block) {
            self.calls_function(func, self.program.funcs[func].io);
        }
        block
    }

    /// The code-block of a remainder of the function `of`.
    fn rest_block(&mut self, rest: Func, late: &[bool], of: FuncId) -> usize {
        self.facts.add_rest(&rest, of);
        self.called.push(false);
        self.program.funcs.push(rest);
        self.block_for(self.program.funcs.len() - 1, late)
    }
}
